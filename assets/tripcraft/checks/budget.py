"""The budget of a task: the published estimate, and ours, which really covers a trip that meets the record (1.D)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from assets.tripcraft.facts.itinerary import MEALS_PER_DAY, NIGHTS_PER_CITY, Itinerary
from assets.tripcraft.records import Record
from assets.tripcraft.section import TripcraftSection

PUBLISHED_MULTIPLIERS: dict[int, tuple[int, int, int]] = {3: (2, 3, 9), 5: (3, 5, 15), 7: (4, 7, 21)}
"""Flights, nights (really days: T9) and meals that the published estimate counts, by trip length (1.D)."""

PUBLISHED_FACTOR: dict[str, float] = {"easy": 1.0, "medium": 0.75, "hard": 0.5}


@dataclass(frozen=True)
class Modes:
    """An estimate by its lowest, highest and average prices."""

    lowest: float
    highest: float
    average: float

    def base(self, days: int) -> float:
        """Return what a length starts from: 3 days (average + lowest) / 2, 5 average, 7 (average + highest) / 2."""
        return {
            3: (self.average + self.lowest) / 2,
            5: self.average,
            7: (self.average + self.highest) / 2,
        }[days]


def round_half_even(value: float, step: int = 100) -> int:
    """Return the multiple of the step nearest to the value, ties to the even multiple (1.D)."""
    return round(value / step) * step


def published_modes(flights: Sequence[float], stays: Sequence[float], meals: Sequence[float], days: int) -> Modes:
    """Return the published estimate for one person from pools of prices. Raises ValueError for an empty pool."""
    pools = (flights, stays, meals)
    empty = [name for name, pool in zip(("flights", "stays", "meals"), pools, strict=True) if not pool]
    if empty:
        raise ValueError(f"no {' and no '.join(empty)} to estimate a budget from")
    counts = PUBLISHED_MULTIPLIERS[days]
    return Modes(
        *(
            sum(of(pool) * count for pool, count in zip(pools, counts, strict=True))
            for of in (min, max, lambda pool: math.fsum(pool) / len(pool))
        )
    )


def published_budget(modes: Modes, days: int, level: str, people: int) -> int:
    """Return the published budget: rounded half-even to hundreds, the 7-day base once before the party counts."""
    base = modes.base(days)
    return round_half_even((round_half_even(base) if days == 7 else base) * people * PUBLISHED_FACTOR[level])


def our_budget(record: Record, itinerary: Itinerary, section: TripcraftSection) -> int:
    """Return a budget that covers a trip: the published rule on true quantities, raised to what a cheap trip needs.

    The estimate takes the lowest, highest and average way of every leg, stay and meal of the rough trip, for the whole
    party: nights, not days; rooms as many as the party fills (T9). Base and level factor are the published ones. A trip
    that meets every constraint cheaply, plus a margin, is the least (all [I]).
    """
    people, days = record["people"], record["days"]
    lowest = highest = average = 0.0
    pools: list[tuple[list[float], int]] = [([float(cost) for cost in costs], 1) for costs in itinerary.ways.leg_costs]
    pools += [([float(s.price * s.rooms(people)) for s in stays], NIGHTS_PER_CITY) for stays in itinerary.stays]
    pools.append(([float(r.avg_cost * people) for r in itinerary.restaurants], MEALS_PER_DAY * days))
    for prices, count in pools:
        lowest += min(prices) * count
        highest += max(prices) * count
        average += math.fsum(prices) / len(prices) * count
    step = section.budget_step
    estimate = Modes(lowest, highest, average).base(days) * section.factor(record["level"])
    least = math.ceil(itinerary.cheapest(record) * section.budget_margin / step) * step
    return max(round_half_even(estimate, step), least)
