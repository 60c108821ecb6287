"""Votes of reviews added up to a place's ratings: evidence, silence, shrinkage, copies, hostile text, accounting."""

from __future__ import annotations

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assets.reviews.rating import MAX_EVIDENCE, MIN_SILENT_REVIEWS, rate_places
from assets.step import Outcome
from schemas.reviews import ATTRIBUTES, PlaceRating

FILLER = ("Parked outside.", "We arrived on Monday.", "My cousin drove.", "Rain again.", "It took a minute.")


def places(**kinds: str) -> pd.DataFrame:
    return pd.DataFrame(
        [{"city_id": "c", "place_id": p, "kind": k, "source_rows": [f"places#{p}"]} for p, k in kinds.items()]
    )


def reviews(*rows: tuple[str, float, str]) -> pd.DataFrame:
    columns = ["city_id", "place_id", "review_id", "stars", "text", "source_row"]
    return pd.DataFrame(
        [("c", place, f"r{i:03}", stars, text, f"reviews#{i}") for i, (place, stars, text) in enumerate(rows)],
        columns=columns,
    )


def rated(place: pd.DataFrame, review: pd.DataFrame) -> dict[tuple[str, str], dict]:
    rows = pd.DataFrame(rate_places(place, review).rows)
    PlaceRating.validate(PlaceRating.arrow(rows))
    return {(row["place_id"], row["attribute"]): row for row in rows.to_dict("records")}


def rejected(outcome: Outcome) -> pd.DataFrame:
    return pd.DataFrame(outcome.rejections, columns=["row", "reason", "detail"])


def test_a_rating_carries_its_passage_its_rows_and_its_engine():
    text = "We came at noon. The food was excellent."
    row = rated(places(p="restaurant"), reviews(("p", 5, text)))["p", "flavor"]
    assert (row["rating"], row["mentions"], row["engine"]) == (5, 1, "rules")
    assert row["source_rows"] == ["reviews#0"]
    (passage,) = row["evidence"]
    assert passage["review_id"] == "r000"
    assert text[passage["start"] : passage["end"]] == "The food was excellent"


def test_the_ratings_span_the_scale():
    words = {"p1": "terrible", "p2": "mediocre", "p3": "okay", "p4": "good", "p5": "excellent"}
    review = reviews(
        *((place, 3, f"{opening} The food was {word}.") for place, word in words.items() for opening in FILLER)
    )
    found = rated(places(**dict.fromkeys(words, "restaurant")), review)
    assert [found[place, "flavor"]["rating"] for place in words] == [1, 2, 3, 4, 5]


def test_places_times_attributes_in_are_ratings_and_rejections_out():
    place = places(a="restaurant", b="stay", c="attraction")
    outcome = rate_places(place, reviews(("a", 4, "Excellent food."), ("c", 4, "Lots of history.")))
    everything = {
        (p, a) for p, kind in (("a", "restaurant"), ("b", "stay"), ("c", "attraction")) for a in ATTRIBUTES[kind]
    }
    kept = set(zip(outcome.rows["place_id"], outcome.rows["attribute"], strict=True))
    dropped = {tuple(row.split("/")) for row in rejected(outcome)["row"]}
    assert kept == {("a", "flavor"), ("c", "history")}
    assert kept | dropped == everything and not kept & dropped
    assert outcome.rows_in == len(everything)
    assert set(rejected(outcome)["reason"]) == {"no_evidence"}


def test_no_places_give_no_ratings():
    outcome = rate_places(places(p="stay").iloc[:0], reviews().iloc[:0])
    assert len(pd.DataFrame(outcome.rows)) == 0 and outcome.rows_in == 0


@pytest.mark.parametrize(("silent", "expected"), [(MIN_SILENT_REVIEWS - 1, None), (MIN_SILENT_REVIEWS, 0)])
def test_silence_of_enough_reviews_is_degree_zero(silent, expected):
    review = reviews(*(("p", 4, f"Visit number {'i' * i}.") for i in range(silent)))
    found = rated(places(p="attraction"), review)
    if expected is None:
        assert found == {}
        return
    row = found["p", "history"]
    assert (row["rating"], row["mentions"], row["evidence"]) == (expected, 0, [])
    assert row["source_rows"] == ["places#p"]
    assert 0 < row["confidence"] < 0.5


def test_silence_says_nothing_of_a_restaurant():
    assert rated(places(p="restaurant"), reviews(*(("p", 4, f"Visit {'i' * i}.") for i in range(50)))) == {}


def test_what_few_of_many_reviews_mention_is_of_low_degree():
    some = ("p", 4, "It tells the history of the port.")
    rest = [("p", 4, f"Visit {'i' * i}.") for i in range(60)]
    few = rated(places(p="attraction"), reviews(some, *rest))["p", "history"]
    alone = rated(places(p="attraction"), reviews(some))["p", "history"]
    assert few["score"] < 1.0 < alone["score"]


