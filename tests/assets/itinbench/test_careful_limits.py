"""The careful planner under limits: it exchanges sights while that helps, and names no stay that cannot do."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise, permutations

from assets.itinbench.careful_limits import Limits, Ways


@dataclass(frozen=True)
class Spot:
    """A place on a line of kilometres."""

    name: str
    km: float


def length(stay, way):
    return sum(abs(a.km - b.km) for a, b in pairwise((stay, *way, stay)))


def ordered(stay, sights):
    return list(min(permutations(sights), key=lambda way: length(stay, way)))


def shared(stay, sights, days):
    return [list(sights[n::days]) for n in range(days)]


def ways(signs):
    return Ways(signs, ordered, length, shared)


NEAR = [Spot(f"near {n}", 0.1 * n) for n in range(1, 5)]
FAR = [Spot(f"far {n}", 3.0 + 0.1 * n) for n in range(4)]
HOTEL, INN = Spot("hotel", 0.0), Spot("inn", 3.0)
SIGNS = {**dict.fromkeys(NEAR, 4), **dict.fromkeys(FAR, 1), HOTEL: 3, INN: 1}


def test_without_limits_the_nearest_are_taken():
    choice = ways(SIGNS).choice([HOTEL, INN], [*NEAR, *FAR], 1, 2, Limits())
    assert (choice.stay, choice.days, choice.excess) == (HOTEL, [NEAR[:2]], (0.0, 0.0))


def test_dear_sights_are_exchanged_for_cheap_ones_that_lie_farther():
    choice = ways(SIGNS).choice([HOTEL], [*NEAR, *FAR], 1, 2, Limits(signs=3 + 4 + 1))
    assert sum(SIGNS[one] for one in choice.days[0]) <= 5
    assert choice.excess == (0.0, 0.0)


def test_the_next_stay_is_taken_where_ways_and_signs_leave_no_choice():
    choice = ways(SIGNS).choice([HOTEL, INN], [*NEAR, *FAR], 1, 2, Limits(walk_km=2.0, signs=5))
    assert (choice.stay, choice.excess) == (INN, (0.0, 0.0))
    assert set(choice.days[0]) <= set(FAR)


def test_what_cannot_be_kept_is_said_to_be_broken():
    choice = ways(SIGNS).choice([HOTEL], [*NEAR, *FAR], 1, 2, Limits(walk_km=0.1))
    assert choice.excess[0] > 0


def test_limits_are_the_request_s_and_a_little_less():
    assert Limits.of([], []) == Limits(math.inf, math.inf)
    assert Limits.of([7800], [37]) == Limits(7.8 * 0.995, 37)


def test_sights_on_two_sides_are_exchanged_for_some_on_one():
    here, there, beyond = Spot("here", 1.0), Spot("there", -1.0), Spot("beyond", 1.1)
    found = ways(dict.fromkeys([HOTEL, here, there, beyond], 1))
    choice = found.choice([HOTEL], [here, there, beyond], 1, 2, Limits(walk_km=2.3))
    assert (set(choice.days[0]), choice.excess) == ({here, beyond}, (0.0, 0.0))
