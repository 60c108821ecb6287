"""A run's file: held by one process at a time."""

from __future__ import annotations

import os

import pytest

from assets.runs import records
from assets.runs.records import Head, Line, RunError, add, alone, begin, read_run
from tests.hostile.permissions import as_anybody


def test_a_run_is_played_by_one_process_at_a_time(tmp_path):
    path = tmp_path / "runs" / "run.jsonl"
    with alone(path):
        begin(path, head := Head("a1", "itinbench", "greedy"))
        with pytest.raises(RunError, match=r"another process that plays or judges it now; wait .* name another file"):
            _begun_again(path, head)
        add(path, Line("t1", "easy", "…"))
        with alone(tmp_path / "other.jsonl"):
            pass
    with alone(path):
        assert begin(path, head) == {"t1"}
    assert set(read_run(path).lines) == {"t1"}


def test_a_file_that_another_was_put_in_the_place_of_is_held_by_nobody(tmp_path, monkeypatch):
    path, hold = tmp_path / "run.jsonl", records.fcntl.flock

    def put_another_first(file, how):
        (other := tmp_path / "other.jsonl").write_text("of another\n")
        other.replace(path)
        hold(file, how)

    monkeypatch.setattr(records.fcntl, "flock", put_another_first)
    with pytest.raises(RunError, match="another process that plays or judges it now"), alone(path):
        pass
    assert path.read_text() == "of another\n"


def test_a_run_in_which_nothing_was_written_leaves_no_file(tmp_path):
    with pytest.raises(RunError), alone(path := tmp_path / "run.jsonl"):
        begin(path, Head("a1", "itinbench", "command:cat \udcff"))
    assert not path.exists()


def test_a_run_whose_head_was_cut_off_begins_again(tmp_path):
    (path := tmp_path / "run.jsonl").write_text('{"run": {"rel')
    assert begin(path, head := Head("a1", "itinbench", "greedy")) == set()
    assert read_run(path).head == head


def test_a_run_that_is_done_may_be_read_only(tmp_path):
    path, head = tmp_path / "run.jsonl", Head("a1", "itinbench", "greedy")
    begin(path, head)
    add(path, Line("t1", "easy", "…"))
    path.chmod(0o444)
    tmp_path.chmod(0o555)
    with as_anybody():
        with alone(path), alone(path):
            assert begin(path, head) == {"t1"}
            with pytest.raises(PermissionError):
                add(path, Line("t2", "easy", "…"))
        with pytest.raises(PermissionError), alone(tmp_path / "other.jsonl"):
            pass
    tmp_path.chmod(0o755)


def test_a_pipe_or_a_device_is_no_run_and_nothing_is_played(tmp_path):
    os.mkfifo(pipe := tmp_path / "pipe")
    for path in (pipe, os.devnull):
        with pytest.raises(RunError, match="found a pipe or a device; expected a file"), alone(type(tmp_path)(path)):
            pass


def _begun_again(path, head):
    with alone(path):
        begin(path, head)
