"""Data for group trips: what is read of the invented world, what each planted defect becomes, files of another kind."""

from __future__ import annotations

import json

import pytest

from schemas.recipe import City
from schemas.recipe_values import Box
from schemas.source import SourceError
from sources import invented
from sources.group import lists as group
from sources.group.climate import read_climate
from sources.invented.group import POI_TYPES
from sources.locate import raw_records
from tests.sources.conftest import given_file


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    """Return the recipe's cities, the files by role and the planted defects by (file, number)."""
    folder = tmp_path_factory.mktemp("group")
    files = invented.generate(folder, providers=["group"], cities=3, scale=0.1, seed=4)["group"]
    cities = [City(**{**row, "box": Box(**row["box"])}) for row in invented.world_cities(3, 4)]
    given = {role: given_file(paths[0], "group", role) for role, paths in files.items()}
    return cities, given


def reasons(rejected):
    return {entry["row"].rpartition("#")[2]: entry["reason"] for entry in rejected}


def test_fares_are_read_and_the_planted_ones_rejected(world):
    cities, files = world
    rejected: list[dict[str, str]] = []
    fares = group.read_fares(files["fares"], cities, rejected)
    assert sorted(reasons(rejected).values()) == sorted(
        ["missing_value", "bad_value", "other_category", "bad_value", "missing_value", "outside_every_city",
         "bad_value", "within_one_city", "bad_value", "bad_value"]
    )  # fmt: skip
    lines = files["fares"].path.read_text().splitlines()
    assert len(fares) + len(rejected) == len(lines) - 1
    assert [fare["price_given"] for fare in fares if fare["service"] == "K900"] == [0.0]
    raw = raw_records(files["fares"], [fares[0]["source_rows"][0].rpartition("#")[2]])
    assert fares[0]["service"] in next(iter(raw.values()))
    assert {fare["origin_city_id"] for fare in fares} == {city.city_id for city in cities}


def test_usual_days_are_read_and_the_planted_ones_rejected(world):
    cities, files = world
    rejected: list[dict[str, str]] = []
    days = read_climate(files["climate"], cities, rejected)
    assert len(days) == 366 * len(cities)
    assert sorted(reasons(rejected).values()) == sorted(
        ["bad_value", "bad_value", "bad_value", "bad_value", "bad_value", "missing_value", "missing_value",
         "outside_every_city", "duplicate", "bad_value"]
    )  # fmt: skip
    raw = raw_records(files["climate"], [days[59]["source_rows"][0].rpartition("#")[2]])
    assert days[59]["month_day"] == "02-29"
    assert "02-29" in next(iter(raw.values()))


def test_users_are_read_and_the_planted_ones_rejected(world):
    _, files = world
    rejected: list[dict[str, str]] = []
    users = group.read_profiles(files["profiles"], rejected)
    assert len({user["profile_id"] for user in users}) == len(users) == 240
    assert {"bad_json", "missing_value", "bad_value", "duplicate"} >= set(reasons(rejected).values())
    assert len(rejected) >= 10
    assert not any(user["age"] < 14 and user["is_married"] for user in users)


def test_places_are_read_by_city_and_found_again(world):
    cities, files = world
    rejected: list[dict[str, str]] = []
    pois = group.read_pois(files["poi"], cities, rejected)
    listed = json.loads(files["poi"].path.read_text())
    assert len(pois) + len(rejected) == sum(map(len, listed.values()))
    assert {poi["poi_type"] for poi in pois} == set(POI_TYPES.values())
    for poi in pois[:: len(pois) // 20]:
        locator = poi["source_row"].rpartition("#")[2]
        assert json.loads(raw_records(files["poi"], [locator])[locator])["name"] == poi["name"]
    found = set(reasons(rejected).values())
    assert {"missing_value", "other_category", "bad_coordinates", "bad_value", "duplicate"} <= found


def test_a_place_of_a_namesake_elsewhere_is_not_in_the_city(given_bytes):
    box = Box(south=60.1, west=24.9, north=60.2, east=25.0)
    city = City(city_id="fi-18-helsinki", name="Helsinki", region="18", country="FI", box=box)
    place = {"id": "p1", "name": "Fort", "poi_type": "attractions", "custom_category": "castle"}
    lists = {"Helsinki": [{**place, "location": "24.95,60.15"}, {**place, "id": "p2", "location": "-80.1,40.1"}]}
    rejected: list[dict[str, str]] = []
    pois = group.read_pois(given_bytes(json.dumps(lists), "group", "poi"), [city], rejected)
    assert [(poi["city_id"], poi["native_id"]) for poi in pois] == [("fi-18-helsinki", "p1")]
    assert reasons(rejected) == {"/Helsinki/1": "outside_every_city"}
    lists = {"He/ls": [{**place, "location": "24.95,60.15"}]}
    assert group.read_pois(given_bytes(json.dumps(lists), "group", "poi"), [city], rejected) == []
    assert reasons(rejected)["/He~1ls/0"] == "outside_every_city"


@pytest.mark.parametrize("content", ["[1]", "{", '{"a": 1}', "", "\x00\x01"])
def test_a_file_of_another_kind_is_refused(given_bytes, content):
    with pytest.raises(SourceError, match="expected"):
        group.read_pois(given_bytes(content, "group", "poi"), [], [])
    with pytest.raises(SourceError, match="expected"):
        group.read_fares(given_bytes(content, "group", "fares"), [], [])
    with pytest.raises(SourceError, match="expected"):
        group.read_profiles(given_bytes(content, "group", "profiles"), [])
