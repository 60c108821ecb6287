"""Preference completeness: how much of the users' tables the agent's own table holds (published benchmarks, 3.F)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from assets.grouptravel.variants import Variant
from assets.grouptravel.wishes.preferences import FIELDS, Field, cities_of, get, unwrapped


@dataclass(frozen=True)
class Completeness:
    """Counts behind the shares: wanted items found, items wanted, stated items that are right, items stated."""

    collected: int
    possible: int
    right: int
    stated: int

    @property
    def recall(self) -> float:
        """Return the share of the reference that was found; 1 where there is none."""
        return self.collected / self.possible if self.possible else 1.0

    @property
    def precision(self) -> float:
        """Return the share of what was stated that is right; 1 where nothing was stated."""
        return self.right / self.stated if self.stated else 1.0

    @property
    def f1(self) -> float:
        """Return the harmonic mean of recall and precision; 0 where both are 0."""
        both = self.recall + self.precision
        return 2 * self.recall * self.precision / both if both else 0.0

    @property
    def percent(self) -> float:
        """Return PC, the recall in percent with two decimals."""
        return round(100 * self.recall, 2)


def completeness(stated: Any, reference: Mapping[str, Any], variant: Variant) -> Completeness:
    """Return how the agent's tables, by user, compare with the effective ones. Nothing stated is an error.

    List items count by exact text, caps by equality; a reference cap of 0 or null is none. Ours counts an item once
    however often it stands in a list, and holds against precision whatever is stated of users, cities and fields that
    the reference leaves empty: padding is not free (G8).
    """
    tables = stated if isinstance(stated, Mapping) else {}
    users = (
        [*reference, *(user for user in tables if user not in reference)]
        if variant.precision_of_everything
        else reference
    )
    collected = possible = right = n_stated = 0
    for user in users:
        reference_table, stated_table = unwrapped(reference.get(user, {})), unwrapped(tables.get(user, {}))
        for field in FIELDS:
            for city in _cities(reference_table, stated_table, field, variant):
                counts = _compare(get(stated_table, field, city), get(reference_table, field, city), field, variant)
                collected, possible = collected + counts[0], possible + counts[1]
                right, n_stated = right + counts[2], n_stated + counts[3]
    return Completeness(collected, possible, right, n_stated)


def _cities(reference: Any, stated_table: Any, field: Field, variant: Variant) -> tuple[str, ...]:
    if not field.per_city:
        return ("",)
    extra = (city for city in cities_of(stated_table) if city not in cities_of(reference))
    return (*cities_of(reference), *extra) if variant.precision_of_everything else cities_of(reference)


def _compare(stated_value: Any, reference: Any, field: Field, variant: Variant) -> tuple[int, int, int, int]:
    """Return collected, possible, right and stated of one field."""
    if not reference and not variant.precision_of_everything:
        return 0, 0, 0, 0
    if not field.is_list:
        # The released reader takes a cap that is absent for 0, and 0 for stated.
        stated = bool(stated_value) if variant.precision_of_everything else True
        equal = bool(reference) and type(stated_value) is not bool and stated_value == reference
        return int(equal), int(bool(reference)), int(equal), int(stated)
    have = stated_value if isinstance(stated_value, list) else []
    want = reference if isinstance(reference, list) else []
    if variant.precision_of_everything:
        have, want = _distinct(have), _distinct(want)
    hits = sum(item in want for item in have)
    # The released code goes through the rounded share: 100 * (hits / n) can fall below hits.
    right = hits if variant.precision_of_everything or not have else int(hits / len(have) * len(have))
    return sum(item in have for item in want), len(want), right, len(have)


def _distinct(items: list[Any]) -> list[Any]:
    """Return each item once; what is no text, and no reference holds, is told apart as JSON tells it."""
    return list({item if isinstance(item, str) else (json.dumps(item),): item for item in items}.values())
