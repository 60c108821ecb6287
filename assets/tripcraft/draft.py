"""Drafts: the records of a release's tasks, drawn slot by slot from the published distributions (1.D).

A draw is asked of `itinerary.py` whether a trip could be made; whether one is, the core asks the solver. The published
feasibility rules, with their defects, are in `released.py`.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from assets.family import Drawn, Refused, Series, Slot
from assets.tripcraft import rules, wording
from assets.tripcraft.checks.budget import our_budget
from assets.tripcraft.draws import Draws
from assets.tripcraft.entities import City
from assets.tripcraft.facts.itinerary import find_itinerary
from assets.tripcraft.facts.obstacles import Obstacle
from assets.tripcraft.facts.ways import can_go
from assets.tripcraft.mending import asked_trip, forms
from assets.tripcraft.published.released import released_budget
from assets.tripcraft.records import Constraints, Record
from assets.tripcraft.reference import Reference
from assets.tripcraft.section import TripcraftSection, rooms_for, start_dates
from assets.tripcraft.vocabulary import FORBIDDEN_BY, PERSONA, TRANSPORT_REQUESTS, VISITED_CITIES
from schemas.counts import counted


def slots(section: TripcraftSection) -> list[Series]:
    """Return a series for each length and level. A task keeps its id when the others grow or shrink."""
    return [
        Series(f"{days}d-{level}", count, level, {"days": days}, section.baseline_at_most.get(level, 1.0))
        for days, levels in sorted(section.table().items())
        for level, count in levels.items()
    ]


@dataclass(frozen=True)
class Drafting:
    """What drafts are made of: the `destinations` of each length, and the `forms` of published tasks."""

    reference: Reference
    section: TripcraftSection
    destinations_by_length: dict[int, list[str]]
    forms: dict[str, list[Drawn | Refused]] = field(default_factory=dict)

    def published_draw(self, slot: Slot, attempt: int) -> Drawn | Refused:
        """Return what the slot of a set that is asked for draws."""
        if slot.task_id not in self.forms:
            trip, trips = asked_trip(self.section, slot)
            repeats = next((other.task_id for other in trips if other.asks == trip.asks), trip.task_id)
            repeats = "" if repeats == trip.task_id else repeats
            self.forms[slot.task_id] = forms(slot, trip, self.reference, self.section, repeats)
        trip_forms = self.forms[slot.task_id]
        return trip_forms[min(attempt, len(trip_forms) - 1)]


def prepare(world: Reference, section: TripcraftSection, _: Sequence[Slot]) -> Drafting:
    """Return what a set is drafted with."""
    return Drafting(world, section, {days: destinations(world, section, days) for days in section.lengths()})


def draft(slot: Slot, attempt: int, drafting: Drafting, _: Sequence[Any] = ()) -> Drawn | Refused:
    """Return the slot's draw if a rough trip can be made and words say it, or what stands in the way.

    What a published set asks stands in place of draws: it is kept, mended, or retired.
    """
    reference, section = drafting.reference, drafting.section
    if section.asked:
        return drafting.published_draw(slot, attempt)
    allowed = drafting.destinations_by_length[slot.series.about["days"]]
    nowhere = _nowhere(reference, section, slot, allowed)
    if nowhere:
        return Refused(nowhere, "nowhere", is_final=True)
    is_last = attempt + 1 >= section.max_attempts
    draws = Draws(slot.seed, slot.task_id, attempt)
    record = draw_record(reference, section, slot, draws, allowed)
    if isinstance(record, Obstacle):
        return Refused(str(record), record.kind, is_final=is_last)
    obstacles = _settle(reference, section, record, draws)
    if not obstacles:
        query = wording.request(record, reference, seed=slot.seed, task_id=slot.task_id)
        obstacles = [Obstacle("wording", problem) for problem in rules.disagreements(query, record, reference)]
    if obstacles:
        return Refused("; ".join(obstacles), obstacles[0].kind, is_final=is_last)
    return Drawn(dict(record), _where(reference, record), {"attempt": attempt})


def drawn_again(slot: Slot, record: Record, drawn: Mapping[str, Any], drafting: Drafting) -> dict[str, Any]:
    """Return the attempt by which a record was drawn; of a published task, that none was dropped before it.

    Raises ValueError where the slot's draw of that attempt is another. Its budget is left out: a plan may lower it.
    """
    section, attempt = drafting.section, drawn["attempt"]
    if section.asked:
        return {"attempt": 0} if drawn["edits"] else {"attempt": 0, "why": ""}
    allowed = drafting.destinations_by_length[slot.series.about["days"]]
    draws = Draws(slot.seed, slot.task_id, attempt)
    again = draw_record(drafting.reference, section, slot, draws, allowed)
    if isinstance(again, Obstacle) or {**again, "budget": record["budget"]} != record:
        raise ValueError(f"its slot draws another record by attempt {attempt}")
    return {"attempt": attempt, "published_id": None, "edits": None, "why": None}


def identity(record: Record) -> dict[str, Any]:
    """Return what records are told apart by: all but the persona, as the published records have none."""
    return {key: value for key, value in record.items() if key != "persona"}


def _where(reference: Reference, record: Record) -> str:
    if record["dest_city_id"] is not None:
        return record["dest_city_id"]
    return "+".join(reference.cities_in(record["dest_region"], record["dest_country"]))


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
    days = slot.series.about["days"]
    first = draws.one("date", start_dates(section, days))
    dates = [str(first + dt.timedelta(days=i)) for i in range(days)]
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
        "dest_city_id": dest if VISITED_CITIES[days] == 1 else None,
        "dest_region": city.region,
        "dest_country": city.country,
        "days": days,
        "visiting_city_number": VISITED_CITIES[days],
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
    names = set(draws.weighted("constraints", weights, section.constraints.of(level)))

    def several(key: str, pool: Iterable[str], count: int) -> list[str] | None:
        return sorted(draws.order(key, pool)[:count]) if key in names else None

    return {
        "house_rule": draws.one("house_rule", FORBIDDEN_BY) if "house_rule" in names else None,
        "cuisine": several("cuisine", section.cuisines, section.cuisines_asked.of(level)),
        "room_type": draws.one("room_type", rooms_for(people)) if "room_type" in names else None,
        "transportation": draws.one("transportation", TRANSPORT_REQUESTS) if "transportation" in names else None,
        "event": several("event", section.segments, section.segments_asked.of(level)),
        "attraction": several("attraction", section.categories, section.categories_asked.of(level)),
    }


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
    days = slot.series.about["days"]
    first, *others = reference.cities.values()
    if not any(_lie_apart(first, city, VISITED_CITIES[days]) for city in others):
        return f"all {len(reference.cities)} cities lie in one region; origin and destination lie in different ones"
    if not allowed:
        least = section.least_region_cities
        return (
            f"no region has {counted(least, 'city', 'cities')}, as {days}-day trips need"
            if days > 3
            else "no city has places"
        )
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
    visited = VISITED_CITIES[len(dates)]
    options = [city_id for city_id in allowed if _lie_apart(home, reference.cities[city_id], visited)]
    for city_id in draws.order("destination", options):
        if section.variant == "released" or _can_be_reached(reference, section, origin, city_id, dates):
            return city_id
    return None


def _lie_apart(one: City, other: City, visited: int) -> bool:
    """Return whether a trip that visits so many cities may lead from one to the other: to another region.

    A country's cities of which no region is said share its code (`trip_cities`), so that a trip of several can tour
    them. That two of them lie in one region nobody said: a trip to one leads from any other.
    """
    if visited == 1 and one.region == one.country:
        return one.city_id != other.city_id
    return (one.region, one.country) != (other.region, other.country)


def _can_be_reached(
    reference: Reference, section: TripcraftSection, origin: str, city_id: str, dates: list[str]
) -> bool:
    longest = section.longest_drive_min
    if not can_go(reference, origin, city_id, dates[0], longest):
        return False
    return VISITED_CITIES[len(dates)] > 1 or can_go(reference, city_id, origin, dates[-1], longest)
