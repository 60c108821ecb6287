"""One task of a release in full, as its card shows it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from schemas.shown import shown, shown_in_markdown

if TYPE_CHECKING:
    import pyarrow as pa


def one_task(tasks: pa.Table, certificates: pa.Table) -> list[str]:
    """Return lines of Markdown with the words, record and certified plan of the first task in the order of ids.

    The tables are those of the release or of a public edition, in which what was left out is null. Nothing where there
    is no task.
    """
    rows = tasks.sort_by("task_id").slice(0, 1).to_pylist()
    if not rows:
        return []
    task = rows[0]
    plans = dict(zip(certificates["task_id"].to_pylist(), certificates["plan"], strict=True))
    level = f", {task['level']}" if task["level"] else ""
    plan = plans[task["task_id"]].as_py() if task["task_id"] in plans else None
    return [
        "## One task",
        "",
        f"`{task['task_id']}`{level}. What a planner is told:",
        "",
        *(f"> {shown_in_markdown(line)}" for line in (task["query"] or "left out for its licence").splitlines()),
        *(
            f">\n> *{shown_in_markdown(message['role'])}*: {shown_in_markdown(message['content'] or 'left out')}"
            for message in task["messages"] or ()
        ),
        "",
        *_folded("The record that these words are of, which no planner sees", task["record"]),
        *_folded("The plan that an independent checker accepted", plan),
    ]


def _folded(title: str, value: Any) -> list[str]:
    text = shown(json.dumps(_without_nulls(value), ensure_ascii=False, indent=1, default=str))
    # In JSON a backtick may be spelled as its code: so nothing in it ends the block.
    block = ["```json", text.replace("`", "\\u0060"), "```"]
    return [f"<details><summary>{title}</summary>", "", *block, "", "</details>", ""]


def _without_nulls(value: Any) -> Any:
    """Return nested data without fields that are null: in a table every item of a list has all fields of any."""
    if isinstance(value, dict):
        return {name: _without_nulls(inner) for name, inner in value.items() if inner is not None}
    return [_without_nulls(inner) for inner in value] if isinstance(value, list) else value
