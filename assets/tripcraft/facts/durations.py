"""How long a visit takes: the declared default of an attraction, from its categories (1.A)."""

from __future__ import annotations

from collections.abc import Sequence

from assets.tripcraft.vocabulary import CATEGORY_DURATION_H


def visit_duration_h(categories: Sequence[str]) -> float:
    """Return the mean duration of the attraction's categories, in hours (paper, 1.A).

    Raises ValueError naming the categories that are not among the fifteen, or if there is none.
    """
    unknown = sorted(set(categories) - set(CATEGORY_DURATION_H))
    if unknown or not categories:
        raise ValueError(f"categories {unknown or '(none)'} found, expected some of {', '.join(CATEGORY_DURATION_H)}")
    return sum(CATEGORY_DURATION_H[category] for category in categories) / len(categories)
