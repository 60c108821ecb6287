"""How a plan's texts are made of cells: named pure functions, which the core runs again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from assets.tripcraft.entities import CarRates
from assets.tripcraft.flights import minutes
from assets.tripcraft.names import plan_city, plan_text
from assets.tripcraft.plan import drive_text, flight_text, item_text, name_city, route_text

Cells = Sequence[Any]


def city(cells: Cells) -> str:
    """Return a city's plan name of the parts that tell it from its namesakes."""
    return plan_city(cells)


def route(cells: Cells) -> str:
    """Return `from A to B` of the parts of two cities' names, as many of each."""
    half = len(cells) // 2
    return route_text(plan_city(cells[:half]), plan_city(cells[half:]))


def named(cells: Cells) -> str:
    """Return `Name, City` of a place's name and the parts of its city's."""
    return name_city(plan_text(cells[0]), plan_city(cells[1:]))


def listed(cells: Cells) -> str:
    """Return several `Name, City` of a number of parts a city, then name and parts for each."""
    step = int(cells[0]) + 1
    return "; ".join(named(cells[at : at + step]) for at in range(1, len(cells), step))


def flight(cells: Cells) -> str:
    """Return a flight's transport text of its number, times, day offset, and the parts of both cities' names."""
    number, dep, arr, offset, *parts = cells
    half = len(parts) // 2
    origin, dest = plan_city(parts[:half]), plan_city(parts[half:])
    return flight_text(number, origin, dest, minutes(dep), minutes(arr) + 1440 * int(offset))


def drive(cells: Cells) -> str:
    """Return a drive's transport text of its mode, the way, the rates of cars, the people and both cities' names."""
    mode, duration_min, distance_km, own_km, own_seats, taxi_km, taxi_seats, people, *parts = cells
    rates = CarRates(float(own_km), int(own_seats), float(taxi_km), int(taxi_seats))
    half = len(parts) // 2
    origin, dest = plan_city(parts[:half]), plan_city(parts[half:])
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


DERIVATIONS = {
    f"tripcraft.{function.__name__}": f"{__name__}:{function.__name__}"
    for function in (city, route, named, listed, flight, drive, day_list)
}
"""Every derivation that an edge may name."""
