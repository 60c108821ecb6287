"""Inside Airbnb's files and both Apify generations become the same kind of stay, and nothing is made up."""

from __future__ import annotations

import csv
import gzip
import io
import json
from collections import Counter
from dataclasses import replace

import pyarrow as pa
import pytest

from schemas.recipe import City
from schemas.recipe_values import Box
from schemas.source import SourceError
from schemas.stays import Stay
from sources.airbnb.listings import parse_listing, read_stays
from sources.airbnb.values import money
from sources.formats.jsonl import RowError

SUMMARY = (
    "id,name,host_id,host_name,neighbourhood_group,neighbourhood,latitude,longitude,room_type,price,minimum_nights,"
    "number_of_reviews,last_review,reviews_per_month,calculated_host_listings_count,availability_365,"
    "number_of_reviews_ltm,license\n"
)
FIRST = {
    "url": "https://www.airbnb.com/rooms/111?adults=1",
    "name": "Loft",
    "stars": 4.5,
    "numberOfGuests": 3,
    "roomType": "Entire home/apt",
    "address": "Porto, Portugal",
    "location": {"lat": 41.1, "lng": -8.6},
    "pricing": {"rate": {"amount": 80, "currency": "EUR"}},
    "reviews": [{}, {}],
}
SECOND = {
    "id": "222",
    "url": "https://www.airbnb.com/rooms/222",
    "title": "Room, with view",
    "roomType": "Private room",
    "coordinates": {"latitude": 41.2, "longitude": -8.5},
    "personCapacity": 2,
    "rating": {"guestSatisfaction": 4.9, "reviewsCount": 12},
    "price": {"amount": "$1,107", "qualifier": "night", "breakDown": {}},
    "houseRules": {
        "general": [{"title": "During your stay", "values": [{"title": "No pets"}, {"title": "2 guests maximum"}]}]
    },
}


@pytest.fixture
def stays(given_bytes, everywhere):
    def read(content, role="listings", cities=None):
        rejected: list[dict[str, str]] = []
        file = replace(given_bytes(content, "airbnb", role), max_unreadable=1.0)
        rows = read_stays(file, cities or [everywhere], rejected)
        Stay.validate(pa.Table.from_pylist(rows, schema=Stay.arrow_schema()))
        assert all(pointer.startswith(f"airbnb.{role}@") for row in rows for pointer in row["source_rows"])
        return rows, [(row["row"].partition("#")[2], row["reason"]) for row in rejected]

    return read


def summary(*rows):
    text = io.StringIO()
    csv.writer(text).writerows(rows)
    return SUMMARY + text.getvalue()


def listing(native_id="7", name="Flat", lat="41.1", lon="-8.6", room="Entire home/apt", price="", nights="2"):
    return [native_id, name, "1", "Ana", "", "Sé", lat, lon, room, price, nights, "3", "", "", "1", "0", "0", ""]


def test_a_summary_row_says_nothing_of_rules_capacity_or_rating(stays):
    rows, rejected = stays(summary(listing(name='GAIA, "blue" <b>\nsecond line 🏠', price="85")))
    (row,) = rows
    assert row.pop("source_rows")[0].endswith("#R1")
    assert rejected == []
    assert row == {
        "city_id": "xx-everywhere",
        "place_id": "airbnb:7",
        "source": "airbnb",
        "native_id": "7",
        "name": 'GAIA, "blue" <b>\nsecond line 🏠',
        "address": "",
        "lat": 41.1,
        "lon": -8.6,
        "room_type": "entire_home",
        "price_per_night": 85.0,
        "currency": "EUR",
        "max_occupancy": None,
        "min_nights": 2,
        "rating": None,
        "review_count": 3,
        "house_rules": None,
        "unknown_rules": None,
        "house_rule_texts": None,
    }


def test_an_empty_price_stays_unknown_and_so_does_its_currency(stays):
    rows, _ = stays(summary(listing()))
    assert (rows[0]["price_per_night"], rows[0]["currency"]) == (None, None)


