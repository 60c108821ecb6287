"""Flights between a recipe's cities: by airport or confirmed name, timed across zones and numbered."""

from __future__ import annotations

import datetime as dt
import gzip
import io
import zipfile
from dataclasses import replace
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from assets.clean.city_airport import city_airports
from assets.clean.flight import flights
from assets.clean.flight_number import flight_numbers
from assets.clean.local_time import ZoneClock
from assets.clean.shift_dates import shift_dates
from schemas.recipe import City
from schemas.recipe_values import Box
from schemas.source import SourceError
from schemas.travel import Flight

FORM = "FL_DATE,OP_UNIQUE_CARRIER,OP_CARRIER_FL_NUM,ORIGIN,DEST,CRS_DEP_TIME,DEP_TIME,CANCELLED,AIR_TIME,DISTANCE,\n"
PREZIP = (
    '"FlightDate","Reporting_Airline","Flight_Number_Reporting_Airline","Origin","OriginCityName","Dest","CRSDepTime",'
    '"DepTime","ArrTime","Cancelled","Diverted","ActualElapsedTime","AirTime","Distance",\n'
)
PLANNER = ",Flight Number,Price,DepTime,ArrTime,ActualElapsedTime,FlightDate,OriginCityName,DestCityName,Distance\n"


def city(city_id, name, lat, lon, zone):
    box = Box(south=lat - 0.1, north=lat + 0.1, west=lon - 0.1, east=lon + 0.1)
    return City(city_id=city_id, name=name, region=city_id[3:5], country="US", box=box, time_zone=zone)


OMAHA = city("us-ne-omaha", "Omaha", 41.26, -95.94, "America/Chicago")
PHOENIX = city("us-az-phoenix", "Phoenix", 33.45, -112.07, "America/Phoenix")
DALLAS = city("us-tx-dallas", "Dallas", 32.78, -96.8, "America/Chicago")
FORT_WORTH = city("us-tx-fort-worth", "Fort Worth", 32.75, -97.33, "America/Chicago")
CITIES = [OMAHA, PHOENIX, DALLAS, FORT_WORTH]
SERVED = pd.DataFrame(
    [
        ("us-ne-omaha", "OMA", 1.0, "America/Chicago"),
        ("us-az-phoenix", "PHX", 1.0, "America/Phoenix"),
        ("us-tx-dallas", "DFW", 1.0, "America/Chicago"),
        ("us-tx-fort-worth", "DFW", 1.0, "America/Chicago"),
        ("us-tx-dallas", "DAL", 1.0, "America/Chicago"),
    ],
    columns=["city_id", "iata", "distance_m", "time_zone"],
)


@pytest.fixture
def built(raw_file):
    def build(bts=(), planner=(), cities=CITIES):
        on_time = [replace(raw_file("bts", "on_time", text), max_unreadable=1.0) for text in bts]
        published = [replace(raw_file("travelplanner", "flights", text), max_unreadable=1.0) for text in planner]
        outcome: Any = flights(on_time, published, SERVED, cities=cities)
        rows, rejected = outcome.rows.read_all(), outcome.rejections.read_all().to_pylist()
        Flight.validate(rows)
        assert outcome.rows_in == len(rows) + len(rejected)
        found = rows.to_pylist()
        return found, [(r["row"].partition("#")[2], r["reason"]) for r in rejected]

    return build


def form(*rows):
    return FORM + "".join(f"{row},\n" for row in rows)


def times(row):
    names = ("flight_date", "dep_time", "arr_time", "arr_day_offset", "elapsed_min")
    return (str(row["flight_date"]), *(row[name] for name in names[1:]))


ROW = "2/1/2021 12:00:00 AM,AA,1288,OMA,PHX,0606,0603,0.00,157.00,1037.00"


