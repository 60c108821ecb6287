"""A published trip that cannot be taken as it is: changed by as few fields as it takes, or retired.

A change is another budget, other dates, or another value of one constraint, all of which the recipe's world has. No
constraint is added or dropped, so a task keeps its level, and no destination is changed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, combinations, islice
from typing import Any

from assets.core.repairs import repairs
from assets.family import Drawn, Refused, Slot
from assets.tripcraft import rules, wording
from assets.tripcraft.asked import AskedTrip, dates_of, resolved
from assets.tripcraft.checks.budget import our_budget
from assets.tripcraft.draws import Draws
from assets.tripcraft.facts.itinerary import find_itinerary
from assets.tripcraft.facts.obstacles import Kind, Obstacle
from assets.tripcraft.records import Record
from assets.tripcraft.reference import Reference
from assets.tripcraft.section import TripcraftSection, rooms_for, start_dates
from assets.tripcraft.vocabulary import FORBIDDEN_BY, TRANSPORT_REQUESTS
from schemas.rejection import Reason

MAX_EDITS = 3
"""Fields that a mended task may differ in from its published form; one that needs more is retired."""

OTHER_VALUES, OTHER_DATES = 2, 4
"""How many other values are tried for a constraint's, and other first days for a trip's, each drawn by the task."""

MOST_TRIED = 38
"""Mended forms of one task for which a plan is sought: fewer than a slot may fail with before it is given up."""

OBSTACLES_TOLD = 3

MOST_ROUGH = 400
"""Changed forms of one task of which it is asked whether a rough trip meets them."""

CHANGED_BY: dict[Kind, tuple[str, ...]] = {
    "no_cuisine": ("cuisine",), "no_category": ("attraction",), "no_event": ("event", "dates"),
    "no_stay": ("house_rule", "room_type"), "no_way": ("transportation", "dates"),
}  # fmt: skip
"""The fields whose change may take an obstacle away."""

WORDED_ANEW = "worded anew, since the record was changed or the text does not say it"

DEFECTS: dict[Kind, str] = {
    "no_cuisine": "T8", "no_category": "T8", "no_event": "T8", "no_stay": "T8", "over_budget": "T9",
}  # fmt: skip
"""The published defect that an obstacle shows, by its id (docs, published benchmarks, 1.G)."""

Change = tuple[str, Any]
"""A field, as a path within the record, and what it becomes."""


def forms(
    slot: Slot, trip: AskedTrip, reference: Reference, section: TripcraftSection, repeats: str = ""
) -> list[Drawn | Refused]:
    """Return what the slot draws one after the other: the trip as published, mended forms, and why it is retired.

    `repeats` is the published id of an earlier trip that asks the same.
    """
    draws = Draws(slot.seed, slot.task_id, 0)
    record = resolved(trip, reference)
    if isinstance(record, str):
        return [_retirement(record)]
    dates = dates_of(trip.dates[0], trip.days) if trip.dates else None
    if dates is None:
        return [_retirement(f"its dates are {trip.dates!r:.80}, which are none")]
    right: Record = {**record, "dates": dates}
    itinerary, why = find_itinerary(reference, right, draws, section.longest_drive_min)
    if repeats:
        why.append(Obstacle("duplicate", f"the record equals that of {repeats}"))
    if not why:
        query = wording.request(right, reference, seed=slot.seed, task_id=slot.task_id)
        why += [Obstacle("wording", problem) for problem in rules.disagreements(query, right, reference)]
    detail = _in_words(why)
    trip_forms: list[Drawn | Refused] = [
        Refused(detail, why[0].kind) if why else _slot_draw(record, right, trip, "", reference)
    ]
    for mended in islice(_mends(right, why, reference, section, draws), MOST_TRIED):
        reason = detail or "no plan was found"
        if not why and mended["budget"] != right["budget"] and itinerary is not None:
            cheap = itinerary.cheapest(right)
            reason = f"T9: no plan was found within {right['budget']}; a cheap trip costs {cheap}"
        trip_forms.append(_slot_draw(record, mended, trip, reason, reference))
    return [
        *trip_forms,
        _retirement(f"no change of at most {MAX_EDITS} fields helps" + (f": {detail}" if detail else "")),
    ]


def asked_trip(section: TripcraftSection, slot: Slot) -> tuple[AskedTrip, list[AskedTrip]]:
    """Return the published trip that stands in a slot, and all of its length and level."""
    level = (slot.series.about["days"], slot.level)
    trips = [trip for trip in section.asked if (trip.days, trip.level) == level]
    return trips[slot.number % len(trips)], trips


def drawn_from(
    slot: Slot, drawn: Mapping[str, Any], world: Reference, section: TripcraftSection
) -> tuple[dict[str, Any], str] | None:
    """Return the record of the published trip that a task's repairs changed, and its words; None where it was drawn.

    Raises ValueError where the task is said to be another than its slot's.
    """
    if not section.asked:
        return None
    trip, _ = asked_trip(section, slot)
    record = resolved(trip, world)
    if isinstance(record, str) or drawn.get("published_id") != trip.task_id:
        raise ValueError(f"its slot is of {trip.task_id}, it is said to be {drawn.get('published_id')}")
    return _flat(record), trip.query


def _retirement(why: str) -> Refused:
    return Refused(f"retired: {why}", "retired", Reason.RETIRED, is_final=True)


def _in_words(why: Sequence[Obstacle]) -> str:
    """Return what stands in the way, those that show a published defect first; the rest is counted."""
    reasons = [f"{DEFECTS[one.kind]}: {one}" if one.kind in DEFECTS else str(one) for one in why]
    first = sorted(reasons, key=lambda text: not text.startswith("T"))[:OBSTACLES_TOLD]
    more = len(reasons) - len(first)
    return "; ".join(first) + (f"; and {more} more" if more else "")


def _mends(
    record: Record, why: Sequence[Obstacle], reference: Reference, section: TripcraftSection, draws: Draws
) -> Iterator[Record]:
    """Yield records that a rough trip meets: first those that change what something stands in the way of, then others.

    Of each, those with fewer changes come first; a budget is raised as the last change.
    """
    every = list(_changes(record, section, draws))
    of_these = {field for obstacle in why for field in CHANGED_BY.get(obstacle.kind, ())}
    earlier_records: list[Record] = []
    rough = 0
    for single in ([change for change in every if change[0] in of_these], every):
        for edits in range(1, MAX_EDITS + 1):
            for changes in chain(combinations(single, edits - 1), combinations(single, edits)):
                if len({field for field, _ in changes}) < len(changes) or rough == MOST_ROUGH:
                    continue
                rough += 1
                changed = _changed_record(record, changes)
                itinerary, _ = find_itinerary(reference, changed, draws, section.longest_drive_min)
                if itinerary is None:
                    continue
                if len(changes) < edits:
                    changed = _costing(changed, max(changed["budget"], our_budget(changed, itinerary, section)))
                if changed != record and changed not in earlier_records:
                    earlier_records.append(changed)
                    yield changed


def _changes(record: Record, section: TripcraftSection, draws: Draws) -> Iterator[Change]:
    """Yield every change of one field: constraints by other values, dates by other first days."""
    pools: dict[str, Sequence[str]] = {
        "cuisine": section.cuisines, "attraction": section.categories, "event": section.segments,
        "house_rule": tuple(FORBIDDEN_BY), "room_type": rooms_for(record["people"]),
        "transportation": TRANSPORT_REQUESTS,
    }  # fmt: skip
    constraints: Any = record["constraints"]
    for name, pool in pools.items():
        value = constraints[name]
        if value is None:
            continue
        others = draws.order(f"mend {name}", [one for one in pool if one != value and one not in value])
        if isinstance(value, str):
            yield from ((name, other) for other in others[:OTHER_VALUES])
        else:
            yield from ((name, changed) for changed in _exchanges(value, others))
    for first in draws.order("mend dates", map(str, start_dates(section, record["days"])))[:OTHER_DATES]:
        dates = dates_of(first, record["days"])
        if dates is not None and dates != record["dates"]:
            yield "dates", dates


def _exchanges(values: Sequence[str], others: Sequence[str]) -> Iterator[list[str]]:
    """Yield the values with one of them exchanged, then with more, for the first of the others."""
    for count in range(1, min(len(values), len(others)) + 1):
        for gone in combinations(values, count):
            for first in range(min(OTHER_VALUES, len(others) - count + 1)):
                yield sorted([*(value for value in values if value not in gone), *others[first : first + count]])


def _changed_record(record: Record, changes: Sequence[Change]) -> Record:
    constraints: Any = dict(record["constraints"])
    dates = record["dates"]
    for field, value in changes:
        if field == "dates":
            dates = value
        else:
            constraints[field] = value
    return {**record, "dates": dates, "constraints": constraints}


def _costing(record: Record, budget: int) -> Record:
    return {**record, "budget": budget}


def _slot_draw(published: Record, record: Record, trip: AskedTrip, why: str, reference: Reference) -> Drawn:
    """Return the draw with each field that differs from the published one, before and after."""
    changes = repairs(_flat(published), _flat(record))
    edits = len(changes)
    if changes or rules.disagreements(trip.query, record, reference):
        changes.append({"field": "query", "before": trip.query, "after": WORDED_ANEW})
    where = record["dest_city_id"] or "+".join(reference.cities_in(record["dest_region"], record["dest_country"]))
    how = {"attempt": 0, "published_id": trip.task_id, "edits": edits, "why": why if edits else ""}
    return Drawn(dict(record), where, how, changes)


def _flat(record: Record) -> dict[str, Any]:
    flat: dict[str, Any] = {name: value for name, value in record.items() if name != "constraints"}
    return flat | {f"constraints/{name}": value for name, value in record["constraints"].items()}
