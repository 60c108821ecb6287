"""Weights of clauses from labels of sentences: the likelihood's optimum, and what stands across a contrast."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from assets.reviews.learned.features import judging_counts
from assets.reviews.learned.fitting import noisy_or
from assets.reviews.learned.scan import sentences
from assets.reviews.lexicon import lexicon

CLAUSES = [[1, 0], [0, 1], [0, 1], [1, 1], [0, 0], [1, 0], [0, 1]]
OWNERS = [0, 0, 1, 2, 2, 3, 4]
LABELLED = [True, False, True, True, True]
STRENGTH = 2.0


def slow_loss(weights: tuple[float, ...]) -> float:
    """Return the penalised negative log-likelihood, a sentence at a time."""
    total = sum(w * w for w in weights[:2]) / (2 * STRENGTH)
    for sentence, label in enumerate(LABELLED):
        silence = 1.0
        for clause, owner in zip(CLAUSES, OWNERS, strict=True):
            if owner == sentence:
                score = sum(w * x for w, x in zip(weights, clause, strict=False)) + weights[2]
                silence *= 1 - 1 / (1 + math.exp(-score))
        total -= math.log(1 - silence if label else silence)
    return total


def test_no_weights_nearby_explain_the_labels_better():
    weights, intercept = noisy_or(
        csr_matrix(np.array(CLAUSES, dtype=float)), np.array(OWNERS), np.array(LABELLED), STRENGTH
    )
    found = (*map(float, weights), intercept)
    for at in range(3):
        for step in (-0.05, 0.05):
            moved = tuple(value + step * (n == at) for n, value in enumerate(found))
            assert slow_loss(found) < slow_loss(moved)


@pytest.mark.parametrize(
    ("text", "at", "across"),
    [
        ("The soup was excellent, but the staff were rude.", 0, "blame"),
        ("The soup was excellent, but the staff were rude.", 1, "praise"),
        ("The soup was excellent, and the staff were rude.", 0, None),
        ("Although the soup was excellent when the staff were rude.", 0, "blame"),
        ("Although the soup was excellent when the staff were rude.", 1, None),
    ],
)
def test_what_a_clause_is_set_against_is_told_by_a_contrast(text, at, across):
    (sentence,) = sentences(text, lexicon("restaurant"))[1]
    count = judging_counts(sentence, at, "food", None)["judged across a contrast"]
    assert (count > 0, count < 0) == (across == "praise", across == "blame")
