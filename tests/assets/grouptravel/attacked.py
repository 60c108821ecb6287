"""A plan in the making, as an attacker changes it, and as it is written in the native format.

It knows a plan's format, and nothing of how bounds are made.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from assets.grouptravel.checks.day_conditions import CAPS, MEALS, MOVES, STAYS, caps
from assets.grouptravel.checks.trip_conditions import PLACES
from assets.grouptravel.checks.utility import food_points, group_utility
from assets.grouptravel.checks.validity import CHECKS, CONDITIONS
from assets.grouptravel.checks.validity_facts import Case, Facts
from assets.grouptravel.facts.fares import Fares
from assets.grouptravel.facts.poi import Poi
from assets.grouptravel.facts.pois import Pois
from assets.grouptravel.facts.trips import Trip
from assets.grouptravel.facts.ways import Ways
from assets.grouptravel.plan import read_plan
from assets.grouptravel.variants import OURS
from assets.grouptravel.vocabulary import EN, Vocabulary
from assets.grouptravel.wishes.preferences import CITIES
from schemas.clock import clock_face

Scorer = Callable[[dict[str, Any]], int | None]
"""What a plan is worth; None for one that is not accepted."""

REFUSE_MOST = ("timeline", MEALS, STAYS, MOVES, "opening_hours", PLACES)
"""Checks by which most of what an attacker makes up is refused."""

START = "station"


@dataclass
class Visited:
    """One visit of a team: where, when, how long, and how long the move to it takes by which mode."""

    poi: Poi
    start: int
    stay: int
    move: int
    mode: str


@dataclass
class Draft:
    """A plan in the making: the service of each leg and its day, each night's bed, each day's teams and visits."""

    legs: list[Any]
    leg_days: tuple[int, ...]
    beds: list[Poi]
    teams: list[list[tuple[str, ...]]]
    visits: list[list[list[Visited]]]
    extra: dict[str, int] = field(default_factory=dict)
    """Tricks played: a hotel on the last day, a price less, a day more."""


@dataclass(frozen=True)
class Ground:
    """What plans of a task are made of; `everybody` are the users and the children."""

    trip: Trip
    pois: Pois
    fares: Fares
    vocabulary: Vocabulary
    everybody: tuple[str, ...]

    def liked(self) -> dict[str, list[Poi]]:
        """Return, by city, the places that somebody likes, the most liked first, and as many at random."""
        found = {}
        for city in self.trip.route[1:-1]:
            places = [*self.pois.distinct(city, "attractions"), *self.pois.distinct(city, "food")]
            tables = [t[CITIES][city] for t in self.trip.tables.values() if city in t[CITIES]]
            found[city] = sorted(places, key=lambda poi: (-_guess(poi, tables), poi.place_id))[:80]
        return found


def draft_of(plan: Mapping[str, Any], ground: Ground) -> Draft:
    """Return a plan that stays together as a draft, to begin from."""
    draft = empty(ground, random.Random(0))
    legs, beds, at = [], [], 0
    for day, entry in enumerate(plan["days"]):
        come: tuple[int, str] = (5, "taxi")
        draft.visits[day] = [[]]
        draft.teams[day] = [("All",)]
        for segment in entry["city_segments"]:
            if segment.get("type") == "intercity_transport":
                date = ground.trip.first_date.fromordinal(ground.trip.first_date.toordinal() + day)
                running = ground.fares.services(segment["from_city"], segment["to_city"], date=date)
                legs.append((day, next(s for s in running if clock_face(s.departs) == segment["start_time"]
                                       and ground.vocabulary.modes[s.mode] == segment["transport_mode"])))  # fmt: skip
                continue
            for act in segment["activities"]:
                if act["type"] == "intracity_transport":
                    come = (_minute(act["end_time"]) - _minute(act["start_time"]), act["transport_mode"])
                    continue
                poi = ground.pois.meant(act["location"], segment["city"])
                assert poi is not None
                if act["type"] == "hotel":
                    beds.append(poi)
                else:
                    at = _minute(act["start_time"])
                    draft.visits[day][0].append(Visited(poi, at, _minute(act["end_time"]) - at, *come))
    draft.legs, draft.leg_days, draft.beds = [leg for _, leg in legs], tuple(day for day, _ in legs), beds
    return draft


def _minute(text: str) -> int:
    return int(text[:2]) * 60 + int(text[3:])


def _guess(poi: Poi, tables: list[dict[str, Any]]) -> int:
    """Return about what a place is worth to all."""
    if poi.poi_type == "food":
        return sum(food_points(poi.name, poi.category, table["food"]) for table in tables)
    total = 0
    for table in tables:
        wanted = table["attractions"]
        total += 2 * (poi.name in wanted["must_visit"]) - 2 * (poi.name in wanted["reject_visit"])
        total += poi.category in wanted["category_pref"]["positive"]
        total -= poi.category in wanted["category_pref"]["negative"]
    return total


def empty(ground: Ground, draws: random.Random) -> Draft:
    trip = ground.trip
    legs = [draws.choice(services(ground, k, trip.leg_days[k])) for k in range(len(trip.leg_days))]
    beds = [draws.choice(ground.pois.distinct(sleeps_in(trip.leg_days, trip, day), "hotels"))
            for day in range(trip.days - 1)]  # fmt: skip
    return Draft(legs, trip.leg_days, beds, [[("All",)] for _ in range(trip.days)], [[[]] for _ in range(trip.days)])


def services(ground: Ground, k: int, day: int) -> list[Any]:
    trip = ground.trip
    date = trip.first_date.fromordinal(trip.first_date.toordinal() + day)
    return ground.fares.services(trip.route[k], trip.route[k + 1], date=date) or ground.fares.services(
        trip.route[k], trip.route[k + 1]
    )


def sleeps_in(leg_days: tuple[int, ...], trip: Trip, day: int) -> str:
    return trip.route[max(k for k in range(len(leg_days)) if leg_days[k] <= day) + 1]


def written(draft: Draft, ground: Ground) -> dict[str, Any]:
    """Return the draft in the native format, whatever is wrong with it."""
    trip, days = ground.trip, []
    for day in range(trip.days):
        segments: list[dict[str, Any]] = []
        at: str | None = draft.beds[day - 1].name if day else None
        for k, city in enumerate(trip.route[1:]):
            if draft.leg_days[k] == day:
                segments.append(_leg(draft, ground, k))
                at = None
            if k + 1 < len(draft.leg_days) and draft.leg_days[k] <= day <= draft.leg_days[k + 1]:
                acts = _acts(draft, ground, day, k, city, at)
                if acts:
                    segments.append({"city": city, "activities": acts})
        date = trip.first_date.fromordinal(trip.first_date.toordinal() + day)
        days.append({"day": day + 1, "date": str(date), "city_segments": segments})
    if "day_more" in draft.extra:
        last = copy.deepcopy(days[-1])
        days.append({**last, "day": len(days) + 1, "date": ""})
    return {"days": days}


def _leg(draft: Draft, ground: Ground, k: int) -> dict[str, Any]:
    service = draft.legs[k]
    return {
        "type": "intercity_transport", "from_city": ground.trip.route[k], "to_city": ground.trip.route[k + 1],
        "transport_mode": ground.vocabulary.modes[service.mode], "start_time": clock_face(service.departs),
        "end_time": clock_face(service.arrives), "avg_cost": service.price - ("price_less" in draft.extra),
    }  # fmt: skip


def _acts(draft: Draft, ground: Ground, day: int, k: int, city: str, at: str | None) -> list[dict[str, Any]]:
    acts: list[dict[str, Any]] = []
    sleeps = day < draft.leg_days[k + 1] or "last_hotel" in draft.extra
    bed = draft.beds[min(day, len(draft.beds) - 1)] if sleeps and draft.beds else None
    latest = draft.legs[k].arrives if draft.leg_days[k] == day else 0
    ends = []
    for team, visits in zip(draft.teams[day], draft.visits[day], strict=True):
        here, who, last = at or START, list(team), latest
        for visit in visits:
            if ground.pois.meant(visit.poi.name, city) is not visit.poi:
                continue
            acts.append(_move(visit.start - visit.move, visit.start, visit.mode, here, visit.poi.name, who))
            kind = "food" if visit.poi.poi_type == "food" else "attraction"
            price = {"avg_cost": (visit.poi.cost or 0.0) - ("price_less" in draft.extra)} if kind == "food" else {}
            last = visit.start + visit.stay
            acts.append({"type": kind, "start_time": clock_face(visit.start), "end_time": clock_face(min(last, 1439)),
                         "location": visit.poi.name, "participants": who, **price})  # fmt: skip
            here = visit.poi.name
        if bed is not None and here != bed.name:
            one = ground.pois.meant(here, city)
            by = ground.vocabulary.local_modes["taxi"]
            taken = ground.pois.ways.minutes("taxi", one, bed) if one else 5
            acts.append(_move(last, last + taken, by, here, bed.name, who))
            last += taken
        ends.append(last)
    if bed is not None:
        some = {"participants": [ground.everybody[0]]} if "no_bed_for_some" in draft.extra else {}
        price = (bed.cost or 0.0) - ("price_less" in draft.extra)
        acts.append({"type": "hotel", "start_time": clock_face(min(max(ends), 1439)), "end_time": "08:00",
                     "location": bed.name, "avg_cost": price, **some})  # fmt: skip
    return acts


def _move(start: int, end: int, mode: str, one: str, other: str, who: list[str]) -> dict[str, Any]:
    return {"type": "intracity_transport", "start_time": clock_face(max(start, 0)),
            "end_time": clock_face(min(end, 1439)), "transport_mode": mode, "from": one, "to": other,
            "participants": who}  # fmt: skip


def fresh(draft: Draft) -> Draft:
    """Return a copy that shares nothing that changes."""
    return Draft(
        [*draft.legs],
        draft.leg_days,
        [*draft.beds],
        [[*teams] for teams in draft.teams],
        [copied(day) for day in draft.visits],
        {**draft.extra},
    )


def copied(day: list[list[Visited]]) -> list[list[Visited]]:
    return [[replace(visit) for visit in visits] for visits in day]


class Remembered(Ways):
    """Ways that remember what they were asked: the same minutes, found out once for many thousand plans."""

    def __init__(self, ways: Ways):
        vars(self).update(vars(ways))
        self._minutes: dict[tuple[str, str, str], int] = {}

    def minutes(self, mode: str, one: Poi, other: Poi) -> int:
        key = (mode, one.place_id, other.place_id)
        if key not in self._minutes:
            self._minutes[key] = super().minutes(mode, one, other)
        return self._minutes[key]


def scorer(trip: Trip, pois: Pois, fares: Fares, without: str = "", words: Vocabulary = EN) -> Scorer:
    """Return what a plan is worth to `ours`, None where it is not accepted; `without` one of its conditions.

    The first check that finds anything refuses it, those that refuse most before the others.
    """
    asked = {**CHECKS, **CONDITIONS}
    checks = [asked[name] for name in sorted(asked, key=lambda name: name not in REFUSE_MOST) if name != without]
    users = (*trip.tables, *trip.children)
    facts = Facts(users, pois, words, trip.route[0], trip.first_date, fares, trip.children, trip.days, trip.route[1:-1])

    def score(plan: dict[str, Any]) -> int | None:
        case = Case(read_plan(plan), facts, OURS)
        if any(check(case) for check in checks):
            return None
        utility = group_utility(case.plan, trip.tables, users, pois, OURS)
        return None if without != CAPS and caps(utility) else utility.total

    return score
