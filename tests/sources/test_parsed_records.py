"""Every row of every reader, read again from its record alone, is the same row in every column."""

from __future__ import annotations

import csv
import gzip
import io
import json
import zipfile
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from schemas.recipe import City
from schemas.recipe_values import Box
from sources import invented
from sources.airbnb.listings import read_stays
from sources.corrections.overrides import read_corrections
from sources.events.listings import read_events
from sources.flights import bts
from sources.flights.values import code_text
from sources.formats.unpacking import RawInput
from sources.group.climate import read_climate
from sources.group.lists import read_fares, read_pois, read_profiles
from sources.gtfs.feed import Feed
from sources.gtfs.reader import read_stops
from sources.invented.world import TRIP_DATES
from sources.locate import ROWS, parsed_records
from sources.numbeo.prices import read_prices
from sources.openflights.airports import read_airports
from sources.osm import extract as osm
from sources.published import itinbench, queries, travelplanner
from sources.registry import SOURCES
from sources.tripadvisor.places import read_places
from sources.yelp.businesses import read_businesses, read_fusion
from sources.yelp.reviews import read_reviews
from tests.sources.conftest import given_file

CITIES, SEED = 4, 7

NOT_RELEASED = {("travelplanner", "ref_info"), ("invented", "truth")}
"""Roles whose rows enter no table: what is inspected, what is only measured against, what no step reads."""


WITHOUT_ONE = {
    *(("world_bank", "price_levels"), ("big_mac", "prices")),
    *(("labelled", "train"), ("labelled", "val")),
}
"""Roles whose rows enter tables and that have no reading of their own yet; an audit shows their text."""


@pytest.fixture(scope="module")
def cities() -> list[City]:
    """Return the invented world's cities."""
    return [City(**{**row, "box": Box(**row["box"])}) for row in invented.world_cities(CITIES, SEED)]


@pytest.fixture(scope="module")
def world(tmp_path_factory) -> dict[tuple[str, str], list[RawInput]]:
    """Return the invented world's files by provider and role."""
    files = invented.generate(tmp_path_factory.mktemp("world"), cities=CITIES, scale=0.15, seed=SEED)
    return {
        (provider, role): [replace(given_file(path, provider, role), max_unreadable=1.0) for path in paths]
        for provider, roles in files.items()
        for role, paths in roles.items()
    }


def every_review(file: RawInput, cities: list[City]) -> list[dict[str, Any]]:
    ids = sorted({json.loads(line)["business_id"] for line in file.path.read_bytes().splitlines() if is_review(line)})
    business = pa.table({"native_id": ids, "city_id": ["c"] * len(ids), "place_id": ids})
    rows = [row for block in read_reviews(file, business) for row in block.reviews.to_pylist()]
    return [{k: v for k, v in row.items() if k not in ("city_id", "place_id")} for row in rows]


def is_review(line: bytes) -> bool:
    try:
        return isinstance(json.loads(line).get("business_id"), str)
    except (ValueError, AttributeError):
        return False


def every_stop(file: RawInput, cities: list[City]) -> list[dict[str, Any]]:
    rows = read_stops(Feed(file, city_id="c", feed="f")).to_pylist()
    return [{k: v for k, v in row.items() if k not in ("city_id", "stop_id", "feed")} for row in rows]


def as_rows(batches: Any) -> list[dict[str, Any]]:
    rows = [
        dict(zip(batch, values, strict=True))
        for batch in batches
        for values in zip(*(column.tolist() for column in batch.values()), strict=True)
    ]
    assert rows
    return rows


def every_bts(file: RawInput, cities: list[City]) -> list[dict[str, Any]]:
    source, batches = bts.on_time(file)
    return [
        row | {k: code_text(row[k]) for k in bts.CODES} | {"source_rows": [source.pointer(row["record"])]}
        for row in as_rows(batches)
    ]


def every_travelplanner(file: RawInput, cities: list[City]) -> list[dict[str, Any]]:
    source, names, batches = travelplanner.flights(file)
    return [
        row
        | {k: names.names[row[k]] for k in ("origin_name", "dest_name")}
        | {"source_rows": [source.pointer(row["record"])]}
        for row in as_rows(batches)
    ]


