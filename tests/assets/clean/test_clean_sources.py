"""What a row of the clean stage may be, by its records: every source's places, and flights of both files."""

from __future__ import annotations

import datetime as dt

import pytest

from assets.clean.sources import flight, place
from assets.step import NOBODYS
from sources.flights.values import MISSING

BUSINESS = {
    "kind": None,
    "name": "Noodle Bar",
    "categories": ("Restaurants", "Chinese"),
    "cuisines": (),
    "meals": ("dinner",),
    "stars": 4.5,
}
MAPPED = {
    "kind": "attraction",
    "name": "Tower",
    "categories": [],
    "tags": ["man_made=tower"],
    "cuisines": ["chinese"],
    "meals": [],
}
SEEN = {"categories": ("Museums",), "cuisines": ("chinese",)}
LISTING = {"name": "Loft", "room_type": "entire_home", "rating": 4.8}
DETAILS = {"native_id": "x", "price_level": 2, "categories": ("Bars",)}


@pytest.mark.parametrize(
    ("records", "expected"),
    [
        ([BUSINESS], {"kind": ["restaurant"], "stars": [4.5], "meals": [["dinner"]]}),
        ([BUSINESS | SEEN], {"kind": ["attraction"], "meals": [[]], "cuisines": [[]]}),
        (
            [MAPPED],
            {"kind": ["attraction"], "categories": [["man_made=tower"]], "cuisines": [["chinese"]]},
        ),
        ([LISTING], {"kind": ["stay"], "categories": [["entire_home"]], "stars": [4.8], "cuisines": [[]]}),
        (
            [BUSINESS, DETAILS],
            {"kind": ["restaurant"], "categories": [["Restaurants", "Chinese"], ["Bars"]]},
        ),
    ],
    ids=["business", "of another kind", "mapped", "listing", "with details"],
)
def test_a_place_is_what_the_stage_makes_of_its_records(records, expected):
    found = place({}, records)
    assert {column: found[column] for column in expected} == expected


DAY = (dt.date(2024, 11, 12) - dt.date(1970, 1, 1)).days
PRICED = {"given_number": 7, "price": 210, "dep": 600, "arr": 725, "elapsed": 125, "date": DAY, "miles": 1000}
ON_TIME = {"date": DAY, "origin": "AAA", "dest": "BBB", "planned_dep": 1430, "dep": 20, "arr": 95, "miles": 1000}


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        (PRICED, {"flight_date": [dt.date(2024, 11, 12)], "flight_number": ["F0000007"], "dep_time": ["10:00"],
                  "arr_time": ["12:05"], "price": [210], "currency": ["USD"], "origin_airport": [None],
                  "distance_km": [1609.3]}),
        (ON_TIME, {"flight_date": [dt.date(2024, 11, 13)], "flight_number": [NOBODYS], "dep_time": ["00:20"],
                   "price": [], "currency": [], "origin_airport": ["AAA"], "dest_airport": ["BBB"]}),
        (ON_TIME | {"dep": 1440}, {"flight_date": [dt.date(2024, 11, 13)], "dep_time": ["00:00"]}),
        (ON_TIME | {"arr": MISSING}, {"arr_time": [NOBODYS]}),
    ],
    ids=["priced", "left past midnight", "left at 2400", "without a time of arrival"],
)  # fmt: skip
def test_a_flight_is_what_the_stage_makes_of_its_record(record, expected):
    found = flight({}, [record])
    assert {column: found[column] for column in expected} == expected
