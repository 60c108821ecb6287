"""The ten commonsense checks (1.F): what any sensible plan keeps, whatever was asked.

Each check takes a Case and returns what is wrong, in words; nothing wrong means that it holds. The checks that compare
the plan with the reference are in `grounding.py`, the PoI list's own in `poi_list.py`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from itertools import groupby, pairwise

from assets.tripcraft.checks.case import Case
from assets.tripcraft.checks.grounding import within_current_city, within_sandbox
from assets.tripcraft.checks.poi_list import poi_list
from assets.tripcraft.names import region_name
from assets.tripcraft.plan import MEALS, SCHEDULED, Day, Item
from schemas.counts import counted

MEAL_GAP_MIN = 240
"""Least time between the end of a meal and the start of the next, inclusive (1.F, check 6)."""


def reasonable_city_route(case: Case) -> list[str]:
    """Return what is wrong with the route: a closed round from the origin, each city once, in one run, where asked."""
    names = [name for day in case.days for name in case.route(day)]
    if len(names) < 3:
        return [f"the route names {counted(len(names), 'city', 'cities')}, expected at least 3"]
    problems = []
    if names[0] != case.origin.name:
        problems.append(f"the route starts in `{names[0]}`, expected `{case.origin.name}`")
    if names[-1] != names[0]:
        problems.append(f"the route ends in `{names[-1]}`, not where it starts")
    runs = [(name, len(list(run))) for name, run in groupby(names)]
    inner = runs[1:-1]
    problems += [f"`{name}` is only passed through" for name, length in inner if length < 2]
    visits = Counter(name for name, _ in inner)
    problems += [f"the route comes back to `{name}`" for name in sorted(visits) if visits[name] > 1]
    cities = {name: case.reference.city_named(name) for name in names}
    problems += [f"`{name}` is not a city of the reference" for name in sorted(cities) if cities[name] is None]
    for name in sorted(visits):
        city = cities[name]
        if city is None:
            continue
        if case.record["days"] > 3:
            if (city.region, city.country) != (case.record["dest_region"], case.record["dest_country"]):
                where = region_name(case.record["dest_region"], case.record["dest_country"])
                problems.append(f"`{name}` does not lie in {where}")
        elif city.city_id != case.record["dest_city_id"]:
            problems.append(f"`{name}` is not the destination asked for")
    if case.variant.moves_are_made:
        problems += [
            f"the {what} {length} days are spent at home, expected one"
            for what, (_, length) in (("first", runs[0]), ("last", runs[-1]))
            if length > 1
        ]
        ends = [case.route(day) for day in case.days]
        problems += [
            f"day {number} begins in `{route[0]}`, the day before ends in `{route_before[-1]}`: no way leads there"
            for number, (route_before, route) in enumerate(pairwise(ends), start=2)
            if route_before[-1] != route[0]
        ]
    return problems


def diverse_restaurants(case: Case) -> list[str]:
    """Return every restaurant that the trip eats at twice."""
    return _repetitions((meal.name, meal.city) for day in case.days for meal in day.meals.values())


def diverse_attractions(case: Case) -> list[str]:
    """Return every attraction that the trip visits twice."""
    return _repetitions((a.name, a.city) for day in case.days for a in day.attractions)


def diverse_events(case: Case) -> list[str]:
    """Return every event that the trip attends twice."""
    return _repetitions((event.name, event.city) for day in case.days for event in day.events)


def non_conflicting_transport(case: Case) -> list[str]:
    """Return whether the first day has no transport, or one's own car is mixed with any other way."""
    if not case.days or case.days[0].transport is None:
        return ["day 1 has no transport"]
    modes = {day.transport.mode for day in case.days if day.transport is not None}
    clash = modes & {*SCHEDULED, "taxi"} if "self_driving" in modes else set()
    return [f"self-driving is mixed with {mode}" for mode in sorted(map(str, clash))]


def meal_gaps(case: Case) -> list[str]:
    """Return every pair of meals less than four hours apart, by the times of the PoI list."""
    problems = []
    for number, day in enumerate(case.days, start=1):
        times = {meal: item for meal in MEALS if (item := meal_item(case, day, meal)) is not None}
        pairs = [("breakfast", "lunch"), ("lunch", "dinner")]
        if case.variant.gap_over_missing_lunch and "lunch" not in times:
            pairs.append(("breakfast", "dinner"))
        for first, second in pairs:
            if first in times and second in times:
                gap = times[second].start_min - times[first].end_min
                if gap < MEAL_GAP_MIN:
                    problems.append(
                        f"day {number}: {second} starts {gap} min after {first} ends, expected {MEAL_GAP_MIN}"
                    )
    return problems


def complete_information(case: Case) -> list[str]:
    """Return what the plan leaves out (check 10)."""
    days_asked_for, days_in_plan = case.record["days"], len(case.plan.days)
    problems = (
        [f"the plan has {counted(days_in_plan, 'day')}, expected {days_asked_for}"]
        if days_asked_for != days_in_plan
        else []
    )
    visited = {name for day in case.days for name in case.route(day)} - {case.origin.name, ""}
    if len(visited) != case.record["visiting_city_number"]:
        problems.append(
            f"visits {counted(len(visited), 'city', 'cities')}, expected {case.record['visiting_city_number']}"
        )
    for number, day in enumerate(case.days, start=1):
        problems += [f"day {number}: `{key}` is missing" for key in day.missing]
        problems += [f"day {number}: {what}" for what in _left_out(day, is_last=number == days_asked_for)]
    needed = 8 * days_asked_for
    if sum(day.filled_count for day in case.days) * 2 < needed:
        problems.append(f"fewer than half of {needed} fields are filled")
    return problems


def meal_item(case: Case, day: Day, meal: str) -> Item | None:
    """Return the first PoI-list entry of the day's meal."""
    place_name = day.meals.get(meal)
    if place_name is None:
        return None
    if case.variant.meals_by_substring:
        return next((item for item in day.items if place_name.name in item.text), None)
    return next(iter(day.items_named(place_name.name)), None)


def _left_out(day: Day, *, is_last: bool) -> list[str]:
    problems = []
    if day.is_moving and day.transport is None:
        problems.append("no transport between its cities")
    if not day.current_city:
        problems.append("no current city")
    if not day.is_moving:
        problems += [f"no {meal}" for meal in MEALS if meal not in day.meals]
        if not day.attractions:
            problems.append("no attraction")
    if day.stay is None and not is_last:
        problems.append("no accommodation")
    if not day.fields["point_of_interest_list"]:
        problems.append("no PoI list")
    problems += [f"no distance to the stop of `{item.name}`" for item in day.items if item.distance_m is None]
    return problems


def _repetitions(keys: Iterable[tuple[str, str]]) -> list[str]:
    counts = Counter(keys)
    return [f"`{name}` is used {counts[name, city]} times" for name, city in sorted(counts) if counts[name, city] > 1]


COMMONSENSE: dict[str, Callable[[Case], list[str]]] = {
    check.__name__: check
    for check in (
        reasonable_city_route,
        diverse_restaurants,
        diverse_attractions,
        diverse_events,
        non_conflicting_transport,
        meal_gaps,
        poi_list,
        within_sandbox,
        within_current_city,
        complete_information,
    )
}
"""The ten checks by name, in the paper's order."""
