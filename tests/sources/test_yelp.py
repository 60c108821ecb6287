"""Yelp's business file and Fusion answers, with every quirk of real files."""

from __future__ import annotations

import json
import math

import pytest

from schemas.source import SourceError
from sources.yelp.businesses import SOURCE, literal, read_businesses, read_fusion, split_categories

BUSINESS = {
    "business_id": "aaaaaaaaaaaaaaaaaaaaaa",
    "name": 'Ann\'s, "the" <b>Grill</b> 🍜',
    "address": "1 Main St, Ste 2",
    "city": "bLOOMINGTON",
    "state": "IN",
    "postal_code": "",
    "latitude": 39.16,
    "longitude": -86.53,
    "stars": 3.5,
    "review_count": 17,
    "is_open": 1,
    "attributes": {
        "RestaurantsPriceRange2": "2",
        "GoodForMeal": "{'dessert': False, 'latenight': None, 'lunch': True, 'dinner': True, 'breakfast': u'no'}",
        "Alcohol": "u'full_bar'",
    },
    "categories": "Restaurants, Beer, Wine & Spirits, Italian, Restaurants",
    "hours": {"Monday": "0:0-0:0"},
}


def read(raw_file, *rows):
    file = raw_file("yelp", "business", [BUSINESS, *rows])
    rejected = []
    first, *others = read_businesses(file, rejected)
    assert first.native_id == BUSINESS["business_id"]
    return file, others, rejected


def test_a_business_is_read_whole(raw_file):
    file = raw_file("yelp", "business", [BUSINESS])
    (listing,) = read_businesses(file, [])
    assert listing.source == "yelp"
    assert listing.name == BUSINESS["name"]
    assert (listing.address, listing.lat, listing.lon) == ("1 Main St, Ste 2", 39.16, -86.53)
    assert (listing.stars, listing.review_count, listing.price_level) == (3.5, 17, 2)
    assert listing.categories == ("Restaurants", "Beer, Wine & Spirits", "Italian")
    assert listing.meals == ("lunch", "dinner")
    assert listing.source_row == f"yelp.business@{file.snapshot.sha256}#L1"


def test_nulls_are_unknown_and_an_id_that_looks_like_a_number_is_text(raw_file):
    row = BUSINESS | {"business_id": 123, "attributes": None, "categories": None, "hours": None, "stars": None}
    _, (listing,), rejected = read(raw_file, row | {"address": None, "review_count": None})
    assert rejected == []
    assert (listing.native_id, listing.categories, listing.meals, listing.price_level) == ("123", (), (), None)
    assert (listing.stars, listing.review_count, listing.address) == (None, None, "")


@pytest.mark.parametrize(
    ("change", "reason", "found"),
    [
        ({"is_open": 0}, "closed", "is_open: found 0"),
        ({"is_open": "yes"}, "bad_value", "is_open: found 'yes'"),
        ({"name": None}, "missing_value", "name: found None"),
        ({"name": " \t"}, "missing_value", "name: found ' \\t'"),
        ({"name": ["A"]}, "bad_value", "name: found ['A']"),
        ({"name": "half \ud83d"}, "bad_value", "name: found half of a surrogate pair"),
        ({"business_id": ""}, "missing_value", "business_id"),
        ({"business_id": True}, "bad_value", "business_id: found True"),
        ({"latitude": None}, "bad_coordinates", "found latitude None"),
        ({"latitude": "39.1"}, "bad_coordinates", "found latitude '39.1'"),
        ({"latitude": math.nan}, "bad_coordinates", "found latitude nan"),
        ({"longitude": math.inf}, "bad_coordinates", "longitude inf"),
        ({"latitude": 91}, "bad_coordinates", "off the globe"),
        ({"longitude": -180.5}, "bad_coordinates", "off the globe"),
        ({"latitude": 0, "longitude": 0.0}, "bad_coordinates", "found 0, 0"),
        ({"stars": 5.5}, "bad_value", "stars: found 5.5"),
        ({"stars": "4"}, "bad_value", "stars: found '4'"),
        ({"review_count": -1}, "bad_value", "review_count: found -1"),
        ({"review_count": 1.5}, "bad_value", "review_count: found 1.5"),
        ({"attributes": "x"}, "bad_value", "attributes: found a str"),
        ({"categories": ["A"]}, "bad_value", "categories: found ['A']"),
    ],
)
def test_a_row_that_cannot_be_used_is_rejected_by_line(raw_file, change, reason, found):
    file, listings, rejected = read(raw_file, BUSINESS | change)
    assert listings == []
    assert [(r["row"], r["reason"]) for r in rejected] == [(file.snapshot.pointer(2), reason)]
    assert found in rejected[0]["detail"]
    assert rejected[0]["detail"].encode()


