"""The three readings of the published rules: `paper`, `released` and `ours`, told apart by named differences.

Each field is one difference. Checks read the fields, never the variant's name.
"""

from __future__ import annotations

from dataclasses import dataclass

from schemas.errors import ExpectedError


@dataclass(frozen=True)
class Variant:
    """How the published rules are read; each default is ours."""

    name: str
    first_rule_decides: bool = False
    """Released: the first rule whose dates fit closes the weekdays it does not list, whatever later rules say."""
    windows_stand_alone: bool = False
    """Released: times are compared as text, so 9:15 is after 10:00, and a window over midnight fits no visit."""
    names_are_exact: bool = True
    """A wanted place that the city has is that place alone; published: any name that contains the wanted one."""
    invented_places_count: bool = False
    """Released: must and reject match names of places that nobody knows."""
    place_counts_once: bool = True
    """A place earns or costs once a user and trip; published: at every visit, so that repeating pays."""
    double_booking_voids_own_gain: bool = True
    """Who is in two places gains from neither; released: nobody gains, or loses, from either."""
    night_is_last_hotel: bool = True
    """A night is the day's last hotel; released: every hotel entry, also a rest at noon, is a night."""
    splits_cannot_be_dodged: bool = True
    """Teams are followed through chains of overlaps; released: a re-mix within a chain costs nothing (G7)."""
    utility_over_all: bool = False
    """Paper: GU divides by the participants; released and ours: by the users that have a table."""
    equal_gain_only_is_fair: bool = True
    """Nobody gaining is not fair (G8); released: equal or all negative utilities can score 100."""
    fairness_over_all: bool = False
    """Released: a child without a table is somebody who gains nothing, so its group is never fair."""
    refuses_as_coded: bool = False
    """Released: a plan that the published code stops at has no score; ours reads what can be read of it."""
    precision_of_everything: bool = True
    """Precision counts all the agent states (G8); released: only in fields that the reference fills."""
    home_legs: bool = True
    """The way there and the way home are legs too (G9); released: neither is asked for."""
    restaurants_have_hours: bool = True
    """Meals lie in opening hours too (G9); released: attractions alone."""
    hotels_once: bool = True
    """A night has one hotel (G9); released: any number."""
    costs_are_known: bool = True
    """A cost is a number of at least 0 that agrees with the known price (G9); released: it is there."""
    legs_have_service: bool = True
    """A leg is one that runs between the two cities on that day, in paper also a car; released: not looked at (G9)."""
    legs_are_public: bool = False
    """Paper: legs are by flight or train only, though tables may ask for a car (G9)."""
    local_moves_are_feasible: bool = True
    """Nobody moves inside a city faster than the mode can (G9); published: not looked at."""
    local_moves_cost: bool = True
    """What moves inside a city cost counts against the budget; published: local transport is left out."""
    nights_are_connected: bool = True
    """A day begins where the night was; released: anywhere."""
    children_are_minded: bool = True
    """A small child is never alone, out late, or at a place of adults (paper, our reading; G9); released: anywhere."""
    dates_are_the_task_s: bool = True
    """Days are dated from the task's first; released: a day without a date is not looked at."""
    conditions_hold: bool = True
    """Plans keep the declared conditions that give utility a bound (`conditions.py`); published: none of them."""
    faults_void_worth: bool = True
    """A plan that is not valid is worth nothing and fair to nobody; published: it earns whatever it lists."""
    concessions_only: bool = True
    """A compromise gives something up; published: a marker may set any preference to anything."""
    failed_trials_count: bool = True
    """A trial without score is 0 in its task's mean; released: it is dropped when another has one."""


OURS = Variant("ours")

PAPER = Variant(
    "paper",
    names_are_exact=False,
    place_counts_once=False,
    double_booking_voids_own_gain=False,
    night_is_last_hotel=False,
    splits_cannot_be_dodged=False,
    utility_over_all=True,
    equal_gain_only_is_fair=False,
    precision_of_everything=False,
    invented_places_count=True,
    legs_have_service=False,
    legs_are_public=True,
    local_moves_are_feasible=False,
    local_moves_cost=False,
    nights_are_connected=False,
    dates_are_the_task_s=False,
    conditions_hold=False,
    faults_void_worth=False,
    concessions_only=False,
)

RELEASED = Variant(
    "released",
    first_rule_decides=True,
    windows_stand_alone=True,
    names_are_exact=False,
    invented_places_count=True,
    place_counts_once=False,
    double_booking_voids_own_gain=False,
    night_is_last_hotel=False,
    splits_cannot_be_dodged=False,
    equal_gain_only_is_fair=False,
    fairness_over_all=True,
    refuses_as_coded=True,
    precision_of_everything=False,
    home_legs=False,
    children_are_minded=False,
    restaurants_have_hours=False,
    hotels_once=False,
    costs_are_known=False,
    legs_have_service=False,
    local_moves_are_feasible=False,
    local_moves_cost=False,
    nights_are_connected=False,
    dates_are_the_task_s=False,
    conditions_hold=False,
    faults_void_worth=False,
    concessions_only=False,
    failed_trials_count=False,
)

VARIANTS: dict[str, Variant] = {variant.name: variant for variant in (PAPER, RELEASED, OURS)}


def variant_of(name: str) -> Variant:
    """Return the variant of that name. Raises ValueError where there is none."""
    if name not in VARIANTS:
        raise ExpectedError(f"variant {name!r} is not known; expected one of {', '.join(sorted(VARIANTS))}")
    return VARIANTS[name]
