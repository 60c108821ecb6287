"""The judge's formula, with ratings given from outside: no model is called here (published benchmarks, 3.F)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from schemas.counts import counted

RATINGS = 5
"""Dimensions that a judge rates, each from 1 to 5."""


def judge_score(ratings: Sequence[Any], meta: Any = None) -> float:
    """Return the mean of (r - 1) / 4 in percent, times meta / 5 where a second judge rated the first (1 to 5).

    Raises ValueError unless there are five ratings from 1 to 5. A run without conversation is rated 1 throughout.
    """
    bad = [rating for rating in (*ratings, *(() if meta is None else (meta,))) if not _is_rating(rating)]
    if len(ratings) != RATINGS or bad:
        example = f", such as {bad[0]!r:.40}" if bad else ""
        raise ValueError(
            f"found {counted(len(ratings), 'rating')}, {counted(len(bad), 'figure')} outside 1 to 5{example}; "
            f"expected {RATINGS} from 1 to 5"
        )
    share = sum(rating - 1 for rating in ratings) / (4 * RATINGS)
    return round(100 * share * (1 if meta is None else meta / 5), 2)


def _is_rating(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 1 <= value <= 5
