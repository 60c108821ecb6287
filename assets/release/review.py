"""A release's review sheet: a task a row, for a person to look at and to answer in; and reading the answers back."""

from __future__ import annotations

import csv
import datetime as dt
import io
import json
from typing import Any
from urllib.parse import quote

from assets.release.reading import OpenedRelease
from schemas.corrections import CORRECTABLE, DROP

SHOWN = ("task_id", "city_id", "query", "witness", "places", "links")
ANSWERS = ("verdict", "place_id", "field", "value", "why")
VERDICTS = ("", "ok", "withdraw", "correct")
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
"""A cell that begins so is a formula to a spreadsheet; an apostrophe before it makes it text."""


def review_sheet(release: OpenedRelease, count: int | None = None) -> bytes:
    """Return the sheet as CSV that spreadsheets open: each task with its wording, witness, places and links.

    `verdict` is left to the reader: ok, withdraw, or correct with a place_id, field and value; `why` for the last two.
    """
    tasks = release.table("tasks").sort_values("task_id").to_dict("records")[:count]
    witnesses = dict(zip(*(release.table("certificates")[c] for c in ("task_id", "witness_json")), strict=True))
    places = _places(release)
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow([*SHOWN, *ANSWERS])
    for task in tasks:
        used = places.get(task["task_id"], {})
        shown = [
            task["task_id"],
            task["city_id"],
            task["query"],
            json.dumps(json.loads(witnesses.get(task["task_id"], "null")), ensure_ascii=False, indent=1),
            "\n".join(f"{place_id}  {row.get('name', '')}" for place_id, row in used.items()),
            "\n".join(_link(row) for row in used.values() if row.get("lat") is not None),
        ]
        writer.writerow([_cell(text) for text in shown] + [""] * len(ANSWERS))
    return b"\xef\xbb\xbf" + out.getvalue().encode()


def read_sheet(data: bytes, release: OpenedRelease, who: str, made_on: dt.date) -> list[dict[str, Any]]:
    """Return the corrections that a filled sheet asks for. Raises ValueError with every row that is not understood."""
    try:
        rows = list(csv.DictReader(io.StringIO(data.decode("utf-8-sig"))))
    except UnicodeDecodeError as error:
        raise ValueError(f"the sheet is not UTF-8 ({error}); save it as CSV UTF-8") from None
    missing = [name for name in ("task_id", *ANSWERS) if rows and name not in rows[0]]
    if missing or not rows:
        raise ValueError(f"the sheet lacks {', '.join(missing) or 'rows'}; expected one that `tripwright review` wrote")
    cities = dict(zip(*(release.table("tasks")[c] for c in ("task_id", "city_id")), strict=True))
    used = _places(release)
    found, problems = [], []
    for number, row in enumerate(rows, start=2):
        given = {name: _text(row.get(name)) for name in ("task_id", *ANSWERS)}
        verdict = given["verdict"].lower()
        problem = _problem(given, verdict, cities, used)
        if problem:
            problems.append(f"row {number}: {problem}")
        elif verdict in ("withdraw", "correct"):
            told = {"who": who, "made_on": made_on, "why": given["why"]}
            if verdict == "withdraw":
                found.append({"task_id": given["task_id"], "city_id": cities[given["task_id"]], **told})
            else:
                place = {name: given[name] for name in ("place_id", "field", "value")}
                city_id = used[given["task_id"]][given["place_id"]]["city_id"]
                found.append({"city_id": city_id, **place, **told})
    if problems:
        raise ValueError("; ".join(problems))
    return found


def _problem(given: dict[str, str], verdict: str, cities: dict[str, str], used: dict[str, dict[str, Any]]) -> str:
    if given["task_id"] not in cities:
        return f"the release has no task {given['task_id']!r}"
    if verdict not in VERDICTS:
        return f"verdict: expected ok, withdraw or correct, found {verdict!r}"
    if verdict in ("withdraw", "correct") and not given["why"]:
        return "why: say why"
    if verdict == "correct" and given["place_id"] not in used.get(given["task_id"], {}):
        return f"place_id: the task's witness uses no place {given['place_id']!r}"
    if verdict == "correct" and given["field"] not in (*CORRECTABLE, DROP):
        return f"field: expected {', '.join((*CORRECTABLE, DROP))}, found {given['field']!r}"
    return ""


def overrides_text(entries: list[dict[str, Any]]) -> str:
    """Return corrections as TOML, to be appended to an overrides file."""
    return "".join(
        "\n[[correction]]\n"
        + "".join(f"{key} = {value if isinstance(value, dt.date) else _toml(value)}\n" for key, value in entry.items())
        for entry in entries
    )


def _toml(text: str) -> str:
    """Return text as a TOML basic string, which JSON's string is, but for DEL."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _places(release: OpenedRelease) -> dict[str, dict[str, Any]]:
    """Return, by task, the rows of places that its lineage names, by place_id."""
    lineage = release.rows("lineage").to_pylist()
    refs = {(e["task_id"], e["ref"]) for e in lineage if e["kind"] == "row"}
    tables = {ref.partition("/")[0] for _, ref in refs}
    rows: dict[str, dict[str, Any]] = {}
    for table in sorted(tables):
        for row in release.rows(table).to_pylist():
            if "place_id" in row and "name" in row:
                rows[f"{table}/{row['city_id']}/{row['place_id']}"] = row
    found: dict[str, dict[str, Any]] = {}
    for task_id, ref in sorted(refs):
        row = rows.get("/".join(ref.split("/")[:3]))
        if row is not None:
            found.setdefault(task_id, {})[row["place_id"]] = row
    return found


def _link(row: dict[str, Any]) -> str:
    at = f"{row['lat']}/{row['lon']}"
    return f"https://www.openstreetmap.org/?mlat={row['lat']}&mlon={row['lon']}#map=18/{quote(at)}"


def _cell(text: str) -> str:
    return f"'{text}" if text.startswith(FORMULA) else text


def _text(value: str | None) -> str:
    text = (value or "").strip()
    return text[1:] if text[:1] == "'" and text[1:].startswith(FORMULA) else text
