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

from sources.invented import World, flights, make_world
from sources.invented.flight_days import is_served
from sources.invented.flights import full_name

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
    assert flights.write(world, folder) == {
        "travelplanner": [folder / "flights.csv"],
        "bts": [folder / "on_time.csv"],
    }
    return folder


def rows_of(path: Path) -> Table:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def clean(folder: Path, read_dirt: Any) -> dict[str, Table]:
    dirty = {(d.file, d.line) for d in read_dirt(folder)}
    return {
        name: [row for number, row in enumerate(rows_of(folder / name), start=1) if (name, number) not in dirty]
        for name in ("flights.csv", "on_time.csv")
    }


def test_shapes(folder: Path, clean: dict[str, Table]) -> None:
    head = (folder / "flights.csv").read_text(encoding="utf-8").partition("\n")[0]
    assert head == (
        "Flight Number,Price,DepTime,ArrTime,ActualElapsedTime,FlightDate,OriginCityName,DestCityName,Distance"
    )
    for row in clean["flights.csv"]:
        assert re.fullmatch(r"F\d{7}", row["Flight Number"])
        assert re.fullmatch(r"\d{2}:\d{2}", row["DepTime"])
        assert re.fullmatch(r"\d+ hours \d{1,2} minutes", row["ActualElapsedTime"])
        assert int(row["Price"]) > 20
    assert len({row["Flight Number"] for row in clean["flights.csv"]}) == len(clean["flights.csv"])
    assert all(line.endswith(",") for line in (folder / "on_time.csv").read_text().splitlines())
    for row in clean["on_time.csv"]:
        assert re.fullmatch(r"[A-Z]{3}", row["Origin"])
        assert re.fullmatch(r"[^,]+, [A-Z]{2}", row["OriginCityName"])
        assert re.fullmatch(r"\d{4}", row["DepTime"])
        assert re.fullmatch(r"(?!0000)\d{4}", row["ArrTime"])


def pairs_of(world: World, clean: dict[str, Table], name: str) -> set[tuple[str, str]]:
    full = {city.name: full_name(city) for city in world.cities}
    return {
        (full.get(row["OriginCityName"], row["OriginCityName"]), full.get(row["DestCityName"], row["DestCityName"]))
        for row in clean[name]
    }


def test_some_pairs_are_served_every_day_both_ways_and_some_never(world: World, clean: dict[str, Table]) -> None:
    by_name = {full_name(city): city for city in world.cities}
    both = [pairs_of(world, clean, name) for name in ("flights.csv", "on_time.csv")]
    assert not both[0] & both[1]
    assert min(map(len, both)) > 10
    served = both[0] | both[1]
    every = {(one, other) for one in by_name for other in by_name if one != other}
    assert served == {(a, b) for a, b in every if is_served(world, by_name[a], by_name[b])}
    assert served == {(b, a) for a, b in served}
    assert 0.1 < 1 - len(served) / len(every) < 0.4
    hub, neighbour = world.cities[0], world.cities[12]
    assert (full_name(hub), full_name(neighbour)) not in served
    assert {(full_name(hub), name) for name in by_name} - served == {
        (full_name(hub), full_name(hub)), (full_name(hub), full_name(neighbour))
    }  # fmt: skip


def test_there_are_several_flights_on_every_day(clean: dict[str, Table]) -> None:
    counted = Counter((r["OriginCityName"], r["DestCityName"], r["FlightDate"]) for r in clean["flights.csv"])
    days: dict[tuple[str, str], set[str]] = defaultdict(set)
    for one, other, day in counted:
        days[one, other].add(day)
    assert all(len(found) >= 4 for found in days.values())
    assert sum(map(len, days.values())) > 0.98 * 5 * len(days)
    assert max(counted.values()) <= 5
    assert sum(count >= 2 for count in counted.values()) > 0.9 * len(counted)


def test_times_are_local_and_cross_zones_and_midnight(world: World, clean: dict[str, Table]) -> None:
    named = {name: city for city in world.cities for name in (full_name(city), city.name)}
    shared = {name for name, count in Counter(c.name for c in world.cities).items() if count > 1}
    after_midnight = 0
    for row in clean["flights.csv"]:
        assert row["OriginCityName"] not in shared
        one, other = named[row["OriginCityName"]], named[row["DestCityName"]]
        departs = dt.datetime.fromisoformat(f"{row['FlightDate']}T{row['DepTime']}").replace(
            tzinfo=ZoneInfo(one.time_zone)
        )
        hours, minutes = map(int, re.findall(r"\d+", row["ActualElapsedTime"]))
        lands = (departs.astimezone(dt.UTC) + dt.timedelta(hours=hours, minutes=minutes)).astimezone(
            ZoneInfo(other.time_zone)
        )
        assert row["ArrTime"] == lands.strftime("%H:%M")
        after_midnight += lands.date() > departs.date()
        assert int(row["Distance"]) == pytest.approx(
            great_circle((one.lat, one.lon), (other.lat, other.lon)).miles, rel=0.01
        )
        assert 0.4 * int(row["Distance"]) < 60 * (hours + minutes / 60) * 6 < 6 * (60 + int(row["Distance"]) / 7)
    assert after_midnight > 5


def test_homonyms_are_told_apart(world: World, clean: dict[str, Table]) -> None:
    first, fourth = world.cities[0], world.cities[3]
    assert first.name == fourth.name
    names = {row["OriginCityName"] for row in clean["flights.csv"]}
    assert {full_name(first), full_name(fourth)} <= names
    assert first.name not in names
    assert world.cities[1].name in names


def test_a_city_more_changes_no_flight(world: World, tmp_path: Path, clean: dict[str, Table]) -> None:
    fewer = make_world(world.cities[:9], 0.1, SEED, DATES)
    flights.write(fewer, tmp_path, dirt=False)
    few = rows_of(tmp_path / "flights.csv")
    assert few == clean["flights.csv"][: len(few)]
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
    "missing_number": lambda r: r["Flight Number"] == "",
    "distance_not_a_number": lambda r: r["Distance"] == "far",
    "duplicate_number": lambda r: r["Flight Number"] == "F0000001",
    "city_name_of_two": lambda r: "," not in r["OriginCityName"],
    "short_record": lambda r: r["Distance"] is None,
    "cancelled": lambda r: r["Cancelled"] == "1.00" and r["ArrTime"] == "",
    "departs_at_2400": lambda r: r["DepTime"] == "2400",
    "missing_distance": lambda r: r["Distance"] == "",
}


def test_each_planted_record_is_what_it_is_said_to_be(folder: Path, read_dirt: Any) -> None:
    tables = {name: rows_of(folder / name) for name in ("flights.csv", "on_time.csv")}
    dirt = read_dirt(folder)
    assert {d.kind for d in dirt} == set(FLAWS)
    for d in dirt:
        row = tables[d.file][d.line - 1]
        assert FLAWS[d.kind](row), d
        assert d.native_id == row.get("Flight Number", "")


def test_flights_leave_on_the_worlds_dates(tmp_path: Path) -> None:
    flights.write(make_world(3, 0.1, SEED, (dt.date(2021, 2, 27), dt.date(2021, 3, 2))), tmp_path, dirt=False)
    dates = {row["FlightDate"] for name in ("flights.csv", "on_time.csv") for row in rows_of(tmp_path / name)}
    assert dates == {"2021-02-27", "2021-02-28", "2021-03-01", "2021-03-02"}
