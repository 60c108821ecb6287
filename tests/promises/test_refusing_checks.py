"""A check is shown to judge by what refuses a witness for another wish, as fields of the record are."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from assets.families import families
from assets.family import TaskView, Violation
from assets.promises import exchanged
from assets.promises.certified import Job
from assets.promises.exchanged import judge_fields

HERE = "tests.promises.test_refusing_checks:"


def check(record: dict[str, int], plan: Any, world: Any) -> list[Violation]:
    """Refuse by the budget alone, and fail where none are to come."""
    if record["people"] < 1:
        raise ValueError("nobody comes")
    return [Violation("budget", "too dear")] if plan["cost"] > record["budget"] else []


def read(words: Any, record: dict[str, int], world: Any) -> list[str]:
    """Read the words as the record."""
    return [] if words.query == str(record) else [words.query]


def test_a_check_that_refuses_a_wish_of_the_family_is_shown_to_judge(monkeypatch):
    record = {"budget": 9, "people": 2}
    task = TaskView("t", "c", 0, "", str(record), [], record, {}, [], [], {"cost": 5}, {})
    family = replace(
        families()["tripcraft"], check=f"{HERE}check", read=f"{HERE}read", verify=None, asked=None,
        checks=("budget", "people"), wishes={"budget": (1,), "people": (0,)}, unjudged=(), unread=(),
    )  # fmt: skip
    release = SimpleNamespace(manifest=SimpleNamespace(family="tripcraft"))
    opened = SimpleNamespace(release=release, views={"t": task}, world=lambda *_: None)
    monkeypatch.setattr(exchanged, "opened_once", lambda _: opened)
    monkeypatch.setattr(exchanged, "families", lambda: {"tripcraft": family})
    monkeypatch.setattr(exchanged, "solvers", lambda _: [])
    judged = judge_fields(Job(Path(), (), frozenset({"t"})))
    assert (judged.fields, judged.refused_by) == ({"budget": [1, 1], "people": [1, 0]}, {"budget"})
    assert judged.problems == []
