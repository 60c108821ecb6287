"""A run's file: held by one process at a time."""

from __future__ import annotations

import pytest

from assets.runs.records import Head, Line, RunError, add, alone, begin, read_run


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


def test_a_run_in_which_nothing_was_written_leaves_no_file(tmp_path):
    with pytest.raises(RunError), alone(path := tmp_path / "run.jsonl"):
        begin(path, Head("a1", "itinbench", "command:cat \udcff"))
    assert not path.exists()


def test_a_run_whose_head_was_cut_off_begins_again(tmp_path):
    (path := tmp_path / "run.jsonl").write_text('{"run": {"rel')
    assert begin(path, head := Head("a1", "itinbench", "greedy")) == set()
    assert read_run(path).head == head


def _begun_again(path, head):
    with alone(path):
        begin(path, head)
