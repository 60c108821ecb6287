"""From drafts to tasks: each record put into words, and the words parsed back and compared before they ship."""

from __future__ import annotations

import json
from collections.abc import Collection

import pandas as pd

from assets.itinbench import rules, wording, wording_by_model
from assets.itinbench.draft import draft_set
from assets.itinbench.section import ItinbenchSection
from assets.itinbench.tables import ItinbenchDraft, ItinbenchTask
from assets.language.asking import Ask
from assets.language.diversity import diversity
from assets.language.wording_by_model import Worded, worded
from assets.step import Outcome
from schemas.recipe import City
from schemas.rejection import Reason
from schemas.stable import canonical_json, content_hash


def drafts(
    pool: pd.DataFrame, *, city: City, seed: int, itinbench: ItinbenchSection, retired: Collection[str] = ()
) -> Outcome:
    """Return a satisfiable record for every slot of the city, all distinct, with the statistics of the set."""
    found = draft_set(pool, city_id=city.city_id, seed=seed, section=itinbench, retired=retired)
    rows = [
        {
            "city_id": city.city_id,
            "task_id": draft["task_id"],
            "slot": draft["slot"],
            "record_json": canonical_json(draft["record"]),
            "nominal_json": canonical_json(draft["nominal"]),
            "repairs_json": canonical_json(draft["repairs"]),
            "attempt": draft["attempt"],
            "edits": draft["edits"],
            "why": draft["why"],
        }
        for draft in found.rows
    ]
    frame = pd.DataFrame(rows, columns=[column.name for column in ItinbenchDraft.columns()])
    return Outcome(frame, found.rejections, facts=found.facts)


def tasks(draft: pd.DataFrame, ask: Ask | None = None) -> Outcome:
    """Return each draft as a task, worded by templates or by a model that is asked.

    A draft whose words do not parse back to its record, or repeat another's nearly word for word, is rejected.
    """
    rows, rejected = [], []
    records = {row["task_id"]: json.loads(row["record_json"]) for row in draft.to_dict("records")}
    by_model = Worded()
    if ask is not None:
        to_word = [wording_by_model.to_word(task_id, record) for task_id, record in records.items()]
        instructions = wording_by_model.INSTRUCTIONS.read_text(encoding="utf-8")
        by_model = worded(to_word, instructions, ask, wording_by_model.reading())
        rejected += by_model.rejected
    for found in draft.to_dict("records"):
        record = records[found["task_id"]]
        if ask is None:
            query, calls = wording.word(found["task_id"], record), []
        elif found["task_id"] in by_model.texts:
            query, *calls = by_model.texts[found["task_id"]]
        else:
            continue
        problems = rules.validate(record, query)
        if problems:
            detail = "; ".join(problems)
            rejected.append({"row": found["task_id"], "reason": Reason.WORDING_DISAGREES.value, "detail": detail})
            continue
        rows.append(
            {
                **{name: found[name] for name in ("task_id", "city_id", "slot", "record_json", "repairs_json")},
                "query": query,
                "engine": ask.model if ask else "rules",
                "generation_ids": calls,
                "content_hash": content_hash([query, record]),
            }
        )
    frame = pd.DataFrame(rows, columns=[column.name for column in ItinbenchTask.columns()])
    calls = [call for row in rows for call in row["generation_ids"]]
    facts = {"diversity": diversity([row["query"] for row in rows])}
    return Outcome(frame, rejected, rows_in=len(draft), facts=facts, generations=calls)
