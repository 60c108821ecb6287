"""From a release's rows to source bytes: each row read again from the records that it points to, column by column."""

from __future__ import annotations

import datetime as dt
import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Set
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import NoneType
from typing import Any

import numpy as np

from assets.families import all_steps
from assets.family import Family
from assets.named import load
from assets.promises.cells import CellIndex, rows_of
from assets.promises.corrected_records import Upstream, as_corrected, is_correction
from assets.promises.own_ids import id_columns, ids_by_records
from assets.promises.said_own import SaidOwn
from assets.promises.traceable import TraceReport
from assets.promises.values import parsed_pointer
from assets.promises.whole import needed_steps
from assets.release.reading import OpenedRelease
from assets.step import NOBODYS, Raw, RawFile, Step
from schemas.recipe import City
from schemas.source import Binding, RowPointer, Snapshot
from sources.locate import ROWS, parsed_records
from warehouse.snapshots import Snapshots
from warehouse.store import StoreError

MOST_ROWS = 20_000
"""Rows of a table that are all read again; of a larger one, those that values come from."""

MOST_RECORDS = 50_000
"""Records that are held at once, some 2 kB each: a place may have thousands of reviews."""

PLAIN = (str, int, float, bool, dt.date, NoneType)
"""Types of what a record may say of a row's column, beside lists of it."""

Row = Mapping[str, Any]
Ref = tuple[str, str]
"""A row, by table and key."""


@dataclass
class SourcesReport:
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
    release: OpenedRelease, family: Family, index: CellIndex, traced: TraceReport, snapshots: Snapshots
) -> SourcesReport:
    """Return what of the released rows stands in their sources.

    Every column that holds a source's own value is compared with what the reader makes of the row's records alone, as
    people's corrections that the row points to change them (`assets.promises.corrected_records`). A table is verified
    where that was done of every row of it; a row of which nothing could be compared (it holds only what was computed)
    leads nowhere that anybody has seen. A file that is not in the store is told as unverified, with how many values
    rest on it.
    """
    report = SourcesReport()
    rows: dict[str, dict[str, dict[str, Any]]] = {}
    tables_in_whole: set[str] = set()
    for name, table in index.tables.items():
        if "source_rows" not in {column.name for column in table.columns()}:
            continue
        size = next((f.rows or 0 for f in release.manifest.files if f.path == f"{name}.parquet"), 0)
        rows[name] = rows_of(release, table) if size <= MOST_ROWS else dict(index.rows.get(name, {}))
        tables_in_whole |= {name} if size <= MOST_ROWS else set()
    sizes = {name: len(by_key) for name, by_key in rows.items()}
    reading = _Reading(release, family, index, snapshots, sizes, report)
    for group in _groups(rows):
        reading.read_again(group)
    reading.look_where(rows)
    report.problems += reading.said_own.problems()
    report.unverified = reading.told_of_missing(traced)
    report.counts["files"] = len({sha256 for (*_, sha256), _ in reading.read})
    report.counts["records"] = sum(map(len, reading.read.values()))
    report.verified = tables_in_whole - reading.doubted
    return report


def _groups(rows: Mapping[str, Mapping[str, dict[str, Any]]]) -> Iterator[dict[Ref, dict[str, Any]]]:
    """Yield the rows in groups of at most `MOST_RECORDS` records, a row at least; a city's, and so its files, together.

    Where all fit at once they are one group, so that each file is read once.
    """
    refs = [(name, key) for name, by_key in rows.items() for key in by_key]
    group, record_count = dict[Ref, dict[str, Any]](), 0
    for name, key in sorted(refs, key=lambda ref: str(rows[ref[0]][ref[1]].get("city_id"))):
        row = rows[name][key]
        if group and record_count + len(row["source_rows"]) > MOST_RECORDS:
            yield group
            group, record_count = {}, 0
        group[name, key] = row
        record_count += len(row["source_rows"])
    if group:
        yield group


