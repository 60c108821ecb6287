"""The commonsense check of the PoI list (1.F, check 7): bounds, contents, margins around departures."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

from assets.tripcraft.checks.case import Case
from assets.tripcraft.checks.grounding import named_places, stays_about
from assets.tripcraft.plan import SCHEDULED, Day, Item, NameCity
from schemas.clock import clock_face

DAY_MIN = 1440
FLIGHT_MARGIN_MIN = 30
"""Least time between a visit and a departure or arrival, inclusive (1.F, check 7): of a flight, and of ours alike."""


def poi_list(case: Case) -> list[str]:
    """Return what is wrong with the PoI lists: their bounds by stays, their contents, the margins around flights."""
    all_problems = []
    for index, day in enumerate(case.days):
        problems = [*day.problems, *_bounds(case, index), *_contents(day), *_margins(case, index)]
        if case.variant.time_passes:
            problems += [*_unnamed_entries(case, index), *_again(case, index)]
            problems += [*_out_of_turn(case, index), *_drive(case, index)]
        all_problems += [f"day {index + 1}: {what}" for what in problems]
    return all_problems


def _bounds(case: Case, index: int) -> list[str]:
    day = case.days[index]
    if not day.items:
        is_blank = case.variant.time_passes and day.fields["point_of_interest_list"]
        return ["the PoI list holds no entry"] if is_blank else []
    before = case.days[index - 1].stay if index else day.stay
    problems = []
    if before is not None and not _is(day.items[0], before):
        problems.append(f"the PoI list starts with `{day.items[0].name}`, expected the stay `{before.name}`")
    if day.stay is not None and not _is(day.items[-1], day.stay):
        problems.append(f"the PoI list ends with `{day.items[-1].name}`, expected the stay `{day.stay.name}`")
    return problems


def _contents(day: Day) -> list[str]:
    visits = [*day.meals.values(), *day.attractions]
    problems = [
        f"`{place.name}` is not in the PoI list" for place in visits if not any(_is(item, place) for item in day.items)
    ]
    places = {place.name for place in visits} | ({day.stay.name} if day.stay else set())
    return problems + [
        f"the event `{event.name}` is in the PoI list"
        for event in day.events
        if event.name not in places and any(_is(item, event) for item in day.items)
    ]


def _is(item: Item, place: NameCity) -> bool:
    return item.name == place.name


def _unnamed_entries(case: Case, index: int) -> list[str]:
    """Return the entries that no field of the day names: nobody goes there, and scores would count them."""
    names = {place.name for place in named_places(case, index)}
    return [f"`{item.name}` is in no field of the day" for item in case.days[index].items if item.name not in names]


def _again(case: Case, index: int) -> list[str]:
    """Return the places listed more often than one is there: scores would count each entry.

    A meal or sight once; a stay in the morning, at night, and between other entries.
    """
    day, listed = case.days[index], Counter(item.name for item in case.days[index].items)
    most = Counter(place.name for place in (*day.meals.values(), *day.attractions))
    for name in {stay.name for stay in stays_about(case, index)}:
        most[name] += len(day.items) - listed[name] + 2
    return [f"`{name}` is listed {listed[name]} times" for name in most if listed[name] > most[name]]


def _out_of_turn(case: Case, index: int) -> list[str]:
    """Return the visits that take no time, and the entries that begin before the one before them has ended."""
    items, nights = case.days[index].items, {stay.name for stay in stays_about(case, index)}
    problems = [
        f"`{item.name}` is visited for no time, at {clock_face(item.start_min)}"
        for item in items
        if item.start_min == item.end_min and item.name not in nights
    ]
    for number, (item, next_item) in enumerate(pairwise(items)):
        ends, starts = _morning(item, nights) if number == 0 else item.end_min, next_item.start_min
        if ends > DAY_MIN and number == len(items) - 2 and next_item.name in nights and starts < item.start_min:
            starts += DAY_MIN  # back after midnight
        if starts < ends:
            problems.append(
                f"`{next_item.name}` begins at {clock_face(next_item.start_min)}, before `{item.name}` has ended"
            )
    return problems


def _drive(case: Case, index: int) -> list[str]:
    """Return where a day's drive does not fit between what is done in the two cities; by each city's clocks.

    What has a name in both cities may be in either. Entries of nights say where one sleeps: the new one's may stand for
    the time before one comes, unless something is eaten or seen under the same name.
    """
    day = case.days[index]
    legs = case.legs(day)
    if day.transport is None or day.transport.mode in SCHEDULED or legs is None:
        return []
    drive = case.reference.drive(*legs)
    if drive is None:
        return []
    origin_city, dest_city = (case.reference.cities[city_id] for city_id in legs)
    origin, dest = origin_city.name, dest_city.name
    needed = drive.duration_min + dest_city.ahead_min(origin_city, case.record["dates"][index])
    done = {place.name for place in (*day.meals.values(), *day.attractions)}
    leaves, arrives = 0, DAY_MIN
    for item in day.items:
        cities = {place.city for place in named_places(case, index) if place.name == item.name}
        if item.name not in done:
            continue
        if origin in cities and dest not in cities:
            leaves = max(leaves, item.end_min)
        elif dest in cities and origin not in cities:
            arrives = min(arrives, item.start_min)
    if arrives - leaves >= needed:
        return []
    return [
        f"{arrives - leaves} min are left between {clock_face(leaves)} in `{origin}` and {clock_face(arrives)} in "
        f"`{dest}`, the drive takes {needed:g} by their clocks"
    ]


def _morning(item: Item, nights: set[str]) -> int:
    """Return when a day's first entry ends: one of a night that began on the day before ends on this one."""
    return item.end_min - DAY_MIN if item.end_min > DAY_MIN and item.name in nights else item.end_min


def _margins(case: Case, index: int) -> list[str]:
    """Return the visits that begin too soon after the way leads to their city, or end too late before it leaves."""
    day = case.days[index]
    if day.transport is None or day.transport.mode not in SCHEDULED or not day.items:
        return []
    legs = case.legs(day)
    dep, arr = _flight_times(case, index)
    if legs is None or dep is None or arr is None:
        return []
    origin, dest = (case.reference.cities[city_id].name for city_id in legs)
    problems = []
    for item in day.items:
        cities = {place.city for place in named_places(case, index) if place.name == item.name}
        before = item.end_min <= dep - FLIGHT_MARGIN_MIN
        after = item.start_min >= arr + FLIGHT_MARGIN_MIN
        if not ((origin in cities and before) or (dest in cities and after) or not cities & {origin, dest}):
            problems.append(f"`{item.name}` does not keep {FLIGHT_MARGIN_MIN} min from the {day.transport.mode}")
    return problems


def _flight_times(case: Case, index: int) -> tuple[int | None, int | None]:
    transport = case.days[index].transport
    if transport is None:
        return None, None
    for flight in case.reference.scheduled_by_number(transport.flight_number or ""):
        if flight.flight_date == case.record["dates"][index]:
            return flight.dep_min, flight.arr_min
    return transport.dep_min, transport.arr_min