READ: dict[tuple[str, str], Any] = {
    ("yelp", "business"): lambda f, _: [asdict(row) for row in read_businesses(f, [])],
    ("yelp", "fusion"): lambda f, _: [asdict(row) for row in read_fusion(f, [])],
    ("yelp", "review"): every_review,
    ("osm", "extract"): lambda f, cities: osm.read_places(f, cities, [])[0],
    ("gtfs", "feed"): every_stop,
    ("airbnb", "listings"): lambda f, cities: read_stays(f, cities, []),
    ("airbnb", "apify"): lambda f, cities: read_stays(f, cities, []),
    ("tripadvisor", "places"): lambda f, cities: read_places(f, cities, []),
    ("events", "discovery"): lambda f, cities: read_events(f, cities, TRIP_DATES, []),
    ("events", "apify"): lambda f, cities: read_events(f, cities, TRIP_DATES, []),
    ("bts", "on_time"): every_bts,
    ("travelplanner", "flights"): every_travelplanner,
    ("openflights", "airports"): lambda f, _: read_airports(f, []),
    ("numbeo", "prices"): lambda f, cities: read_prices(f, cities, []),
    ("group", "poi"): lambda f, cities: read_pois(f, cities, []),
    ("group", "fares"): lambda f, cities: read_fares(f, cities, []),
    ("group", "climate"): lambda f, cities: read_climate(f, cities, []),
    ("group", "profiles"): lambda f, _: read_profiles(f, []),
}


def locator(row: dict[str, Any]) -> str:
    pointer = row["source_row"] if "source_row" in row else row["source_rows"][0]
    return pointer.partition("#")[2]


def require_same(file: RawInput, rows: list[dict[str, Any]], cities: list[City], table: str = "") -> None:
    read = {locator(row): row for row in rows}
    again = parsed_records(file, read, cities=cities, window=TRIP_DATES, table=table)
    assert again == read


@pytest.mark.parametrize("provider_and_role", sorted(READ), ids=".".join)
def test_every_row_of_the_invented_world(world, cities, provider_and_role):
    counts = []
    for file in world[provider_and_role]:
        rows = READ[provider_and_role](file, cities)
        require_same(file, rows, cities)
        counts.append(len(rows))
    assert sum(counts) > 2 and all(counts), counts


def test_every_role_whose_rows_enter_tables_has_a_reading_of_its_own():
    roles = {(source.name, file.role) for source in SOURCES.values() for file in source.files}
    assert set(ROWS) == roles - NOT_RELEASED - WITHOUT_ONE
    assert set(READ) <= set(ROWS)


def test_a_role_of_which_nothing_is_released_is_refused(given_bytes):
    with pytest.raises(ValueError, match=r"no row is read from the files of invented.truth"):
        parsed_records(given_bytes("{}", "invented", "truth"), ["L1"])


def test_stops_of_a_map(world, cities):
    for file in world["osm", "extract"]:
        rows = osm.read_stops(file, "c", [])
        assert len(rows) > 5
        require_same(file, [{k: v for k, v in row.items() if k != "city_id"} for row in rows], cities, "stop")


@pytest.mark.parametrize("form", ["csv", "gzip", "zip"])
def test_flights_of_either_style_packed_or_not(given_bytes, form):
    rows = [
        {"FL_DATE": f"2/{day}/2021 12:00:00 AM", "OP_UNIQUE_CARRIER": "9E", "OP_CARRIER_FL_NUM": str(day),
         "ORIGIN": "OMA", "DEST": "ORD", "DEP_TIME": f"0{day}05", "AIR_TIME": "61.00", "DISTANCE": "416.00",
         "CANCELLED": "1.00" if day == 3 else "0.00", "NOTE": 'a "b", c\nd'}
        for day in range(1, 10)
    ]  # fmt: skip
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, list(rows[0]))
    writer.writeheader()
    writer.writerows(rows)
    content = text.getvalue().encode()
    if form == "zip":
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as archive:
            archive.writestr("folder/month.csv", content)
        content = packed.getvalue()
    file = given_bytes(gzip.compress(content) if form == "gzip" else content, "bts", "on_time")
    read = {locator(row): row for row in every_bts(file, [])}
    assert len(read) == 8
    again = parsed_records(file, [*read, "R3", "folder/month.csv:3", "R99"])
    assert again == read


