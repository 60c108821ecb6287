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


class Demands:
    """The pool's answers to single demands, each an array over its rows that is computed once."""

    def __init__(self, places: pd.DataFrame) -> None:
        self._places = places
        self._answers: dict[tuple[str, str], np.ndarray] = {}

    def rows_meeting(self, what: str, value: str) -> np.ndarray:
        """Return which rows meet a demand: `kind`, `price`, `cuisine`, being `good` in a value or `oriented` to it."""
        if (what, value) not in self._answers:
            self._answers[what, value] = self._answer(what, value).fillna(False).to_numpy(dtype=bool)
        return self._answers[what, value]

    def _answer(self, what: str, value: str) -> pd.Series:
        places = self._places
        if what == "kind":
            return places["kind"] == value
        if what == "price":
            return places["price_level"].isin(PRICES[value])
        if what == "cuisine":
            labels = US_CUISINE_LABELS if value == "US" else (value,)
            return places["cuisine_1"].isin(labels) | places["cuisine_2"].isin(labels)
        return places[value] >= {"good": MET_RATING, "oriented": MET_LEVEL}[what]

    def matching(self, kind: str, record: Record) -> np.ndarray:
        """Return which rows are of the kind and meet everything that the record asks of it."""
        demands_by_kind = {
            "stay": [("good", attribute) for attribute in record["hotel"]],
            "restaurant": [("cuisine", record["cuisine"]), *(("good", a) for a in record["restaurant"])],
            "attraction": [("oriented", record["orientation"])],
        }
        demands = [("kind", kind), ("price", record["price"]), *demands_by_kind[kind]]
        return np.logical_and.reduce([self.rows_meeting(what, value) for what, value in demands])
