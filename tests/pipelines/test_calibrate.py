"""`tripwright calibrate`: runs of a release, scored again, and what is no run of it."""

from __future__ import annotations

import json

import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

from assets.runs.records import alone
from pipelines.cli import app
from tests.recipes import command


@pytest.fixture(scope="module")
def runs(small_world, tmp_path_factory):
    """Return the files of three runs of the small world's GroupTravelBench."""
    folder = tmp_path_factory.mktemp("runs")
    for planner in ("random", "greedy", "witness"):
        words = ("run", small_world.releases["grouptravel"], "--planner", planner, "--out", folder / f"{planner}.jsonl")
        assert command(*words, home=small_world.home)[0] == 0
    return sorted(folder.glob("*.jsonl"))


def test_runs_are_ranked_and_their_scores_are_made_again(small_world, runs, tmp_path):
    release = small_world.releases["grouptravel"]
    forged = tmp_path / "forged.jsonl"
    head, *rows = runs[1].read_text().splitlines()
    boasting = [json.dumps({**json.loads(row), "trial": {"gu": 99, "pv": 100.0}}) for row in rows]
    forged.write_text("\n".join([head, *boasting]) + "\n")
    again = tmp_path / ".." / tmp_path.name / forged.name  # one file counts once, however it is named
    code, told = command("calibrate", release, *runs, forged, again, "--out", tmp_path / "out", home=small_world.home)
    assert code == 0
    assert [name.split()[0] for name in told["planners"]] == ["witness", "greedy", "random", "random"]
    table = pq.read_table(tmp_path / "out" / "runs.parquet").to_pylist()
    percents = {row["name"]: row["percent"] for row in table if row["level"] == ""}
    assert len(percents) == 4
    assert percents["random conversation (2)"] == percents["random conversation"] == 0
    assert percents["witness conversation"] == max(percents.values())


def test_runs_of_another_release_or_of_nothing_are_refused(small_world, runs, tmp_path):
    code, told = command("calibrate", small_world.releases["itinbench"], runs[0], home=small_world.home)
    assert code == 1
    assert "expected one of" in told["error"]
    empty = tmp_path / "empty.jsonl"
    empty.write_text(runs[0].read_text().splitlines()[0] + "\n")
    code, told = command("calibrate", small_world.releases["grouptravel"], empty, home=small_world.home)
    assert code == 1
    assert "found no task of the release that was run" in told["error"]


def test_recorded_ratings_become_the_judges_score(small_world, runs, tmp_path):
    release = small_world.releases["grouptravel"]
    careful = tmp_path / "careful.jsonl"
    command("run", release, "--planner", "careful", "--limit", "2", "--out", careful, home=small_world.home)
    task_ids = [json.loads(line)["task_id"] for line in careful.read_text().splitlines()[1:]]
    rated = tmp_path / "rated.jsonl"
    rated.write_text("".join(json.dumps({"task_id": t, "ratings": [3] * 5}) + "\n" for t in task_ids))
    code, told = command("judge", release, careful, "--ratings", rated, home=small_world.home)
    assert (code, told["judge"]) == (0, 50.0)
    judged = careful.with_suffix(".judged.jsonl")  # stands among the runs that `runs/*.jsonl` names
    code, told = command("calibrate", release, careful, judged, "--out", tmp_path / "out", home=small_world.home)
    assert (code, list(told["planners"])) == (0, ["careful conversation"])
    code, told = command("calibrate", release, judged, home=small_world.home)
    assert (code, "expected the runs beside them" in told["error"]) == (1, True)
    judged.write_text(judged.read_text().splitlines()[1] + "\n")
    first, rest = rated.with_name("first.jsonl"), judged.read_text()
    first.write_text("")
    words = ["judge", str(release), str(careful), "--ratings", str(first), "--home", str(small_world.home)]
    said = " ".join(CliRunner().invoke(app, words).stdout.split())
    assert "50.0 of 100, the mean of 1 of 2 conversations" in said and judged.read_text() == rest
    both = ("--ratings", rated, "--model", small_world.recipe)
    for given, found in (((), "neither"), (both, "both")):
        code, told = command("judge", release, careful, *given, home=small_world.home)
        assert (code, told) == (1, {"error": f"expected --model RECIPE or --ratings FILE, found {found}"})
    code, told = command("judge", release, careful, "--ratings", rated, "--meta", home=small_world.home)
    assert (code, told["error"].partition(";")[0]) == (1, "--meta has a model rate ratings")


def test_ratings_are_added_to_those_of_other_tasks_and_by_one_judge_at_a_time(small_world, runs, tmp_path):
    release, run = small_world.releases["grouptravel"], tmp_path / "run.2"
    run.write_bytes(runs[1].read_bytes())
    task_ids = [json.loads(line)["task_id"] for line in run.read_text().splitlines()[1:]]
    paid = {"task_id": task_ids[0], "ratings": [5] * 5, "meta": None, "generation_ids": ["a call that was paid"]}
    judged, rated = tmp_path / "run.2.judged.jsonl", tmp_path / "rated.jsonl"
    judged.write_text(json.dumps(paid) + "\n")
    rated.write_text(json.dumps({"task_id": task_ids[1], "ratings": [3] * 5}) + "\n")
    words = ("judge", release, run, "--ratings", rated)
    with alone(judged):
        code, told = command(*words, home=small_world.home)
    assert (code, "another process that plays or judges it now" in told["error"]) == (1, True)
    assert command(*words, home=small_world.home)[0] == 0
    kept = [json.loads(line) for line in judged.read_text().splitlines()]
    assert kept == [paid, {"task_id": task_ids[1], "ratings": [3] * 5, "meta": None, "generation_ids": []}]
