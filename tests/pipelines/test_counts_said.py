"""One of a thing is said in the singular: counts in what commands print go through `counted`."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from assets.grouptravel.page import _scores
from pipelines.walk.call_costs import Spent
from pipelines.walk.fingerprint import ROOT

LENGTH = re.compile(r"(?:len|sum)\(")
PLURAL = re.compile(
    r" (?:[a-z-]+ )?(?:answer|byte|call|cell|citie|date|day|difference|field|file|item|line|object|place|plan|problem|"
    r"rating|record|release|row|run|source|stay|step|stop|task|time|value|visit)s\b"
)
MORE_THAN_ONE = {
    "len(tree['values'])", "len(FIELDS)", "sum(PLACES_PER_CITY.values())", "len(towns)", "len(names)", "len(city_ids)",
    "len(values) + len(poi_names)", "len(costs)", "len(reference.cities)", "len(cities)", "len(parts)", "len(days)",
}  # fmt: skip
"""What is never one where it is said: a task has more values, and who lists several names says how many."""


def plurals(path: Path) -> list[str]:
    """Return the texts in which a bare number stands before the plural of something."""
    texts = []
    for text in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(text, ast.JoinedStr):
            for value, after in zip(text.values, text.values[1:], strict=False):
                if isinstance(value, ast.FormattedValue) and isinstance(after, ast.Constant):
                    code = ast.unparse(value.value)
                    if PLURAL.match(str(after.value)) and LENGTH.match(code) and code not in MORE_THAN_ONE:
                        texts.append(f"{path.name}:{value.lineno}: {code}{after.value}")
    return texts


@pytest.mark.parametrize("room", ["schemas", "sources", "warehouse", "assets", "pipelines"])
def test_no_message_puts_a_bare_number_before_a_plural(room):
    assert [text for path in sorted((ROOT / room).rglob("*.py")) for text in plurals(path)] == []


def test_one_call_and_one_answer_are_one():
    assert Spent(calls=1, cached=1).in_words().startswith("model: 1 call (")
    assert Spent(calls=1, cached=1).in_words().endswith("1 answer from the ledger")


def test_a_group_of_one_point_has_one_point():
    utility = {"per_table": 1.0, "per_participant": 0.5, "statement": "proved", "users": {"u1": 1, "u2": 2}}
    values = {"utility": utility, "per_table": {"together_utility": 1.0}, "fairness": 50, "cost": 3}
    preferences = {"user_preferences": {user: {"role": "friend"} for user in ("u1", "u2")}}
    points = [text for _, text in _scores(values, preferences, "EUR") if "point" in text]
    assert points == ["1 point", "0.5 points", "1 point", "1 point", "2 points"]
