"""The limits of a coupled record: the way of a day and the price signs of a trip. Belongs to the scorer."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from pyproj import Geod

from assets.itinbench.checks.ratios import MatchedDay, Pool
from assets.itinbench.tables import Record

WALKING = "walking"
PRICE_SIGNS = "price_signs"

_WGS84 = Geod(ellps="WGS84")


def ways_m(days: list[MatchedDay], pool: Pool) -> list[float | None]:
    """Return the geodesic way of each day from its stay through its visits and back, in metres; None without a stay."""
    lengths_m: list[float | None] = []
    for day in days:
        if not isinstance(day.stay, str):
            lengths_m.append(None)
            continue
        stay = pool.point("stay", day.stay)
        stops = [stay, *(pool.point("attraction", visit) for visit in day.found_visits()), stay]
        lengths_m.append(sum(float(_WGS84.inv(a[1], a[0], b[1], b[0])[2]) for a, b in pairwise(stops)))
    return lengths_m


def price_signs(days: list[MatchedDay], pool: Pool) -> int | None:
    """Return the price signs of all places that the days name, each stay once; None where one is unknown."""
    entries = [("restaurant", entry) for day in days for entry in day.meals]
    entries += [("attraction", entry) for day in days for part in day.visits for entry in part]
    entries += [("stay", entry) for entry in dict.fromkeys(day.stay for day in days)]
    signs = [pool.price_level(kind, entry) for kind, entry in entries]
    return None if None in signs else sum(level for level in signs if level is not None)


def broken_limits(days: list[MatchedDay], record: Record, pool: Pool) -> Iterator[tuple[str, str]]:
    """Yield each limit of the record that the days break, by its rule; what cannot be measured keeps none."""
    most_m, most_signs = record.get("most_walk_m"), record.get("most_signs")
    if most_m is not None:
        for number, way_m in enumerate(ways_m(days, pool), 1):
            if way_m is None or way_m > most_m:
                what = "of no known length" if way_m is None else f"{way_m:.0f} m long"
                yield WALKING, f"the way of day {number} is {what}; the record allows {most_m} m"
    if most_signs is not None:
        signs = price_signs(days, pool)
        if signs is None or signs > most_signs:
            what = "an unknown number of" if signs is None else str(signs)
            yield PRICE_SIGNS, f"the places have {what} price signs; the record allows {most_signs}"
