"""Runs edited by who ran them: what is printed of them is true, or they are refused by name."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.recipes import command

Rows = list[dict[str, Any]]


@pytest.fixture(scope="module")
def greedy(small_world, tmp_path_factory) -> tuple[Path, Path]:
    """Return the GroupTravelBench release and a run of its greedy planner, whose tasks are of three levels."""
    release, path = small_world.releases["grouptravel"], tmp_path_factory.mktemp("runs") / "greedy.jsonl"
    assert command("run", release, "--planner", "greedy", "--out", path, home=small_world.home)[0] == 0
    return release, path


def with_head(**values: Any) -> Callable[[Rows], Rows]:
    """Return what changes a run's head."""
    return lambda rows: [{**rows[0], "run": {**rows[0]["run"], **values}}, *rows[1:]]


def with_lines(**values: Any) -> Callable[[Rows], Rows]:
    """Return what changes every line of a run."""
    return lambda rows: [rows[0], *({**row, **values} for row in rows[1:])]


def hard_for_easy(rows: Rows) -> Rows:
    """Return the run, its easy tasks said to be hard."""
    return [rows[0], *({**row, "level": row["level"].replace("easy", "hard")} for row in rows[1:])]


EDITS: tuple[tuple[Callable[[Rows], Rows], str], ...] = (
    (hard_for_easy, "easy.00000 is said to be of level 'hard'; it is of 'easy'"),
    (with_lines(trial={"ratings": [5] * 5, "meta": 5}), "easy.00000 holds its own ratings"),
    (with_lines(cost=-1.0), "cost is -1.0; expected a number from 0"),
    (with_head(family="tripcraft"), "found a run of family 'tripcraft'; expected one of grouptravel"),
    (
        with_head(setting="with every answer"),
        "found a run of setting 'with every answer'; expected one of conversation",
    ),
    (with_head(release="0" * 16), "found a run of release 0000000000000000"),
    (with_head(variant="kind"), "found a run of variant 'kind'"),
    (with_lines(task_id="grouptravel.us-small.easy.99999"), "not of the release: 1 task"),
)


@pytest.mark.parametrize(("edit", "told"), EDITS, ids=[told[:40] for _, told in EDITS])
@pytest.mark.parametrize("reader", ["calibrate", "judge"])
def test_a_run_that_is_not_as_it_was_run_is_refused_by_name(small_world, greedy, tmp_path, edit, told, reader):
    release, path = greedy
    edited = tmp_path / "edited.jsonl"
    rows = edit([json.loads(line) for line in path.read_text().splitlines()])
    edited.write_text("".join(json.dumps(row) + "\n" for row in rows))
    ratings = tmp_path / "ratings.jsonl"
    ratings.write_text("")
    words = (reader, release, edited, *(("--ratings", ratings) if reader == "judge" else ()))
    code, answer = command(*words, home=small_world.home)
    assert code == 1 and told in answer["error"], answer
    assert [kept.name for kept in tmp_path.iterdir() if ".judged" in kept.name] == [], "nothing is rated before"


def test_a_run_of_the_tasks_that_went_well_stands_below_those_of_all_and_is_told(small_world, greedy, tmp_path):
    release, path = greedy
    head, *lines = path.read_text().splitlines()
    code, whole = command("calibrate", release, path, "--out", tmp_path / "whole", home=small_world.home)
    assert (code, whole["not_run"]) == (0, {})
    few = tmp_path / "few.jsonl"
    (best,) = with_head(planner="best")([json.loads(head)])
    few.write_text(f"{json.dumps(best)}\n{lines[0]}\n")
    code, told = command("calibrate", release, few, path, "--out", tmp_path / "out", home=small_world.home)
    assert code == 0
    assert told["not_run"] == {"best conversation": len(lines) - 1}
    assert list(told["planners"]) == ["greedy conversation", "best conversation"]
    assert (
        told["planners"]["best conversation"]["all"]["percent"]
        > whole["planners"]["greedy conversation"]["all"]["percent"]
    )
    page = (tmp_path / "out" / "leaderboard.md").read_text()
    assert page.index("greedy conversation") < page.index("best conversation")
    assert f"best conversation did not run {len(lines) - 1} tasks of the release" in page


def test_a_task_without_a_solution_that_was_taken_out_is_missed(small_world, tmp_path):
    release, path = small_world.releases["itinbench"], tmp_path / "run.jsonl"
    words = ("run", release, "--planner", "random", "--unsolvable", "2", "--out", path)
    assert command(*words, home=small_world.home)[0] == 0
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:-1]))
    code, told = command("calibrate", release, path, "--out", tmp_path / "out", home=small_world.home)
    assert (code, told["not_run"]) == (0, {"random tools": 1})
