"""What people see: progress on stderr, tables and errors; under `--json` one object on stdout and nothing else."""

from __future__ import annotations

import json
import math
import os
import re
import shlex
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rich.box import SIMPLE_HEAD as LINED
from rich.console import Console
from rich.markup import escape
from rich.table import Table as Grid
from rich.text import Text as RichText

from assets.promises.mutants import refusal_counts
from assets.promises.values import in_words
from assets.release.reading import OpenedRelease
from pipelines.walk.build import BuildResult
from pipelines.walk.walk_report import Blocked
from schemas.counts import counted
from schemas.shown import figure, shown
from warehouse.home import Home
from warehouse.releases import PAGE_FILE

if TYPE_CHECKING:
    from assets.release.audit import AuditReport
    from schemas.page import PageTask

CITIES_SHOWN = 3
LARGE_PAGE_BYTES = 8_000_000

LABEL_WIDTH = 11

PIPE_WIDTH = 10_000
"""Columns where nobody looks at a terminal: no line is broken that a program may read."""


def console(*, stderr: bool = False) -> Console:
    """Return a console that breaks lines on a terminal, or where $COLUMNS says so, and nowhere else."""
    output = Console(stderr=stderr)
    return output if output.is_terminal or "COLUMNS" in os.environ else Console(stderr=stderr, width=PIPE_WIDTH)


def spinner(of: Console) -> str:
    """Return which of rich's spinners a console's encoding has the characters for."""
    return "line" if of.options.ascii_only else "dots"


ERR = console(stderr=True)
OUT = console()


def Text(text: str, style: str = "") -> RichText:  # noqa: N802  (it stands for rich's Text, whatever the text holds)
    """Return text for the terminal: nothing of it acts on what shows it, and none of it is markup."""
    return RichText(shown(text), style=style)


_ACTING = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""What JSON may hold as it is and a terminal acts on or UTF-8 does not know; control characters JSON spells out."""


def print_json(value: Any) -> None:
    """Print one JSON object on stdout, which says what it is given and acts on no terminal.

    Where stdout is of another encoding than UTF-8, every character beyond ASCII is spelled out.
    """
    is_ascii = not (sys.stdout.encoding or "utf-8").lower().startswith("utf")
    try:
        text = json.dumps(value, ensure_ascii=is_ascii, indent=1, allow_nan=False)
    except ValueError:
        text = json.dumps(_finite(value), ensure_ascii=is_ascii, indent=1)
    sys.stdout.write(_ACTING.sub(lambda match: f"\\u{ord(match[0]):04x}", text) + "\n")
    sys.stdout.flush()


def _finite(value: Any) -> Any:
    """Return the value with null in the place of each number that JSON has no word for."""
    if isinstance(value, dict):
        return {key: _finite(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(inner) for inner in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def grid(title: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> Grid:
    """Return a table for the terminal, figures to the right; cells are plain text, whatever they hold."""
    titled = escape(shown(title)) if title else None
    table = Grid(title=titled, title_justify="left", title_style="bold", header_style="bold", box=LINED)
    cells = [[str(cell) for cell in row] for row in rows]
    for number, name in enumerate(columns):
        is_figures = any(row[number] for row in cells) and all(_FIGURE.fullmatch(row[number]) for row in cells)
        table.add_column(name, overflow="fold", justify="right" if is_figures else "left")
    for row in cells:
        table.add_row(*(Text(cell) for cell in row))
    return table


_FIGURE = re.compile(r"([-+]?[\d,]+(\.\d+)?( %)?|not measured|–)?")
"""A cell that stands to the right, under the others of its column: a number, a share, or nothing."""


def pairs(lines: Iterable[tuple[str, str]]) -> Grid:
    """Return lines of a label and a text each, broken under the text."""
    table = Grid.grid(padding=(0, 2, 0, 0))
    table.add_column()
    table.add_column(overflow="fold")
    for label, text in lines:
        table.add_row(Text(label), Text(text))
    return table


def show_entry(name: str, title: str, lines: Mapping[str, str]) -> None:
    """Print what has a name and a title, and under it lines of a label and a text each, broken under the text."""
    OUT.print(Text(name, style="bold"), Text(title))
    table = Grid.grid(padding=(0, 1))
    table.add_column(min_width=LABEL_WIDTH)
    table.add_column(overflow="fold")
    for label, text in lines.items():
        table.add_row(Text(f"  {label}"), Text(text))
    OUT.print(table)
    OUT.print()


def page_size(size_bytes: int) -> str:
    """Return a page's size in words, with a warning where a phone opens it slowly."""
    size = f"{size_bytes / 1e6:.1f} MB" if size_bytes >= 100_000 else f"{max(1, round(size_bytes / 1000))} kB"
    if size_bytes <= LARGE_PAGE_BYTES:
        return size
    return (
        f"{size}, over 8 MB: slow to open on a phone; a recipe of fewer tasks or cities, or a page a family, is smaller"
    )


