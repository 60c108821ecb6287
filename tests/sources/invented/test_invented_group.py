"""What group trips need: places as the published lists have them, services, users and weather, dirt as listed."""

from __future__ import annotations

import csv
import json
import re
from collections import Counter, defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sources.invented import Box, CitySpec, World, group, make_world, travelplanner
from sources.invented.attraction_types import TYPES
from sources.invented.fares import NEAR_MILES, NEAREST_FAST_MILES, fare_rows
from sources.invented.flight_days import is_served, miles_between
from sources.invented.group import poi_id
from sources.invented.group_words import ATTRACTIONS, FOOD, HOTELS
from sources.invented.labels import full_name
from sources.invented.people import AGE_BANDS
from sources.invented.world import CUISINE_WEIGHTS
from tests.sources.invented.hostile_names import hostile_names

SEED = 7
CHENGDU = CitySpec(
    "成都市", "四川", "cn", 30.66, 104.07, Box(30.5, 103.9, 30.8, 104.25), "Asia/Shanghai", "CNY", ("zh",), "cn-chengdu"
)


@pytest.fixture(scope="module")
def world() -> World:
    return make_world(14, 0.3, SEED)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, world: World) -> Path:
    folder = tmp_path_factory.mktemp("group")
    files = group.write(world, folder)
    assert {role: [path.name for path in paths] for role, paths in files.items()} == {
        "poi": ["all_poi_by_city.json"],
        "fares": ["fares.csv"],
        "profiles": ["profiles.jsonl"],
        "climate": ["climate.csv"],
    }
    return folder


def pois(folder: Path) -> dict[str, list[dict[str, Any]]]:
    return json.loads((folder / "all_poi_by_city.json").read_bytes())


