"""CHANGES.md: how a release differs from the one before, for people: counts, and a few of each kind of difference.

It is read by a person, however many rows differ; `tripwright diff OLD NEW --json` names every one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import takewhile
from typing import Any

from assets.promises.values import PARTS, in_words
from assets.release.diff import Cause, Difference, FieldChange, RowChange, TaskChange, differing
from assets.release.sides import UNPUBLISHED
from schemas.counts import counted
from schemas.shown import shown

MOST_TASKS, MOST_FIELDS, MOST_ROWS, MOST_CAUSES = 10, 12, 5, 10
"""So many are shown: tasks of a status, values of a task or row, rows of a table and status, causes of a kind."""
MOST_CHARACTERS, LEAD = 80, 20
"""Of a value that are shown; and of what two values share that is shown before they differ."""
TOLD = {
    "row": "a row that it uses",
    "candidate": "a row that it could have used",
    "retired": "retired",
    "recipe": "the recipe",
    "rule": "a rule",
    "code": "the code",
    "model": "the model",
    "city": "a city",
    "source": "a source file",
}
STEP = "step "
"""What begins a cause of the code: the step's name and two hashes come after it."""


WHY = "## Why\n"
FINGERPRINT = "certificate.depends_on"
"""A hash, which differs where a certificate was made anew: the causes say why."""


def changes_page(diff: Difference, title: str) -> str:
    """Return the difference in Markdown: what differs counted, a few of each kind shown, and the command for all."""
    counts = Counter(task.status for task in diff.tasks)
    lines = [
        f"# Changes: {_safe(title)}",
        "",
        f"Tasks from `{diff.old}` to `{diff.new}`: {counts['added']} added, {counts['removed']} removed, "
        f"{counts['changed']} changed, {diff.tasks_kept} as they were.",
        f"A few of each kind are shown; {_command(diff)} names all.",
        "",
        WHY,
        *_roots(diff.roots),
        *(["- nothing that the release is made from differs"] if not diff.roots else []),
        "",
    ]
    for status in ("removed", "added", "changed"):
        tasks = [task for task in diff.tasks if task.status == status]
        if tasks:
            lines += [f"## Tasks {status}", "", *_counts_lines(tasks)]
            lines += [line for task in tasks[:MOST_TASKS] for line in _task(task)]
            lines += [*_more(len(tasks) - MOST_TASKS, "tasks"), ""]
    if diff.rows:
        lines += ["## Rows", "", *_rows(diff.rows), ""]
    if diff.origins:
        origins = diff.origins[:MOST_FIELDS]
        lines += ["## Values that come from elsewhere", ""]
        lines += [f"- `{_safe(c.field)}`: {in_words(c.old)}; now {in_words(c.new)}" for c in origins]
        lines += [*_more(len(diff.origins) - MOST_FIELDS, "fields"), ""]
    if diff.repointed:
        row_counts = ", ".join(f"{count} of {table}" for table, count in sorted(diff.repointed.items()))
        lines += [f"Equal rows that stand elsewhere in their source files: {row_counts}.", ""]
    if diff.others:
        lines += [f"Also otherwise than before: {', '.join(_safe(name) for name in diff.others)}.", ""]
    if diff.unexplained:
        lines += ["## Unexplained", "", *[f"- {_safe(text)}" for text in diff.unexplained[:MOST_TASKS]]]
        lines += [*_more(len(diff.unexplained) - MOST_TASKS, "differences"), ""]
    return "\n".join(lines)


def counts_and_causes(page: str) -> str:
    """Return the beginning of such a page: how many tasks differ and why, without each of them."""
    before, why, after = page.partition(WHY)
    return (before + why + after.partition("\n## ")[0]).strip()


def not_compared_page(title: str, reasons: list[str]) -> str:
    """Return the page of a release that could not be compared with the one before, and why not."""
    lines = [f"- {_safe(reason)}" for reason in reasons]
    return "\n".join([f"# Changes: {_safe(title)}", "", "Not compared with the release before:", "", *lines, ""])


def first_page(title: str) -> str:
    """Return the page of a release that has none before it."""
    return f"# Changes: {_safe(title)}\n\nThis is the first release of the recipe here.\n"


def _command(diff: Difference) -> str:
    """Return the command that names everything; a release that is not published yet has no version to be named by."""
    if diff.new != UNPUBLISHED:
        return f"`tripwright diff {diff.old} {diff.new} --json`"
    return f"`tripwright diff {diff.old} VERSION --json` (VERSION: this release's, as its folder is called)"


def _more(count: int, what: str) -> list[str]:
    """Return a line that says how many are not shown, none where all are."""
    return [f"- and {count:,} more {what}"] if count > 0 else []


def _roots(roots: Sequence[Cause]) -> list[str]:
    """Return a line for each of a few causes of each kind; of the code one line that names the steps that differ."""
    steps = [root.what.removeprefix(STEP).partition(":")[0] for root in roots if _is_of_step(root)]
    by_kind: dict[str, list[Cause]] = {}
    for root in roots:
        if not _is_of_step(root):
            by_kind.setdefault(root.kind, []).append(root)
    lines: list[str] = []
    for kind, causes in by_kind.items():
        lines += [f"- {TOLD[kind]}: {_safe(root.what)}" for root in causes[:MOST_CAUSES]]
        lines += _more(len(causes) - MOST_CAUSES, f"like this ({TOLD[kind]})")
    line = f"- the code of {counted(len(steps), 'step')}: {_safe(', '.join(steps))}"
    return [*lines, line] if steps else lines


