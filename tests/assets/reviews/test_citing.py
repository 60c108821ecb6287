"""Which passages the learned reader cites: those that it is sure of, and none rather than a weak one."""

from __future__ import annotations

from functools import partial

import pandas as pd
import pytest

from assets.reviews.learned.reader import CITED_FOUND, CITED_JUDGED, CITED_SIGN, read_learned
from assets.reviews.learned.weights import ANY_FEATURE, SCALE, Weights
from assets.reviews.lexicon import lexicon
from assets.reviews.rating import rate_places, read_by_words
from schemas.reviews import PlaceRating

SURE = {"food": CITED_FOUND, "judged": CITED_JUDGED, "sign": CITED_SIGN}


def weights(**logits: float) -> Weights:
    """Return weights by which `soup` is food and `delicious` a praise, each by so many logits."""
    features = {"food": "word soup", "judged": "here delicious", "sign": "here delicious"}
    rows = [
        {"model": model, "feature": features[model], "weight": round(logit / 10 * SCALE)}
        for model, logit in logits.items()
    ]
    rows += [{"model": other, "feature": ANY_FEATURE, "weight": -10 * SCALE} for other in ("service", "room", "value")]
    return Weights.of(rows)


ABOVE = weights(**{model: logit + 0.1 for model, logit in SURE.items()})


def cited(text: str, by: Weights) -> list[bool]:
    return [mention.is_cited for mention in read_learned(text, by, lexicon("restaurant"))]


def test_a_passage_is_cited_that_names_the_subject_and_is_clearly_judged():
    assert cited("The soup was delicious.", ABOVE) == [True]


@pytest.mark.parametrize("weak", SURE)
def test_one_that_is_unsure_in_any_way_is_a_vote_and_not_cited(weak):
    by = weights(**{model: logit + (-0.1 if model == weak else 0.1) for model, logit in SURE.items()})
    assert cited("The soup was delicious.", by) == [False]


@pytest.mark.parametrize("text", ["The soup was more delicious than ours.", "Despite the delicious soup we left."])
def test_a_comparison_or_concession_is_not_cited(text):
    assert True not in cited(text, ABOVE)


def test_what_the_rules_judge_the_other_way_is_not_cited():
    assert cited("The soup was delicious.", weights(food=5, judged=5, sign=-5)) == [False]


def test_a_clause_that_only_goes_on_about_the_subject_is_not_cited():
    """`It was also great` is read as said of the soup, and does not say so by itself."""
    assert cited("The soup was delicious. It was also great.", ABOVE) == [True, False]


def test_only_the_clause_that_the_weights_are_sure_of_is_cited():
    assert cited("The soup was delicious, but the pasta was great.", ABOVE) == [True, False]


def test_a_place_without_a_sure_passage_is_rated_and_cites_none():
    place = pd.DataFrame([{"city_id": "c", "place_id": "p", "kind": "restaurant", "source_rows": ["places#p"]}])
    columns = ["city_id", "place_id", "review_id", "stars", "text", "source_row"]
    review = pd.DataFrame([("c", "p", "r", 4.0, "The soup was delicious.", "reviews#0")], columns=columns)
    passages = {}
    for name, by in (("sure", ABOVE), ("unsure", weights(food=5, judged=5, sign=CITED_SIGN - 0.1))):
        read = partial(read_by_words, read_text=lambda text, kind, by=by: read_learned(text, by, lexicon(kind)))
        rows = pd.DataFrame(rate_places(place, review, read, "learned").rows)
        PlaceRating.validate(PlaceRating.arrow(rows))
        (row,) = rows.to_dict("records")
        assert (row["mentions"], row["source_rows"], row["rating"]) == (1, ["reviews#0"], 5)
        passages[name] = row["evidence"]
    assert passages == {"sure": [{"review_id": "r", "start": 0, "end": 22}], "unsure": []}
