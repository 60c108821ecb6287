"""The careful planner by rules: it reads the request, asks the tools, and walks short ways; the record is not read.

Of the attractions that the search gives it takes those nearest to the stay, shares them among the days by direction,
and orders each day by the shortest round from the stay. Where the request sets limits, `careful_limits` chooses.
"""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, permutations
from typing import Any

from assets.core.claims import Wish, no_plan_claim
from assets.itinbench.careful_limits import Limits, Ways
from assets.itinbench.tables import CUISINES, PRICES
from assets.itinbench.unsolvable.claims import FIELDS, about
from assets.itinbench.words.reading import Reading, read_request
from assets.runs.playing import Access, Played, Playing, Task
from schemas.reviews import ATTRACTION_ORIENTATIONS

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
    """Play one task: searches, then the plan; or, where too few places fit, which wishes clash."""
    reading = read_request(task["query"])
    calls: list[dict[str, Any]] = []
    missing = [name for name in ("days", "price", "orientation", "cuisine") if not getattr(reading, name)]
    if missing:
        return Played("", problem=f"the request says no {', '.join(missing)}")

    searches = _Searches(task, access, calls)
    wishes = _wishes(reading)
    candidates = {kind: searches.meeting(kind, wishes) for kind in NEEDED}
    lacking = [kind for kind, needed in NEEDED.items() if len(candidates[kind]) < (needed * reading.days[0] or 1)]
    log = [{"speaker": "planner", "text": "", "calls": calls}]
    if lacking:
        text = no_plan_claim(_clash(searches, lacking[0], wishes, reading.days[0]))
    else:
        signs = searches.signs(candidates, wishes) if reading.most_signs else {}
        text = json.dumps(_plan(reading, candidates, signs), ensure_ascii=False)
    return Played(text, log=[*log, {"speaker": "planner", "text": text, "calls": []}])
    yield  # a generator that waits for nothing


NEEDED = {"stay": 0, "attraction": 4, "restaurant": 3}
"""Places of each kind that a day needs; the stay is one for the trip."""


class _Searches:
    """The tools of one session, asked for places that meet some of a request's wishes, each question once."""

    def __init__(self, task: Task, access: Access, calls: list[dict[str, Any]]) -> None:
        self._task, self._access, self._calls = task, access, calls
        self._places_by_search: dict[str, list[_Place]] = {}

    def meeting(self, kind: str, wishes: Sequence[Wish]) -> list[_Place]:
        """Return the places of a kind that meet the wishes about it; of what is left out, every value is asked for."""
        values_by_field = {name: [value for one, value in wishes if one == name] for name in FIELDS}
        preferences = {
            "stay": [f"good {value}" for value in values_by_field["hotel"]],
            "restaurant": [f"good {value}" for value in values_by_field["restaurant"]],
        }
        oriented = values_by_field["orientation"] or list(ATTRACTION_ORIENTATIONS)
        tool_calls: list[tuple[str, dict[str, Any]]] = []
        for price in values_by_field["price"] or list(PRICES):
            budget = {"Budget": f"{price} budget"}
            if kind == "stay":
                tool_calls.append(("AccommodationSearch", {**budget, "Preference": preferences[kind]}))
            elif kind == "attraction":
                tool_calls += [("AttractionSearch", {**budget, "Preference": [f"{o} oriented"]}) for o in oriented]
            else:
                served = values_by_field["cuisine"] or list(CUISINES)
                filters = {**budget, "Preference": preferences[kind]}
                tool_calls += [("RestaurantSearch", {**filters, "Cuisine": cuisine}) for cuisine in served]
        places = (place for tool, arguments in tool_calls for place in self._search(tool, arguments))
        return list(dict.fromkeys(places))

    def signs(self, candidates: Mapping[str, Sequence[_Place]], wishes: Sequence[Wish]) -> dict[_Place, int]:
        """Return the price signs of places, which no row tells: by which of the three budgets each is found."""
        signs_by_place: dict[_Place, int] = {}
        for kind, places in candidates.items():
            places_by_price = {
                price: set(self.meeting(kind, [("price", price), *(wish for wish in wishes if wish[0] != "price")]))
                for price in PRICES
            }
            for place in places:
                levels_in_budget = [levels for price, levels in PRICES.items() if place in places_by_price[price]]
                barred = [levels for price, levels in PRICES.items() if place not in places_by_price[price]]
                fits = set.intersection(*map(set, levels_in_budget)) - {level for levels in barred for level in levels}
                signs_by_place[place] = max(signs_by_place.get(place, 0), *fits)
        return signs_by_place

    def _search(self, tool: str, arguments: dict[str, Any]) -> list[_Place]:
        key = json.dumps([tool, arguments], sort_keys=True)
        if key not in self._places_by_search:
            properties = next(one for one in self._access.tools if one.name == tool).parameters["properties"]
            call_arguments = {**arguments, **({"City": self._task["city_id"]} if "City" in properties else {})}
            reply = self._access.call(tool, call_arguments)
            self._calls.append(
                {"name": tool, "arguments": call_arguments, "result": reply.result, "has_error": reply.has_error}
            )
            self._places_by_search[key] = [] if reply.has_error else _places(reply.result)
        return self._places_by_search[key]


