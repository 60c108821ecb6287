"""The commonsense check of the PoI list (1.F, check 7): bounds, contents and flight margins."""

from __future__ import annotations

from assets.tripcraft.checks.case import Case
from assets.tripcraft.checks.grounding import named_places
from assets.tripcraft.plan import Day, Item, NameCity

FLIGHT_MARGIN_MIN = 30
"""Least time between a visit and a departure or arrival, inclusive (1.F, check 7)."""

CHANGE_DAYS: dict[int, tuple[int, ...]] = {3: (), 5: (3,), 7: (3, 5)}
"""Days on which the published trips change city (1.F)."""


def poi_list(case: Case) -> list[str]:
    """Return what is wrong with the PoI lists: their bounds by stays, their contents, the margins around flights."""
    found = []
    for index, day in enumerate(case.days):
        problems = [*day.problems] if case.variant.exact_names else []
        problems += [*_bounds(case, index), *_contents(case, day), *_margins(case, index)]
        found += [f"day {index + 1}: {what}" for what in problems]
    return found


def _bounds(case: Case, index: int) -> list[str]:
    day, days = case.days[index], case.record["days"]
    if not day.items or not (
        case.variant.every_day_bounded_by_stays or days == 3 or index + 1 in CHANGE_DAYS.get(days, ())
    ):
        return []
    before = case.days[index - 1].stay if index else day.stay
    found = []
    if before is not None and not _is(case, day.items[0], before):
        found.append(f"the PoI list starts with `{day.items[0].name}`, expected the stay `{before.name}`")
    if day.stay is not None and not _is(case, day.items[-1], day.stay):
        found.append(f"the PoI list ends with `{day.items[-1].name}`, expected the stay `{day.stay.name}`")
    return found


def _contents(case: Case, day: Day) -> list[str]:
    wanted = [*day.meals.values(), *day.attractions]
    found = [
        f"`{named.name}` is not in the PoI list"
        for named in wanted
        if not any(_is(case, item, named) for item in day.items)
    ]
    places = {named.name for named in wanted} | ({day.stay.name} if day.stay else set())
    return found + [
        f"the event `{event.name}` is in the PoI list"
        for event in day.events
        if event.name not in places and any(_is(case, item, event) for item in day.items)
    ]


def _is(case: Case, item: Item, named: NameCity) -> bool:
    return item.name == named.name if case.variant.exact_names else named.name in item.text


def _margins(case: Case, index: int) -> list[str]:
    day = case.days[index]
    if day.transport is None or day.transport.mode != "flight" or not day.items:
        return []
    return _signed_margins(case, index) if case.variant.flight_margin_is_signed else _absolute_margins(case, index)


def _signed_margins(case: Case, index: int) -> list[str]:
    """Return the visits that begin too soon after the flight lands in their city, or end too late before it leaves."""
    day, legs = case.days[index], case.legs(case.days[index])
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
            found.append(f"`{item.name}` does not keep {FLIGHT_MARGIN_MIN} min from the flight")
    return found


def _flight_times(case: Case, index: int) -> tuple[int | None, int | None]:
    transport = case.days[index].transport
    if transport is None:
        return None, None
    for flight in case.reference.flight(transport.flight_number or ""):
        if flight.flight_date == case.record["dates"][index]:
            return flight.dep_min, flight.arr_min
    return transport.dep_min, transport.arr_min


def _absolute_margins(case: Case, index: int) -> list[str]:
    """Return whether the first visit starts within 30 min of the arrival, or the last ends within 30 of departure."""
    day, days = case.days[index], case.record["days"]
    transport = day.transport
    if transport is None or transport.dep_min is None or transport.arr_min is None:
        return []
    found = []
    is_arrival_day = index + 1 in (1, *CHANGE_DAYS.get(days, ()))
    if is_arrival_day and abs(day.items[0].start_min - transport.arr_min) < FLIGHT_MARGIN_MIN:
        found.append("the first visit starts too soon after the flight arrives")
    if index + 1 == days and abs(transport.dep_min - day.items[-1].end_min % 1440) < FLIGHT_MARGIN_MIN:
        found.append("the last visit ends too close to the flight's departure")
    return found
