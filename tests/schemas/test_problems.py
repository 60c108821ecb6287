"""What pydantic finds wrong with a recipe is told in words that people who write TOML know."""

from __future__ import annotations

import re

import pytest
from pydantic import ValidationError

from schemas.engines import Engines
from schemas.problems import PATTERNS, problem_told
from schemas.recipe import Recipe

CITY = {"city_id": "xx-a", "name": "A", "country": "XX", "box": {"south": 0, "west": 0, "north": 1, "east": 1}}


def told(**changes):
    with pytest.raises(ValidationError) as error:
        Recipe.model_validate({"name": "r", "cities": [CITY]} | changes)
    return [problem_told(problem, ".".join(map(str, problem["loc"]))) for problem in error.value.errors()]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        (
            {"name": "My trip"},
            "expected lower-case letters and digits, joined by hyphens, such as monaco-2, found",
        ),
        ({"cities": [CITY | {"country": "Portugal"}]}, "expected two capital letters, such as PT, found 'Portugal'"),
        ({"cities": [CITY | {"currency": "€"}]}, "expected three capital letters, such as EUR, found '€'"),
        ({"cities": [CITY | {"box": [0, 0, 1, 1]}]}, "box: expected a table, such as { key = value }, found '[0, 0"),
        ({"spatial": {"trip_dates": ["01/11/2024"]}}, "expected a date, such as 2024-11-01, found '01/11/2024'"),
        ({"spatial": {"trip_dates": ["soon"]}}, "expected a date, such as 2024-11-01, found 'soon'"),
        ({"seed": "one"}, "seed: expected a whole number, found 'one'"),
        ({"seed": 1.5}, "seed: expected a whole number, found '1.5'"),
        ({"spatial": {"least_near_stop": "half"}}, "least_near_stop: expected a number, found 'half'"),
        ({"cities": "A"}, "cities: expected a list, found 'A'"),
        ({"title": 3}, "title: expected a string, found '3'"),
    ],
)
def test_a_problem_is_told_in_words(changes, words):
    assert any(words in problem for problem in told(**changes)), told(**changes)


def test_what_a_recipe_s_texts_match_has_words():
    schemas = str([model.model_json_schema() for model in (Recipe, Engines)])
    patterns = {text.encode().decode("unicode_escape") for text in re.findall(r"'pattern': '([^']+)'", schemas)}
    assert patterns <= set(PATTERNS), patterns - set(PATTERNS)