def show_built(home: Home, built: BuildResult) -> None:
    """Print what a build gave: its releases, and what is blocked and why."""
    if built.releases:
        rows = [
            (r.ref.family, r.ref.version, r.tasks, r.certified, r.rejected, "new" if r.is_new else "unchanged")
            for r in built.releases
        ]
        OUT.print(grid("Releases", ("family", "version", "tasks", "certified", "rows rejected", ""), rows))
        for r in built.releases:
            folder = home.releases.folder(r.ref)
            page = folder / PAGE_FILE
            OUT.print(Text(f"{r.ref.family}: {folder}"), soft_wrap=True)
            if page.is_file():  # why it could not be drawn was said when it was tried
                OUT.print(Text(f"  its page ({page_size(page.stat().st_size)}): {page}"), soft_wrap=True)
            for line in r.repeats:
                OUT.print(Text(f"  queries that repeat others: {line}", style="yellow"), soft_wrap=True)
            if r.public not in (None, r.ref):
                OUT.print(Text(f"  its public edition: {home.public.folder(r.public)}"), soft_wrap=True)
    needs = [row for row in built.coverage if not built.family_names or row["family"] in built.family_names]
    bare = origins_only(needs)
    needs = [row for row in needs if row["city_id"] not in bare]
    if bare:
        OUT.print(Text(f"people only set out from: {', '.join(bare)}"), soft_wrap=True)
    unmet = [row for row in needs if not row["is_met"]]
    if unmet:
        title = f"What the cities cannot support ({len(needs) - len(unmet)} of {len(needs)} needs are met)"
        OUT.print(grid(title, ("cities", "what lacks", "why"), unmet_by_cause(unmet)))
    for path in built.maps:
        OUT.print(Text(f"map: {path}"), soft_wrap=True)
    if built.blocked:
        OUT.print(grid("Blocked", ("cities", "step", "reason"), by_cause(built.blocked)))
    if built.spent and built.spent.has_asked:
        OUT.print(built.spent.in_words())
    OUT.print(f"{counted(built.steps_run, 'step')} run, {built.steps_skipped:,} already built")


def origins_only(needs: Sequence[dict[str, Any]]) -> list[str]:
    """Return the cities of which nothing at all was read, where something was of another: people set out from them."""
    counts: dict[str, int] = {}
    for row in needs:
        counted = 0 if row["requirement"] == "ways_in" else row["found"]
        counts[row["city_id"]] = counts.get(row["city_id"], 0) + counted
    return sorted(city_id for city_id, count in counts.items() if not count) if any(counts.values()) else []


def unmet_by_cause(unmet: Iterable[Mapping[str, Any]]) -> list[tuple[str, str, str]]:
    """Return each need of a family that is not met once for each reason, with the first of the cities that lack it."""
    return by_cause(
        Blocked(row["city_id"], f"{row['requirement'].replace('_', ' ')} ({row['family']})", row["reason"])
        for row in unmet
    )


def by_cause(blocked: Iterable[Blocked]) -> list[tuple[str, str, str]]:
    """Return each cause once, with the first of the cities that it blocks and how many more there are."""
    cities: dict[tuple[str, str], list[str]] = {}
    for failure in blocked:
        cities.setdefault((failure.step, failure.reason), []).append(failure.city_id)
    return [
        (", ".join(ids[:CITIES_SHOWN]) + (f" and {len(ids) - CITIES_SHOWN} more" if ids[CITIES_SHOWN:] else ""), *cause)
        for cause, ids in cities.items()
    ]


