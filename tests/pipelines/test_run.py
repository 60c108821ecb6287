"""`tripwright run`: every family, planners of ours and commands; kept line by line, taken up again after kill -9."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from assets.families import families
from assets.runs.records import Head, Line, RunError, add, begin, read_run
from assets.runs.setting import planner_names
from pipelines.walk.fingerprint import ROOT
from schemas import json_lines
from tests.recipes import command

ORDER = ("random", "greedy", "witness")


@pytest.mark.parametrize("family", sorted(families()))
def test_planners_of_ours_run_on_every_family_and_the_witness_is_best(small_world, tmp_path, family):
    percent, solved = {}, {}
    for planner in ORDER:
        code, told = command(
            "run", small_world.releases[family], "--planner", planner, "--out", tmp_path / f"{planner}.jsonl",
            home=small_world.home,
        )  # fmt: skip
        assert code == 0
        percent[planner], solved[planner] = told["percent"], told["solved"]
        lines = read_run(tmp_path / f"{planner}.jsonl").lines
        assert {line.read_by for line in lines.values() if line.plan is not None} <= {"json"}
    assert percent["random"] < percent["greedy"] < percent["witness"]
    assert solved["random"] == 0
    assert set(ORDER) <= set(planner_names(families()[family]))


PLANNER = """
import json, sys, os
task = json.load(sys.stdin)
assert "record" not in task and os.environ["TRIPWRIGHT_MCP"].split()[-2] == "tools"
if task["task_id"].endswith("1"):
    sys.exit("\\x1b[31mno idea")
