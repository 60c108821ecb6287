"""Money as plans are judged and bounded by it: each price in whole hundredths of its unit."""

from __future__ import annotations

CENTS = 100


def in_hundredths(amount: float) -> float:
    """Return the amount without what is below a hundredth."""
    return round(amount, 2)


def cents(amount: float) -> int:
    """Return how many hundredths the amount is, by the same rounding."""
    return round(CENTS * in_hundredths(amount))
