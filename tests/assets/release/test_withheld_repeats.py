"""A public edition does not say in other places what it withholds."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from assets.families import all_tables
from assets.release.licences import BIT
from assets.release.withheld_repeats import FEWEST, repeats, said_as_ours, withheld_texts
from pipelines.walk.build import built_tables
from schemas.counts import counted
from schemas.table import Field, Table
from warehouse.home import Home


class Shop(Table):
    """A shop."""

    shop_id: str = Field("Which.", key=True, holds="ours")
    name: str = Field("Its name.")
    kind: str = Field("What it is.")
    lat: float = Field("Latitude.")
    stars: float = Field("Stars.")


NAMES = ("Zandoggin Street Thai", "Old Mill Museum", "Riverside Inn", "Philadelphia", "Hav")
ROWS = pa.table(
    {
        "shop_id": [str(n) for n in range(5)],
        "name": list(NAMES),
        "kind": ["restaurant"] * 5,
        "lat": [40.1234567 + n for n in range(5)],
        "stars": [3.5, 4.5, 3.5, 2.5, 1.5],
    }
)
FILES = {"shop.parquet": (Shop, ROWS)}
YELP, FREE = (np.full(5, BIT[name], dtype=np.int64) for name in ("LicenseRef-Yelp", "CC0-1.0"))
WITHHELD = withheld_texts(FILES, {"shop.parquet": YELP})


def test_what_tells_rows_apart_is_looked_for_and_what_may_be_shared_is_not():
    assert set(WITHHELD) == {*(name.casefold() for name in NAMES[:4]), *(40.1234567 + n for n in range(5))}
    assert WITHHELD["riverside inn"] == "shop.name"
    assert withheld_texts(FILES, {"shop.parquet": FREE}) == {}


@pytest.mark.parametrize(
    ("said", "place"),
    [
        ([{"name": name} for name in NAMES], "manifest.json measures/[]/name"),
        ([f"{name}, of 3 stars." for name in NAMES], "manifest.json measures/[]"),
        ([f"We ate at “{name}”!" for name in NAMES], "manifest.json measures/[]"),
        ([{"by": {f"{name.upper()} (closed)": 1}} for name in NAMES], "manifest.json measures"),
        ([name.lower() for name in NAMES], "manifest.json measures/[]"),
        ([40.1234567, 41.1234567, 42.1234567], "manifest.json measures/[]"),
    ],
)
def test_names_and_positions_that_stand_elsewhere_are_told(said, place):
    (problem,) = repeats([("manifest.json measures", said)], WITHHELD)
    assert problem.startswith(f"{place}: says {counted(len(said) - isinstance(said[0], str | dict), 'value')} again")


class Street(Table):
    """A street, by no record: nothing but its declaration says what it holds."""

    street_id: str = Field("Which.", key=True)
    label: str = Field("What it is called.", holds="ours")
    near: list[str] = Field("What lies in it.", holds="ours")


@pytest.mark.parametrize("column", ["label", "near"])
def test_names_that_a_table_without_records_declares_to_be_ours_are_told(column):
    rows = {"street_id": ["1", "2", "3"], "label": ["a", "b", "c"], "near": [["a"], ["b"], ["c"]]}
    rows[column] = [[name] for name in NAMES[:3]] if column == "near" else list(NAMES[:3])
    (problem,) = repeats(said_as_ours({"street.parquet": (Street, pa.table(rows))}), WITHHELD)
    assert problem.startswith(f"street.parquet {column}/[]") and "says 3 values again" in problem


def test_a_few_that_are_words_by_chance_are_not():
    few = ["Philadelphia in spring", "Riverside Inn"] * FEWEST
    assert repeats([("x", few), ("y", ["Old Mill Museums", "xOld Mill Museum", 3.5, 40.1, None, True])], WITHHELD) == []


def test_no_table_of_ours_says_in_its_ids_what_it_has_withheld(small_world):
    """A family may release any of them: its edition would be refused for a table that it did not declare."""
    home = Home(str(small_world.home))
    tables = {table.table_name(): table for table in all_tables()}
    looked_at = set()
    for name, _, version in built_tables(home, small_world.recipe):
        rows = home.tables.read(version)
        if not rows.num_rows or name not in tables:
            continue
        files = {f"{name}.parquet": (tables[name], rows)}
        unverified = np.full(rows.num_rows, BIT["LicenseRef-unverified"], dtype=np.int64)
        assert repeats(said_as_ours(files), withheld_texts(files, {f"{name}.parquet": unverified})) == []
        looked_at.add(name)
    assert {"flight", "place", "stop", "stay", "event"} <= looked_at
