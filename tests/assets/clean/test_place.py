"""Places of one kind each: the published categories, declared noise, precedence, and how many are kept."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pyarrow as pa
import pytest

from assets.clean import place as place_module
from assets.clean.checks import city_has_places_of_every_kind, no_coordinates_outside_the_city
from assets.clean.cuisines import DISHES, KITCHENS
from assets.clean.kinds import KIND_CATEGORIES, NOISE_RULES, by_precedence, noise
from assets.clean.place import places
from schemas.places import KINDS, Business, Place


def business(place_id: str, **values) -> dict:
    row = {
        "city_id": "us-in-bloomington",
        "place_id": place_id,
        "source": "yelp",
        "native_id": place_id,
        "name": f"Place {place_id}",
        "address": "",
        "lat": 39.16,
        "lon": -86.53,
        "stars": None,
        "review_count": None,
        "price_level": None,
        "categories": [],
        "cuisines": [],
        "meals": [],
        "kinds": [],
        "source_rows": ["row"],
    }
    return row | values


def clean(*rows: dict) -> tuple[dict[str, dict], dict[str, str]]:
    """Return the places and the reasons of those dropped, by id, checked against the table and the accounting."""
    frame = Business.frame(pa.Table.from_pylist(list(rows), schema=Business.arrow_schema()))
    outcome: Any = places(frame)
    Place.validate(Place.arrow(outcome.rows))
    assert outcome.rows_in == outcome.rows.num_rows + len(outcome.rejections)
    kept = {row["place_id"]: row for row in outcome.rows.to_pylist()}
    return kept, {r["row"]: r["reason"] for r in outcome.rejections}


@pytest.mark.parametrize(
    ("categories", "kind"),
    [
        (["Hotels & Travel", "Hotels"], "stay"),
        (["Hotels & Travel"], None),
        (["Restaurants"], "restaurant"),
        (["Food", "Bakeries"], "restaurant"),
        (["Fast Food"], None),
        (["Museums"], "attraction"),
        (["Landmarks & Historical Buildings"], "attraction"),
        (["Art Museums"], None),
        (["Active Life", "Dog Parks"], None),
        (["hotels"], None),
        ([], None),
    ],
)
def test_a_kind_is_a_category_matched_whole(categories, kind):
    kept, dropped = clean(business("a", categories=categories))
    assert (kept["a"]["kind"] if kept else None) == kind
    assert dropped == ({} if kind else {"a": "other_category"})


@pytest.mark.parametrize(
    ("categories", "meals", "kind"),
    [
        (["Hotels", "Restaurants"], [], "stay"),
        (["Hotels", "Restaurants"], ["dinner"], "restaurant"),
        (["Local Flavor", "Restaurants"], [], "attraction"),
        (["Local Flavor", "Restaurants"], ["lunch"], "restaurant"),
        (["Museums", "Restaurants"], ["lunch"], "attraction"),
        (["Hotels", "Landmarks & Historical Buildings"], [], "stay"),
    ],
)
def test_a_business_of_two_kinds_is_one_place_of_one_kind_i4(categories, meals, kind):
    kept, _ = clean(business("a", categories=categories, meals=meals))
    assert [row["kind"] for row in kept.values()] == [kind]


def test_the_precedence_orders_all_kinds():
    assert sorted(by_precedence(KINDS, [])) == sorted(by_precedence(KINDS, ["lunch"])) == sorted(KINDS)


@pytest.mark.parametrize(
    ("name", "categories", "kinds"),
    [
        ("Exclusive Vape Shop", [], ["attraction"]),
        ("Smoke & Co", ["Local Flavor", "Vape Shops"], []),
        ("Quolli Bus Lines", ["Tours", "Buses"], []),
        ("Birchtree Catering", [], ["attraction"]),
        ("Restaurant Week", [], ["attraction"]),
        ("Sonny's Steaks", [], ["attraction"]),
        ("Tokio Sushi Bistro & Bed & Breakfast", [], ["stay"]),
        ("Keystone Concierge", [], ["stay"]),
        ("Club Nine", ["Hotels", "Dance Clubs"], []),
        ("The Spa at The Logan", [], ["stay"]),
        ("Corner", ["Food", "Grocery"], []),
    ],
)
def test_category_noise_is_rejected_with_its_rule_i6(name, categories, kinds):
    _, dropped = clean(business("a", name=name, categories=categories, kinds=kinds))
    assert dropped == {"a": "category_noise"}


@pytest.mark.parametrize(
    ("name", "categories", "kinds"),
    [
        ("The Inn at The Union League", [], ["stay"]),
        ("Club Quarters", [], ["stay"]),
        ("Hotel & Spa", ["Hotels", "Day Spas"], []),
        ("Grand Hotel", ["Hotels", "Sushi Bars"], []),
        ("Cabot House", [], ["attraction"]),
        ("Steakley Park", ["Parks"], []),
        ("Cigar Museum", ["Museums", "Tobacco Shops"], []),
        ("Big Bus", ["Tours", "Bus Tours", "Buses"], []),
        ("Corner", ["Food", "Grocery", "Bakeries"], []),
        ("Sonny's Steaks", ["Restaurants", "Cheesesteaks"], []),
    ],
)
def test_what_only_sounds_like_noise_is_kept(name, categories, kinds):
    kept, _ = clean(business("a", name=name, categories=categories, kinds=kinds))
    assert len(kept) == 1


def test_noise_for_one_kind_leaves_the_other():
    kept, _ = clean(
        business("steaks", name="Oregon Steaks", kinds=["attraction", "restaurant"]),
        business("bistro", name="X Sushi Bistro", categories=["Hotels", "Restaurants", "Sushi Bars"]),
    )
    assert {i: row["kind"] for i, row in kept.items()} == {"steaks": "restaurant", "bistro": "restaurant"}


def test_every_noise_rule_is_of_a_kind_gives_a_reason_and_can_apply():
    for rule in NOISE_RULES:
        assert rule.kind in KINDS
        assert rule.why
        assert rule.categories or rule.name
        for category in rule.categories - rule.unless_categories:
            assert noise(rule.kind, "A", [category]) is not None


def test_an_unknown_price_and_an_unknown_count_stay_null_i3():
    known = {"price_level": 4, "review_count": 2, "stars": 3.5}
    kept, _ = clean(business("a", kinds=["stay"]), business("b", kinds=["stay"], **known))
    assert [(kept[i]["price_level"], kept[i]["review_count"], kept[i]["stars"]) for i in "ab"] == [
        (None, None, None),
        (4, 2, 3.5),
    ]


def test_only_restaurants_have_cuisines_and_meals():
    values = {"cuisines": ["Thai"], "meals": ["lunch"]}
    kept, _ = clean(business("a", kinds=["restaurant"], **values), business("b", kinds=["attraction"], **values))
    assert (kept["a"]["cuisines"], kept["a"]["meals"]) == (["Thai"], ["lunch"])
    assert (kept["b"]["cuisines"], kept["b"]["meals"]) == ([], [])


def test_only_the_most_reviewed_restaurants_are_kept_ties_by_id(monkeypatch):
    monkeypatch.setattr(place_module, "KEPT_COUNT", {"restaurant": 2})
    rows = [business(i, kinds=["restaurant"], review_count=n) for i, n in (("a", 3), ("b", 9), ("d", 3), ("e", None))]
    kept, dropped = clean(*rows, *(business(f"s{n}", kinds=["stay"]) for n in range(4)))
    assert {i for i in kept if not i.startswith("s")} == {"a", "b"}
    assert dropped == {"d": "beyond_kept_count", "e": "beyond_kept_count"}
    assert len(kept) == 6


def test_the_published_number_of_restaurants_is_kept():
    kept, dropped = clean(*(business(f"{n:03}", kinds=["restaurant"], review_count=n) for n in range(503)))
    assert (len(kept), sorted(dropped)) == (500, ["000", "001", "002"])


def test_the_declared_categories_are_the_papers():
    assert sum(len(names) for names in KIND_CATEGORIES.values()) == 10
    assert not set(KITCHENS) & set(DISHES)


def place_frame(*rows: tuple[str, float, float]) -> pd.DataFrame:
    return pd.DataFrame([{"place_id": f"p{i}", "kind": k, "lat": y, "lon": x} for i, (k, y, x) in enumerate(rows)])


def test_a_city_without_a_kind_is_named_with_its_area(cities):
    full = place_frame(*((kind, 39.16, -86.53) for kind in KINDS))
    assert city_has_places_of_every_kind(full, city=cities[0]).holds
    for lacking in (full[full["kind"] != "stay"], full[:0]):
        verdict = city_has_places_of_every_kind(lacking, city=cities[0])
        assert not verdict.holds
        assert "0 of kind stay" in verdict.finding
        assert "us-in-bloomington (latitude 39.0 to 39.3, longitude -86.7 to -86.4)" in verdict.finding
        assert "Correct the city's box or polygon" in verdict.finding


def test_a_place_of_the_homonym_city_is_found_out(cities):
    places_there = place_frame(("stay", 40.5, -89.0), ("stay", 40.5, -89.01))
    assert no_coordinates_outside_the_city(places_there, city=cities[1]).holds
    verdict = no_coordinates_outside_the_city(places_there, city=cities[0])
    assert not verdict.holds
    assert "found 2 places outside the area of us-in-bloomington, such as p0, p1" in verdict.finding
    assert no_coordinates_outside_the_city(places_there[:0], city=cities[0]).holds
