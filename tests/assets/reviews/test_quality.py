"""The measure against a truth, on tables small enough to work out by hand; and the checks of the stage."""

from __future__ import annotations

import math

import pandas as pd
import pyarrow as pa
import pytest

from assets.named import load
from assets.reviews.checks import (
    every_mention_has_a_passage,
    most_attributes_of_a_rated_place_are_rated,
    ratings_tell_places_apart,
)
from assets.reviews.quality import against_second_reader, evidence_precision, measure, quality_rows
from assets.reviews.steps import STEPS
from schemas.reviews import ATTRIBUTES, POLARITIES, PlaceRating, RatingQuality, ReadingQuality, Review


def table(attribute: str, values: dict[str, int]) -> pd.DataFrame:
    rows = [{"place_id": p, "attribute": attribute, "rating": v, "engine": "rules"} for p, v in values.items()]
    return pd.DataFrame(rows)


def places(kind: str, stars: dict[str, float | None]) -> pd.DataFrame:
    return pd.DataFrame([{"place_id": p, "kind": kind, "stars": s} for p, s in stars.items()])


def test_errors_beside_the_two_baselines():
    truth = table("flavor", {"a": 1, "b": 3, "c": 5, "d": 5})
    ratings = table("flavor", {"a": 1, "b": 4, "c": 5})
    (row,) = measure(ratings, truth, places("restaurant", {"a": 2.5, "b": 3.4, "c": 4.0, "d": 1.0})).to_dict("records")
    assert (row["kind"], row["attribute"], row["n"]) == ("restaurant", "flavor", 3)
    assert row["mae"] == pytest.approx(1 / 3)
    assert row["mae_mean"] == pytest.approx(4 / 3)  # the mean of 1, 3, 5 is 3
    assert row["mae_stars"] == pytest.approx((2 + 0 + 1) / 3)  # 2.5 rounds up to 3
    assert row["improvement"] == pytest.approx(1 - 1 / 3)
    assert row["spearman"] == pytest.approx(1.0)


def test_stars_are_mapped_linearly_to_degrees():
    truth = table("history", {"a": 0, "b": 1, "c": 2, "d": 3, "e": 3})
    stars = places("attraction", {"a": 1.0, "b": 2.0, "c": 3.0, "d": 5.0, "e": 4.4})
    (row,) = measure(truth, truth, stars).to_dict("records")
    assert row["mae_stars"] == pytest.approx((0 + 0 + 0 + 0 + 0) / 5)
    assert row["mae"] == 0 and math.isnan(row["improvement"])


def test_a_place_without_stars_is_guessed_at_the_mean():
    truth = table("flavor", {"a": 1, "b": 5})
    (row,) = measure(truth, truth, places("restaurant", {"a": None, "b": None})).to_dict("records")
    assert row["mae_stars"] == row["mae_mean"] == 2.0


def ratings_of(attribute: str, values: list[int]) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "place_id": [f"p{i}" for i in range(len(values))],
            "attribute": attribute,
            "rating": values,
            "mentions": 1,
            "engine": "rules",
            "evidence": [[{"review_id": "r", "start": 0, "end": 4}]] * len(values),
        }
    )


def test_equal_ratings_do_not_tell_places_apart():
    assert ratings_tell_places_apart(ratings_of("flavor", [4] * 40 + [5] * 20)).holds
    assert not ratings_tell_places_apart(ratings_of("flavor", [4] * 58 + [5] * 2)).holds
    assert not ratings_tell_places_apart(ratings_of("nature", [0] * 60)).holds
    assert ratings_tell_places_apart(ratings_of("nature", [0] * 10)).holds


@pytest.mark.parametrize(
    ("mentions", "evidence", "holds"),
    [
        (1, [{"review_id": "r", "start": 0, "end": 4}], True),
        (0, [], True),
        (1, [], False),
        (1, [{"review_id": "r", "start": 4, "end": 4}], False),
        (0, [{"review_id": "r", "start": 0, "end": 4}], False),
    ],
)
def test_a_mention_needs_a_passage(mentions, evidence, holds):
    ratings = ratings_of("flavor", [4]).assign(mentions=mentions, evidence=[evidence])
    assert every_mention_has_a_passage(ratings).holds is holds


def test_only_the_learned_engine_may_cite_nothing_of_what_it_read():
    ratings = ratings_of("flavor", [4]).assign(evidence=pd.Series([[]], dtype=object))
    assert every_mention_has_a_passage(ratings.assign(engine="learned")).holds
    assert not every_mention_has_a_passage(ratings).holds
    assert not every_mention_has_a_passage(ratings_of("flavor", [4]).assign(engine="learned", mentions=0)).holds


