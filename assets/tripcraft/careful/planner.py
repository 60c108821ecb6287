"""Playing one trip: what the request says, what the tools tell, and the best of a few plans over the cheapest routes.

The planner judges its plans by the published rules on what it was told itself; the record, the certificate and the
release's tables are not read. The persona is given beside the request, as published (1.D).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from statistics import fmean
from typing import Any

from assets.core.claims import no_plan_claim
from assets.runs.playing import Access, Played, Playing, Task
from assets.tripcraft.careful.asked import UnreadError, asked_of
from assets.tripcraft.careful.days import CHEAP, NEAR, days_of
from assets.tripcraft.careful.routes import routes
from assets.tripcraft.careful.tool_knowledge import Searches
from assets.tripcraft.facts.itinerary import NIGHTS_PER_CITY
from assets.tripcraft.records import Record
from assets.tripcraft.reference import Reference
from assets.tripcraft.scoring import PlanScore, score_plan
from assets.tripcraft.unsolvable.clashes import Bound, Clash

MOST_CITIES = 8
"""Cities of a state that are looked at: those that are cheapest to reach."""
MOST_ROUTES = 40
ENOUGH = 4
"""Routes planned until so many pass; the best of these is handed in."""
WEIGHED = ("temporal_meal", "temporal_attraction", "spatial")
"""Metrics that a planner can work out: the order of the gold plan is not known to it."""


def play(task: Task, access: Access) -> Playing:
    """Play one task: the request, the searches, then the plan, or which wishes clash."""
    searched = Searches(access)
    try:
        record = asked_of(task["query"], task["record"]["persona"], searched.cities)
    except UnreadError as error:
        return Played("", log=[{"speaker": "planner", "text": "", "calls": searched.calls}], problem=str(error))
    cities, reference = looked_at(searched, record)
    plan, passes = best_plan(reference, record, cities)
    clash = None if passes else why_impossible(searched, record)
    text = no_plan_claim(clash.wishes) if clash else json.dumps(plan, ensure_ascii=False) if plan else ""
    log = [
        {"speaker": "planner", "text": "", "calls": searched.calls},
        {"speaker": "planner", "text": text, "calls": []},
    ]
    return Played(text, log=log, problem="" if text else "no way and no bed was found for the whole trip")
    yield  # a generator that waits for nothing


def looked_at(searched: Searches, record: Record) -> tuple[list[str], Reference]:
    """Return the cities that the trip may visit, and what the tools tell of them and of the ways between them."""
    origin, dates = record["origin_city_id"], record["dates"]
    if record["dest_city_id"]:
        cities = [record["dest_city_id"]]
    else:
        cities = sorted(c for c, state in searched.cities.items() if state == record["dest_region"] and c != origin)
    for city in cities:
        searched.look_between(origin, city, dates[:1])
    if len(cities) > MOST_CITIES:
        cities = _cheapest(searched.reference(""), record, cities)[:MOST_CITIES]
    for city in cities:
        searched.look_at(city, dates if record["constraints"]["event"] else ())
        searched.look_between(city, origin, dates[-1:])
        for other in cities:
            if other != city:
                searched.look_between(city, other, dates[NIGHTS_PER_CITY:-1:NIGHTS_PER_CITY])
    return cities, searched.reference("")


def why_impossible(searched: Searches, record: Record) -> Clash | None:
    """Return which wishes clash, by what all cities that the trip may visit offer at best; None where that is unclear.

    Nights and meals at home count too, so home is looked at.
    """
    searched.look_at(record["origin_city_id"], ())
    reference = searched.reference("")
    open_to_it = [record["dest_city_id"]] if record["dest_city_id"] else reference.cities_in(record["dest_region"], "")
    if any(city not in searched.looked_at for city in open_to_it if city):
        return None
    return Bound(reference).smallest_clash(record)


def best_plan(reference: Reference, record: Record, cities: list[str]) -> tuple[list[dict[str, Any]] | None, bool]:
    """Return the best by its own figures of the first plans that pass, and that it passes; else the first one made."""
    passing: list[tuple[float, int, list[dict[str, Any]]]] = []
    first: list[dict[str, Any]] | None = None
    for number, plans in enumerate(_plans(reference, record, cities)):
        for plan in plans:
            first = first if first is not None else plan
            score = score_plan(record, plan, reference)
            if score.passes_commonsense and score.passes_hard:
                passing.append((-_worth(score), number, plan))
                break
        if len(passing) == ENOUGH:
            break
    return (min(passing, key=lambda one: one[:2])[2], True) if passing else (first, False)


def _plans(reference: Reference, record: Record, cities: list[str]) -> Iterator[Iterator[list[dict[str, Any]]]]:
    """Yield by route, the cheapest first, its plans: near places, then cheap ones, then with meals left out."""
    for route in routes(reference, record, cities)[:MOST_ROUTES]:
        yield (
            days_of(reference, record, route, suits, eats_on_the_way=eats)
            for suits, eats in ((NEAR, True), (CHEAP, True), (CHEAP, False))
        )


def _worth(score: PlanScore) -> float:
    metrics: Mapping[str, float | None] = score.metrics or {}
    return fmean(value for name in WEIGHED if (value := metrics.get(name)) is not None)


def _cheapest(reference: Reference, record: Record, cities: list[str]) -> list[str]:
    """Return the cities in the order of what the first leg costs; those without any way come last."""
    origin, people, date = record["origin_city_id"], record["people"], record["dates"][0]

    def cost(city: str) -> float:
        costs = [float(s.price * people) for s in reference.scheduled_between(origin, city, date)]
        drive = reference.drive(origin, city)
        costs += [reference.car_rates.cost("self_driving", drive.distance_km, people)] if drive else []
        return min(costs, default=float("inf"))

    return sorted(cities, key=lambda city: (cost(city), city))
