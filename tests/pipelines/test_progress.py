"""What people see of long work: which step of how many, how fast, and about how long the rest takes."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from pipelines.walk import progress as module
from pipelines.walk.progress import Progress, duration
from pipelines.walk.walk_report import Event


@pytest.fixture
def told(monkeypatch) -> list[str]:
    """Return the lines that are printed to people."""
    lines: list[str] = []
    monkeypatch.setattr(module.ERR, "print", lambda line, **_: lines.append(str(line)))
    return lines


def ahead(progress: Progress, *steps: tuple[str, str]) -> None:
    for step, scope in steps:
        progress(Event(step, scope, "ahead"))


def test_what_is_left_is_guessed_from_what_ran(told):
    progress = Progress()
    ahead(progress, ("place", "a"), ("place", "b"), ("matrix", "a"), ("matrix", "b"), ("draft", ""))
    assert progress.remaining_text() == ""
    progress(Event("place", "a", "built", seconds=2.0, rows=10))
    progress(Event("matrix", "a", "built", seconds=100.0, rows=10))
    assert progress.remaining_text() == "2 of 5 steps, about 2 min 33 s left", (
        "2 s, 100 s, and the mean of both for the draft"
    )
    progress(Event("place", "b", "kept", seconds=2.0))
    assert progress.remaining_text() == "3 of 5 steps, about 2 min 14 s left"
    progress(Event("matrix", "b", "blocked", reason="no road"))
    assert progress.remaining_text() == "4 of 5 steps, about 34 s left"


def test_each_step_is_told_with_its_rate_and_now_and_then_with_what_is_left(told, monkeypatch):
    progress = Progress()
    ahead(progress, ("review", ""), ("place", "a"), ("place", "b"))
    progress(Event("review", "", "built", seconds=4.0, rows=12_000, rejected=7))
    monkeypatch.setattr(module, "TOLD_EVERY_S", 0.0)
    progress(Event("place", "a", "built", seconds=0.5, rows=470))
    assert told == [
        "  ✓ review: 12,000 rows, 7 rejected in 4.0 s (3,000 rows/s)",
        "  ✓ place a: 470 rows in 0.5 s  (2 of 3 steps, about 0 s left)",
    ]


def test_what_is_to_be_heeded_of_a_step_stays_on_a_line_of_its_own(told):
    Progress()(Event("stay", "a", "built", rejected=3, reason="none of 3 rows lies in a city"))
    assert told == ["  ✓ stay a: 0 rows, 3 rejected in 0.0 s", "  ! stay a: none of 3 rows lies in a city"]


@pytest.mark.parametrize(
    ("seconds", "said"), [(8.4, "8 s"), (59.6, "1 min 0 s"), (200, "3 min 20 s"), (7500, "2 h 5 min")]
)
def test_a_time_is_said_as_a_person_says_it(seconds, said):
    assert duration(seconds) == said


def terminal(monkeypatch, width: int) -> io.StringIO:
    """Return what a terminal of a width is sent."""
    sent = io.StringIO()
    monkeypatch.setattr(module, "ERR", Console(file=sent, force_terminal=True, width=width, height=40))
    return sent


def test_a_terminal_shows_fewer_than_twenty_lines_that_change_and_a_file_keeps_all(monkeypatch, tmp_path):
    sent = terminal(monkeypatch, 80)
    log = tmp_path / "logs" / "build.log"
    with Progress(log) as progress:
        ahead(progress, *[("step", str(n)) for n in range(120)])
        for n in range(120):
            progress(Event("step", str(n), "running"))
            progress(Event("step", str(n), "built", seconds=0.1, rows=n))
        shown = io.StringIO()
        Console(width=80, file=shown).print(progress._lines())
        lines = shown.getvalue().splitlines()
        assert len(lines) < 20
        assert lines[-2] == "  ✓ step 119: 119 rows in 0.1 s"
    kept = log.read_text().splitlines()
    assert len(kept) == 120
    assert kept[0] == "  ✓ step 0: 0 rows in 0.1 s"
    assert f"120 steps built in 0 s; every line: {log}" in sent.getvalue()


def test_a_pipe_gets_every_line_whole(monkeypatch, tmp_path):
    sent = io.StringIO()
    monkeypatch.setattr(module, "ERR", Console(file=sent, force_terminal=False, width=40))
    with Progress(tmp_path / "log") as progress:
        progress(Event("a_step_of_a_rather_long_name", "xx-in-a-city-of-a-long-name", "built", seconds=0.1, rows=1))
        progress(Event("place", "a", "blocked", reason="its feed is of another city, which is far away from here"))
    assert sent.getvalue().splitlines() == [
        "  ✓ a_step_of_a_rather_long_name xx-in-a-city-of-a-long-name: 1 row in 0.1 s",
        "  ✗ place a: its feed is of another city, which is far away from here",
    ]
    assert not (tmp_path / "log").exists()
