"""A release's review sheet: a task a row, for a person to look at and to answer in; and reading the answers back."""

from __future__ import annotations

import csv
import datetime as dt
import io
import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from assets.families import families
from assets.promises.cells import index_of
from assets.promises.values import edges_by_task
from assets.release.reading import OpenedRelease, require_ours
from assets.release.spreadsheets import FORMULA, safe_cell
from schemas.corrections import correctable, correction_problem
from schemas.counts import counted
from schemas.errors import ExpectedError
from schemas.json_lines import lines_told, unstorable
from schemas.table import Column, Table
from sources.corrections.overrides import corrected_and_dropped, correction_of, corrections_in
from sources.formats.unpacking import MARKS

SHOWN = ("task_id", "city_id", "query", "witness", "rows", "links")
ANSWERS = ("verdict", "row", "field", "value", "why")
DELIMITERS = (",", ";", "\t")
"""What spreadsheets put between cells: it depends on a computer's language."""
MOST_CELL = 32_767
"""Characters that a spreadsheet keeps of a cell (Excel's specifications and limits); it cuts a longer one in two."""
WORKBOOK = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")
"""How a spreadsheet's own files begin."""
VERDICTS = ("", "ok", "withdraw", "correct")
NO_VALUE = "null"
"""How `rows` shows that a value is not there."""
REVIEWED = "reviewed: nobody builds it again with the corrections"


def review_sheet(release: OpenedRelease, count: int | None = None) -> bytes:
    """Return the sheet as CSV that spreadsheets open: each task with its wording, witness, rows and links.

    `rows` are those that its lineage names and that a person may correct, each with its values. `verdict` is left to
    the reader: ok, withdraw, or correct with a row, field and value (a list as JSON); `why` for the last two. Raises
    ReleaseError for a published folder that was opened.
    """
    require_ours(release, REVIEWED)
    tasks = release.table("tasks").sort_values("task_id").to_dict("records")[:count]
    certificate = families()[release.manifest.family].tables.certificate.frame(release.rows("certificates"))
    witnesses = dict(zip(certificate["task_id"], certificate["plan"], strict=True))
    rows = _rows(release)
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow([*SHOWN, *ANSWERS])
    for task in tasks:
        used = rows.get(task["task_id"], {})
        cells = [
            task["task_id"],
            task["city_id"],
            task["query"],
            json.dumps(witnesses.get(task["task_id"]), ensure_ascii=False, indent=1),
            "\n".join(f"{ref}  {_values(row)}" for ref, row in used.items()),
            "\n".join(_link(row) for row in used.values() if row.get("lat") is not None),
        ]
        writer.writerow([_shown_cell(text) for text in cells] + [""] * len(ANSWERS))
    return b"\xef\xbb\xbf" + out.getvalue().encode()


def _shown_cell(text: str) -> str:
    """Return a cell that spreadsheets neither run nor cut in two; one that is cut here says so."""
    cut = "… cut here; `tripwright audit` shows all of the task"
    return safe_cell(text if len(text) < MOST_CELL else text[: MOST_CELL - len(cut) - 1] + cut)


def read_sheet(data: bytes, release: OpenedRelease, who: str, made_on: dt.date) -> list[dict[str, Any]]:
    """Return the corrections that a filled sheet asks for. Raises ValueError with every row that is not understood."""
    require_ours(release, REVIEWED)
    if problem := unstorable(who):
        raise ExpectedError(f"who filled the sheet{problem}")
    rows = _answered(data)
    missing = [name for name in ("task_id", *ANSWERS) if rows and name not in rows[0]]
    if missing or not rows:
        lacks = ", ".join(missing) or "rows"
        raise ExpectedError(f"the sheet lacks {lacks}; expected one that `tripwright review` wrote")
    cities = dict(zip(*(release.table("tasks")[c] for c in ("task_id", "city_id")), strict=True))
    used = _rows(release)
    tables = _tables(release)
    corrections, problems = [], []
    verdicts_by_task: dict[str, dict[str, int]] = {}
    for number, row in enumerate(rows, start=2):
        answers = {name: _text(row.get(name)) for name in ("task_id", *ANSWERS)}
        verdict = answers["verdict"].lower()
        if not any(map(_filled, row.values())):
            continue  # spreadsheets leave such rows below what was deleted
        problem = _beyond(row) or _problem(answers, verdict, cities, used)
        table = tables.get(answers["row"].partition("/")[0]) if verdict == "correct" and not problem else None
        correction = _correction(answers, table) if table else {}
        problem = problem or (correction_problem(table, **correction) if table else "")
        if not problem and verdict:
            verdicts_by_task.setdefault(answers["task_id"], {}).setdefault(verdict, number)
        signature = {"who": who, "made_on": made_on, "why": answers["why"]}
        if problem:
            problems.append(f"row {number}: {problem}")
        elif verdict == "withdraw":
            corrections.append({"task_id": answers["task_id"], "city_id": cities[answers["task_id"]], **signature})
        elif verdict == "correct":
            corrections.append({"row": answers["row"], **correction, **signature})
    problems += [
        f"{task_id}: is {' and '.join(f'{verdict} (row {number})' for verdict, number in rows_of.items())}; expected "
        "ok alone, or what is wrong. Say which you mean"
        for task_id, rows_of in verdicts_by_task.items()
        if "ok" in rows_of and len(rows_of) > 1
    ]
    if problems:
        raise ExpectedError(f"{counted(len(problems), 'row')} of the sheet cannot be used:\n{lines_told(problems)}")
    return corrections