def test_a_flight_lands_after_its_time_in_the_air_and_on_the_ground_in_the_other_zone(built):
    (row,), rejected = built([form(ROW)])
    assert rejected == []
    assert times(row) == ("2021-02-01", "06:03", "08:04", 0, 157 + 24)
    assert (row["native_id"], row["origin_city_id"], row["dest_city_id"]) == (
        "AA1288 OMA-PHX", "us-ne-omaha", "us-az-phoenix",
    )  # fmt: skip
    assert row["is_arrival_modelled"] and (row["price"], row["currency"]) == (None, None)
    assert row["distance_km"] == 1668.9
    assert row["source_rows"][0].endswith("#R1")


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ("2021-02-01,AA,1,OMA,PHX,2350,2355,0,180,1037", ("2021-02-01", "23:55", "02:19", 1, 204)),
        ("2021-02-01,AA,1,OMA,PHX,2350,2400,0,180,1037", ("2021-02-02", "00:00", "02:24", 0, 204)),
        ("2021-02-01,AA,1,OMA,PHX,2350,0010,0,180,1037", ("2021-02-02", "00:10", "02:34", 0, 204)),
        ("2021-02-02,AA,1,OMA,PHX,0005,2355,0,180,1037", ("2021-02-01", "23:55", "02:19", 1, 204)),
        ("2021-02-01,AA,1,OMA,PHX,0600,,0,180,1037", ("2021-02-01", "06:00", "08:24", 0, 204)),
        # The clocks of Omaha go forward at 02:00 on 14 March; those of Phoenix never do.
        ("2021-03-14,AA,1,OMA,PHX,0150,0150,0,180,1037", ("2021-03-14", "01:50", "04:14", 0, 204)),
        ("2021-03-14,AA,1,PHX,OMA,0030,0030,0,60,1037", ("2021-03-14", "00:30", "03:54", 0, 84)),
    ],
)
def test_midnight_and_changes_of_the_clock(built, row, expected):
    (found,), _ = built([form(row)])
    assert times(found) == expected


