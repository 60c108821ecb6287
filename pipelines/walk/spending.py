"""What builds asked and paid for: a note for each build that a model had a part in, and sums over notes and ledger."""

from __future__ import annotations

import datetime as dt
import errno
import json
import os
import uuid
from collections.abc import Callable, Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from assets.runs.records import MOST_COST
from pipelines.walk.call_costs import Spent
from schemas.counts import counted
from schemas.generation import ACCEPTED
from schemas.json_lines import json_lines, json_object, lines_told, unstorable
from schemas.stable import compact_json
from warehouse.disk import discard, writing
from warehouse.home import Home
from warehouse.ledger import Ledger
from warehouse.owners import part
from warehouse.store import Store, StoreError

COUNTS = ("calls", "prompt_tokens", "completion_tokens", "cost")
SENT = ("request", "endpoint", "model", "revision")
"""What a call is known by again; as bytes, which half of a surrogate pair has none of."""
TEXTS = (*SENT, "key", "answer", "finish_reason", "verdict")
NEEDED = (*TEXTS, "is_refusal")


def note_spending(store: Store, recipe: str, spent: Spent) -> None:
    """Keep what one build asked and was charged, if it asked anything."""
    if spent.has_asked:
        note = {"recipe": recipe, "at": dt.datetime.now(dt.UTC).isoformat(timespec="seconds"), **asdict(spent)}
        store.put(f"asked/{note['at'].replace(':', '')}-{uuid.uuid4().hex[:8]}.json", json.dumps(note).encode())


def spending(home: Home) -> dict[str, Any]:
    """Return the ledger's calls, tokens and cost by model, revision and job, and how many calls builds were spared.

    Raises StoreError for a record or a build's note that is not as tripwright wrote it.
    """
    groups: dict[tuple[str, str, str], dict[str, Any]] = {}
    for record in home.ledger.records():
        if problem := _facts_problem(record):
            raise StoreError(
                f"{home.url}: the ledger's record {record['key']} is damaged: {problem}. Restore the files of the "
                "ledger from a copy, or delete that line"
            )
        key = (record["model"], record["revision"], record.get("job", ""))
        group = groups.setdefault(key, dict.fromkeys((*COUNTS, "unusable"), 0))
        group["calls"] += 1
        group["unusable"] += record["verdict"] != ACCEPTED
        for name in COUNTS[1:]:
            group[name] += record.get(name, 0)
    builds: dict[str, dict[str, Any]] = {}
    for path in home.store.keys("asked"):
        note, problem = json_object(home.store.read(path), nan=False)
        problem = problem or _misfits(note, ("recipe",), ("cached", *COUNTS))
        if problem:
            raise StoreError(
                f"{home.store.url}/{path}: no note of what a build spent: {problem}. Delete it: answers are not in it"
            )
        sums = builds.setdefault(note["recipe"], dict.fromkeys(("builds", "cached", *COUNTS), 0))
        sums["builds"] += 1
        for name in ("cached", *COUNTS):
            sums[name] += note[name]
    return {
        "records": [
            {"model": model, "revision": revision, "job": job, **group, "cost": round(group["cost"], 9)}
            for (model, revision, job), group in sorted(groups.items())
        ],
        "builds": [
            {
                "recipe": name,
                **sums,
                "cost": round(sums["cost"], 9),
                "hit_rate": round(sums["cached"] / max(1, sums["cached"] + sums["calls"]), 4),
            }
            for name, sums in sorted(builds.items())
        ],
    }


def export_ledger(ledger: Ledger, path: Path) -> int:
    """Write every record as a line of JSON and return how many; the file is there when all of them are in it.

    Raises FileExistsError if something is there already.
    """
    if os.path.lexists(path):
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path))
    count, partial = 0, part(path.parent)
    try:
        with (
            writing(f"the records {path.name}", path.parent),
            partial.open("w", encoding="utf-8", errors="backslashreplace") as file,
        ):
            for record in ledger.records():
                file.write(compact_json(record) + "\n")
                count += 1
        partial.replace(path)
    except BaseException as error:
        discard(partial)
        if isinstance(error, OSError) and error.filename:
            error.filename = str(path)
        raise
    return count


def import_ledger(ledger: Ledger, path: Path) -> dict[str, int]:
    """Add the records of an exported file that are new here and return how many of which; with a problem, add none.

    What is held stays: `other_answers` counts the records of a call that is held with another answer. Raises StoreError
    naming every line that is no record, or whose key is not that of its request and endpoint.
    """
    problems, records = [], []
    for line in json_lines(path, nan=False):
        problem = line.problem or _record_problem(line.value)
        records += [] if problem else [line.value]
        problems += [f"line {line.number}: {problem}"] if problem else []
    if problems:
        raise StoreError(
            f"{path}: {counted(len(problems), 'line')} cannot be used as records of a ledger:\n{lines_told(problems)}\n"
            "Nothing was added; expected a file that `tripwright ledger --export` wrote"
        )
    counts: dict[str, int] = dict.fromkeys(("imported", "already_there", "other_answers"), 0)
    for record in records:
        is_new = ledger.find(record["key"]) is None
        fields = {name: value for name, value in record.items() if name not in ("key", "request")}
        standing = ledger.add(request=record["request"].encode(), **fields)
        is_same = all(standing[name] == record[name] for name in ("answer", "revision"))
        counts["other_answers" if not is_same else "imported" if is_new else "already_there"] += 1
    ledger.close()
    return counts


def unwanted(revisions: Iterable[str], unusable: bool) -> Callable[[dict[str, Any]], bool]:
    """Return whether a record is to be forgotten: it is of one of the revisions, or no answer that could be used."""
    revision_set = set(revisions)
    return lambda record: record["revision"] in revision_set or (unusable and record["verdict"] != ACCEPTED)


def _record_problem(record: dict[str, Any]) -> str:
    missing = [name for name in NEEDED if name not in record]
    if missing:
        return f"misses {', '.join(missing)}"
    problem = _facts_problem(record) or unstorable({name: record[name] for name in SENT})
    if problem:
        return problem
    if Ledger.key(record["request"].encode(), record["endpoint"]) != record["key"]:
        return "its key is not that of its request and endpoint"
    return ""


def _facts_problem(record: dict[str, Any]) -> str:
    """Return what is wrong with the facts of a record that are shown and summed, "" where nothing is."""
    if type(record.get("is_refusal", False)) is not bool:
        return "is_refusal: expected true or false"
    texts = [name for name in (*TEXTS, "job") if name in record]
    return _misfits(record, texts, [name for name in COUNTS[1:] if name in record])


def _misfits(facts: dict[str, Any], texts: Iterable[str], amounts: Iterable[str]) -> str:
    """Return which facts are missing or of other types: texts, and amounts, which are numbers from 0."""
    no_text = [name for name in texts if not isinstance(facts.get(name), str)]
    if no_text:
        return f"{', '.join(no_text)}: expected text"
    no_amount = [name for name in amounts if not _is_amount(facts.get(name), is_whole=name != "cost")]
    return f"{', '.join(no_amount)}: expected a number from 0" if no_amount else ""


def _is_amount(value: Any, *, is_whole: bool) -> bool:
    return type(value) in ((int,) if is_whole else (int, float)) and 0 <= value < MOST_COST
