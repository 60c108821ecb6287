"""The solver's optimum as a plan in the native format.

Apart, each team's day is the slots' times a minute later than the last team's, without a gap: so its parts overlap
those of the others from the first move to the last, and the day is one split.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from assets.grouptravel.facts.pois import Poi
from assets.grouptravel.facts.trips import MOVE_MINUTES, SLOTS, Best, Choice, Trip
from assets.grouptravel.plan import EVERYBODY, clock
from assets.grouptravel.vocabulary import Vocabulary

CHECK_IN = 20 * 60
CHECK_OUT = "08:00"

Stop = tuple[int, int, str, dict[str, Any]]
"""From, until, where, and what is done there."""


def native_plan(trip: Trip, best: Best, vocabulary: Vocabulary) -> dict[str, Any]:
    """Return the plan: each day's legs and city blocks, local moves by taxi, each team's activities in turn."""
    days = []
    at = ""
    for day in range(trip.days):
        segments: list[dict[str, Any]] = []
        for k, city in enumerate(trip.route[1:]):
            if trip.leg_days[k] == day:
                segments.append(_leg(trip, best, k, vocabulary))
                at = ""
            if k + 1 < len(trip.leg_days) and trip.leg_days[k] <= day <= trip.leg_days[k + 1]:
                sleeps = best.hotels[city] if day < trip.leg_days[k + 1] else None
                arrived = best.legs[k].arrives if trip.leg_days[k] == day else 0
                acts = _block(day, city, best, sleeps, at, arrived, vocabulary)
                at = sleeps.name if sleeps is not None else at
                if acts:
                    segments.append({"city": city, "activities": acts})
        date = trip.first_date + dt.timedelta(days=day)
        days.append({"day": day + 1, "date": date.isoformat(), "city_segments": segments})
    return {"days": days}


def _leg(trip: Trip, best: Best, k: int, vocabulary: Vocabulary) -> dict[str, Any]:
    service = best.legs[k]
    return {
        "type": "intercity_transport",
        "from_city": trip.route[k],
        "to_city": trip.route[k + 1],
        "transport_mode": vocabulary.modes[service.mode],
        "start_time": clock(service.departs),
        "end_time": clock(service.arrives),
        "avg_cost": service.price,
    }


def _block(
    day: int, city: str, best: Best, sleeps: Poi | None, at: str, arrived: int, vocabulary: Vocabulary
) -> list[dict[str, Any]]:
    """Return a city's activities of a day, from the place or, with none, the station that the group is at."""
    here = [choice for choice in best.choices if choice.day == day and choice.city == city]
    teams = best.teams[day] if here and best.teams else ((EVERYBODY,),)
    who = [list(team) if len(teams) > 1 else [EVERYBODY] for team in teams]
    stops = [_stops([c for c in here if c.team == number], number, who[number]) for number in range(len(teams))]
    latest = max((until - number for number, listed in enumerate(stops) for _, until, _, _ in listed), default=arrived)
    checked_in = max(CHECK_IN, latest + MOVE_MINUTES)
    if sleeps is not None:
        for number, listed in enumerate(stops):
            listed.append((checked_in + number, checked_in + number, sleeps.name, {}))
    first = min((listed[0][0] - n for n, listed in enumerate(stops) if listed), default=0) - MOVE_MINUTES
    acts = [
        act
        for number, listed in enumerate(stops)
        for act in _moved(listed, at, (first + number, latest + number), who[number], len(teams) > 1, vocabulary)
    ]
    if sleeps is not None:
        start = checked_in + len(teams) - 1
        acts.append(
            {"type": "hotel", "start_time": clock(start), "end_time": CHECK_OUT, "location": sleeps.name,
             "avg_cost": sleeps.cost or 0.0}
        )  # fmt: skip
    return acts


def _stops(choices: list[Choice], number: int, who: list[str]) -> list[Stop]:
    """Return where a team is when, and the activity there."""
    stops = []
    for choice in choices:
        kind, start, end = SLOTS[choice.slot]
        entry: dict[str, Any] = {
            "type": "food" if kind == "food" else "attraction",
            "start_time": clock(start + number),
            "end_time": clock(end + number),
            "location": choice.poi.name,
            "participants": who,
        }
        if kind == "food":
            entry["avg_cost"] = choice.poi.cost or 0.0
        stops.append((start + number, end + number, choice.poi.name, entry))
    return stops


def _moved(
    stops: list[Stop], at: str, day: tuple[int, int], who: list[str], is_apart: bool, vocabulary: Vocabulary
) -> Iterator[dict[str, Any]]:
    """Yield a team's stops with a move before each; apart, with rests that leave no gap in the group's `day`."""
    begins, ends = day
    places = [(begins, begins, at or "station", {}), *stops]
    for (_, left, origin, _), (comes, _, place, entry) in pairwise(places):
        if is_apart and comes - MOVE_MINUTES > left:
            yield _rest(left, comes - MOVE_MINUTES, who)
        yield {
            "type": "intracity_transport",
            "start_time": clock(comes - MOVE_MINUTES),
            "end_time": clock(comes),
            "transport_mode": vocabulary.local_modes["taxi"],
            "from": origin,
            "to": place,
            "participants": who,
        }
        if entry:
            yield entry
    last = places[-1][1]
    if is_apart and last < ends:
        yield _rest(last, ends, who)


def _rest(start: int, end: int, who: list[str]) -> dict[str, Any]:
    return {"type": "rest", "start_time": clock(start), "end_time": clock(end), "participants": who}
