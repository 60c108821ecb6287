"""From drafts to tasks: each record put into words, and the words read back and compared before they ship."""

from __future__ import annotations

import json

import pandas as pd

from assets.step import Outcome
from assets.tripcraft import rules, wording
from assets.tripcraft.reference import Reference
from assets.tripcraft.tables import TripcraftTask
from schemas.rejection import Reason
from schemas.stable import content_hash


def tasks(drafts: pd.DataFrame, reference: Reference, *, seed: int) -> Outcome:
    """Return a worded task for every draft; one whose words do not read back as its record is rejected."""
    rows, rejected = [], []
    for draft in drafts.to_dict("records"):
        task_id, record = draft["task_id"], json.loads(draft["record_json"])
        query = wording.word(record, reference, seed=seed, task_id=task_id)
        problems = rules.disagreements(query, record, reference)
        if problems:
            detail = "; ".join(problems)
            rejected.append({"row": task_id, "reason": Reason.WORDING_DISAGREES.value, "detail": detail})
            continue
        rows.append(
            {
                **{name: draft[name] for name in ("task_id", "city_id", "slot", "record_json")},
                "query": query,
                "repairs_json": "[]",
                "engine": "rules",
                "content_hash": content_hash([query, record]),
            }
        )
    frame = pd.DataFrame(rows, columns=[column.name for column in TripcraftTask.columns()])
    return Outcome(frame, rejected, rows_in=len(drafts))