def test_prezipped_months_are_read_from_the_zip_with_their_own_arrivals(built, raw_file):
    text = PREZIP + (
        '2021-02-01,"AA","12","OMA","Omaha, NE","PHX","2300","2310","0100",0.00,0.00,170.00,150.00,1037.00,\n'
        '2021-02-01,"AA","13","OMA","Omaha, NE","PHX","2300","2310","0500",0.00,0.00,170.00,150.00,1037.00,\n'
        '2021-02-01,"AA","14","OMA","Omaha, NE","PHX","2300","","",1.00,0.00,,,1037.00,\n'
        '2021-02-01,"AA","15","OMA","Omaha, NE","PHX","2300","2310","0100",0.00,1.00,170.00,150.00,1037.00,\n'
    )
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("readme.html", "<html>")
        archive.writestr("__MACOSX/._On_Time_2021_2.csv", b"\0\5\x16\7\0\2\0\0Mac OS X")
        archive.writestr("On_Time_2021_2.csv", text)
    (row,), rejected = built([packed.getvalue()])
    assert times(row) == ("2021-02-01", "23:10", "01:00", 1, 170)
    assert not row["is_arrival_modelled"]
    assert row["source_rows"][0].endswith("#On_Time_2021_2.csv:1")
    member = "On_Time_2021_2.csv"
    assert rejected == [
        (f"{member}:3", "cancelled"), (f"{member}:4", "cancelled"), (f"{member}:2", "bad_value"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("carrier", "number"),
    [
        ("UniqueCarrier", "FlightNum"),
        ("UNIQUE_CARRIER", "FL_NUM"),
        ("CARRIER", "FL_NUM"),
        ("Marketing_Airline_Network", "Flight_Number_Marketing_Airline"),
        ("MKT_UNIQUE_CARRIER", "MKT_CARRIER_FL_NUM"),
    ],
)
def test_a_flight_has_its_carrier_and_number_in_the_tables_of_all_years(built, carrier, number):
    text = form(ROW).replace("OP_UNIQUE_CARRIER", carrier).replace("OP_CARRIER_FL_NUM", number)
    assert [row["native_id"] for row in built([text])[0]] == ["AA1288 OMA-PHX"]


def test_packed_with_gzip_gives_the_same(built):
    text = form(ROW)
    assert built([gzip.compress(text.encode())])[0][0]["price"] == built([text])[0][0]["price"]


def test_rows_that_cannot_be_used_are_rejected_by_record(built):
    rows = [
        "2021-02-01,AA,1,OMA,PHX,0600,0600,1.00,,1037",
        "2021-02-30,AA,2,OMA,PHX,0600,0600,0,100,1037",
        "2021-02-01,AA,3,OMA,PHX,0600,2460,0,100,1037",
        "2021-02-01,AA,4,OMA,PHX,0600,0600,0,,1037",
        "2021-02-01,AA,5,OMA,PHX,0600,0600,0,100,",
        '2021-02-01,AA,6,OMA,PHX,0600,0600,0,"1,000",1037',
        "2021-02-01,AA,7,OMA,JFK,0600,0600,0,100,1037",
        "2021-02-01,AA,8,DAL,DFW,0600,0600,0,10,12",
        "2021-02-01,AA,9,OMA,PHX,0600,0600,0,100",
        "2021-02-01,AA,10,'; DROP TABLE,PHX,0600,0600,0,100,1037",
        ROW, ROW,
    ]  # fmt: skip
    found, rejected = built([form(*rows)])
    # Love Field serves Dallas alone and Dallas/Fort Worth both, so flight 8 goes from Dallas to Fort Worth.
    assert {(r["native_id"], r["dest_city_id"]) for r in found} == {
        ("AA8 DAL-DFW", "us-tx-fort-worth"),
        ("AA1288 OMA-PHX", "us-az-phoenix"),
    }
    assert sorted(rejected) == sorted(
        [
            ("R1", "cancelled"), ("R2", "bad_value"), ("R3", "bad_value"), ("R4", "missing_value"),
            ("R5", "missing_value"), ("R6", "bad_value"), ("R7", "outside_every_city"), ("R9", "bad_value"),
            ("R10", "bad_value"), ("R12", "duplicate"),
        ]
    )  # fmt: skip


def test_a_flight_between_airports_of_one_city_alone_is_no_way_to_travel(built):
    _, rejected = built([form("2021-02-01,AA,8,DAL,DAL,0600,0600,0,10,12")])
    assert rejected == [("R1", "within_one_city")]


def test_an_airport_of_two_cities_offers_its_flights_to_both_under_two_numbers(built):
    found, _ = built([form("2021-02-01,AA,1,DFW,OMA,0600,0600,0,80,583")])
    assert sorted(r["origin_city_id"] for r in found) == ["us-tx-dallas", "us-tx-fort-worth"]
    assert len({r["flight_number"] for r in found}) == 2


def test_a_flight_keeps_its_number_whatever_else_is_in_the_file(built):
    others = [f"2021-02-{day:02d},DL,{day},PHX,OMA,0700,0700,0,120,1037" for day in range(1, 20)]
    alone, among = built([form(ROW)])[0][0], built([form(*others, ROW)])[0][-1]
    assert alone["flight_number"] == among["flight_number"]


def test_travelplanners_names_are_believed_where_the_distance_fits(built):
    springfield = [city(f"us-{r}-springfield", "Springfield", lat, lon, "America/Chicago") for r, lat, lon in (
        ("il", 39.8, -89.65), ("mo", 37.2, -93.29))]  # fmt: skip
    rows = [
        "0,F0000001,120,06:00,07:00,2 hours 0 minutes,2022-03-01,Omaha,Phoenix,1037.0",
        '1,F0000002,"$1,200",06:00,07:00,2 hours 0 minutes,2022-03-01,Omaha,Phoenix,1037.0',
        "2,F0000003,120,06:00,07:00,2 hours 0 minutes,2022-03-01,Omaha,Phoenix,90.0",
        "3,F0000004,120,06:00,07:30,1 hour 30 minutes,2022-03-01,Omaha,Springfield,350.0",
        "4,F0000001,130,06:00,07:00,2 hours 0 minutes,2022-03-01,Omaha,Phoenix,1037.0",
        "5,F0000006,120,06:00,07:00,2 hours 0 minutes,2022-03-01,Omaha,Nowhere,1037.0",
        "6,F7,120,06:00,07:00,2 hours 0 minutes,2022-03-01,Omaha,Phoenix,1037.0",
        "7,F0000008,120,06:00,07:00,2 hours 0 minutes,2022-03-01,Omaha,Springfield,330.0",
    ]
    text = PLANNER + "\n".join(rows) + "\n"
    found, rejected = built([form(ROW)], [text], cities=[*CITIES, *springfield])
    numbers = {r["flight_number"]: (r["dest_city_id"], r["price"], r["currency"]) for r in found}
    assert numbers["F0000001"] == ("us-az-phoenix", 120, "USD")
    assert len(numbers) == 2
    assert dict(rejected) == {
        "R2": "bad_value", "R3": "outside_every_city", "R4": "ambiguous_name", "R5": "duplicate",
        "R6": "outside_every_city", "R7": "bad_value", "R8": "ambiguous_name",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("id,name\n1,2\n", "found the columns id, name; expected BTS on-time flights"),
        ("FL_DATE,ORIGIN,DEST,DEP_TIME,DISTANCE\n", "one of AirTime/AIR_TIME"),
        (form(ROW).replace("ORIGIN", "DEST", 1), "ORIGIN"),
        ("", "found the columns nothing"),
        (b"PK\x03\x04broken", "damaged or encrypted zip"),
    ],
)
def test_another_file_is_refused(built, text, found):
    with pytest.raises(SourceError, match=found):
        built([text])


