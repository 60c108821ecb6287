"""Faithful: the published checker on every witness, read back from the exported files."""

from __future__ import annotations

import json
from collections import ChainMap, Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from hashlib import sha256
from typing import Any

from assets.family import Family
from assets.named import load
from assets.promises.mutants import empty_plan
from assets.release.reading import OpenedRelease
from assets.release.spreadsheets import safe_csv
from assets.rows import ReleaseTables
from schemas.counts import counted
from schemas.stable import content_hash

MOST_EXCHANGED = 10
"""Tasks of which other plans are exported, evenly spaced by id [I]."""

NOTHING_CHECKED: Mapping[str, Any] = {"checked": 0, "accepted": None, "refused_by": {}}
"""What is said where no published checker was shown anything."""

ExportedFiles = Mapping[str, bytes | Iterable[bytes]]
"""What a family exports: by path, a file whole or in pieces."""


def faithful(family: Family, release: OpenedRelease, tables: ReleaseTables) -> tuple[dict[str, Any], list[str]]:
    """Return what `judge_export` does of the release's export as its family writes it now.

    A family without a published checker says so by None; that its files are the same each time is seen by two exports.
    """
    try:
        files = exported_files(family, tables)
        problems = [] if family.published_check is not None else _otherwise_again(family, tables, files)
    except Exception as error:  # the family's own functions: their fault is shown as the release's
        return {**NOTHING_CHECKED}, [_failure(family, error)]
    figures, file_problems = judge_export(family, release, tables, files)
    return figures, [*problems, *file_problems]


def judge_export(
    family: Family, release: OpenedRelease, tables: ReleaseTables, files: ExportedFiles
) -> tuple[dict[str, Any], list[str]]:
    """Return how many witnesses the published checker accepts in exported files and why not the others; every problem.

    With it, how many cells of the CSV files a spreadsheet takes for formulas, and the hash of the files.
    """
    exported = _but_pieces(files)
    try:
        problems = [*_words_not_exported(family, tables, exported), *_files_not_upstream(family, exported)]
        verdicts = load(family.published_check)(exported) if family.published_check is not None else None
    except Exception as error:  # the family's own functions, as above
        return {**NOTHING_CHECKED}, [_failure(family, error)]
    figures = {**NOTHING_CHECKED}
    if verdicts is not None:
        figures, refused = _acceptance(family, verdicts)
        problems += refused
        expected = release.manifest.counts["certified"]
        if len(verdicts) != expected:
            problems.append(
                "the published checker was shown "
                f"{counted(len(verdicts), 'exported witness', 'exported witnesses')}, expected {expected}"
            )
        problems += _judging_nothing(family, tables, verdicts)
    return {**figures, "formula_cells": formula_cells(exported), "sha256": hash_of_export(files)}, problems


def _acceptance(family: Family, verdicts: Mapping[str, Mapping[str, bool | None]]) -> tuple[dict[str, Any], list[str]]:
    """Return what a published checker accepts, in figures, and each witness that it must accept and refuses."""
    refused: Counter[str] = Counter()
    accepted, problems = 0, []
    for task_id, checks in sorted(verdicts.items()):
        failed = sorted(name for name, holds in checks.items() if holds is False)
        refused.update(failed)
        accepted += not failed
        must = failed if family.must_accept is None else [name for name in failed if name in family.must_accept]
        if must:
            problems.append(f"{task_id}: the published checker refuses the exported witness: {', '.join(must)}")
    return {"checked": len(verdicts), "accepted": accepted, "refused_by": dict(sorted(refused.items()))}, problems


def exported_files(family: Family, tables: ReleaseTables) -> ExportedFiles:
    """Return what the family exports; in whole where no published checker says which files words and plans are in."""
    files: ExportedFiles = family.call("export", tables)
    return files if family.published_check is not None else _in_whole(files)


def _otherwise_again(family: Family, tables: ReleaseTables, files: ExportedFiles) -> list[str]:
    """Return the exported files that a family writes otherwise the second time."""
    second = exported_files(family, tables)
    differ = sorted(path for path in {*files, *second} if files.get(path) != second.get(path))
    return [f"{path}: {family.export} wrote it otherwise the second time" for path in differ]


def hash_of_export(files: ExportedFiles) -> str:
    """Return the hash of exported files by path, but for what comes in pieces: recorded calls, however many."""
    return content_hash([[ascii(path), sha256(data).hexdigest()] for path, data in sorted(_but_pieces(files).items())])


def not_as_judged(
    family: Family, release: OpenedRelease, tables: ReleaseTables, files: ExportedFiles
) -> tuple[bool, list[str]]:
    """Return whether exported files are others than the gate has judged, and what then is wrong with them.

    Another version of tripwright may write a release otherwise: these files are judged now.
    """
    if hash_of_export(files) == release.manifest.promises.get("published", {}).get("sha256"):
        return False, []
    return True, judge_export(family, release, tables, files)[1]