print("Here is my plan:", json.dumps({"days": [{"day": 1, "date": "2025-01-01", "city_segments": []}]}))
"""


def test_a_command_is_given_the_task_without_its_record_and_its_text_is_read(small_world, tmp_path):
    script = tmp_path / "planner.py"
    script.write_text(PLANNER)
    words = f"command:{shlex.join([sys.executable, str(script)])}"
    run = ("run", small_world.releases["grouptravel"], "--planner", words, "--out", tmp_path / "run.jsonl")
    code, told = command(*run, home=small_world.home)
    assert (code, told["solved"]) == (0, 0)
    lines = read_run(tmp_path / "run.jsonl").lines
    assert len(lines) == told["tasks"] == 6
    for task_id, line in lines.items():
        if task_id.endswith("1"):
            assert line.plan is None
            assert line.problem == r"the command ended with 1: \x1b[31mno idea"
        else:
            assert (line.read_by, line.plan["days"][0]["day"]) == ("json", 1)


def test_a_run_goes_on_after_kill_9_and_plays_no_task_twice(small_world, tmp_path):
    script, seen = tmp_path / "slow.py", tmp_path / "seen"
    seen.mkdir()
    script.write_text(
        "import json, sys, time, pathlib, uuid\n"
        "task = json.load(sys.stdin)\n"
        "while not task['task_id'].endswith('0') and not pathlib.Path(sys.argv[2]).exists(): time.sleep(0.05)\n"
        "pathlib.Path(sys.argv[1], task['task_id'] + '.' + uuid.uuid4().hex).touch()\n"
        "print('{}')\n"
    )
    out, quick = tmp_path / "run.jsonl", tmp_path / "quick"
    planner = f"command:{shlex.join([sys.executable, str(script), str(seen), str(quick)])}"
    words = [sys.executable, "-m", "pipelines.cli", "run", str(small_world.releases["grouptravel"]), "--planner",
             planner, "--out", str(out), "--home", str(small_world.home), "--json"]  # fmt: skip
    with (tmp_path / "log").open("w") as log:
        killed = subprocess.Popen(words, cwd=ROOT, stdout=log, stderr=log, start_new_session=True)
        while killed.poll() is None and not (out.exists() and len(read_run_lines(out)) > 1):
            time.sleep(0.1)
        os.killpg(killed.pid, signal.SIGKILL)
        killed.wait()
    before = read_run_lines(out)
    assert 1 < len(before) < 7
    with out.open("a") as file:
        file.write('{"task_id": "cut o')  # what a kill in the middle of a write leaves
    quick.touch()
    code, told = command(*words[3:-3], home=small_world.home)
    assert (code, told["tasks"]) == (0, 6)
    after = read_run_lines(out)
    assert after[: len(before)] == before
    kept = [json.loads(line)["task_id"] for line in before[1:]]
    played = [path.name.rpartition(".")[0] for path in seen.iterdir()]
    assert all(played.count(task_id) == 1 for task_id in kept)


def read_run_lines(path: Path) -> list[str]:
    return [line for line in path.read_text().split("\n") if line.endswith("}")]


def test_a_file_of_another_run_is_not_added_to(tmp_path):
    path = tmp_path / "run.jsonl"
    assert begin(path, Head("a1", "itinbench", "greedy")) == set()
    add(path, Line("t1", "easy", "…"))
    assert begin(path, Head("a1", "itinbench", "greedy")) == {"t1"}
    with pytest.raises(RunError, match=r"found another run \(it differs in planner\)"):
        begin(path, Head("a1", "itinbench", "random"))


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("", "it is empty"),
        ("x\n", "line 1: found no JSON"),
        ('{"a": 1}\n', "line 1: no head of a run"),
        ('{"run": {"release": "a", "family": "b", "planner": "c"}}\n{"task": 1}\n', "line 2: no line of a run"),
        ('{"run": {"release": "a", "family": "b", "planner": "c", "format": 9}}\n', "of format 9; expected 1"),
    ],
)
def test_what_is_no_run_is_named(tmp_path, content, expected):
    path = tmp_path / "run.jsonl"
    path.write_text(content)
    with pytest.raises(RunError, match=expected):
        read_run(path)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (("--planner", "clever"), "no planner 'clever' of itinbench; expected one of random, greedy"),
        (("--planner", "greedy", "--setting", "dream"), "no setting 'dream'"),
        (("--planner", "greedy", "--variant", "theirs"), "no variant 'theirs'"),
        (("--planner", "greedy", "--level", "hard"), "no task of level 'hard'"),
        (("--planner", "model"), "expected --planner model (or --users model) and --model RECIPE together"),
        (("--planner", "command: "), "names no command"),
        (("--planner", "command:python 'x"), "cannot be split into words: No closing quotation"),
        (("--planner", "command:/no/such/planner"), "/no/such/planner: No such file"),
    ],
)
def test_what_cannot_be_run_is_said(small_world, tmp_path, options, expected):
    out = ("--out", tmp_path / "run.jsonl")
    code, told = command("run", small_world.releases["itinbench"], *options, *out, home=small_world.home)
    assert code == 1
    assert expected in told["error"]
    assert not (tmp_path / "run.jsonl").exists()


def test_a_run_that_has_tasks_stays_when_it_cannot_go_on(small_world, tmp_path):
    script, out = tmp_path / "planner", tmp_path / "run.jsonl"
    script.write_text("#!/bin/sh\necho {}\n")
    script.chmod(0o755)
    run = ("run", small_world.releases["itinbench"], "--planner", f"command:{script}", "--out", out)
    assert command(*run, "--limit", 1, home=small_world.home)[0] == 0
    kept = out.read_bytes()
    script.unlink()
    assert command(*run, home=small_world.home)[0] == 1
    assert out.read_bytes() == kept


def test_what_no_file_of_a_run_could_be_read_with_is_left_out_by_name(small_world, tmp_path, monkeypatch):
    monkeypatch.setattr(json_lines, "MOST_BRACKETS", 2_000)
    words = shlex.join([sys.executable, "-c", "print('[' * 2_001)"])
    run = ("run", small_world.releases["itinbench"], "--limit", 1, "--planner", f"command:{words}")
    assert command(*run, "--out", tmp_path / "run.jsonl", home=small_world.home)[0] == 0
    (line,) = read_run(tmp_path / "run.jsonl").lines.values()
    assert (line.text, line.plan) == ("", None)
    assert "could not be read again: found more than 2,000 brackets" in line.problem


def test_an_interrupt_ends_the_planners_and_the_run(small_world, tmp_path):
    out, begun = tmp_path / "run.jsonl", tmp_path / "begun"
    begun.mkdir()
    planner = shlex.join(["sh", "-c", f"touch {begun}/$$; sleep 300"])
    words = [sys.executable, "-m", "pipelines.cli", "run", str(small_world.releases["itinbench"]), "--planner",
             f"command:{planner}", "--out", str(out), "--home", str(small_world.home)]  # fmt: skip
    with (tmp_path / "log").open("w") as log:
        run = subprocess.Popen(words, cwd=ROOT, stdout=log, stderr=log, start_new_session=True)
        while run.poll() is None and not any(begun.iterdir()):
            time.sleep(0.1)
        run.send_signal(signal.SIGINT)
        assert run.wait(60) == 130
    assert not out.exists()
    assert not any(Path("/proc", path.name).exists() for path in begun.iterdir())
