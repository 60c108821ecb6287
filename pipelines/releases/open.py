"""Opening a published folder: its tables and its files as a read-only release, addressed by what they hold."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assets.core.opening import opened_tables, snapshot_of
from assets.family import Family, Opened
from assets.release.licences import release_licences
from assets.release.reading import GOLD, PUBLISHED
from schemas.errors import ExpectedError
from schemas.rejection import Rejection
from schemas.release import Manifest, OpenedFrom
from schemas.source import LICENCES
from schemas.stable import content_hash
from schemas.table import Table
from warehouse.home import Home
from warehouse.releases import ReleaseRef
from warehouse.tables import TableVersion

RECIPE = "opened"
"""Where a release names its recipe, a folder that was opened has none."""

SHOWN = 3

UNKNOWN_LICENCE = "LicenseRef-unverified"

NOT_OURS = (
    "This is somebody else's published folder, opened to be read: its values are the folder's own, none was traced to "
    "a source, and no task of it was certified. Its licence is what whoever opened it declared, else unknown."
)


@dataclass(frozen=True)
class OpenedRef:
    """Where an opened folder's release is, whether it is new, and what it holds."""

    ref: ReleaseRef
    is_new: bool
    tasks: int
    left_out: int
    opened: OpenedFrom


def open_published(
    home: Home,
    family: Family,
    folder: Path,
    licence: str | None = None,
    origin: str | None = None,
    waiting: Callable[[], None] = lambda: None,
) -> OpenedRef:
    """Return the read-only release of a published folder; the same files give the same one.

    Raises ExpectedError if the family cannot open folders, the licence is not known, or there is nothing at the path;
    SourceError naming every file of it that is missing or damaged.
    """
    if family.open is None:
        raise ExpectedError(f"no folder of {family.name} can be opened: it declares no published shape that is read")
    if licence is not None and licence not in LICENCES:
        raise ExpectedError(f"licence {licence!r} is not known; expected one of {', '.join(sorted(LICENCES))}")
    if not folder.exists():
        raise ExpectedError(f"{folder}: found nothing there; expected a folder as {family.title} is published")
    contents: Opened = family.call("open", folder)
    if not contents.tasks:
        reasons = "; ".join(f"{row['row']}: {row['detail']}" for row in contents.rejected[:SHOWN]) or "no line says one"
        raise ExpectedError(f"{folder}: found no task that can be held: {reasons}")
    inputs = [snapshot_of(path, data, licence or UNKNOWN_LICENCE) for path, data in sorted(contents.files.items())]
    hashes = {snapshot.location: snapshot.sha256 for snapshot in inputs}
    opened = OpenedFrom(
        sha256=content_hash(hashes), files=hashes, origin=origin, notes=list(contents.notes), gold=len(contents.gold)
    )
    frames = opened_tables(family, contents)
    with home.building(waiting):
        files = {name: (table, home.tables.write(table, frame)) for name, (table, frame) in frames.items()}
        manifest = Manifest(
            recipe=RECIPE,
            family=family.name,
            title=f"{family.title}: a published folder, opened",
            seed=0,
            cities=[dict(city) for city in contents.cities],
            missing_cities=[],
            inputs=inputs,
            licences=release_licences(inputs),
            opened=opened,
            engines={},
            section=dict(contents.section),
            choices=[{"choice_id": "opened", "text": NOT_OURS}],
            rules={},
            counts=_counts(contents),
            accounting=_accounting(contents, files),
            measures={},
            files=[],
        )
        texts = {f"{PUBLISHED}/{path}": data for path, data in contents.files.items()}
        if contents.gold:
            texts[GOLD] = "".join(_line(task_id, plan) for task_id, plan in contents.gold.items()).encode()
        record = {"opened.json": _line_of({"folder": str(folder.resolve())}).encode()}
        ref, is_new = home.opened.publish(manifest, files, texts, record)
    return OpenedRef(ref, is_new, len(contents.tasks), len(contents.rejected), opened)


def _counts(contents: Opened) -> dict[str, Any]:
    cities = [str(task["city_id"]) for task in contents.tasks]
    return {
        "tasks": len(contents.tasks),
        "certified": 0,
        "tasks_by_city": {city: cities.count(city) for city in sorted(set(cities))},
        "unanswered": 0,
        "retired": 0,
        "rejected": 0,
        "source_rows_rejected": len(contents.rejected),
    }


def _accounting(contents: Opened, files: dict[str, tuple[type[Table], TableVersion]]) -> list[dict[str, Any]]:
    """Return, for each table that has rows or lost some, how many rows of the folder are in it and were left out."""
    entries = []
    for table, version in files.values():
        reasons = [row["reason"] for row in contents.rejected if row["step"] == table.table_name()]
        if table is not Rejection and (version.rows or reasons):
            entries.append(
                {
                    "step": table.table_name(),
                    "rows_in": version.rows + len(reasons),
                    "rows_out": version.rows,
                    "merged": 0,
                    "rejected": {reason: reasons.count(reason) for reason in sorted(set(reasons))},
                }
            )
    return entries


def _line(task_id: str, plan: Any) -> str:
    return _line_of({"task_id": task_id, "plan": plan})


def _line_of(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False) + "\n"