class _Reading:
    """Rows compared with their records, group by group: of records there may be millions, and a group's are held."""

    def __init__(
        self,
        release: OpenedRelease,
        family: Family,
        index: CellIndex,
        snapshots: Snapshots,
        sizes: Mapping[str, int],
        report: SourcesReport,
    ) -> None:
        self.doubted: set[str] = set()
        """Tables of which a row was not borne out, or not read again."""
        self.missing: dict[Binding, set[Ref]] = {}
        """Files that are not in the store, as they are bound, and the rows that point to them."""
        self.read: dict[tuple[Binding, str], set[str]] = {}
        """Locators of the records that were read, by file and what was read of it."""
        self._found, self._index, self._snapshots = report, index, snapshots
        self._files = {snapshot.binding: snapshot for snapshot in release.manifest.inputs}
        self._cities = [City(**city) for city in release.manifest.cities]
        self._window = _window(release)
        self._unread: set[Binding] = set()
        """Files of which it was said that they cannot be read."""
        steps = all_steps([family])
        self.said_own = SaidOwn(index.tables, sizes)
        self._said = {name: load(sources) if (sources := steps[name].sources) else None for name in index.tables}
        self._columns = {
            name: {column.name: column.holds == "source" for column in table.columns()}
            for name, table in index.tables.items()
        }
        self._ids = {name: {*id_columns(columns)} for name, columns in self._columns.items()}
        self._upstream = {name: _upstream(steps, name) for name in index.tables}

    def read_again(self, group: Mapping[Ref, Row]) -> None:
        """Compare each row with what its reader makes of its records."""
        locators_by_file: dict[Binding, dict[str, set[str]]] = {}
        pointers: dict[Ref, list[RowPointer]] = {}
        for ref, row in group.items():
            with self._told_of(ref):
                pointers[ref] = self._pointers("/".join(ref), row)
            for pointer in pointers[ref]:
                locators_by_file.setdefault(pointer.binding, {}).setdefault(_what(ref[0]), set()).add(pointer.locator)
        records = {
            binding: self._records(self._files[binding], locators_by_table)
            for binding, locators_by_table in locators_by_file.items()
        }
        for ref, row in group.items():
            name, row_pointers = ref[0], pointers[ref]
            files_lacking = [pointer.binding for pointer in row_pointers if records[pointer.binding] is None]
            if files_lacking:
                self.doubted.add(name)
                for binding in files_lacking:
                    self.missing.setdefault(binding, set()).add(ref)
                continue
            parsed = [(p, (records[p.binding] or {}).get((_what(name), p.locator))) for p in row_pointers]
            with self._told_of(ref):
                cells = _compare(
                    self._said[name],
                    self._columns[name],
                    self._ids[name],
                    self._upstream[name],
                    "/".join(ref),
                    row,
                    parsed,
                    self._found,
                )
            if not cells:
                self.doubted.add(name)
            self.said_own.look(name, row, (record for _, record in parsed if record is not None))

    def look_where(self, rows: Mapping[str, Mapping[str, Row]]) -> None:
        """Say which rows lie elsewhere than in their city: its area decides, and no record names it."""
        positions_by_city: dict[str, list[tuple[Ref, float, float]]] = {}
        for name, by_key in rows.items():
            if {"city_id", "lat", "lon"} <= self._columns[name].keys():
                for key, row in by_key.items():
                    positions = positions_by_city.setdefault(row["city_id"], [])
                    positions.append(((name, key), row["lat"], row["lon"]))
        for city in self._cities:
            positions = positions_by_city.get(city.city_id, [])
            self._found.compared |= {(name, "city_id") for (name, _), _, _ in positions}
            lies_in = city.contains(
                np.array([lat for _, lat, _ in positions]), np.array([lon for *_, lon in positions])
            )
            for ref, lat, lon in itertools.compress(positions, ~lies_in):
                with self._told_of(ref):
                    self._found.problems.append(f"{'/'.join(ref)}: lies at {lat}, {lon}, which is not in its city")

    def told_of_missing(self, traced: TraceReport) -> list[dict[str, Any]]:
        """Return the files that are not in the store, each with why and how many values rest on it."""
        missing_files = []
        for snapshot in (self._files[binding] for binding in self.missing if binding not in self._unread):
            resting = sum(len(traced.rows.get(ref, ())) for ref in self.missing[snapshot.binding])
            missing_files.append(missing_file(snapshot, resting))
        return missing_files

    @contextmanager
    def _told_of(self, ref: Ref) -> Iterator[None]:
        """Take a row for contradicted where problems are found of it."""
        problem_count = len(self._found.problems)
        yield
        if len(self._found.problems) > problem_count:
            self._found.contradicted.add(ref)
            self.doubted.add(ref[0])

    def _pointers(self, ref: str, row: Row) -> list[RowPointer]:
        """Return a row's pointers to the release's files; say so of others, and of calls that nobody made."""
        problems = [
            f"{ref}: generation {call} is not in the release, or is not what its id says"
            for call in row.get("generation_ids") or ()
            if call not in self._index.generations
        ]
        good = []
        for text in row["source_rows"]:
            pointer = parsed_pointer(text)
            if pointer is None or pointer.binding not in self._files:
                problems.append(f"{ref}: {text[:100]} leads to no input of the release")
            else:
                good.append(pointer)
        self._found.problems += [*problems, *([] if good else [f"{ref}: has no source row"])]
        return good

    def _records(
        self, snapshot: Snapshot, locators_by_table: Mapping[str, set[str]]
    ) -> dict[tuple[str, str], Row] | None:
        """Return the row that the file's reader makes of each record; None if it is not here or cannot be read."""
        if not self._snapshots.holds(snapshot.sha256):
            return None
        rows_by_record: dict[tuple[str, str], Row] = {}
        try:
            if (snapshot.source, snapshot.role) not in ROWS:
                raise StoreError(f"{snapshot.location}: nothing reads a row of {snapshot.source}.{snapshot.role} again")
            with self._snapshots.open(snapshot) as path:
                file = RawFile(snapshot, path)
                for table, locators in locators_by_table.items():
                    row_by_locator = parsed_records(
                        file, locators, cities=self._cities, window=self._window, table=table or "place"
                    )
                    self.read.setdefault((snapshot.binding, table), set()).update(row_by_locator)
                    rows_by_record |= {(table, locator): row for locator, row in row_by_locator.items()}
        except StoreError as error:
            if snapshot.binding not in self._unread:
                self._unread.add(snapshot.binding)
                self._found.problems.append(str(error))
            return None
        return rows_by_record


