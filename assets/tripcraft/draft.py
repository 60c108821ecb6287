"""Drafts: the records of a release's tasks, drawn slot by slot from the published distributions (1.D).

A draw is asked of `itinerary.py` whether a trip could be made, and then of the caller whether one is; the published
feasibility rules, with their defects, are in `released.py`.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from assets.core.slots import slot_numbers
from assets.tripcraft.checks.budget import our_budget
from assets.tripcraft.draws import Draws
from assets.tripcraft.facts.itinerary import find_itinerary
from assets.tripcraft.facts.obstacles import Kind, Obstacle
from assets.tripcraft.facts.ways import can_go
from assets.tripcraft.published.released import released_budget
from assets.tripcraft.reference import Reference
from assets.tripcraft.section import TripcraftSection
from assets.tripcraft.solver import Witness
from assets.tripcraft.tables import (
    FORBIDDEN_BY,
    PERSONA,
    ROOM_TYPES_MEETING,
    TRANSPORT_REQUESTS,
    VISITED_CITIES,
    Constraints,
    Record,
)
from schemas.stable import content_hash

MOST_UNPLANNED = 40
"""Draws that looked feasible and have no witness after which a slot is given up: the recipe asks for too much [I]."""

SMALL_PARTY = 2
"""Parties up to this size may be asked to take a shared room (1.D)."""

SMALL_PARTY_ROOMS = tuple(ROOM_TYPES_MEETING)
LARGE_PARTY_ROOMS = ("private room", "entire room")


@dataclass(frozen=True)
class Slot:
    """A task's place in the release; its draws are seeded by its id."""

    task_id: str
    number: int
    days: int
    level: str


@dataclass(frozen=True)
class Draft:
    """A slot's record and its witness, or None and the obstacles met most often, in words; and the draws it took.

    `redrawn`: the draws dropped, by the kind of the first thing in their way.
    """

    slot: Slot
    record: Record | None
    attempts: int
    obstacles: tuple[str, ...] = ()
    redrawn: Mapping[Kind, int] = field(default_factory=dict)
    witness: Witness | None = None


FindWitness = Callable[[Slot, Record], Witness | Sequence[Obstacle]]
"""What shows that a record can be planned: a witness, or what stands in its way."""


def slots(section: TripcraftSection, retired: Collection[str] = ()) -> list[Slot]:
    """Return the slots of a release. A task keeps its id when other lengths or levels grow or shrink."""
    found = []
    for days, levels in sorted(section.table().items()):
        for level, count in levels.items():
            name = f"tripcraft-{days}d-{level}-{{:04d}}".format
            found += [Slot(name(number), number, days, level) for number in slot_numbers(count, name, retired)]
    return found


def draft_records(
    reference: Reference,
    section: TripcraftSection,
    *,
    seed: int,
    find_witness: FindWitness | None = None,
    retired: Collection[str] = (),
) -> list[Draft]:
    """Return one draft for each slot; records differ from each other, whatever their personas.

    Without `find_witness` records are as drawn: a rough trip can be made (in the released variant, not even that).
    """
    taken: set[str] = set()
    allowed = {days: destinations(reference, section, days) for days in section.lengths()}
    every = slots(section, retired)
    return [_draft(reference, section, slot, seed, allowed[slot.days], taken, find_witness) for slot in every]


def start_dates(section: TripcraftSection, days: int) -> list[dt.date]:
    """Return the dates a trip may start on so that it ends in the window.

    The released variant never draws the window's last date (1.D), which ours does.
    """
    last = section.last_date - dt.timedelta(days=1 if section.variant == "released" else 0)
    count = (last - section.first_date).days + 2 - days
    return [section.first_date + dt.timedelta(days=i) for i in range(count)]


def destinations(reference: Reference, section: TripcraftSection, days: int) -> list[str]:
    """Return the cities that trips of the length may be drawn to, whatever their origin.

    One city: any that has places to plan (published: any). A region: any city of one that has enough of them (1.D).
    """
    cities = reference.cities
    if VISITED_CITIES[days] == 1:
        return [city for city in cities if section.variant == "released" or _has_places(reference, city)]
    sizes = Counter((c.region, c.country) for c in cities.values())
    return [c for c, city in cities.items() if sizes[city.region, city.country] >= section.least_region_cities]


def draw_record(
    reference: Reference, section: TripcraftSection, slot: Slot, draws: Draws, allowed: Sequence[str]
) -> Record | Obstacle:
    """Return a record drawn for the slot, its budget still 0, or why there is none to draw.

    `allowed` are the `destinations` of the slot's length.
    """
    first = draws.one("date", start_dates(section, slot.days))
    dates = [str(first + dt.timedelta(days=i)) for i in range(slot.days)]
    origin = draws.one("origin", reference.cities)
    dest = _destination(reference, section, draws, origin, dates, allowed)
    if dest is None:
        return Obstacle("nowhere", "no destination can be reached from the origin on the dates")
    city = reference.cities[dest]
    people = section.people_easy
    if slot.level != "easy":
        (people,) = draws.weighted("people", section.people, 1)
    return {
        "origin_city_id": origin,
        "dest_city_id": dest if VISITED_CITIES[slot.days] == 1 else None,
        "dest_region": city.region,
        "dest_country": city.country,
        "days": slot.days,
        "visiting_city_number": VISITED_CITIES[slot.days],
        "dates": dates,
        "people": people,
        "constraints": draw_constraints(section, slot.level, people, draws),
        "budget": 0,
        "level": slot.level,
        "persona": {component: draws.one(component, values) for component, values in PERSONA.items()},
    }