def _counts_lines(tasks: Sequence[TaskChange]) -> list[str]:
    """Return what differs in how many of the tasks, and why, where they are too many to be shown each."""
    if len(tasks) <= MOST_TASKS:
        return []
    parts = Counter(part for task in tasks for part in dict.fromkeys(map(_part, task.fields)))
    kinds = Counter(kind for task in tasks for kind in dict.fromkeys(cause.kind for cause in task.causes))
    lines = [f"- differing: {', '.join(f'{_safe(part)} of {count:,}' for part, count in parts.most_common())}"]
    reasons = ", ".join(f"{TOLD[kind]} ({count:,})" for kind, count in kinds.most_common())
    return [*(lines if parts else []), *([f"- because of: {reasons}"] if kinds else [])]


def _part(change: FieldChange) -> str:
    """Return the column that a value stands in."""
    return change.field.partition("/")[0]


def _rows(rows: Sequence[RowChange]) -> list[str]:
    """Return how many rows of each table differ and in what, and a table of a few of each table and status."""
    by_table: dict[str, dict[str, list[RowChange]]] = {}
    for row in rows:
        by_table.setdefault(row.table, {}).setdefault(row.status, []).append(row)
    lines: list[str] = []
    for table, by_status in by_table.items():
        counts = ", ".join(f"{len(changed):,} {status}{_columns(changed)}" for status, changed in by_status.items())
        lines.append(f"- {table}: {counts}")
    lines += ["", "| table | row | change | values |", "|---|---|---|---|"]
    for by_status in by_table.values():
        for changed in by_status.values():
            lines += [_row(row) for row in changed[:MOST_ROWS]]
    shown_rows = sum(min(MOST_ROWS, len(changed)) for by_status in by_table.values() for changed in by_status.values())
    more = _more(len(rows) - shown_rows, "rows")
    return [*lines, *([""] if more else []), *more]


def _columns(rows: Sequence[RowChange]) -> str:
    """Return in brackets which columns differ in how many of the rows; nothing where none does."""
    counts = Counter(_part(field) for row in rows for field in row.fields).most_common(MOST_FIELDS)
    return f" ({', '.join(f'{_safe(name)} {count:,}' for name, count in counts)})" if counts else ""


def _row(row: RowChange) -> str:
    moved = [] if row.moved_m is None else [f"moved {row.moved_m:,} m"]
    values = "; ".join([*moved, *(_value(f) for f in row.fields[:MOST_FIELDS])])
    return f"| {row.table} | `{_safe(row.key)}` {_safe(row.label)} | {row.status} | {values} |"


def _is_of_step(root: Cause) -> bool:
    return root.kind == "code" and root.what.startswith(STEP)


def _task(task: TaskChange) -> list[str]:
    lines = [f"- `{task.task_id}`"]
    fields = sorted((field for field in task.fields if field.field != FINGERPRINT), key=_place)
    lines += [f"  - {_value(field)}" for field in fields[:MOST_FIELDS]]
    if len(fields) > MOST_FIELDS:
        lines.append(f"  - and {counted(len(fields) - MOST_FIELDS, 'more value')}")
    if task.fields and not fields:
        lines.append("  - asks and plans the same as before: only its certificate was made anew")
    steps = sum(_is_of_step(cause) for cause in task.causes)
    others = [cause for cause in task.causes if not _is_of_step(cause)]
    lines += [f"  - because of {TOLD[cause.kind]}: {_safe(cause.what)}" for cause in others[:MOST_CAUSES]]
    lines += [f"  {line}" for line in _more(len(others) - MOST_CAUSES, "reasons")]
    # Their hashes say nothing to a reader, and the steps are named once, above all tasks.
    line = f"  - because of the code of {counted(steps, 'step')} that it rests on"
    return [*lines, line] if steps else lines


def _place(change: FieldChange) -> tuple[int, str]:
    """Return where a value stands among a task's: what is asked comes before the plan, and that before its proof."""
    part = change.field.removeprefix("certificate.").partition("/")[0]
    return PARTS.index(part) if part in PARTS else len(PARTS), change.field


def _value(change: FieldChange) -> str:
    if (count := differing(change)) is not None:
        return f"{_safe(change.field)}: {count}"
    old, new = (_entries(value) for value in (change.old, change.new))
    equal_count = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(old, new, strict=False)))
    begin = equal_count - LEAD if max(len(old), len(new)) > MOST_CHARACTERS else 0
    begin = old.rfind(" ", 0, begin) + 1 if begin > 0 else 0
    return f"{_safe(change.field)}: {_cell(old, begin)} → {_cell(new, begin)}"


def _entries(value: Any) -> str:
    """Return a value as text; of a list of records, which no line can hold, how many they are."""
    is_records = isinstance(value, list | tuple) and bool(value) and all(isinstance(one, dict) for one in value)
    return counted(len(value), "record") if is_records else str(value)


def _cell(text: str, begin: int) -> str:
    """Return so much of a text as shows how it differs from another, which begins to at about `begin`."""
    end = begin + MOST_CHARACTERS - 3
    after = text[begin:] if len(text) <= begin + MOST_CHARACTERS else f"{text[begin:end]}…"
    return "`" + _safe(("…" if begin else "") + after) + "`"


def _safe(text: str) -> str:
    """Return untrusted text that can neither break a table, become markup or a link, nor act on a terminal."""
    plain = " ".join(shown(str(text), keep="\n\t").split()).replace("`", "'").replace("|", "¦")
    return plain.replace("<", "‹").replace(">", "›").replace("[", "(").replace("]", ")")
