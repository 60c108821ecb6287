"""Learning to read from labelled sentences, and reading by what was learned."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from assets.reviews import learning
from assets.reviews.labels import labelled_subjects, reading_quality, records
from assets.reviews.learned.features import finding_features, judging_features
from assets.reviews.learned.reader import find, read_learned
from assets.reviews.learned.scan import sentences
from assets.reviews.learned.training import learn
from assets.reviews.learned.weights import ANY_FEATURE, Weights
from assets.reviews.lexicon import lexicon
from assets.reviews.reading import MAX_CHARACTERS_READ
from schemas.engines import Engines
from schemas.recipe import Recipe
from schemas.reviews import SUBJECTS, ReadingQuality, ReviewReader
from sources.labelled.sentences import read_sentences
from tests.assets.reviews.labelled import FILLERS, WAYS, WORDS, made_up, sentence

LEXICON = lexicon("restaurant")


@cache
def learned_rows() -> list[dict[str, Any]]:
    return learn(made_up())


@cache
def weights() -> Weights:
    return Weights.of(learned_rows())


def found(text: str) -> dict[str, float | None]:
    return {finding.subject: finding.value for finding in find(text, weights(), LEXICON)}


def test_what_is_learned_is_found_where_no_word_list_has_the_word():
    assert LEXICON.entries.get("zanzibo") is None
    assert set(found("The zanzibo came.")) == {"food"}
    assert set(found("A quorbel came, but the vorpend stayed.")) == {"service", "value"}
    assert found("We came on Monday.") == {}


def test_a_clause_is_judged_and_not_its_sentence():
    value = found("The zanzibo delighted us in March, but the quorbel appalled me.")
    assert value["food"] is not None and value["service"] is not None
    assert value["food"] > 3 > value["service"]


def test_what_is_only_mentioned_is_found_and_casts_no_vote():
    assert found("The zanzibo arrived with us in March.") == {"food": None}
    assert read_learned("The zanzibo arrived with us in March.", weights(), LEXICON) == []


def test_a_team_or_a_service_of_sport_or_transport_is_no_restaurants():
    assert found("The quorbel plays hockey, and the vorpend rose.") == {}
    assert set(found("The quorbel came.")) == {"service"}
    assert set(found("The quorbel watched hockey at the bar.")) == {"service"}
    assert set(found("The quorbel watched hockey with us, but the zanzibo came.")) == {"food", "service"}


@pytest.mark.parametrize(
    ("text", "subjects"),
    [
        ("Old maps show how the miltrane delighted pilgrims.", set()),
        ("Old maps show how the miltrane delighted us.", {"room"}),
        ("Old maps show how the miltrane delighted the chef.", {"room"}),
        ("Old maps show the miltrane. The zanzibo arrived.", {"food"}),
        ("The miltrane delighted pilgrims.", {"room"}),
    ],
)
def test_of_a_text_of_unknown_words_only_food_is_read_unless_a_table_or_a_visit_is_named(text, subjects):
    assert set(found(text)) == subjects


def test_what_the_rules_read_stands_where_nothing_speaks_against_it():
    (mention,) = read_learned("Excellent lasagna.", weights(), LEXICON)
    assert (mention.attribute, mention.value) == ("flavor", 5.0)


def test_the_weights_do_not_depend_on_the_order_of_the_sentences():
    assert learn(made_up()[::-1]) == learned_rows()


def test_the_weights_are_whole_numbers_and_fit_their_table():
    assert all(type(row["weight"]) is int for row in learned_rows())
    ReviewReader.validate(ReviewReader.arrow(pd.DataFrame(learned_rows())))
    assert {row["model"] for row in learned_rows()} == {*SUBJECTS, "judged", "sign"}


def test_too_few_labels_are_refused_and_told_by_subject_and_polarity():
    with pytest.raises(ValueError, match="food, negative"):
        learn([one for one in made_up() if ("food", "negative") not in one.labels])


VOCABULARY = [
    *WORDS.values(),
    *" ".join([*WAYS.values(), *FILLERS]).split(),
    *["excellent", "bland", "rude", "not", ",", ".", "but"],
]


@given(st.lists(st.sampled_from(VOCABULARY), max_size=40).map(" ".join), st.sampled_from([None, 1.0, 3.4, 5.0]))
@settings(max_examples=60)
def test_reading_adds_up_the_very_features_that_were_learned(text, rule_value):
    def slow(model: str, features: dict[str, int]) -> int:
        mine = {row["feature"]: row["weight"] for row in learned_rows() if row["model"] == model}
        return mine.get(ANY_FEATURE, 0) + sum(count * mine.get(name, 0) for name, count in features.items())

    for one in sentences(text, LEXICON)[1]:
        for at, clause in enumerate(one.clauses):
            features = finding_features(clause)
            assert weights().scores(clause) == tuple(slow(subject, features) for subject in SUBJECTS)
            judged, _ = weights().judgement(one, at, "food", rule_value)
            assert judged == slow("judged", judging_features(one, at, "food", rule_value))


@given(st.text(max_size=200))
@settings(max_examples=60)
def test_any_text_is_read_and_passages_lie_in_it(text):
    for finding in find(f"{text} The zanzibo delighted us.", weights(), LEXICON):
        assert 0 <= finding.start < finding.end <= len(text) + 27


def test_a_bounded_part_of_a_text_is_read():
    assert found("x " * (MAX_CHARACTERS_READ // 2) + "The zanzibo delighted us.") == {}


def test_labels_of_two_categories_are_one_subject():
    labels = (("staff", "negative"), ("service", "neutral"), ("price", "positive"), ("menu", "negative"))
    assert labelled_subjects(sentence("…", *labels)) == {"service": "negative", "value": "positive"}
    assert labelled_subjects(sentence("…", ("staff", "negative"), ("service", "positive"))) == {"service": "mixed"}


def test_the_quality_of_a_reader_is_counted_by_subject_and_polarity():
    readings = {"a": {"food": 5.0}, "b": {"food": 2.0}, "c": {"food": None}, "d": {"food": 4.0}, "e": {}}
    labelled = [
        sentence("a", ("food", "positive")),
        sentence("b", ("food", "positive")),
        sentence("c", ("food", "neutral")),
        sentence("d", ("staff", "negative")),
        sentence("e", ("food", "negative")),
    ]
    rows = reading_quality(labelled, {"rules": readings.__getitem__})
    ReadingQuality.validate(ReadingQuality.arrow(pd.DataFrame(rows)))
    counts = ("sentences", "found", "judged", "right", "mistaken")
    by_polarity = {row["polarity"]: tuple(row[name] for name in counts) for row in rows if row["subject"] == "food"}
    assert by_polarity == {"positive": (2, 2, 2, 1, 1), "neutral": (1, 1, 0, 1, 0), "negative": (1, 0, 0, 0, 0)}


def one_place(kind: str, *texts: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    place = pd.DataFrame([{"city_id": "c", "place_id": "p", "kind": kind, "source_rows": ["places#p"]}])
    columns = ["city_id", "place_id", "review_id", "stars", "text", "source_row"]
    rows = [("c", "p", f"r{n}", 3.0, text, f"reviews#{n}") for n, text in enumerate(texts)]
    return place, pd.DataFrame(rows, columns=columns)


NONE_PUBLISHED = pd.DataFrame(columns=["place_id", "attribute"])


def test_restaurants_are_rated_by_the_weights_and_all_else_by_rules():
    reader = pd.DataFrame(learned_rows())
    quality = pd.DataFrame(columns=[column.name for column in ReadingQuality.columns()])
    engines = {}
    for kind, text in (("restaurant", "The quorbel delighted us."), ("stay", "The staff were excellent.")):
        outcome = learning.rate_unrated_places(*one_place(kind, text), NONE_PUBLISHED, reader, quality)
        (row,) = pd.DataFrame(outcome.rows).to_dict("records")
        assert row["attribute"] == "service" and row["rating"] >= 4
        engines[kind] = row["engine"]
    assert engines == {"restaurant": "learned", "stay": "rules"}


def test_without_labelled_sentences_the_rules_read_and_nothing_is_learned(raw_file):
    assert len(learning.review_reader([], engines=Engines()).rows) == 0
    empty = learning.review_reader([], engines=Engines()).rows
    assert isinstance(empty, pd.DataFrame) and len(learning.measured([], empty)) == 0


def test_the_engine_needs_its_labelled_sentences():
    with pytest.raises(ValidationError, match=r"sources\.labelled"):
        Recipe.model_validate(
            {
                "name": "r",
                "engines": {"reviews": "learned"},
                "cities": [{"city_id": "xx-a", "name": "A", "country": "XX", "box": _BOX}],
            }
        )
    assert Engines(reviews="learned").as_released()["reviews"] == "learned"


_BOX = {"south": 0, "west": 0, "north": 1, "east": 1}


def test_real_sentences_are_found_and_judged(raw_file, shared_data: Path):
    """Half of the training sentences are enough to show that learning finds what the rules overlook."""
    folder = shared_data / "reviews"
    if not (folder / "mams_train.xml").is_file():
        pytest.skip("the labelled sentences are not on this machine")
    train = read_sentences(raw_file("labelled", "train", folder / "mams_train.xml"))[::2]
    held_out = [raw_file("labelled", "val", folder / "mams_val.xml")]
    rows = pd.DataFrame(learn(train))
    quality = records(learning.measured(held_out, rows))
    assert {row["reader"] for row in quality} == {"rules", "learned"}

    def total(reader: str, subject: str, column: str) -> int:
        return sum(row[column] for row in quality if (row["reader"], row["subject"]) == (reader, subject))

    for subject, least in (("food", 0.85), ("service", 0.85)):
        found = total("learned", subject, "found")
        assert found / total("learned", subject, "sentences") >= least
        assert found / (found + total("learned", subject, "mistaken")) >= least
        assert found > total("rules", subject, "found")
