"""Every reader on every other role's file: refused by name, unless both roles are of one format."""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from schemas.recipe import City
from schemas.recipe_values import Box
from schemas.source import SourceError
from sources.formats.unpacking import RawInput
from sources.invented.cities import world_cities
from sources.labelled.sentences import read_sentences
from sources.overture.places import read_places
from sources.prices.big_mac import read_big_mac
from sources.prices.world_bank import read_price_levels
from sources.registry import SOURCES
from sources.wikivoyage.listings import read_listings
from tests.hostile.readers import READERS
from tests.hostile.test_files import base_files
from tests.sources.conftest import given_file

Role = tuple[str, str]
Read = Callable[[RawInput, list[City], list[dict[str, str]]], Any]

MORE: dict[Role, Read] = {
    ("wikivoyage", "pages"): lambda file, cities, rejected: read_listings(file, cities[-1], rejected),
    ("overture", "places"): lambda file, cities, rejected: read_places(file, cities[-1], rejected),
    ("big_mac", "prices"): lambda file, _, rejected: read_big_mac(file, rejected),
    ("world_bank", "price_levels"): lambda file, _, rejected: read_price_levels(file, rejected),
    ("labelled", "train"): lambda file, _, __: read_sentences(file),
    ("labelled", "val"): lambda file, _, __: read_sentences(file),
}
ALL = READERS | MORE

ONE_FORMAT = [
    {("published", "queries"), ("published_queries", "queries")},
    {("gtfs", "feed"), ("gtfs", "long_distance")},
    {("labelled", "train"), ("labelled", "val")},
]
"""Roles of which a file of one is a file of the other."""

AROUND = City(city_id="xx-around", name="Around", country="XX", box=Box(south=0, west=0, north=2, east=2))
"""Where the small files below lie."""

NOT_HERE = {("invented", "truth")}
"""Read by tests alone."""


def small_files(folder: Path) -> dict[Role, Path]:
    """Return a small good file of each role that the invented world does not write."""
    text = {
        ("wikivoyage", "pages"): "==See==\n* {{see|name=Old Mill|lat=1|long=1|content=A mill.}}\n",
        ("big_mac", "prices"): "date,iso_a3,currency_code,name,local_price,dollar_ex\n2026-01-01,USA,USD,US,6,1\n",
        ("world_bank", "price_levels"): (
            '\ufeff"Data Source","World Development Indicators",\n\n'
            '"Country Name","Country Code","Indicator Name","Indicator Code","2022","2023",\n'
            '"Finland","FIN","Price level ratio","PA.NUS.PPPC.RF","0.9","0.91",\n'
        ),
        **{
            ("labelled", role): '<?xml version="1.0"?><sentences><sentence><text>Good soup.</text><aspectCategories>'
            '<aspectCategory category="food" polarity="positive"/></aspectCategories></sentence></sentences>'
            for role in ("train", "val")
        },
    }
    files = {}
    for (source, role), content in text.items():
        files[source, role] = folder / f"{source}.{role}.txt"
        files[source, role].write_text(content, encoding="utf-8")
    place = {"id": "08f", "geometry": b"\x01" + struct.pack("<Idd", 1, 0.5, 0.5), "names": {"primary": "Inn"},
             "categories": {"primary": "hotel", "alternate": None}, "confidence": 0.9}  # fmt: skip
    files["overture", "places"] = folder / "overture.parquet"
    pq.write_table(pa.Table.from_pylist([place]), files["overture", "places"])
    return files


@pytest.fixture(scope="module")
def files(tmp_path_factory) -> dict[Role, Path]:
    """Return a good file of every role."""
    folder = tmp_path_factory.mktemp("providers")
    return base_files(folder) | small_files(folder)


@pytest.fixture(scope="module")
def cities() -> list[City]:
    return [City(**city) for city in world_cities(4, 3)]


def test_every_role_has_a_reader_and_a_file(files):
    held = {(source.name, file.role) for source in SOURCES.values() for file in source.files} - NOT_HERE
    tables = {("published", role) for role in ("hotels", "attractions", "evals")}
    assert set(ALL) == set(files)
    assert {(s, r) for s, r in held if (s, r) not in ALL} <= tables  # read as their neighbours are


@pytest.mark.parametrize("role", sorted(ALL), ids=".".join)
def test_the_file_of_another_role_is_refused_by_name(role, files, cities):
    same = set().union(*(group for group in ONE_FORMAT if role in group)) | {role}
    rejected: list[dict[str, str]] = []
    source, name = role
    own = replace(given_file(files[role], source, name), max_unreadable=1.0)
    assert ALL[role](own, [*cities, AROUND], rejected) or rejected, "its own file is read"
    taken = []
    for other, path in files.items():
        if other in same:
            continue
        try:
            found = ALL[role](given_file(path, source, name, f"{'.'.join(other)}.file"), cities, [])
        except SourceError as error:
            assert f"{'.'.join(other)}.file" in str(error)
            assert "expected" in str(error).lower()
        else:
            taken.append((".".join(other), len(found)))
    assert taken == []
