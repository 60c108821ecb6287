"""The invented flights: both tables' shapes, times in local zones, served and unserved pairs, dirt as listed."""

from __future__ import annotations

import csv
import datetime as dt
import re
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from geopy.distance import great_circle

from sources.invented import Box, CitySpec, World, bts, make_world, openflights, travelplanner
from sources.invented.fares import fare_rows
from sources.invented.flight_days import NEIGHBOUR_MILES, is_served, miles_between
from sources.openflights.airports import read_airports

SEED = 7
DATES = (dt.date(2024, 11, 1), dt.date(2024, 11, 5))
"""Clocks change in North America on the third of these days."""
Table = list[dict[str, str]]


@pytest.fixture(scope="module")
def world() -> World:
    return make_world(14, 0.1, SEED, DATES)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, world: World) -> Path:
    folder = tmp_path_factory.mktemp("flights")
    assert travelplanner.write(world, folder / "tp") == {"flights": [folder / "tp" / "clean_flights.csv"]}
    assert bts.write(world, folder / "bts") == {"on_time": [folder / "bts" / "on_time.csv"]}
    return folder


def rows_of(path: Path) -> Table:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def clean(folder: Path, read_dirt: Any) -> dict[str, Table]:
    dirty = {(d.file, d.line) for provider in ("tp", "bts") for d in read_dirt(folder / provider)}
    return {
        path.name: [row for number, row in enumerate(rows_of(path), start=1) if (path.name, number) not in dirty]
        for path in (folder / "tp" / "clean_flights.csv", folder / "bts" / "on_time.csv")
    }


def test_shapes(folder: Path, clean: dict[str, Table]) -> None:
    head = (folder / "tp" / "clean_flights.csv").read_text(encoding="utf-8").partition("\n")[0]
    assert head == (
        "Flight Number,Price,DepTime,ArrTime,ActualElapsedTime,FlightDate,OriginCityName,DestCityName,Distance"
    )
    for row in clean["clean_flights.csv"]:
        assert re.fullmatch(r"F\d{7}", row["Flight Number"])
        assert re.fullmatch(r"\d{2}:\d{2}", row["DepTime"])
        assert re.fullmatch(r"\d+ hours \d{1,2} minutes", row["ActualElapsedTime"])
        assert int(row["Price"]) > 20
    assert len({row["Flight Number"] for row in clean["clean_flights.csv"]}) == len(clean["clean_flights.csv"])
    assert all(line.endswith(",") for line in (folder / "bts" / "on_time.csv").read_text().splitlines())
    for row in clean["on_time.csv"]:
        assert re.fullmatch(r"[A-Z]{3}", row["Origin"])
        assert re.fullmatch(r"[^,]+, [A-Z]{2}", row["OriginCityName"])
        assert re.fullmatch(r"\d{4}", row["DepTime"])
        assert re.fullmatch(r"(?!0000)\d{4}", row["ArrTime"])


def ends_of(world: World, row: dict[str, str]) -> tuple[CitySpec, CitySpec]:
    """Return the one pair of cities that the row's names and distance fit."""
    names = [row[key].partition(", ") for key in ("OriginCityName", "DestCityName")]
    ones, others = (
        [c for c in world.cities if c.name == name and region in ("", c.region.upper())] for name, _, region in names
    )
    miles = float(row["Distance"])
    fitting = [
        (one, other)
        for one in ones
        for other in others
        if abs(great_circle((one.lat, one.lon), (other.lat, other.lon)).miles - miles) < 0.01 * miles + 1
    ]
    [pair] = fitting
    return pair


def pairs_of(world: World, rows: Table) -> set[tuple[CitySpec, CitySpec]]:
    keys = ("OriginCityName", "DestCityName", "Distance")
    return {ends_of(world, row) for row in {tuple(row[key] for key in keys): row for row in rows}.values()}


