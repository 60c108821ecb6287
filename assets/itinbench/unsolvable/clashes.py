"""Which wishes of a request clash: whether any plan meets a set of wishes, proved twice, and smallest sets that clash.

A plan needs three meals and four visits a day, all distinct, and one stay. No place is of two kinds, so a plan exists
exactly if of each kind enough places meet the wishes about it: both directions are a choice of distinct places. The
first proof counts by the draft's reading of the pool, the second seeks a matching of slots with places by the scorer's.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from assets.core.claims import Wish
from assets.itinbench.baseline import DAY
from assets.itinbench.candidates import Demands
from assets.itinbench.checks.plans import MEALS
from assets.itinbench.checks.ratios import Pool
from assets.itinbench.tables import Record
from assets.itinbench.unsolvable.claims import about

NEEDED = {"restaurant": 3, "attraction": 4}
"""Places a day of the trip needs; the stay is one for the trip (facts, 2.D)."""


def wishes_of(record: Record) -> tuple[Wish, ...]:
    """Return what a request asks for, each wish by itself; its length is no wish but how much is needed."""
    single = [(name, record[name]) for name in ("price", "orientation", "cuisine")]
    return (*single, *(("restaurant", v) for v in record["restaurant"]), *(("hotel", v) for v in record["hotel"]))


@dataclass(frozen=True)
class Clash:
    """A smallest set of wishes that no plan meets, and what the pool lacks: {kind: {"matching", "needed"}}."""

    wishes: tuple[Wish, ...]
    lacking: dict[str, dict[str, int]]


class Town:
    """The pool of one city, read by both sides. Raises ValueError for a place of two kinds: counting is no proof."""

    def __init__(self, places: pd.DataFrame) -> None:
        if places["place_id"].duplicated().any():
            raise ValueError("a place of the pool is of two kinds; the proof by counting needs each to be of one")
        self.places = places
        self._rows = {kind: rows.reset_index(drop=True) for kind, rows in places.groupby("kind")}
        self._demands = {kind: Demands(rows) for kind, rows in self._rows.items()}
        self._scorer = Pool(places)

    def needed(self, kind: str, days: int) -> int:
        """Return how many distinct places of a kind a trip needs."""
        return NEEDED.get(kind, 0) * days or 1

    def matching(self, kind: str, wishes: Collection[Wish]) -> np.ndarray:
        """Return, by the draft's reading, which places of a kind meet the wishes about it."""
        met = np.ones(len(self._rows.get(kind, ())), dtype=bool)
        for name, value in (wish for wish in wishes if about(wish, kind)):
            what = {"price": "price", "cuisine": "cuisine", "orientation": "oriented"}.get(name, "good")
            met &= self._demands[kind].met(what, value)
        return met

    def lacking(self, days: int, wishes: Collection[Wish]) -> dict[str, dict[str, int]]:
        """Return the kinds of which too few places meet the wishes: nothing exactly if some plan meets them."""
        counts = {kind: int(self.matching(kind, wishes).sum()) for kind in ("restaurant", "attraction", "stay")}
        return {
            kind: {"matching": count, "needed": self.needed(kind, days)}
            for kind, count in counts.items()
            if count < self.needed(kind, days)
        }

    def has_matching(self, record: Record, wishes: Collection[Wish]) -> bool:
        """Return, by the scorer's reading and a search for a matching, whether some plan meets the wishes."""
        from scipy.sparse import csr_matrix
        from scipy.sparse.csgraph import maximum_bipartite_matching

        for kind in ("restaurant", "attraction", "stay"):
            slots = self.needed(kind, record["days"])
            rows = self._rows.get(kind)
            fits = [] if rows is None else [self._fits(kind, str(p), record, wishes) for p in rows["place_id"]]
            if not fits:
                return False
            matched = maximum_bipartite_matching(csr_matrix(np.tile(np.array(fits, dtype=np.int8), (slots, 1))))
            if int((matched >= 0).sum()) < slots:
                return False
        return True

    def plan(self, days: int, wishes: Collection[Wish]) -> dict[str, Any]:
        """Return a plan that meets the wishes; its tours are whatever they are. Raises ValueError if there is none."""
        if self.lacking(days, wishes):
            raise ValueError("no plan meets these wishes")
        free = {kind: self._named(kind, wishes) for kind in ("restaurant", "attraction", "stay")}
        stay = next(free["stay"])
        itinerary = []
        for number in range(days):
            day: dict[str, Any] = {"days": str(number + 1)}
            for slot, count in DAY:
                taken = [next(free["restaurant" if slot in MEALS else "attraction"]) for _ in range(count)]
                day[slot] = taken[0] if slot in MEALS else taken
            itinerary.append({**day, "accommodation": stay})
        return {"itinerary": itinerary}

    def _named(self, kind: str, wishes: Collection[Wish]) -> Iterator[dict[Any, Any]]:
        rows = self._rows[kind][self.matching(kind, wishes)].sort_values("place_id")
        yield from rows[["name", "address"]].to_dict("records")

    def _fits(self, kind: str, place_id: str, record: Record, wishes: Collection[Wish]) -> bool:
        told = {
            "price": lambda _: self._scorer.fits_price(kind, place_id, record),
            "orientation": lambda _: self._scorer.fits_orientation(place_id, record),
            "cuisine": lambda _: self._scorer.fits_cuisine(place_id, record),
        }
        return all(
            told.get(name, lambda value: self._scorer.fits_rating(kind, place_id, value))(value)
            for name, value in wishes
            if about((name, value), kind)
        )


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


def is_clash(town: Town, record: Record, named: Sequence[Wish]) -> bool:
    """Return whether the wishes named are the request's own, clash, and each is needed for it."""
    if len(set(named)) != len(named) or not set(named) <= set(wishes_of(record)):
        return False
    if not town.lacking(record["days"], named):
        return False
    return not any(town.lacking(record["days"], [w for w in named if w != one]) for one in named)
