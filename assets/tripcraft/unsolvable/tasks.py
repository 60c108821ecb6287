"""Drawing trips that no plan can meet, one wish from trips of a release, and reading who says so.

Each is certified: a bound over every order of cities (`clashes.py`), a solver that finds none either, a smallest set of
wishes that clash, and for each of these a certified plan of all other wishes. It is near: its record is a released,
solvable trip's with one wish changed or added.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from assets.core.claims import Wish, claim_in
from assets.core.no_solution import LEVEL, id_near, one_from_each, task_row
from assets.rows import ReleaseTables
from assets.tripcraft.checks.clashes import wishes_of, with_wishes
from assets.tripcraft.records import Record
from assets.tripcraft.reference import Reference
from assets.tripcraft.solver import Witness, solve
from assets.tripcraft.unsolvable.clashes import Bound, Clash
from assets.tripcraft.vocabulary import (
    CATEGORY_DURATION_H,
    FORBIDDEN_BY,
    QUERY_CUISINES,
    ROOM_TYPES_MEETING,
    SEGMENTS,
    TRANSPORT_REQUESTS,
)
from assets.tripcraft.wording import request
from assets.tripcraft.world import check, world
from schemas.stable import stable_hash

AMONG = 6
"""Changes of a trip that are tried to the end; the others are passed over."""


def unsolvable_tasks(tables: ReleaseTables, count: int, seed: int) -> list[dict[str, Any]]:
    """Return at most so many trips without a solution, each from another task: as a task's row, with `proof` beside.

    Of the changes of one wish that leave no plan, those whose clash is of several wishes come first.
    """
    reference = world(tables)
    bound = Bound(reference)
    return one_from_each(tables, count, seed, lambda row: _near(reference, bound, row, seed))


def _near(reference: Reference, bound: Bound, row: Mapping[Any, Any], seed: int) -> dict[str, Any] | None:
    task_id = id_near(row)
    options: list[tuple[bool, int, Record, Clash]] = []
    for changed in changes(row["record"], bound, reference.fine_step):
        clash = bound.smallest_clash(changed)
        if clash is not None:
            lot = stable_hash(LEVEL, seed, task_id, str(wishes_of(changed)))
            options.append((len(clash.wishes) < 2, lot, changed, clash))
    for _, _, record, clash in sorted(options, key=lambda option: option[:2])[:AMONG]:
        if isinstance(solve(record, reference, task_id=task_id), Witness):
            raise AssertionError(f"{task_id}: the bound says that no plan meets it, and the solver has one")
        plans = plans_without(reference, record, clash, task_id)
        if plans is not None:
            query = request(record, reference, seed=seed, task_id=task_id)
            lacking = {"least_cost": clash.least_cost, "budget": record["budget"]}
            return task_row(row, query, record, clash.wishes, lacking, plans)
    return None


def plans_without(reference: Reference, record: Record, clash: Clash, task_id: str) -> dict[Wish, Any] | None:
    """Return for each wish of a clash a certified plan of all other wishes; None if for one of them none is found."""
    plans: dict[Wish, Any] = {}
    for wish in clash.wishes:
        freed = with_wishes(record, [other for other in wishes_of(record) if other != wish])
        witness = solve(freed, reference, task_id=task_id)
        if not isinstance(witness, Witness) or any(check(freed, witness.plan, reference)):
            return None
        plans[wish] = witness.plan
    return plans


def changes(record: Record, bound: Bound, step: int) -> Iterator[Record]:
    """Yield records that are one wish from a record: one changed or added, or a budget just below what it needs.

    Such a budget is a multiple of the step, in the currency of the record.
    """
    constraints: Any = record["constraints"]

    def other(name: str, value: Any) -> Record:
        changed_constraints: Any = {**constraints, name: value}
        return {**record, "constraints": changed_constraints}

    single = (("house_rule", FORBIDDEN_BY), ("room_type", ROOM_TYPES_MEETING), ("transportation", TRANSPORT_REQUESTS))
    for name, values in single:
        yield from (other(name, value) for value in values if value != constraints[name])
    for name, values in (("cuisine", QUERY_CUISINES), ("event", SEGMENTS), ("attraction", CATEGORY_DURATION_H)):
        kinds = constraints[name] or []
        yield from (other(name, sorted([*kinds, value])) for value in values if value not in kinds)
    least = bound.least_cost(record) if bound.can_be_looked_through(record) else None
    if least is not None and least > step:
        yield {**record, "budget": (least - 1) // step * step}


def is_right(tables: ReleaseTables, task: Mapping[str, Any], text: str, plan: Any) -> bool:
    """Return whether an answer to a trip without a solution says so and names a clash; who hands in a plan does not."""
    wishes = claim_in(text)
    if plan is not None or wishes is None:
        return False
    return Bound(world(tables)).is_clash(task["record"], wishes)
