"""Two reference agents by rules: what planners ask of the tools, so that a release can say how often it foresaw them.

Each reads a published task and answers of the tools, and nothing else; neither knows what an export recorded. One asks
by names and looks at much, the other by coordinates and prices. They measure the sandbox, not planning.
"""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise, permutations
from typing import Any

from assets.grouptravel.vocabulary import Language
from assets.grouptravel.wishes.preferences import items_of, read_table

Call = Callable[[str, dict[str, Any]], dict[str, Any]]
"""Calls a tool by name; returns its answer as JSON says it."""

SEARCH_WORDS: Mapping[Language, tuple[str, str, str]] = {
    "en": ("attraction", "restaurant", "hotel"),
    "zh": ("景点", "餐厅", "酒店"),
}
SIGHTS_A_DAY = 2
LOOKED_AT = 6
LONG_WALK_MINUTES = 20


def by_names(task: Mapping[str, Any], days: int, language: Language, call: Call) -> None:
    """Plan as somebody who reads every first page and asks for ways by name."""
    sights_word, food_word, hotel_word = SEARCH_WORDS[language]
    _journeys(task, days, call)
    for city in task["metadata"]["cities"]:
        call("maps_weather", {"location": city, "date": task["time"], "days": min(4, days - 1)})
        call("web_search", {"query": city})
        sights = _listed_pois(call("search_poi", {"keywords": sights_word, "city": city}))
        sights += _listed_pois(call("search_poi", {"keywords": sights_word, "city": city, "page": 2}))
        hotels = _listed_pois(call("search_poi", {"keywords": hotel_word, "city": city}))
        meals = _listed_pois(call("search_poi", {"keywords": food_word, "city": city}))
        names, kinds = _wishes(task, city)
        wished_places = [
            hit for name in names for hit in _listed_pois(call("search_poi", {"keywords": name, "city": city}))[:1]
        ]
        for kind in kinds:
            meals += [
                poi
                for poi in _listed_pois(call("search_poi", {"keywords": kind, "city": city}))
                if poi["type"] == "food"
            ]
        for poi in (*hotels[:3], *wished_places, *sights[:LOOKED_AT], *meals[-LOOKED_AT:]):
            call("get_poi_detail", {"id": poi["id"]})
        stops = distinct([*wished_places, *sights])[: SIGHTS_A_DAY * days]
        for hotel in hotels[:1]:
            for day in range(0, len(stops), SIGHTS_A_DAY):
                day_stops = stops[day : day + SIGHTS_A_DAY]
                near = _listed_pois(
                    call("search_poi", {"keywords": food_word, "city": city, "location": day_stops[-1]["name"]})
                )
                for one, other in pairwise([hotel, *day_stops, *near[:1], hotel]):
                    _way(one["name"], other["name"], city, call)


def by_coordinates(task: Mapping[str, Any], days: int, language: Language, call: Call) -> None:
    """Plan as somebody who thinks in coordinates, distances and prices."""
    sights_word, food_word, hotel_word = SEARCH_WORDS[language]
    _journeys(task, days, call)
    for city in task["metadata"]["cities"]:
        for date in _dates(task, days):
            call("maps_weather", {"location": city, "date": date})
        call("maps_geo", {"address": city})
        beds = _listed_pois(call("search_poi", {"keywords": hotel_word, "city": city, "sort_by": "price_low"}))
        names, kinds = _wishes(task, city)
        stops = []
        for name in names:
            call("maps_geo", {"address": name, "city": city})
            stops += _listed_pois(call("search_poi", {"keywords": name, "city": city}))[:1]
        stops += _listed_pois(call("search_poi", {"keywords": sights_word, "city": city, "page_size": 20}))
        stops = distinct(stops)[: SIGHTS_A_DAY * days]
        for kind in kinds:
            call("search_poi", {"keywords": kind, "city": city})
        for bed in beds[:2]:
            call("get_poi_detail", {"id": bed["id"]})
        at = beds[0]["location"] if beds else None
        for stop in stops:
            call("get_poi_detail", {"id": stop["id"]})
            place = {"keywords": food_word, "city": city, "location": stop["location"], "radius_km": 1}
            near = _listed_pois(call("search_poi", place))
            for meal in near[:1]:
                call("get_poi_detail", {"id": meal["id"]})
                ends = {"origin": stop["location"], "destination": meal["location"]}
                call("plan_route", {**ends, "mode": "walking", "city": city})
            if at:
                call("compare_routes", {"origin": at, "destination": stop["location"], "city": city})


