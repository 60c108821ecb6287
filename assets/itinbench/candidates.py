"""Which places of the pool a record's demands admit: strict, every demand met, unknown prices and ratings meet nothing.

This is the draft's side of the rules. The scorer reads them on its own (`ratios.py`), so that it can contradict this.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from assets.itinbench.tables import PRICES, US_CUISINE_LABELS, Record

MET_RATING = 4
"""A preference is met by good (4) or excellent (5) (facts, 2.D)."""

MET_LEVEL = 2
"""An orientation is met by medium (2) or high (3) (facts, 2.D)."""


def within_price(places: pd.DataFrame, price: str) -> np.ndarray:
    """Return which places have a price level that the budget word admits."""
    return places["price_level"].isin(PRICES[price]).to_numpy(dtype=bool)


def serves(places: pd.DataFrame, cuisine: str) -> np.ndarray:
    """Return which places carry the cuisine as their first or second label; `US` is any American one."""
    labels = US_CUISINE_LABELS if cuisine == "US" else (cuisine,)
    return (places["cuisine_1"].isin(labels) | places["cuisine_2"].isin(labels)).to_numpy(dtype=bool)


def at_least(places: pd.DataFrame, column: str, least: int) -> np.ndarray:
    """Return which places have a rating or level of at least so much in the column."""
    return places[column].ge(least).fillna(False).to_numpy(dtype=bool)


def candidates(places: pd.DataFrame, record: Record) -> dict[str, pd.DataFrame]:
    """Return, by kind, the places that meet everything the record asks of that kind, ordered by place_id."""
    found = {}
    for kind, wanted in (
        ("stay", [at_least(places, a, MET_RATING) for a in record["hotel"]]),
        (
            "restaurant",
            [serves(places, record["cuisine"]), *(at_least(places, a, MET_RATING) for a in record["restaurant"])],
        ),
        ("attraction", [at_least(places, record["orientation"], MET_LEVEL)]),
    ):
        met = np.logical_and.reduce([of_kind(places, kind), within_price(places, record["price"]), *wanted])
        found[kind] = places.loc[met].sort_values("place_id", kind="stable")
    return found


def of_kind(places: pd.DataFrame, kind: str) -> np.ndarray:
    """Return which rows of the pool are of the kind."""
    return (places["kind"] == kind).to_numpy(dtype=bool)
