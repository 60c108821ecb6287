"""The pre-warmed cache: the calls that planners of a release's tasks can be expected to make, with their answers.

For each task: its legs on its days and the weather. For each city, once for all of its tasks: places by type, kind,
wish, page and radius, each listed place one by one, and the ways between sights, meals and hotels, by name and by the
coordinates that the tools print. How often it foresees what agents ask is measured by `agents.py`.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Generator, Iterator, Mapping
from functools import cache
from itertools import pairwise, permutations
from typing import Any

import pandas as pd

from assets.core.tools import Tool
from assets.grouptravel.tools.agents import distinct
from assets.grouptravel.tools.declared import DESCRIPTIONS, MAX_DAYS_AHEAD, MAX_PAGE_SIZE
from assets.grouptravel.tools.sandbox import tools
from assets.grouptravel.wishes.preferences import items_of, read_table
from assets.release.call_cache import CACHE_SUFFIX, arguments_of, cache_key, cache_pieces
from assets.rows import ReleaseTables

FOLDER = "sandbox_cache"

GENERAL = {
    "en": {"attractions": "attraction", "food": "restaurant", "hotels": "hotel"},
    "zh": {"attractions": "景点", "food": "餐厅", "hotels": "酒店"},
}
"""How a planner asks for every place of a type."""

PAGES = (1, 2, 3)
"""Pages of a search for every place of a type."""

NEAR_KM = (1, 2)
"""Radii, besides the tools' own, in which food is searched around a sight; our choice [I]."""

HOTELS, SIGHTS, MEALS = 3, 12, 3
"""First places of a city's lists between which ways are asked, besides those that its tasks name; our choice [I]."""

ROUTES = {"name": ("", "walking", "transit", "driving"), "location": ("walking",)}
"""Modes in which single ways are asked, by how the ends are written; besides, all modes are compared [I]."""

LOOKED_AT = 10
"""Results of a page that are looked at one by one, as many as a page has."""

Call = tuple[str, dict[str, Any]]


def cache_files(tables: ReleaseTables) -> dict[str, Iterator[bytes]]:
    """Return the cache's files by path, each made piece by piece as it is written, in the order of the keys.

    Nothing is asked before the first of them is read.
    """

    @cache
    def tools_and_keys() -> tuple[dict[str, Tool], dict[str, set[str]]]:
        tools_by_name = {tool.name: tool for tool in tools(tables)}
        return tools_by_name, warm_keys(tables.tasks, tools_by_name, tables.section["language"])

    def pieces(name: str) -> Iterator[bytes]:
        tools_by_name, keys = tools_and_keys()
        yield from cache_pieces(_keys_with_answers(tools_by_name[name], sorted(keys[name])))

    return {f"{FOLDER}/{name}{CACHE_SUFFIX}": pieces(name) for name in DESCRIPTIONS}


def warm_keys(task: pd.DataFrame, tools_by_name: Mapping[str, Tool], language: str) -> dict[str, set[str]]:
    """Return the keys of all tasks' calls by tool, each once."""
    keys: dict[str, set[str]] = {name: set() for name in tools_by_name}
    wishes: dict[str, dict[str, list[str]]] = {}
    for record in (row["record"] for row in task.sort_values("task_id").to_dict("records")):
        for name, arguments in _journeys(record, record["days"]):
            keys[name].add(cache_key(arguments))
        for city in record["metadata"]["cities"]:
            for part, part_wishes in _wishes(record, city).items():
                wish_values = wishes.setdefault(city, {}).setdefault(part, [])
                wish_values += [value for value in part_wishes if value not in wish_values]
    for city, city_wishes in wishes.items():
        for name, arguments in _City(city, city_wishes, tools_by_name, GENERAL[language]).calls():
            keys[name].add(cache_key(arguments))
    return keys


def _keys_with_answers(tool: Tool, keys: list[str]) -> Iterator[tuple[str, str]]:
    for key in keys:
        yield key, tool.reply(arguments_of(key)).result


def _journeys(record: Mapping[str, Any], days: int) -> Iterator[Call]:
    """Yield what is asked of the way: what runs on each day between any two of the cities, and the weather."""
    first, metadata = dt.date.fromisoformat(record["time"]), record["metadata"]
    dates = [str(first + dt.timedelta(days=day)) for day in range(days)]
    for origin, dest in permutations(dict.fromkeys((metadata["departure_city"], *metadata["cities"])), 2):
        for date in dates:
            arguments = {"origin": origin, "destination": dest, "date": date}
            yield "travel_search_flights", arguments
            yield "travel_search_trains", arguments
        yield "plan_route", {"origin": origin, "destination": dest, "mode": "driving"}
    for city in metadata["cities"]:
        yield "maps_geo", {"address": city}
        yield "web_search", {"query": city}
        yield "maps_weather", {"location": city, "date": dates[0], "days": min(days - 1, MAX_DAYS_AHEAD)}
        for date in dates:
            yield "maps_weather", {"location": city, "date": date}


