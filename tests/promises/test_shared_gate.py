"""A gate's tasks shared out among processes: the verdicts and counts of one process, and no process left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections import Counter
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from assets.families import families
from assets.grouptravel.checks.judging import UTILITIES
from assets.promises import gate as gate_module
from assets.promises.cells import TASK, index_of
from assets.promises.certified import JobVerdict
from assets.promises.gate import _computed_columns, _rows_behind, gate
from assets.promises.place_renaming import RENAMED_PLACES
from assets.promises.row_removal import REMOVED_ROWS
from assets.promises.values import edges_by_task
from assets.release.reading import open_release
from tests.killing import all_ended
from tests.promises.editing import edited
from warehouse.home import Home

ROOT = Path(__file__).resolve().parents[2]
BROKEN = (1, 2)
"""Of these tasks two processes judge the second first."""


@pytest.fixture
def shares(monkeypatch):
    """Share out every few tasks; return into how many jobs each gate put them."""
    monkeypatch.setattr(gate_module, "FEWEST_TASKS_A_JOB", 1)
    counted, judging = [], gate_module._judging

    def counts(*given):
        jobs = judging(*given)
        counted.append(len(jobs) - 1)  # one of them tries fields
        return jobs

    monkeypatch.setattr(gate_module, "_judging", counts)
    return counted


def test_what_processes_found_apart_is_added_up():
    one = JobVerdict(2, Counter(the_empty_plan=2), {"days": [3, 2]}, {"t.0": {("place", "p")}}, ["t.0: is broken"])
    both = JobVerdict()
    both.add(one)
    both.add(replace(one, uses={"t.1": set()}))
    assert both == JobVerdict(
        4,
        Counter(the_empty_plan=4),
        {"days": [6, 4]},
        {"t.0": {("place", "p")}, "t.1": set()},
        ["t.0: is broken", "t.0: is broken"],
    )
    assert one.fields == {"days": [3, 2]}, "what is added is not changed"


def test_verdicts_and_counts_do_not_depend_on_how_many_processes_share_the_tasks(small_world, tmp_path, shares):
    def without_days(rows):
        return [{**row, "plan": {**row["plan"], "itinerary": []}} if n in BROKEN else row for n, row in enumerate(rows)]

    release = open_release(edited(small_world.releases["itinbench"], tmp_path, {"certificates": without_days}))
    snapshots = Home(str(small_world.home)).snapshots
    alone, shared = (gate(release, snapshots, workers=workers) for workers in (1, 2))
    assert shares == [1, 2]
    assert alone == shared
    assert alone.certified == len(release.rows("tasks")) - 2 > 0
    refused = {text.partition(":")[0] for text in alone.problems if "the witness is not accepted" in text}
    assert refused == {release.rows("certificates")["task_id"][n].as_py() for n in BROKEN}


@pytest.mark.parametrize("family", sorted(families()))
def test_trials_in_other_worlds_are_counted_where_plans_are(small_world, family):
    release = open_release(small_world.releases[family])
    told = release.manifest.promises["offered"]
    tasks = len(release.rows("tasks"))
    assert told["with_a_renamed_place"] == min(tasks, RENAMED_PLACES)
    assert told["without_a_row"] == min(tasks, REMOVED_ROWS)


def test_what_two_processes_both_say_is_said_once():
    calls = []
    for problems in (["b", "a"], ["c", "a"]):
        calls.append(Future())
        calls[-1].set_result(JobVerdict(accepted=1, problems=problems))
    together = gate_module._together(calls)
    assert (together.accepted, together.problems) == (2, ["a", "b", "c"])


GATE = """
import sys
from pathlib import Path
from assets.promises import gate as gate_module
from assets.release.reading import open_release
from warehouse.home import Home

if __name__ == "__main__":
    gate_module.FEWEST_TASKS_A_JOB = 1
    together = gate_module._together
    def stay(calls):
        for call in calls:
            call.result()
        print("judged", flush=True)
        sys.stdin.read()
    gate_module._together = stay
    gate_module.gate(open_release(Path(sys.argv[1])), Home(sys.argv[2]).snapshots, workers=2)
"""


def test_a_gate_that_is_killed_leaves_no_process(small_world, tmp_path):
    script = tmp_path / "gate.py"
    script.write_text(GATE, encoding="utf-8")
    words = [sys.executable, script, small_world.releases["itinbench"], small_world.home]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    with subprocess.Popen(words, cwd=ROOT, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as running:
        assert running.stdout is not None and running.stdin is not None
        assert running.stdout.readline() == b"judged\n"
        begun = psutil.Process(running.pid).children(recursive=True)
        judges = [process for process in begun if process.ppid() != running.pid]  # forks of the server that it began
        assert len(judges) == 3  # one that has read the release, and of it a fork for each share
        running.send_signal(signal.SIGKILL)
    assert all_ended(begun)


@pytest.mark.parametrize("family", ("itinbench", "tripcraft", "grouptravel"))
def test_judges_are_given_every_row_that_the_plans_of_tasks_to_try_rest_on_and_no_other(small_world, family):
    release = open_release(small_world.releases[family])
    lineage, index = release.rows("lineage").to_pylist(), index_of(release)
    tried = set(sorted({edge["task_id"] for edge in lineage})[::2])
    planned = [edge for edge in lineage if edge["task_id"] in tried and edge["field"].startswith("plan/")]
    named = {(cell["table"], cell["row"]) for edge in planned for cell in edge["cells"]}
    rows = _rows_behind(tried, edges_by_task(release.rows("lineage")), index)
    found = {(table, key): row for table, by_key in rows.items() for key, row in by_key.items()}
    assert found == {ref: index.row(*ref) for ref in named if ref[0] != TASK}
    assert any(ref not in found for table, by_key in index.rows.items() for ref in ((table, key) for key in by_key))


def test_bounds_that_only_a_solver_knows_are_named_as_believed():
    family = families()["grouptravel"]
    bounds = sorted(f"proof.reachable.{name}" for name in UTILITIES if name.endswith("_bound"))
    assert _computed_columns(family, set())["grouptravel_certificate"] == bounds != []
    believed = sorted(families()["itinbench"].believed)
    assert _computed_columns(families()["itinbench"], set())["itinbench_certificate"] == believed
    assert not any("scorer" in name for name in believed)
