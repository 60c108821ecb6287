"""The solver's optimum as a plan in the native format."""

from __future__ import annotations

import datetime as dt
from typing import Any

from assets.grouptravel.plan import EVERYBODY, clock
from assets.grouptravel.pois import Poi
from assets.grouptravel.trips import MOVE_MINUTES, SLOTS, Best, Trip
from assets.grouptravel.vocabulary import Vocabulary

CHECK_IN = 20 * 60
CHECK_OUT = "08:00"


def native_plan(trip: Trip, best: Best, vocabulary: Vocabulary) -> dict[str, Any]:
    """Return the plan: each day's legs and city blocks, everybody together, local moves by taxi."""
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
                acts, at = _block(day, city, best, sleeps, (at, arrived), vocabulary)
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
    day: int, city: str, best: Best, sleeps: Poi | None, since: tuple[str, int], vocabulary: Vocabulary
) -> tuple[list[dict[str, Any]], str]:
    """Return a block's activities and where they end; `since` is where the group is, empty at the station, and when."""
    acts: list[dict[str, Any]] = []
    at, latest = since
    for choice in (c for c in best.choices if c.day == day and c.city == city):
        kind, start, end = SLOTS[choice.slot]
        acts.append(_move(start, at, choice.poi.name, vocabulary))
        acts.append(_at("food" if kind == "food" else "attraction", start, end, choice.poi))
        at, latest = choice.poi.name, end
    if sleeps is not None:
        start = max(CHECK_IN, latest + MOVE_MINUTES)
        acts.append(_move(start, at, sleeps.name, vocabulary))
        acts.append({**_at("hotel", start, start, sleeps), "end_time": CHECK_OUT})
        at = sleeps.name
    return acts, at


def _move(arrives: int, origin: str, to: str, vocabulary: Vocabulary) -> dict[str, Any]:
    return {
        "type": "intracity_transport",
        "start_time": clock(arrives - MOVE_MINUTES),
        "end_time": clock(arrives),
        "transport_mode": vocabulary.local_modes["taxi"],
        "from": origin or "station",
        "to": to,
        "participants": [EVERYBODY],
    }


def _at(kind: str, start: int, end: int, poi: Poi) -> dict[str, Any]:
    entry: dict[str, Any] = {"type": kind, "start_time": clock(start), "end_time": clock(end), "location": poi.name}
    if kind != "hotel":
        entry["participants"] = [EVERYBODY]
    if kind != "attraction":
        entry["avg_cost"] = poi.cost or 0.0
    return entry
