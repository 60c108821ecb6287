"""A greedy planner's plans for groups: the majority decides each thing by itself. Never imports the solver.

It reads every member's table as if all had been told to it, keeps the group together, and goes through the trip in
order: each leg by the service, each city in the hotel, each slot at the place that is open and worth most to all
members together, of equals the cheapest. It weighs no budget and never goes back.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from assets.grouptravel.asked import request_of
from assets.grouptravel.checks.utility import attraction_points, food_points, hotel_votes, transport_votes
from assets.grouptravel.conditions import LATEST_ARRIVAL, least_stay_min
from assets.grouptravel.facts.fares import Fares, Service
from assets.grouptravel.facts.of_release import fares_of, pois_of
from assets.grouptravel.facts.opening import is_open
from assets.grouptravel.facts.poi import Poi
from assets.grouptravel.facts.pois import Pois
from assets.grouptravel.facts.trips import SLOTS, TRANSFER_MINUTES, Best, Choice, Trip, stays_of
from assets.grouptravel.vocabulary import Vocabulary
from assets.grouptravel.wishes.preferences import CITIES, GLOBAL, STRONG, Table
from assets.grouptravel.witness.as_plan import CHECK_IN, native_plan
from assets.rows import ReleaseTables
from schemas.pointers import values

NOTHING = "(?!)"
"""Found in no text."""

MOVE_MIN = 30
MOVE = ("taxi", MOVE_MIN)
"""Everything is half an hour away: on foot where that is enough, else by taxi."""


def plans(tables: ReleaseTables) -> list[dict[str, Any]]:
    """Return a plan for each task that has one, {task_id, plan}: there is none without services or a hotel."""
    pois, fares = pois_of(tables), fares_of(tables)
    plan_rows = []
    for row in tables.tasks.sort_values("task_id").to_dict("records"):
        trip, vocabulary = trip_and_words(row["record"])
        best = _greedy_plan(trip, pois, fares, vocabulary)
        if best is not None:
            plan_rows.append({"task_id": row["task_id"], "plan": native_plan(trip, best, vocabulary)})
    return plan_rows


def trip_and_words(record: dict[str, Any]) -> tuple[Trip, Vocabulary]:
    """Return the trip that a published record asks for: its cities in the order named, its days spread over them."""
    request = request_of(record)
    if request.days is None:
        raise ValueError(f"{record['task_id']}: found no length of the trip in {record['metadata']['date']!r:.60}")
    n = len(request.cities)
    legs = tuple(round(k * (request.days - 1) / n) for k in range(n + 1))
    tables = {user: entry["preference"] for user, entry in record["user_preferences"].items()}
    return Trip(request.route, legs, request.first_date, tables, request.children), request.vocabulary


def _greedy_plan(trip: Trip, pois: Pois, fares: Fares, vocabulary: Vocabulary) -> Best | None:
    """Return legs, hotels and filled slots; None where a leg has no service or a city no hotel."""
    legs = [_service(trip, k, fares, vocabulary) for k in range(len(trip.leg_days))]
    hotels = {city: _hotel(trip, city, pois) for city in trip.route[1:-1]}
    ridden, beds = [leg for leg in legs if leg], {city: bed for city, bed in hotels.items() if bed}
    if len(ridden) < len(legs) or len(beds) < len(hotels):
        return None
    nights = tuple(
        beds[city] for k, city in enumerate(trip.route[1:-1]) for _ in range(trip.leg_days[k + 1] - trip.leg_days[k])
    )
    visits = [*_visits(trip, ridden, pois, vocabulary)]
    choices = on_foot([*visits, *to_bed(trip, ridden, nights, visits)], nights, pois)
    return Best(tuple(ridden), trip.leg_days, nights, tuple(choices), total=0)


def on_foot(choices: list[Choice], nights: tuple[Poi, ...], pois: Pois) -> Iterable[Choice]:
    """Yield the choices in order, each move on foot where its time is enough for that and one knows from where."""
    ends: dict[tuple[int, str], Poi] = {}
    for choice in sorted(choices, key=lambda choice: (choice.day, choice.start, choice.end)):
        slept = nights[choice.day - 1] if choice.day else None
        at = ends.get((choice.day, choice.city), slept if slept and slept in pois.in_city(choice.city) else None)
        ends[choice.day, choice.city] = choice.poi
        mode, minutes = choice.come
        if (
            at is not None
            and pois.ways.runs("walk", at, choice.poi)
            and pois.ways.minutes("walk", at, choice.poi) <= minutes
        ):
            mode = "walk"
        yield replace(choice, come=(mode, minutes))


def to_bed(trip: Trip, legs: list[Service], nights: tuple[Poi, ...], visits: list[Choice]) -> Iterable[Choice]:
    """Yield the way to each night's bed, in the evening or after a late arrival."""
    for day, bed in enumerate(nights):
        k = max(k for k in range(len(trip.leg_days)) if trip.leg_days[k] <= day)
        city_visits = [visit for visit in visits if visit.day == day and visit.city == trip.route[k + 1]]
        if city_visits or trip.leg_days[k] == day:
            last_end = max([legs[k].arrives if trip.leg_days[k] == day else 0, *(visit.end for visit in city_visits)])
            arrives = max(CHECK_IN, last_end + MOVE_MIN)
            yield Choice(day, arrives, arrives, trip.route[k + 1], bed, MOVE)


