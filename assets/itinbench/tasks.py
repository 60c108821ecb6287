"""From drafts to tasks: each record put into words, and the words parsed back and compared before they ship."""

from __future__ import annotations

import json

import pandas as pd

from assets.itinbench import rules, wording
from assets.itinbench.draft import draft_set
from assets.itinbench.section import ItinbenchSection
from assets.itinbench.tables import ItinbenchDraft, ItinbenchTask
from assets.step import Outcome
from schemas.recipe import City
from schemas.rejection import Reason
from schemas.stable import canonical_json, content_hash


def drafts(pool: pd.DataFrame, *, city: City, seed: int, itinbench: ItinbenchSection) -> Outcome:
    """Return a satisfiable record for every slot of the city, all distinct, with the statistics of the set."""
    found = draft_set(pool, city_id=city.city_id, seed=seed, section=itinbench)
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


def tasks(draft: pd.DataFrame) -> Outcome:
    """Return each draft as a task worded by templates; one whose words do not parse back to its record is rejected."""
    rows, rejected = [], []
    for found in draft.to_dict("records"):
        record = json.loads(found["record_json"])
        query = wording.word(found["task_id"], record)
        problems = rules.validate(record, query)
        if problems:
            detail = "; ".join(problems)
            rejected.append({"row": found["task_id"], "reason": Reason.WORDING_DISAGREES.value, "detail": detail})
            continue
        rows.append(
            {
                **{name: found[name] for name in ("task_id", "city_id", "slot", "record_json", "repairs_json")},
                "query": query,
                "engine": "rules",
                "content_hash": content_hash([query, record]),
            }
        )
    frame = pd.DataFrame(rows, columns=[column.name for column in ItinbenchTask.columns()])
    return Outcome(frame, rejected, rows_in=len(draft))
