"""Airports, events, TripAdvisor places and prices: read in every form, matched to cities, faults by name."""

from __future__ import annotations

import csv
import datetime as dt
import io
import json

import pyarrow as pa
import pytest

from schemas.events import Event
from schemas.recipe import City
from schemas.recipe_values import Box
from schemas.source import SourceError
from schemas.travel import Airport, CityPrice
from schemas.tripadvisor import TripadvisorPlace
from sources.events.dates import event_date, event_time
from sources.events.listings import read_events
from sources.formats.jsonl import RowError
from sources.formats.opening_hours import is_readable
from sources.numbeo.prices import read_prices
from sources.openflights.airports import read_airports
from sources.tripadvisor.places import price_signs, read_places

WINDOW = (dt.date(2024, 11, 1), dt.date(2024, 11, 30))
BOX = Box(south=41, west=-97, north=42, east=-95)
OMAHA = City(city_id="us-ne-omaha", name="Omaha", region="NE", country="US", box=BOX, currency="USD")
AWAY = Box(south=36, west=-94, north=37, east=-93)
HOMONYM = City(city_id="us-ar-omaha", name="Omaha", region="AR", country="US", box=AWAY)
CITIES = [OMAHA, HOMONYM]


def check(table, rows):
    table.validate(pa.Table.from_pylist(rows, schema=table.arrow_schema()))
    return rows


def faults(rejected):
    return [(row["row"].partition("#")[2], row["reason"]) for row in rejected]


def test_airports_have_a_code_and_a_zone_where_known(given_bytes):
    lines = (
        '9,"Omaha Amtrak","Omaha","United States","OMA",\\N,41.25,-95.93,1,-6,"A","America/Chicago","station","U"\n'
        '1,"Eppley, \\"The\\" Field","Omaha","United States","OMA","KOMA",41.3,-95.9,984,-6,"A",'
        '"America/Chicago","airport","O"\n'
        '2,"Port O\\\'Connor","X","United States",\\N,"XS46",28.4,-96.4,8,-6,"A","America/Chicago","airport","O"\n'
        '3,"Leeward","G","Cuba","NBW","MUGM",19.9,-75.2,56,-5,"U",\\N,"airport","O"\n'
        '4,"Again","Omaha","United States","OMA","K",41.3,-95.9,1,-6,"A","America/Chicago","airport","O"\n'
        '5,"North","X","X","NTH","K",north,-95.9,1,-6,"A","America/Chicago","airport","O"\nshort\n'
    )  # fmt: skip
    rejected: list[dict[str, str]] = []
    rows = check(Airport, read_airports(given_bytes(lines, "openflights", "airports"), rejected))
    assert [(r["iata"], r["name"], r["time_zone"]) for r in rows] == [
        ("OMA", 'Eppley, "The" Field', "America/Chicago"),
        ("NBW", "Leeward", None),
    ]
    assert faults(rejected) == [
        ("L1", "other_category"), ("L3", "missing_value"), ("L5", "duplicate"), ("L6", "bad_coordinates"),
        ("L7", "bad_value"),
    ]  # fmt: skip
    with pytest.raises(SourceError, match="expected OpenFlights"):
        read_airports(given_bytes("a,b\n", "openflights", "airports"), [])


def event(**changes):
    venue = {
        "name": "Hall", "city": {"name": "Omaha"}, "state": {"stateCode": "NE"}, "country": {"countryCode": "US"},
        "address": {"line1": "1 Main St"}, "location": {"latitude": "41.2", "longitude": "-95.9"},
    }  # fmt: skip
    return {
        "name": "Show, <b>", "id": "G1", "url": "https://t.example/1",
        "dates": {"start": {"localDate": "2024-11-05", "localTime": "19:30:00"}, "status": {"code": "onsale"}},
        "classifications": [{"primary": True, "segment": {"name": "Music"}}],
        "priceRanges": [{"min": 20.5, "currency": "USD"}], "_embedded": {"venues": [venue | changes.pop("venue", {})]},
        **changes,
    }  # fmt: skip


def start(**values):
    return {"dates": {"start": values, "status": {"code": "onsale"}}}


