"""Whether plans are of a release's tasks: what each line names, and whose places it goes to.

A planner's file names its tasks by id, by number or by the query itself. What this set lacks is told before anything is
scored: numbers alone would pair the plans with other queries.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from assets.families import families
from assets.named import load
from assets.release.exporting import release_tables
from assets.release.reading import OpenedRelease, ReleaseError
from assets.rows import ReleaseTables
from schemas.counts import counted
from schemas.shown import shown

NUMBER_KEYS = ("index", "idx")
"""What published files call a task's number."""

MOST_DIGITS = 20
"""Of a task's number; Python reads no more than 4,300."""

SHOWN = 20
FEWEST_NAMED = 10
"""Names of places below which nothing is said of where plans go."""
LEAST_KNOWN = 0.2
"""Share of the places that plans name which a set must know; of published plans it knows 0.96 and more. Our choice."""


def task_named(row: Mapping[str, Any], tables: ReleaseTables, texts: Mapping[str, str]) -> tuple[str | None, str]:
    """Return the task that a line names, and what is wrong with the name; neither if the line names none.

    `texts` holds each task's query. A number that several tasks have is told by the query.
    """
    query = row.get("query")
    query_text = _plain(query) if isinstance(query, str) and query.strip() else None
    task_id = row.get("task_id")
    number = next((str(row[key]) for key in NUMBER_KEYS if _is_number(row.get(key))), None)
    if isinstance(task_id, str):
        candidates, name = [task_id] if task_id in texts else [], f"task {task_id!r:.80}"
    elif number is not None:
        candidates = tables.numbers.get(int(number), []) if len(number) <= MOST_DIGITS else []
        name = f"task number {number:.{MOST_DIGITS}}"
    elif query_text is not None:
        candidates, name = list(texts), "task with the query"
    else:
        return None, ""
    if not candidates:
        return None, f"found no {name}"
    alike = candidates if query_text is None else [one for one in candidates if _plain(texts[one]) == query_text]
    if not alike:
        return None, f"found no {name} {query!r:.80}"
    if len({_plain(texts[one]) for one in alike}) > 1:
        return None, f"{name} is any of {', '.join(alike[:5])}; give the task_id or the query"
    return alike[0], ""


def queries_of(tables: ReleaseTables) -> dict[str, str]:
    """Return each task's query; empty where a public edition withholds it."""
    ids_and_queries = zip(tables.tasks["task_id"].tolist(), tables.tasks["query"].tolist(), strict=True)
    return {task_id: query if isinstance(query, str) else "" for task_id, query in ids_and_queries}


def require_belonging(
    release: OpenedRelease, plans: Sequence[dict[str, Any]], what: str, lines: Sequence[int]
) -> list[dict[str, Any]]:
    """Return the plans, each under its task's id; one that names no task stays as it is, and counts as none.

    Raises ReleaseError naming every line whose task or query this set lacks, if no line names a task, or if most places
    are not of this set.
    """
    tables = release_tables(release)
    texts = queries_of(tables)
    retired = {entry["task_id"]: entry["reason"] for entry in release.manifest.retired}
    plans_by_task, problems = [], []
    for line, plan in zip(lines, plans, strict=True):
        task_id, problem = task_named(plan, tables, texts)
        if problem:
            why = retired.get(str(plan.get("task_id")))
            problem += f", which is retired: {why}" if why else ""
            problems.append(f"  - line {line}: {problem}")
        plans_by_task.append(plan if task_id is None else {**plan, "task_id": task_id})
    of = f"{release.manifest.family} {release.version}"
    if problems:
        raise ReleaseError(
            f"{what}: {len(problems)} of {counted(len(plans), 'line')} are of another set than {of}:\n"
            + "\n".join(shown(problem) for problem in problems[:SHOWN])
            + (f"\n  - and {len(problems) - SHOWN} more" if len(problems) > SHOWN else "")
            + f"\nIt has {counted(len(texts), 'task')}, named like {', '.join(sorted(texts)[:2])}. Name the "
            "release that the plans were made for."
        )
    if not any(plan.get("task_id") in texts for plan in plans_by_task if isinstance(plan.get("task_id"), str)):
        raise ReleaseError(
            f"{what}: no line of it names a task; expected `task_id`, such as "
            f"{min(texts, default='')!r}, a number (`{'`, `'.join(NUMBER_KEYS)}`) or the `query` in each"
        )
    _require_places(release, tables, plans, f"{what}: these are plans for other places than those of {of}")
    return plans_by_task


def _require_places(release: OpenedRelease, tables: ReleaseTables, plans: Sequence[Any], problem: str) -> None:
    family = families()[release.manifest.family]
    if family.names is None:
        return
    names = load(family.names)
    going = [name for plan in plans for name in names(plan.get("plan", plan)) if name]
    if len(going) < FEWEST_NAMED:
        return
    known_names = {_plain(name) for table in family.world_tables for name in _names(tables, table)}
    held_count = sum(_plain(name) in known_names for name in going)
    if held_count < LEAST_KNOWN * len(going):
        lacking = sorted({name for name in going if _plain(name) not in known_names}, key=going.index)
        raise ReleaseError(
            f"{problem}: of {counted(len(going), 'place')} that they name, it has {held_count}; it has not "
            f"{', '.join(shown(name[:60]) for name in lacking[:5])}. Name the release that the plans were made for."
        )


def _names(tables: ReleaseTables, table: Any) -> Collection[str]:
    """Return the names of a table of places; none of any other table."""
    columns = {column.name for column in table.columns()}
    if not {"place_id", "name"} <= columns:
        return ()
    rows = tables[table]
    return [name for name in rows["name"].unique().tolist() if isinstance(name, str)]


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()


def _is_number(value: Any) -> bool:
    if isinstance(value, str):
        return value.isascii() and value.isdecimal()
    return isinstance(value, int) and not isinstance(value, bool)
