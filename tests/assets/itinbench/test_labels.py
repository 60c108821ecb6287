"""Labels read and written, against the published files: what is written is what was read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from assets.itinbench.words import labels


def test_every_published_record_survives_reading_and_writing(published: Path):
    for line in (published / "evals.jsonl").read_text().splitlines():
        info = json.loads(line)["eval_info"]
        assert json.dumps(labels.eval_info(labels.read_eval_info(info))) == json.dumps(info)


def test_a_record_in_published_words():
    record = labels.Record(
        days=2, price="cheap", orientation="food", cuisine="US", restaurant=["value", "flavor"], hotel=["safety"]
    )
    assert labels.eval_info(record) == {
        "day": ["2 day"],
        "price": ["cheap budget"],
        "attraction": ["food oriented"],
        "cuisine": ["US"],
        "restaurant": ["good value", "good flavor"],
        "hotel": ["good safety"],
        "preference_count": [7],
    }


@pytest.mark.parametrize(
    ("rating", "phrase"),
    [
        (1, "bad value"),
        (2, "below average value"),
        (3, "average value"),
        (4, "good value"),
        (5, "excellent value"),
        (None, "Not Applicable"),
    ],
)
def test_ratings_in_published_words(rating: int | None, phrase: str):
    assert labels.rating_phrase("value", rating) == phrase
    assert labels.read_rating("value", phrase) == rating


@pytest.mark.parametrize(("level", "word"), [(0, "no"), (1, "low"), (2, "medium"), (3, "high")])
def test_orientations_in_published_words(level: int, word: str):
    assert labels.orientation_phrase("history", level) == f"{word} history oriented"
    assert labels.read_orientation("history", f"{word} history oriented") == level


def test_absent_values_have_the_published_fillers():
    assert (labels.price_signs(None), labels.read_price("Unknown price"), labels.read_price("$$$")) == (
        "Unknown price",
        None,
        3,
    )
    assert (labels.meals_label([]), labels.read_meals(""), labels.read_meals("Unknown")) == ("Unknown", [], [])
    assert labels.read_meals("latenight, lunch") == ["latenight", "lunch"]
    assert (labels.cuisine_label(""), labels.read_cuisine("Not Applicable")) == ("Not Applicable", "")


def test_a_phrase_of_another_attribute_is_refused():
    with pytest.raises(ValueError, match="'good flavor' is not a rating of value; expected one of"):
        labels.read_rating("value", "good flavor")


def test_all_problems_of_a_bad_record_are_named_at_once():
    bad = {
        "day": ["2 days"],
        "price": ["cheap budget"],
        "attraction": [],
        "cuisine": ["US"],
        "restaurant": ["good value"],
    }
    with pytest.raises(ValueError) as error:
        labels.read_eval_info(bad)
    assert all(f"`{key}`" in str(error.value) for key in ("day", "attraction", "hotel"))
    assert "`price`" not in str(error.value)


def test_a_wrong_preference_count_is_named():
    info = labels.eval_info(
        labels.Record(days=3, price="cheap", orientation="food", cuisine="US", restaurant=["value"], hotel=["safety"])
    )
    with pytest.raises(ValueError, match=r"`preference_count` is \[7\], expected \[6\]"):
        labels.read_eval_info(info | {"preference_count": [7]})