def _answered(data: bytes) -> list[dict[str, str]]:
    """Return a sheet's rows as a spreadsheet may save them: with commas, semicolons or tabs, in UTF-8 or UTF-16.

    Raises ExpectedError for other files, and for one that ends inside a cell: what was answered below is not in it.
    """
    if data.startswith(WORKBOOK):
        raise ExpectedError("the sheet is a spreadsheet's own file; expected CSV. Save it as CSV UTF-8")
    encoding = next((encoding for mark, encoding in MARKS if data.startswith(mark)), "utf-8")
    try:
        text = data.decode(encoding).removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        raise ExpectedError(f"the sheet is not {encoding.upper()} ({error}); save it as CSV UTF-8") from None
    first, _, rest = text.partition("\n")
    if first.rstrip("\r").lower() in [f"sep={delimiter}" for delimiter in DELIMITERS]:
        text = rest
    delimiter = max(DELIMITERS, key=text.partition("\n")[0].count)
    csv.field_size_limit(max(csv.field_size_limit(), len(text)))  # a plan of many days is a long cell
    try:
        rows = csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
        twice = sorted({name for name in rows.fieldnames or () if name and (rows.fieldnames or []).count(name) > 1})
        if twice:
            raise ExpectedError(
                f"the sheet has {', '.join(twice)} twice; expected each column once. Delete one of them"
            )
        return list(rows)
    except csv.Error as error:
        raise ExpectedError(f"the sheet is not whole CSV ({error}); save it again as CSV UTF-8") from None


def _filled(cell: str | list[str] | None) -> bool:
    """Return whether something stands in a cell, or in those beyond the last column."""
    return any(map(_filled, cell)) if isinstance(cell, list) else bool(cell and cell.strip())


def _beyond(row: Mapping[Any, Any]) -> str:
    """Return what is wrong with a row that has more cells than the sheet has columns: its text was cut in two."""
    beyond = [cell for cell in row.get(None) or [] if _filled(cell)]
    return f"{beyond[0]!r:.60} stands beyond the last column; put a cell with a comma in quotes" if beyond else ""


def _problem(answers: dict[str, str], verdict: str, cities: dict[str, str], used: dict[str, dict[str, Any]]) -> str:
    if answers["task_id"] not in cities:
        return f"the release has no task {answers['task_id']!r}"
    if verdict not in VERDICTS:
        return f"verdict: expected ok, withdraw or correct, found {verdict!r}"
    unread = [name for name in ("row", "field", "value", *(() if verdict else ("why",))) if answers[name]]
    if unread and verdict != "correct":
        stands = f"verdict: {verdict!r} with a {unread[0]}" if verdict else f"verdict: empty, but {unread[0]} is filled"
        return f"{stands}; only correct takes row, field and value. Say which you mean"
    if verdict in ("withdraw", "correct") and not answers["why"]:
        return "why: say why"
    if verdict == "correct" and answers["row"] not in used.get(answers["task_id"], {}):
        return f"row: the task rests on no row {answers['row']!r} that a person may correct"
    return ""


def _correction(answers: dict[str, str], table: type[Table]) -> dict[str, Any]:
    """Return the field and its value, in the column's type where the text can be read so."""
    column = correctable(table).get(answers["field"])
    return {"field": answers["field"], "value": _typed(column, answers["value"]) if column else answers["value"]}