def test_bad_lines_are_rejected_and_the_others_read(raw_file):
    lines = [json.dumps(BUSINESS), "{bad", "", "[1]", json.dumps(BUSINESS)[:70]]
    rejected = []
    listings = list(read_businesses(raw_file("yelp", "business", "\n".join(lines)), rejected))
    assert len(listings) == 1
    assert [(r["row"].rpartition("#")[2], r["reason"]) for r in rejected] == [
        ("L2", "bad_json"),
        ("L4", "bad_json"),
        ("L5", "bad_json"),
    ]
    assert "the file ends inside the line" in rejected[2]["detail"]


def test_a_review_file_is_not_a_business_file(raw_file):
    review = {"review_id": "r", "user_id": "u", "business_id": "b", "stars": 5.0, "useful": 1, "text": "good"}
    with pytest.raises(SourceError, match=r"keys review_id, .* expected Yelp businesses.* its review file to `review`"):
        list(read_businesses(raw_file("yelp", "business", [review]), []))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("True", True),
        ("u'average'", "average"),
        ("{'romantic': False}", {"romantic": False}),
        ("None", None),
        (None, None),
        (2, 2),
        ("__import__('os').system('true')", None),
        ("9**9**9", None),
        ("(" * 1_900, None),
        ("[" * 3_000 + "]" * 3_000, None),
        ("{[]: 1}", None),
        ("\x00", None),
    ],
)
def test_literals_are_read_and_nothing_is_run(text, value):
    assert literal(text) == value


@pytest.mark.parametrize(("attribute", "level"), [("4", 4), ("0", None), ("5", None), ("u'3'", 3), (1, 1), ("x", None)])
def test_a_price_that_is_not_1_to_4_is_unknown(raw_file, attribute, level):
    _, (listing,), _ = read(raw_file, BUSINESS | {"attributes": {"RestaurantsPriceRange2": attribute}})
    assert listing.price_level == level


def test_categories_that_hold_the_separator_stay_whole():
    joined = "Food,  Books, Mags, Music & Video,, Used, Vintage & Consignment , Food"
    assert split_categories(joined) == ("Food", "Books, Mags, Music & Video", "Used, Vintage & Consignment")


FUSION = {"id": "b1", "name": "B", "price": "$$$", "categories": [{"alias": "pizza", "title": "Pizza"}, {"alias": "x"}]}


@pytest.mark.parametrize(
    ("content", "locators"),
    [
        (json.dumps(FUSION) + "\n" + json.dumps(FUSION) + "\n", ["L1", "L2"]),
        (json.dumps({"businesses": [FUSION, FUSION], "total": 2}), ["L1.businesses[0]", "L1.businesses[1]"]),
        (json.dumps([FUSION, FUSION]), ["[0]", "[1]"]),
        (json.dumps({"businesses": [FUSION]}, indent=2), ["businesses[0]"]),
        (json.dumps(FUSION, indent=2), ["document"]),
    ],
)
def test_fusion_answers_are_read_in_every_saved_form(raw_file, content, locators):
    file = raw_file("yelp", "fusion", content)
    prices = list(read_fusion(file, []))
    assert [p.source_row for p in prices] == [file.snapshot.pointer(locator) for locator in locators]
    assert {(p.native_id, p.price_level, p.categories) for p in prices} == {("b1", 3, ("Pizza",))}


def test_fusion_rows_that_cannot_be_used_are_rejected(raw_file):
    rows = [
        FUSION,
        FUSION | {"price": "cheap"},
        FUSION | {"id": None},
        FUSION | {"price": None},
        FUSION | {"price": "฿฿"},
    ]
    content = "".join(json.dumps(row) + "\n" for row in rows) + "{bad\n" + json.dumps({"businesses": [7]})
    content += f"\n{json.dumps(FUSION)}" * 3
    rejected = []
    prices = list(read_fusion(raw_file("yelp", "fusion", content), rejected))
    assert [p.price_level for p in prices] == [3, None, 2, 3, 3, 3]
    assert [(r["row"].rpartition("#")[2], r["reason"]) for r in rejected] == [
        ("L2", "bad_value"),
        ("L3", "missing_value"),
        ("L6", "bad_json"),
        ("L7.businesses[0]", "bad_json"),
    ]


@pytest.mark.parametrize("content", [b"\x00\x01", b"[]", b'{"businesses": []}', b""])
def test_a_fusion_file_without_businesses_is_refused(raw_file, content):
    with pytest.raises(SourceError, match=r"yelp/fusion.json: found .*expected Fusion businesses"):
        list(read_fusion(raw_file("yelp", "fusion", content), []))


def test_the_source_declares_its_files_and_terms():
    assert [(f.role, f.required) for f in SOURCE.files] == [("business", True), ("review", True), ("fusion", False)]
    assert SOURCE.licence.sharing == "derived"
