"""Learning to read from labelled sentences: linear weights, rounded to integers.

A label belongs to a sentence, a weight to a clause: each labelled sentence has at least one clause that speaks of the
subject, and which one is estimated with the weights (`fitting.py`). So what is learned is how a clause speaks, and not
how many subjects the labelled sentences have, which is their selection's doing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression
from threadpoolctl import threadpool_limits

from assets.reviews.labels import labelled_subjects
from assets.reviews.learned.features import finding_features, judging_features
from assets.reviews.learned.fitting import noisy_or
from assets.reviews.learned.scan import Sentence, sentences
from assets.reviews.learned.weights import ANY_FEATURE, JUDGED, SCALE, SIGN
from assets.reviews.lexicon import Lexicon, lexicon
from assets.reviews.reading import read_review
from schemas.reviews import SUBJECTS
from schemas.source import SourceError
from sources.labelled.sentences import LabelledSentence

FINDING_C = {"food": 0.3, "service": 1.0, "room": 3.0, "value": 4.0}
JUDGING_C = 0.1
"""Inverse strengths of the ridge penalty, chosen by five-fold cross-validation on the `train` and `val` sentences.

Rare subjects are learned of few words, which a strong penalty would hold back.
"""
TOLERANCE = 1e-4
LEAST_CLAUSES = {"piece": 4}
"""A feature of fewer clauses is not learned, two for those that are not listed."""
LEAST_WEIGHT = 16
"""A smaller weight, of SCALE, changes no reading and is not kept."""
LEAST_PER_SUBJECT = 20
"""Labelled sentences that each subject, and each polarity, must have."""


def learn(labelled: Sequence[LabelledSentence]) -> list[dict[str, Any]]:
    """Return the weights: rows of `model`, `feature`, `weight`, sorted. Raises SourceError if too little is labelled.

    Sentences are learned in the order of their text's hash, so that the order of a file changes nothing.
    """
    ordered = sorted(labelled, key=lambda one: hashlib.sha256(one.text.encode()).digest())
    labels = [labelled_subjects(one) for one in ordered]
    _require_enough(labels)
    words = lexicon("restaurant")
    texts = [_read_text(one.text, words) for one in ordered]
    clauses, owner = [], []
    for number, text in enumerate(texts):
        for sentence in text.sentences:
            for clause in sentence.clauses:
                clauses.append(finding_features(clause))
                owner.append(number)
    finding = _Matrix(clauses)
    owners = np.array(owner)
    rows = []
    scores: dict[str, np.ndarray] = {}
    for subject in SUBJECTS:
        is_labelled = np.array([subject in label for label in labels])
        weights, intercept = noisy_or(finding.rows, owners, is_labelled, FINDING_C[subject])
        scores[subject] = finding.rows @ weights + intercept
        rows += finding.weights(subject, weights, intercept)
    rows += _judging(texts, labels, scores, owners)
    return sorted(rows, key=lambda row: (row["model"], row["feature"]))


@dataclass(frozen=True)
class _LabelledText:
    """One labelled text: its sentences, and the grade that the rules give each subject in each of them."""

    sentences: list[Sentence]
    rules: list[dict[str, float]]


def _read_text(text: str, words: Lexicon) -> _LabelledText:
    from assets.reviews.learned.reader import rule_grades

    text_words, text_sentences = sentences(text, words)
    return _LabelledText(text_sentences, rule_grades(text_words, text_sentences, read_review(text, words, text_words)))


def _require_enough(labels: list[dict[str, str]]) -> None:
    counts = {
        f"{subject}, {polarity}": sum(label.get(subject) == polarity for label in labels)
        for subject in SUBJECTS
        for polarity in ("positive", "negative")
    }
    few = {name: count for name, count in counts.items() if count < LEAST_PER_SUBJECT}
    if few:
        shortages = ", ".join(f"{count} of {name}" for name, count in few.items())
        raise SourceError(
            f"labelled sentences: found {shortages}; expected at least {LEAST_PER_SUBJECT} of each. Bind a larger file."
        )


def _judging(
    texts: list[_LabelledText], labels: list[dict[str, str]], scores: dict[str, np.ndarray], owners: np.ndarray
) -> list[dict[str, Any]]:
    """Return the weights of whether a subject is judged, and of which way, from the clause that speaks of it most."""
    features, polarity_list = [], []
    starts = np.searchsorted(owners, np.arange(len(texts)))
    for number, (text, label) in enumerate(zip(texts, labels, strict=True)):
        places = [(s, c) for s, sentence in enumerate(text.sentences) for c in range(len(sentence.clauses))]
        for subject, polarity in sorted(label.items()):
            if polarity == "mixed" or not places:
                continue
            clause_scores = scores[subject][starts[number] : starts[number] + len(places)]
            at, clause = places[int(np.argmax(np.round(clause_scores, 6)))]
            features.append(judging_features(text.sentences[at], clause, subject, text.rules[at].get(subject)))
            polarity_list.append(polarity)
    matrix = _Matrix(features)
    polarities = np.array(polarity_list)
    is_judged = polarities != "neutral"
    judged = _model(matrix.rows, is_judged)
    sign = _model(matrix.rows[is_judged], polarities[is_judged] == "positive")
    return [row for name, model in ((JUDGED, judged), (SIGN, sign)) for row in matrix.weights(name, *model)]


def _model(rows: csr_matrix, is_so: np.ndarray) -> tuple[np.ndarray, float]:
    """Return the weights of the columns and the intercept by which a row is so, in logits."""
    with threadpool_limits(limits=1):
        fitted = LogisticRegression(C=JUDGING_C, solver="liblinear", tol=TOLERANCE, max_iter=1_000).fit(rows, is_so)
    assert list(fitted.classes_) == [False, True]
    return np.ravel(fitted.coef_), float(np.ravel(fitted.intercept_)[0])


class _Matrix:
    """Feature counts as a sparse matrix of those that stand often enough, in ones."""

    def __init__(self, counted: Sequence[dict[str, int]]) -> None:
        often: dict[str, int] = {}
        for one in counted:
            for name in (name for name, count in one.items() if count):
                often[name] = often.get(name, 0) + 1
        self.names = sorted(name for name, count in often.items() if count >= LEAST_CLAUSES.get(name.split()[0], 2))
        column = {name: number for number, name in enumerate(self.names)}
        self.rows = csr_matrix(
            (
                [count / 10 for one in counted for name, count in one.items() if name in column],
                [column[name] for one in counted for name in one if name in column],
                np.cumsum([0, *(sum(name in column for name in one) for one in counted)]),
            ),
            shape=(len(counted), len(self.names)),
        )

    def weights(self, model: str, fitted: np.ndarray, intercept: float) -> list[dict[str, Any]]:
        """Return the fitted weights a tenth of a feature, in SCALE, and the intercept as ANY_FEATURE's."""
        weights: Iterable[tuple[str, int]] = (
            (name, round(float(weight) / 10 * SCALE)) for name, weight in zip(self.names, fitted, strict=True)
        )
        weights_in_use = [(name, weight) for name, weight in weights if abs(weight) >= LEAST_WEIGHT]
        weights_in_use.append((ANY_FEATURE, round(intercept * SCALE)))
        return [{"model": model, "feature": name, "weight": weight} for name, weight in weights_in_use]
