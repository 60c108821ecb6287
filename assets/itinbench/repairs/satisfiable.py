"""Which of all records the pool can satisfy, strictly: the places of a whole trip, none used for two things."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from assets.itinbench.candidates import Demands
from assets.itinbench.repairs.space import HOTEL_SETS, RESTAURANT_SETS, Cell
from assets.itinbench.section import DAYS
from assets.itinbench.tables import CUISINES, PRICES
from schemas.reviews import ATTRACTION_ORIENTATIONS

MEALS_A_DAY = 3
VISITS_A_DAY = 4
STAYS = 1
"""A plan has three meals and four visits a day and one stay (facts, 2.D)."""


@dataclass(frozen=True)
class Feasibility:
    """What the pool can satisfy: an array over all records, and the numbers of matching places behind it."""

    satisfiable: np.ndarray  # bool, over all records
    restaurants: np.ndarray  # matching places by price, cuisine, restaurant preferences
    attractions: np.ndarray  # by price, orientation
    stays: np.ndarray  # by price, hotel preferences

    def shortfall(self, cell: Cell) -> str:
        """Return in words what the pool lacks for the record; empty if it is satisfiable."""
        if self.satisfiable[cell]:
            return ""
        days, price, orientation, cuisine, restaurant, hotel = cell
        counts = (
            (int(self.restaurants[price, cuisine, restaurant]), MEALS_A_DAY * DAYS[days], "matching restaurants"),
            (int(self.attractions[price, orientation]), VISITS_A_DAY * DAYS[days], "matching attractions"),
            (int(self.stays[price, hotel]), STAYS, "matching stays"),
        )
        lacking = [f"{count} {what}, {needed} needed" for count, needed, what in counts if count < needed]
        return "; ".join(lacking) or "enough of each kind, but too many places are needed for two of them"


def feasibility(places: pd.DataFrame) -> Feasibility:
    """Return what the pool of one city can satisfy.

    A record is satisfiable if its trip's meals (3 a day), visits (4 a day) and stay can all be given places that meet
    every demand, no place used twice. For places in one table only, that is having enough of each kind. A place in two
    tables may serve once, so by Hall's theorem (1935) the trip also needs enough places in the union of every two and
    of all three kinds; that is exact, since the places wanted of one kind are interchangeable.
    """
    ids, place = np.unique(places["place_id"].to_numpy(dtype=str), return_inverse=True)

    demands = Demands(places)

    def members(kind: str, price: str, what: str, *values: str) -> np.ndarray:
        """Return which places are of the kind, within the price and meet the demand for every value."""
        conditions = [("kind", kind), ("price", price), *((what, value) for value in values)]
        membership = np.zeros(len(ids), dtype=np.int32)
        membership[place[np.logical_and.reduce([demands.rows_meeting(*demand) for demand in conditions])]] = 1
        return membership

    good = np.array([[members("restaurant", p, "good", *s) for s in RESTAURANT_SETS] for p in PRICES])
    cuisine = np.array([[members("restaurant", p, "cuisine", c) for c in CUISINES] for p in PRICES])
    restaurants = cuisine[:, :, None] * good[:, None]
    attractions = np.array([[members("attraction", p, "oriented", o) for o in ATTRACTION_ORIENTATIONS] for p in PRICES])
    stays = np.array([[members("stay", p, "good", *s) for s in HOTEL_SETS] for p in PRICES])
    satisfiable = np.array(
        [
            [_satisfiable_records(days, restaurants[p], attractions[p], stays[p]) for p in range(len(PRICES))]
            for days in DAYS
        ]
    )
    return Feasibility(satisfiable, restaurants.sum(-1), attractions.sum(-1), stays.sum(-1))


def _satisfiable_records(days: int, restaurants: np.ndarray, attractions: np.ndarray, stays: np.ndarray) -> np.ndarray:
    """Return, for one length and price, what is satisfiable by orientation, cuisine, restaurant and hotel preferences.

    The inputs say which places match: (cuisine, preferences, place), (orientation, place) and (preferences, place).
    """
    meals, visits = MEALS_A_DAY * days, VISITS_A_DAY * days
    in_two = (restaurants.any((0, 1)).astype(int) + attractions.any(0) + stays.any(0)) > 1
    r, a, s = restaurants.sum(-1)[None, :, :, None], attractions.sum(-1)[:, None, None, None], stays.sum(-1)
    restaurants, attractions, stays = restaurants[..., in_two], attractions[..., in_two], stays[..., in_two]
    ra = np.einsum("oi,cri->ocr", attractions, restaurants)[..., None]
    rs = np.einsum("cri,hi->crh", restaurants, stays)[None]
    as_ = np.einsum("oi,hi->oh", attractions, stays)[:, None, None, :]
    ras = np.einsum("oi,cri,hi->ocrh", attractions, restaurants, stays)
    return (
        (r >= meals)
        & (a >= visits)
        & (s >= STAYS)
        & (r + a - ra >= meals + visits)
        & (r + s - rs >= meals + STAYS)
        & (a + s - as_ >= visits + STAYS)
        & (r + a + s - ra - rs - as_ + ras >= meals + visits + STAYS)
    )
