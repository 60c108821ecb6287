"""A small invented town: the pool, record and plans that the tests of solver, certification and scoring share."""

from __future__ import annotations

import copy
from functools import cache
from typing import Any, cast

import pandas as pd

from assets.family import Solved
from assets.itinbench.solver import solve
from assets.itinbench.tables import ItinbenchPlace, Record
from assets.itinbench.world import World
from schemas.reviews import TagRating

RECORD: Record = {
    "days": 2,
    "price": "moderate",
    "orientation": "history",
    "cuisine": "Thai",
    "restaurant": ["flavor", "value"],
    "hotel": ["safety"],
}

NO_TAGS = TagRating.frame(TagRating.arrow_schema().empty_table())
"""What the tags of no map say."""

LUNCH_AND_DINNER = ["lunch", "dinner"]


def asks(record: Record, **values: Any) -> Record:
    """Return the record with other values."""
    return cast(Record, {**record, **values})


def place(place_id: str, kind: str, lat: float, lon: float, **values: Any) -> dict[str, Any]:
    """Return a pool row that meets RECORD in everything, but for the values given."""
    row: dict[str, Any] = dict.fromkeys(column.name for column in ItinbenchPlace.columns())
    row |= {"city_id": "xx-town", "place_id": place_id, "kind": kind, "native_id": place_id, "lat": lat, "lon": lon}
    row |= {"name": f"The {place_id} house", "address": f"{abs(hash_free(place_id))} Main St", "stars": 4.0}
    row |= {"price_level": 2, "cuisine_1": "", "cuisine_2": "", "meals": [], "source_rows": [], "generation_ids": []}
    if kind == "restaurant":
        row |= {"cuisine_1": "Thai", "flavor": 4, "value": 5, "freshness": 1, "service": 2, "environment": 3}
        row |= {"meals": LUNCH_AND_DINNER}
    elif kind == "stay":
        row |= {"quality": 1, "location": 2, "service": 3, "safety": 4}
    else:
        row |= {"family": 0, "history": 2, "activity": 1, "nature": 0, "food": 0, "shopping": 0}
    return row | values


def hash_free(text: str) -> int:
    """Return a house number that depends on the text alone."""
    return sum(ord(c) * 31**i for i, c in enumerate(text)) % 9000 + 100


def frame(rows: list[dict[str, Any]]) -> pd.DataFrame:
    """Return the rows as the pool's frame, with nullable whole numbers."""
    found = pd.DataFrame(rows, columns=[column.name for column in ItinbenchPlace.columns()])
    whole = [c.name for c in ItinbenchPlace.columns() if c.type is int]
    return found.astype(dict.fromkeys(whole, "Int64"))


def town_rows() -> list[dict[str, Any]]:
    """Return 2 stays, 9 restaurants (2 that serve breakfast) and 10 attractions that meet RECORD."""
    spots = [(0, 0), (3, 1), (1, 7), (9, 2), (4, 4), (8, 8), (2, 3), (7, 5), (5, 9), (6, 0)]
    rows = [place(f"s{i}", "stay", 40 + i / 700, -75 - i / 900) for i in range(2)]
    rows += [
        place(f"r{i}", "restaurant", 40 + x / 1000, -75 + y / 1000, meals=["brunch"] if i < 2 else LUNCH_AND_DINNER)
        for i, (y, x) in enumerate(spots[:9])
    ]
    rows += [place(f"a{i}", "attraction", 40 + x / 990, -75 + y / 1010) for i, (x, y) in enumerate(spots)]
    return rows


def town() -> pd.DataFrame:
    """Return the town's pool."""
    return frame(town_rows())


def world_tables(places: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Return the tables of a world of these places, of which no map's tags say anything."""
    return {ItinbenchPlace.table_name(): places, TagRating.table_name(): NO_TAGS}


@cache
def solved() -> Solved:
    """Return the town's witness and its proof."""
    found = solve("t1", RECORD, World(town()))
    assert isinstance(found, Solved)
    return found


def witness() -> dict[str, Any]:
    """Return the town's witness plan, as a plan line that may be changed."""
    return {"task_id": "t1", "plan": copy.deepcopy(solved().plan)}
