"""Planned drafts: every slot's record, drawn until there is a witness for it and words that say it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Sequence
from typing import Any

import pandas as pd

from assets.step import Outcome
from assets.tripcraft import rules, wording
from assets.tripcraft.draft import Draft, Slot, draft_records
from assets.tripcraft.facts.obstacles import Obstacle
from assets.tripcraft.reference import Reference
from assets.tripcraft.section import TripcraftSection
from assets.tripcraft.solver import Unsolvable, Witness, solve
from assets.tripcraft.tables import Record, TripcraftDraft
from assets.tripcraft.witness.ground import Ground
from schemas.rejection import Reason
from schemas.stable import canonical_json


def planned(
    reference: Reference,
    section: TripcraftSection,
    *,
    seed: int,
    retired: Collection[str] = (),
    previous: pd.DataFrame | None = None,
) -> Outcome:
    """Return every slot's record with its witness; a slot given up is rejected with what stood in the way most often.

    A record whose ground is as before keeps its witness without being solved again. Facts: `attempts`, the draws made;
    `redrawn`, how many were dropped, by the kind of obstacle.
    """
    search = _Search(reference, section, seed, previous)
    drafts = draft_records(reference, section, seed=seed, find_witness=search, retired=retired)
    redrawn: Counter[str] = Counter()
    for draft in drafts:
        redrawn.update(draft.redrawn)
    rows = [search.row(draft) for draft in drafts if draft.record is not None]
    rejected = [
        {"row": draft.slot.task_id, "reason": Reason.UNSATISFIABLE.value, "detail": "; ".join(draft.obstacles)}
        for draft in drafts
        if draft.record is None
    ]
    facts = {"attempts": sum(draft.attempts for draft in drafts), "redrawn": dict(sorted(redrawn.items()))}
    frame = pd.DataFrame(rows, columns=[column.name for column in TripcraftDraft.columns()])
    return Outcome(frame, rejected, rows_in=len(drafts), facts=facts)


def unsolvable(task: pd.DataFrame, reference: Reference, section: TripcraftSection) -> dict[str, str]:
    """Return, for every task of which the reference allows no witness, the reasons."""
    found = {}
    for row in task.to_dict("records"):
        record, limit = json.loads(row["record_json"]), section.longest_drive_min
        witness = solve(record, reference, task_id=row["task_id"], longest_drive_min=limit)
        if isinstance(witness, Unsolvable):
            found[row["task_id"]] = "; ".join(map(str, witness.reasons))
    return found


class _Search:
    """Finds witnesses, and keeps those of before."""

    def __init__(
        self, reference: Reference, section: TripcraftSection, seed: int, previous: pd.DataFrame | None
    ) -> None:
        self._reference, self._seed = reference, seed
        self._longest_drive_min = section.longest_drive_min
        self._ground = Ground(reference, section.longest_drive_min)
        self._before = {} if previous is None else {row["task_id"]: row for row in previous.to_dict("records")}

    def __call__(self, slot: Slot, record: Record) -> Witness | Sequence[Obstacle]:
        """Return a witness of the record, or what stands in its way."""
        task_id, reference = slot.task_id, self._reference
        query = wording.word(record, reference, seed=self._seed, task_id=task_id)
        problems = rules.disagreements(query, record, reference)
        if problems:
            return [Obstacle("wording", problem) for problem in problems]
        before = self._before.get(task_id)
        if before is not None and before["depends_on"] == self._ground.depends_on(task_id, record):
            return Witness(task_id, json.loads(before["witness_json"]), json.loads(before["values_json"]))
        found = solve(record, reference, task_id=task_id, longest_drive_min=self._longest_drive_min)
        if isinstance(found, Unsolvable):
            return found.reasons if found.is_proven else [Obstacle("undecided", "; ".join(found.reasons))]
        return found

    def row(self, draft: Draft) -> dict[str, Any]:
        """Return the draft's row."""
        assert draft.record is not None and draft.witness is not None
        return {
            "task_id": draft.slot.task_id,
            "city_id": _where(self._reference, draft.record),
            "slot": draft.slot.number,
            "record_json": canonical_json(draft.record),
            "witness_json": json.dumps(draft.witness.plan, ensure_ascii=False, separators=(",", ":")),
            "values_json": canonical_json(draft.witness.values),
            "attempts": draft.attempts,
            "redrawn_json": canonical_json(dict(draft.redrawn)),
            "depends_on": self._ground.depends_on(draft.slot.task_id, draft.record),
        }


def _where(reference: Reference, record: Record) -> str:
    if record["dest_city_id"] is not None:
        return record["dest_city_id"]
    return "+".join(reference.cities_in(record["dest_region"], record["dest_country"]))
