"""How a plan's texts and what it costs are made of cells: named pure functions, which the core runs again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from assets.tripcraft.entities import CarRates, rooms_for_party
from assets.tripcraft.names import plan_text
from assets.tripcraft.plan import drive_text, flight_text, item_text, name_city, route_text, scheduled_text
from schemas.clock import minutes

Cells = Sequence[Any]


def route(cells: Cells) -> str:
    """Return `from A to B` of two cities' plan names."""
    return route_text(*cells)


def named(cells: Cells) -> str:
    """Return each `Name, City` of names and their cities' plan names, in turn."""
    pairs = zip(cells[::2], cells[1::2], strict=True)
    return "; ".join(name_city(plan_text(name), city) for name, city in pairs)


def flight(cells: Cells) -> str:
    """Return a flight's transport text of its number, times, day offset, and both cities' plan names."""
    number, dep, arr, offset, origin, dest = cells
    return flight_text(number, origin, dest, minutes(dep), minutes(arr) + 1440 * int(offset))


def journey(cells: Cells) -> str:
    """Return a train's or coach's transport text of its mode, number, times, day offset, and both plan names."""
    mode, number, dep, arr, offset, origin, dest = cells
    return scheduled_text(mode, number, origin, dest, minutes(dep), minutes(arr) + 1440 * int(offset))


def drive(cells: Cells) -> str:
    """Return a drive's transport text of its mode, the way, the rates of cars, the people and both plan names."""
    mode, duration_min, distance_km, own_km, own_seats, taxi_km, taxi_seats, people, origin, dest = cells
    rates = CarRates(float(own_km), int(own_seats), float(taxi_km), int(taxi_seats))
    cost = rates.cost(mode, float(distance_km), int(people))
    return drive_text(mode, origin, dest, float(duration_min), float(distance_km), cost)


def day_list(cells: Cells) -> str:
    """Return a day's list of six cells an entry: name, slot, start, end, the stop's name and its distance."""
    entries = []
    for at in range(0, len(cells), 6):
        name, slot, start, end, stop, distance_m = cells[at : at + 6]
        verb = "stay" if slot == "stay" else "visit"
        entries.append(item_text(plan_text(name), verb, int(start), int(end), plan_text(stop), float(distance_m)))
    return "; ".join(entries) + "."


def seats(cells: Cells) -> int:
    """Return what a seat for each of the party costs, of its price and the people."""
    price, people = cells
    return int(price) * int(people)


def car(cells: Cells) -> int:
    """Return what a drive costs the party, of its mode, the kilometres, the rates of cars and the people."""
    mode, distance_km, own_km, own_seats, taxi_km, taxi_seats, people = cells
    rates = CarRates(float(own_km), int(own_seats), float(taxi_km), int(taxi_seats))
    return rates.cost(mode, float(distance_km), int(people))


def night(cells: Cells) -> int:
    """Return what all rooms cost a night, of the price of one, how many people it holds and the people."""
    price, holds, people = cells
    return int(price) * rooms_for_party(int(people), int(holds))


_ALL = (route, named, flight, journey, drive, day_list, seats, car, night)

DERIVATIONS = {f"tripcraft.{f.__name__}": f"{__name__}:{f.__name__}" for f in _ALL}
"""Every derivation that an edge may name."""