def test_published_tables_and_queries(given_bytes):
    place = {
        "business_id": "b1", "name": "Inn", "latitude": 39.9, "longitude": -75.1, "price": "$$", "address": "1 A St",
        **{key: f"good {key}" for key in ("location", "service", "safety", "quality")}, "stars": 4,
    }  # fmt: skip
    lines = "".join(json.dumps(place | {"business_id": f"b{n}", "name": f"Inn {n}"}) + "\n" for n in range(4))
    file = given_bytes(lines, "published", "hotels")
    require_same(file, [asdict(row) for row in itinbench.read_places(file, [])], [])
    for role, key, value in (("evals", "eval_info", {"a": 1}), ("queries", "query", "Plan a day")):
        file = given_bytes("".join(json.dumps({"index": n, key: value}) + "\n" for n in range(3)), "published", role)
        rows = list(itinbench.read_records(file, []))
        assert len(rows) == 3
        require_same(file, rows, [])
    file = given_bytes('{"query": "one"}\nno\n{"query": "two"}\n', "published_queries", "queries")
    asked = [query.pointer.partition("#")[2] for query in queries.read_queries(file, [])]
    assert parsed_records(file, asked) == {
        at: {"text": text, "pointer": file.snapshot.pointer(at)} for at, text in (("L1", "one"), ("L3", "two"))
    }


FUSION = {"id": "b1", "price": "$$", "categories": [{"title": "Cafes"}]}


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(FUSION),
        json.dumps([FUSION, FUSION]),
        json.dumps({"businesses": [FUSION, FUSION]}),
        json.dumps({"businesses": [FUSION, FUSION]}, indent=1),
        json.dumps([FUSION], indent=1),
        json.dumps({"businesses": [FUSION]}) + "\n" + json.dumps(FUSION) + "\n",
    ],
)
def test_saved_answers_of_every_form(given_bytes, text):
    file = given_bytes(text, "yelp", "fusion")
    rows = [asdict(row) for row in read_fusion(file, [])]
    assert rows
    require_same(file, rows, [])


def test_a_correction(given_bytes):
    text = '[[correction]]\nrow = "a/b"\nfield = "price"\nvalue = 120\nwho = "R"\nmade_on = 2026-11-21\nwhy = "w"\n'
    file = given_bytes(text * 2, "corrections", "overrides")
    with pytest.raises(ValueError, match="twice"):
        read_corrections(file)
    file = given_bytes(text, "corrections", "overrides")
    assert parsed_records(file, ["correction[0]", "correction[1]"]) == {"correction[0]": read_corrections(file)[0]}


def test_without_cities_a_row_placed_by_its_coordinates_lacks_what_they_give(world, cities):
    file = world["airbnb", "listings"][0]
    rows = {locator(row): row for row in read_stays(file, cities, [])}
    again = parsed_records(file, rows)
    assert again == {at: {k: v for k, v in row.items() if k not in ("city_id", "currency")} for at, row in rows.items()}
    assert parsed_records(world["group", "fares"][0], ["R1", "R2"]) == {}


def test_what_leads_nowhere_or_is_rejected_is_left_out(given_bytes, cities):
    file = given_bytes('{"business_id": "b", "name": "", "latitude": 1, "longitude": 1}\nno\n', "yelp", "business")
    assert parsed_records(file, ["L1", "L2", "L3", "R1", "node/4", "", "#"]) == {}
    assert parsed_records(file, []) == {}


def test_a_row_read_again_shows_a_changed_record(world, cities, tmp_path):
    file = world["tripadvisor", "places"][0]
    rows = read_places(file, cities, [])
    changed = Path(tmp_path / "changed")
    changed.write_bytes(file.path.read_bytes().replace(b"Museum", b"Palace"))
    again = parsed_records(given_file(changed, "tripadvisor", "places"), map(locator, rows), cities=cities)
    assert any(again[locator(row)] != row for row in rows)
