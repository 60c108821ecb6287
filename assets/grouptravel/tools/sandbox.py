"""The ten tools over a release's tables, under their published names and schemas."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from assets.core.tools import Answer, Tool
from assets.grouptravel.tables import GroupCalendar, GroupCity, GroupClimate, GroupFare, GroupPoi
from assets.grouptravel.tools.declared import DESCRIPTIONS, parameters
from assets.grouptravel.tools.facts import SandboxFacts
from assets.grouptravel.tools.journeys import Journeys
from assets.grouptravel.tools.places import Places
from assets.grouptravel.tools.routes import Roads, Routes
from assets.grouptravel.tools.weather import Weather
from assets.grouptravel.tools.web import Web
from assets.grouptravel.vocabulary import VOCABULARIES
from assets.rows import ReleaseTables
from schemas.spatial import CityDistance, DistanceMatrix


def tools(tables: ReleaseTables) -> list[Tool]:
    """Return the ten tools, in the published order of their schemas, described in the release's language."""
    language = tables.section["language"]
    vocabulary = VOCABULARIES[language]
    facts = SandboxFacts(tables[GroupCity], tables[GroupPoi], vocabulary, tables.section["currency"])
    declared = parameters(language)
    runs = _runs(facts, tables)
    return [Tool(name, DESCRIPTIONS[name][language], declared[name], runs[name], language) for name in declared]


def _runs(facts: SandboxFacts, tables: ReleaseTables) -> dict[str, Callable[[dict[str, Any]], Answer]]:
    places = Places(facts)
    routes = Routes(facts, Roads(tables[DistanceMatrix], tables[CityDistance]), places)
    journeys = Journeys(facts, tables[GroupFare], tables[GroupCalendar])
    return {
        "search_poi": places.search_poi,
        "get_poi_detail": places.get_poi_detail,
        "maps_geo": places.maps_geo,
        "maps_weather": Weather(facts, tables[GroupClimate], tables[GroupCalendar]).maps_weather,
        "plan_route": routes.plan_route,
        "compare_routes": routes.compare_routes,
        "search_along_route": routes.search_along_route,
        "travel_search_flights": journeys.flights,
        "travel_search_trains": journeys.trains,
        "web_search": Web(facts, tables[GroupFare]).web_search,
    }
