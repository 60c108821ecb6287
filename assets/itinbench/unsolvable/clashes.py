"""Which wishes of a request clash: whether any plan meets a set of wishes, and smallest sets that clash.

A plan needs three meals and four visits a day, all distinct, and one stay. No place is of two kinds, so a plan exists
exactly if of each kind enough places meet the wishes about it: both directions are a choice of distinct places. This
counts by the draft's reading of the pool; `assets.itinbench.checks.clashes` seeks a matching by the scorer's.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pandas as pd

from assets.core.claims import Wish
from assets.itinbench.candidates import Demands
from assets.itinbench.checks.clashes import wishes_of
from assets.itinbench.tables import Record
from assets.itinbench.unsolvable.claims import about
from assets.itinbench.witness.selection import told_apart

NEEDED = {"restaurant": 3, "attraction": 4}
"""Places a day of the trip needs; the stay is one for the trip (facts, 2.D)."""


@dataclass(frozen=True)
class Clash:
    """A smallest set of wishes that no plan meets, and what the pool lacks: {kind: {"matching", "needed"}}."""

    wishes: tuple[Wish, ...]
    lacking: dict[str, dict[str, int]]


class Town:
    """The pool of one city. Raises ValueError for a place of two kinds: counting is no proof."""

    def __init__(self, places: pd.DataFrame) -> None:
        if places["place_id"].duplicated().any():
            raise ValueError("a place of the pool is of two kinds; the proof by counting needs each to be of one")
        self.places = places
        self._rows = {str(kind): rows.reset_index(drop=True) for kind, rows in places.groupby("kind")}
        self._demands = {kind: Demands(rows) for kind, rows in self._rows.items()}

    def places_needed(self, kind: str, days: int) -> int:
        """Return how many distinct places of a kind a trip needs."""
        return NEEDED.get(kind, 0) * days or 1

    def matching(self, kind: str, wishes: Collection[Wish]) -> np.ndarray:
        """Return, by the draft's reading, which places of a kind meet the wishes about it."""
        matches = np.ones(len(self._rows.get(kind, ())), dtype=bool)
        for name, value in (wish for wish in wishes if about(wish, kind)):
            what = {"price": "price", "cuisine": "cuisine", "orientation": "oriented"}.get(name, "good")
            matches &= self._demands[kind].rows_meeting(what, value)
        return matches

    def lacking(self, days: int, wishes: Collection[Wish]) -> dict[str, dict[str, int]]:
        """Return the kinds of which too few places meet the wishes: nothing exactly if some plan meets them."""
        counts = {kind: int(self.matching(kind, wishes).sum()) for kind in ("restaurant", "attraction", "stay")}
        return {
            kind: {"matching": count, "needed": self.places_needed(kind, days)}
            for kind, count in counts.items()
            if count < self.places_needed(kind, days)
        }

    def pools(self, wishes: Collection[Wish]) -> dict[str, pd.DataFrame]:
        """Return, by kind, the places that meet the wishes about it, of which the solver makes plans.

        They can be told apart, and their price is known, which the solver counts whatever is wished.
        """
        return {
            kind: rows[self.matching(kind, wishes) & told_apart(rows) & rows["price_level"].notna()]
            .sort_values("place_id", kind="stable")
            .reset_index(drop=True)
            for kind, rows in self._rows.items()
        }


def smallest_clash(town: Town, record: Record) -> Clash | None:
    """Return a smallest set of the request's wishes that no plan meets, each needed; None where a plan meets all.

    The complete search over subsets, smallest first: a proper subset of what is found was looked at and can be met.
    """
    wishes = wishes_of(record)
    if not town.lacking(record["days"], wishes):
        return None
    for size in range(len(wishes) + 1):
        for some in combinations(wishes, size):
            lacking = town.lacking(record["days"], some)
            if lacking:
                return Clash(some, lacking)
    raise AssertionError("all wishes together clash, and no subset of them does")


def is_clash(town: Town, record: Record, clash: Sequence[Wish]) -> bool:
    """Return whether the clash's wishes are the request's own, clash, and each is needed for it."""
    if len(set(clash)) != len(clash) or not set(clash) <= set(wishes_of(record)):
        return False
    if not town.lacking(record["days"], clash):
        return False
    return not any(town.lacking(record["days"], [w for w in clash if w != one]) for one in clash)
