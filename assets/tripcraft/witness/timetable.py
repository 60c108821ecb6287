"""Phase two of the witness: the times of every day, and the native plan they are written in.

Given what phase one chose this never fails, and everything is decided day by day: meals at their best times, visits
as long as the metric expects where the gap allows, the ways between them, and the stays around them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from assets.tripcraft.entities import Attraction, Event
from assets.tripcraft.persona import Taste
from assets.tripcraft.plan import item_text, name_city, route_text
from assets.tripcraft.records import Record
from assets.tripcraft.reference import Reference
from assets.tripcraft.witness.hours import (
    GAP_WINDOW,
    GRID_MIN,
    least_visit_min,
    open_windows,
    wanted_visit_min,
)
from assets.tripcraft.witness.selection import Choice, Minutes, Slot
from assets.tripcraft.witness.spots import Spot, meal_in

WAKE_MIN = 480
"""When a night at the stay ends, unless the day begins earlier [I]."""

LEAST_MORNING_MIN = 30
"""Time between the end of the night and leaving the stay [I]."""

PAUSE_MIN = 60
"""Time between two visits that no planned meal parts [I]; less than from the first gap's end to the second's begin."""


@dataclass(frozen=True)
class TimedEntry:
    """One entry of a day's PoI list; minutes from the day's midnight."""

    spot: Spot
    verb: str
    start: int
    end: int
    slot: Slot | None = None


def timetable(record: Record, taste: Taste, choice: Choice, minutes: Sequence[Minutes]) -> list[list[TimedEntry]]:
    """Return the PoI list of every day, nights included."""
    bodies = [_body(record, taste, choice, minutes, day) for day in range(record["days"])]
    wakes = [WAKE_MIN] * record["days"]
    days: list[list[TimedEntry]] = []
    for day, (old, new) in enumerate(bodies):
        items: list[TimedEntry] = []
        move = choice.moves[day // 2] if day % 2 == 0 else None
        if day:
            stay = choice.stays[(day - 1) // 2]
            table = minutes[(day - 1) // 2]
            leave = old[0].start - table[stay.place_id, old[0].spot.place_id] if old else _leave_by(choice, day)
            wakes[day] = min(WAKE_MIN, leave - LEAST_MORNING_MIN)
            items += [TimedEntry(stay, "stay", wakes[day], leave), *old]
        if move is not None and day + 1 < record["days"]:
            stay, table = choice.stays[day // 2], minutes[day // 2]
            if new:
                first = table[stay.place_id, new[0].spot.place_id]
                items += [TimedEntry(stay, "stay", move.free_from, new[0].start - first), *new]
        days.append(items)
    for day, items in enumerate(days[:-1]):
        stay, table = choice.stays[day // 2], minutes[day // 2]
        ends_night = wakes[day + 1] + 1440
        if day % 2 == 0 and not bodies[day][1]:
            items.append(TimedEntry(stay, "stay", choice.moves[day // 2].free_from, ends_night))
        else:
            items.append(
                TimedEntry(stay, "stay", items[-1].end + table[items[-1].spot.place_id, stay.place_id], ends_night)
            )
    return days


def native_plan(
    reference: Reference,
    record: Record,
    cities: Sequence[str],
    choice: Choice,
    days: Sequence[Sequence[TimedEntry]],
    events: Sequence[Sequence[Event]],
) -> list[dict[str, Any]]:
    """Return the plan in the published shape (1.D); `events` of each day."""
    names = [reference.cities[city].name for city in (record["origin_city_id"], *cities, record["origin_city_id"])]
    plan = []
    for day, items in enumerate(days):
        is_moving = day % 2 == 0
        item_by_slot = {item.slot.name: item for item in items if item.slot is not None}
        visits = [item_by_slot[gap] for gap in GAP_WINDOW if gap in item_by_slot]
        stay = choice.stays[day // 2] if day + 1 < record["days"] else None
        where = {spot.place_id: names[city + 1] for city in range(len(cities)) for spot in _of_city(choice, city)}
        meals = {
            meal: name_city(item_by_slot[meal].spot.place.name, where[item_by_slot[meal].spot.place_id])
            if meal in item_by_slot
            else "-"
            for meal in ("breakfast", "lunch", "dinner")
        }
        plan.append(
            {
                "days": day + 1,
                "current_city": route_text(names[day // 2], names[day // 2 + 1]) if is_moving else names[day // 2 + 1],
                "transportation": choice.moves[day // 2].text if is_moving else "-",
                "breakfast": meals["breakfast"],
                "attraction": "; ".join(name_city(v.spot.place.name, where[v.spot.place_id]) for v in visits) or "-",
                "lunch": meals["lunch"],
                "dinner": meals["dinner"],
                "accommodation": name_city(stay.place.name, where[stay.place_id]) if stay is not None else "-",
                "event": "; ".join(name_city(e.name, reference.cities[e.city_id].name) for e in events[day]) or "-",
                "point_of_interest_list": "; ".join(_text(reference, item) for item in items) + ".",
            }
        )
    return plan


def _body(
    record: Record, taste: Taste, choice: Choice, minutes: Sequence[Minutes], day: int
) -> tuple[list[TimedEntry], list[TimedEntry]]:
    """Return the day's meals and visits in the city it begins in, and those in the city it moves to."""
    slots = sorted(slot for slot in choice.spots if slot.day == day)
    visits = sum(not slot.is_meal for slot in slots)
    times: dict[Slot, TimedEntry] = {}
    for slot in slots:
        spot = choice.spots[slot]
        if slot.is_meal:
            meal = meal_in(spot, record["days"], slot.name, record["dates"][day])
            assert meal is not None
            times[slot] = TimedEntry(spot, "visit", meal[1], meal[2], slot)
    for slot in slots:
        if not slot.is_meal:
            low, high = _free(choice, minutes[slot.city], times, slot)
            times[slot] = _visit(record, taste, choice.spots[slot], slot, low, high, visits)
    is_new = {slot: day % 2 == 0 and slot.city == day // 2 for slot in slots}
    return [times[s] for s in slots if not is_new[s]], [times[s] for s in slots if is_new[s]]


def _free(choice: Choice, table: Minutes, times: dict[Slot, TimedEntry], slot: Slot) -> tuple[int, int]:
    """Return from when to when the visit may last, the ways there and on subtracted."""
    place_id, (begins, ends) = choice.spots[slot].place_id, GAP_WINDOW[slot.name]
    city_slots = [other for other in times if other.city == slot.city]
    before = next((other for other in sorted(city_slots, reverse=True) if other.order < slot.order), None)
    after = next((other for other in sorted(city_slots) if other.order > slot.order), None)
    if before is not None:
        pause = 0 if before.is_meal else PAUSE_MIN
        low = times[before].end + pause + table[times[before].spot.place_id, place_id]
    else:
        low = begins + table[choice.stays[slot.city].place_id, place_id]
    if after is not None:
        return low, times[after].start - table[place_id, times[after].spot.place_id]
    return low, ends - (table[place_id, choice.stays[slot.city].place_id] if _is_last_night(slot) else 0)


def _visit(record: Record, taste: Taste, spot: Spot, slot: Slot, low: int, high: int, visits: int) -> TimedEntry:
    """Return the visit as long as expected, else as long as the gap and the opening hours allow, as early as may be."""
    place = spot.place
    assert isinstance(place, Attraction)
    expected_min = wanted_visit_min(record["days"], place.visit_duration_h, visits, is_adventurous=taste.is_adventurous)
    least = least_visit_min(place.visit_duration_h)
    best: tuple[float, int, int] | None = None
    for opens, closes in open_windows(place, record["dates"][slot.day]):
        start = -(-max(low, opens) // GRID_MIN) * GRID_MIN
        room = min(high, closes) // GRID_MIN * GRID_MIN - start
        length = min(room, max(least, round(expected_min / GRID_MIN) * GRID_MIN))
        if length >= least and (best is None or abs(length - expected_min) < best[0]):
            best = (abs(length - expected_min), start, start + length)
    assert best is not None
    return TimedEntry(spot, "visit", best[1], best[2], slot)


def _is_last_night(slot: Slot) -> bool:
    """Return whether the day's stay is in the slot's city: every day but the one that leaves it."""
    return slot.day % 2 == 1 or slot.city == slot.day // 2


def _leave_by(choice: Choice, day: int) -> int:
    return choice.moves[day // 2].leave_by


def _of_city(choice: Choice, city: int) -> list[Spot]:
    return [choice.stays[city], *(spot for slot, spot in choice.spots.items() if slot.city == city)]


def _text(reference: Reference, item: TimedEntry) -> str:
    stop = reference.stop(item.spot.place_id)
    assert stop is not None
    return item_text(item.spot.place.name, item.verb, item.start, item.end, stop.name, stop.distance_m)