def _wishes(reading: Reading) -> list[Wish]:
    return [
        ("price", reading.price[0]), ("orientation", reading.orientation[0]), ("cuisine", reading.cuisine[0]),
        *(("restaurant", value) for value in reading.restaurant), *(("hotel", value) for value in reading.hotel),
    ]  # fmt: skip


def _clash(searches: _Searches, kind: str, wishes: Sequence[Wish], days: int) -> tuple[Wish, ...]:
    """Return wishes that no plan meets, each needed: one after the other is left out where too few places still fit."""
    clashing_wishes = [wish for wish in wishes if about(wish, kind)]
    for wish in list(clashing_wishes):
        fewer = [other for other in clashing_wishes if other != wish]
        if len(searches.meeting(kind, fewer)) < (NEEDED[kind] * days or 1):
            clashing_wishes = fewer
    return tuple(clashing_wishes)


def _plan(reading: Reading, candidates: Mapping[str, Sequence[_Place]], signs: Mapping[_Place, int]) -> dict[str, Any]:
    days = reading.days[0]
    stays, sights, tables = candidates["stay"], candidates["attraction"], candidates["restaurant"]

    def far(stay: _Place) -> float:
        return sum(sorted(_km(stay, sight) for sight in sights)[: A_DAY * days])

    ranked = sorted(stays, key=lambda one: (far(one), one.name, one.address))
    worth = {place: signs.get(place, 0) for places in candidates.values() for place in places}
    cheap = sorted(worth[table] for table in tables)[: MEALS_A_DAY * days]
    limits = Limits.of(reading.most_walk_m, [most - sum(cheap) for most in reading.most_signs])
    choice = Ways(worth, _round, _length, _day_shares).choice(ranked, sights, days, A_DAY, limits)
    stay: _Place = choice.stay
    meals = sorted(tables, key=lambda table: (worth[table], _km(stay, table), table.name, table.address))
    itinerary = []
    for number, way in enumerate(choice.days):
        visits = [sight.native for sight in way] + [{"name": "-", "address": "-"}] * (A_DAY - len(way))
        day_meals = [one.native for one in meals[number * MEALS_A_DAY : (number + 1) * MEALS_A_DAY]]
        day_meals += [{"name": "-", "address": "-"}] * (MEALS_A_DAY - len(day_meals))
        itinerary.append(
            {
                "days": str(number + 1), "breakfast": day_meals[0], "morning_attractions": visits[:1],
                "lunch": day_meals[1], "afternoon_attractions": visits[1:3], "dinner": day_meals[2],
                "night_attractions": visits[3:], "accommodation": stay.native,
            }
        )  # fmt: skip
    return {"itinerary": itinerary}


def _day_shares(stay: _Place, sights: Sequence[_Place], days: int) -> list[list[_Place]]:
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
                is_better |= _exchange_two_sights(stay, shares[one], shares[other])
    return shares


def _exchange_two_sights(stay: _Place, one: list[_Place], other: list[_Place]) -> bool:
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
    return math.remainder(one.lon - other.lon, 360.0) * math.cos(math.radians(other.lat))  # the shorter way round


def _places(text: str) -> list[_Place]:
    """Return the places of a search's CSV; none of a sentence."""
    rows = csv.DictReader(io.StringIO(text))
    if not {"name", "address", "latitude", "longitude"} <= set(rows.fieldnames or ()):
        return []
    return [_Place(row["name"], row["address"], float(row["latitude"]), float(row["longitude"])) for row in rows]
