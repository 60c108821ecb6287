"""Services and options that others make needless: whatever holds of all plans holds without them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from assets.grouptravel.conditions import MEAL_WINDOWS
from assets.grouptravel.facts.fares import Service
from assets.grouptravel.witness.stretches import Stretch, fit
from assets.grouptravel.witness.worth import Option

NEVER = (10**6, -(10**6))
"""When a visit that does not fit begins and ends."""


def is_better(one: Service, other: Service, listed: list[Service], before: bool, after: bool) -> bool:
    """Return whether one takes the other's place in any plan; of equals the first listed."""
    if one is other or one.mode != other.mode or one.price > other.price:
        return False
    if (before and one.departs < other.departs) or (after and one.arrives > other.arrives):
        return False
    is_tie = one.price == other.price
    is_tie &= (not before or one.departs == other.departs) and (not after or one.arrives == other.arrives)
    return listed.index(one) < listed.index(other) if is_tie else True


def undominated(options: Sequence[Option], stretches: Sequence[Stretch], most: dict[str, int]) -> list[Option]:
    """Return the options that fit somewhere, less those that as many others as are needed are at least as good as.

    An option that is worth at least as much whatever is given up, costs no more, takes no longer and fits wherever
    another does takes its place in any solution. What is as good as another is looked at before it, so an option is
    left out for kept ones alone.
    """
    import numpy as np

    kept: list[int] = []
    by_kind: dict[tuple[str, str], list[int]] = defaultdict(list)
    for n, option in enumerate(options):
        by_kind[option.city, option.kind].append(n)
    fits: dict[tuple[int, int, str], np.ndarray] = {}
    for (_, kind), numbers in sorted(by_kind.items()):
        meals = range(len(MEAL_WINDOWS)) if kind == "food" else (None,)
        for option in (options[n] for n in numbers):
            hours = (id(option.spans), option.stay_min, kind)
            if hours not in fits:
                ends = (fit(option, stretch, meal) or NEVER for stretch in stretches for meal in meals)
                fits[hours] = np.array([value for start, end in ends for value in (-start, end)])
        numbers = [n for n in numbers if (fits[id(options[n].spans), options[n].stay_min, kind] > 0).any()]
        listed = [options[n] for n in numbers]
        givers = sorted({user for o in listed for user, _ in o.gains})
        own_worth = [[o.points, *(v for u in givers for v in dict(o.gains).get(u, (0, 0, 0)))] for o in listed]
        if not listed:
            continue
        times = np.array([fits[id(o.spans), o.stay_min, kind] for o in listed])
        worth = np.array(own_worth)
        burden = np.array([[-o.cost, -o.stay_min, -o.move_min] for o in listed])
        whole = np.hstack([worth, burden, times])
        # What is as good as another is worth no less with all that can be given up; of equals the first counts.
        order = sorted(range(len(listed)), key=lambda n: (-listed[n].most, *(-whole[n]).tolist()))
        there = np.zeros((len(listed), whole.shape[1]))
        counts, n_there = np.zeros(len(listed), dtype=int), 0
        for n in order:
            before = there[:n_there]
            is_as_good = (before[:, worth.shape[1] :] >= whole[n, worth.shape[1] :]).all(axis=1)
            is_as_good &= (before[:, : worth.shape[1]] >= worth[n]).all(axis=1) | (before[:, 0] >= listed[n].most)
            if counts[:n_there][is_as_good].sum() < most[kind]:
                there[n_there], counts[n_there] = whole[n], len(listed[n].members)
                n_there += 1
                kept.append(numbers[n])
    return [options[n] for n in sorted(kept)]
