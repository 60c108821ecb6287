"""From drafts to tasks: each record put into words, and the words read back and compared before they ship."""

from __future__ import annotations

import json

import pandas as pd

from assets.language.asking import Ask
from assets.language.diversity import diversity
from assets.language.wording_by_model import Worded, worded
from assets.step import Outcome
from assets.tripcraft import rules, wording, wording_by_model
from assets.tripcraft.reference import Reference
from assets.tripcraft.tables import TripcraftTask
from schemas.rejection import Reason
from schemas.stable import content_hash


def tasks(drafts: pd.DataFrame, reference: Reference, *, seed: int, ask: Ask | None = None) -> Outcome:
    """Return a task for every draft, worded by templates or by a model that is asked.

    A draft whose words do not read back as its record, or repeat another's nearly word for word, is rejected.
    """
    rows, rejected = [], []
    records = {row["task_id"]: json.loads(row["record_json"]) for row in drafts.to_dict("records")}
    by_model = Worded()
    if ask is not None:
        to_word = [wording_by_model.to_word(task_id, record, reference) for task_id, record in records.items()]
        instructions = wording_by_model.INSTRUCTIONS.read_text(encoding="utf-8")
        by_model = worded(to_word, instructions, ask, wording_by_model.reading())
        rejected += by_model.rejected
    for draft in drafts.to_dict("records"):
        task_id, record = draft["task_id"], records[draft["task_id"]]
        if ask is None:
            query, calls = wording.word(record, reference, seed=seed, task_id=task_id), []
        elif task_id in by_model.texts:
            query, *calls = by_model.texts[task_id]
        else:
            continue
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
                "engine": ask.model if ask else "rules",
                "generation_ids": calls,
                "content_hash": content_hash([query, record]),
            }
        )
    frame = pd.DataFrame(rows, columns=[column.name for column in TripcraftTask.columns()])
    calls = [call for row in rows for call in row["generation_ids"]]
    facts = {"diversity": diversity([row["query"] for row in rows])}
    return Outcome(frame, rejected, rows_in=len(drafts), facts=facts, generations=calls)
