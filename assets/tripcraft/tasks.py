"""From drafts to tasks: each record put into words, and the words read back and compared before they ship."""

from __future__ import annotations

import pandas as pd

from assets.step import Outcome
from assets.tripcraft import rules, wording
from assets.tripcraft.draft import draft_records
from assets.tripcraft.reference import Reference
from assets.tripcraft.section import TripcraftSection
from assets.tripcraft.tables import Record, TripcraftTask
from schemas.rejection import Reason
from schemas.stable import canonical_json, content_hash


def tasks(reference: Reference, section: TripcraftSection, *, seed: int) -> Outcome:
    """Return a worded task for every slot that has a record; the others are rejected with what stood in the way."""
    drafts = draft_records(reference, section, seed=seed)
    rows, rejected = [], []
    for draft in drafts:
        task_id, record = draft.slot.task_id, draft.record
        if record is None:
            rejected.append(_rejection(task_id, Reason.UNSATISFIABLE, draft.obstacles))
            continue
        query = wording.word(record, reference, seed=seed, task_id=task_id)
        problems = rules.disagreements(query, record, reference)
        if problems:
            rejected.append(_rejection(task_id, Reason.WORDING_DISAGREES, problems))
            continue
        rows.append(
            {
                "task_id": task_id,
                "city_id": _where(reference, record),
                "slot": draft.slot.number,
                "query": query,
                "record_json": canonical_json(record),
                "repairs_json": "[]",
                "engine": "rules",
                "content_hash": content_hash([query, record]),
            }
        )
    frame = pd.DataFrame(rows, columns=[column.name for column in TripcraftTask.columns()])
    attempts = sum(draft.attempts for draft in drafts)
    return Outcome(frame, rejected, rows_in=len(drafts), facts={"attempts": attempts})


def _where(reference: Reference, record: Record) -> str:
    if record["dest_city_id"] is not None:
        return record["dest_city_id"]
    return "+".join(reference.cities_in(record["dest_region"], record["dest_country"]))


def _rejection(task_id: str, reason: Reason, problems: list[str] | tuple[str, ...]) -> dict[str, str]:
    return {"row": task_id, "reason": reason.value, "detail": "; ".join(problems)}
