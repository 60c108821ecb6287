"""The seven hard checks as the released evaluator runs them, slips included (1.F, T6, T7, T15).

A check returns None where the query asks for nothing. It raises what the evaluator raises; see `commonsense.py`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping

from assets.tripcraft.published.commonsense import MEALS, Days, Trip
from assets.tripcraft.published.texts import NOTHING, entries, from_to, name_and_city
from assets.tripcraft.published.world import SEATS, Row, World, price_of

FORBIDDEN_BY = {
    "smoking": "No smoking",
    "parties": "No parties",
    "children under 10": "No children under 10",
    "visitors": "No visitors",
    "pets": "No pets",
}

ROOM_TYPE = {"shared room": "shared_room", "private room": "private_room", "entire room": "entire_room"}
"""What a row must say for each request; no row says `entire_room` (T6)."""


def room_rule(trip: Trip) -> bool | None:
    """Return whether no stay's rules hold the words that forbid what is asked; rules unknown hold none."""
    house_rule = trip.query["local_constraint"]["house rule"]
    if house_rule is None:
        return None
    return all(FORBIDDEN_BY[house_rule] not in stay["house_rules"] for stay in _stays(trip.days, trip.world))


def room_type(trip: Trip) -> bool | None:
    """Return whether every stay is of the type asked."""
    room = trip.query["local_constraint"]["room type"]
    if room is None:
        return None
    if room == "not shared room":
        return all(stay["roomType"] != ROOM_TYPE["shared room"] for stay in _stays(trip.days, trip.world))
    return all(stay["roomType"] == ROOM_TYPE[room] for stay in _stays(trip.days, trip.world))


def cuisine(trip: Trip) -> bool | None:
    """Return whether meals outside the origin serve every cuisine asked; one there hides the day's later ones (T15)."""
    cuisines = trip.query["local_constraint"]["cuisine"]
    if not cuisines:
        return None
    served_cuisines: set[str] = set()
    for day in trip.days:
        for meal in MEALS:
            if day[meal] in NOTHING:
                continue
            place = name_and_city(day[meal])
            if place[1] == trip.query["org"]:
                break
            row = trip.world.restaurant(place)
            served_cuisines |= {kind for kind in cuisines if row is not None and kind in row["cuisines"]}
    return len(served_cuisines) == len(cuisines)


def attraction_type(trip: Trip) -> bool | None:
    """Return whether visits outside the origin show every category asked for."""
    categories = _kind_list(trip.query["local_constraint"]["attraction"])
    if not categories:
        return None
    visited_categories: set[str] = set()
    for day in trip.days:
        for part in entries(day["attraction"]) if day["attraction"] not in NOTHING else ():
            place = name_and_city(part)
            row = trip.world.attraction(place) if place[1] != trip.query["org"] else None
            visited_categories |= {kind for kind in categories if row is not None and kind in row["subcategories"]}
    return len(visited_categories) == len(categories)


def event_type(trip: Trip) -> bool | None:
    """Return whether an event of every kind asked for is named, one on a date of the trip, whatever the day."""
    segments = _kind_list(trip.query["local_constraint"]["event"])
    if not segments:
        return None
    dates = {"-".join(reversed(date.split("-"))) for date in trip.query["date"]}
    attended_segments: set[str] = set()
    for day in trip.days:
        for part in entries(day["event"]) if day["event"] not in NOTHING else ():
            name, city = part.split(",")[0].strip(), part.rsplit(",", 1)[-1].strip()
            event_rows = (row for row in trip.world.events.get(city, ()) if row["dateTitle"] in dates)
            row = next((row for row in event_rows if name in row["name"]), None)
            attended_segments |= {kind for kind in segments if row is not None and kind == row["segmentName"]}
    return len(attended_segments) == len(segments)


def transportation(trip: Trip) -> bool | None:
    """Return whether no day's transport holds the word that the query excludes."""
    request = trip.query["local_constraint"]["transportation"]
    if request is None:
        return None
    word = {"no flight": "Flight", "no self-driving": "Self-driving"}[request]
    return not any(word in day["transportation"] for day in trip.days if day["transportation"] not in NOTHING)


def budget(trip: Trip) -> bool | None:
    """Return whether the trip costs no more than the budget."""
    return total_cost(trip) <= trip.query["budget"]


def total_cost(trip: Trip) -> float:
    """Return what the evaluator adds up; stays cost 0 where their price does not parse (T7).

    Raises TypeError for a drive that no road leads: the evaluator multiplies a cost that is none.
    """
    people = trip.query["people_number"]
    cost = 0.0
    for day in trip.days:
        cost += _transport_cost(day, people, trip.world)
        for meal in MEALS:
            row = trip.world.restaurant(name_and_city(day[meal])) if day[meal] not in NOTHING else None
            cost += float(row["avg_cost"]) * people if row is not None else 0
        for stay in _stays([day], trip.world):
            price = price_of(stay)
            cost += price * math.ceil(people / float(stay["max_occupancy"])) if price else 0
    return cost


def _transport_cost(day: Mapping[str, str], people: int, world: World) -> float:
    """Return the cost of the day's transport: between the cities its own text names, else the day's."""
    text = day["transportation"]
    if text in NOTHING:
        return 0.0
    origin, dest = from_to(text)
    if origin is None or dest is None:
        origin, dest = from_to(day["current_city"])
    if origin is None or dest is None:
        return 0.0
    lowered = text.lower()
    if "flight number" in lowered:
        rows = world.flights(text.split("Flight Number: ")[1].split(",")[0])
        return float(rows[0]["Price"]) * people if rows else 0.0
    mode = next((word for word in ("self-driving", "taxi") if word in lowered), None)
    if mode is None:
        return 0.0
    cost = world.drive_cost(mode, origin, dest)
    if cost is None:
        raise TypeError(f"no road leads from {origin} to {dest}")
    return cost * math.ceil(people / SEATS[mode])


def _stays(days: Days, world: World) -> Iterator[Row]:
    for day in days:
        row = world.stay(name_and_city(day["accommodation"])) if day["accommodation"] not in NOTHING else None
        if row is not None:
            yield row


def _kind_list(kinds: str | list[str] | None) -> list[str]:
    return [kinds] if isinstance(kinds, str) else kinds or []


HARD: dict[str, Callable[[Trip], bool | None]] = {
    check.__name__: check
    for check in (room_rule, room_type, cuisine, attraction_type, event_type, transportation, budget)
}
"""The seven checks by name, in the paper's order."""
