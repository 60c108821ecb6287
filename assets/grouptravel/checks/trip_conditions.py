"""The declared conditions of `ours` on the trip: its days and legs, its nights, that places exist and prices are known.

Without them no bound means anything: a day more, a leg there and back, a hotel on the last day, or a price of one less
would each buy points (`conditions.py`).
"""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

from assets.grouptravel.checks.validity_facts import Case, Issue
from assets.grouptravel.conditions import LATEST_ARRIVAL
from assets.grouptravel.facts.pois import TYPE_OF_ACTIVITY
from assets.grouptravel.plan import LOCAL, Activity, Block, Day
from schemas.counts import counted

TRIP, NIGHTS, PLACES = "trip", "nights", "places"

PLACELESS = (LOCAL, "rest")
"""What is done in a city and at no place of it."""


def trip(case: Case) -> list[Issue]:
    """Return where the plan has not the task's days, or not its cities in their order, a leg to each and one home.

    The first leg is on the first day and the last on the last; where there are nights enough, each city has one.
    """
    facts, plan, issues = case.facts, case.plan, []
    if facts.days is not None and len(plan.days) != facts.days:
        issues.append(_issue("wrong_number_of_days", None, f"{len(plan.days)}, expected {facts.days}"))
    issues += [
        _issue("wrong_day_number", day, f"{day.number}, expected {n}", TRIP)
        for n, day in enumerate(plan.days, 1)
        if day.number != n
    ]
    if facts.cities and facts.departure_city is not None:
        route = (facts.departure_city, *facts.cities, facts.departure_city)
        legs = [(leg.origin, leg.destination) for _, leg in plan.legs]
        expected = list(pairwise(route))
        if legs != expected:
            legs_text = ", ".join(f"{one} to {other}" for one, other in legs[:5]) or "none"
            issues.append(_issue("wrong_legs", None, f"{legs_text}; expected {' to '.join(route)}"))
        issues += _leg_days(case, len(facts.cities))
    for day, leg in plan.legs:
        if leg.end is None or leg.is_overnight or leg.end > LATEST_ARRIVAL:
            issues.append(_issue("late_arrival", day, f"{leg.destination} at {leg.end_text}"))
    return issues


def _leg_days(case: Case, n_cities: int) -> list[Issue]:
    positions = [at for at, day in enumerate(case.plan.days) for _ in day.legs]
    last = len(case.plan.days) - 1
    if not positions:
        return []
    issues = []
    if positions[0] != 0 or positions[-1] != last:
        issues.append(_issue("legs_on_wrong_days", None, "expected the first on the first day, the last on the last"))
    if last >= n_cities and any(one == other for one, other in pairwise(positions)):
        issues.append(
            _issue("city_without_a_night", None, f"{counted(last, 'night')} for {counted(n_cities, 'city', 'cities')}")
        )
    return issues


def nights(case: Case) -> list[Issue]:
    """Return days that do not end with one hotel, a last day that has one, and nights that begin or end at no time."""
    issues = []
    for position, day in enumerate(case.plan.days):
        booked = [act for block in day.blocks for act in block.activities or () if act.kind == "hotel"]
        is_last = position == len(case.plan.days) - 1
        if len(booked) != (0 if is_last else 1):
            detail = f"{counted(len(booked), 'hotel')}, expected {'none' if is_last else 'one'}"
            issues.append(_issue("wrong_nights", day, detail, NIGHTS))
        elif not is_last and not _ends_in_bed(day):
            issues.append(_issue("wrong_nights", day, "something comes after the hotel", NIGHTS))
        elif not is_last and len(booked[0].joined_by(case.facts.users)) < len(case.facts.users):
            issues.append(_issue("wrong_nights", day, "somebody has no bed", NIGHTS))
        issues += [
            _issue("wrong_nights", day, f"{act.start_text!r:.20} to {act.end_text!r:.20} are no times", NIGHTS)
            for act in booked
            if act.start is None or act.end is None
        ]
    return issues


def _ends_in_bed(day: Day) -> bool:
    last = day.segments[-1]
    return isinstance(last, Block) and bool(last.activities) and last.activities[-1].kind == "hotel"


def places(case: Case) -> list[Issue]:
    """Return visits and nights at what is no place of its kind in its city, has no known price, or has been seen.

    So is whatever is done in another city, and an entry of a kind that no plan has.
    """
    issues, visit_counts = [], Counter[tuple[str, str]]()
    for day, city, act in case.plan.visits:
        kind = TYPE_OF_ACTIVITY.get(act.kind)
        poi = case.facts.pois.meant(act.location, city)
        if case.facts.cities and city not in case.facts.cities:
            issues.append(_issue("wrong_city", day, f"{act.place or act.kind} in {city}", PLACES))
        elif kind is None:
            if act.kind not in PLACELESS:
                what = f"{act.kind!r:.40}; expected {', '.join((*TYPE_OF_ACTIVITY, *PLACELESS))}"
                issues.append(_issue("unknown_kind", day, what, PLACES))
        elif poi is None or poi.poi_type != kind:
            what = "no place of the city" if poi is None else f"of {poi.poi_type}"
            issues.append(_issue("no_such_place", day, f"{act.location!r:.60} is {what}", PLACES))
        elif kind != "attractions" and poi.cost is None:
            issues.append(_issue("unknown_price", day, act.location, PLACES))
        elif act.kind != "hotel":
            issues += _seen_again(day, act, poi.place_id, case.facts.users, visit_counts)
    return issues


def _seen_again(
    day: Day, act: Activity, place_id: str, users: tuple[str, ...], visit_counts: Counter[tuple[str, str]]
) -> list[Issue]:
    joined = act.joined_by(users)
    again = [user for user in joined if visit_counts[user, place_id]]
    visit_counts.update((user, place_id) for user in joined)
    return [Issue(PLACES, "place_visited_twice", day.number, user, act.location) for user in again]


def _issue(kind: str, day: Day | None, detail: str, check: str = TRIP) -> Issue:
    return Issue(check, kind, day.number if day else 0, "", detail)
