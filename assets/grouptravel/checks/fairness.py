"""Group fairness: how near the worst-off user is to the best-off (3.F), on utilities before penalties."""

from __future__ import annotations

from collections.abc import Collection

from assets.grouptravel.variants import Variant


def group_fairness(utilities: Collection[float], variant: Variant) -> float:
    """Return 100 min/max, with two decimals, and 0 where somebody loses while another gains.

    Published: all equal scores 100 even when nobody gains, and where nobody gains the ratio is turned round, which can
    give a negative zero. In ours nobody gaining is 0 (G8). No users: 100 as published, 0 in ours.
    """
    best, worst = max(utilities, default=0), min(utilities, default=0)
    if variant.equal_gain_only_is_fair:
        return round(100.0 * worst / best, 2) if best > 0 and worst > 0 else 0.0
    if best == worst:
        return 100.0
    if best > 0:
        return round(max(worst, 0) / best * 100.0, 2)
    return round(best / worst * 100.0, 2)
