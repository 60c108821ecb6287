"""What holds of a witness beyond the seventeen published checks: opening hours and the ways between places.

The published rules judge neither (1.F), so a planner is not scored by them; a witness must keep both. Nothing here
knows how plans are made.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator
from itertools import pairwise

from assets.tripcraft.checks.case import Case
from assets.tripcraft.checks.grounding import stays_about
from assets.tripcraft.entities import Attraction, Drive, Restaurant
from assets.tripcraft.facts.hours import windows_on
from assets.tripcraft.facts.travel import Place, way_min
from assets.tripcraft.plan import Item, Mode, drive_text, item_text, scheduled_text
from schemas.counts import counted

MODES: tuple[Mode, ...] = ("self_driving", "taxi")


def open_when_visited(case: Case) -> list[str]:
    """Return every meal and visit outside the opening hours of its place, as far as they are known.

    Nobody goes out before the evening, known hours or not (`facts/hours.py`).
    """
    problems = []
    for index, day in enumerate(case.days):
        for item in day.items:
            for place in _places(case, index, item):
                if not isinstance(place, Attraction | Restaurant):
                    continue
                windows = windows_on(place, case.record["dates"][index])
                if windows is not None and not any(a <= item.start_min and item.end_min <= b for a, b in windows):
                    problems.append(
                        f"day {index + 1}: `{item.name}` is not open from {item.start_min} to {item.end_min}"
                    )
    return problems


def ways_kept(case: Case) -> list[str]:
    """Return every two entries of a day's list between which there is less time than the way takes."""
    return [
        f"day {day}: {gap} min from `{item.name}` to `{next_item.name}`, the way takes {needed}"
        for day, item, next_item, gap, needed, _ in _ways(case)
        if gap < needed
    ]


def ways_in_town(case: Case) -> dict[str, int]:
    """Return how many ways of the plan a router found, and how many are estimated from the geodesic."""
    routed = [is_routed for *_, is_routed in _ways(case)]
    return {"routed": sum(routed), "estimated": len(routed) - sum(routed)}


def _ways(case: Case) -> Iterator[tuple[int, Item, Item, int, int, bool]]:
    """Yield (day, from, to, minutes between them, minutes needed, whether routed) of neighbours in one city."""
    for index, day in enumerate(case.days):
        for item, next_item in pairwise(day.items):
            for a in _places(case, index, item):
                for b in _places(case, index, next_item):
                    if a.city_id == b.city_id and a.place_id != b.place_id:
                        needed, is_routed = way_min(a, b, case.reference.town_ways)
                        yield index + 1, item, next_item, next_item.start_min - item.end_min, needed, is_routed


def _places(case: Case, index: int, item: Item) -> list[Place]:
    """Return the places that the entry stands for, those of its name: for a meal restaurants, for a night stays."""
    day = case.days[index]
    finds = (
        (case.restaurants, day.meals.values()),
        (case.attractions, day.attractions),
        (case.stays, stays_about(case, index)),
    )
    lookups = {
        (find, place.city): place for find, place_names in finds for place in place_names if place.name == item.name
    }
    return list({p.place_id: p for (find, _), place in lookups.items() for p in find(place)}.values())


def transport_is_as_offered(case: Case) -> list[str]:
    """Return every day's transport that is not, to the letter, on offer: scheduled, or a drive at its rates."""
    problems = []
    for index, day in enumerate(case.days):
        if day.transport is None:
            continue
        text, legs = day.transport.text, case.legs(day)
        offered: list[str] = []
        if legs is not None:
            origin, dest = (case.reference.cities[city].name for city in legs)
            offered += [
                scheduled_text(s.mode, s.flight_number, origin, dest, s.dep_min, s.arr_min)
                for s in case.reference.scheduled_by_number(day.transport.flight_number or "")
                if (s.origin_city_id, s.dest_city_id) == legs
            ]
            drive = case.reference.drive(*legs)
            offered += [] if drive is None else _drives(case, origin, dest, drive)
        if text.strip() not in offered:
            problems.append(f"day {index + 1}: `{text:.80}` is no way that the world offers")
    return problems


def _drives(case: Case, origin: str, dest: str, drive: Drive) -> list[str]:
    rates, people = case.reference.car_rates, case.record["people"]
    return [
        drive_text(
            mode, origin, dest, drive.duration_min, drive.distance_km, rates.cost(mode, drive.distance_km, people)
        )
        for mode in MODES
    ]


def list_says_no_more_than_it_means(case: Case) -> list[str]:
    """Return every day's list that is not, to the letter, its entries written out: what nobody reads is not judged."""
    problems = []
    for index, day in enumerate(case.days):
        item_texts = [
            item_text(item.name, item.verb, item.start_min, item.end_min, item.stop_name or "", item.distance_m or 0.0)
            for item in day.items
        ]
        if _entries(day.fields["point_of_interest_list"]) != item_texts:
            problems.append(f"day {index + 1}: the list holds text that is no part of its entries")
    return problems


def _entries(text: str) -> list[str]:
    """Return the entries of a list as they are written, without the full stop that ends it."""
    return [part for part in (part.strip() for part in text.strip().removesuffix(".").split(";")) if part != "-"]


def dates_are_the_days(case: Case) -> list[str]:
    """Return what is wrong with the record's dates: they follow one another, and are as many as the plan's days."""
    dates = [dt.date.fromisoformat(date) for date in case.record["dates"]]
    problems = (
        []
        if len(dates) == len(case.days)
        else [f"{counted(len(case.days), 'day')} planned for {counted(len(dates), 'date')}"]
    )
    return problems + [f"{b} does not follow {a}" for a, b in pairwise(dates) if b - a != dt.timedelta(days=1)]


SOUNDNESS: dict[str, Callable[[Case], list[str]]] = {
    check.__name__: check
    for check in (
        dates_are_the_days,
        open_when_visited,
        ways_kept,
        transport_is_as_offered,
        list_says_no_more_than_it_means,
    )
}
"""What a witness keeps beside the published checks, by name."""