def test_some_pairs_are_served_every_day_both_ways_and_some_never(world: World, clean: dict[str, Table]) -> None:
    both = [pairs_of(world, clean[name]) for name in ("clean_flights.csv", "on_time.csv")]
    assert not both[0] & both[1]
    assert min(map(len, both)) > 10
    served = both[0] | both[1]
    every = {(one, other) for one in world.cities for other in world.cities if one != other}
    assert served == {(one, other) for one, other in every if is_served(world, one, other)}
    assert served == {(other, one) for one, other in served}
    assert 0.1 < 1 - len(served) / len(every) < 0.4
    hub, neighbour, homonym = (world.cities[i] for i in (0, 12, 3))
    assert hub.name == homonym.name
    assert {other for one, other in every - both[0] if one == hub} == {neighbour, homonym}
    assert (hub, homonym) in both[1]


def test_there_are_several_flights_on_every_day(clean: dict[str, Table]) -> None:
    keys = ("OriginCityName", "DestCityName", "Distance", "FlightDate")
    counted = Counter(tuple(row[key] for key in keys) for row in clean["clean_flights.csv"])
    days: dict[tuple[str, ...], set[str]] = defaultdict(set)
    for *pair, day in counted:
        days[tuple(pair)].add(day)
    assert all(len(found) >= 4 for found in days.values())
    assert sum(map(len, days.values())) > 0.98 * 5 * len(days)
    assert max(counted.values()) <= 5
    assert sum(count >= 2 for count in counted.values()) > 0.9 * len(counted)


def test_times_are_local_and_cross_zones_and_midnight(world: World, clean: dict[str, Table]) -> None:
    after_midnight = 0
    for row in clean["clean_flights.csv"]:
        one, other = ends_of(world, row)
        departs = dt.datetime.fromisoformat(f"{row['FlightDate']}T{row['DepTime']}").replace(
            tzinfo=ZoneInfo(one.time_zone)
        )
        hours, minutes = map(int, re.findall(r"\d+", row["ActualElapsedTime"]))
        lands = (departs.astimezone(dt.UTC) + dt.timedelta(hours=hours, minutes=minutes)).astimezone(
            ZoneInfo(other.time_zone)
        )
        assert row["ArrTime"] == lands.strftime("%H:%M")
        after_midnight += lands.date() > departs.date()
        assert 60 < int(row["Distance"]) / (hours + minutes / 60) < 450
    assert after_midnight > 5


def test_a_city_more_changes_no_flight(world: World, tmp_path: Path, clean: dict[str, Table]) -> None:
    fewer = make_world(world.cities[:9], 0.1, SEED, DATES)
    travelplanner.write(fewer, tmp_path, dirt=False)
    few = rows_of(tmp_path / "clean_flights.csv")
    assert few == clean["clean_flights.csv"][: len(few)]
    assert len(few) > 500


FLAWS = {
    "missing_price": lambda r: r["Price"] == "",
    "price_with_sign": lambda r: r["Price"] == "$1,234",
    "price_not_a_price": lambda r: r["Price"] == "ask",
    "missing_times": lambda r: r["DepTime"] == r["ArrTime"] == "",
    "time_without_colon": lambda r: r["DepTime"] == "2400",
    "impossible_time": lambda r: r.get("DepTime") in ("27:61", "2575"),
    "elapsed_not_a_time": lambda r: not re.search(r"\d", r["ActualElapsedTime"]),
    "impossible_date": lambda r: r["FlightDate"] == "2024-11-31",
    "from_a_city_to_itself": lambda r: r["OriginCityName"] == r["DestCityName"],
    "unknown_city": lambda r: "Nowhere" in r["OriginCityName"],
    "unknown_airport": lambda r: r["Origin"] == "000",
    "missing_number": lambda r: r["Flight Number"] == "",
    "distance_not_a_number": lambda r: r["Distance"] == "far",
    "duplicate_number": lambda r: r["Flight Number"] == "F0000001",
    "from_a_name_to_itself": lambda r: r["OriginCityName"] == r["DestCityName"] and r["Distance"] != "0",
    "short_record": lambda r: r["Distance"] is None,
    "cancelled": lambda r: r["Cancelled"] == "1.00" and r["ArrTime"] == "",
    "departs_at_2400": lambda r: r["DepTime"] == "2400",
    "missing_distance": lambda r: r["Distance"] == "",
}


