"""Applied: what people corrected, dropped and withdrew stands in the release as they said."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from assets.accounts import Keys, Rows
from assets.families import all_steps, families
from assets.family import Family
from assets.promises.cells import CellIndex, rows_of
from assets.promises.sources import missing_file
from assets.promises.whole import needed_steps
from assets.release.reading import OpenedRelease
from assets.step import RawFile, Step
from schemas.corrections import DROP, PROVENANCE, correction_problem, key_parts
from schemas.errors import ExpectedError
from schemas.rejection import Reason
from schemas.table import Table
from sources.corrections.overrides import SOURCE, WITHDRAWN, read_corrections, withdrawn_tasks
from warehouse.snapshots import Snapshots

Entry = Mapping[str, Any]


def applied(
    release: OpenedRelease, family: Family, index: CellIndex, snapshots: Snapshots
) -> tuple[list[str], list[dict[str, Any]]]:
    """Return what the release says otherwise than people's corrections, and each file of them that is not here.

    A row that is made of a corrected one may have another of its records' values, and points to the correction.
    """
    entries: list[dict[str, Any]] = []
    problems: list[str] = []
    missing: list[dict[str, Any]] = []
    for snapshot in (one for one in release.manifest.inputs if one.source == SOURCE.name):
        if not snapshots.holds(snapshot.sha256):
            missing.append(missing_file(snapshot, 0))
            continue
        try:
            with snapshots.open(snapshot) as path:
                entries += read_corrections(RawFile(snapshot, path))
        except ExpectedError as error:
            problems.append(str(error))
    if not missing and not problems:
        problems += _withdrawn(release, family, entries)
    problems += _rows(release, family, index, [entry for entry in entries if "row" in entry])
    return problems, missing


def _withdrawn(release: OpenedRelease, family: Family, entries: list[dict[str, Any]]) -> Iterator[str]:
    """Yield the tasks that people withdrew and the manifest does not say so of, and those that it says so of alone."""
    by_people = {task.task_id: task for task in withdrawn_tasks(entries) if task.family == family.name}
    stated = {task["task_id"]: task for task in release.manifest.retired if task["reason"].startswith(WITHDRAWN)}
    for task_id in sorted(by_people.keys() | stated.keys()):
        expected = by_people[task_id].model_dump(exclude={"family"}) if task_id in by_people else None
        if stated.get(task_id) != expected:
            reason = expected["reason"] if expected else "none of them withdraws it"
            yield f"manifest.json: retired: says {stated.get(task_id)} of {task_id}; by people's corrections: {reason}"


def _rows(release: OpenedRelease, family: Family, index: CellIndex, entries: list[dict[str, Any]]) -> Iterator[str]:
    """Yield the corrections that no build takes, those that rows do not show, and rows of what was dropped."""
    if not entries:
        return
    steps, recipe_steps = all_steps([family]), all_steps(families().values())
    needed = needed_steps(steps, [table.table_name() for table in family.released])
    missing_cities = {city["city_id"] for city in release.manifest.missing_cities}
    rejections = {
        (row["step"], row["row"], row["detail"])
        for row in release.rows("rejections").to_pylist()
        if row["reason"] == Reason.WITHDRAWN.value
    }
    for entry in entries:
        ref, (name, _, key) = entry["row"], entry["row"].partition("/")
        step = recipe_steps.get(name)
        problem = correction_problem(step.output, entry["field"], entry.get("value")) if step else "is of no table"
        if problem:
            yield f"{ref}: no build takes its correction: {problem}"
        elif name in needed:
            yield from _row(release, index, entry)
            rows_made_of_it = _rows_made_of(release, index, steps, steps[name].output, key)
            if entry["field"] != DROP:
                for other, row in rows_made_of_it:
                    if entry["field"] in row and entry["pointer"] not in row[PROVENANCE]:
                        yield f"{other}: is made of {ref}, and does not point to {entry['who']}'s correction of it"
            elif key.partition("/")[0] not in missing_cities:
                detail = f"{entry['who']}, {entry['made_on']}: {entry['why']}"
                if (name, ref, detail) not in rejections:
                    yield f"{ref}: was dropped by {detail}; the rejections do not say so"
                yield from (f"{other}: is made of {ref}, which people dropped" for other, _ in rows_made_of_it)


def _row(release: OpenedRelease, index: CellIndex, entry: Entry) -> Iterator[str]:
    """Yield what the row of a correction has otherwise, where the release holds its table."""
    name, _, key = entry["row"].partition("/")
    row = rows_of(release, index.tables[name], {key}).get(key) if _is_there(release, index, name) else None
    if row is not None and entry["field"] != DROP and row[entry["field"]] != entry["value"]:
        yield (
            f"{entry['row']}: {entry['field']} is {row[entry['field']]!r:.60}; {entry['who']} corrected it to "
            f"{entry['value']!r:.60}"
        )


def _rows_made_of(
    release: OpenedRelease, index: CellIndex, steps: Mapping[str, Step], table: type[Table], key: str
) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the released rows that have a row's key and can be made of nothing else, each by its name; itself, too."""
    columns = table.key()
    parts = key_parts(key, columns)
    for name, other in index.tables.items():
        if (
            PROVENANCE in {column.name for column in other.columns()}
            and {*columns} <= {column.name for column in other.columns()}
            and _is_there(release, index, name)
            and not _is_made_without(steps, name, table)
        ):
            for row_key, row in rows_of(release, other).items():
                if [str(row[column]) for column in columns] == parts:
                    yield f"{name}/{row_key}", row


def _is_made_without(steps: Mapping[str, Step], name: str, dropped: type[Table]) -> bool:
    """Return whether a table may have a row of a key though the row of this key was dropped from another.

    It may where its step takes rows of a third that the other is made of, too: a stay, which is also a place.
    """
    other = dropped.table_name()
    if name == other:
        return False
    if other not in needed_steps(steps, [name]):
        return True
    accounts = steps[name].accounts
    row_tables = accounts.tables if isinstance(accounts, Rows) else accounts.of if isinstance(accounts, Keys) else ()
    upstream = needed_steps(steps, [other])
    return any(
        _is_made_without(steps, one.table_name(), dropped)
        for one in row_tables
        if {*dropped.key()} <= {column.name for column in one.columns()}
        and (one.table_name() in upstream or other in needed_steps(steps, [one.table_name()]))
    )


def _is_there(release: OpenedRelease, index: CellIndex, name: str) -> bool:
    """Return whether the release has a file of a table of facts."""
    return name in index.tables and name in release.tables()
