"""What people labelled in real sentences, and how a reader reads the same sentences."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from assets.reviews.lexicon import lexicon
from assets.reviews.reading import read_review
from schemas.reviews import LABELLED_CATEGORIES, POLARITIES, SUBJECTS
from sources.labelled.sentences import LabelledSentence

if TYPE_CHECKING:
    import pandas as pd

MIDDLE = 3.0
SUBJECT_OF = {attribute: subject for subject, attributes in SUBJECTS.items() for attribute in attributes}

ReadSentence = Callable[[str], Mapping[str, float | None]]
"""From a sentence to the subjects that a reader finds in it: their grade, None of those it does not judge."""


def labelled_subjects(sentence: LabelledSentence) -> dict[str, str]:
    """Return the polarity of each subject that a sentence is labelled with; `mixed` where labels disagree.

    A subject labelled by two categories, one neutral, has the other's polarity.
    """
    labelled_polarities: dict[str, set[str]] = {}
    for category, polarity in sentence.labels:
        subject = LABELLED_CATEGORIES[category]
        if subject is not None:
            labelled_polarities.setdefault(subject, set()).add(polarity)
    main_polarities = {
        subject: polarities - {"neutral"} or {"neutral"} for subject, polarities in labelled_polarities.items()
    }
    return {
        subject: polarities.pop() if len(polarities) == 1 else "mixed"
        for subject, polarities in main_polarities.items()
    }


def read_by_rules(text: str) -> dict[str, float | None]:
    """Return the subjects that the rules read in a sentence, with their mean grade."""
    values: dict[str, list[float]] = {}
    for mention in read_review(text, lexicon("restaurant")):
        values.setdefault(SUBJECT_OF[mention.attribute], []).append(mention.value)
    return {subject: sum(mention_values) / len(mention_values) for subject, mention_values in values.items()}


def reading_quality(labelled: Sequence[LabelledSentence], readers: Mapping[str, ReadSentence]) -> list[dict[str, Any]]:
    """Return the rows of `reading_quality`: how each reader reads the labelled sentences.

    A subject whose labels disagree counts as found or not, under no polarity.
    """
    truths = [labelled_subjects(one) for one in labelled]
    rows = []
    for reader, read_sentence in readers.items():
        readings = [read_sentence(one.text) for one in labelled]
        for subject in SUBJECTS:
            pairs = [(truth.get(subject), reading) for truth, reading in zip(truths, readings, strict=True)]
            for polarity in POLARITIES:
                readings_of_polarity = [reading for truth, reading in pairs if truth == polarity]
                rows.append(
                    {
                        "reader": reader,
                        "subject": subject,
                        "polarity": polarity,
                        "sentences": len(readings_of_polarity),
                        "found": sum(subject in reading for reading in readings_of_polarity),
                        "judged": sum(reading.get(subject) is not None for reading in readings_of_polarity),
                        "right": sum(
                            subject in reading and way(reading[subject]) == polarity for reading in readings_of_polarity
                        ),
                        "mistaken": sum(
                            subject in reading and way(reading[subject]) == polarity
                            for truth, reading in pairs
                            if truth is None
                        ),
                    }
                )
    return rows


def records(rows: pd.DataFrame) -> list[dict[str, Any]]:
    """Return a frame's rows as mappings from column to value."""
    return [{str(name): value for name, value in row.items()} for row in rows.to_dict("records")]


def way(value: float | None) -> str:
    """Return the polarity that a grade says; a middle one, and none, say neither."""
    return "neutral" if value is None or value == MIDDLE else "positive" if value > MIDDLE else "negative"


def labels_as_rating_quality(rows: Sequence[Mapping[str, Any]], reader: str) -> list[dict[str, Any]]:
    """Return a reader's quality on labelled sentences as rows of `rating_quality`, an attribute each."""
    quality_rows = []
    for subject, attributes in SUBJECTS.items():
        row_by_polarity = {
            row["polarity"]: row for row in rows if row["reader"] == reader and row["subject"] == subject
        }
        if not row_by_polarity or not sum(row["sentences"] for row in row_by_polarity.values()):
            continue
        right = sum(row["found"] for row in row_by_polarity.values())
        all_found = right + sum(row["mistaken"] for row in row_by_polarity.values())
        praise, complaint = row_by_polarity["positive"], row_by_polarity["negative"]
        judged = praise["judged"] + complaint["judged"]
        quality_rows.append(
            {
                "kind": "restaurant",
                "attribute": ", ".join(attributes),
                "against": "labels",
                "n": sum(row["sentences"] for row in row_by_polarity.values()),
                "engine": reader,
                "precision": right / all_found if all_found else None,
                "recall_praise": praise["found"] / praise["sentences"] if praise["sentences"] else None,
                "recall_complaint": complaint["found"] / complaint["sentences"] if complaint["sentences"] else None,
                "judged_right": (praise["right"] + complaint["right"]) / judged if judged else None,
            }
        )
    return quality_rows
