"""Fields of the record exchanged: which checks they show to judge, and that who reads words has no memory."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from assets.families import families
from assets.family import TaskView, Violation
from assets.promises import field_exchange
from assets.promises.certified import Job, JobVerdict
from assets.promises.field_exchange import judge_fields

HERE = "tests.promises.test_judged_fields:"


def check(record: dict[str, int], plan: Any, world: Any) -> list[Violation]:
    """Refuse by the budget alone, and fail where none are to come."""
    if record["people"] < 1:
        raise ValueError("nobody comes")
    return [Violation("budget", "too dear")] if plan["cost"] > record["budget"] else []


def read(words: Any, record: dict[str, int], world: Any) -> list[str]:
    """Read the words as the record."""
    return [] if words.query == str(record) else [words.query]


FIRST: dict[str, Any] = {}


def reads_as_the_first(words: Any, record: dict[str, int], world: Any) -> list[str]:
    """Read words as the record that they were first asked of."""
    return [] if FIRST.setdefault(words.query, record) == record else ["another"]


RECORD = {"budget": 9, "people": 2}
TASK = TaskView("t", "c", 0, "", str(RECORD), [], RECORD, {}, [], [], {"cost": 5}, {})


@pytest.fixture
def judged(monkeypatch):
    """Return a function that judges the fields of one task by `check` and a function that reads."""

    def judge(reads: str) -> JobVerdict:
        family = replace(
            families()["tripcraft"], check=f"{HERE}check", read=f"{HERE}{reads}", verify=None, asked=None,
            checks=("budget", "people"), wishes={"budget": (1,), "people": (0,)}, unjudged=(), unread=(),
        )  # fmt: skip
        release = SimpleNamespace(manifest=SimpleNamespace(family="tripcraft"))
        opened = SimpleNamespace(release=release, views={"t": TASK}, world=lambda *_: None)
        monkeypatch.setattr(field_exchange, "opened_once", lambda _: opened)
        monkeypatch.setattr(field_exchange, "families", lambda: {"tripcraft": family})
        monkeypatch.setattr(field_exchange, "solvers", lambda _: [])
        return judge_fields(Job(Path(), (), frozenset({"t"})))

    return judge


def test_a_check_that_refuses_a_wish_of_the_family_is_shown_to_judge(judged):
    told = judged("read")
    assert (told.fields, told.refused_by) == ({"budget": [1, 1], "people": [1, 0]}, {"budget"})
    assert told.problems == [] and told.said_in_words == {"budget", "people"}


def test_who_reads_words_as_the_record_that_came_first_is_named(judged):
    assert (
        "t: tests.promises.test_judged_fields:reads_as_the_first finds its words otherwise"
        in judged("reads_as_the_first").problems[0]
    )
