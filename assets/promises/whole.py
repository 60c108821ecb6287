"""Whole: rows in, out, merged and rejected, counted again from the release's tables, whatever a step's record says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Any

from assets import accounts
from assets.families import all_steps
from assets.family import Family
from assets.release.reading import OpenedRelease
from assets.step import Raw, Step
from schemas.counts import counted
from schemas.table import Table
from sources.corrections.overrides import SOURCE as CORRECTIONS


def whole(release: OpenedRelease, family: Family) -> list[str]:
    """Return every step whose accounting says otherwise than the tables, or whose rows do not add up."""
    rejected: dict[str, Counter[str]] = {}
    dropped = release.rows("rejections", ("step", "reason"))
    for row in dropped.group_by(["step", "reason"]).aggregate([([], "count_all")]).to_pylist():
        rejected.setdefault(row["step"], Counter())[row["reason"]] = row["count_all"]
    files = {f.path.removesuffix(".parquet") for f in release.manifest.files}
    rows_by_table = {
        table.table_name(): release.count(file) for table in family.released if (file := family.file_of(table)) in files
    }
    steps = all_steps([family])
    entry_by_step = {entry["step"]: entry for entry in release.manifest.accounting}
    table_by_name = {table.table_name(): table for table in family.released}
    cities = {city["city_id"] for city in release.manifest.cities}
    slots = _slots(release, family, len(cities))

    def rows(table: type[Table], kind: str) -> int | None:
        other = entry_by_step.get(table.table_name())
        return other["rows_out"] if other and not kind else None

    def keys(step: str, table: type[Table] | None, column: str) -> set[str] | None:
        table_type = table_by_name.get(step if table is None else table.table_name())
        file = family.file_of(table_type) if table_type else ""
        if release.manifest.withheld and column in release.manifest.withheld.cells.get(file, ()):
            return None  # a public edition has not all of them
        return set(release.rows(file, (column,))[column].unique().to_pylist()) if file in files else None

    problems = [
        f"{step}: has rejections, and is not accounted for" for step in sorted(set(rejected) - set(entry_by_step))
    ]
    times_accounted = Counter(entry["step"] for entry in release.manifest.accounting)
    problems += [f"{step}: is accounted for {count} times" for step, count in times_accounted.items() if count > 1]
    needed = needed_steps(steps, [table.table_name() for table in family.released])
    problems += [
        f"{step}: made rows of the release, and is not accounted for" for step in sorted(needed - set(entry_by_step))
    ]
    problems += _inputs(release, [steps[name] for name in sorted(needed)], entry_by_step)
    for name, entry in entry_by_step.items():
        problems += _of_step(entry, rejected.get(name, Counter()), rows_by_table.get(name))
        if name not in steps:
            problems.append(f"{name}: is accounted for, and is no step of the family")
            continue
        stated = steps[name].accounts
        counts = accounts.Counts(rows, partial(keys, name), cities, slots)
        nothing = "says nothing of what it accounts for: give its Step `accounts`, such as Own('pairs of places')"
        problem = accounts.problem(stated, entry["rows_in"], counts) if stated else nothing
        problems += [f"{name}: {problem}"] if problem else []
    return problems


def _inputs(
    release: OpenedRelease, steps: Iterable[Step], entry_by_step: Mapping[str, Mapping[str, Any]]
) -> Iterator[str]:
    """Yield each input that no step reads, and each step of which rows came in and no input that it could have read.

    Who strikes an input strikes its licence.
    """
    roles_given = {(snapshot.source, snapshot.role) for snapshot in release.manifest.inputs}
    roles_read: set[tuple[str, str]] = set()
    for step in steps:
        step_roles = {(one.source, one.role) for one in step.inputs if isinstance(one, Raw)}
        roles_read |= step_roles
        entry = entry_by_step.get(step.name, {})
        if (
            step_roles
            and len(step_roles) == len(step.inputs)
            and entry.get("rows_in")
            and roles_given.isdisjoint(step_roles)
        ):
            roles = ", ".join(f"{source}.{role}" for source, role in sorted(step_roles))
            yield (
                f"{step.name}: {counted(entry['rows_in'], 'row')} in, and manifest.json has no input that it reads: "
                f"{roles}"
            )
    for source, role in sorted(roles_given - roles_read):
        if source != CORRECTIONS.name:  # which the walk reads, for the steps whose rows they change
            yield f"manifest.json: input {source}.{role} is read by no step of the release"


def needed_steps(steps: Mapping[str, Step], names: Iterable[str]) -> set[str]:
    """Return the steps that make tables, and those that make what they read, and so on."""
    step_names: set[str] = set()
    names_to_follow = list(names)
    while names_to_follow:
        name = names_to_follow.pop()
        if name not in step_names:
            step_names.add(name)
            names_to_follow += [one.table_name() for one in steps[name].inputs if not isinstance(one, Raw)]
    return step_names


def _slots(release: OpenedRelease, family: Family, cities: int) -> int:
    """Return how many slots the release's section asks for."""
    section = family.section.model_validate(release.manifest.section)
    return sum(series.count for series in family.call("slots", section)) * (cities if family.per == "city" else 1)


def _of_step(entry: Mapping[str, Any], rejected: Counter[str], rows: int | None) -> Iterable[str]:
    step = entry["step"]
    if dict(rejected) != dict(entry["rejected"]):
        rejected_count = sum(entry["rejected"].values())
        yield (
            f"{step}: is said to reject {counted(rejected_count, 'row')}, the rejections hold "
            f"{sum(rejected.values())} of it"
        )
    if min(entry["rows_out"], entry["merged"], entry["rows_in"] or 0, *entry["rejected"].values()) < 0:
        yield f"{step}: counts fewer than no rows"
    if rows is not None and rows != entry["rows_out"]:
        yield f"{step}: is said to make {counted(entry['rows_out'], 'row')}, its table holds {rows}"
    rows_made = entry["rows_out"] if rows is None else rows
    if entry["rows_in"] is not None and entry["rows_in"] != rows_made + sum(rejected.values()) + entry["merged"]:
        yield (
            f"{step}: {counted(entry['rows_in'], 'row')} in, but {rows_made} out + {sum(rejected.values())} rejected "
            f"+ {entry['merged']} merged"
        )