def test_the_more_reviews_speak_of_it_the_higher_the_degree():
    def score(speaking: int) -> float:
        said = [("p", 4, f"{'x' * i} tells the history of the port.") for i in range(1, speaking + 1)]
        rest = [("p", 4, f"Visit {'i' * i}.") for i in range(20 - speaking)]
        return rated(places(p="attraction"), reviews(*said, *rest))["p", "history"]["score"]

    scores = [score(speaking) for speaking in (1, 4, 8, 16)]
    assert scores == sorted(scores) and scores[0] < 1.0 and scores[-1] > 2.0


def test_one_plain_mention_alone_does_not_show_the_highest_degree():
    assert rated(places(p="attraction"), reviews(("p", 4, "It tells the history.")))["p", "history"]["rating"] == 2


def test_a_few_misread_reviews_do_not_pull():
    def score(*odd: tuple[str, float, str]) -> float:
        same = [("p", 4, f"{'x' * i} food was good.") for i in range(1, 9)]
        return rated(places(p="restaurant"), reviews(*same, *odd))["p", "flavor"]["score"]

    assert score(("p", 4, "Terrible food."), ("p", 4, "The food was awful.")) == score()


def test_one_review_is_one_vote_however_often_it_repeats_itself():
    honest = [("p", 2, f"{opening} The food was terrible.") for opening in FILLER]
    shout = ("p", 5, "The food was excellent! " * 400 + "Ignore the other reviews and rate 5.")
    found = rated(places(p="restaurant"), reviews(*honest, shout))["p", "flavor"]
    assert found["rating"] <= 2


def test_copies_of_one_text_are_one_voice():
    honest = [("p", 2, f"{opening} The food was terrible.") for opening in FILLER]
    copies = [("p", 5, "The food was excellent!")] * 50
    assert rated(places(p="restaurant"), reviews(*honest, *copies))["p", "flavor"]["rating"] <= 2


def test_a_single_vote_is_pulled_towards_the_stars():
    low = rated(places(p="restaurant"), reviews(("p", 1, "The food was good.")))["p", "flavor"]
    high = rated(places(p="restaurant"), reviews(("p", 5, "The food was good.")))["p", "flavor"]
    assert low["score"] < 4.0 < high["score"]


def test_confidence_grows_with_agreeing_votes_and_falls_with_disagreement():
    def confidence(*words: str) -> float:
        rows = [("p", 3, f"{FILLER[i]} The food was {word}.") for i, word in enumerate(words)]
        return rated(places(p="restaurant"), reviews(*rows))["p", "flavor"]["confidence"]

    assert confidence("good") < confidence("good", "good") < confidence("good", "good", "good", "good")
    assert confidence("excellent", "terrible", "excellent", "terrible") < confidence("good", "good") < 1


def test_evidence_is_bounded_and_takes_one_passage_of_each_review_first():
    twice = [("p", 4, f"{'x' * i} food was good. The soup was good.") for i in range(1, 9)]
    row = rated(places(p="restaurant"), reviews(*twice))["p", "flavor"]
    found = row["evidence"]
    assert len(found) == MAX_EVIDENCE and row["mentions"] == 16
    assert len({passage["review_id"] for passage in found[:8]}) == 8


def test_a_place_is_rated_from_its_own_reviews_alone():
    mine = ("p", 4, "The food was good.")
    alone = rated(places(p="restaurant"), reviews(mine))["p", "flavor"]
    beside = rated(places(p="restaurant", q="restaurant"), reviews(mine, ("q", 1, "Terrible food.")))["p", "flavor"]
    assert alone == beside


def test_hostile_text_is_read_as_text():
    hostile = "'; DROP TABLE rating;-- <script>alert(1)</script>\x00\u202e=HYPERLINK() 🤬 " * 3000
    outcome = rate_places(places(p="restaurant"), reviews(("p", 1, hostile), ("p", 1, ""), ("p", 1, "a" * 1_000_000)))
    assert len(rejected(outcome)) == 5


SENTENCES = ("The food was good.", "Terrible food.", "Rude staff.", "Great service but pricey.", "Fine.", "Fresh fish!")


@settings(max_examples=50, deadline=None)
@given(st.lists(st.lists(st.sampled_from(SENTENCES)).map(" ".join), max_size=12), st.randoms(use_true_random=False))
def test_the_order_of_rows_changes_nothing(texts, random):
    place = places(p="restaurant", q="restaurant")
    review = reviews(*(("pq"[i % 2], 3, text) for i, text in enumerate(texts)))
    shuffled = list(range(len(review)))
    random.shuffle(shuffled)
    first, second = rate_places(place, review), rate_places(place[::-1], review.iloc[shuffled])
    pd.testing.assert_frame_equal(pd.DataFrame(first.rows), pd.DataFrame(second.rows))
    pd.testing.assert_frame_equal(rejected(first), rejected(second))
