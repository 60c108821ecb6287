"""The plan found, in the native format.

Apart, each team fills its day from the common beginning to the common end with visits, moves and rests. The first two
teams begin and end theirs at minutes of their own where they can (`schedule.Frame`): so something always goes on, and
the day is one split.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from typing import Any

from assets.grouptravel.facts.pois import Pois
from assets.grouptravel.facts.trips import Best, Choice, Trip
from assets.grouptravel.plan import EVERYBODY, LOCAL
from assets.grouptravel.vocabulary import Vocabulary
from assets.grouptravel.witness.concessions import lowest_cap
from assets.grouptravel.witness.schedule import CHECK_IN, first_beside
from schemas.clock import clock_face

CHECK_OUT = "08:00"

STATION = {"en": "station", "zh": "车站"}
"""Where a group arrives: no place that is known."""


def native_plan(trip: Trip, best: Best, vocabulary: Vocabulary, pois: Pois | None = None) -> dict[str, Any]:
    """Return the plan: each day's legs and city blocks, with a move to each place, each team's activities in turn.

    With the places each move says what it costs a person, and what its minutes rest on.
    """
    days = []
    for day in range(trip.days):
        segments: list[dict[str, Any]] = []
        spare = _spare_min(trip, best, day)
        for k, city in enumerate(trip.route[1:]):
            if best.leg_days[k] == day:
                segments.append(_leg(trip, best, k, vocabulary))
            if k + 1 < len(best.leg_days) and best.leg_days[k] <= day <= best.leg_days[k + 1]:
                acts = _block(day, city, k, best, spare, vocabulary)
                if acts:
                    segments.append({"city": city, "activities": acts})
        if pois is not None:
            everybody = len(trip.tables) + len(trip.children)
            for segment in segments:
                _price_moves(segment, everybody, vocabulary, pois)
        date = trip.first_date + dt.timedelta(days=day)
        days.append({"day": day + 1, "date": date.isoformat(), "city_segments": segments})
    return {"days": days}


def _price_moves(segment: dict[str, Any], everybody: int, vocabulary: Vocabulary, pois: Pois) -> None:
    """Say of each move in a city what it costs a person, where that is known, and what its minutes rest on."""
    modes = {word: key for key, word in vocabulary.local_modes.items()}
    for act in segment.get("activities", ()):
        if act["type"] != LOCAL:
            continue
        city, mode = segment["city"], modes[act["transport_mode"]]
        one, other = (pois.meant(act[end], city) for end in ("from", "to"))
        people = everybody if EVERYBODY in act["participants"] else len(act["participants"])
        price = pois.ways.price(mode, city, one, other, people)
        act |= {} if price is None else {"avg_cost": price}
        act["basis"] = pois.ways.basis(mode, one, other)


def _leg(trip: Trip, best: Best, k: int, vocabulary: Vocabulary) -> dict[str, Any]:
    service = best.legs[k]
    return {
        "type": "intercity_transport",
        "from_city": trip.route[k],
        "to_city": trip.route[k + 1],
        "transport_mode": vocabulary.modes[service.mode],
        "start_time": clock_face(service.departs),
        "end_time": clock_face(service.arrives),
        "avg_cost": service.price,
    }


def _spare_min(trip: Trip, best: Best, day: int) -> list[float]:
    """Return how much longer each team can be on its ways on a day before it breaks a cap of hours."""
    active = [0] * len(best.teams[day] if best.teams else ())
    for choice in (choice for choice in best.choices if choice.day == day and active):
        is_sight = not choice.is_to_bed and choice.poi.poi_type != "food"
        active[choice.team] += choice.come[1] + (choice.end - choice.start if is_sight else 0)
    users = [[user for user in team if user in trip.tables] for team in best.teams[day]] if active else []
    caps = [lowest_cap(trip.tables, team, "max_active_hours", best.given_up) for team in users]
    return [60 * cap - active_min for cap, active_min in zip(caps, active, strict=True)]


def _block(
    day: int, city: str, nth: int, best: Best, spare: list[float], vocabulary: Vocabulary
) -> list[dict[str, Any]]:
    """Return a city's activities of a day, from the bed of the night before or, after an arrival, the station.

    What of `spare` the teams take for longer ways is taken from it.
    """
    is_arrival, sleeps = best.leg_days[nth] == day, day < best.leg_days[nth + 1]
    at = STATION[vocabulary.language] if is_arrival else best.beds[day - 1].name
    city_choices = [choice for choice in best.choices if choice.day == day and choice.city == city]
    teams = best.teams[day] if city_choices and best.teams else ((EVERYBODY,),)
    who = [list(team) if len(teams) > 1 else [EVERYBODY] for team in teams]
    listed = [[choice for choice in city_choices if choice.team == number] for number in range(len(teams))]
    bedtimes = [choice.start for choice in city_choices if choice.is_to_bed]
    if bedtimes:
        listed = [
            [_at_bedtime(c, max(bedtimes)) if c.is_to_bed else c for c in team_choices] for team_choices in listed
        ]
    begins = min((c.start - c.come[1] for c in city_choices), default=0)
    ends = max((c.end for team_choices in listed for c in team_choices), default=0)
    edges = [
        {minute for c in team_choices if not c.is_to_bed for minute in (c.start, c.end)} for team_choices in listed
    ]
    acts = []
    for number, team_choices in enumerate(listed):
        leaves = [choice.start - choice.come[1] for choice in team_choices]
        if len(teams) > 1 and number < 2:
            latest, leaves = leaves, _departures(team_choices, begins, frozenset(edges[1 - number]), spare[number])
            spare[number] -= sum(latest) - sum(leaves)
        edges[number] |= {*leaves}
        acts += _day(team_choices, leaves, at, (begins, ends), who[number], len(teams) > 1, vocabulary)
    if sleeps:
        bed = best.beds[day]
        start = max(CHECK_IN, ends)
        acts.append(
            {"type": "hotel", "start_time": clock_face(start), "end_time": CHECK_OUT, "location": bed.name,
             "avg_cost": bed.cost or 0.0}
        )  # fmt: skip
    return acts


def _at_bedtime(choice: Choice, to_bed: int) -> Choice:
    """Return a team's way to bed when all go."""
    return Choice(choice.day, to_bed, to_bed, choice.city, choice.poi, choice.come, choice.team)