class _City:
    """What is asked of one city, once for all tasks that go there."""

    def __init__(
        self, city: str, wishes: dict[str, list[str]], tools_by_name: Mapping[str, Tool], general: Mapping[str, str]
    ):
        self._city, self._wishes, self._search, self._general = city, wishes, tools_by_name["search_poi"], general
        self._pois_by_id: dict[str, dict[str, Any]] = {}

    def calls(self) -> Iterator[Call]:
        """Yield searches by type, kind and wish, each place that they list one by one, and the ways between places."""
        general = self._general
        first: dict[str, list[dict[str, Any]]] = {}
        for kind, keywords in general.items():
            first[kind] = []
            for page in PAGES:
                filters = {} if page == 1 else {"page": page}
                first[kind] += yield from self._searched(keywords, **filters)
            yield from self._searched(keywords, page_size=MAX_PAGE_SIZE)
        beds = yield from self._searched(general["hotels"], sort_by="price_low")
        yield from self._searched(general["food"], sort_by="price_low")
        for keywords in self._wishes["kinds"]:
            yield from self._searched(keywords)
        wished_sights = []
        for name in self._wishes["sights"]:
            wished_sights += (yield from self._searched(name))[:1]
            yield "web_search", {"query": name}
        sights = distinct([*wished_sights, *first["attractions"][:SIGHTS]])
        hotels = distinct([*first["hotels"][:HOTELS], *beds[:HOTELS]])
        meals: dict[str, list[dict[str, Any]]] = {}
        for sight in sights:
            meals[sight["id"]] = []
            for at in (sight["name"], sight["location"]):
                for radius in (None, *NEAR_KM):
                    filters = {"location": at} if radius is None else {"location": at, "radius_km": radius}
                    meals[sight["id"]] += (yield from self._searched(general["food"], **filters))[:1]
                yield from self._searched(general["hotels"], location=at)
        for poi in list(self._pois_by_id.values()):
            yield "get_poi_detail", {"id": poi["id"]}
            yield "maps_geo", {"address": poi["name"], "city": self._city}
        around = {sight["id"]: distinct([*meals[sight["id"]], *first["food"][:MEALS]]) for sight in sights}
        yield from self._ways(hotels, sights, around)

    def _searched(self, keywords: str, **more: Any) -> Generator[Call, None, list[dict[str, Any]]]:
        """Yield a search; return the places that it lists."""
        arguments = {"keywords": keywords, "city": self._city, **more}
        yield "search_poi", arguments
        pois = self._search.answer(arguments).content["pois"]
        self._pois_by_id.update((poi["id"], poi) for poi in pois[: max(LOOKED_AT, more.get("page_size", 0))])
        return pois

    def _ways(
        self, hotels: list[dict[str, Any]], sights: list[dict[str, Any]], meals: dict[str, list[dict[str, Any]]]
    ) -> Iterator[Call]:
        """Yield the ways between hotels and sights, sights and sights, and each sight, its meals and the hotels."""
        pairs = [*permutations(sights, 2)]
        for hotel in hotels:
            pairs += [pair for sight in sights for pair in ((hotel, sight), (sight, hotel))]
        for sight in sights:
            for meal in meals[sight["id"]]:
                pairs += [(sight, meal), (meal, sight)]
                pairs += [pair for hotel in hotels[:1] for pair in ((meal, hotel), (hotel, meal))]
        for one, other in {(a["id"], b["id"]): (a, b) for a, b in pairs if a["id"] != b["id"]}.values():
            for form, modes in ROUTES.items():
                ends = {"origin": one[form], "destination": other[form], "city": self._city}
                yield "compare_routes", ends
                for mode in modes:
                    yield "plan_route", {**ends, "mode": mode} if mode else ends
        for one, other in pairwise(self._wishes["sights"]):
            ends = {"origin": one, "destination": other, "city": self._city}
            yield "search_along_route", {**ends, "keywords": self._general["food"], "mode": "walking"}
        for hotel in hotels[:1]:
            for sight in sights:
                ends = {"origin": hotel["name"], "destination": sight["name"], "city": self._city}
                yield "search_along_route", {**ends, "keywords": self._general["food"], "mode": "walking"}


def _wishes(record: Mapping[str, Any], city: str) -> dict[str, list[str]]:
    """Return what any member says of the city: wanted or refused sights, and kinds of sights, food and hotels."""
    sights: dict[str, None] = {}
    kinds: dict[str, None] = {}
    for _, entry in sorted(record["user_preferences"].items()):
        table, _ = read_table(entry)
        for item in items_of(table or {}):
            if not item.field.is_list or item.city not in ("", city) or item.field.path[0] == "transport":
                continue
            (sights if item.field.path[-1].endswith("_visit") else kinds)[item.value] = None
    return {"sights": list(sights), "kinds": list(kinds)}
