"""The careful planner's days under the limits of a hard request: no day's way too long, not too many price signs.

Of every stay it tries, it begins with the sights that are near and cheap, and exchanges one sight for another while
that brings the plan nearer to its limits. Nothing is solved: where no exchange helps it takes the next stay.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

Place = TypeVar("Place")

SIGN_KM = (0.0, 0.3, 1.0, 3.0)
"""What one price sign weighs beside the way to a sight, tried one after another."""
MOST_STAYS = 40
MARGIN = 0.995
"""Ways are measured on a plane: so much of a limit is used."""
MOST_EXCHANGES = 60


@dataclass(frozen=True)
class Limits:
    """What a request allows: a day's longest way and the price signs of all places; infinite where it says none."""

    walk_km: float = math.inf
    signs: float = math.inf

    @classmethod
    def of(cls, walk_m: Sequence[int], signs: Sequence[int]) -> Limits:
        """Return the limits that a request states."""
        return cls(min(walk_m, default=math.inf) / 1000 * MARGIN, min(signs, default=math.inf))


@dataclass(frozen=True)
class Choice:
    """A stay and the sights of each day, each day in its order, and by how much they break the limits."""

    stay: Any
    days: list[list[Any]]
    excess: tuple[float, float]


Ordered = Callable[[Any, Sequence[Any]], list[Any]]
Length = Callable[[Any, Sequence[Any]], float]
Shared = Callable[[Any, Sequence[Any], int], list[list[Any]]]


@dataclass(frozen=True)
class Ways:
    """What a choice is made of: the price signs of places, and a town's ways as functions of (stay, sights)."""

    signs: Mapping[Any, int]
    ordered: Ordered
    length: Length
    shared: Shared

    def choice(self, stays: Sequence[Any], sights: Sequence[Any], days: int, a_day: int, limits: Limits) -> Choice:
        """Return the first choice that keeps the limits, of the stays in their order; else the one that comes nearest.

        The signs that meals take are no part of `limits`.
        """
        best: Choice | None = None
        for stay in stays[:MOST_STAYS]:
            for sign_km in SIGN_KM:
                candidate = self._near(stay, sights, days, a_day, limits, sign_km)
                if best is None or candidate.excess < best.excess:
                    best = candidate
                if best.excess == (0.0, 0.0):
                    return best
        assert best is not None  # the caller has a stay
        return best

    def _near(self, stay: Any, sights: Sequence[Any], days: int, a_day: int, limits: Limits, sign_km: float) -> Choice:
        ranked = sorted(sights, key=lambda one: (self.length(stay, [one]) / 2 + sign_km * self.signs[one], one.name))
        shares = self.shared(stay, ranked[: a_day * days], days)
        spare = ranked[a_day * days :]
        signs_left = limits.signs - self.signs[stay]
        for _ in range(MOST_EXCHANGES):
            excess = self._excess(stay, shares, limits.walk_km, signs_left)
            if excess == (0.0, 0.0) or not self._exchange_for_spare(stay, shares, spare, limits.walk_km, signs_left):
                break
        ordered = [self.ordered(stay, share) for share in shares]
        return Choice(stay, ordered, self._excess(stay, shares, limits.walk_km, signs_left))

    def _exchange_for_spare(
        self, stay: Any, shares: list[list[Any]], spare: list[Any], walk_km: float, signs_left: float
    ) -> bool:
        """Make the exchange of a sight for a spare one that helps most, and return whether one helps."""
        over = [self._over(stay, share, walk_km) for share in shares]
        signs = sum(self.signs[one] for share in shares for one in share)
        base = sum(over) + max(0.0, signs - signs_left)
        best: tuple[float, int, int, int] | None = None
        for day, share in enumerate(shares):
            if not over[day] and signs <= signs_left:
                continue
            for at, old in enumerate(share):
                other_sights = [*share[:at], *share[at + 1 :]]
                for number, new in enumerate(spare):
                    dearer = self.signs[new] - self.signs[old]
                    if not over[day] and dearer >= 0:
                        continue
                    after = sum(over) - over[day] + self._over(stay, [*other_sights, new], walk_km)
                    after += max(0.0, signs + dearer - signs_left)
                    if after < base - 1e-9 and (best is None or after < best[0]):
                        best = (after, day, at, number)
        if best is None:
            return False
        _, day, at, number = best
        shares[day][at], spare[number] = spare[number], shares[day][at]
        return True

    def _over(self, stay: Any, share: Sequence[Any], walk_km: float) -> float:
        return max(0.0, self.length(stay, self.ordered(stay, share)) - walk_km)

    def _excess(self, stay: Any, shares: list[list[Any]], walk_km: float, signs_left: float) -> tuple[float, float]:
        signs = sum(self.signs[one] for share in shares for one in share)
        return sum(self._over(stay, share, walk_km) for share in shares), max(0.0, signs - signs_left)
