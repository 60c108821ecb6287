"""The published sets themselves, opened: scored as published, row by row of their papers and verdict by verdict."""

from __future__ import annotations

import gzip
import json
import tarfile
from pathlib import Path

import pytest

from assets.tripcraft.published.commonsense import COMMONSENSE
from tests.assets.itinbench.test_published_scores import TABLE_4, TOLERANCE
from tests.conftest import SHARED
from tests.recipes import command, lines_of

VERDICTS = SHARED / "golden" / "verdicts"


@pytest.fixture(scope="module")
def real(tmp_path_factory, shared_data):
    """Return a home and the answer of opening the published ItinBench folder."""
    home = tmp_path_factory.mktemp("real")
    code, told = command("open", "itinbench", shared_data / "itinbench", home=home)
    assert (code, told["tasks"], told["rows_left_out"], told["notes"]) == (0, 500, 0, [])
    return home, told


@pytest.mark.parametrize("row", TABLE_4, ids=lambda row: row[0])
def test_a_row_of_table_4_comes_out_by_commands(row, real, shared_data, tmp_path):
    home, told = real
    model, task, n = row
    texts = shared_data / "itinbench_outputs" / model / "plans" / f"{task}.jsonl"
    out = tmp_path / "plans.jsonl"
    assert command("extract-plans", told["version"], texts, out, home=home)[1]["plans"] == n
    for variant in ("paper", "released"):
        code, scores = command("score", told["version"], out, "--variant", variant, home=home)
        found = scores["aggregate"]
        assert (code, found["n"]) == (0, n)
        assert {metric: found[metric] for metric in TABLE_4[row]} == pytest.approx(TABLE_4[row], abs=TOLERANCE)


def published_plans(name: str, kinds: tuple[str, ...]) -> list[dict]:
    """Return the plans of some kinds of the published checkers' verdicts; skips the test where there are none."""
    if not VERDICTS.is_dir():
        pytest.skip("the verdicts of the published code (../shared/golden) are not on this machine")
    with gzip.open(VERDICTS / name / "verdicts.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [row for line in lines if (row := json.loads(line))["kind"] in kinds]


def holds(said) -> bool | None:
    """Return a published verdict: a budget's is in its `passes`, and what raised does not hold."""
    return (said.get("passes", False) and not said.get("crash")) if isinstance(said, dict) else said


TRIP_KINDS = ("p00_witness", "p08_not_closed", "p19_meal_gap", "p22_poi_stop_other_place", "p44_taxi_instead")


def test_tripcraft_s_reference_set_is_scored_as_the_published_evaluator_scores_it(tmp_path):
    rows = published_plans("tripcraft", TRIP_KINDS)
    archive = VERDICTS / "tripcraft" / "published_folder.tar.gz"
    told = command("open", "tripcraft", archive, home=tmp_path)[1]
    assert (told["tasks"], told["gold"], told["rows_left_out"]) == (90, 90, 0)
    for kind in TRIP_KINDS:
        these = [row for row in rows if row["kind"] == kind]
        plans = lines_of(tmp_path / "p", [{"task_id": row["task_id"], "plan": row["plan"]} for row in these])
        scored = command("score", told["version"], plans, "--variant", "released", home=tmp_path)[1]
        failed = {plan["task_id"]: set(plan["failed"]) for plan in scored["plans"]}
        for row in these:
            said = {name: holds(verdict) for name, verdict in row["published"].items()}
            is_gated = not (said["complete_information"] and said["within_sandbox"])
            assert failed[row["task_id"]] == {
                name for name, verdict in said.items() if verdict is False and (name in COMMONSENSE or not is_gated)
            }, (kind, row["task_id"])
    gold = Path(told["path"]) / "gold.jsonl"
    ours = command("score", told["version"], gold, home=tmp_path)[1]["aggregate"]
    assert (ours["final_pass_rate"], ours["ordering"]) == (1, 1)


GROUP_KINDS = ("witness", "badtime", "pad_hm", "seg_none")


def test_grouptravel_s_reference_set_is_scored_as_the_published_code_scores_it(tmp_path):
    rows = published_plans("grouptravel", GROUP_KINDS)
    with tarfile.open(VERDICTS / "grouptravel" / "published_folder.tar.gz") as archive:
        archive.extractall(tmp_path / "folder", filter="data")
    told = command("open", "grouptravel", tmp_path / "folder", home=tmp_path)[1]
    assert (told["tasks"], told["notes"]) == (60, [])
    for kind in GROUP_KINDS:
        these = [row for row in rows if row["kind"] == kind]
        plans = lines_of(tmp_path / "p", [{"task_id": row["task_id"], "plan": row["plan"]} for row in these])
        scored = command("score", told["version"], plans, "--variant", "released", home=tmp_path)[1]
        by_task = {trial["task_id"]: trial for trial in scored["trials"]}
        assert len(these) == len(by_task) > 0
        for row in these:
            said, trial = row["published"], by_task[row["task_id"]]
            assert (trial["pv"] == 100) == bool(said.get("valid")), (kind, row["task_id"])
            if said.get("gu") is not None:
                assert (trial["gu"], trial["gf"]) == (said["gu"], said["gf"]), (kind, row["task_id"])
