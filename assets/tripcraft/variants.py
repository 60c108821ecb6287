"""The three readings of the published rules: `paper`, `released` and `ours`, told apart by named differences.

Each field is one difference and names the defect it is about. Checks read the fields, never the variant's name.
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

    exact_names: bool = True
    """A name must be a row's whole name; released: be contained in one, and the first such row counts."""
    events_are_stripped: bool = True
    """" X" and "X" are the same event; released: they differ (1.F, check 4)."""
    one_city_days_can_pass: bool = True
    """Released: a day whose current_city is not "from A to B" fails Within Current City (T5)."""
    entire_room_is_entire_home: bool = True
    """Released: the scorer expects a room type `entire_room` that no row has (T6)."""
    stays_cost: bool = True
    """Released: stay prices fail to parse and count 0 in the budget check (T7)."""
    flights_keep_their_date: bool = True
    """A flight must leave on the day it is taken, at the times stated; released: any date will do (T10)."""
    flight_margin_is_signed: bool = True
    """Visits end before departure or start after arrival; released: an absolute difference of 30 min will do (T10)."""
    every_day_bounded_by_stays: bool = True
    """Every day's list starts and ends with its stays; released: 5 and 7 days check city-change days only (T11)."""
    cuisines_of_every_meal: bool = True
    """Released: a breakfast in the origin city hides the day's lunch and dinner (T15)."""
    gap_over_missing_lunch: bool = True
    """Breakfast and dinner keep their distance when there is no lunch; published: never compared (T15)."""
    destination_is_the_query_s: bool = True
    """A 3-day trip goes to the city asked for; released: to any city of the table."""
    place_has_its_own_stop: bool = True
    """The stop is that of the place visited; released: of any place in the city."""
    offers_are_real: bool = True
    """Ours alone: minimum nights are kept, events are on their date, unknown house rules permit nothing."""
    mean_over_plan: bool = True
    """Attraction and spatial scores are means over the plan (paper); released: means of day means."""
    k_is_overwritten: bool = False
    """Released: after the first scored meal k is 2 h, and expected durations are cut to whole hours (T3)."""
    ordering_is_edit_distance: bool = True
    """Released: a time-warping alignment over days 1 to 3 with a divisor that grows with length (T2)."""
    denominators: Mapping[int, tuple[int, int, int]] | None = None
    """Published denominators by length; None: computed from the data (T1)."""


OURS = Variant("ours", TABLE_10)

PAPER = Variant("paper", TABLE_10, gap_over_missing_lunch=False, offers_are_real=False)

RELEASED = Variant(
    "released",
    dict.fromkeys((3, 5, 7), RELEASED_PARAMETERS),
    exact_names=False,
    events_are_stripped=False,
    one_city_days_can_pass=False,
    entire_room_is_entire_home=False,
    stays_cost=False,
    flights_keep_their_date=False,
    flight_margin_is_signed=False,
    every_day_bounded_by_stays=False,
    cuisines_of_every_meal=False,
    gap_over_missing_lunch=False,
    destination_is_the_query_s=False,
    place_has_its_own_stop=False,
    offers_are_real=False,
    mean_over_plan=False,
    k_is_overwritten=True,
    ordering_is_edit_distance=False,
    denominators=PUBLISHED_DENOMINATORS,
)

VARIANTS: dict[str, Variant] = {variant.name: variant for variant in (PAPER, RELEASED, OURS)}
