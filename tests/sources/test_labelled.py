"""Labelled sentences: MAMS-ACSA's XML, read whole or refused with every problem."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from assets.step import RawFile
from schemas.reviews import LABELLED_CATEGORIES, POLARITIES, SUBJECTS
from schemas.source import SourceError
from sources.labelled.sentences import MAX_LABELS, MAX_SENTENCE_CHARACTERS, raw_sentences, read_sentences
from sources.locate import raw_records

Make = Callable[..., RawFile]


def xml(*sentences: str) -> str:
    return f"<?xml version='1.0' encoding='utf-8'?><sentences>{''.join(sentences)}</sentences>"


def sentence(text: str, *labels: tuple[str, str]) -> str:
    inside = "".join(f'<aspectCategory category="{category}" polarity="{polarity}"/>' for category, polarity in labels)
    return f"<sentence><text>{text}</text><aspectCategories>{inside}</aspectCategories></sentence>"


def test_sentences_come_with_their_labels_and_a_pointer_that_leads_back(raw_file: Make) -> None:
    given = xml(sentence("Good soup &amp; rude waiters.", ("food", "positive"), ("staff", "negative")), sentence("Ok."))
    file = raw_file("labelled", "train", given)
    first, second = read_sentences(file)
    assert (first.text, first.labels) == (
        "Good soup & rude waiters.",
        (("food", "positive"), ("staff", "negative")),
    )
    assert second.labels == () and second.source_row.endswith("#sentence[1]")
    assert "Good soup & rude waiters." in raw_records(file, ["sentence[0]"])["sentence[0]"]
    assert raw_sentences(file, {"sentence[7]"}) == {}


BOMB = '<!DOCTYPE s [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]>'


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (BOMB + "<sentences><sentence><text>&b;</text></sentence></sentences>", "a document type declaration"),
        ('<!DOCTYPE s SYSTEM "file:///etc/passwd"><sentences/>', "a document type declaration"),
        ("<sentences><sentence><text>&b;</text></sentence></sentences>", "undefined entity"),
        ("<sentences>" + "<sentences>" * 5_000, "the element 'sentences/sentences'"),
        (xml("<script/>"), "the element 'sentences/script'"),
        (xml(sentence("x" * (MAX_SENTENCE_CHARACTERS + 1))), "a sentence of more than"),
        (xml(sentence("Soup.", *[("food", "positive")] * (MAX_LABELS + 1))), "labels of a sentence"),
        (xml(sentence("Soup.", ("soup", "good"))), "category 'soup'"),
        (xml(sentence(" ")), "sentence[0]: no text"),
        ("<sentences><sentence>", "not well-formed XML"),
        (xml(), "no sentence"),
        ("food,positive\n", "not well-formed XML"),
    ],
)
def test_what_is_not_the_format_is_refused_and_named(raw_file: Make, given: str, told: str) -> None:
    with pytest.raises(SourceError) as refused:
        read_sentences(raw_file("labelled", "train", given))
    assert told in str(refused.value) and "Expected the MAMS-ACSA XML" in str(refused.value)


def test_all_wrong_labels_of_a_file_are_told_at_once(raw_file: Make) -> None:
    given = xml(sentence("One.", ("soup", "positive")), sentence("Two.", ("food", "fine")))
    with pytest.raises(SourceError, match=r"(?s)sentence\[0\].*sentence\[1\]"):
        read_sentences(raw_file("labelled", "train", given))


def test_the_real_files_are_read_and_every_category_has_a_meaning(raw_file: Make, shared_data: Path) -> None:
    counts = {}
    for split in ("train", "val"):
        path = shared_data / "reviews" / f"mams_{split}.xml"
        if not path.is_file():
            pytest.skip("the labelled sentences are not on this machine")
        read = read_sentences(raw_file("labelled", split, path))
        counts[split] = len(read)
        labels = {label for one in read for label in one.labels}
        assert {category for category, _ in labels} == set(LABELLED_CATEGORIES)
        assert {polarity for _, polarity in labels} == set(POLARITIES)
    assert counts == {"train": 3149, "val": 400}
    assert set(SUBJECTS) == {subject for subject in LABELLED_CATEGORIES.values() if subject}