def draw_constraints(section: TripcraftSection, level: str, people: int, draws: Draws) -> Constraints:
    """Return the drawn constraints: none, one or three by default; which, by the level's weights; values uniform."""
    weights = {"medium": section.weights_medium, "hard": section.weights_hard}.get(level, {})
    asked = set(draws.weighted("constraints", weights, section.constraints.of(level)))
    rooms = SMALL_PARTY_ROOMS if people <= SMALL_PARTY else LARGE_PARTY_ROOMS

    def several(key: str, pool: Iterable[str], count: int) -> list[str] | None:
        return sorted(draws.order(key, pool)[:count]) if key in asked else None

    return {
        "house_rule": draws.one("house_rule", FORBIDDEN_BY) if "house_rule" in asked else None,
        "cuisine": several("cuisine", section.cuisines, section.cuisines_asked.of(level)),
        "room_type": draws.one("room_type", rooms) if "room_type" in asked else None,
        "transportation": draws.one("transportation", TRANSPORT_REQUESTS) if "transportation" in asked else None,
        "event": several("event", section.segments, section.segments_asked.of(level)),
        "attraction": several("attraction", section.categories, section.categories_asked.of(level)),
    }


def identity(record: Record) -> str:
    """Return the hash by which records are told apart: all but the persona, as the published records have none."""
    return content_hash({key: value for key, value in record.items() if key != "persona"})


def _draft(
    reference: Reference,
    section: TripcraftSection,
    slot: Slot,
    seed: int,
    allowed: Sequence[str],
    taken: set[str],
    find_witness: FindWitness | None,
) -> Draft:
    met: Counter[str] = Counter()
    redrawn: Counter[Kind] = Counter()
    unplanned, attempt = 0, 0
    nowhere = _nowhere(reference, section, slot, allowed)
    if nowhere:
        return Draft(slot, None, 0, (nowhere,))
    while attempt < section.max_attempts and unplanned < MOST_UNPLANNED:
        draws = Draws(seed, slot.task_id, attempt)
        attempt += 1
        record = draw_record(reference, section, slot, draws, allowed)
        obstacles: Sequence[Obstacle]
        obstacles = [record] if isinstance(record, Obstacle) else _settle(reference, section, record, draws)
        if not isinstance(record, Obstacle) and not obstacles:
            if identity(record) in taken:
                obstacles = [Obstacle("duplicate", "the record equals another task's")]
            else:
                found = find_witness(slot, record) if find_witness is not None else None
                if found is None or isinstance(found, Witness):
                    taken.add(identity(record))
                    return Draft(slot, record, attempt, redrawn=redrawn, witness=found)
                obstacles, unplanned = found, unplanned + 1
        met.update(obstacles)
        redrawn[obstacles[0].kind] += 1
    most = sorted(met, key=lambda what: (-met[what], what))[:5]
    return Draft(slot, None, attempt, tuple(f"{what} ({met[what]} times)" for what in most), redrawn)


def _settle(reference: Reference, section: TripcraftSection, record: Record, draws: Draws) -> list[Obstacle]:
    """Set the record's budget and return what stands in the way of a plan."""
    if section.variant == "released":
        budget, obstacles = released_budget(reference, record)
        record["budget"] = budget
        return obstacles
    itinerary, obstacles = find_itinerary(reference, record, draws, section.longest_drive_min)
    if itinerary is not None:
        record["budget"] = our_budget(record, itinerary, section)
    return obstacles


def _nowhere(reference: Reference, section: TripcraftSection, slot: Slot, allowed: Sequence[str]) -> str:
    """Return why no trip of the slot's length can go anywhere, or an empty text."""
    regions = {(c.region, c.country) for c in reference.cities.values()}
    if len(regions) < 2:
        return f"all {len(reference.cities)} cities lie in one region; origin and destination lie in different ones"
    if not allowed:
        least = section.least_region_cities
        return f"no region has {least} cities, as {slot.days}-day trips need" if slot.days > 3 else "no city has places"
    return ""


def _has_places(reference: Reference, city_id: str) -> bool:
    of_each_kind = (reference.plannable_stays, reference.plannable_restaurants, reference.plannable_attractions)
    return all(plannable(city_id) for plannable in of_each_kind)


def _destination(
    reference: Reference,
    section: TripcraftSection,
    draws: Draws,
    origin: str,
    dates: list[str],
    allowed: Sequence[str],
) -> str | None:
    """Return a city of another region, or of the region to visit; ours only where one can get on the dates."""
    home = reference.cities[origin]
    options = [
        city_id
        for city_id in allowed
        if (reference.cities[city_id].region, reference.cities[city_id].country) != (home.region, home.country)
    ]
    for city_id in draws.order("destination", options):
        if section.variant == "released" or _can_be_reached(reference, section, origin, city_id, dates):
            return city_id
    return None


def _can_be_reached(
    reference: Reference, section: TripcraftSection, origin: str, city_id: str, dates: list[str]
) -> bool:
    longest = section.longest_drive_min
    if not can_go(reference, origin, city_id, dates[0], longest):
        return False
    return VISITED_CITIES[len(dates)] > 1 or can_go(reference, city_id, origin, dates[-1], longest)