def _typed(column: Column, text: str) -> Any:
    """Return a cell as a value of the column's type; None where it says that there is none, as `rows` shows it."""
    if text in ("", NO_VALUE):
        return None
    if column.type is str:
        return text
    try:
        if column.type is dt.date:
            return dt.date.fromisoformat(text)
        return json.loads(text.lower() if column.type is bool else text)  # spreadsheets write TRUE
    except (ValueError, RecursionError):
        return text  # of another type than the column's, which is told where that is asked


def overrides_text(entries: list[dict[str, Any]]) -> str:
    """Return corrections as TOML, to be appended to an overrides file."""
    return "".join(
        "\n[[correction]]\n" + "".join(f"{key} = {_toml(value)}\n" for key, value in entry.items()) for entry in entries
    )


def new_corrections(entries: list[dict[str, Any]], overrides: bytes, location: str) -> list[dict[str, Any]]:
    """Return the corrections that an overrides file lacks, each once, so that a sheet may be read back again.

    Raises ExpectedError with every field that is corrected to something else there, or twice in the sheet, with every
    row that is dropped and corrected, and for a file that no build reads.
    """
    old_entries = corrections_in(overrides, location)
    first = {correction_of(entry): entry for entry in old_entries}
    all_entries = [*old_entries, *entries]
    added = []
    problems = [
        f"{one['row']}: its {one['field']} is corrected by {one['who']} on {one['made_on']}, and the row dropped by "
        f"{drop['who']} on {drop['made_on']}; expected one of the two"
        for one, drop in (
            (all_entries[number], all_entries[other]) for number, other in corrected_and_dropped(all_entries)
        )
    ]
    for entry in entries:
        earlier = first.get(correction_of(entry))
        if earlier is None:
            added.append(entry)
            first[correction_of(entry)] = entry
        elif earlier.get("value") != entry.get("value"):
            problems.append(
                f"{entry['row']}: {entry['field']} is corrected to {entry['value']!r}, and to {earlier.get('value')!r} "
                f"by {earlier['who']} on {earlier['made_on']}; expected one correction of it"
            )
    if problems:
        raise ExpectedError(f"{counted(len(problems), 'correction')} would contradict others:\n{lines_told(problems)}")
    return added


def _toml(value: Any) -> str:
    """Return a value as TOML, which dates, numbers and JSON's strings and lists of them are, but for DEL."""
    if isinstance(value, dt.date):
        return value.isoformat()
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _tables(release: OpenedRelease) -> dict[str, type[Table]]:
    """Return the release's tables of facts whose rows a person may correct, by name."""
    family = families()[release.manifest.family]
    return {t.table_name(): t for t in (*family.world_tables, *family.context) if correctable(t)}


def _rows(release: OpenedRelease) -> dict[str, dict[str, dict[str, Any]]]:
    """Return, by task, the rows that its lineage names and that a person may correct, by how they are named."""
    edges = edges_by_task(release.rows("lineage"))
    tables, index = _tables(release), index_of(release, edges)
    rows_by_task: dict[str, dict[str, dict[str, Any]]] = {}
    ids_and_refs = {
        (task_id, ref)
        for task_id, task_edges in edges.items()
        for e in task_edges.values()
        for k, ref in e.refs
        if k == "row"
    }
    for task_id, ref in sorted(ids_and_refs):
        row, table = index.find(ref), tables.get(ref.partition("/")[0])
        if row is not None and table is not None:
            column_names = ("lat", "lon", *correctable(table))
            rows_by_task.setdefault(task_id, {})[ref] = {name: row[name] for name in column_names if name in row}
    return rows_by_task


def _values(row: dict[str, Any]) -> str:
    """Return what a person may correct of a row, on one line."""
    cells = {name: value for name, value in row.items() if name not in ("lat", "lon")}
    return json.dumps(cells, ensure_ascii=False, default=str)


def _link(row: dict[str, Any]) -> str:
    at = f"{row['lat']}/{row['lon']}"
    return f"https://www.openstreetmap.org/?mlat={row['lat']}&mlon={row['lon']}#map=18/{quote(at)}"


def _text(value: str | None) -> str:
    text = (value or "").strip()
    return text[1:] if text[:1] == "'" and text[1:].startswith(FORMULA) else text
