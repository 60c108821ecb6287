"""What judges is what its files say, or it is told."""

from __future__ import annotations

import importlib

import pytest

from assets.families import families
from assets.promises import certified, mutants
from assets.promises.as_written import not_as_written
from assets.promises.executed_code import watched
from assets.promises.judging_process import solvers
from pipelines.walk.own_process import in_own_process


def test_all_that_judges_is_as_it_is_written():
    importlib.import_module("assets.promises.gate")
    assert not_as_written() == []


def accept(*_):
    """Accept, whatever is asked."""
    return []


@pytest.mark.parametrize(
    ("holder", "name", "told"),
    [
        (certified, "judge", "assets.promises.certified.judge"),
        (certified, "copy_of", "assets.promises.certified.copy_of"),
        (certified.Checker, "refuses", "assets.promises.certified.Checker.refuses"),
        (mutants, "empty_plan", "assets.promises.mutants.empty_plan"),
    ],
)
def test_what_is_put_in_the_place_of_what_judges_is_named(monkeypatch, holder, name, told):
    monkeypatch.setattr(holder, name, accept)
    assert told in not_as_written()


def test_a_function_with_other_code_is_named(monkeypatch):
    monkeypatch.setattr(certified.sample, "__code__", accept.__code__)
    assert not_as_written() == ["assets.promises.certified.sample"]


def judged_by_another():
    """Return what a judge is told of that has changed its judge."""
    setattr(certified.Checker, "broken", accept)  # noqa: B010  (as a family's module would)
    return [problem for problem in solvers(families()["itinbench"]) if "in the place" in problem]


def test_a_judges_process_tells_of_it():
    (problem,) = in_own_process(watched, judged_by_another)
    assert "something else in the place of assets.promises.certified.Checker.broken, which judges, than its" in problem
