"""The space of all records as one array, and the distance between two records: how many edits apart they are.

Arrays over records have the shape (days, price, orientation, cuisine, restaurant preferences, hotel preferences);
preferences are sets, so their axes run over all sets of one to three attributes (25 and 14): 264,600 records.
"""

from __future__ import annotations

from functools import reduce
from itertools import combinations

import numpy as np

from assets.itinbench.section import COUNTS, DAYS
from assets.itinbench.tables import CUISINES, PRICES, Record
from schemas.reviews import ATTRACTION_ORIENTATIONS, RESTAURANT_ATTRIBUTES, STAY_ATTRIBUTES


def _sets(attributes: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    return tuple(subset for count in COUNTS for subset in combinations(attributes, count))


RESTAURANT_SETS = _sets(RESTAURANT_ATTRIBUTES)
HOTEL_SETS = _sets(STAY_ATTRIBUTES)
SCALARS = ("days", "price", "orientation", "cuisine")
FIELDS = (*SCALARS, "restaurant", "hotel")
VALUES: dict[str, tuple] = {
    "days": DAYS,
    "price": tuple(PRICES),
    "orientation": ATTRACTION_ORIENTATIONS,
    "cuisine": CUISINES,
    "restaurant": RESTAURANT_SETS,
    "hotel": HOTEL_SETS,
}
"""What each field of a record may be, in the order of its axis."""

SHAPE = tuple(len(VALUES[field]) for field in FIELDS)

Cell = tuple[int, int, int, int, int, int]
"""A record as its place in the array."""


def cell_of(record: Record) -> Cell:
    """Return the record's place in the array. The order in which it states its preferences does not matter."""
    scalars = [VALUES[field].index(record[field]) for field in SCALARS]
    restaurant = RESTAURANT_SETS.index(tuple(a for a in RESTAURANT_ATTRIBUTES if a in record["restaurant"]))
    hotel = HOTEL_SETS.index(tuple(a for a in STAY_ATTRIBUTES if a in record["hotel"]))
    return (scalars[0], scalars[1], scalars[2], scalars[3], restaurant, hotel)


def cell_at(flat: int) -> Cell:
    """Return the place in the array that a flat position means."""
    days, price, orientation, cuisine, restaurant, hotel = (int(i) for i in np.unravel_index(flat, SHAPE))
    return (days, price, orientation, cuisine, restaurant, hotel)


def record_at(cell: Cell, near: Record) -> Record:
    """Return the record at a place of the array; preferences shared with `near` keep its order and come first."""
    restaurant, hotel = RESTAURANT_SETS[cell[4]], HOTEL_SETS[cell[5]]
    return Record(
        days=DAYS[cell[0]],
        price=VALUES["price"][cell[1]],
        orientation=ATTRACTION_ORIENTATIONS[cell[2]],
        cuisine=CUISINES[cell[3]],
        restaurant=_in_order(restaurant, near["restaurant"]),
        hotel=_in_order(hotel, near["hotel"]),
    )


def _in_order(attributes: tuple[str, ...], near: list[str]) -> list[str]:
    return [a for a in near if a in attributes] + [a for a in attributes if a not in near]


def _edits_between(sets: tuple[tuple[str, ...], ...]) -> np.ndarray:
    """Edits between two sets: adding, dropping or exchanging one preference is one edit."""
    return np.array([[max(len(set(a) - set(b)), len(set(b) - set(a))) for b in sets] for a in sets], dtype=np.int8)


EDITS: tuple[np.ndarray, ...] = (
    *((1 - np.eye(len(VALUES[field]), dtype=np.int8)) for field in SCALARS),
    _edits_between(RESTAURANT_SETS),
    _edits_between(HOTEL_SETS),
)
"""For each field, the edits between any two of its values; another length, price, orientation or cuisine is one."""


def edits_from(cell: Cell) -> np.ndarray:
    """Return the number of edits from one record to every other, as an array over all records."""
    *scalars, restaurant, hotel = (edits[position] for position, edits in zip(cell, EDITS, strict=True))
    # Two long rows added to each other, not many short ones: several times as fast.
    first, last = reduce(np.add.outer, scalars), np.add.outer(restaurant, hotel)
    return np.add.outer(first.ravel(), last.ravel()).reshape(SHAPE)
