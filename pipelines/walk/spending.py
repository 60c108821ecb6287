"""What builds asked and paid for: a note for each build that a model had a part in, and sums over notes and ledger."""

from __future__ import annotations

import datetime as dt
import json
import uuid
from collections.abc import Callable, Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from pipelines.walk.spent import Spent
from schemas.generation import ACCEPTED
from schemas.json_lines import json_lines, lines_told
from warehouse.home import Home
from warehouse.ledger import Ledger
from warehouse.store import Store, StoreError

COUNTS = ("calls", "prompt_tokens", "completion_tokens", "cost")
NEEDED = ("key", "request", "endpoint", "answer", "model", "revision", "finish_reason", "is_refusal", "verdict")


def note_spending(store: Store, recipe: str, spent: Spent) -> None:
    """Keep what one build asked and was charged, if it asked anything."""
    if spent.has_asked:
        note = {"recipe": recipe, "at": dt.datetime.now(dt.UTC).isoformat(timespec="seconds"), **asdict(spent)}
        store.put(f"asked/{note['at'].replace(':', '')}-{uuid.uuid4().hex[:8]}.json", json.dumps(note).encode())


def spending(home: Home) -> dict[str, Any]:
    """Return the ledger's calls, tokens and cost by model, revision and job, and how many calls builds were spared."""
    groups: dict[tuple[str, str, str], dict[str, Any]] = {}
    for record in home.ledger.records():
        key = (record["model"], record["revision"], record.get("job", ""))
        group = groups.setdefault(key, dict.fromkeys((*COUNTS, "unusable"), 0))
        group["calls"] += 1
        group["unusable"] += record["verdict"] != ACCEPTED
        for name in COUNTS[1:]:
            group[name] += record.get(name, 0)
    builds: dict[str, dict[str, Any]] = {}
    for path in home.store.keys("asked"):
        note = json.loads(home.store.read(path))
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
    """Write every record as a line of JSON and return how many."""
    count = 0
    with path.open("x", encoding="utf-8", errors="backslashreplace") as file:
        for record in ledger.records():
            file.write(json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n")
            count += 1
    return count


def import_ledger(ledger: Ledger, path: Path) -> int:
    """Add the records of an exported file that are new here and return how many; all or, with a problem, none.

    Raises StoreError naming every line that is no record, or whose key is not that of its request and endpoint.
    """
    problems, records = [], []
    for line in json_lines(path):
        problem = line.problem or _record_problem(line.value)
        records += [] if problem else [line.value]
        problems += [f"line {line.number}: {problem}"] if problem else []
    if problems:
        raise StoreError(
            f"{path}: {len(problems)} lines are no records of a ledger:\n{lines_told(problems)}\nNothing was added; "
            "expected a file that `tripwright ledger --export` wrote"
        )
    fresh = [record for record in records if ledger.find(record["key"]) is None]
    for record in fresh:
        given = {name: value for name, value in record.items() if name not in ("key", "request")}
        ledger.add(request=record["request"].encode(), **given)
    ledger.close()
    return len(fresh)


def unwanted(revisions: Iterable[str], unusable: bool) -> Callable[[dict[str, Any]], bool]:
    """Return whether a record is to be forgotten: it is of one of the revisions, or no answer that could be used."""
    named = set(revisions)
    return lambda record: record["revision"] in named or (unusable and record["verdict"] != ACCEPTED)


def _record_problem(record: dict[str, Any]) -> str:
    missing = [name for name in NEEDED if name not in record]
    if missing:
        return f"misses {', '.join(missing)}"
    texts = [name for name in NEEDED if name != "is_refusal" and not isinstance(record[name], str)]
    if texts:
        return f"{', '.join(texts)}: expected text"
    if Ledger.key(record["request"].encode(), record["endpoint"]) != record["key"]:
        return "its key is not that of its request and endpoint"
    return ""