def test_each_planted_record_is_what_it_is_said_to_be(folder: Path, read_dirt: Any) -> None:
    found = set()
    for provider, name in (("tp", "clean_flights.csv"), ("bts", "on_time.csv")):
        table = rows_of(folder / provider / name)
        for d in read_dirt(folder / provider):
            row = table[d.line - 1]
            assert FLAWS[d.kind](row), d
            assert (d.file, d.native_id) == (name, row.get("Flight Number", ""))
            found.add(d.kind)
    assert found == set(FLAWS)


def test_of_a_single_city_nothing_flies_and_nothing_is_planted(tmp_path: Path) -> None:
    (path,) = travelplanner.write(make_world(1, 0.1, SEED, DATES), tmp_path)["flights"]
    assert rows_of(path) == []


def test_the_readers_take_both_and_drop_only_what_is_planted(world: World, folder: Path, given_path: Any) -> None:
    from sources.flights import bts as flights
    from sources.published import travelplanner

    tp = given_path(folder / "tp" / "clean_flights.csv", "travelplanner", "flights")
    _, names, batches = travelplanner.flights(tp)
    kept = sum(len(batch["record"]) for batch in batches)
    rows = len(rows_of(folder / "tp" / "clean_flights.csv"))
    assert {city.name for city in world.cities} <= set(names.names)
    assert rows - 14 <= kept < rows
    on_time = given_path(folder / "bts" / "on_time.csv", "bts", "on_time")
    _, batches = flights.on_time(on_time)
    kept = sum(len(batch["record"]) for batch in batches)
    rows = len(rows_of(folder / "bts" / "on_time.csv"))
    assert rows - 6 <= kept < rows


def test_airports_stand_beside_their_cities(world: World, tmp_path: Path, given_path: Any, read_dirt: Any) -> None:
    [path] = openflights.write(world, tmp_path)["airports"]
    rejected: list[dict[str, str]] = []
    rows = read_airports(given_path(path, "openflights", "airports"), rejected)
    dirt = read_dirt(tmp_path)
    reasons = {row["row"].partition("#")[2]: row["reason"] for row in rejected}
    assert reasons == {
        f"L{d.line}": reason
        for d, reason in zip(
            [d for d in dirt if d.kind != "unknown_time_zone"],
            ("missing_value", "duplicate", "bad_value", "bad_coordinates", "bad_value"),
            strict=True,
        )
    }
    codes = openflights.airport_codes(world)
    assert len(set(codes.values())) == len(world.cities)
    own = {row["iata"]: row for row in rows}
    for city in world.cities:
        row = own.pop(codes[city.city_id])
        assert (row["city"], row["time_zone"]) == (city.name, city.time_zone)
        assert great_circle((row["lat"], row["lon"]), (city.lat, city.lon)).km < 10
    assert [row["time_zone"] for row in own.values()] == [None]


def test_flights_leave_on_the_worlds_dates(tmp_path: Path) -> None:
    travelplanner.write(make_world(3, 0.1, SEED, (dt.date(2021, 2, 27), dt.date(2021, 3, 2))), tmp_path, dirt=False)
    dates = {row["FlightDate"] for row in rows_of(tmp_path / "clean_flights.csv")}
    assert dates == {"2021-02-27", "2021-02-28", "2021-03-01", "2021-03-02"}


def test_over_open_sea_nothing_goes_but_flights_however_near_the_towns_are() -> None:
    spots = {"Ibiza": (38.91, 1.43), "Valencia": (39.47, -0.38), "Madrid": (40.42, -3.7)}
    towns = [
        CitySpec(name, "", "es", lat, lon, Box(lat, lon, lat + 0.1, lon + 0.1), "Europe/Madrid", "EUR", given_id=name)
        for name, (lat, lon) in spots.items()
    ]
    world = make_world(towns, 0.1, SEED, DATES)
    by_pair = defaultdict(set)
    for row in fare_rows(world):
        by_pair[frozenset((row[0], row[2]))].add(row[4])
    assert miles_between(towns[0], towns[1]) < NEIGHBOUR_MILES
    assert by_pair[frozenset(("Ibiza", "Valencia"))] == by_pair[frozenset(("Ibiza", "Madrid"))] == {"flight"}
    assert {"train", "high_speed"} <= by_pair[frozenset(("Valencia", "Madrid"))]
