"""A run's file: held by one process at a time."""

from __future__ import annotations

import pytest

from assets.runs.records import RunError, alone


def test_a_run_is_played_by_one_process_at_a_time(tmp_path):
    path = tmp_path / "run.jsonl"
    with alone(path):
        with (
            pytest.raises(RunError, match=r"another process that runs it now; wait .* or name another file"),
            alone(path),
        ):
            pass
        with alone(tmp_path / "other.jsonl"):
            pass
    with alone(path):
        pass
