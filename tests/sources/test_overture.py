"""Overture's places are read as gathered, each points back to its record, and one that is mapped too is one place."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from assets.clean.place_union import city_places
from assets.clean.sources import place as place_sources
from schemas.osm import OsmPlace
from schemas.overture import OverturePlace
from schemas.places import Business, Place
from schemas.recipe import City
from schemas.recipe_values import Box
from schemas.source import SourceError
from schemas.stays import Stay
from sources.locate import parsed_records, raw_records
from sources.overture.places import read_places
from sources.recognise import recognised

TOWN = City(city_id="xx-town", name="Town", country="XX", box=Box(south=0, west=0, north=1, east=1))


def point(lat, lon, order="<"):
    return bytes([order == "<"]) + struct.pack(f"{order}Idd", 1, lon, lat)


def record(native_id="08f", **values: Any):
    return {
        "id": native_id,
        "geometry": point(0.5, 0.25),
        "names": {"primary": "Trattoria"},
        "categories": {"primary": "italian_restaurant", "alternate": ["bar"]},
        "confidence": 0.9,
        "addresses": [{"freeform": "1 Way", "locality": "Town"}],
        "sources": [{"dataset": "meta"}, {"dataset": "OpenStreetMap"}],
        "operating_status": None,
    } | values


@pytest.fixture
def places(tmp_path: Path, raw_file):
    def read(*records, city=TOWN):
        pq.write_table(pa.Table.from_pylist(list(records)), tmp_path / "places.parquet")
        rejected: list[dict[str, str]] = []
        file = raw_file("overture", "places", tmp_path / "places.parquet")
        rows = read_places(file, city, rejected)
        OverturePlace.validate(pa.Table.from_pylist(rows, schema=OverturePlace.arrow_schema()))
        return rows, [row["reason"] for row in rejected], file

    return read


def test_a_place_is_what_its_record_says(places):
    (row,), rejected, file = places(record())
    (pointer,) = row.pop("source_rows")
    assert row == {
        "city_id": "xx-town",
        "place_id": "overture:08f",
        "source": "overture",
        "native_id": "08f",
        "kind": "restaurant",
        "name": "Trattoria",
        "address": "1 Way, Town",
        "lat": 0.5,
        "lon": 0.25,
        "categories": [],
        "cuisines": ["italian"],
        "confidence": 0.9,
        "datasets": ["OpenStreetMap", "meta"],
    }
    assert rejected == []
    (raw,) = raw_records(file, [pointer.partition("#")[2], "gers/none"]).values()
    assert json.loads(raw)["names"]["primary"] == "Trattoria"
    assert json.loads(raw)["@lat"] == 0.5


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({"names": {"primary": " "}}, "missing_value"),
        ({"operating_status": "permanently_closed"}, "closed"),
        ({"names": {"primary": "Trattoria - CLOSED"}}, "closed"),
        ({"categories": {"primary": "pharmacy", "alternate": None}}, "other_category"),
        ({"confidence": 0.3}, "no_evidence"),
        ({"geometry": b"\x01short"}, "bad_coordinates"),
        ({"geometry": b"\x01" + struct.pack("<Idd", 3, 0.5, 0.5)}, "bad_coordinates"),
        ({"geometry": b"\x01" + struct.pack("<IIdd", 0x20000001, 4326, 0.5, 0.5)}, "bad_coordinates"),
        ({"geometry": point(float("nan"), 0.5)}, "bad_coordinates"),
    ],
)
def test_what_cannot_be_used_is_rejected_by_reason(places, values, reason):
    rows, rejected, _ = places(record(**values))
    assert (rows, rejected) == ([], [reason])


def test_other_byte_orders_and_kinds_are_read_and_the_rest_of_the_world_is_passed_over(places):
    rows, rejected, _ = places(
        record("a", geometry=point(0.5, 0.5, ">"), categories={"primary": "hotel", "alternate": None}),
        record("b", categories={"primary": "art_museum", "alternate": None}),
        record("c", geometry=point(10.0, 10.0)),
    )
    assert [(row["native_id"], row["kind"], row["categories"]) for row in rows] == [
        ("a", "stay", []), ("b", "attraction", ["Museums"])
    ]  # fmt: skip
    assert rejected == []


@pytest.mark.parametrize("content", [b"", b"PAR1", b"not parquet at all"])
def test_another_file_is_refused_by_name(raw_file, content):
    with pytest.raises(SourceError, match="cannot be read as Parquet"):
        read_places(raw_file("overture", "places", content), TOWN, [])


@pytest.mark.parametrize(
    ("values", "problem"),
    [
        ({"names": "Trattoria"}, "in which names is string"),
        ({"categories": "hotel"}, "in which categories is string"),
        ({"categories": {"main": "hotel"}}, "in which categories is struct<main: string>"),
        ({"addresses": "1 Way"}, "in which addresses is string"),
        ({"confidence": "0.9"}, "in which confidence is string"),
    ],
)
def test_columns_that_somebody_made_otherwise_are_refused_by_name(places, values, problem):
    with pytest.raises(SourceError, match=problem):
        places(record(**values))


def test_parquet_of_something_else_is_refused(places):
    with pytest.raises(SourceError, match="without geometry, names, categories or taxonomy"):
        places({"id": "1"})


@pytest.mark.parametrize(
    ("before", "since", "kind", "category"),
    [
        ("hotel", "hotel", "stay", []),
        ("italian_restaurant", "italian_restaurant", "restaurant", []),
        ("theatre", "theatre_venue", "attraction", ["Concerts & Shows"]),
        ("performing_arts", "performing_arts_venue", "attraction", ["Concerts & Shows"]),
        ("landmark_and_historical_building", "historic_site", "attraction", ["Sights & Landmarks"]),
        ("shopping_center", "shopping_mall", "attraction", ["Shopping"]),
        ("cinema", "movie_theater", "attraction", ["Fun & Games"]),
    ],
)
def test_a_place_is_the_same_by_categories_and_by_the_taxonomy_that_replaced_them(
    places, before, since, kind, category
):
    old = record("old", categories={"primary": before, "alternate": None})
    new = record("new", taxonomy={"primary": since, "hierarchy": ["lodging", since], "alternates": None})
    both = record("both", taxonomy=new["taxonomy"], categories=old["categories"])
    del new["categories"]
    for released in (old, new, both):
        (row,), _, file = places(released)
        assert (row["kind"], row["categories"]) == (kind, category)
        assert recognised(file.path).source == "overture"


def test_a_place_that_the_map_has_too_is_one_place_under_the_maps_id(places):
    rows, _, _ = places(record(), record("x", names={"primary": "Elsewhere"}))
    mapped = dict.fromkeys((column.name for column in OsmPlace.columns()), None) | {
        "city_id": "xx-town", "place_id": "osm:node/1", "source": "osm", "native_id": "node/1", "kind": "restaurant",
        "name": "trattoria", "address": "", "lat": 0.5001, "lon": 0.25, "tags": ["amenity=restaurant"],
        "categories": [], "orientations": [], "cuisines": [], "meals": [], "diets": [],
        "source_rows": ["row of the map"],
    }  # fmt: skip

    def frame(table, found):
        return table.frame(pa.Table.from_pylist(found, schema=table.arrow_schema()))

    outcome: Any = city_places(
        frame(Business, []), frame(OsmPlace, [mapped]), frame(Stay, []), frame(OverturePlace, rows)
    )
    Place.validate(outcome.rows)
    one, other = sorted(outcome.rows.to_pylist(), key=lambda row: row["place_id"])
    assert (one["place_id"], one["name"], one["cuisines"], len(one["source_rows"])) == (
        "osm:node/1", "trattoria", ["italian"], 2
    )  # fmt: skip
    assert other["place_id"] == "overture:x"
    assert (outcome.rows_in, outcome.merged) == (3, 1)


def test_real_places_are_their_records(shared_data, raw_file):
    path = shared_data / "overture" / "project_c_samples.parquet"
    usa = City(city_id="us-usa", name="USA", country="US", box=Box(south=24, west=-125, north=50, east=-66))
    rejected: list[dict[str, str]] = []
    file = raw_file("overture", "places", path)
    rows = read_places(file, usa, rejected)
    records = {one["id"]: one for one in pq.read_table(path).to_pylist()}
    inside = [one for one in records.values() if 24 <= one["bbox"]["ymin"] <= 50 and -125 <= one["bbox"]["xmin"] <= -66]
    assert len(rows) + len(rejected) == len(inside)
    assert len(rows) > 100
    for row in rows[:: len(rows) // 20]:
        given = records[row["native_id"]]
        assert row["name"] == given["names"]["primary"].strip()
        assert row["lat"] == pytest.approx(given["bbox"]["ymin"], abs=1e-4)
        assert row["lon"] == pytest.approx(given["bbox"]["xmin"], abs=1e-4)
        assert given["addresses"][0]["freeform"] is None or given["addresses"][0]["freeform"].strip() in row["address"]


def test_a_row_is_read_again_from_its_record_alone(places):
    rows, _, file = places(record(), record("x", categories={"primary": "art_museum"}), record("gone", confidence=0.1))
    again = parsed_records(file, ["gers/08f", "gers/x", "gers/gone", "gers/none"], cities=[TOWN])
    assert again == {f"gers/{row['native_id']}": row for row in rows}
    for row in rows:
        expected = place_sources({"kind": row["kind"]}, [again[f"gers/{row['native_id']}"]])
        assert expected["kind"] == [row["kind"]]
        assert (expected["cuisines"], expected["meals"]) == ([row["cuisines"]], [[]])
