"""Lineage edited so that each edge can be judged and none is wrong by itself: it is not what the family tells."""

from __future__ import annotations

import pytest

from assets.families import families
from assets.release import audit_lineage
from assets.release.audit_lineage import lineage_otherwise
from assets.release.audit_said import said_otherwise
from assets.release.exporting import release_tables
from assets.release.reading import OpenedRelease, open_release
from tests.promises.editing import Rows, edited
from warehouse.home import Home

FAMILIES = ("itinbench", "tripcraft", "grouptravel")


def problems_of(release: OpenedRelease) -> list[str]:
    """Return what an audit says of a release's lineage, told again."""
    return list(lineage_otherwise(release, families()[release.manifest.family], release_tables(release)))


def by_another_rule(rows: Rows) -> Rows:
    """Say of what rules chose that another declared rule did."""
    rules = sorted({row["by"] for row in rows if row["kind"] != "cells"})
    return [{**row, "by": rules[rules.index(row["by"]) - 1]} if row["by"] in rules else row for row in rows]


def chosen(rows: Rows) -> Rows:
    """Say of what was computed that a rule chose it."""
    rule = next({"kind": row["kind"], "by": row["by"], "cells": []} for row in rows if row["kind"] == "choice")
    return [{**row, **rule} if row["kind"] == "cells" else row for row in rows]


def left_out(rows: Rows) -> Rows:
    """Leave out the first edge of each task: what holds the value then tells of it."""
    first = {row["task_id"]: n for n, row in reversed([*enumerate(rows)])}
    return [row for n, row in enumerate(rows) if first[row["task_id"]] != n]


@pytest.mark.parametrize("change", [by_another_rule, chosen, left_out])
@pytest.mark.parametrize("name", FAMILIES)
def test_lineage_that_its_family_does_not_tell_is_named_by_task(small_world, tmp_path, name, change):
    release = open_release(edited(small_world.releases[name], tmp_path, {"lineage": change}))
    told = {problem.partition(": ")[0] for problem in problems_of(release)}
    assert told == set(release.rows("tasks")["task_id"].to_pylist())


def test_an_audit_says_so(small_world, tmp_path):
    release = open_release(edited(small_world.releases["itinbench"], tmp_path, {"lineage": by_another_rule}))
    problems = {*problems_of(release)}
    assert problems and problems <= {*said_otherwise(release, Home(str(small_world.home)).snapshots, ())}


@pytest.mark.parametrize("name", FAMILIES)
def test_nothing_is_said_of_a_release_as_it_was_built(small_world, monkeypatch, name):
    release = open_release(small_world.releases[name])
    assert problems_of(release) == []
    monkeypatch.setattr(audit_lineage, "TASKS_AT_ONCE", 2)
    assert problems_of(release) == []
