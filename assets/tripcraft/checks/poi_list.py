"""The commonsense check of the PoI list (1.F, check 7): bounds, contents, margins around departures."""

from __future__ import annotations

from assets.tripcraft.checks.case import Case
from assets.tripcraft.checks.grounding import named_places
from assets.tripcraft.plan import SCHEDULED, Day, Item, NameCity

FLIGHT_MARGIN_MIN = 30
"""Least time between a visit and a departure or arrival, inclusive (1.F, check 7): of a flight, and of ours alike."""


def poi_list(case: Case) -> list[str]:
    """Return what is wrong with the PoI lists: their bounds by stays, their contents, the margins around flights."""
    found = []
    for index, day in enumerate(case.days):
        problems = [*day.problems, *_bounds(case, index), *_contents(day), *_margins(case, index)]
        found += [f"day {index + 1}: {what}" for what in problems]
    return found


def _bounds(case: Case, index: int) -> list[str]:
    day = case.days[index]
    if not day.items:
        return []
    before = case.days[index - 1].stay if index else day.stay
    found = []
    if before is not None and not _is(day.items[0], before):
        found.append(f"the PoI list starts with `{day.items[0].name}`, expected the stay `{before.name}`")
    if day.stay is not None and not _is(day.items[-1], day.stay):
        found.append(f"the PoI list ends with `{day.items[-1].name}`, expected the stay `{day.stay.name}`")
    return found


def _contents(day: Day) -> list[str]:
    wanted = [*day.meals.values(), *day.attractions]
    found = [
        f"`{named.name}` is not in the PoI list" for named in wanted if not any(_is(item, named) for item in day.items)
    ]
    places = {named.name for named in wanted} | ({day.stay.name} if day.stay else set())
    return found + [
        f"the event `{event.name}` is in the PoI list"
        for event in day.events
        if event.name not in places and any(_is(item, event) for item in day.items)
    ]


def _is(item: Item, named: NameCity) -> bool:
    return item.name == named.name


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
    found = []
    for item in day.items:
        cities = {named.city for named in named_places(case, index) if named.name == item.name}
        before = item.end_min <= dep - FLIGHT_MARGIN_MIN
        after = item.start_min >= arr + FLIGHT_MARGIN_MIN
        if not ((origin in cities and before) or (dest in cities and after) or not cities & {origin, dest}):
            found.append(f"`{item.name}` does not keep {FLIGHT_MARGIN_MIN} min from the {day.transport.mode}")
    return found


def _flight_times(case: Case, index: int) -> tuple[int | None, int | None]:
    transport = case.days[index].transport
    if transport is None:
        return None, None
    for flight in case.reference.scheduled(transport.flight_number or ""):
        if flight.flight_date == case.record["dates"][index]:
            return flight.dep_min, flight.arr_min
    return transport.dep_min, transport.arr_min