@pytest.mark.parametrize("indent", [None, 1])
@pytest.mark.parametrize("is_page", [True, False])
def test_a_page_and_a_list_give_the_same_event(given_bytes, indent, is_page):
    content = {"_embedded": {"events": [event()]}, "page": {"number": 0}} if is_page else [event()]
    file = given_bytes(json.dumps(content, indent=indent), "events", "discovery")
    (row,) = check(Event, read_events(file, CITIES, WINDOW, []))
    assert (row["city_id"], row["event_id"], row["segment"], row["date"], row["time"], row["price"]) == (
        "us-ne-omaha", "ticketmaster:G1", "Music", dt.date(2024, 11, 5), "19:30", 20.5,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"dates": {"start": {"localDate": "2024-11-05"}, "status": {"code": "cancelled"}}}, "cancelled"),
        ({"dates": {"start": {"localDate": "2024-11-05"}, "status": {"code": "postponed"}}}, "cancelled"),
        (start(dateTBD=True, localDate="2024-11-05"), "missing_value"),
        (start(localDate="2024-11-31"), "bad_value"),
        (start(), "missing_value"),
        ({"name": None}, "missing_value"),
        ({"test": True}, "other_category"),
        ({"classifications": [{"segment": {"name": "Miscellaneous"}}]}, "other_category"),
        ({"venue": {"location": {"latitude": "north", "longitude": "west"}}}, "bad_coordinates"),
        ({"venue": {"location": {"latitude": "50", "longitude": "-95.9"}}}, "outside_every_city"),
        ({"venue": {"location": None, "state": None, "country": None}}, "outside_every_city"),
        ({"venue": {"location": None, "state": None}}, "ambiguous_name"),
        ({"dates": "soon"}, "bad_value"),
    ],
)
def test_events_that_cannot_be_used_are_rejected(given_bytes, change, reason):
    rejected: list[dict[str, str]] = []
    file = given_bytes(json.dumps([event(**change), event(id="G2", url="")]), "events", "discovery")
    assert [row["event_id"] for row in read_events(file, CITIES, WINDOW, rejected)] == ["ticketmaster:G2"]
    assert faults(rejected) == [("[0]", reason)]


@pytest.mark.parametrize("embedded", [[], {"events": {}}, {"events": True}, "none"])
def test_a_page_whose_events_are_no_list_is_rejected(given_bytes, embedded):
    rejected: list[dict[str, str]] = []
    pages = [{"_embedded": embedded, "page": {}}, {"_embedded": {"events": [event()]}, "page": {}}]
    file = given_bytes("\n".join(map(json.dumps, pages)), "events", "discovery")
    assert len(read_events(file, CITIES, WINDOW, rejected)) == 1
    assert faults(rejected) == [("L1", "bad_value")]


@pytest.mark.parametrize("location", [None, {}, {"latitude": "0", "longitude": "0"}, {"latitude": 0, "longitude": 0.0}])
def test_without_coordinates_name_and_region_tell_homonyms_apart(given_bytes, location):
    item = event(venue={"location": location, "state": {"stateCode": "AR"}})
    (row,) = check(Event, read_events(given_bytes(json.dumps([item]), "events", "discovery"), CITIES, WINDOW, []))
    assert (row["city_id"], row["lat"]) == ("us-ar-omaha", None)


def test_an_export_has_prices_as_text_and_dates_without_year(given_bytes):
    item = {
        "name": "Cup", "segmentName": "Sports", "dateTitle": "Nov 15", "dateSubTitle": "Fri • 7:30 PM",
        "streetAddress": "1 Main", "addressLocality": "omaha", "addressRegion": "ne", "offer": {"price": "$1,200"},
    }  # fmt: skip
    rows = [item, item, item | {"dateTitle": "Oct 25"}, item | {"dateTitle": "24-11-2024", "segmentName": "Film"}]
    rejected: list[dict[str, str]] = []
    file = given_bytes("\n".join(map(json.dumps, rows)), "events", "apify")
    found = check(Event, read_events(file, CITIES, WINDOW, rejected))
    assert [(r["date"], r["time"], r["price"], r["currency"]) for r in found] == [
        (dt.date(2024, 11, 15), "19:30", 1200.0, "USD"),
        (dt.date(2024, 11, 24), "19:30", 1200.0, "USD"),
    ]
    assert faults(rejected) == [("L2", "duplicate"), ("L3", "outside_dates")]


