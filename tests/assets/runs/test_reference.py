"""The reference planners' rows that every release keeps, and its page shows."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd
import pytest

from assets.declared import FamilyError
from assets.families import families
from assets.release.exporting import release_tables
from assets.release.measures import REFERENCE
from assets.release.page.data import _planners
from assets.release.reading import open_release
from assets.runs import reference
from assets.runs.setting import planner_names, setting_of


@pytest.mark.parametrize("family", sorted(families()))
def test_every_release_says_what_each_planner_reaches_by_level(small_world, family):
    release = open_release(small_world.releases[family])
    rows = release.manifest.measures[REFERENCE]
    assert rows == _planners(release)
    tasks = release_tables(release).tasks
    levels = {"", *(level for level in tasks["level"] if level)}
    assert {(row["planner"], row["level"]) for row in rows} == {
        (planner, level) for planner in planner_names(families()[family]) for level in levels
    }
    whole = {row["planner"]: row for row in rows if row["level"] == ""}
    assert whole["random"]["percent"] < whole["careful"]["percent"] < whole["witness"]["percent"]
    assert (whole["careful"]["tasks"], whole["witness"]["solved"]) == (len(tasks), 1.0)
    for row in rows:
        assert row["solved_low"] <= row["solved"] <= row["solved_high"]


def test_the_tasks_of_a_level_are_evenly_spaced_and_no_more_than_so_many(small_world, monkeypatch):
    tables = release_tables(open_release(small_world.releases["itinbench"]))
    ids = sorted(tables.tasks["task_id"])
    monkeypatch.setattr(reference, "MOST_A_LEVEL", 3)
    assert list(reference._level_by_played_task(tables)) == ids[::2]
    rows = reference.reference_rows(families()["itinbench"], tables)
    assert {row["tasks"] for row in rows} == {3}


def test_a_bound_that_a_planner_of_ours_passes_is_none(small_world):
    """Say of groups that nobody reaches more than half of what the careful planner reaches."""
    tables = release_tables(open_release(small_world.releases["grouptravel"]))
    family, setting = families()["grouptravel"], setting_of("grouptravel")
    reached = reference._outcomes(family, setting, tables, "careful")
    task_id, (_, percent) = max(reached.items(), key=lambda entry: entry[1][1])
    assert 0 < percent <= 100

    def lowered(row):
        bounds = {
            name: row["proof"]["per_table"][name] * percent / 200 for name in ("split_bound", "compromise_split_bound")
        }
        per_table = {**row["proof"]["per_table"], **bounds}
        return {**row["proof"], "per_table": per_table} if row["task_id"] == task_id else row["proof"]

    rows = tables.certificates.to_dict("records")
    lowered_rows = pd.DataFrame([{**row, "proof": lowered(row)} for row in rows])
    forged = replace(tables, tables={**tables.tables, "certificates": lowered_rows})
    with pytest.raises(FamilyError, match=f"planner reaches .* % of what the certificate of {task_id} says"):
        reference.reference_rows(family, forged)


def test_a_planner_by_rules_that_waits_is_a_fault(small_world, monkeypatch):
    tables = release_tables(open_release(small_world.releases["itinbench"]))
    monkeypatch.setattr("assets.itinbench.careful.play", lambda *_: iter(["a prompt"]))
    with pytest.raises(TypeError, match="plays by rules"):
        reference.reference_rows(families()["itinbench"], tables)
