"""How values of a group's plan are made of cells: named pure functions, which the core runs again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from assets.grouptravel.facts.rides import Tariff, ride_km
from assets.grouptravel.vocabulary import VOCABULARIES

Cells = Sequence[Any]


def cost(cells: Cells) -> float:
    """Return a place's price, 0 where it has none."""
    return float(cells[0]) if cells[0] is not None else 0.0


def fare(cells: Cells) -> float:
    """Return a service's price on a day: of price, whether it is an ordinary day's, and the day's factor."""
    price, is_modelled, *factor = cells
    return round(float(price) * float(factor[0]), 2) if is_modelled and factor and factor[0] != 1 else float(price)


def ticket(cells: Cells) -> float:
    """Return the price of a ride that costs the same whatever its length: of first and step."""
    first, step = cells
    return Tariff(float(first), 0.0, float(step)).price(0.0)


def ride(cells: Cells) -> float:
    """Return the price of a ride: of first, per_km and step, and where both ends are known their lat and lon."""
    first, per_km, step, *ends = cells
    points = ((ends[0], ends[1]), (ends[2], ends[3])) if len(ends) == 4 else (None, None)
    return Tariff(float(first), float(per_km), float(step)).price(ride_km(*points))


def mode_en(cells: Cells) -> str:
    """Return a mode in English."""
    return VOCABULARIES["en"].modes[cells[0]]


def mode_zh(cells: Cells) -> str:
    """Return a mode in Chinese."""
    return VOCABULARIES["zh"].modes[cells[0]]


DERIVATIONS = {
    f"grouptravel.{function.__name__}": f"{__name__}:{function.__name__}"
    for function in (cost, fare, ticket, ride, mode_en, mode_zh)
}
"""Every derivation that an edge may name."""