def missing_file(snapshot: Snapshot, values: int) -> dict[str, Any]:
    """Return, as an audit tells it, that a raw file is not in the store and so many values rest on it."""
    url = f", from {snapshot.url}" if snapshot.url else ""
    return {
        "what": f"{snapshot.location} ({snapshot.source}.{snapshot.role}, sha256 {snapshot.sha256})",
        "why": f"the raw file is not in the store; it is under {snapshot.licence_id}{url}",
        "values": values,
    }


def _what(table: str) -> str:
    """Return which rows of a file are meant where it makes several: those of stops, else places."""
    return "stop" if "stop" in table else ""


def _upstream(steps: Mapping[str, Step], name: str) -> dict[str, Upstream]:
    """Return the tables that one is made of, each with what it is made of itself."""
    return {
        one: Upstream(
            steps[one].output.key(),
            {(r.source, r.role) for n in needed_steps(steps, [one]) for r in steps[n].inputs if isinstance(r, Raw)},
        )
        for one in needed_steps(steps, [name]) - {name}
    }


def _window(release: OpenedRelease) -> tuple[dt.date, dt.date]:
    """Return the days that give dates without a year theirs, as the family's section says."""
    section = release.manifest.section
    days = section.get("event_dates_from") or (section.get("first_date"), section.get("last_date"))
    if not all(days):
        return dt.date.min, dt.date.max
    first, last = (dt.date.fromisoformat(str(day)) for day in days)
    return first, last


def _compare(
    records_say: Callable[..., Any] | None,
    columns: Mapping[str, bool],
    ids: Set[str],
    upstream: Mapping[str, Upstream],
    ref: str,
    row: Row,
    parsed: list[tuple[RowPointer, Any]],
    report: SourcesReport,
) -> int:
    """Say which source columns of a row stand in none of its records; return how many were compared.

    `columns` says of each by name whether it holds a source's value, and `ids` names those of ids. What says what these
    may be (`records_say`) never sees them, so that it can vouch for none. A value that is not there is compared where a
    record says one: who strikes a rule of the house edits it as well. `upstream` is as in `as_corrected`.
    """
    lost_locators = [pointer.locator for pointer, record in parsed if record is None]
    if lost_locators:
        report.problems.append(f"{ref}: its file has no record at {lost_locators[0]}, or its reader refuses it")
    entries = [dict(r) for pointer, r in parsed if r is not None and is_correction(pointer)]
    pairs = [(pointer, dict(r)) for pointer, r in parsed if r is not None and not is_correction(pointer)]
    if not pairs:
        report.problems += [f"{ref}: points to a correction alone, and to no record of a source"] if entries else []
        return 0
    corrected = as_corrected(ref, row, pairs, entries, upstream)
    report.problems += [f"{ref}: {problem}" for problem in corrected.problems]
    report.counts["rows"] += 1
    before = report.counts["cells"]
    own_values = {name: value for name, value in row.items() if not columns.get(name)}
    expected: Mapping[str, Any] = {}
    try:
        expected = records_say(own_values, corrected.records) if records_say else {}
    except Exception as error:  # the step's own function: of the row it sees no source's value
        report.problems.append(f"{ref}: what its records must say failed: {type(error).__name__}: {error}")
    problem_by_id = ids_by_records(row, [record for _, record in pairs], ids - expected.keys())
    report.problems += [f"{ref}: {problem}" for problem in problem_by_id.values() if problem]
    report.compared |= {(ref.partition("/")[0], name) for name in problem_by_id}
    for name, is_sourced in columns.items():
        if name in corrected.own_values:
            options = [corrected.own_values[name]]
        elif is_sourced or name in expected:
            if expected.get(name) is not None:
                options = [option for option in expected[name] if option is NOBODYS or _is_plain(option)]
            else:
                options = [record[name] for record in (*corrected.records, corrected.upstream_values) if name in record]
            if _is_absent(row[name]):
                options = [option for option in options if not _is_absent(option)]
                if not options or NOBODYS in options:
                    continue
        else:
            continue
        if NOBODYS in options:
            by_rule = report.counts["by_rule"]
            by_rule[f"{ref.partition('/')[0]}.{name}"] = by_rule.get(f"{ref.partition('/')[0]}.{name}", 0) + 1
            continue
        report.counts["cells"] += 1
        report.compared.add((ref.partition("/")[0], name))
        if row[name] not in options and not any(_same(row[name], option) for option in options):
            examples = ", ".join(f"{option!r:.60}" for option in options[:2]) or "no such value"
            report.problems.append(f"{ref}: {name} is {row[name]!r:.60}; its records say {examples}")
    return report.counts["cells"] - before


def _is_plain(option: Any) -> bool:
    """Return whether an option is data: an object of a family's own may say that it equals any value."""
    if type(option) in (list, tuple):
        return all(map(_is_plain, option))
    return type(option) in PLAIN


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
