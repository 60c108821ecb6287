"""A command as a planner: what it writes is bounded, and its end is its own, and that of what it leaves behind."""

from __future__ import annotations

import shlex
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from assets.runs import planners
from assets.runs.planners import command
from assets.runs.playing import Played


def played(script: str) -> Played:
    """Return what a command comes to, a script of Python that is given a task."""
    wait: Any = next(command(shlex.join([sys.executable, "-c", script]), "tools", dict)({"task_id": "t"}))
    return wait.run()


def test_a_process_that_the_command_leaves_behind_is_not_waited_for():
    begun = time.monotonic()
    left = "import subprocess; subprocess.Popen(['sleep', '20']); print('a plan')"
    assert played(left) == Played("a plan\n")
    assert time.monotonic() - begun < 10


@pytest.mark.parametrize("end", ["", "import time; time.sleep(60)"], ids=["ended", "stopped"])
def test_a_process_that_the_command_leaves_behind_is_ended_with_it(end, monkeypatch):
    monkeypatch.setattr(planners, "COMMAND_SECONDS", 1)
    told = played(f"import subprocess; print(subprocess.Popen(['sleep', '300']).pid, flush=True); {end}")
    stat = Path("/proc", told.text.strip(), "stat")
    while stat.exists() and stat.read_text().split()[2] != "Z":  # nobody may have waited for it yet
        time.sleep(0.01)


def test_a_command_ends_soon_when_its_run_does():
    wait: Any = next(command("sleep 300", "tools", dict)({"task_id": "t"}))
    wait.stop()
    assert wait.run() == Played("", problem="the run was stopped")


@pytest.mark.parametrize(("stream", "most"), [("stdout", "MOST_OUTPUT_BYTES"), ("stderr", "MOST_LOG_BYTES")])
def test_a_command_that_writes_without_end_is_stopped(stream, most, monkeypatch):
    monkeypatch.setattr(planners, most, 1 << 20)
    monkeypatch.setattr(planners, "COMMAND_SECONDS", 20)
    told = played(f"import sys\nwhile True: sys.{stream}.write('x' * 10_000)")
    assert told.problem == "the command wrote more than 1 MB"
    assert len(told.text) <= 1 << 20


def test_a_command_that_hangs_is_stopped_with_what_it_wrote_kept(monkeypatch):
    monkeypatch.setattr(planners, "COMMAND_SECONDS", 1)
    told = played("import time; print('half', flush=True); time.sleep(60)")
    assert told == Played("half\n", problem="the command gave no answer within 1 s")


def test_a_command_that_reads_nothing_or_writes_bytes_is_read_all_the_same():
    assert played("import sys; sys.stdout.buffer.write(b'\\xff plan')") == Played("\ufffd plan")
    told = played("import sys; sys.stderr.write('y' * 9_000 + 'last'); sys.exit(7)")
    assert told.problem.startswith("the command ended with 7: yyy")
    assert told.problem.endswith("last")
