"""Orientations read from prose that describes, on sentences of a real page that were labelled by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from assets.reviews.lexicon import lexicon
from assets.reviews.reading import read_review
from perf.labelled_prose import (
    DRAWN,
    LABELS,
    SECOND_LABELS,
    STAY_SECTION,
    THIRD_LABELS,
    Labelled,
    Prose,
    adjudicated,
    agreement,
    drawn,
    f1,
    labelled,
    read_labels,
)

LEAST_PRECISION, LEAST_RECALL = 0.76, 0.81
"""A little under what was measured (perf/README.md), so that a change that reads worse is seen."""


@pytest.fixture
def page(shared_data: Path) -> str:
    path = shared_data / "wikivoyage" / "Boston.wikitext"
    if not path.is_file():
        pytest.skip("the page is not on this machine")
    return path.read_text(encoding="utf-8")


def test_every_label_is_of_a_drawn_sentence_where_it_stands(page):
    rows = labelled(page, read_labels())
    assert [one.sentence for one in rows] == drawn(page)
    assert sum(one.sentence.section != STAY_SECTION for one in rows) == DRAWN
    for row in rows:
        assert row.sentence.text.split()[0].strip("'[,.:;") in page[row.sentence.start : row.sentence.end]


def test_two_readers_labelled_the_same_sentences_and_mostly_agree(page):
    first, second = (labelled(page, read_labels(path)) for path in (LABELS, SECOND_LABELS))
    assert [one.sentence for one in second] == [one.sentence for one in first]
    assert {one.reader for one in first}.isdisjoint(one.reader for one in second)
    kappas = {name: kappa for name, *_, kappa in agreement(first, second)}
    assert kappas["history"] > 0.9 and kappas["nature"] > 0.9 and kappas["activity"] < 0.4  # as perf/README.md says


def restaurants(page: str, path: Path) -> list[Labelled]:
    return [one for one in labelled(page, read_labels(path)) if one.sentence.section != STAY_SECTION]


def test_a_third_reader_read_what_two_differ_on_and_as_much_again(page):
    first, second, third = (restaurants(page, path) for path in (LABELS, SECOND_LABELS, THIRD_LABELS))
    differing = {a.sentence for a, b in zip(first, second, strict=True) if a.subjects != b.subjects}
    assert differing < {one.sentence for one in third} and len(third) == 2 * len(differing)
    truth = adjudicated(first, second, third)
    subjects = ("food", "service", "room", "value")
    assert round(f1(truth, first, subjects), 3) == 0.907 and round(f1(truth, second, subjects), 3) == 0.851


@pytest.mark.parametrize(
    ("first", "second", "third", "truth"),
    [
        ({"food": "neutral"}, {}, {"food": "positive"}, {"food": "positive"}),
        ({"food": "neutral"}, {}, {}, {}),
        ({"food": "neutral"}, {"food": "positive"}, {}, {"food": "neutral"}),
        ({"food": "neutral"}, {"food": "positive"}, {"food": "positive"}, {"food": "positive"}),
        ({"room": "negative"}, {"value": "negative"}, {"food": "positive"}, {}),
        ({"room": "negative"}, {"room": "negative"}, {"food": "positive"}, {"room": "negative"}),
    ],
)
def test_what_two_of_three_say_is_the_truth(first, second, third, truth):
    sentence = Prose("Eat", 0, 9, "The soup.")
    readers = [[Labelled(sentence, "one", frozenset(), labels)] for labels in (first, second, third)]
    assert [one.subjects for one in adjudicated(*readers)] == [truth]


def test_a_difference_that_nobody_decided_is_told():
    one, other = (Labelled(Prose("Eat", 7, 9, "The soup."), "one", frozenset(), s) for s in ({"food": "neutral"}, {}))
    with pytest.raises(ValueError, match="differ on the sentence at 7, and no third one has read it"):
        adjudicated([one], [other], [])


def test_labels_of_another_page_are_refused(page):
    with pytest.raises(ValueError, match="expected the page they were made of"):
        labelled(page.replace("Boston", "Bostin"), read_labels())


def test_orientations_are_read_from_description(page):
    rows = [one for one in labelled(page, read_labels()) if one.sentence.section != STAY_SECTION]
    read = [_orientations(one) for one in rows]
    right = sum(len(one.orientations & found) for one, found in zip(rows, read, strict=True))
    assert right / sum(len(found) for found in read) >= LEAST_PRECISION
    assert right / sum(len(one.orientations) for one in rows) >= LEAST_RECALL


def _orientations(one: Labelled) -> set[str]:
    mentions = read_review(one.sentence.text, lexicon("attraction"))
    return {mention.attribute for mention in mentions if mention.value >= 1}