def test_a_detailed_packed_file_has_prices_as_text_capacity_and_rating_on_either_scale(stays):
    columns = [
        "id",
        "name",
        "latitude",
        "longitude",
        "room_type",
        "price",
        "accommodates",
        "review_scores_rating",
        "amenities",
    ]
    rows = [
        ["12345678901234567890", "A", "1", "1", "Hotel room", "$1,234.00", "4", "4.81", '["Wifi", "TV"]'],
        ["2", "B", "1", "1", "Shared room", "", "0", "96", "[]"],
        ["3", "C", "1", "1", "Shared room", "$0.00", "2", "", "[]"],
    ]
    text = io.StringIO()
    csv.writer(text).writerows([columns, *rows])
    found, _ = stays(gzip.compress(text.getvalue().encode()))
    assert [(r["native_id"], r["price_per_night"], r["currency"], r["max_occupancy"], r["rating"]) for r in found] == [
        ("12345678901234567890", 1234.0, "EUR", 4, 4.81),
        ("2", None, None, None, 4.8),
        ("3", None, None, 2, None),
    ]
    assert all(row["house_rules"] is None and row["min_nights"] is None for row in found)


def test_rows_that_cannot_be_used_are_rejected_by_their_number(stays):
    rows, rejected = stays(
        summary(
            listing("1"),
            listing("1"),
            listing("1.46674E+17"),
            listing(""),
            listing("2", name=" "),
            listing("3", lat=""),
            listing("4", lat="north"),
            listing("5", lat="141"),
            listing("6", lat="0", lon="0"),
            listing("7", room="Lighthouse"),
            listing("8", price="1.23.4 €"),
            listing("9", nights="2.5"),
            ["10", "short"],
            listing("11", nights="1e999"),
        )
    )
    assert [row["native_id"] for row in rows] == ["1"]
    assert sorted(rejected, key=lambda r: int(r[0][1:])) == [
        ("R2", "duplicate"),
        ("R3", "bad_value"),
        ("R4", "missing_value"),
        ("R5", "missing_value"),
        ("R6", "bad_coordinates"),
        ("R7", "bad_value"),
        ("R8", "bad_coordinates"),
        ("R9", "bad_coordinates"),
        ("R10", "other_category"),
        ("R11", "bad_value"),
        ("R12", "bad_value"),
        ("R13", "bad_value"),
        ("R14", "bad_value"),
    ]


@pytest.mark.parametrize(
    "column", ["latitude", "longitude", "minimum_nights", "number_of_reviews", "accommodates", "review_scores_rating"]
)
def test_a_number_that_cannot_be_read_is_told_by_its_column(column):
    record = dict(zip(SUMMARY.strip().split(","), listing(), strict=True))
    with pytest.raises(RowError, match=f"^{column}: found 'many', expected a number$"):
        parse_listing({**record, column: "many"}, "R1")


def test_a_row_belongs_to_the_city_whose_area_holds_it_with_that_city_s_currency(stays):
    def town(city_id, south, currency):
        box = Box(south=south, west=0, north=south + 1, east=1)
        return City(city_id=city_id, name="Bloomington", country="US", currency=currency, box=box)

    cities = [town("us-in-bloomington", 0, "USD"), town("us-il-bloomington", 5, "CAD")]
    text = summary(
        listing("1", lat="5.5", lon="0.5", price="9"), listing("2", lat="0.5", lon="0.5", price="9"), listing("3")
    )
    rows, rejected = stays(text, cities=cities)
    assert [(row["native_id"], row["city_id"], row["currency"]) for row in rows] == [
        ("1", "us-il-bloomington", "CAD"),
        ("2", "us-in-bloomington", "USD"),
    ]
    assert rejected == [("R3", "outside_every_city")]


def test_a_price_in_a_city_without_a_currency_is_in_none(stays, everywhere):
    silent = City(city_id="xx-silent", name="Silent", country="XX", box=everywhere.box)
    rows, rejected = stays(summary(listing("1", price="9")), cities=[silent])
    assert ([(row["price_per_night"], row["currency"]) for row in rows], rejected) == ([(9.0, None)], [])