def show_calls(calls: dict[str, Any]) -> None:
    """Print the model calls that a build needs, step by step, and what cannot be counted before others are made."""
    names = ("step", "scope", "calls", "prompt_tokens", "completion_tokens")
    if calls["by_step"]:
        OUT.print(
            grid("Model calls, tokens as estimated", names, [[row[n] for n in names] for row in calls["by_step"]])
        )
        OUT.print(f"{counted(calls['calls'], 'call')}, cost {calls['cost']:,.4f} as estimated")
    for step in dict.fromkeys(row["step"] for row in calls["not_yet_countable"]):
        OUT.print(Text(f"{step}: asks about what other answers give; its own calls can be counted after them"))


def show_feasible(rows: list[dict[str, Any]]) -> None:
    """Print how often each value that a query may ask can be satisfied, a table for each family and city."""
    for family, city_id in dict.fromkeys((row["family"], row["city_id"]) for row in rows):
        city_rows = [row for row in rows if (row["family"], row["city_id"]) == (family, city_id)]
        cells = [
            (r["what"], r["value"], f"{r['satisfiable']:,} of {r['records']:,}", f"{r['share']:.1%}") for r in city_rows
        ]
        title = f"{family}: records that the places of {city_id} can satisfy"
        OUT.print(grid(title, ("what", "value", "satisfiable", "share"), cells))


def show_sample(release: OpenedRelease, home: str | None = None) -> None:
    """Print the task that the release's page shows first with its witness day by day, and how to follow it.

    `home` is where the command was told to keep everything, which the next has to be told too.
    """
    from assets.release.page.data import family_page, first_task

    page = family_page(release)
    task_id = first_task([page])
    queries = dict(zip(*(release.table("tasks")[column] for column in ("task_id", "query")), strict=True))
    OUT.print(Text(f"\n{task_id}", style="bold"))
    OUT.print(Text(queries[task_id]))
    _show_witness(next(task for task in page.tasks if task.task_id == task_id))
    same_home = f" --home {shlex.quote(home)}" if home else ""
    OUT.print(Text(f"\nWhere each value came from: tripwright audit {task_id}{same_home}"), soft_wrap=True)


def _show_witness(task: PageTask) -> None:
    for day in task.days:
        rows = [(stop.when, stop.what, stop.name, stop.note) for stop in day.stops]
        used = [n for n in range(4) if any(row[n] for row in rows)]
        columns = [("when", "what for", "where", "")[n] for n in used]
        title = " · ".join(text for text in (day.title, day.note) if text)
        OUT.print(grid(title, columns, [[row[n] for n in used] for row in rows]))
    if task.remark:
        OUT.print(Text(task.remark))
    OUT.print(pairs(task.scores))


def audit_line(opened: OpenedRelease, report: AuditReport) -> str:
    """Return in one line what holds of a release."""
    name = f"{opened.manifest.recipe}/{opened.manifest.family}/{opened.version}"
    if report.holds:
        return (
            f"{name}: all {report.values:,} values of {counted(report.gate.tasks, 'task')} hold: "
            f"{in_words(report.gate.values)}; "
            f"{counted(report.gate.rows, 'row')}, read again from "
            f"{counted(report.gate.sources['records'], 'source record')} in "
            f"{counted(report.gate.sources['files'], 'raw file')}. Every witness is accepted again, and the checker "
            f"refused {counted(sum(refusal_counts(report.gate.offered).values()), 'plan')} that it must refuse."
        )
    if report.problems:
        return (
            f"{name}: {counted(len(report.problems), 'problem')}; nothing here is to be trusted until they are mended."
        )
    return (
        f"{name}: could not verify {report.values - report.verified:,} of {report.values:,} values, from "
        f"{counted(len(report.unverified), 'place')} named above; the other {report.verified:,} resolve. Put the files "
        "into the home's raw store, or complete the release."
    )


