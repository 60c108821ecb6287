"""What a score means to those who run planners: rows where the setting says, each with whether its task is solved."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest

from assets.declared import FamilyError
from assets.families import families
from assets.release.reading import ReleaseError
from assets.rows import ReleaseTables
from assets.runs import setting
from assets.runs.setting import Outcome, RunSetting, outcome_of, require_settings, score_rows, setting_of
from pipelines.releases.without_solution import without_solution
from pipelines.walk.build import build
from tests.pipelines.conftest import recipe_text
from warehouse.home import Home

FAMILY = families()["tripcraft"]
HERE = "assets.tripcraft"

WRONG = [
    ({"wishes_of": f"{HERE}.checks:nothing"}, r"`wishes_of` is `assets.tripcraft.checks:nothing`; .* defines no `not"),
    ({"unsolvable": f"{HERE}.nowhere:tasks"}, r"`unsolvable` is .*; there is no assets/tripcraft/nowhere.py"),
    ({"clash_holds": FAMILY.export}, r"`clash_holds` is .*; expected 4 arguments, as beside `clash_holds`"),
    (
        {"planners": {"random": FAMILY.check}},
        r"`planners\['random'\]` is .*; expected 2 arguments",
    ),
]


@pytest.mark.parametrize(("changes", "told"), WRONG)
def test_a_setting_is_held_against_the_contract_before_the_build(changes, told, monkeypatch):
    require_settings(families().values())
    wrong = replace(setting_of("tripcraft"), **changes)
    monkeypatch.setattr(setting, "setting_of", lambda _: wrong)
    with pytest.raises(FamilyError, match=rf"^assets/tripcraft/runs.py does not declare `RUNS` (?s:.*){told}"):
        require_settings([FAMILY])


def test_a_build_looks_for_what_a_setting_names_before_it_writes_anything(tmp_path, monkeypatch):
    recipe = tmp_path / "small.toml"
    recipe.write_text(recipe_text(cities=1))
    wrong = replace(setting_of("itinbench"), outcome="assets.itinbench.runs:nothing")
    monkeypatch.setattr(setting, "setting_of", lambda _: wrong)
    with pytest.raises(FamilyError, match=r"`outcome` is `assets.itinbench.runs:nothing`; .* defines no `nothing`"):
        build(Home(str(tmp_path / "home")), recipe)
    assert [*tmp_path.iterdir()] == [recipe]


def test_what_is_named_beside_a_setting_s_fields_is_what_is_counted():
    functions = {name for name, kind in RunSetting.__annotations__.items() if "Named" in kind}
    assert functions == set(setting.TAKES)


def test_tasks_without_a_solution_that_nothing_draws_are_refused_by_what_would(monkeypatch):
    monkeypatch.setattr("pipelines.releases.without_solution.setting_of", lambda _: RunSetting())
    assert without_solution(FAMILY, ReleaseTables({}), SimpleNamespace(tasks_without_solution=0), 1) == {}
    with pytest.raises(ReleaseError, match="asks for 2, and nothing draws them; expected `unsolvable` of a RunSetting"):
        without_solution(FAMILY, ReleaseTables({}), SimpleNamespace(tasks_without_solution=2), 1)


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
