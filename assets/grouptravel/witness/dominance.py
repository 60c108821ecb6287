"""Services and options that others make needless: whatever holds of all plans holds without them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np

from assets.grouptravel.conditions import MEAL_WINDOWS
from assets.grouptravel.facts.fares import Service
from assets.grouptravel.witness.stretches import Stretch, fits
from assets.grouptravel.witness.worth import Option

AT_ONCE = 64
"""Options that are compared with others at a time."""


def is_better(one: Service, other: Service, listed: list[Service], before: bool, after: bool) -> bool:
    """Return whether one takes the other's place in any plan; of equals the first listed."""
    if one is other or one.mode != other.mode or one.price > other.price:
        return False
    if (before and one.departs < other.departs) or (after and one.arrives > other.arrives):
        return False
    is_tie = one.price == other.price
    is_tie &= (not before or one.departs == other.departs) and (not after or one.arrives == other.arrives)
    return listed.index(one) < listed.index(other) if is_tie else True


@dataclass(frozen=True, eq=False)
class Fitting:
    """An option that is kept, and when visits to it can be, as arrays of one length.

    `stretches` are positions among those of its city, `meals` mealtimes (0 alone for a sight, which has none), `starts`
    the earliest and `ends` the latest minutes.
    """

    option: Option
    stretches: np.ndarray
    meals: np.ndarray
    starts: np.ndarray
    ends: np.ndarray


Known = dict[tuple[Any, ...], list[tuple[int, Fitting]]]
"""What is kept of a city's options of a kind, by all that it hangs on but the options."""


def undominated(
    options: Sequence[Option],
    stretches: Mapping[str, Sequence[Stretch]],
    most: Mapping[str, int],
    fittings: Known | None = None,
) -> list[Fitting]:
    """Return the options that fit somewhere, less those that as many others as are needed are at least as good as.

    `stretches` are by city. An option that is worth at least as much whatever is given up, costs no more, takes no
    longer and fits wherever another does takes its place in any solution. What is as good as another is looked at
    before it, so an option is left out for kept ones alone. The `fittings` are of the same options.
    """
    fittings = fittings if fittings is not None else {}
    numbered_fittings: list[tuple[int, Fitting]] = []
    by_kind: dict[tuple[str, str], list[int]] = defaultdict(list)
    for n, option in enumerate(options):
        by_kind[option.city, option.kind].append(n)
    for (city, kind), numbers in sorted(by_kind.items()):
        city_stretches = stretches.get(city, ())
        key = (city, kind, most[kind], *((s.day, s.opens, s.closes) for s in city_stretches))
        if city_stretches and key not in fittings:
            fittings[key] = _undominated([(n, options[n]) for n in numbers], city_stretches, most[kind], kind)
        numbered_fittings += fittings[key] if city_stretches else ()
    return [fitting for _, fitting in sorted(numbered_fittings, key=lambda one: one[0])]


def _undominated(
    numbered: Sequence[tuple[int, Option]], stretches: Sequence[Stretch], most: int, kind: str
) -> list[tuple[int, Fitting]]:
    """Return the same of one city's options of a kind, each with its number."""
    meals = range(len(MEAL_WINDOWS)) if kind == "food" else (None,)
    windows: dict[tuple[int, int, int], int] = {}
    at = [windows.setdefault((s.day, s.opens, s.closes), len(windows)) for s in stretches]
    once = [stretches[at.index(n)] for n in range(len(windows))]
    when = fits([option for _, option in numbered], once, meals)
    is_fit = when[..., 1] > 0
    fitting = np.flatnonzero(is_fit.any(axis=(1, 2))).tolist()
    if not fitting:
        return []
    when, is_fit, numbered = when[fitting], is_fit[fitting], [numbered[n] for n in fitting]
    listed = [option for _, option in numbered]
    givers = sorted({user for o in listed for user, _ in o.gains})
    nothing = [(0, 0, 0)] * len(givers)
    own_worth = [[o.points, *chain.from_iterable(map(dict(o.gains).get, givers, nothing))] for o in listed]
    times = (when * (-1, 1)).reshape(len(listed), -1)
    worth = np.array(own_worth)
    burden = np.array([[-o.cost, -o.stay_min, -o.move_min] for o in listed])
    criteria = np.hstack([worth, burden, times])
    # What is as good as another is worth no less with all that can be given up; of equals the first counts.
    order = np.lexsort((*-criteria.T[::-1], [-o.most for o in listed])).tolist()
    limits, sizes = np.array([o.most for o in listed]), np.array([len(o.members) for o in listed])
    front: list[int] = []
    numbered_fittings: list[tuple[int, Fitting]] = []
    for first in range(0, len(order), AT_ONCE):
        these = order[first : first + AT_ONCE]
        rivals = np.array([*front, *these])
        is_no_worse = criteria[rivals] >= criteria[these][:, None]
        is_as_good = is_no_worse[..., : worth.shape[1]].all(axis=2) | (worth[rivals, 0] >= limits[these][:, None])
        is_as_good &= is_no_worse[..., worth.shape[1] :].all(axis=2)
        counts = np.concatenate([sizes[front], np.zeros(len(these), dtype=int)])
        for row, n in enumerate(these):
            if counts[is_as_good[row]].sum() < most:
                counts[len(front) + row] = sizes[n]
                of_stretch, of_meal = np.nonzero(is_fit[n][at])
                spans = when[n][at][of_stretch, of_meal]
                numbered_fittings.append(
                    (numbered[n][0], Fitting(listed[n], of_stretch, of_meal, spans[:, 0], spans[:, 1]))
                )
        front = rivals[counts > 0].tolist()
    return numbered_fittings