def show_tree(tree: dict[str, Any]) -> None:
    """Print one task's provenance as a tree."""
    from rich.tree import Tree

    root = Tree(Text(f"{tree['task_id']} in release {tree['release']}", style="bold"))
    root.add(Text(tree["query"]))
    values = root.add("values")
    for value in tree["values"]:
        sources = ", ".join(f"{s['kind']} {s['ref']}" for s in value["from"])
        values.add(Text(f"{value['field']} = {str(value['value'])[:100]}  ←  {sources}"))
    rows = root.add("rows")
    for ref, entry in tree["rows"].items():
        branch = rows.add(Text(ref))
        for source in entry["source_rows"]:
            had = source.get("retrieved_at") or "no date"
            url = f", {source['url']}" if source.get("url") else ""
            origin = f"{source.get('file', source['pointer'])} ({source.get('licence', '')}, {had}{url})"
            branch.add(Text(f"{origin}\n{source.get('raw', source.get('problem', ''))[:400]}"))
    for ref, call in tree["generations"].items():
        branch = root.add(Text(f"generation {ref}: {call['job']} by {call['model']} ({call['revision']})"))
        request = call["request"]
        if isinstance(request, str):
            branch.add(Text(f"request: {request[:400]}"))
        else:
            for message in request["messages"]:
                branch.add(Text(f"{message['role']}: {message['content'][:400]}"))
        branch.add(Text(f"answer: {call['answer'][:400]}\nverdict: {call['verdict']}"))
    rules = root.add(Text(f"rules, of code revision {tree['code']['revision'] or 'not recorded'}"))
    for name, text in tree["rules"].items():
        rules.add(Text(f"{name}: {text}"))
    certificate = root.add("certificate")
    for check in tree["certificate"]["checks"]:
        mark = {True: "✓", False: "✗", None: "– not asked for:"}[check["holds"]]
        certificate.add(Text(f"{mark} {check['check']}"))
    for problem in tree["problems"]:
        root.add(Text(f"✗ {problem}", style="red"))
    OUT.print(root)


def show_measures(name: str, value: Any, depth: int = 0) -> None:
    """Print a nested object: lists of rows as tables, the rest as indented lines."""
    pad = "  " * depth
    if isinstance(value, list) and value and isinstance(value[0], dict):
        OUT.print(grid(f"{pad}{name}", list(value[0]), [[_number(row.get(c)) for c in value[0]] for row in value]))
    elif isinstance(value, dict) and _is_table(value):
        columns = list(next(iter(value.values())))
        rows = [[key.replace("_", " "), *(_number(row[c]) for c in columns)] for key, row in value.items()]
        OUT.print(grid(f"{pad}{name}", ("", *columns), rows))
    elif isinstance(value, dict):
        OUT.print(Text(f"{pad}{name}", style="bold"))
        for key, inner in value.items():
            show_measures(str(key).replace("_", " "), inner, depth + 1)
    else:
        OUT.print(Text(f"{pad}{name}: {_number(value)}"), soft_wrap=True)


def in_unit(value: float | None, unit: str) -> str:
    """Return a figure with its unit; of shares between 0 and 1 only the figure."""
    figure = _number(value)
    return figure if value is None or unit == "0 to 1" else f"{figure} %" if unit == "%" else f"{figure} {unit}"


def _is_table(value: dict[str, Any]) -> bool:
    """Return whether an object is a table: several objects of the same keys, whose values are plain."""
    rows = list(value.values())
    if len(rows) < 2 or not all(isinstance(row, dict) and row for row in rows):
        return False
    is_plain = not any(isinstance(cell, dict) for row in rows for cell in row.values())
    return is_plain and all(row.keys() == rows[0].keys() for row in rows)


def _number(value: Any) -> str:
    """Return a value as a cell: a named thing by its name, a list by its items, and nothing as not measured."""
    if value is None:
        return "not measured"
    if isinstance(value, dict) and "name" in value:
        return str(value["name"])
    if isinstance(value, list):
        return ", ".join(_number(item) for item in value) or "none"
    return figure(value)
