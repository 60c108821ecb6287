"""The two commonsense checks that hold a plan against the reference: Within Sandbox and Within Current City (1.F)."""

from __future__ import annotations

from itertools import groupby

from assets.tripcraft.checks.case import Case
from assets.tripcraft.entities import City, Stop
from assets.tripcraft.plan import SCHEDULED, Day, Item, NameCity
from schemas.counts import counted

STOP_TOLERANCE_M = 5.0
"""How far a stated distance to a stop may be from the table's (1.F, check 8)."""


def within_sandbox(case: Case) -> list[str]:
    """Return everything the plan uses that the reference does not hold (check 8)."""
    problems: list[str] = []
    for index, day in enumerate(case.days):
        says = f"day {index + 1}"
        problems += [f"{says}: {what}" for what in _transport(case, index)]
        for meal, place_name in day.meals.items():
            if not case.restaurants(place_name):
                problems.append(f"{says}: {meal} `{place_name.name}` is no restaurant of `{place_name.city}`")
        for place_name in day.attractions:
            if not case.attractions(place_name):
                problems.append(f"{says}: `{place_name.name}` is no attraction of `{place_name.city}`")
        if day.stay is not None and not case.stays(day.stay):
            problems.append(f"{says}: `{day.stay.name}` is no stay of `{day.stay.city}`")
        for place_name in day.events:
            events = case.events(place_name)
            if not events:
                problems.append(f"{says}: `{place_name.name}` is no event of `{place_name.city}`")
            elif case.variant.offers_are_real and not any(e.date == _date(case, index) for e in events):
                problems.append(f"{says}: event `{place_name.name}` is not on that day")
        problems += [f"{says}: {what}" for what in _stops(case, index)]
    return problems + (_minimum_nights(case) if case.variant.offers_are_real else [])


def within_current_city(case: Case) -> list[str]:
    """Return everything of a day that is not in the cities of that day (check 9)."""
    problems = []
    for number, day in enumerate(case.days, start=1):
        cities = case.route(day)
        if day.transport is not None and day.transport.mode not in ("self_driving", "taxi"):
            missing = [city for city in cities if city not in day.transport.text]
            problems += [f"day {number}: the transport does not name `{city}`" for city in missing]
        for place_name in (*day.meals.values(), *day.attractions, *day.events):
            if not any(place_name.city == city for city in cities):
                problems.append(f"day {number}: `{place_name.text.strip()}` is in none of the day's cities")
        if day.stay is not None and day.stay.city != cities[-1]:
            problems.append(f"day {number}: the stay `{day.stay.text.strip()}` is not in `{cities[-1]}`")
    return problems


def named_places(case: Case, index: int) -> list[NameCity]:
    """Return the places that the day's PoI list may hold: its meals, attractions and stay, and last night's stay."""
    day = case.days[index]
    return [*day.meals.values(), *day.attractions, *stays_about(case, index)]


def stays_about(case: Case, index: int) -> list[NameCity]:
    """Return where the night after the day is spent, and the one before."""
    before = case.days[index - 1].stay if index else None
    return [stay for stay in (case.days[index].stay, before) if stay is not None]


def _date(case: Case, index: int) -> str:
    return case.record["dates"][index]


def _transport(case: Case, index: int) -> list[str]:
    transport, legs = case.days[index].transport, case.legs(case.days[index])
    if transport is None:
        return []
    if transport.mode is None or legs is None:
        return [f"the transport `{transport.text[:80]}` is no flight or drive between two cities of the reference"]
    if transport.mode not in SCHEDULED:
        word = transport.mode.replace("_", "-")
        stated_routes = [tuple(case.reference.city_named(name) for name in route) for route in transport.routes]
        if case.variant.moves_are_made and stated_routes and not any(_are(cities, legs) for cities in stated_routes):
            return [f"the transport `{transport.text[:80]}` leads elsewhere than the day"]
        return [] if case.reference.drive(*legs) else [f"there is no way to go by {word} from {legs[0]} to {legs[1]}"]
    what, number = transport.mode, transport.flight_number
    if number is None:
        return [f"the {what} has no number"]
    services = [
        service
        for service in case.reference.scheduled_by_number(number)
        if (service.origin_city_id, service.dest_city_id, service.mode) == (*legs, what)
    ]
    if not services:
        return [f"there is no {what} {number} from {legs[0]} to {legs[1]}"]
    services = [service for service in services if service.flight_date == _date(case, index)]
    if not services:
        return [f"{what} {number} does not leave on {_date(case, index)}"]
    stated = (transport.dep_min, transport.arr_min)
    if not any((service.dep_min, service.arr_min % 1440) == stated for service in services):
        return [f"{what} {number} does not leave and arrive at the times stated"]
    return []


def _are(cities: tuple[City | None, ...], legs: tuple[str, str]) -> bool:
    return tuple(city.city_id if city else "" for city in cities) == legs


def _stops(case: Case, index: int) -> list[str]:
    return [
        f"`{item.stop_name}`, {item.distance_m or 0:g} m away, is not the nearest stop of `{item.name}`"
        for item in case.days[index].items
        if item.stop_name is not None and stop_of(case, index, item) is None
    ]


def stop_of(case: Case, index: int, item: Item) -> Stop | None:
    """Return the world's nearest stop of an entry's place, None where the entry states another, or there is none."""
    return next((stop for stop in _candidates(case, index, item) if _same_stop(item, stop)), None)


def _same_stop(item: Item, stop: Stop) -> bool:
    return item.stop_name == stop.name and abs((item.distance_m or 0.0) - stop.distance_m) <= STOP_TOLERANCE_M


def _candidates(case: Case, index: int, item: Item) -> list[Stop]:
    reference = case.reference
    place_names = [place for place in named_places(case, index) if place.name == item.name]
    if not place_names:
        place_names = [NameCity(item.name, city, item.text) for city in case.route(case.days[index])]
    places = [p for n in place_names for find in (case.restaurants, case.attractions, case.stays) for p in find(n)]
    return [stop for place in places if (stop := reference.stop(place.place_id)) is not None]


def _minimum_nights(case: Case) -> list[str]:
    def key(day: Day) -> tuple[str, str] | None:
        return (day.stay.name, day.stay.city) if day.stay is not None else None

    problems = []
    for _, run in groupby(case.days, key):
        nights = list(run)
        stay = nights[0].stay
        problems += [
            f"`{place.name}` lets {counted(place.min_nights, 'night')} or more; planned: {len(nights)}"
            for place in (case.stays(stay) if stay is not None else ())
            if place.min_nights is not None and len(nights) < place.min_nights
        ]
    return problems
