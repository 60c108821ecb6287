"""The greedy planner of each family: what it plans from, what it scores, and where a release says so."""

from __future__ import annotations

import json

import pytest

from assets.family import Family, ReleaseTables, families
from assets.named import load
from assets.release.difficulty import MOST_TASKS, difficulty
from assets.release.exporting import release_tables
from assets.release.reading import OpenedRelease, open_release
from tests.recipes import command
from tests.small_world import TASKS, SmallWorld

FAMILIES = sorted(families())
BEST_AT = {"itinbench": "vr", "tripcraft": "final_pass_rate", "grouptravel": "gu_share"}
"""A figure of each family that no plan can have higher than the witness."""


def opened(small_world: SmallWorld, name: str) -> tuple[Family, OpenedRelease, ReleaseTables]:
    release = open_release(small_world.releases[name])
    return families()[name], release, release_tables(release)


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
    turned = {table: frame.iloc[::-1].reset_index(drop=True) for table, frame in seen.items()}
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