def test_a_city_of_places_with_one_rating_each_is_not_rated():
    assert not most_attributes_of_a_rated_place_are_rated(ratings_of("flavor", [4, 5, 1])).holds
    whole = pd.concat([ratings_of(attribute, [4, 5, 1]) for attribute in ATTRIBUTES["restaurant"]])
    assert most_attributes_of_a_rated_place_are_rated(whole).holds


def test_every_check_holds_of_no_ratings():
    (step,) = [step for step in STEPS if step.output is PlaceRating]
    none = PlaceRating.frame(PlaceRating.arrow_schema().empty_table())
    assert step.checks and all(load(check)(none).holds for check in step.checks)


@pytest.mark.parametrize("at_once", [1, 3, 10_000])
def test_a_cited_passage_counts_if_a_sentence_of_its_attribute_stands_there(monkeypatch, at_once):
    monkeypatch.setattr("assets.reviews.quality.RATINGS_AT_ONCE", at_once)
    text = "The carbonara was on the bland side. Our waiter was friendly."
    rows = [
        {"place_id": "a", "attribute": "flavor", "evidence": [{"review_id": "r", "start": s, "end": e}]}
        for s, e in ((0, 35), (0, 4), (37, 61))
    ]
    rows.append({"place_id": "a", "attribute": "flavor", "evidence": [{"review_id": "unknown", "start": 0, "end": 4}]})
    found = evidence_precision(
        pa.Table.from_pylist(rows), places("restaurant", {"a": 3.0}), pa.table({"review_id": ["r"], "text": [text]})
    )
    assert found == {("restaurant", "flavor"): pytest.approx(2 / 3)}


def judged(*scores: float, engine: str = "rules") -> pd.DataFrame:
    return pd.DataFrame(
        [
            {"place_id": f"p{n}", "attribute": "flavor", "rating": round(score), "score": score, "engine": engine}
            | {"evidence": []}
            for n, score in enumerate(scores)
        ]
    )


NO_REVIEWS = Review.arrow_schema().empty_table()
NO_READING = pd.DataFrame(columns=[column.name for column in ReadingQuality.columns()])


def starred(*stars: float | None) -> pd.DataFrame:
    places = [
        {"place_id": f"p{n}", "kind": "restaurant", "stars": s, "city_id": "c", "source_rows": ["b"]}
        for n, s in enumerate(stars)
    ]
    return pd.DataFrame(places)


def test_a_real_city_is_held_against_its_stars_where_they_are_known():
    rows = quality_rows(
        pa.Table.from_pandas(judged(4.0, 2.0, 3.0)), starred(5.0, 2.0, None), NO_REVIEWS, NO_READING, []
    )
    RatingQuality.validate(RatingQuality.arrow(rows))
    (row,) = rows.to_dict("records")
    assert (row["against"], row["n"], row["engine"]) == ("stars", 2, "rules")
    assert row["mae"] == pytest.approx(0.5) and row["spearman"] == pytest.approx(1.0)


def test_published_ratings_were_read_by_nobody_and_are_not_measured():
    rows = quality_rows(pa.Table.from_pandas(judged(4.0, engine="published")), starred(5.0), NO_REVIEWS, NO_READING, [])
    assert len(rows) == 0


def test_another_reader_is_held_against_the_rules():
    second = judged(4.5, 2.5)
    (row,) = against_second_reader(judged(4.0, 2.0, engine="learned"), second, starred(5.0, 2.0))
    assert (row["against"], row["n"], row["mae"]) == ("second reader", 2, 0.5)


def test_labels_are_shown_of_the_reader_of_restaurants():
    counts = {"sentences": 10, "found": 8, "judged": 6, "right": 5, "mistaken": 2}
    reading = pd.DataFrame(
        [{"reader": r, "subject": "food", "polarity": p} | counts for r in ("rules", "learned") for p in POLARITIES]
    )
    rows = quality_rows(pa.Table.from_pandas(judged(4.0, engine="learned")), starred(None), NO_REVIEWS, reading, [])
    RatingQuality.validate(RatingQuality.arrow(rows))
    (row,) = rows[rows["against"] == "labels"].to_dict("records")
    assert (row["attribute"], row["engine"], row["n"]) == ("flavor, freshness", "learned", 30)
    assert row["precision"] == pytest.approx(24 / 30) and row["recall_complaint"] == pytest.approx(0.8)
    assert row["judged_right"] == pytest.approx(10 / 12)
