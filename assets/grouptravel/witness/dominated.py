"""Services and options that others make needless: whatever holds of all plans holds without them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from assets.grouptravel.conditions import MEAL_WINDOWS
from assets.grouptravel.facts.fares import Service
from assets.grouptravel.witness.stretches import Stretch, fit
from assets.grouptravel.witness.worth import Option


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
    another does takes its place in any solution.
    """
    import numpy as np

    kept: list[Option] = []
    by_kind: dict[tuple[str, str], list[Option]] = defaultdict(list)
    for option in options:
        by_kind[option.city, option.kind].append(option)
    for (_, kind), listed in sorted(by_kind.items()):
        meals = range(len(MEAL_WINDOWS)) if kind == "food" else (None,)
        fits = [[fit(o, s, meal) or (10**6, -(10**6)) for s in stretches for meal in meals] for o in listed]
        is_open = [any(end > 0 for _, end in of) for of in fits]
        listed = [o for o, fitting in zip(listed, is_open, strict=True) if fitting]
        fits = [of for of, fitting in zip(fits, is_open, strict=True) if fitting]
        if not listed:
            continue
        times = np.array([[value for start, end in of for value in (-start, end)] for of in fits])
        givers = sorted({user for o in listed for user, _ in o.gains})
        worth = np.array([[o.points, *(v for u in givers for v in dict(o.gains).get(u, (0, 0, 0)))] for o in listed])
        burden = np.array([[-o.cost, -o.stay_min, -o.move_min] for o in listed])
        counts = np.array([len(o.members) for o in listed])
        top = np.array([o.most for o in listed])
        for n, option in enumerate(listed):
            is_worth = (worth >= worth[n]).all(axis=1) | (worth[:, 0] >= top[n])
            is_as_good = is_worth & (burden >= burden[n]).all(axis=1) & (times >= times[n]).all(axis=1)
            # Of options that are as good as each other the first stands.
            is_equal = is_as_good & (worth == worth[n]).all(axis=1) & (burden == burden[n]).all(axis=1)
            is_equal &= (times == times[n]).all(axis=1)
            is_as_good &= ~(is_equal & (np.arange(len(listed)) >= n))
            if counts[is_as_good].sum() < most[kind]:
                kept.append(option)
    return kept