def test_of_two_cities_that_overlap_the_first_has_the_place(stays, everywhere):
    other = everywhere.model_copy(update={"city_id": "xx-other"})
    for cities in ([everywhere, other], [other, everywhere]):
        rows, _ = stays(summary(listing("1")), cities=cities)
        assert [row["city_id"] for row in rows] == [cities[0].city_id]


def test_both_generations_of_apify_become_stays(stays):
    rows, rejected = stays(json.dumps([FIRST, SECOND]), "apify")
    first, second = rows
    assert rejected == []
    assert (first["place_id"], first["address"], first["rating"], first["review_count"]) == (
        "airbnb:111",
        "Porto, Portugal",
        4.5,
        None,
    )
    assert (first["price_per_night"], first["currency"], first["max_occupancy"]) == (80.0, "EUR", 3)
    assert first["house_rules"] is None
    assert (second["name"], second["room_type"], second["review_count"]) == ("Room, with view", "private_room", 12)
    assert (second["price_per_night"], second["currency"]) == (1107.0, "USD")
    assert second["house_rules"] == ["No pets"]
    assert second["unknown_rules"] == []
    assert second["house_rule_texts"] == ["No pets", "2 guests maximum"]


def test_rules_that_were_given_and_forbid_nothing_are_none_and_rules_not_given_are_unknown(stays):
    general = [{"title": "Stay", "values": [{"title": "Self check-in"}]}]
    variants = [
        {**SECOND, "id": "1", "houseRules": {"general": general}},
        {**SECOND, "id": "2", "houseRules": {"general": []}},
        {**SECOND, "id": "3", "houseRules": None},
    ]
    rows, _ = stays("\n".join(map(json.dumps, variants)), "apify")
    assert [row["house_rules"] for row in rows] == [[], None, None]
    assert [row["unknown_rules"] for row in rows] == [[], None, None]


def test_rules_in_words_that_are_not_read_are_unknown_not_none(stays):
    titles = ["Nem szabad háziállatot hozni", "Proibido fumar"]
    general = [{"title": "Stay", "values": [{"title": title} for title in titles]}]
    rows, _ = stays(json.dumps({**SECOND, "houseRules": {"general": general}}), "apify")
    assert rows[0]["house_rules"] == ["No smoking"]
    assert rows[0]["unknown_rules"] == ["No parties", "No children under 10", "No pets", "No visitors"]


def test_a_rating_of_0_is_no_rating(stays):
    rows, _ = stays(json.dumps([{**SECOND, "rating": {"guestSatisfaction": 0, "reviewsCount": 0}}]), "apify")
    assert (rows[0]["rating"], rows[0]["review_count"]) == (None, 0)


@pytest.mark.parametrize("amount", [10**400, -1, float("nan"), float("inf")])
def test_an_amount_that_is_none_is_rejected(stays, amount):
    rows, rejected = stays(json.dumps([FIRST, {**FIRST, "id": "9", "pricing": {"rate": {"amount": amount}}}]), "apify")
    assert [row["price_per_night"] for row in rows] == [80.0]
    assert rejected == [("[1]", "bad_value")]


@pytest.mark.parametrize("kind", [{"rateType": "monthly"}, {"rateType": "total"}, {"isMicrosAccuracy": True}])
def test_a_rate_of_the_first_generation_that_is_not_a_night_s_is_no_price(stays, kind):
    rate = {"amount": 80, "currency": "EUR", "isMicrosAccuracy": False} | kind
    pricing = {"rate": rate, "rateType": kind.get("rateType", "nightly")}
    (row,), _ = stays(json.dumps([{**FIRST, "pricing": pricing}]), "apify")
    assert (row["price_per_night"], row["currency"]) == (None, None)


