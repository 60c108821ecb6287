"""People's corrections: the overrides file beside a recipe, a source like any other.

    [[correction]]
    row = "stay/us-pa-philadelphia/airbnb:12"              # table and keys, as lineage, audit and sheet name it
    field = "price_per_night"                              # or `drop`, which takes the row out
    value = 120.0                                          # of the column's type
    who = "A. Reader"
    made_on = 2026-11-21
    why = "The host's page says so."

A corrected row of a table that others are made of, such as `place`, changes them too. An entry with a `task_id` and its
`city_id` instead of a row withdraws that task. Whether the tables have such a field is for the build to say.
"""

from __future__ import annotations

import datetime as dt
import json
import tomllib
from collections.abc import Iterable, Mapping
from typing import Any

from schemas.corrections import DROP
from schemas.recipe import RetiredTask
from schemas.source import Source, SourceError, SourceFile
from sources.formats.unpacking import RawInput, unpacked

SOURCE = Source(
    name="corrections",
    title="People's corrections",
    homepage="",
    licence_id="CC0-1.0",
    attribution="The recipe's reviewers",
    files=(SourceFile("overrides", "TOML: [[correction]] with what, who, when and why"),),
    how_to_get="Written by `tripwright review VERSION --read SHEET`, as <recipe>.overrides.toml beside the recipe.",
)

WITHDRAWN = "withdrawn by"
"""How the reason begins of a task that a person retired."""

MAX_BYTES = 8 << 20
ROW_KEYS = ("row", "field", "value", "who", "made_on", "why")
TASK_KEYS = ("city_id", "task_id", "who", "made_on", "why")


def read_corrections(file: RawInput) -> list[dict[str, Any]]:
    """Return the entries of an overrides file, each with its `pointer`. Raises SourceError with every problem found."""
    with unpacked(file) as stream:
        entries = corrections_in(stream.read(MAX_BYTES + 1), file.snapshot.location)
    return [
        {**entry, "made_on": str(entry["made_on"]), "pointer": file.snapshot.pointer(f"correction[{number}]")}
        for number, entry in enumerate(entries)
    ]


def corrections_in(data: bytes, location: str) -> list[dict[str, Any]]:
    """Return the entries of an overrides file's bytes, as TOML says them. Raises SourceError with every problem."""
    if len(data) > MAX_BYTES:
        raise SourceError(f"{location}: found more than {MAX_BYTES >> 20} MB; expected corrections as TOML")
    try:
        document = tomllib.loads(data.decode("utf-8-sig"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise SourceError(
            f"{location}: found no TOML ({error}); expected corrections. Mend the file, or write it again with "
            "`tripwright review`"
        ) from None
    entries = document.get("correction", [])
    problems = [f"unknown key {key!r}; expected [[correction]]" for key in sorted(set(document) - {"correction"})]
    if not isinstance(entries, list):
        raise SourceError(f"{location}: " + "; ".join([*problems, "correction: expected [[correction]] tables"]))
    earlier_corrections = set()
    for number, entry in enumerate(entries):
        problems += [f"correction[{number}]: {problem}" for problem in _problems(entry)]
        what = repr(correction_of(entry)) if isinstance(entry, dict) else number
        if what in earlier_corrections:
            problems.append(f"correction[{number}]: the same field is corrected twice")
        earlier_corrections.add(what)
    for number, other in corrected_and_dropped(entries):
        problems.append(f"correction[{number}]: corrects a row that correction[{other}] drops; strike one of them")
    if problems:
        raise SourceError(f"{location}: " + "; ".join(problems))
    return entries


def corrected_and_dropped(entries: list[Any]) -> list[tuple[int, int]]:
    """Return which entries correct a row that another drops: the number of each, and the other's."""
    of_rows = {n: entry for n, entry in enumerate(entries) if isinstance(entry, dict) and "row" in entry}
    drops = {str(entry["row"]): n for n, entry in of_rows.items() if entry.get("field") == DROP}
    return [
        (n, drops[str(entry["row"])])
        for n, entry in of_rows.items()
        if entry.get("field") != DROP and str(entry["row"]) in drops
    ]


def correction_of(entry: dict[str, Any]) -> tuple[Any, ...]:
    """Return what a correction is of; two of one thing contradict each other."""
    return entry.get("row"), entry.get("task_id"), entry.get("field")


def withdrawn_tasks(entries: Iterable[Mapping[str, Any]]) -> list[RetiredTask]:
    """Return the tasks that people withdrew."""
    return [
        RetiredTask(
            task_id=entry["task_id"],
            family=entry["task_id"].replace("-", ".").partition(".")[0],
            city_id=entry["city_id"],
            reason=f"{WITHDRAWN} {entry['who']} on {entry['made_on']}: {entry['why']}",
        )
        for entry in entries
        if "task_id" in entry
    ]


def raw_entries(file: RawInput, locators: set[str]) -> dict[str, str]:
    """Return the entries at `correction[3]` as JSON."""
    entries = {entry["pointer"].partition("#")[2]: entry for entry in read_corrections(file)}
    return {
        locator: json.dumps(
            {k: v for k, v in entries[locator].items() if k != "pointer"}, ensure_ascii=False, default=str
        )
        for locator in locators
        if locator in entries
    }


def _problems(entry: Any) -> list[str]:
    if not isinstance(entry, dict):
        return ["expected a table"]
    keys = TASK_KEYS if "task_id" in entry else ROW_KEYS
    optional = {"value"} if entry.get("field") == DROP else set()
    problems = [f"{key} is missing" for key in keys if key not in entry and key not in optional]
    problems += [f"unknown key {key!r}; expected {', '.join(keys)}" for key in entry if key not in keys]
    for key in (k for k in keys if k in entry and k not in ("made_on", "value")):
        if not isinstance(entry[key], str) or not entry[key].strip():
            problems.append(f"{key}: expected text, found {entry[key]!r}")
    if "made_on" in entry and type(entry["made_on"]) is not dt.date:
        problems.append(f"made_on: expected a date such as 2026-11-21, found {entry['made_on']!r}")
    return problems
