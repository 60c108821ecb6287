"""The world of a set of trips, and the judge of plans made of it: nothing here knows how plans are made."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from assets.family import TaskView, Violation
from assets.rows import ReleaseTables
from assets.tripcraft.asked import queries_of
from assets.tripcraft.checks.case import Case
from assets.tripcraft.checks.commonsense import COMMONSENSE
from assets.tripcraft.checks.hard import HARD
from assets.tripcraft.checks.proof import otherwise_made
from assets.tripcraft.checks.soundness import SOUNDNESS, ways_in_town
from assets.tripcraft.facts.reference_tables import WORLD_TABLES, reference
from assets.tripcraft.plan import read_plan
from assets.tripcraft.records import Record
from assets.tripcraft.reference import Reference
from assets.tripcraft.scoring import PlanScore, score_plan, why_undelivered
from assets.tripcraft.tables import (
    TripcraftAttraction,
    TripcraftCity,
    TripcraftCityDistance,
    TripcraftEvent,
    TripcraftFlight,
    TripcraftJourney,
    TripcraftNearestStop,
    TripcraftRestaurant,
    TripcraftStay,
    TripcraftTerms,
    TripcraftTownWays,
)
from assets.tripcraft.variants import OURS
from assets.tripcraft.vocabulary import CONSTRAINTS

DELIVERY = "delivery"
CHECKS = (DELIVERY, *COMMONSENSE, *HARD, *SOUNDNESS)
"""What a witness must pass: the published checks, and what they do not look at."""


def world(tables: ReleaseTables) -> Reference:
    """Return the reference of the tables; for the same rows the same one, since it takes long to make."""
    return tables.once(_reference_of_tables, TripcraftTerms, *WORLD_TABLES.values())


def _reference_of_tables(tables: ReleaseTables) -> Reference:
    world = reference(tables[TripcraftTerms], *(tables[table] for table in WORLD_TABLES.values()))
    if (step := tables.section.get("budget_step")) is not None:
        world.fine_step = max(1, step // 10)
    world.queries = queries_of(tables.section.get("asked", ()), world)
    return world


def check(record: Record, plan: Any, world: Reference) -> Iterator[Violation]:
    """Yield every check that the plan breaks: the published ones by `ours`, then opening hours and ways."""
    parsed_plan = read_plan(plan)
    if too_short := why_undelivered(parsed_plan):
        yield Violation(DELIVERY, "; ".join(too_short))
        return
    case = Case(record, parsed_plan, world, OURS)
    for name, judge in {**COMMONSENSE, **HARD, **SOUNDNESS}.items():
        if problems := judge(case):
            yield Violation(name, "; ".join(problems))


def asked(record: Record) -> list[str]:
    """Return the checks that ask something of the record: a hard one asks nothing where its constraint is null."""
    silent = {key for key in CONSTRAINTS if record["constraints"][key] is None}
    of_constraint = {"house_rule": "room_rule", "attraction": "attraction_type", "event": "event_type"}
    return [name for name in CHECKS if name not in {of_constraint.get(key, key) for key in silent} | silent]


def prove(record: Record, plan: Any, proof: dict[str, Any], world: Reference) -> dict[str, Any]:
    """Return what is said of a witness, completed by its metrics, its money and its ways in town."""
    score, case = score_plan(record, plan, world), Case(record, read_plan(plan), world, OURS)
    return {**proof, **_measures(score, case, record)}


def verify(record: Record, plan: Any, proof: dict[str, Any], world: Reference) -> list[Violation]:
    """Return what is said of a witness beside its plan and is not so."""
    score, case = score_plan(record, plan, world), Case(record, read_plan(plan), world, OURS)
    violations = [
        Violation("proof", f"{name} is said to be {proof.get(name)!r:.80}, found {value!r:.80}")
        for name, value in _measures(score, case, record).items()
        if proof.get(name) != value
    ]
    violations += [Violation("proof", text) for text in otherwise_made(record, plan, proof, world)]
    return violations


def _measures(score: PlanScore, case: Case, record: Record) -> dict[str, Any]:
    cost = score.cost or 0
    metrics = {name: None if value is None else round(value, 9) for name, value in (score.metrics or {}).items()}
    return {
        "metrics": metrics,
        "cost": cost,
        "budget_slack": record["budget"] - cost,
        "ways_in_town": ways_in_town(case),
    }


def uses(task: TaskView, world: Reference) -> set[tuple[str, str]]:
    """Return the rows that the plan or the record names, as (table, key)."""
    return named_rows(task.record, task.plan, world)  # type: ignore[arg-type]


def named_rows(record: Record, plan: Any, world: Reference) -> set[tuple[str, str]]:
    """Return the rows that a plan or a record names, as (table, key)."""
    case = Case(record, read_plan(plan), world, OURS)
    return {(table.table_name(), key) for table, key in _uses(case)}


def _uses(case: Case) -> Iterator[tuple[type, str]]:
    record, reference = case.record, case.reference
    yield TripcraftTerms, reference.currency
    yield TripcraftCity, record["origin_city_id"]
    for city_id in (record["dest_city_id"],) if record["dest_city_id"] else ():
        yield TripcraftCity, city_id
    for day in case.days:
        ids = case.city_ids(day)
        yield from ((TripcraftCity, city_id) for city_id in ids)
        legs = case.legs(day)
        if legs is not None:
            yield TripcraftCityDistance, "/".join(legs)
        if day.transport is not None and day.transport.flight_number:
            for service in reference.scheduled_by_number(day.transport.flight_number):
                yield TripcraftFlight if service.mode == "flight" else TripcraftJourney, service.flight_number
        stays = (day.stay,) if day.stay is not None else ()
        for table, names, find in (
            (TripcraftRestaurant, day.meals.values(), case.restaurants),
            (TripcraftAttraction, day.attractions, case.attractions),
            (TripcraftStay, stays, case.stays),
        ):
            for place in (place for place_name in names for place in find(place_name)):
                key = f"{place.city_id}/{place.place_id}"
                yield from ((of, key) for of in (table, TripcraftNearestStop, TripcraftTownWays))
        for event in (event for event_name in day.events for event in case.events(event_name)):
            yield TripcraftEvent, f"{event.city_id}/{event.event_id}"
