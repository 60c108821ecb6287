"""A published ItinBench folder as the tables of a release: its pool of places, its queries, and plans if it has any."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from assets.core.opening import opened_city, opened_task, pointers, read_published
from assets.family import Opened
from assets.itinbench.published.checker import WITNESSES
from assets.itinbench.published.folder import FILES, PublishedSet, published_set
from assets.itinbench.published.published_folder import FILE_KEYS
from assets.itinbench.tables import ItinbenchPlace
from schemas.counts import counted
from schemas.json_lines import json_lines, lines_told
from schemas.source import SourceError

INDEX = "[0-9]{1,18}"
"""What a query's index may be: a number of 64 bits."""

CITY_ID, CITY_NAME = "opened", "the city of the opened folder"
"""A published folder is of one city, which it does not name."""


def open_folder(folder: Path) -> Opened:
    """Return a published folder as tables. Raises SourceError naming every file and line that is not as published."""
    names = (*(f"{stem}.jsonl" for stem in FILE_KEYS), WITNESSES)
    files = read_published({name: folder / name for name in names})
    benchmark = published_set(files, folder.name)
    places = _places(benchmark, files)
    gold, ids = _witnesses(files.get(WITNESSES, b""))
    unnumbered = [index for index in benchmark.records if not re.fullmatch(INDEX, index)]
    if unnumbered:
        raise SourceError(
            f"evals.jsonl: {counted(len(unnumbered), 'index', 'indexes')} other than numbers, such as "
            f"{unnumbered[0]!r:.40}; expected whole ones of at most 18 digits"
        )
    tasks = [
        opened_task(
            ids.get(index, f"published.{int(index):05d}"), CITY_ID, int(index), benchmark.queries[index], record
        )
        for index, record in benchmark.records.items()
    ]
    task_ids = {task["task_id"] for task in tasks}
    city = opened_city(CITY_ID, CITY_NAME, [(row["lat"], row["lon"]) for row in places])
    return Opened(
        files=files,
        tasks=tasks,
        rows={ItinbenchPlace: places},
        cities=[city] if city else [],
        gold={task_id: plan for task_id, plan in gold.items() if task_id in task_ids},
    )


def _places(benchmark: PublishedSet, files: Mapping[str, bytes]) -> list[dict[str, Any]]:
    """Return the pool's rows, each with a pointer to the record that it is."""
    at = {kind: pointers(f"{stem}.jsonl", files[f"{stem}.jsonl"]) for kind, stem in FILES.items()}
    rows = []
    for row in benchmark.places.astype(object).where(benchmark.places.notna(), None).to_dict("records"):
        record = int(row["place_id"].partition(".")[0]) + 1
        rows.append({**row, "city_id": CITY_ID, "source_rows": [at[row["kind"]].pointer(f"record {record}")]})
    return rows


def _witnesses(data: bytes) -> tuple[dict[str, Any], dict[str, str]]:
    """Return the plans by task, and each index's task. Raises SourceError naming every line that is neither."""
    plans: dict[str, Any] = {}
    ids: dict[str, str] = {}
    problems = []
    for line in json_lines(data, storable=True):
        missing = [key for key in ("index", "task_id", "plan") if key not in line.value]
        if line.problem or missing:
            problem = line.problem or f"found no {', '.join(missing)}"
            problems.append(f"line {line.number}: {problem}")
            continue
        index, task_id, plan = str(line.value["index"]), line.value["task_id"], line.value["plan"]
        if not isinstance(task_id, str) or not task_id or task_id in plans or index in ids:
            problems.append(
                f"line {line.number}: task {task_id!r:.60} of index {index:.20} is no id, or was there before"
            )
            continue
        plans[task_id], ids[index] = plan, task_id
    if problems:
        raise SourceError(f"{WITNESSES}: {counted(len(problems), 'line')} without a plan:\n{lines_told(problems)}")
    return plans, ids
