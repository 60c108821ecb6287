"""What a certificate says that a witness is made of, held against the plan: written out, its parts must be the plan.

A plan names places and services in words; pages, maps and the published files of a trip take them from these parts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Any

from assets.tripcraft.plan import MEALS, SCHEDULED, drive_text, item_text, name_city, route_text, scheduled_text
from assets.tripcraft.records import Record
from assets.tripcraft.reference import Reference

VISITS = ("morning", "afternoon")
NIGHT = "stay"


def otherwise_made(record: Record, plan: Any, proof: dict[str, Any], reference: Reference) -> Iterator[str]:
    """Yield where the parts of a witness, written out, are not its plan, and what else they say that is not so."""
    try:
        proof_days = [_day(record, proof, reference, number) for number in range(len(plan))]
    except (LookupError, TypeError) as error:
        yield f"what it is made of names no day, place or service that is there: {error}"
        return
    for number, (actual, expected) in enumerate(zip(plan, proof_days, strict=True), start=1):
        for key in sorted({*actual, *expected}):
            if actual.get(key) != expected.get(key):
                yield (
                    f"day {number}: {key} is {actual.get(key)!r:.80}; what it is made of says {expected.get(key)!r:.80}"
                )
    cities, days = len(proof["cities"]), len(plan)
    counts = {"moves": cities + 1, "stays": cities, "days": days, "events": days}
    for name, count in counts.items():
        if len(proof[name]) != count:
            yield f"has {len(proof[name])} {name}, expected {count}"
    for move, ends, date in zip(proof["moves"], _ends(record, proof), record["dates"][::2], strict=False):
        actual, expected = (move["origin_city_id"], move["dest_city_id"], move["date"]), (*ends, date)
        if actual != expected:
            yield f"goes {' '.join(actual)}, expected {' '.join(expected)}"
    for city, stay in zip(proof["cities"], proof["stays"], strict=False):
        rooms = _one(reference.stays_in(stay["city_id"]), stay["place_id"]).rooms(record["people"])
        if (stay["city_id"], stay["rooms"]) != (city, rooms):
            yield f"takes {stay['rooms']} rooms in {stay['city_id']}, expected {rooms} in {city}"


def _ends(record: Record, proof: dict[str, Any]) -> list[tuple[str, str]]:
    """Return the cities between which each move goes: out from the origin, on, and home."""
    stops = [record["origin_city_id"], *proof["cities"], record["origin_city_id"]]
    return list(pairwise(stops))


def _day(record: Record, proof: dict[str, Any], reference: Reference, number: int) -> dict[str, Any]:
    """Return a day of the plan, written out. Raises LookupError for what is not there."""
    leg, is_moving, items = number // 2, number % 2 == 0, proof["days"][number]
    origin, dest = (reference.cities[city].name for city in _ends(record, proof)[leg])
    of_slot = {item["slot"]: item for item in items}
    stay = proof["stays"][leg] if number + 1 < len(proof["days"]) else None
    meals = {meal: _place_text(reference, of_slot[meal]) if meal in of_slot else "-" for meal in MEALS}
    events = (
        name_city(_event(reference, event).name, reference.cities[event["city_id"]].name)
        for event in proof["events"][number]
    )
    return {
        "days": number + 1,
        "current_city": route_text(origin, dest) if is_moving else dest,
        "transportation": _way(reference, proof["moves"][leg], origin, dest) if is_moving else "-",
        **meals,
        "attraction": "; ".join(_place_text(reference, of_slot[visit]) for visit in VISITS if visit in of_slot) or "-",
        "accommodation": _place_text(reference, {**stay, "slot": NIGHT}) if stay is not None else "-",
        "event": "; ".join(events) or "-",
        "point_of_interest_list": "; ".join(_entry(reference, item) for item in items) + ".",
    }


def _way(reference: Reference, move: dict[str, Any], origin: str, dest: str) -> str:
    ends = move["origin_city_id"], move["dest_city_id"]
    if move["mode"] not in SCHEDULED:
        drive = reference.drive(*ends)
        if drive is None or move["flight_number"] is not None:
            raise LookupError(f"no drive {' '.join(ends)} under {move['flight_number']}")
        return drive_text(move["mode"], origin, dest, drive.duration_min, drive.distance_km, move["cost"])
    for service in reference.scheduled_by_number(move["flight_number"]):
        goes = service.mode, service.flight_date, service.origin_city_id, service.dest_city_id
        if goes == (move["mode"], move["date"], *ends):
            number = service.flight_number
            return scheduled_text(service.mode, number, origin, dest, service.dep_min, service.arr_min)
    raise LookupError(f"{move['mode']} {move['flight_number']} on {move['date']}, {' '.join(ends)}")


def _place_text(reference: Reference, item: dict[str, Any]) -> str:
    return name_city(_place(reference, item).name, reference.cities[item["city_id"]].name)


def _place(reference: Reference, item: dict[str, Any]) -> Any:
    slot, city = item["slot"], item["city_id"]
    if slot in MEALS:
        return _one(reference.restaurants_in(city), item["place_id"])
    if slot in VISITS:
        return _one(reference.attractions_in(city), item["place_id"])
    if slot != NIGHT:
        raise LookupError(f"{slot!r} is no part of a day")
    return _one(reference.stays_in(city), item["place_id"])


def _one(places: Iterable[Any], place_id: str) -> Any:
    for place in places:
        if place.place_id == place_id:
            return place
    raise LookupError(place_id)


def _event(reference: Reference, event_key: dict[str, Any]) -> Any:
    for event in reference.events_in(event_key["city_id"]):
        if event.event_id == event_key["event_id"]:
            return event
    raise LookupError(event_key["event_id"])


def _entry(reference: Reference, item: dict[str, Any]) -> str:
    place, stop = _place(reference, item), reference.stop(item["place_id"])
    if stop is None:
        raise LookupError(f"a stop near {item['place_id']}")
    verb = "stay" if item["slot"] == NIGHT else "visit"
    return item_text(place.name, verb, item["start_min"], item["end_min"], stop.name, stop.distance_m)
