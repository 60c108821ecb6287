"""What a family's functions give is held against the contract, and their faults are told by their names."""

from __future__ import annotations

import pickle
import re
from typing import Any

import pytest

from assets.answers import family_failure, giving, require_alike
from assets.core.own_processes import answer_of
from assets.declared import FamilyError
from assets.families import families
from assets.family import Refused, Series, Worded
from assets.named import load

FAMILY = families()["tripcraft"]
HERE = "assets.tripcraft"


def raised(name: str, *given: object) -> Exception:
    with pytest.raises(Exception) as error:
        load(name)(*given)
    return error.value


def test_a_fault_is_told_by_the_family_s_function_and_line():
    text = family_failure(raised(FAMILY.slots, None))
    assert text is not None
    assert re.match(rf"{FAMILY.slots} failed: AttributeError: .* \(assets/tripcraft/\w+\.py, line \d+\)$", text)


def test_a_fault_in_another_process_is_told_as_well():
    _, error = pickle.loads(pickle.dumps(answer_of(load(FAMILY.slots), (None,))))
    assert str(family_failure(error.with_traceback(None))).startswith(f"{FAMILY.slots} failed: AttributeError")


def test_a_fault_of_the_core_s_is_nobody_s():
    assert family_failure(raised("json:loads", "{")) is None


def worded(message: Any) -> Worded:
    return Worded("Plan", [message])


ANSWERS = [
    ("slots", [Series("a/b", 1)], "gave a series the name 'a/b'; expected names of letters"),
    (
        "slots",
        [Series("a", 1), Series("a", 1)],
        "gave a series the name 'a'; expected names of letters, digits, `_` and `-`, e",
    ),
    ("export", {"a.jsonl": "text"}, "gave 'a.jsonl' as text; expected bytes"),
    ("measures", {"cities": {"omaha"}}, "gave figures that JSON cannot hold"),
    ("check", None, "gave None (NoneType); expected a list of Violation"),
    ("solve", ({}, {}), "gave ({}, {}) (tuple); expected Solved or Refused"),
    ("word", "Plan me a day.", "gave 'Plan me a day.' (str); expected Worded or Refused"),
    (
        "word",
        worded({"role": "she", "text": "Hi"}),
        "gave the message {'role': 'she', 'text': 'Hi'}; expected {role, co",
    ),
    (
        "word",
        worded({"role": "she", "content": None}),
        "gave the message {'role': 'she', 'content': None}; expe",
    ),
    ("word", worded("Hi"), "gave the message 'Hi'; expected {role, content}"),
    ("score", {"plans": []}, "gave plans; expected `aggregate`"),
    ("score", {"aggregate": {"accepted": 1.0}}, "gave aggregate; expected `plans` beside the figures"),
    ("score", {"aggregate": {"accepted": {1, 2}}, "plans": []}, "gave figures that JSON cannot hold"),
]


@pytest.mark.parametrize(("field", "answer", "why"), ANSWERS)
def test_an_answer_of_another_type_is_told_by_the_function_that_gave_it(field, answer, why, monkeypatch):
    name = f"{HERE}.somewhere:{field}"
    monkeypatch.setattr("assets.answers.load", lambda _: lambda: answer)
    with pytest.raises(FamilyError) as error:
        giving(field, name)()
    assert f"{name} {why}" in str(error.value)


def test_a_name_of_a_series_may_be_any_that_a_task_s_id_holds(monkeypatch):
    monkeypatch.setattr("assets.answers.load", lambda _: lambda: [Series("", 1), Series("3d-easy", 1)])
    assert len(giving("slots", f"{HERE}.draft:slots")()) == 2


def test_the_first_answer_is_asked_for_twice(monkeypatch):
    answers = iter([Refused("a"), Refused("a"), Refused("b")])
    monkeypatch.setattr("assets.answers.load", lambda _: lambda _: next(answers))
    solve = giving("solve", f"{HERE}.solver:solve")
    assert (solve("t.1"), solve("t.2")) == (Refused("a"), Refused("b"))
    unlike = iter([Refused("a"), Refused("b")])
    monkeypatch.setattr("assets.answers.load", lambda _: lambda _: next(unlike))
    with pytest.raises(FamilyError, match=r"solver:solve gave two answers for t\.1"):
        giving("solve", f"{HERE}.solver:solve")("t.1")


def test_two_answers_for_one_task_are_told():
    require_alike("a.b:solve", "a.1", {"plan": [1]}, {"plan": [1]})
    with pytest.raises(FamilyError, match=r"a.b:solve gave two answers for a.1 .*stable_rng"):
        require_alike("a.b:solve", "a.1", {"plan": [1]}, {"plan": [2]})
