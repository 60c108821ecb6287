"""The three readings of the published rules: `paper`, `released` and `ours`, told apart by named differences.

Each field is one difference and names the defect it is about. Checks read the fields, never the variant's name. The
released checks are a program of their own (`published/checker.py`), slips and all; only metrics read fields for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from assets.tripcraft.checks.parameters import RELEASED_PARAMETERS, TABLE_10, MetricParameters

PUBLISHED_DENOMINATORS: dict[int, tuple[int, int, int]] = {
    3: (230, 2300, 521),
    5: (230, 2300, 546),
    7: (227, 2270, 484),
}
"""Plans, commonsense checks and hard checks that the released evaluator divides by, for each length (T1)."""


@dataclass(frozen=True)
class Variant:
    """How the published rules are read."""

    name: str
    parameters: Mapping[int, MetricParameters]
    """Metric parameters for each trip length (T4)."""

    checks_as_released: bool = False
    """Released: the seventeen checks read texts as the published evaluator does (T5 to T7, T10, T11, T15)."""
    meals_by_substring: bool = False
    """Released: a meal's time is that of the first entry that holds its name."""
    gap_over_missing_lunch: bool = True
    """Breakfast and dinner keep their distance when there is no lunch; published: never compared (T15)."""
    offers_are_real: bool = True
    """Ours alone: minimum nights are kept, events are on their date, unknown house rules permit nothing."""
    moves_are_made: bool = True
    """Ours alone: a day begins in the city that the day before ended in; the published route may leap between days."""
    time_passes: bool = True
    """Ours alone: a list holds entries, which last, follow one another, and are named by the day; drives take time."""
    stops_are_the_world_s: bool = True
    """Ours alone: nearness is the world's, 0 for a stop that is not nearest or not said; published: what plans say."""
    left_out_is_zero: bool = True
    """Ours alone: a plan that is not there scores 0, and so does what a full day lacks; published: neither counts."""
    mean_over_plan: bool = True
    """Attraction and spatial scores are means over the plan (paper); released: means of day means."""
    k_is_overwritten: bool = False
    """Released: after the first scored meal k is 2 h, and expected durations are cut to whole hours (T3)."""
    ordering_is_edit_distance: bool = True
    """Released: a time-warping alignment over days 1 to 3 with a divisor that grows with length (T2)."""
    denominators: Mapping[int, tuple[int, int, int]] | None = None
    """Published denominators by length; None: computed from the data (T1)."""


OURS = Variant("ours", TABLE_10)

PAPER = Variant("paper", TABLE_10, gap_over_missing_lunch=False, offers_are_real=False, moves_are_made=False,
                time_passes=False, stops_are_the_world_s=False, left_out_is_zero=False)  # fmt: skip

RELEASED = Variant(
    "released",
    dict.fromkeys((3, 5, 7), RELEASED_PARAMETERS),
    checks_as_released=True,
    meals_by_substring=True,
    stops_are_the_world_s=False,
    left_out_is_zero=False,
    mean_over_plan=False,
    k_is_overwritten=True,
    ordering_is_edit_distance=False,
    denominators=PUBLISHED_DENOMINATORS,
)

VARIANTS: dict[str, Variant] = {variant.name: variant for variant in (PAPER, RELEASED, OURS)}