def table(folder: Path, name: str) -> list[dict[str, str]]:
    with (folder / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_places_are_the_worlds_by_city(world: World, folder: Path) -> None:
    found = pois(folder)
    first, fourth = world.cities[0], world.cities[3]
    assert first.name == fourth.name
    assert set(found) == {full_name(c) if c in (first, fourth) else c.name for c in world.cities}
    places = {poi_id(place): place for place in world.places() if place.kind != "other"}
    clean = {item["id"]: item for items in found.values() for item in items if item["id"] in places}
    assert set(clean) == set(places)
    for place_id, item in clean.items():
        place = places[place_id]
        if item["name"].startswith("Same Number"):
            continue
        assert place.name in item["name"]
        assert item["location"] == f"{place.lon},{place.lat}"
        assert item["poi_type"] == {"attraction": "attractions", "restaurant": "food", "stay": "hotels"}[place.kind]
        assert item["custom_category"]
        if not place.hours:
            assert item["opening_hours"] is None
        elif place.kind == "stay":
            assert item["opening_hours"] == {"always_open": True, "rules": []}
        else:
            open_on = {d: rule["time_windows"] for rule in item["opening_hours"]["rules"] for d in rule["weekdays"]}
            assert not item["opening_hours"]["always_open"]
            for day, (opening, closing) in enumerate(place.hours, start=1):
                [window] = open_on[day]
                assert window == {
                    "open": f"{opening // 60:02d}:{opening % 60:02d}",
                    "close": f"{closing // 60 % 24:02d}:{closing % 60:02d}",
                }


def test_ranks_count_the_places_of_a_type(folder: Path) -> None:
    for items in pois(folder).values():
        ranks = defaultdict(list)
        for item in items:
            if item["id"] and "x" not in item["id"][23:] and "Same Number" not in item["name"]:
                ranks[item["poi_type"]].append(item["rank"])
        for found in ranks.values():
            assert found == list(range(1, len(found) + 1))


def test_every_kind_of_place_has_a_word_in_both_languages() -> None:
    assert {t.osm_tag[1] for types in TYPES.values() for t in types} == set(ATTRACTIONS)
    assert set(CUISINE_WEIGHTS) == set(FOOD)
    assert set(HOTELS) == {1, 2, 3, 4}
    for words in (*ATTRACTIONS.values(), *FOOD.values(), *(pair for pairs in HOTELS.values() for pair in pairs)):
        assert words[0].isascii()
        assert re.fullmatch(r"[\u4e00-\u9fff]+", words[1])


def test_lists_are_in_the_citys_language_and_files_under_its_given_id(tmp_path: Path, read_items: Any) -> None:
    world = make_world([CHENGDU], 0.2, SEED)
    assert world.cities[0].city_id == "cn-chengdu"
    group.write(world, tmp_path, dirt=False)
    items = pois(tmp_path)["成都市"]
    assert all(re.fullmatch(r"[\u4e00-\u9fff]+", item["custom_category"]) for item in items)
    hotels = {pair[1] for pairs in HOTELS.values() for pair in pairs}
    assert {item["custom_category"] for item in items if item["poi_type"] == "hotels"} <= hotels
    likes = [word for person in read_items(tmp_path / "profiles.jsonl") for word in person["tastes"]["likes"]]
    assert all(re.fullmatch(r"[\u4e00-\u9fff]+", word) for word in likes)
    assert "成都市" in (tmp_path / "climate.csv").read_text(encoding="utf-8")


def test_neighbours_have_trains_and_far_cities_flights(world: World, folder: Path, read_dirt: Any) -> None:
    planted = {d.line for d in read_dirt(folder) if d.file == "fares.csv"}
    rows = [row for number, row in enumerate(table(folder, "fares.csv"), start=1) if number not in planted]
    modes: dict[tuple[str, str], set[str]] = defaultdict(set)
    for row in rows:
        pair = (
            f"{row['origin_city']}, {row['origin_region']}",
            f"{row['destination_city']}, {row['destination_region']}",
        )
        modes[pair].add(row["mode"])
        assert row["mode"] in ("flight", "high_speed", "train")
        assert re.fullmatch(r"([01]\d|2[0-3]):[0-5]\d", row["dep_time"])
        assert re.fullmatch(r"([01]\d|2[0-3]):[0-5]\d", row["arr_time"])
        assert int(row["price"]) > 0
        assert set(row["weekdays"]) <= set("1234567")
        assert row["price_basis"] == ("modelled" if row["mode"] == "flight" else "listed")
    keys = [tuple(row[key] for key in list(row)[:7]) for row in rows]
    assert len(set(keys)) == len(keys)
    near = [(world.cities[0], world.cities[12]), (world.cities[13], world.cities[1])]
    for one, other in near:
        is_fast = miles_between(one, other) >= NEAREST_FAST_MILES
        assert modes[full_name(one), full_name(other)] == ({"high_speed", "train"} if is_fast else {"train"})
    for one in world.cities:
        for other in world.cities:
            assert ("flight" in modes[full_name(one), full_name(other)]) == (
                one != other and is_served(world, one, other)
            )
    assert any(not found for found in modes.values())
    assert {row["weekdays"] for row in rows} == {"1234567", "67"}


def test_trains_always_run_between_neighbours() -> None:
    world = make_world(36, 0.1, SEED)
    by_train = {tuple(row[:4]) for row in fare_rows(world) if row[4] != "flight"}
    near = [(a, b) for a in world.cities for b in world.cities if a != b and miles_between(a, b) <= NEAR_MILES]
    assert len(near) > 60
    assert all((a.name, a.region.upper(), b.name, b.region.upper()) in by_train for a, b in near)
    fast = {tuple(row[:4]) for row in fare_rows(world) if row[4] == "high_speed"}
    pairs = [(a, b, (a.name, a.region.upper(), b.name, b.region.upper())) for a in world.cities for b in world.cities]
    is_fast = [row in fast for _, _, row in pairs if row in by_train]
    assert is_fast == [miles_between(a, b) >= NEAREST_FAST_MILES for a, b, row in pairs if row in by_train]
    assert {True, False} == set(is_fast)


def test_fares_fly_as_the_flights_do(tmp_path: Path, world: World, folder: Path) -> None:
    travelplanner.write(world, tmp_path, dirt=False)
    day = world.dates[0].isoformat()
    flown = {
        (r["OriginCityName"], r["DestCityName"], r["DepTime"], r["ArrTime"])
        for r in table(tmp_path, "clean_flights.csv")
        if r["FlightDate"] == day
    }
    fares = {
        (r["origin_city"], r["destination_city"], r["dep_time"], r["arr_time"])
        for r in table(folder, "fares.csv")
        if r["mode"] == "flight"
    }
    assert len(flown) > 100
    assert flown <= fares


def test_users_are_of_every_age_and_family(folder: Path, read_items: Any, read_dirt: Any) -> None:
    planted = {d.line for d in read_dirt(folder) if d.file == "profiles.jsonl"}
    people = [p for n, p in enumerate(read_items(folder / "profiles.jsonl"), start=1) if n not in planted]
    assert len(people) == 300
    assert len({p["profile_id"] for p in people}) == 300
    for lowest, highest in AGE_BANDS:
        band = [p for p in people if lowest <= p["age"] <= highest]
        assert len(band) >= 8
        assert {p["gender"] for p in band} == {"female", "male"}
    counted = Counter((p["marital_status"] == "married", p["parenting_status"]) for p in people if p["age"] >= 18)
    assert set(counted) == {(True, "parent"), (True, "none"), (False, "parent"), (False, "none")}
    for p in people:
        assert set(p) == {"profile_id", "age", "gender", "marital_status", "parenting_status", "tastes"}
        assert p["age"] >= 18 or (p["marital_status"], p["parenting_status"]) != ("married", "parent")
        assert p["tastes"]["likes"]
        assert not set(p["tastes"]["likes"]) & set(p["tastes"]["dislikes"])


def test_each_day_of_the_year_has_its_weather(world: World, folder: Path, read_dirt: Any) -> None:
    planted = {d.line for d in read_dirt(folder) if d.file == "climate.csv"}
    rows = [row for number, row in enumerate(table(folder, "climate.csv"), start=1) if number not in planted]
    counted = Counter((row["city"], row["region"]) for row in rows)
    assert counted == {(city.name, city.region.upper()): 366 for city in world.cities}
    for row in rows:
        assert -40 < int(row["low_c"]) < int(row["high_c"]) < 50
        assert 0 < float(row["rain_share"]) < 1
    highs: dict[str, list[int]] = defaultdict(list)
    for row in rows:
        highs[row["day"][:2]].append(int(row["high_c"]))
    mean = {month: sum(found) / len(found) for month, found in highs.items()}
    assert mean["07"] > mean["10"] > mean["01"]
    assert {row["condition"] for row in rows} >= {"sunny", "cloudy", "rain"}


def windows(item: dict[str, Any]) -> Any:
    return item["opening_hours"]["rules"][0]["time_windows"][0]


POIS: dict[str, Callable[[Any], bool]] = {
    "same_name_twice": lambda i: "x1" in i["id"],
    "name_within_a_name": lambda i: i["name"].endswith(" East Gate"),
    "missing_name": lambda i: i["name"] is None,
    "blank_name": lambda i: i["name"] == " ",
    "missing_id": lambda i: i["id"] is None,
    "unknown_type": lambda i: i["poi_type"] == "parking",
    "missing_category": lambda i: i["custom_category"] == "",
    "excluded_category": lambda i: i["custom_category"] == "旅游景点",
    "missing_location": lambda i: i["location"] is None,
    "location_not_numbers": lambda i: i["location"] == "here",
    "location_swapped": lambda i: float(i["location"].split(",")[0]) > 0,
    "hours_as_text": lambda i: i["opening_hours"] == "24/7",
    "hours_past_midnight": lambda i: windows(i)["close"] == "26:00",
    "hours_of_no_day": lambda i: i["opening_hours"]["rules"][0]["weekdays"] == [0, 8],
    "hours_not_times": lambda i: windows(i)["open"] == "nine",
    "hours_of_a_season": lambda i: i["opening_hours"]["rules"][0]["date_range"]["start"] == "11-01",
    "cost_as_text": lambda i: i["avg_cost"] == "free",
    "negative_cost": lambda i: i["avg_cost"] == -5,
    "duplicate_id": lambda i: "Same Number" in i["name"],
    **hostile_names(lambda i: i["name"]),
}
FARES: dict[str, Callable[[Any], bool]] = {
    "fare_of_zero": lambda r: r["price"] == "0",
    "missing_fare": lambda r: r["price"] == "",
    "fare_with_sign": lambda r: r["price"] == "$1,200",
    "unknown_mode": lambda r: r["mode"] == "camel",
    "impossible_time": lambda r: r["dep_time"] == "25:61",
    "missing_time": lambda r: r["dep_time"] == r["arr_time"] == "",
    "unknown_city": lambda r: r["destination_city"] == "Nowhere upon Sea",
    "weekdays_not_days": lambda r: r["weekdays"] == "daily",
    "to_the_same_city": lambda r: (
        (r["origin_city"], r["origin_region"]) == (r["destination_city"], r["destination_region"])
    ),
    "short_record": lambda r: r["weekdays"] is None,
    "unknown_price_basis": lambda r: r["price_basis"] == "guessed",
}
CLIMATE: dict[str, Callable[[Any], bool]] = {
    "day_that_is_none": lambda r: r["day"] == "02-30",
    "day_as_date": lambda r: r["day"] == "2025-02-03",
    "low_above_high": lambda r: int(r["low_c"]) > int(r["high_c"]),
    "fahrenheit": lambda r: r["high_c"] == "91",
    "rain_in_percent": lambda r: r["rain_share"] == "20",
    "missing_high": lambda r: r["high_c"] == "",
    "missing_condition": lambda r: r["condition"] == "",
    "unknown_city": lambda r: r["city"] == "Nowhere upon Sea",
    "same_day_twice": lambda r: r["day"] == "01-01",
    "short_record": lambda r: r["day"] is None,
}
JUNK = ("not_an_object", "empty_line", "binary_line", "truncated_line")
PROFILES: dict[str, Callable[[Any], bool]] = {
    **dict.fromkeys(JUNK, lambda p: not isinstance(p, dict)),
    "missing_id": lambda p: p["profile_id"] is None,
    "missing_age": lambda p: p["age"] is None,
    "impossible_age": lambda p: p["age"] == 212,
    "age_as_text": lambda p: p["age"] == "forty",
    "unknown_gender": lambda p: p["gender"] == "?",
    "missing_tastes": lambda p: p["tastes"] is None,
    "tastes_as_text": lambda p: isinstance(p["tastes"], str),
    "likes_and_dislikes_the_same": lambda p: p["tastes"]["likes"] == p["tastes"]["dislikes"],
    "married_child": lambda p: p["age"] == 6,
    "duplicate_id": lambda p: p["age"] == 99,
}


def test_each_planted_defect_is_what_it_is_said_to_be(folder: Path, read_items: Any, read_dirt: Any) -> None:
    dirt = read_dirt(folder)
    kinds = {file: {d.kind for d in dirt if d.file == file} for file in {d.file for d in dirt}}
    assert kinds == {
        "all_poi_by_city.json": set(POIS),
        "fares.csv": set(FARES),
        "profiles.jsonl": set(PROFILES),
        "climate.csv": set(CLIMATE),
    }
    places: dict[str, list[Any]] = defaultdict(list)
    for items in pois(folder).values():
        for item in items:
            places[item["id"] or ""].append(item)
    people = read_items(folder / "profiles.jsonl")
    fares, usual_days = table(folder, "fares.csv"), table(folder, "climate.csv")
    for d in dirt:
        if d.file == "all_poi_by_city.json":
            assert any(POIS[d.kind](item) for item in places[d.native_id]), d
        elif d.file == "fares.csv":
            assert FARES[d.kind](fares[d.line - 1]), d
        elif d.file == "climate.csv":
            assert CLIMATE[d.kind](usual_days[d.line - 1]), d
        else:
            assert PROFILES[d.kind](people[d.line - 1]), d
