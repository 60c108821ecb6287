"""The published folder: a release's pool, tasks and contexts as the files that ItinBench's own scripts read."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pandas as pd

from assets.itinbench.evidence import known_places, told_by_tags
from assets.itinbench.native import COLUMNS, FILES, csv_text, native_rows
from assets.itinbench.published.checker import WITNESSES
from assets.itinbench.tables import ItinbenchContext, ItinbenchPlace
from assets.itinbench.words.labels import eval_info
from assets.rows import ReleaseTables
from schemas.json_lines import as_json_lines
from schemas.reviews import TagRating

LICENCES = "LICENCES.md"
NOTE = """# Two licences in one folder

The published form has one row a place, with its name and its ratings. Here the places are a guide's, under CC BY-SA,
and some ratings are read from OpenStreetMap's tags, under the ODbL: each asks that what is made from it be shared under
itself alone. Use this folder to run and to score. To pass the benchmark on, pass on the release, where the two stand in
tables of their own, joined by key.
"""


def export(tables: ReleaseTables) -> dict[str, bytes]:
    """Return the published files of a release, with its witnesses (see `export_files`).

    Where a map's tags rate places of a guide, a note says that the folder joins what two licences keep apart.
    """
    witnesses = dict(zip(tables.certificates["task_id"], tables.certificates["plan"], strict=True))
    files = export_files(known_places(tables), tables.tasks, tables[ItinbenchContext], witnesses)
    is_joined = bool(told_by_tags(tables[ItinbenchPlace], tables[TagRating]))
    return files | ({LICENCES: NOTE.encode()} if is_joined else {})


def export_files(
    places: pd.DataFrame, tasks: pd.DataFrame, contexts: pd.DataFrame, witnesses: Mapping[str, Any] | None = None
) -> dict[str, bytes]:
    """Return the published files as relative path to bytes: at the root for one city, in a folder each for several.

    Columns, labels, order of keys, number formats and line ends are the published ones: JSON escaped to ASCII with a
    space after colons and commas, CSV quoted only where it must be, lines ended by a line feed. The tasks that have
    contexts, which are the certified ones, are numbered from 1 in the order of their task_ids, in all files alike.
    `witnesses`, the native plans by task_id, become `witnesses.jsonl`, in the shape of the published plans.
    """
    cities = sorted(set(tasks["city_id"]))
    files: dict[str, bytes] = {}
    for city_id in cities:
        pool, city_tasks, city_contexts = (
            table.loc[table["city_id"] == city_id] for table in (places, tasks, contexts)
        )
        folder = "" if len(cities) == 1 else f"{city_id}/"
        files |= {
            folder + name: text.encode()
            for name, text in _city_files(pool, city_tasks, city_contexts, witnesses).items()
        }
    return files


def _city_files(
    places: pd.DataFrame, tasks: pd.DataFrame, contexts: pd.DataFrame, witnesses: Mapping[str, Any] | None
) -> dict[str, str]:
    files = {}
    for kind, stem in FILES.items():
        rows = native_rows(places, kind)
        files[f"{stem}.jsonl"] = as_json_lines(rows)
        files[f"{stem.capitalize()}.csv"] = csv_text(rows, COLUMNS[kind][1:])
    content_by_key = {(row["task_id"], row["setting"]): row["content"] for row in contexts.to_dict("records")}
    task_rows = [
        row for row in tasks.sort_values("task_id").to_dict("records") if (row["task_id"], "filtered") in content_by_key
    ]
    queries = [{"index": i, "query": row["query"]} for i, row in enumerate(task_rows, 1)]
    records = [{"index": i, "eval_info": eval_info(row["record"])} for i, row in enumerate(task_rows, 1)]
    filtered = [{"filtered_data": json.loads(content_by_key[row["task_id"], "filtered"])} for row in task_rows]
    if witnesses is not None:
        plans = [
            {"index": i, "task_id": row["task_id"], "plan": witnesses[row["task_id"]]}
            for i, row in enumerate(task_rows, 1)
        ]
        files[WITNESSES] = as_json_lines(plans)
    return files | {
        "humanQuerys.jsonl": as_json_lines(queries),
        "evals.jsonl": as_json_lines(records),
        "all_data.json": json.dumps(json.loads(content_by_key["", "all_data"])),
        "filtered_data.jsonl": as_json_lines(filtered),
    }
