"""The pre-warmed cache: the calls that planners of a release's tasks can be expected to make, with their answers.

For each task: its legs on its days, the weather, its cities' places by kind and by wish, these places one by one, and
the ways between what its members want to see. The published cache has about 390 calls a task.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping
from itertools import combinations, permutations
from typing import Any

import pandas as pd

from assets.core.tools import Tool
from assets.family import ReleaseTables
from assets.grouptravel.tools.declared import MAX_DAYS_AHEAD
from assets.grouptravel.tools.sandbox import tools
from assets.grouptravel.wishes.preferences import items_of, read_table
from assets.release.call_cache import CACHE_SUFFIX, arguments_of, cache_key, cache_pieces

FOLDER = "sandbox_cache"

GENERAL = {
    "en": {"attractions": "attraction", "food": "restaurant", "hotels": "hotel"},
    "zh": {"attractions": "景点", "food": "餐厅", "hotels": "酒店"},
}
"""How a planner asks for every place of a type."""

LOOKED_AT = 5
"""Results of a search that are looked at one by one; our choice [I]."""

MOST_WISHES = 4
"""Wanted places of a city between which ways are asked; our choice [I]."""

Call = tuple[str, dict[str, Any]]


def cache_files(tables: ReleaseTables) -> dict[str, Iterator[bytes]]:
    """Return the cache's files by path, each made piece by piece as it is written, in the order of the keys."""
    known = {tool.name: tool for tool in tools(tables)}
    keys = warm_keys(tables.tasks, known, tables.section["language"])
    return {
        f"{FOLDER}/{name}{CACHE_SUFFIX}": cache_pieces(_answered(tool, sorted(keys[name])))
        for name, tool in known.items()
    }


def warm_keys(task: pd.DataFrame, known: Mapping[str, Tool], language: str) -> dict[str, set[str]]:
    """Return the keys of all tasks' calls by tool, each once."""
    keys: dict[str, set[str]] = {name: set() for name in known}
    looked: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for row in task.to_dict("records"):
        for name, arguments in _calls(row["record"], row["record"]["days"], known, looked, language):
            keys[name].add(cache_key(arguments))
    return keys


def _answered(tool: Tool, keys: list[str]) -> Iterator[tuple[str, str]]:
    for key in keys:
        yield key, tool.reply(arguments_of(key)).result


def _calls(
    record: Mapping[str, Any],
    days: int,
    known: Mapping[str, Tool],
    looked: dict[tuple[str, str], list[dict[str, Any]]],
    language: str,
) -> Iterator[Call]:
    first, metadata = dt.date.fromisoformat(record["time"]), record["metadata"]
    dates = [str(first + dt.timedelta(days=day)) for day in range(days)]
    for origin, dest in permutations(dict.fromkeys((metadata["departure_city"], *metadata["cities"])), 2):
        for date in dates:
            asked = {"origin": origin, "destination": dest, "date": date}
            yield "travel_search_flights", asked
            yield "travel_search_trains", asked
        yield "plan_route", {"origin": origin, "destination": dest, "mode": "driving"}
    for city in metadata["cities"]:
        yield "maps_geo", {"address": city}
        yield "web_search", {"query": city}
        yield "maps_weather", {"location": city, "date": dates[0], "days": min(days - 1, MAX_DAYS_AHEAD)}
        for date in dates:
            yield "maps_weather", {"location": city, "date": date}
        yield from _city_calls(city, _wishes(record, city), known, looked, GENERAL[language])


def _city_calls(
    city: str,
    wishes: dict[str, list[str]],
    known: Mapping[str, Tool],
    looked: dict[tuple[str, str], list[dict[str, Any]]],
    general: Mapping[str, str],
) -> Iterator[Call]:
    """Yield searches by kind and wish, each found or wanted place one by one, and the ways between the wanted ones."""
    for keywords in dict.fromkeys([*general.values(), *wishes["kinds"], *wishes["sights"]]):
        asked = {"keywords": keywords, "city": city}
        yield "search_poi", asked
        if (city, keywords) not in looked:
            looked[city, keywords] = known["search_poi"].answer(asked).content["pois"][:LOOKED_AT]
        for poi in looked[city, keywords]:
            yield "get_poi_detail", {"id": poi["id"]}
            yield "maps_geo", {"address": poi["name"], "city": city}
    for sight in wishes["sights"]:
        yield "web_search", {"query": sight}
        for kind in (general["food"], general["hotels"]):
            yield "search_poi", {"keywords": kind, "city": city, "location": sight}
    hotels = [poi["name"] for poi in looked[city, general["hotels"]]][:1]
    stops = list(dict.fromkeys([*hotels, *wishes["sights"][:MOST_WISHES]]))
    for one, other in permutations(stops, 2):
        yield "plan_route", {"origin": one, "destination": other, "city": city}
        yield "plan_route", {"origin": one, "destination": other, "mode": "walking", "city": city}
    for one, other in combinations(stops, 2):
        yield "compare_routes", {"origin": one, "destination": other, "city": city}
        yield "search_along_route", {
            "origin": one, "destination": other, "keywords": general["food"], "mode": "walking", "city": city
        }  # fmt: skip


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
