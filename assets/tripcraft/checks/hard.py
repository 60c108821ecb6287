"""The seven hard checks (1.F): what the query asked for. A check is None where the query asks for nothing.

Requirements on kinds (cuisine, attraction, event) are met at the destinations, not in the origin city.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from assets.tripcraft.checks.case import Case
from assets.tripcraft.entities import Stay
from assets.tripcraft.plan import SCHEDULED, Day
from assets.tripcraft.vocabulary import EXCLUDED_BY, FORBIDDEN_BY, ROOM_TYPES_MEETING


def room_rule(case: Case) -> list[str] | None:
    """Return every stay that does not permit what is asked; one whose rules are unknown permits nothing."""
    house_rule = case.record["constraints"]["house_rule"]
    if house_rule is None:
        return None
    if_unknown = not case.variant.offers_are_real
    return [
        f"`{stay.name}` does not permit {house_rule}"
        for stay in _stays(case)
        if not permits(stay, house_rule, if_unknown=if_unknown)
    ]


def room_type(case: Case) -> list[str] | None:
    """Return every stay of another room type than asked."""
    room = case.record["constraints"]["room_type"]
    if room is None:
        return None
    meeting = ROOM_TYPES_MEETING[room]
    return [f"`{s.name}` is {s.room_type}, expected {room}" for s in _stays(case) if s.room_type not in meeting]


def cuisine(case: Case) -> list[str] | None:
    """Return every cuisine asked for that no meal at the destinations serves."""
    cuisines = case.record["constraints"]["cuisine"]
    if cuisines is None:
        return None
    served_cuisines: set[str] = set()
    for day in case.days:
        for place_name in day.meals.values():
            if not case.is_at_origin(place_name):
                served_cuisines |= _shared([restaurant.cuisines for restaurant in case.restaurants(place_name)])
    return [f"no meal serves {kind} food" for kind in cuisines if kind not in served_cuisines]


def attraction_type(case: Case) -> list[str] | None:
    """Return every attraction category asked for that no visit at the destinations belongs to."""
    categories = case.record["constraints"]["attraction"]
    if categories is None:
        return None
    visited_categories: set[str] = set()
    for day in case.days:
        for place_name in day.attractions:
            if not case.is_at_origin(place_name):
                visited_categories |= _shared([attraction.categories for attraction in case.attractions(place_name)])
    return [f"no visit to {kind}" for kind in categories if kind not in visited_categories]


def event_type(case: Case) -> list[str] | None:
    """Return every kind of event asked for that the trip does not attend on its date at the destinations."""
    segments = case.record["constraints"]["event"]
    if segments is None:
        return None
    attended_segments: set[str] = set()
    for index, day in enumerate(case.days):
        for event_name in day.events:
            dates = [case.record["dates"][index]] if case.variant.offers_are_real else case.record["dates"]
            if not case.is_at_origin(event_name):
                attended_segments |= _shared(
                    [(event.segment,) for event in case.events(event_name) if event.date in dates]
                )
    return [f"no event of {kind}" for kind in segments if kind not in attended_segments]


def transportation(case: Case) -> list[str] | None:
    """Return every day that travels in a way the query excludes."""
    request = case.record["constraints"]["transportation"]
    if request is None:
        return None
    return [
        f"day {number} goes by {day.transport.mode.replace('_', '-')}"
        for number, day in enumerate(case.days, start=1)
        if day.transport is not None and day.transport.mode is not None and day.transport.mode in EXCLUDED_BY[request]
    ]


def budget(case: Case) -> list[str] | None:
    """Return whether the trip costs more than the budget."""
    cost = total_cost(case)
    limit = case.record["budget"]
    currency = case.reference.currency
    return [f"the trip costs {cost} {currency}, the budget is {limit} {currency}"] if cost > limit else []


def total_cost(case: Case) -> int:
    """Return what the trip costs the party: seats and meals a head, cars and rooms as many as it fills (1.F)."""
    people = case.record["people"]
    cost = 0
    for day in case.days:
        cost += _transport_cost(case, day, people)
        for place_name in day.meals.values():
            cost += max((r.avg_cost for r in case.restaurants(place_name)), default=0) * people
        if day.stay is not None:
            cost += max((stay.price * stay.rooms(people) for stay in case.stays(day.stay)), default=0)
    return cost


def permits(stay: Stay, house_rule: str, *, if_unknown: bool = False) -> bool:
    """Return whether the stay's rules permit what is asked (`pets`, `smoking`, …); an unknown rule permits nothing."""
    rule = FORBIDDEN_BY[house_rule]
    if stay.house_rules is None or rule in stay.unknown_rules:
        return if_unknown
    return rule not in stay.house_rules


def _transport_cost(case: Case, day: Day, people: int) -> int:
    transport, legs = day.transport, case.legs(day)
    if transport is None or transport.mode is None:
        return 0
    if transport.mode in SCHEDULED:
        services = case.reference.scheduled_by_number(transport.flight_number or "")
        return max((service.price for service in services), default=0) * people
    drive = case.reference.drive(*legs) if legs is not None else None
    return case.reference.car_rates.cost(transport.mode, drive.distance_km, people) if drive is not None else 0


def _stays(case: Case) -> list[Stay]:
    stays_by_id = {stay.place_id: stay for day in case.days if day.stay is not None for stay in case.stays(day.stay)}
    return list(stays_by_id.values())


def _shared(kinds: Sequence[tuple[str, ...]]) -> set[str]:
    """Return the kinds that all places of one name have."""
    return set.intersection(*map(set, kinds)) if kinds else set()


HARD: dict[str, Callable[[Case], list[str] | None]] = {
    check.__name__: check
    for check in (room_rule, room_type, cuisine, attraction_type, event_type, transportation, budget)
}
"""The seven checks by name, in the paper's order."""
