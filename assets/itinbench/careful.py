"""The careful planner by rules: it reads the request, asks the tools, and walks short ways; the record is not read.

Of the attractions that the search gives it takes those nearest to the stay, shares them among the days by direction,
and orders each day by the shortest round from the stay.
"""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise, permutations
from typing import Any

from assets.itinbench.words.reading import Reading, read
from assets.runs.playing import Access, Played, Playing, Task

A_DAY = 4
MEALS_A_DAY = 3


@dataclass(frozen=True)
class _Place:
    name: str
    address: str
    lat: float
    lon: float

    @property
    def native(self) -> dict[str, str]:
        return {"name": self.name, "address": self.address}


def play(task: Task, access: Access) -> Playing:
    """Play one task: four searches, then the plan."""
    asked = read(task["query"])
    calls: list[dict[str, Any]] = []
    missing = [name for name in ("days", "price", "orientation", "cuisine") if not getattr(asked, name)]
    if missing:
        return Played("", problem=f"the request says no {', '.join(missing)}")

    def search(tool: str, **arguments: Any) -> list[_Place]:
        given = {"Budget": f"{asked.price[0]} budget", **arguments}
        known = next(one for one in access.tools if one.name == tool).parameters["properties"]
        given |= {"City": task["city_id"]} if "City" in known else {}
        reply = access.call(tool, given)
        calls.append({"name": tool, "arguments": given, "result": reply.result, "has_error": reply.has_error})
        return [] if reply.has_error else _places(reply.result)

    stays = search("AccommodationSearch", Preference=[f"good {wish}" for wish in asked.hotel])
    sights = search("AttractionSearch", Preference=[f"{asked.orientation[0]} oriented"])
    tables = search(
        "RestaurantSearch", Cuisine=asked.cuisine[0], Preference=[f"good {wish}" for wish in asked.restaurant]
    )
    log = [{"speaker": "planner", "text": "", "calls": calls}]
    if not stays:
        return Played("", log=log, problem="no stay meets the request")
    text = json.dumps(_plan(asked, stays, sights, tables), ensure_ascii=False)
    return Played(text, log=[*log, {"speaker": "planner", "text": text, "calls": []}])
    yield  # a generator that waits for nothing


def _plan(asked: Reading, stays: list[_Place], sights: list[_Place], tables: list[_Place]) -> dict[str, Any]:
    days = asked.days[0]

    def far(stay: _Place) -> float:
        return sum(sorted(_km(stay, sight) for sight in sights)[: A_DAY * days])

    stay = min(stays, key=lambda one: (far(one), one.name, one.address))
    near = sorted(sights, key=lambda sight: (_km(stay, sight), sight.name, sight.address))[: A_DAY * days]
    shares = _shared(stay, near, days)
    meals = sorted(tables, key=lambda table: (_km(stay, table), table.name, table.address))
    itinerary = []
    for number, share in enumerate(shares):
        way = _round(stay, share)
        seen = [sight.native for sight in way] + [{"name": "-", "address": "-"}] * (A_DAY - len(way))
        own = [one.native for one in meals[number * MEALS_A_DAY : (number + 1) * MEALS_A_DAY]]
        own += [{"name": "-", "address": "-"}] * (MEALS_A_DAY - len(own))
        itinerary.append(
            {
                "days": str(number + 1), "breakfast": own[0], "morning_attractions": seen[:1], "lunch": own[1],
                "afternoon_attractions": seen[1:3], "dinner": own[2], "night_attractions": seen[3:],
                "accommodation": stay.native,
            }
        )  # fmt: skip
    return {"itinerary": itinerary}


def _shared(stay: _Place, sights: Sequence[_Place], days: int) -> list[list[_Place]]:
    """Return the sights of each day, neighbours in direction together, from the direction that makes it shortest."""
    turned = sorted(sights, key=lambda one: (math.atan2(one.lat - stay.lat, _x(one, stay)), one.name))
    options = []
    for first in range(min(A_DAY, len(turned)) or 1):
        listed = [*turned[first:], *turned[:first]]
        shares = [listed[n * A_DAY : (n + 1) * A_DAY] for n in range(days)]
        options.append((sum(_length(stay, _round(stay, share)) for share in shares), first, shares))
    return _mended(stay, min(options, key=lambda option: option[:2])[2])


def _mended(stay: _Place, shares: list[list[_Place]]) -> list[list[_Place]]:
    """Return the shares after every exchange of two days' sights that shortens both rounds together."""
    is_better = True
    while is_better:
        is_better = False
        for one in range(len(shares)):
            for other in range(one + 1, len(shares)):
                is_better |= _exchanged(stay, shares[one], shares[other])
    return shares


def _exchanged(stay: _Place, one: list[_Place], other: list[_Place]) -> bool:
    """Exchange the first two sights by which the rounds of two days get shorter, and return whether there are such."""
    before = _length(stay, _round(stay, one)) + _length(stay, _round(stay, other))
    for i in range(len(one)):
        for j in range(len(other)):
            one[i], other[j] = other[j], one[i]
            if _length(stay, _round(stay, one)) + _length(stay, _round(stay, other)) < before - 1e-9:
                return True
            one[i], other[j] = other[j], one[i]
    return False


def _round(stay: _Place, sights: Sequence[_Place]) -> list[_Place]:
    """Return the sights in the order of the shortest round from the stay."""
    return list(min(permutations(sights), key=lambda way: _length(stay, way)))


def _length(stay: _Place, way: Sequence[_Place]) -> float:
    return sum(_km(one, other) for one, other in pairwise((stay, *way, stay)))


def _km(one: _Place, other: _Place) -> float:
    """Return the distance on a plane around the two, km: enough to compare ways within a city."""
    return 111.2 * math.hypot(one.lat - other.lat, _x(one, other))


def _x(one: _Place, other: _Place) -> float:
    return (one.lon - other.lon) * math.cos(math.radians(other.lat))


def _places(text: str) -> list[_Place]:
    """Return the places of a search's CSV; none of a sentence."""
    rows = csv.DictReader(io.StringIO(text))
    if not {"name", "address", "latitude", "longitude"} <= set(rows.fieldnames or ()):
        return []
    return [_Place(row["name"], row["address"], float(row["latitude"]), float(row["longitude"])) for row in rows]