def _service(trip: Trip, k: int, fares: Fares, vocabulary: Vocabulary) -> Service | None:
    """Return the leg's service that lands by the evening and that the members like best.

    Of equals it is the one that leaves most of the day there: the first to arrive, on the way home the last to leave.
    """
    date = trip.first_date + dt.timedelta(days=trip.leg_days[k])
    running = [
        service
        for service in fares.services(trip.route[k], trip.route[k + 1], date=date)
        if service.price > 0 and not service.arrives_next_day and service.arrives <= LATEST_ARRIVAL
    ]

    def votes(service: Service) -> int:
        return transport_votes(vocabulary.modes[service.mode], trip.tables.values())

    is_home = k == len(trip.leg_days) - 1
    return min(running, key=lambda s: (-votes(s), -s.departs if is_home else s.arrives, s.price), default=None)


def _hotel(trip: Trip, city: str, pois: Pois) -> Poi | None:
    def votes(poi: Poi) -> int:
        return hotel_votes(poi.category, trip.tables.values())

    return min(pois.distinct(city, "hotels"), key=lambda p: (-votes(p), p.cost or 0.0, p.place_id), default=None)


def _visits(trip: Trip, legs: list[Service], pois: Pois, vocabulary: Vocabulary) -> Iterable[Choice]:
    """Yield the filled slots in order: a meal in each, a sight where one is wanted and the members' cap allows it."""
    lists = {
        (city, kind): _liked(trip, city, kind, pois, vocabulary)
        for city in trip.route[1:-1]
        for kind in ("attractions", "food")
    }
    caps = [cap for table in trip.tables.values() if (cap := table[GLOBAL]["intensity"]["max_poi_per_day"]) > 0]
    most_sights = min(caps) if caps else len(SLOTS)
    sights = dict.fromkeys(range(trip.days), 0)
    used: set[str] = set()
    for day, slot, city in sorted(stays_of(trip)):
        kind, start, end = SLOTS[slot]
        if not _is_there(trip, legs, day, city, start, end) or (kind == "attractions" and sights[day] >= most_sights):
            continue
        date = trip.first_date + dt.timedelta(days=day)
        fit = (
            p
            for p in lists[city, kind]
            if p.place_id not in used
            and is_open(p.hours, date, start, end) is not False
            and least_stay_min(kind, p.category) <= end - start
        )
        poi = next(fit, None)
        if poi is not None:
            used.add(poi.place_id)
            sights[day] += kind == "attractions"
            yield Choice(day, start, end, city, poi, MOVE)


def _liked(trip: Trip, city: str, kind: str, pois: Pois, vocabulary: Vocabulary) -> list[Poi]:
    """Return the city's places, most wanted first; no sight that is worth nothing, nor what is no place for a child."""
    tables = [table[CITIES][city][kind] for table in trip.tables.values() if city in table[CITIES]]
    points = food_points if kind == "food" else sight_points
    barred = vocabulary.adult_only if trip.children else ()
    items = sorted({item for _, item in values(tables, "") if isinstance(item, str)})
    item_pattern = re.compile("|".join(map(re.escape, items)) or NOTHING)
    by_kind: dict[str, int] = {}

    def votes(poi: Poi) -> int:
        """Return the points of a place; without a wished item in its name its kind alone decides."""
        if item_pattern.search(poi.name):
            return sum(points(poi.name, poi.category, wishes) for wishes in tables)
        if poi.category not in by_kind:
            by_kind[poi.category] = sum(points("", poi.category, wishes) for wishes in tables)
        return by_kind[poi.category]

    voted = [(votes(poi), poi) for poi in pois.distinct(city, kind) if poi.category not in barred]
    candidates = [(vote, poi) for vote, poi in voted if kind == "food" or vote > 0]
    return [poi for _, poi in sorted(candidates, key=lambda one: (-one[0], one[1].cost or 0.0, one[1].place_id))]


def sight_points(name: str, category: str, wishes: Table) -> int:
    """Return what a sight is worth to one member, must and reject by its name before its kind."""
    for tier, points in (("must_visit", STRONG), ("reject_visit", -STRONG)):
        if any(map(name.__contains__, wishes[tier])):
            return points
    return attraction_points(name, category, wishes)


def _is_there(trip: Trip, legs: list[Service], day: int, city: str, start: int, end: int) -> bool:
    """Return whether the group is in the city for the slot, with an hour to come and to leave."""
    k = trip.route.index(city, 1) - 1
    has_come = trip.leg_days[k] < day or legs[k].arrives + TRANSFER_MINUTES <= start
    return has_come and (day < trip.leg_days[k + 1] or end + TRANSFER_MINUTES <= legs[k + 1].departs)
