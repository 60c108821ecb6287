"""What a score means to those who run planners: rows where the setting says, each with whether its task is solved."""

from __future__ import annotations

import pytest

from assets.declared import FamilyError
from assets.runs.setting import Outcome, RunSetting, outcome_of, score_rows


def test_a_score_without_rows_where_they_are_looked_for_is_told():
    scores = {"aggregate": {}, "trips": [{"task_id": "t1"}]}
    assert set(score_rows(RunSetting(rows="trips"), scores)) == {"t1"}
    with pytest.raises(FamilyError, match=r"a score has aggregate, trips; expected its rows in `plans`"):
        score_rows(RunSetting(), scores)


def test_a_row_that_does_not_say_whether_its_task_is_solved_is_told_and_is_not_taken_for_unsolved():
    assert outcome_of(RunSetting(), {"task_id": "t1", "passes": True}) == Outcome(True, 100.0)
    assert outcome_of(RunSetting(), {"task_id": "t1", "valid": False}) == Outcome(False, 0.0)
    assert outcome_of(RunSetting(), None) == Outcome(False, 0.0)
    with pytest.raises(FamilyError, match=r"a row of a score has task_id, accepted; expected `passes`"):
        outcome_of(RunSetting(), {"task_id": "t1", "accepted": True})