def _departures(choices: list[Choice], free: int, shunned: frozenset[int], spare: float) -> list[int]:
    """Return when each move begins: as late as it can, at no shunned minute if there is time for another.

    A move that begins earlier takes longer, and counts as active: all together they take no more than `spare` minutes.
    """
    departures = []
    for choice in choices:
        latest = choice.start - choice.come[1]
        earliest = max(min(free, latest), latest - max(0, int(spare)))
        departures.append(first_beside(range(latest, earliest - 1, -1), shunned))
        spare -= latest - departures[-1]
        free = choice.end
    return departures


def _day(
    choices: list[Choice],
    leaves: list[int],
    at: str,
    day: tuple[int, int],
    who: list[str],
    is_apart: bool,
    vocabulary: Vocabulary,
) -> Iterator[dict[str, Any]]:
    """Yield a team's visits with a move before each; apart, with rests that leave no gap in the group's `day`."""
    free, ends = day
    for choice, departure in zip(choices, leaves, strict=True):
        if is_apart and departure > free:
            yield _rest_activity(free, departure, who)
        yield {
            "type": "intracity_transport",
            "start_time": clock_face(departure),
            "end_time": clock_face(choice.start),
            "transport_mode": vocabulary.local_modes[choice.come[0]],
            "from": at,
            "to": choice.poi.name,
            "participants": who,
        }
        if not choice.is_to_bed:
            yield _visit(choice, who)
        at, free = choice.poi.name, choice.end
    if is_apart and free < ends:
        yield _rest_activity(free, ends, who)


def _visit(choice: Choice, who: list[str]) -> dict[str, Any]:
    is_meal = choice.poi.poi_type == "food"
    return {
        "type": "food" if is_meal else "attraction",
        "start_time": clock_face(choice.start),
        "end_time": clock_face(choice.end),
        "location": choice.poi.name,
        "participants": who,
        **({"avg_cost": choice.poi.cost or 0.0} if is_meal else {}),
    }


def _rest_activity(start: int, end: int, who: list[str]) -> dict[str, Any]:
    return {"type": "rest", "start_time": clock_face(start), "end_time": clock_face(end), "participants": who}