@pytest.mark.parametrize(
    ("text", "weekday", "found"),
    [
        ("25-12-2024", "", dt.date(2024, 12, 25)),
        ("2024-02-29", "", dt.date(2024, 2, 29)),
        ("Oct 25", "", "bad_value"),
        ("Oct 25", "fri", dt.date(2024, 10, 25)),
        ("Jan 2", "", dt.date(2025, 1, 2)),
        ("Jan 2, 2026", "mon", dt.date(2026, 1, 2)),
        ("Jan 32, 2026", "", "bad_value"),
        ("Feb 29", "", dt.date(2024, 2, 29)),
        ("Feb 30", "", "bad_value"),
        ("Okt 25", "", "bad_value"),
        ("TBA", "", "missing_value"),
    ],
)
def test_a_date_without_year_is_the_one_in_the_window(text, weekday, found):
    window = (
        (dt.date(2023, 10, 1), dt.date(2025, 1, 31)) if "Oct" in text else (dt.date(2024, 2, 1), dt.date(2025, 1, 9))
    )
    if isinstance(found, dt.date):
        assert event_date(text, window, weekday) == found
    else:
        with pytest.raises(RowError) as error:
            event_date(text, window, weekday)
        assert error.value.reason == found


@pytest.mark.parametrize(
    ("text", "time"),
    [("Fri • 12:05 AM", "00:05"), ("12:00 PM", "12:00"), ("19:30:00", "19:30"), ("25:00", None), ("Fri", None)],
)
def test_times_are_read_on_either_clock(text, time):
    assert event_time(text) == time


PLACE = {
    "id": "123", "type": "RESTAURANT", "category": "restaurant", "subcategories": ["Sit down"], "name": 'Caffè "A", B',
    "rating": 4.5, "numberOfReviews": 12, "address": "1 Main St", "latitude": 41.2, "longitude": -95.9,
    "priceLevel": "$$ - $$$", "cuisines": ["Italian", "Pizza"], "mealTypes": ["Lunch", "Late Night", "Drinks"],
    "isClosed": False, "website": "javascript:alert(1)",
    "hours": {"weekRanges": [[], *[[{"open": 540, "close": 1020}, {"open": 1080, "close": 1560}]] * 6]},
}  # fmt: skip


def flat(value, path=""):
    if isinstance(value, dict | list):
        pairs = value.items() if isinstance(value, dict) else enumerate(value)
        return {k: v for key, inner in pairs for k, v in flat(inner, f"{path}/{key}" if path else str(key)).items()}
    return {path: "" if value is None else str(value).lower() if isinstance(value, bool) else value}


def as_csv(*items):
    rows = [flat(item) for item in items]
    text = io.StringIO()
    writer = csv.DictWriter(text, list(dict.fromkeys(key for row in rows for key in row)))
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


@pytest.mark.parametrize("write", [lambda *i: json.dumps(i), lambda *i: "\n".join(map(json.dumps, i)), as_csv])
def test_array_lines_and_csv_give_the_same_place(given_bytes, write):
    park = {**PLACE, "id": "124", "type": "ATTRACTION", "subcategories": ["Museums", "Tours", "nature & parks"]}
    rejected: list[dict[str, str]] = []
    file = given_bytes(write(PLACE, park, {**PLACE, "id": "125", "isClosed": True}), "tripadvisor", "places")
    first, second = check(TripadvisorPlace, read_places(file, CITIES, rejected))
    hours = "09:00-17:00,18:00-26:00"
    assert first["opening_hours"] == "Su off; " + "; ".join(
        f"{d} {hours}" for d in ("Mo", "Tu", "We", "Th", "Fr", "Sa")
    )
    assert is_readable(first["opening_hours"])
    names = ("city_id", "name", "kind", "rating", "review_count", "price_signs", "cuisines", "meals", "website")
    assert [first[name] for name in names] == [
        "us-ne-omaha", 'Caffè "A", B', "restaurant", 4.5, 12, 2.5, ["Italian", "Pizza"], ["lunch", "latenight"], None,
    ]  # fmt: skip
    assert (second["kind"], second["categories"], second["cuisines"]) == (
        "attraction",
        ["Museums", "Nature & Parks"],
        [],
    )
    assert [reason for _, reason in faults(rejected)] == ["closed"]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"latitude": None}, "bad_coordinates"),
        ({"latitude": 36.5}, "outside_every_city"),
        ({"type": "VACATION_RENTAL"}, "other_category"),
        ({"rating": 9.5}, "bad_value"),
        ({"priceLevel": "$1,200"}, "bad_value"),
        ({"id": "x"}, "bad_value"),
        ({"cuisines": {"a": 1}}, "bad_value"),
        ({"id": "999"}, "duplicate"),
    ],
)
def test_places_that_cannot_be_used_are_rejected(given_bytes, change, reason):
    rejected: list[dict[str, str]] = []
    file = given_bytes(json.dumps([{**PLACE, "id": "999"}, {**PLACE, **change}]), "tripadvisor", "places")
    assert len(read_places(file, CITIES, rejected)) == 1
    assert faults(rejected) == [("[1]", reason)]


