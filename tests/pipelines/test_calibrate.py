"""`tripwright calibrate`: runs of a release, scored again, and what is no run of it."""

from __future__ import annotations

import json

import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

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
    code, told = command("calibrate", release, *runs, forged, "--out", tmp_path / "out", home=small_world.home)
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
    assert "found no task that was run" in told["error"]


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
    rated.write_text(rated.read_text().splitlines()[0] + "\n")
    words = ["judge", str(release), str(careful), "--ratings", str(rated), "--home", str(small_world.home)]
    said = " ".join(CliRunner().invoke(app, words).stdout.split())
    assert "50.0 of 100, the mean of 1 of 2 conversations" in said
    both = ("--ratings", rated, "--model", small_world.recipe)
    for given, found in (((), "neither"), (both, "both")):
        code, told = command("judge", release, careful, *given, home=small_world.home)
        assert (code, told) == (1, {"error": f"expected --model RECIPE or --ratings FILE, found {found}"})
