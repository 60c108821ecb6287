"""What a guide's listing is as a place: cuisines by words near food, prices in the city's money or by headings."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from assets.clean.modelled_price import PriceModel
from assets.itinbench.guide import amount, cuisines_of, price_level, said_level
from assets.reviews.guide import guide_ratings
from schemas.prices import BigMacPrice, CountryPriceLevel
from schemas.recipe import City
from schemas.recipe_values import Box

BOX = Box(south=0, west=0, north=1, east=1)
USA = City(city_id="us-town", name="Town", country="US", currency="USD", box=BOX)
SWISS = City(city_id="ch-town", name="Town", country="CH", currency="CHF", box=BOX)


def listing(content="", *, kind="eat", name="The House", section="", price="", alt=""):
    return {"listing_id": f"B~{name}", "city_id": "us-town", "kind": kind, "name": name, "alt": alt, "content": content,
            "section": section, "price": price, "source_rows": ["w"], "lat": 0.5, "lon": 0.5}  # fmt: skip


@pytest.fixture(scope="module")
def prices():
    none = (table.frame(table.arrow_schema().empty_table()) for table in (CountryPriceLevel, BigMacPrice))
    return PriceModel(*none)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (listing("A small Italian restaurant."), ["Italian"]),
        (listing("Authentic Thai and Vietnamese street food."), ["Thai", "Vietnamese"]),
        (listing("Sushi and sashimi at the counter."), ["Japanese"]),
        (listing("Simple plates.", name="Trattoria Nona"), ["Italian"]),
        (listing("Simple plates.", section="Mexican"), ["Mexican"]),
        (listing("Next to the French consulate, in a house of 1890."), []),
        (listing("Pasta of the day."), []),
        (listing("Restaurante italiano com massas."), []),
        (listing("Indian, Chinese and Korean food."), ["Indian", "Chinese"]),
        (listing(""), []),
    ],
)
def test_cuisines_are_said_near_food_and_never_guessed(given, expected):
    assert cuisines_of(given) == expected


@pytest.mark.parametrize(
    ("price", "currency", "expected"),
    [
        ("$12-18", "USD", 15.0),
        ("$12–$18", "USD", 15.0),
        ("entrees $1,200", "USD", 1200.0),
        ("$12 adults, $6 children", "USD", 12.0),
        ("Fr. 20", "CHF", 20.0),
        ("Rs 200-300", "NPR", 250.0),
        ("Rs.500", "LKR", 500.0),
        ("KSh 1,500", "KES", 1500.0),
        ("from Ksh1200 per person", "KES", 1200.0),
        ("kr 95", "SEK", 95.0),
        ("95-105 kr", "NOK", 100.0),
        ("80 Kč", "CZK", 80.0),
        ("60 baht", "THB", 60.0),
        ("R120", "ZAR", 120.0),
        ("120 R", "ZAR", None),
        ("ZAR 120", "ZAR", 120.0),
        ("4 hr200", "ZAR", None),
        ("EUR 20", "ZAR", None),
        ("Rp 25.000-35.000", "IDR", 30000.0),
        ("1.500 dinars", "KWD", 1.5),
        ("S/ 18", "PEN", 18.0),
        ("1200円", "JPY", 1200.0),
        ("12 km", "MMK", None),
        ("20 pesos", "MXN", 20.0),
        ("USD 12", "MXN", None),
        ("CHF 20", "CHF", 20.0),
        ("20 CHF", "CHF", 20.0),
        ("€10", "USD", None),
        ("from 12", "USD", None),
        ("", "USD", None),
        ("$0", "USD", None),
    ],
)
def test_an_amount_is_one_in_the_city_s_money(price, currency, expected):
    assert amount(price, currency) == expected


@pytest.mark.parametrize(
    ("given", "city", "level"),
    [
        (listing(price="$9-13"), USA, 1),
        (listing(price="$18-26"), USA, 2),
        (listing(price="$40"), USA, 3),
        (listing(price="$95"), USA, 4),
        (listing(price="CHF 40"), SWISS, 3),
        (listing(price="$100-120", kind="sleep"), USA, 1),
        (listing(price="$900", kind="sleep"), USA, 4),
        (listing(section="Budget"), USA, 1),
        (listing(section="Mid-range"), USA, 3),
        (listing(section="Splurge"), USA, 4),
        (listing(section="Budget", price="$95"), USA, 4),
        (listing(kind="see", price="Free"), USA, 1),
        (listing(kind="see", price="Free for children"), USA, None),
        (listing(kind="see", price="children free"), USA, None),
        (listing(kind="see"), USA, None),
        (listing(kind="see", price="grátis"), USA, None),
    ],
)
def test_a_price_level_is_an_amount_s_or_a_heading_s_or_unknown(prices, given, city, level):
    assert price_level(given, city, prices) == level


def test_what_the_words_give_by_themselves_needs_no_price_level():
    assert [said_level(listing(section=name)) for name in ("Budget", "Splurge", "Museums", "")] == [1, 4, None, None]


def test_a_rating_is_what_the_text_says_and_silence_is_no_evidence():
    rows = [
        listing("Delicious food, rude waiters.", name="a"),
        listing("", name="b"),
        listing("A historic garden.", kind="see", name="c"),
        listing("Great beer.", kind="drink", name="d"),
    ]
    outcome = guide_ratings(pd.DataFrame(rows), ask=None)
    assert isinstance(outcome.rows, pd.DataFrame) and isinstance(outcome.rejections, list)
    made: list[dict[str, Any]] = [{str(k): v for k, v in row.items()} for row in outcome.rows.to_dict("records")]
    found = {(row["place_id"], row["attribute"]): row["rating"] for row in made}
    assert found["B~a", "flavor"] >= 4 and found["B~a", "service"] <= 2
    assert found["B~c", "history"] >= 2 and found["B~c", "nature"] >= 2
    assert {place for place, _ in found} == {"B~a", "B~c"}
    assert outcome.rows_in == 5 + 5 + 6 == len(found) + len(outcome.rejections)
    for row in made:
        text = next(one["content"] for one in rows if one["listing_id"] == row["place_id"])
        assert row["evidence"] and all(text[e["start"] : e["end"]].strip() for e in row["evidence"])
