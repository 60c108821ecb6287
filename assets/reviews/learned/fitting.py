"""Fitting linear weights of clauses to labels of their sentences: a noisy-or, by its likelihood.

A sentence speaks of a subject if at least one of its clauses does: 1 - product of (1 - p). Which clause it is, nobody
labelled; the likelihood adds it up (Viola, Platt and Zhang, Multiple Instance Boosting for Object Detection, 2005).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.optimize import minimize
from threadpoolctl import threadpool_limits

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

FIRST_INTERCEPT = -2.0
"""Most clauses do not speak of a given subject."""
MOST_STEPS = 150
LEAST_CHANCE = 1e-12


def noisy_or(
    rows: csr_matrix, owners: np.ndarray, is_labelled: np.ndarray, strength: float
) -> tuple[np.ndarray, float]:
    """Return the weights of the columns and the intercept by which clauses speak of a subject, in logits.

    `rows` has the features of a clause a row, `owners` the number of its sentence, `is_labelled` whether each sentence
    speaks of the subject; `strength` is the inverse strength of the ridge penalty, which the intercept does not bear.
    """
    columns = rows.transpose().tocsr()
    size = rows.get_shape()[1]

    def loss(weights: np.ndarray) -> tuple[float, np.ndarray]:
        scores = rows @ weights[:size] + weights[size]
        silence = np.bincount(owners, weights=-np.logaddexp(0, scores), minlength=len(is_labelled))
        speaking = np.maximum(LEAST_CHANCE, -np.expm1(silence))
        likelihood = np.sum(np.where(is_labelled, np.log(speaking), silence))
        pull = np.where(is_labelled, np.exp(silence) / speaking, -1.0)[owners] / (1 + np.exp(-scores))
        penalty = weights[:size] / strength
        slope = np.append(penalty - columns @ pull, -np.sum(pull))
        return float(np.sum(weights[:size] * penalty) / 2 - likelihood), slope

    first = np.append(np.zeros(size), FIRST_INTERCEPT)
    # One thread, for the order of a sum across threads changes its last digits, and with them the weights.
    with threadpool_limits(limits=1):
        solution = minimize(loss, first, jac=True, method="L-BFGS-B", options={"maxiter": MOST_STEPS}).x
    return solution[:size], float(solution[size])
