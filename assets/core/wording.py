"""From drafts to tasks: each record put into words, and the words read back and compared before they ship."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from assets.core.drafting import Uses
from assets.family import Refused, Worded
from assets.language.diversity import diversity, texts_of
from assets.step import Outcome, Step
from schemas.engines import BY_RULES
from schemas.rejection import Reason
from schemas.stable import content_hash

if TYPE_CHECKING:
    import pyarrow as pa

    from assets.language.asking import Ask


def tasks(draft: pa.Table, *, step: Step, uses: Uses, world: Any, section: Any, seed: int, ask: Ask | None) -> Outcome:
    """Return each draft as a task, worded by rules or by a model that is asked.

    A draft whose words do not read back as its record, or repeat another's nearly word for word, is rejected.
    """
    import pandas as pd

    columns = [name for name in draft.column_names if name not in ("plan", "proof")]  # no words are of these
    drafts = step.tables[0].frame(draft.select(columns)).sort_values("task_id").to_dict("records")
    by_model = ask is not None and "word_by_model" in uses
    wordings: dict[str, Worded | Refused] = {}
    if by_model:
        wordings = uses["word_by_model"](drafts, world, section, seed, ask)
    task_rows, rejected, calls = [], [], []
    for row in drafts:
        task_id, record = row["task_id"], row["record"]
        words = wordings[task_id] if by_model else uses["word"](task_id, record, world, seed)
        if isinstance(words, Refused):
            rejected.append({"row": task_id, "reason": words.reason.value, "detail": words.detail})
            continue
        problems = uses["read"](words, record, world)
        if problems:
            detail = "; ".join(problems)
            rejected.append({"row": task_id, "reason": Reason.WORDING_DISAGREES.value, "detail": detail})
            continue
        messages = [dict(message) for message in words.messages]
        calls += words.generation_ids
        task_rows.append(
            {
                **{name: row[name] for name in ("task_id", "city_id", "slot", "level", "record", "drawn", "repairs")},
                "query": words.query,
                "messages": messages,
                "engine": ask.model if by_model and ask else BY_RULES,
                "generation_ids": list(dict.fromkeys([*row["generation_ids"], *words.generation_ids])),
                "content_hash": content_hash([words.query, messages, record]),
            }
        )
    frame = pd.DataFrame(task_rows, columns=[column.name for column in step.output.columns()])
    facts = {"diversity": diversity(texts_of(task_rows))}
    return Outcome(frame, rejected, rows_in=len(draft), facts=facts, generations=calls)
