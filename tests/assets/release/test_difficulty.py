"""The greedy planner of each family: what it plans from, what it scores, and where a release says so."""

from __future__ import annotations

import json

import pytest

from assets.families import families
from assets.family import Family, Series
from assets.named import load
from assets.release.difficulty import MOST_TASKS, difficulty, pass_counts, too_easy
from assets.release.exporting import release_tables
from assets.release.reading import OpenedRelease, open_release
from assets.rows import ReleaseTables
from tests.recipes import command
from tests.small_world import TASKS, SmallWorld

FAMILIES = sorted(families())
BEST_AT = {"itinbench": "vr", "tripcraft": "final_pass_rate", "grouptravel": "gu_share"}
"""A figure of each family that no plan can have higher than the witness."""


def opened(small_world: SmallWorld, name: str) -> tuple[Family, OpenedRelease, ReleaseTables]:
    release = open_release(small_world.releases[name])
    return families()[name], release, release_tables(release)


def backwards(rows):
    """Return the rows, pandas or Arrow, from the last to the first."""
    import pyarrow as pa

    order = range(len(rows) - 1, -1, -1)
    return (
        rows.take(pa.array(order, pa.int64()))
        if isinstance(rows, pa.Table)
        else rows.iloc[[*order]].reset_index(drop=True)
    )


@pytest.mark.parametrize("name", FAMILIES)
def test_a_release_and_its_card_say_what_a_greedy_planner_scores_beside_the_witnesses(small_world, name):
    _, release, _ = opened(small_world, name)
    rows = {row["metric"]: row for row in release.manifest.measures["baseline"]}
    assert rows["tasks"] == {"metric": "tasks", "baseline": TASKS[name], "witness": TASKS[name]}
    best = rows[BEST_AT[name]]
    assert 0 < best["baseline"] <= best["witness"]
    card = (release.folder / "README.md").read_text(encoding="utf-8")
    assert "### baseline" in card
    assert f"| {BEST_AT[name]} | {best['baseline']:.4g} |" in card


@pytest.mark.parametrize("name", FAMILIES)
def test_a_release_says_how_alike_its_queries_are_and_that_no_published_ones_were_given(small_world, name):
    _, release, _ = opened(small_world, name)
    published, own = release.manifest.measures["similar_queries"]
    assert (published["queries"], published["most"], own["queries"]) == (0, "not compared", TASKS[name])
    assert 0 < own["median"] <= own["most"] <= 100


@pytest.mark.parametrize("name", FAMILIES)
def test_score_takes_the_word_baseline_and_gives_what_the_release_says(small_world, name):
    code, scored = command("score", small_world.releases[name], "baseline", home=small_world.home)
    assert code == 0
    _, release, _ = opened(small_world, name)
    said = {row["metric"]: row["baseline"] for row in release.manifest.measures["baseline"]}
    assert {metric: scored["aggregate"][metric] for metric in said} == pytest.approx(said)


@pytest.mark.parametrize("name", FAMILIES)
def test_the_planner_sees_no_witness_and_needs_no_order_of_rows(small_world, name):
    family, _, tables = opened(small_world, name)
    hidden = {"certificates", "lineage"}
    seen = {table: tables.tables[table] for table in tables.tables if table not in hidden}
    turned = {table: backwards(rows) for table, rows in seen.items()}
    plan = load(family.baselines["baseline"])

    def by_task(frames):
        return {row["task_id"]: json.dumps(row["plan"]) for row in plan(ReleaseTables(frames, tables.section))}

    assert by_task(seen) == by_task(turned)
    assert len(by_task(seen)) == TASKS[name]


def test_a_large_release_is_scored_by_evenly_spaced_tasks(small_world, monkeypatch):
    family, _, tables = opened(small_world, "itinbench")
    monkeypatch.setattr("assets.release.difficulty.MOST_TASKS", 4)
    rows = {row["metric"]: row["baseline"] for row in difficulty(family, tables)}
    assert (rows["tasks"], rows["n"], MOST_TASKS) == (3, 3, 200)


def test_a_family_without_a_baseline_planner_says_nothing(small_world):
    from dataclasses import replace

    family, _, tables = opened(small_world, "itinbench")
    assert difficulty(replace(family, baselines={}), tables) == []


@pytest.mark.parametrize("name", ["itinbench", "tripcraft"])
def test_three_planners_are_measured_on_all_tasks_and_the_card_says_it(small_world, name):
    family, release, tables = opened(small_world, name)
    rows = {row["level"]: row for row in release.manifest.measures["passed_by_planners"]}
    assert list(rows["all"]) == ["level", "tasks", "random", "greedy", "repair"]
    assert rows["all"]["tasks"] == TASKS[name] == sum(row["tasks"] for level, row in rows.items() if level != "all")
    scored = family.call("score", tables, load(family.baselines["baseline"])(tables), "ours")["plans"]
    assert rows["all"]["greedy"] == sum(row.get("passes", row.get("valid")) for row in scored)
    assert rows["all"]["random"] <= rows["all"]["greedy"] <= rows["all"]["repair"]
    assert "### passed by planners" in (release.folder / "README.md").read_text(encoding="utf-8")


def test_a_family_without_such_planners_is_not_measured(small_world):
    family, release, tables = opened(small_world, "grouptravel")
    assert pass_counts(family, tables) == release.manifest.measures["passed_by_planners"] == []


def test_a_set_that_is_easier_than_asked_is_told_by_level():
    rows = [
        {"level": "hard", "tasks": 10, "random": 0, "greedy": 4, "repair": 9},
        {"level": "easy", "tasks": 10, "random": 0, "greedy": 10, "repair": 10},
        {"level": "all", "tasks": 20, "random": 0, "greedy": 14, "repair": 19},
    ]
    asked = [Series("3d-hard", 5, "hard", greedy_at_most=0.3), Series("5d-hard", 5, "hard", greedy_at_most=0.3)]
    assert too_easy(rows, [*asked, Series("easy", 10, "easy")]) == [
        "level hard: the greedy planner passes 4 of 10 tasks; the recipe allows 30%"
    ]
    assert too_easy([{**rows[0], "greedy": 3}], asked) == []