def _journeys(task: Mapping[str, Any], days: int, call: Call) -> None:
    """Ask for what runs on the way out on the first day, home on the last, and between the cities on any."""
    home, cities = task["metadata"]["departure_city"], task["metadata"]["cities"]
    dates = _dates(task, days)
    legs = [(home, cities[0], dates[:1]), (cities[-1], home, dates[-1:])]
    legs += [(one, other, dates[1:-1] or dates) for one, other in pairwise(cities)]
    for origin, destination, on in legs:
        for date in on:
            for tool in ("travel_search_trains", "travel_search_flights"):
                call(tool, {"origin": origin, "destination": destination, "date": date})
    for origin, destination in permutations((home, *cities), 2):
        call("plan_route", {"origin": origin, "destination": destination, "mode": "driving"})


def _way(one: str, other: str, city: str, call: Call) -> None:
    """Ask for the walk, and where that is long for the ride."""
    if one == other:
        return
    ends = {"origin": one, "destination": other}
    routes = call("plan_route", {**ends, "mode": "walking", "city": city}).get("routes", [])
    if not routes or routes[0]["duration_min"] > LONG_WALK_MINUTES:
        call("plan_route", {**ends, "mode": "transit", "city": city})


def _wishes(task: Mapping[str, Any], city: str) -> tuple[list[str], list[str]]:
    """Return the sights that somebody must see in a city, and the food that somebody wants, each once."""
    sights: dict[str, None] = {}
    kinds: dict[str, None] = {}
    for item in _items(task):
        if item.city == city and item.field.sign > 0:
            if item.field.path[-1] == "must_visit":
                sights[item.value] = None
            elif item.field.path[0] == "food":
                kinds[item.value] = None
    return list(sights), list(kinds)


def _items(task: Mapping[str, Any]) -> Iterator[Any]:
    for _, entry in sorted(task["user_preferences"].items()):
        table, _ = read_table(entry)
        yield from (item for item in items_of(table or {}) if item.field.is_list)


def _dates(task: Mapping[str, Any], days: int) -> list[str]:
    first = dt.date.fromisoformat(task["time"])
    return [str(first + dt.timedelta(days=n)) for n in range(days)]


def _listed_pois(answer: Mapping[str, Any]) -> list[dict[str, Any]]:
    return list(answer.get("pois", ()))


def distinct(pois: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the places, each id once."""
    return list({poi["id"]: poi for poi in pois}.values())


AGENTS = {"by_names": by_names, "by_coordinates": by_coordinates}


def share_recorded(
    tasks: list[Mapping[str, Any]],
    language: Language,
    call: Call,
    recorded: Callable[[str, dict[str, Any]], bool],
) -> dict[str, dict[str, float]]:
    """Return for each agent how many calls it made on the tasks, and the share of them that is recorded, by tool.

    A task has `days` beside its published keys. `total` is of all tools; a call made twice counts twice.
    """
    shares_by_agent = {}
    for name, agent in AGENTS.items():
        hits_by_tool: dict[str, list[bool]] = {}

        def counted_call(
            tool: str, arguments: dict[str, Any], hits_by_tool: dict[str, list[bool]] = hits_by_tool
        ) -> dict[str, Any]:
            hits_by_tool.setdefault(tool, []).append(recorded(tool, arguments))
            return call(tool, arguments)

        for task in tasks:
            agent(task, int(task["days"]), language, counted_call)
        shares = {tool: sum(hits) / len(hits) for tool, hits in sorted(hits_by_tool.items())}
        every = [hit for hits in hits_by_tool.values() for hit in hits]
        shares_by_agent[name] = {
            "calls": float(len(every)),
            "total": sum(every) / len(every) if every else math.nan,
            **shares,
        }
    return shares_by_agent
