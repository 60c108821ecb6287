"""Drawing groups whose firm wishes no plan can keep, one wish from tasks of a release, and reading who says so.

Each is certified: two proofs that no plan keeps the firm wishes (`clashes.py`, `program.py`), a smallest set of them
that clash, and for each of these a plan that `ours` accepts and that keeps all others. It is near: its record is a
released group's with one wish changed or added, and that group's own wishes are kept by a plan.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assets.core.claims import claim_in
from assets.core.no_solution import LEVEL, id_near, one_from_each, task_row
from assets.grouptravel.facts.world import World
from assets.grouptravel.firm_wishes.clashes import Bound
from assets.grouptravel.firm_wishes.held import lacking_of, trip_of_record
from assets.grouptravel.firm_wishes.wishes import can_be_named, record_without
from assets.grouptravel.unsolvable.changes import Changes
from assets.grouptravel.unsolvable.program import is_infeasible
from assets.grouptravel.unsolvable.ways_out import plan_of
from assets.grouptravel.wishes.messages import WordingError
from assets.grouptravel.witness.stretches import NoPlanError
from assets.grouptravel.wording import read, word
from assets.grouptravel.world import part, world
from assets.rows import ReleaseTables
from schemas.stable import stable_hash

AMONG = 8
"""Changes of a group's wishes that are tried to the end; the others are passed over."""


def unsolvable_tasks(tables: ReleaseTables, count: int, seed: int) -> list[dict[str, Any]]:
    """Return at most so many groups without a solution, each from another task: as a task's row, with `proof` beside.

    Of the changes of one wish that leave no plan, those whose clash is of several wishes come first.
    """
    release_world = world(tables)
    changes = Changes(release_world, int(tables.section["budget_step"]), seed)
    return one_from_each(tables, count, seed, lambda row: _near(release_world, changes, row, seed))


def _near(release_world: World, changes: Changes, row: Mapping[Any, Any], seed: int) -> dict[str, Any] | None:
    task_id, record_world = id_near(row), part(row["record"], release_world)
    bound = Bound(record_world.pois, record_world.fares)
    try:
        ways = bound.ways(trip_of_record(row["record"], release_world))
    except NoPlanError:
        return None
    if not any(not way.reasons for way in ways) or plan_of(row["record"], record_world) is None:
        return None
    options = []
    for wish, record in changes.of(row["record"], bound, ways):
        clashing_wishes = bound.smallest_clash(trip_of_record(record, release_world))
        if clashing_wishes is not None and wish.wish in clashing_wishes and all(map(can_be_named, clashing_wishes)):
            lot = stable_hash(LEVEL, seed, task_id, *wish)
            options.append(((len(clashing_wishes) < 2, lot), record, clashing_wishes))
    for _, record, clashing_wishes in sorted(options, key=lambda option: option[0])[:AMONG]:
        if not is_infeasible(trip_of_record(record, release_world), record_world.pois, record_world.fares):
            raise AssertionError(
                f"{task_id}: the search says that no plan keeps {clashing_wishes}, and the program does not"
            )
        plans = {wish: plan_of(record_without(record, wish), record_world) for wish in clashing_wishes}
        try:
            words = word(task_id, record, release_world, seed)
        except WordingError:
            continue
        if all(plan is not None for plan in plans.values()) and not read(words, record, release_world):
            row_of = task_row(
                row,
                words.query,
                record,
                clashing_wishes,
                lacking_of(bound.ways(trip_of_record(record, release_world)), clashing_wishes),
                plans,
            )
            return {**row_of, "messages": words.messages}
    return None


def is_right(tables: ReleaseTables, task: Mapping[str, Any], text: str, plan: Any) -> bool:
    """Return whether an answer to a group without a solution says so and names a clash; a plan is no such answer."""
    claimed_wishes = claim_in(text)
    if plan is not None or claimed_wishes is None:
        return False
    release_world = world(tables)
    record_world = part(task["record"], release_world)
    return Bound(record_world.pois, record_world.fares).is_clash(
        trip_of_record(task["record"], release_world), claimed_wishes
    )
