"""Visits as a relaxation counts them: of each option that fits, in each stretch of a day and at each meal."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from assets.grouptravel.conditions import MEAL_WINDOWS
from assets.grouptravel.witness.dominance import Fitting
from assets.grouptravel.witness.stretches import Stretch
from assets.grouptravel.witness.worth import Option

MEALS = tuple(range(len(MEAL_WINDOWS)))


@dataclass(frozen=True)
class Visit:
    """One chosen visit: to any place of the option, in a stretch, at a meal's window or, for a sight, none."""

    option: Option
    stretch: Stretch
    meal: int | None


class Visits(NamedTuple):
    """What is known of each kind of visit that is counted, as arrays of one length; times and stays in minutes."""

    variable: np.ndarray
    option: np.ndarray
    """Its position among those that fit."""
    stretch: np.ndarray
    """Its position among all."""
    day: np.ndarray
    meal: np.ndarray
    """-1 for a sight."""
    stay: np.ndarray
    move: np.ndarray
    start: np.ndarray
    """The earliest."""
    end: np.ndarray
    """The latest."""
    size: np.ndarray
    """Places that it can be; 0 for a meal, of which there is one."""


def visits_of(
    fitting: Sequence[Fitting],
    at: Sequence[np.ndarray],
    day_of: np.ndarray,
    variables: Sequence[int],
    move_factor: float,
) -> Visits:
    """Return the visits of options that fit, each option's one after the other.

    `at` are, by option, the positions of its stretches among all, of which `day_of` gives the days; `variables` count
    the visits. Moves take `move_factor` times as long as they do, rounded up.
    """
    option = np.repeat(np.arange(len(fitting)), [len(stretches) for stretches in at])
    is_meal = np.array([one.option.kind == "food" for one in fitting], dtype=bool)[option]
    stretch, meal, start, end = (
        np.concatenate([np.zeros(0, dtype=int), *of])
        for of in (at, *([getattr(one, name) for one in fitting] for name in ("meals", "starts", "ends")))
    )
    return Visits(
        np.array(variables, dtype=int),
        option,
        stretch,
        day_of[stretch],
        np.where(is_meal, meal, -1),
        np.array([one.option.stay_min for one in fitting], dtype=int)[option],
        np.array([math.ceil(move_factor * one.option.move_min) for one in fitting], dtype=int)[option],
        start,
        end,
        np.where(is_meal, 0, np.array([len(one.option.members) for one in fitting], dtype=int)[option]),
    )


def alike(values: np.ndarray, among: np.ndarray | None = None) -> list[np.ndarray]:
    """Return the positions of each value, by value; of those alone that are `among`, if given."""
    order = np.argsort(values, kind="stable")
    order = order if among is None else order[among[order]]
    return np.split(order, np.flatnonzero(np.diff(values[order])) + 1) if len(order) else []
