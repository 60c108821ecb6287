"""From a release's rows to source bytes: each row read again from the records that it points to, column by column."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from assets.family import Family, all_steps
from assets.named import load
from assets.promises.cells import CellIndex, rows_of
from assets.promises.corrected import as_corrected, is_correction
from assets.promises.traceable import Traced
from assets.promises.values import parsed_pointer
from assets.release.reading import OpenedRelease
from assets.step import NOBODYS, RawFile
from schemas.recipe import City
from schemas.source import RowPointer, Snapshot
from sources.locate import ROWS, parsed_records
from warehouse.snapshots import Snapshots
from warehouse.store import StoreError

MOST_ROWS = 20_000
"""Rows of a table that are all read again; of a larger one, those that values come from."""

Row = Mapping[str, Any]


@dataclass
class Sourced:
    """How many rows and cells were read again from their records, which tables whole, and every problem."""

    counts: dict[str, Any] = field(
        default_factory=lambda: {"rows": 0, "cells": 0, "records": 0, "files": 0, "by_rule": {}}
    )
    """Rows, cells, records and files; and by column the cells that no record tells, but a declared rule or model."""
    verified: set[str] = field(default_factory=set)
    compared: set[tuple[str, str]] = field(default_factory=set)
    """Columns, by table and name, of which a cell was compared with what its records say."""
    contradicted: set[tuple[str, str]] = field(default_factory=set)
    """Rows, by table and key, that their records do not bear out."""
    problems: list[str] = field(default_factory=list)
    unverified: list[dict[str, Any]] = field(default_factory=list)


def rows_from_sources(
    release: OpenedRelease, family: Family, index: CellIndex, traced: Traced, snapshots: Snapshots
) -> Sourced:
    """Return what of the released rows stands in their sources.

    Every column that holds a source's own value is compared with what the reader makes of the row's records alone, as
    people's corrections that the row points to change them (`assets.promises.corrected`). A table is verified where
    that was done of every row of it; a row of which nothing could be compared (it holds only what was computed) leads
    nowhere that anybody has seen. A file that is not in the store is told as unverified, with how many values rest on
    it.
    """
    found = Sourced()
    files = {snapshot.sha256: snapshot for snapshot in release.manifest.inputs}
    steps = all_steps([family])
    rows: dict[str, dict[str, dict[str, Any]]] = {}
    whole: set[str] = set()
    for name, table in index.tables.items():
        if "source_rows" not in {column.name for column in table.columns()}:
            continue
        size = next((f.rows or 0 for f in release.manifest.files if f.path == f"{name}.parquet"), 0)
        rows[name] = rows_of(release, table) if size <= MOST_ROWS else dict(index.rows.get(name, {}))
        whole |= {name} if size <= MOST_ROWS else set()
    wanted: dict[str, dict[str, set[str]]] = {}
    pointers: dict[tuple[str, str], list[RowPointer]] = {}
    for name, by_key in rows.items():
        for key, row in by_key.items():
            found.problems += [
                f"{name}/{key}: generation {call} is not in the release, or is not what its id says"
                for call in row.get("generation_ids") or ()
                if call not in index.generations
            ]
            told = len(found.problems)
            pointers[name, key] = _pointers(f"{name}/{key}", row, files, found)
            found.contradicted |= {(name, key)} if len(found.problems) > told else set()
            for pointer in pointers[name, key]:
                wanted.setdefault(pointer.sha256, {}).setdefault(_what(name), set()).add(pointer.locator)
    records = _records(release, files, wanted, snapshots, traced, pointers, found)
    for name, by_key in rows.items():
        before, is_read = len(found.problems), name in whole
        said = load(steps[name].sources) if steps[name].sources else None
        columns = {column.name: column.holds == "source" for column in index.tables[name].columns()}
        for key, row in by_key.items():
            mine = pointers[name, key]
            if any(pointer.sha256 not in records for pointer in mine):
                is_read = False
                continue
            parsed = [(pointer, records[pointer.sha256].get((_what(name), pointer.locator))) for pointer in mine]
            told = len(found.problems)
            cells = _compare(said, columns, f"{name}/{key}", row, parsed, found)
            found.contradicted |= {(name, key)} if len(found.problems) > told else set()
            is_read = is_read and cells > 0
        if is_read and len(found.problems) == before:
            found.verified.add(name)
    return found


def _what(table: str) -> str:
    """Return which rows of a file are meant where it makes several: those of stops, else places."""
    return "stop" if "stop" in table else ""


def _pointers(ref: str, row: Row, files: Mapping[str, Snapshot], found: Sourced) -> list[RowPointer]:
    """Return a row's pointers to the release's files; say so of those that lead nowhere."""
    good = []
    for text in row["source_rows"]:
        pointer = parsed_pointer(text)
        snapshot = files.get(pointer.sha256) if pointer else None
        if pointer is None or snapshot is None or (snapshot.source, snapshot.role) != (pointer.source, pointer.role):
            found.problems.append(f"{ref}: {text[:100]} leads to no input of the release")
        else:
            good.append(pointer)
    if not good:
        found.problems.append(f"{ref}: has no source row")
    return good


def _records(
    release: OpenedRelease,
    files: Mapping[str, Snapshot],
    wanted: Mapping[str, Mapping[str, set[str]]],
    snapshots: Snapshots,
    traced: Traced,
    pointers: Mapping[tuple[str, str], list[RowPointer]],
    found: Sourced,
) -> dict[str, dict[tuple[str, str], Any]]:
    """Return, by file, the row that its reader makes of each record; a file that is not here is left out and told."""
    cities = [City(**city) for city in release.manifest.cities]
    window = _window(release)
    records: dict[str, dict[tuple[str, str], Any]] = {}
    for sha256, by_table in wanted.items():
        snapshot = files[sha256]
        if not snapshots.holds(sha256):
            resting = sum(
                len(traced.rows.get(ref, ())) for ref, mine in pointers.items() if any(p.sha256 == sha256 for p in mine)
            )
            what = f"{snapshot.location} ({snapshot.source}.{snapshot.role}, sha256 {sha256})"
            url = f", from {snapshot.url}" if snapshot.url else ""
            why = f"the raw file is not in the store; it is under {snapshot.licence_id}{url}"
            found.unverified.append({"what": what, "why": why, "values": resting})
            continue
        if (snapshot.source, snapshot.role) not in ROWS:
            found.problems.append(
                f"{snapshot.location}: nothing reads a row of {snapshot.source}.{snapshot.role} again"
            )
            continue
        try:
            with snapshots.open(snapshot) as path:
                mine: dict[tuple[str, str], Any] = {}
                for table, locators in by_table.items():
                    read = parsed_records(
                        RawFile(snapshot, path), locators, cities=cities, window=window, table=table or "place"
                    )
                    mine |= {(table, locator): row for locator, row in read.items()}
        except StoreError as error:
            found.problems.append(str(error))
            continue
        records[sha256] = mine
        found.counts["files"] += 1
        found.counts["records"] += len(mine)
    return records


def _window(release: OpenedRelease) -> tuple[dt.date, dt.date]:
    """Return the days that give dates without a year theirs, as the family's section says."""
    section = release.manifest.section
    given = section.get("event_dates_from") or (section.get("first_date"), section.get("last_date"))
    if not all(given):
        return dt.date.min, dt.date.max
    first, last = (dt.date.fromisoformat(str(day)) for day in given)
    return first, last


