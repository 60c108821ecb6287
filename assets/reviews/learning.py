"""The learned reader between the tables: its weights from labelled files, and ratings by its weights.

What is learned and how it reads belongs in `learned/`; which passages count how much in `rating.py`.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import pandas as pd

from assets.reviews import labels, rating
from assets.reviews.leaning import recalls
from assets.reviews.learned.reader import find, read_learned
from assets.reviews.learned.weights import Weights
from assets.reviews.lexicon import lexicon
from assets.reviews.reading import Mention, read_review
from assets.step import Outcome, RawFile
from schemas.reviews import ATTRIBUTES, LEARNED, ReadingQuality, ReviewReader
from sources.labelled.sentences import LabelledSentence, read_sentences

if TYPE_CHECKING:
    from schemas.engines import Engines

LEARNED_KIND = "restaurant"
"""The kind of place whose reviews the labelled sentences are of; the rules read all others."""


def review_reader(files: list[RawFile], *, engines: Engines) -> Outcome:
    """Return the learned weights; no rows where the recipe's engine is another. Raises SourceError for a bad file."""
    columns = [column.name for column in ReviewReader.columns()]
    if engines.reviews != LEARNED:
        return Outcome(pd.DataFrame(columns=columns).astype({"weight": "int64"}))
    from assets.reviews.learned.training import learn

    labelled = _sentences(files)
    rows = learn(labelled)
    return Outcome(pd.DataFrame(rows, columns=columns), facts={"labelled_sentences": len(labelled)})


def measured(files: list[RawFile], review_reader: pd.DataFrame) -> pd.DataFrame:
    """Return how the rules, and the learned weights where there are any, read the labelled sentences."""
    readers: dict[str, labels.ReadSentence] = {rating.ENGINE: labels.read_by_rules}
    if len(review_reader):
        readers[LEARNED] = partial(read_by_weights, weights=Weights.of(labels.records(review_reader)))
    rows = labels.reading_quality(_sentences(files), readers) if files else []
    return pd.DataFrame(rows, columns=[column.name for column in ReadingQuality.columns()])


def read_by_weights(text: str, weights: Weights) -> dict[str, float | None]:
    """Return the subjects that learned weights find in a sentence, with their mean grade, None where none is judged."""
    values: dict[str, list[float]] = {}
    for finding in find(text, weights, lexicon(LEARNED_KIND)):
        values.setdefault(finding.subject, []).extend([] if finding.value is None else [finding.value])
    return {
        subject: sum(finding_values) / len(finding_values) if finding_values else None
        for subject, finding_values in values.items()
    }


def rate_unrated_places(
    place: pd.DataFrame,
    review: pd.DataFrame,
    published: pd.DataFrame,
    review_reader: pd.DataFrame,
    reading_quality: pd.DataFrame,
) -> Outcome:
    """Return `rating.rate_unrated_places` by learned weights where there are any, else by rules.

    Where labelled sentences are bound, votes count by what the reader was measured to overlook in them.
    """
    quality = labels.records(reading_quality)
    if not len(review_reader):
        lean = recalls(quality, rating.ENGINE)
        return rating.rate_unrated_places(place, review, published, recall=lean)
    weights = Weights.of(labels.records(review_reader))

    def read_text(text: str, kind: str) -> list[Mention]:
        words = lexicon(kind)
        return read_learned(text, weights, words) if kind == LEARNED_KIND else read_review(text, words)

    reader = partial(rating.read_by_words, read_text=read_text)
    engines = {kind: LEARNED if kind == LEARNED_KIND else rating.ENGINE for kind in ATTRIBUTES}
    return rating.rate_unrated_places(place, review, published, reader, engines, recalls(quality, LEARNED))


def _sentences(files: list[RawFile]) -> list[LabelledSentence]:
    return [sentence for file in files for sentence in read_sentences(file)]