def test_an_older_export_has_numbers_as_text_and_its_cuisines_under_another_name(given_bytes):
    texts = {key: str(PLACE[key]) for key in ("latitude", "longitude", "rating", "numberOfReviews")}
    older = {**PLACE, **texts, "cuisine": PLACE["cuisines"]}
    del older["cuisines"]
    file = given_bytes(json.dumps([PLACE, {**older, "id": "999"}]), "tripadvisor", "places")
    first, second = check(TripadvisorPlace, read_places(file, CITIES, []))
    own = ("place_id", "native_id", "source_rows")
    assert {**second, **{key: first[key] for key in own}} == first


@pytest.mark.parametrize(
    "hours", [None, "always", {"weekRanges": []}, {"weekRanges": [[{"open": 1200, "close": 600}]] * 7}]
)
def test_hours_that_cannot_be_read_are_unknown(given_bytes, hours):
    file = given_bytes(json.dumps([{**PLACE, "hours": hours}]), "tripadvisor", "places")
    assert read_places(file, CITIES, [])[0]["opening_hours"] is None


@pytest.mark.parametrize(
    ("text", "signs"),
    [
        ("$", (1, 1)),
        ("€€ - €€€", (2, 3)),
        ("₹₹ - ₹₹₹", (2, 3)),
        ("฿฿", (2, 2)),
        ("$$$$", (4, 4)),
        (" ", (None, None)),
    ],
)
def test_price_signs_are_counted(text, signs):
    assert price_signs(text) == signs


def test_a_meal_s_price_without_sign_or_currency_is_not_taken_for_dollars(given_bytes):
    rejected: list[dict[str, str]] = []
    item = {"city": "Omaha, AR", "country": "United States", "inexpensive_meal": 15.0}
    assert list(read_prices(given_bytes(json.dumps([item]), "numbeo", "prices"), CITIES, rejected)) == []
    assert [row["reason"] for row in rejected] == ["missing_value"]
    assert "in no named currency; give us-ar-omaha its `currency`" in rejected[0]["detail"]


def test_prices_are_matched_by_name_region_and_country(given_bytes):
    items = [
        {"city": "Omaha, NE", "country": "United States", "Restaurant_Price_Index": 71.2},
        {"city": "Omaha, TX", "country": "USA", "Restaurant_Price_Index": 50},
        {"city": "Omaha", "country": "United States", "Restaurant_Price_Index": 50},
        {"city": "Omaha, NE", "country": "Narnia", "Restaurant_Price_Index": 50},
        {"city": "Omaha, AR", "country": "US", "Restaurant_Price_Index": -1},
    ]
    rejected: list[dict[str, str]] = []
    (row,) = check(CityPrice, read_prices(given_bytes(json.dumps(items), "numbeo", "prices"), CITIES, rejected))
    assert (row["city_id"], row["restaurant_index"], row["currency"]) == ("us-ne-omaha", 71.2, None)
    assert [reason for _, reason in faults(rejected)] == [
        "outside_every_city", "ambiguous_name", "bad_value", "bad_value",
    ]  # fmt: skip
    text = 'city,country,"Meal, Inexpensive Restaurant"\n"Omaha, NE",United States,"$1,200.00"\n"Omaha, AR",US,\n'
    rejected = []
    (row,) = check(CityPrice, read_prices(given_bytes(text, "numbeo", "prices"), CITIES, rejected))
    assert (row["inexpensive_meal"], row["currency"]) == (1200.0, "USD")
    assert faults(rejected) == [("R2", "missing_value")]


@pytest.mark.parametrize("text", ["a,b\n1,2\n", '[{"a": 1}]'])
def test_files_of_something_else_are_refused(given_bytes, text):
    for read in (
        lambda: read_prices(given_bytes(text, "numbeo", "prices"), CITIES, []),
        lambda: read_places(given_bytes(text, "tripadvisor", "places"), CITIES, []),
    ):
        with pytest.raises(SourceError, match="found"):
            read()


def test_the_real_airports(given_path, shared_data):
    airports = read_airports(given_path(shared_data / "airports" / "airports.dat", "openflights", "airports"), [])
    assert len(check(Airport, airports)) == 6072