def _compare(
    said: Callable[..., Any] | None,
    columns: Mapping[str, bool],
    ref: str,
    row: Row,
    parsed: list[tuple[RowPointer, Any]],
    found: Sourced,
) -> int:
    """Say which source columns of a row stand in none of its records; return how many were compared.

    `columns` says of each by name whether it holds a source's value; what says what these may be (`said`) never sees
    them, so that it can vouch for none.
    """
    lost = [pointer.locator for pointer, record in parsed if record is None]
    if lost:
        found.problems.append(f"{ref}: its file has no record at {lost[0]}, or its reader refuses it")
    entries = [dict(r) for pointer, r in parsed if r is not None and is_correction(pointer)]
    read = [dict(record) for pointer, record in parsed if record is not None and not is_correction(pointer)]
    if not read:
        found.problems += [f"{ref}: points to a correction alone, and to no record of a source"] if entries else []
        return 0
    given, records, problems = as_corrected(ref, row, read, entries)
    found.problems += [f"{ref}: {problem}" for problem in problems]
    found.counts["rows"] += 1
    before = found.counts["cells"]
    seen = {name: value for name, value in row.items() if not columns.get(name)}
    expected: Mapping[str, Any] = {}
    try:
        expected = said(seen, records) if said else {}
    except Exception as error:  # the step's own function: of the row it sees no source's value
        found.problems.append(f"{ref}: what its records must say failed: {type(error).__name__}: {error}")
    for name, is_sourced in columns.items():
        if name in given:
            options = [given[name]]
        elif _is_absent(row[name]) or not (is_sourced or name in expected):
            continue
        else:
            options = expected.get(name)
        if options is None:
            options = [record[name] for record in records if name in record]
        if any(option is NOBODYS for option in options):
            by_rule = found.counts["by_rule"]
            by_rule[f"{ref.partition('/')[0]}.{name}"] = by_rule.get(f"{ref.partition('/')[0]}.{name}", 0) + 1
            continue
        found.counts["cells"] += 1
        found.compared.add((ref.partition("/")[0], name))
        if not any(_same(row[name], option) for option in options):
            shown = ", ".join(f"{option!r:.60}" for option in options[:2]) or "no such value"
            found.problems.append(f"{ref}: {name} is {row[name]!r:.60}; its records say {shown}")
    return found.counts["cells"] - before


def _same(value: Any, option: Any) -> bool:
    if isinstance(value, float) and isinstance(option, (int, float)) and not isinstance(option, bool):
        return math.isclose(value, option, rel_tol=1e-9, abs_tol=1e-9)
    if isinstance(value, dt.date) and isinstance(option, str):
        return value.isoformat() == option
    if isinstance(value, (list, tuple)) and isinstance(option, (list, tuple)):
        return list(value) == list(option)
    return value == option


def _is_absent(value: Any) -> bool:
    return value is None or (isinstance(value, float) and math.isnan(value))