def test_a_file_that_says_the_day_before_the_month_is_refused(built):
    """The second of March of such a file was the third of February."""
    dates = ("2/3/2021", "31/3/2021", "5/3/2021")
    rows = [ROW.replace(ROW.partition(",")[0], date) for date in dates]
    with pytest.raises(SourceError, match="with months before days in FL_DATE, as in 2/13/2021, not days before"):
        built([form(*rows)])
    american = ROW.replace(ROW.partition(",")[0], "3/31/2021")
    _, rejected = built([form(*rows, american)])  # one slip in a file that has it right is that row's own
    assert dict(rejected) == {"R2": "bad_value"}


def test_the_real_months_of_omaha(raw_file, shared_data):
    files = [
        raw_file("bts", "on_time", shared_data / "bts_flights" / f"T_ONTIME_REPORTING_2021_{month}.csv")
        for month in ("02", "03")
    ]
    outcome: Any = flights(files, [], SERVED, cities=CITIES)
    rows = Flight.validate(outcome.rows.read_all()).to_pylist()
    assert outcome.rows_in == 6688 + outcome.facts["flights_offered_again"]
    assert len({row["flight_number"] for row in rows}) == len(rows)
    pair = ("us-ne-omaha", "us-az-phoenix")
    elapsed = [r["elapsed_min"] for r in rows if (r["origin_city_id"], r["dest_city_id"]) == pair]
    assert 130 <= min(elapsed) <= max(elapsed) <= 260


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(["America/Chicago", "Europe/Lisbon", "Asia/Kathmandu", "Australia/Lord_Howe", "UTC"]),
    st.integers(0, 40 * 365 * 1440),
)
def test_a_zones_clock_is_zoneinfos(zone, minute):
    day = minute // 1440
    clock = ZoneClock(zone, day, day)
    wall = dt.datetime(1985, 1, 1) + dt.timedelta(minutes=minute)
    epoch = dt.datetime(1970, 1, 1)
    local = int((wall - epoch).total_seconds()) // 60
    clock = ZoneClock(zone, local // 1440, local // 1440)
    utc = int(wall.replace(tzinfo=ZoneInfo(zone)).timestamp()) // 60
    assert clock.utc(np.array([local]))[0] == utc
    back = dt.datetime.fromtimestamp(utc * 60, dt.UTC).astimezone(ZoneInfo(zone)).replace(tzinfo=None)
    assert clock.local(np.array([utc]))[0] == int((back - epoch).total_seconds()) // 60


def test_clocks_at_their_changes_are_zoneinfos():
    clock = ZoneClock("America/Chicago", 18_690, 18_941)
    for day in (dt.datetime(2021, 3, 14), dt.datetime(2021, 11, 7)):
        for minute in range(0, 240):
            wall = day + dt.timedelta(minutes=minute)
            local = int((wall - dt.datetime(1970, 1, 1)).total_seconds()) // 60
            utc = int(wall.replace(tzinfo=ZoneInfo("America/Chicago")).timestamp()) // 60
            assert clock.utc(np.array([local]))[0] == utc


@settings(max_examples=25, deadline=None)
@given(st.lists(st.integers(0, 2**64 - 1), max_size=40, unique=True), st.sets(st.integers(0, 9_999_999), max_size=20))
def test_numbers_are_those_of_a_table_with_linear_probing(hashes, taken):
    free = [n for n in range(60) if n not in {t % 60 for t in taken}]
    assume(len(free) >= len(hashes))
    blocked = np.delete(np.arange(10_000_000), free)
    numbers = flight_numbers(np.array(hashes, dtype=np.uint64), blocked).tolist()
    used: set[int] = set()
    expected = {}
    late = []
    for h in sorted(hashes):
        slot = int((h >> 11) * 2.0**-53 * len(free))
        while slot in used:
            slot += 1
        if slot < len(free):
            used.add(slot)
            expected[h] = free[slot]
        else:
            late.append(h)
    rest = [s for s in range(len(free)) if s not in used]
    expected |= {h: free[s] for h, s in zip(late, rest, strict=False)}
    assert numbers == [expected[h] for h in hashes]


def test_airports_serve_the_cities_around_them():
    airport = pd.DataFrame(
        [("OMA", 41.3, -95.9, None), ("DFW", 32.9, -97.04, "America/Chicago"), ("LNK", 40.85, -96.76, None)],
        columns=["iata", "lat", "lon", "time_zone"],
    )
    outcome = city_airports(airport, cities=CITIES)
    assert isinstance(outcome.rows, pd.DataFrame)
    served = {(row["city_id"], row["iata"]): row["time_zone"] for row in outcome.rows.to_dict("records")}
    assert served == {
        ("us-ne-omaha", "OMA"): "America/Chicago",
        ("us-tx-dallas", "DFW"): "America/Chicago",
        ("us-tx-fort-worth", "DFW"): "America/Chicago",
    }
    rejected = pd.DataFrame(outcome.rejections)
    assert rejected[["row", "reason"]].to_numpy().tolist() == [["us-az-phoenix", "no_airport"]]


days = st.dates(dt.date(2020, 1, 1), dt.date(2026, 1, 1))


@given(st.sets(days, max_size=20), days, st.integers(7, 40))
def test_shifted_dates_keep_weekday_order_and_distance(dates, first, length):
    window = (first, first + dt.timedelta(days=length))
    moved = shift_dates(dates, window)
    assert set(moved) <= dates
    assert all(window[0] <= to <= window[1] and to.weekday() == date.weekday() for date, to in moved.items())
    assert len({to - date for date, to in moved.items()}) <= 1
    if dates:
        assert min(dates) in moved


def test_march_2022_becomes_november_2024():
    window = (dt.date(2024, 11, 1), dt.date(2024, 11, 30))
    moved = shift_dates([dt.date(2022, 3, 1), dt.date(2022, 3, 31)], window)
    assert moved == {dt.date(2022, 3, 1): dt.date(2024, 11, 5)}