def test_a_price_for_more_than_a_night_is_not_a_price_per_night(stays):
    rows, _ = stays(json.dumps([{**SECOND, "price": {"amount": "$500", "qualifier": "for 5 nights"}}]), "apify")
    assert (rows[0]["price_per_night"], rows[0]["currency"]) == (None, None)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"coordinates": None}, "bad_coordinates"),
        ({"coordinates": {"latitude": "41", "longitude": 1}}, "bad_coordinates"),
        ({"coordinates": [1, 2]}, "bad_value"),
        ({"id": None, "url": "https://x.example"}, "missing_value"),
        ({"title": None}, "missing_value"),
        ({"roomType": "Treehouse"}, "other_category"),
        ({"personCapacity": "two"}, "bad_value"),
        ({"rating": {"guestSatisfaction": 97}}, "bad_value"),
        ({"price": {"amount": "ask", "qualifier": "night"}}, "bad_value"),
    ],
)
def test_bad_items_are_rejected_with_a_reason(stays, change, reason):
    rows, rejected = stays(json.dumps([SECOND, {**SECOND, "id": "9", **change}]), "apify")
    assert [row["native_id"] for row in rows] == ["222"]
    assert rejected == [("[1]", reason)]


@pytest.mark.parametrize(
    ("content", "role", "found"),
    [
        (
            "<!DOCTYPE html>",
            "listings",
            "found the columns <!DOCTYPE html>; expected Inside Airbnb.s listings, with id, name",
        ),
        ("", "listings", "found the columns nothing"),
        (json.dumps([{"businessId": 1}]), "apify", "items with the keys businessId; expected Airbnb listings"),
        ("[]", "apify", "found no object; expected Airbnb listings"),
        ((SUMMARY + "1,S\xe9,x").encode("latin-1"), "listings", "near record 1: found bytes that are not UTF-8"),
        (gzip.compress(SUMMARY.encode(), mtime=0)[:-9], "listings", "found a damaged gzip file"),
        (gzip.compress(b"[{}, ", mtime=0) + b"junk", "apify", "found"),
    ],
)
def test_another_file_is_refused_as_a_whole(stays, content, role, found):
    with pytest.raises(SourceError, match=found):
        stays(content, role)


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        ("$1,234.00", (1234.0, "USD")),
        ("$107", (107.0, "USD")),
        ("€ 95", (95.0, "EUR")),
        ("1,234,567 JPY", (1234567.0, "JPY")),
        ("£\u00a012.5", (12.5, "GBP")),
        ("¥900", (900.0, None)),
        ("85", (85.0, None)),
        ("1 204,50 €", (1204.5, "EUR")),
        ("1\u202f204,50\u00a0€", (1204.5, "EUR")),
        ("1.234,00 €", (1234.0, "EUR")),
        ("1.234 €", (1234.0, "EUR")),
        ("89,9 €", (89.9, "EUR")),
        ("R$ 1.234,50", (1234.5, "BRL")),
        ("1’234.50 CHF", (1234.5, "CHF")),
        ("1.234.567,5 EUR", (1234567.5, "EUR")),
        ("", (None, None)),
        ("$0.00", (None, None)),
    ],
)
def test_money(text, amount):
    assert money(text) == amount


@pytest.mark.parametrize(
    "text", ["1,234,56", "1.234.56", "1 234 56 €", "12,345,6.7", "12,5000", "-5 €", "1.2.3", "5-7 €"]
)
def test_what_is_no_amount_is_refused(text):
    with pytest.raises(RowError, match="expected an amount"):
        money(text)


def test_porto(shared_data, given_path, everywhere):
    path = shared_data / "inside_airbnb" / "porto_listings_summary.csv"
    rejected: list[dict[str, str]] = []
    rows = read_stays(given_path(path, "airbnb", "listings"), [everywhere], rejected)
    assert (len(rows), rejected) == (13_657, [])
    assert sum(row["price_per_night"] is None for row in rows) == 1_725
    assert Counter(row["room_type"] for row in rows) == {
        "entire_home": 10_990, "private_room": 2_340, "shared_room": 217, "hotel_room": 110,
    }  # fmt: skip
    assert {row["house_rules"] for row in rows} == {None}
