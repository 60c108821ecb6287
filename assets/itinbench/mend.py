"""A published set's tasks built again: its own places, each task kept where they satisfy it, and mended where not."""

from __future__ import annotations

from typing import Any

from assets.itinbench.rules import validate
from assets.itinbench.section import AskedTask
from assets.rows import ReleaseTables

SOURCES = {
    "published": {
        "restaurants": "restaurants.jsonl",
        "hotels": "hotels.jsonl",
        "attractions": "attractions.jsonl",
    }
}
"""The folder's files by the source and role under which a recipe binds them."""


def mended(tables: ReleaseTables) -> tuple[dict[str, Any], dict[str, dict[str, str]]]:
    """Return the section that asks for the opened set's tasks, in the folder's order, and the files to bind."""
    rows = tables.tasks.sort_values(["slot", "task_id"]).to_dict("records")
    fields = set(AskedTask.model_fields) - {"query", "is_kept"}
    records: list[Any] = [{key: value for key, value in row["record"].items() if key in fields} for row in rows]
    asked_tasks = [
        AskedTask(**record, query=row["query"], is_kept=not validate(record, row["query"]))
        for record, row in zip(records, rows, strict=True)
    ]
    return {
        "tasks_per_city": len(asked_tasks),
        "asked": [task.model_dump(mode="json") for task in asked_tasks],
    }, SOURCES
