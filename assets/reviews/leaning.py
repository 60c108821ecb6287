"""Correcting a mean of votes for what its reader overlooks, and how sure the mean is.

A reader that finds nine of ten words of praise and six of ten complaints hears a place praised more than it is. Each
vote therefore counts for those like it that were overlooked: the inverse of the recall of its polarity, as measured on
labelled sentences.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from schemas.reviews import SUBJECTS

MIDDLE = 3.0
NORMAL_90 = 1.645
"""Half the width of a 90 % interval, in standard errors."""
PRIOR_SPREAD, PRIOR_SPREAD_VOTES = 1.0, 2.0
"""Standard deviation assumed of votes on the scale of 1 to 5, and how many votes it weighs: few votes look surer."""


@dataclass(frozen=True)
class Recall:
    """Shares of praise and of complaints about an attribute that a reader judges, of those that people labelled."""

    praise: float = 1.0
    complaint: float = 1.0

    def weight(self, value: float) -> float:
        """Return how many said the like of a vote for each that was read, 1 on average over both polarities."""
        mean = (1 / self.praise + 1 / self.complaint) / 2
        inverse = 1 / self.praise if value > MIDDLE else 1 / self.complaint if value < MIDDLE else mean
        return inverse / mean


EVEN = Recall()
"""A reader of which nothing was measured: every vote counts the same."""


def recalls(quality: Sequence[Mapping[str, Any]], reader: str) -> dict[str, Recall]:
    """Return a reader's recall by attribute from the rows of `reading_quality`; nothing of what was not measured.

    Counts are smoothed by one sentence judged and one not (Laplace), so that no recall is 0.
    """
    shares = {
        (row["subject"], row["polarity"]): (row["judged"] + 1) / (row["sentences"] + 2)
        for row in quality
        if row["reader"] == reader
    }
    return {
        attribute: Recall(shares[subject, "positive"], shares[subject, "negative"])
        for subject, attributes in SUBJECTS.items()
        if (subject, "positive") in shares and (subject, "negative") in shares
        for attribute in attributes
    }


def trimmed_mean(values: Sequence[float], recall: Recall, trimmed_share: float) -> float:
    """Return the weighted mean of the values without the share of their number at either end."""
    ordered = sorted(values)
    left_out = int(len(ordered) * trimmed_share)
    middle = ordered[left_out : len(ordered) - left_out]
    if recall == EVEN:
        return math.fsum(middle) / len(middle)
    # Trimmed by weight, so that what stands for more is not cut off as if it were one.
    weights = [recall.weight(value) for value in ordered]
    cut = trimmed_share * math.fsum(weights) if left_out else 0.0
    inside, at, total = [], 0.0, math.fsum(weights)
    for weight in weights:
        inside.append(max(0.0, min(at + weight, total - cut) - max(at, cut)))
        at += weight
    return math.fsum(w * v for w, v in zip(inside, ordered, strict=True)) / math.fsum(inside)


def half_width(values: Sequence[float], recall: Recall) -> float:
    """Return half the width of the mean's 90 % interval, on the scale of 1 to 5; few votes make it wide."""
    weights = [recall.weight(value) for value in values]
    total = math.fsum(weights)
    mean = math.fsum(w * v for w, v in zip(weights, values, strict=True)) / total
    squares = math.fsum(w * (v - mean) ** 2 for w, v in zip(weights, values, strict=True))
    variance = (squares + PRIOR_SPREAD_VOTES * PRIOR_SPREAD**2) / (total + PRIOR_SPREAD_VOTES)
    effective = total**2 / math.fsum(w * w for w in weights)
    return NORMAL_90 * math.sqrt(variance / effective)