def _judging_nothing(family: Family, tables: ReleaseTables, verdicts: Mapping[str, Any]) -> list[str]:
    """Return what is wrong with a published checker that says of other plans, once exported, what it said of witnesses.

    Offered are some tasks' empty plans and the next ones' witnesses: some published checkers let any plan of the right
    form pass. So is named, too, who exports other plans than the certificates'.
    """
    witnesses = dict(zip(tables.certificates["task_id"], tables.certificates["plan"], strict=True))
    if not witnesses:
        return []
    task_ids = sorted(witnesses)[:: -(-len(witnesses) // MOST_EXCHANGED)]
    certificates = (sample := tables.only(task_ids)).certificates
    following = dict(zip(task_ids, task_ids[1:] + task_ids[:1], strict=True))
    empty = {task_id: empty_plan(witnesses[task_id]) for task_id in task_ids[::2]}
    plans = [empty.get(task_id, witnesses[following[task_id]]) for task_id in certificates["task_id"]]
    others = replace(sample, tables=ChainMap({"certificates": certificates.assign(plan=plans)}, sample.tables))  # type: ignore[arg-type]
    try:
        verdicts_of_others = load(family.published_check or "")(_but_pieces(load(family.export)(others)))
    except Exception as error:  # the family's own functions, as above
        return [f"{_failure(family, error)}, at empty plans and other tasks'; expected verdicts"]
    if any(
        verdicts_of_others[task_id] != verdicts.get(task_id) for task_id in task_ids if task_id in verdicts_of_others
    ):
        return []
    return [
        f"{family.published_check} tells none of {counted(len(task_ids), 'exported plan')}, empty or other tasks', "
        f"from the witnesses; expected that it judges what {family.export} wrote"
    ]


def _failure(family: Family, error: Exception) -> str:
    """Return what is told of a family whose export, in either layout, or published checker fails."""
    functions = " or ".join(name for name in (family.export, family.upstream, family.published_check) if name)
    return f"{functions} failed: {type(error).__name__}: {error}"


def _but_pieces(files: ExportedFiles) -> dict[str, bytes]:
    """Return exported files, empty where they come in pieces: recorded calls, which no published checker reads.

    They are bytes and nothing that a family makes of these, which may say of itself that it holds any text.
    """
    return {path: memoryview(data).tobytes() if isinstance(data, bytes) else b"" for path, data in files.items()}


def _in_whole(files: ExportedFiles) -> dict[str, bytes]:
    """Return exported files, those in one that came in pieces."""
    return {path: data if isinstance(data, bytes) else b"".join(data) for path, data in files.items()}


def _files_not_upstream(family: Family, exported: Mapping[str, bytes]) -> list[str]:
    """Return the exported files that do not stand, as they are, in the published repository's own tree."""
    if family.upstream is None:
        return []
    lacking = Counter(exported.values())
    lacking.subtract(Counter(load(family.upstream)(exported).values()))
    return [
        f"{path}: stands in no file of {family.upstream} as it was exported; it may be moved, and must not be changed"
        for path, data in exported.items()
        if lacking[data] > 0
    ]


def _words_not_exported(family: Family, tables: ReleaseTables, exported: Mapping[str, bytes]) -> list[str]:
    return [
        f"{task_id}: {what} stands in no exported file as it is; {family.export} must write all of it, and no more"
        for task_id, what in not_exported(tables, exported)
    ]


def not_exported(tables: ReleaseTables, exported: Mapping[str, bytes]) -> list[tuple[str, str]]:
    """Return the tasks of which no exported file holds the query, or a message, and which of the two.

    They stand there from quote to quote, as JSON or CSV write them.
    """
    tasks, exported_texts, lacking = tables.tasks, _ExportedTexts(exported.values()), list[tuple[str, str]]()
    for task_id, query, messages in zip(*(tasks[name].tolist() for name in WORDS), strict=True):
        if not exported_texts.holds(query):
            lacking.append((str(task_id), "its query"))
        elif not all(exported_texts.holds(message["content"]) for message in messages):
            lacking.append((str(task_id), "a message of it"))
    return lacking


WORDS = ("task_id", "query", "messages")

FORMS: tuple[Callable[[str], str], ...] = (
    partial(json.dumps, ensure_ascii=False),
    json.dumps,
    lambda text: '"{}"'.format(text.replace('"', '""')),
)
"""How a text is written from quote to quote."""


class _ExportedTexts:
    """Exported files as what is looked for in them: the next text stands most likely behind the last, written alike."""

    def __init__(self, files: Iterable[bytes]) -> None:
        small_first = sorted(files, key=len)  # where queries stand is small beside what plans may use
        self._tries = [(data, form) for data in small_first for form in FORMS]
        self._last: dict[int, int] = {}

    def holds(self, text: str) -> bool:
        """Return whether a file holds a text."""
        for number, (data, form) in enumerate(self._tries):
            encoded, last = form(text).encode("utf-8", "backslashreplace"), self._last.get(id(data), 0)
            if (position := data.find(encoded, last)) < 0:
                position = data.find(encoded, 0, last + len(encoded))
            if position >= 0:
                self._last[id(data)] = position
                self._tries.insert(0, self._tries.pop(number))
                return True
        return False


def formula_cells(exported: Mapping[str, bytes]) -> int | None:
    """Return how many cells of the exported CSV files a spreadsheet takes for formulas, None where there is no CSV."""
    counts = [safe_csv(data)[1] for path, data in exported.items() if path.endswith(".csv")]
    return sum(counts) if counts else None
