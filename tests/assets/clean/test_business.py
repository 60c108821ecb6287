"""From provider files to one row a place in each city: by area, never by name; no row lost."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assets.clean.business import businesses
from schemas.places import Business


@pytest.fixture
def clean(raw_file, cities):
    """Return a function from the rows of each role to the outcome, checked against the table and the accounting."""

    def run(yelp=(), fusion=(), restaurants=(), hotels=(), attractions=()) -> Any:
        files = [
            [replace(raw_file(source, role, list(rows)), max_unreadable=1.0)] if rows else []
            for source, role, rows in (
                ("yelp", "business", yelp),
                ("yelp", "fusion", fusion),
                ("published", "restaurants", restaurants),
                ("published", "hotels", hotels),
                ("published", "attractions", attractions),
            )
        ]
        outcome: Any = businesses(*files, cities=cities)
        Business.validate(Business.arrow(outcome.rows))
        assert outcome.rows_in == outcome.rows.num_rows + len(outcome.rejections) + outcome.merged
        rows = [r["row"] for r in outcome.rejections]
        assert len(rows) == len(set(rows))
        return outcome

    return run


def ids(outcome: Any) -> list[str]:
    return sorted(outcome.rows["native_id"].to_pylist())


def reasons(outcome: Any) -> dict[str, str]:
    return {r["row"].rpartition("#")[2]: r["reason"] for r in outcome.rejections}


def test_a_row_goes_to_the_city_whose_area_holds_it_whatever_it_calls_itself(clean, yelp_row):
    outcome = clean(
        yelp=[
            yelp_row("indiana", city="Bloomington, IL"),
            yelp_row("illinois", latitude=40.5, longitude=-89.0),
            yelp_row("corner", latitude=40.41, longitude=-88.81),
            yelp_row("minnesota", latitude=44.84, longitude=-93.29),
        ]
    )
    assert dict(zip(outcome.rows["native_id"].to_pylist(), outcome.rows["city_id"].to_pylist(), strict=True)) == {
        "indiana": "us-in-bloomington",
        "illinois": "us-il-bloomington",
    }
    assert reasons(outcome) == {"L3": "outside_every_city", "L4": "outside_every_city"}


def test_where_areas_overlap_the_recipes_first_city_has_the_place(raw_file, cities, yelp_row):
    wide = cities[0].model_copy(update={"city_id": "us-in-monroe"})
    file = raw_file("yelp", "business", [yelp_row("a")])
    for order in ([cities[0], wide], [wide, cities[0]]):
        outcome: Any = businesses([file], [], [], [], [], cities=order)
        assert outcome.rows["city_id"].to_pylist() == [order[0].city_id]


def test_swapped_coordinates_are_told_from_a_place_elsewhere(clean, yelp_row):
    outcome = clean(yelp=[yelp_row("a"), yelp_row("b", latitude=-86.53, longitude=39.16)])
    assert [(r["reason"], r["detail"]) for r in outcome.rejections] == [
        ("bad_coordinates", "found latitude -86.53 and longitude 39.16; swapped, they lie in us-in-bloomington")
    ]


def test_every_row_of_every_file_is_accounted_for(clean, yelp_row, published_row):
    outcome = clean(
        yelp=[
            yelp_row("a"),
            yelp_row("a"),
            yelp_row("b", is_open=0),
            yelp_row("c", name=""),
            yelp_row("d", latitude=0),
        ],
        fusion=[{"id": "a", "price": "$$$$"}, {"id": "b", "price": "$"}, {"id": "a", "price": "cheap"}],
        restaurants=[published_row("restaurants", "p"), published_row("restaurants", "q", flavor="x")],
        attractions=[published_row("attractions", "p")],
    )
    assert outcome.rows_in == 11
    assert ids(outcome) == ["a", "p"]
    assert outcome.merged == 3


def test_fusion_sets_the_price_and_only_fills_missing_categories(clean, yelp_row):
    rows = [yelp_row("a", attributes={"RestaurantsPriceRange2": "1"}), yelp_row("b", categories=None), yelp_row("c")]
    thai = [{"alias": "thai", "title": "Thai"}]
    fusion = [
        {"id": "a", "price": "$$$", "categories": [{"title": "Pizza"}]},
        {"id": "b", "categories": thai},
        {"id": "zz", "price": "$"},
    ]
    outcome = clean(yelp=rows, fusion=fusion)
    found = {r["native_id"]: r for r in outcome.rows.to_pylist()}
    assert (found["a"]["price_level"], found["a"]["categories"]) == (3, ["Restaurants", "Thai"])
    assert (found["b"]["price_level"], found["b"]["categories"]) == (None, ["Thai"])
    assert [p.split("@")[0] for p in found["a"]["source_rows"]] == ["yelp.business", "yelp.fusion"]
    assert len(found["c"]["source_rows"]) == 1
    assert reasons(outcome) == {"L3": "unknown_place"}


def test_fusion_without_a_price_leaves_yelps_and_says_nothing_of_other_sources(clean, yelp_row, published_row):
    outcome = clean(
        yelp=[yelp_row("a", attributes={"RestaurantsPriceRange2": "1"})],
        fusion=[{"id": "a", "price": None}, {"id": "p", "price": "$$$$"}],
        restaurants=[published_row("restaurants", "p", price="$$")],
    )
    found = dict(zip(outcome.rows["native_id"].to_pylist(), outcome.rows["price_level"].to_pylist(), strict=True))
    assert found == {"a": 1, "p": 2}
    assert reasons(outcome) == {"L2": "unknown_place"}


def test_a_business_that_fusion_says_has_closed_is_rejected_with_its_answers(clean, yelp_row):
    answers = [{"id": "a", "price": "$"}, {"id": "a", "price": "$", "is_closed": True}, {"id": "b", "is_closed": False}]
    outcome = clean(yelp=[yelp_row("a"), yelp_row("b")], fusion=answers)
    assert ids(outcome) == ["b"]
    assert [row["reason"] for row in outcome.rejections] == ["closed", "closed", "closed"]
    assert outcome.rows_in == len(outcome.rows) + len(outcome.rejections) + outcome.merged == 5


def test_of_two_fusion_answers_the_higher_price_counts_in_either_order(clean, yelp_row):
    answers = [{"id": "a", "price": "$"}, {"id": "a", "price": "$$"}, {"id": "a", "price": None}]
    for order in (answers, answers[::-1]):
        assert clean(yelp=[yelp_row("a")], fusion=order).rows["price_level"].to_pylist() == [2]


def test_a_file_bound_to_one_city_is_read_for_that_city_alone(raw_file, cities, yelp_row):
    rows = [yelp_row("a"), yelp_row("b", latitude=40.5, longitude=-89.0)]
    own = raw_file("yelp", "business", rows, city_id="us-il-bloomington")
    outcome: Any = businesses([own], [], [], [], [], cities=cities)
    assert ids(outcome) == ["b"]
    both = raw_file("yelp", "business", rows, city_id="us-in-bloomington")
    outcome = businesses([own, both], [], [], [], [], cities=cities)
    assert (ids(outcome), outcome.rows_in, outcome.merged) == (["a", "b"], 2, 0)


def test_a_published_row_has_a_kind_and_its_cuisines_as_given(clean, published_row):
    row = published_row("restaurants", "p", cuisine_1="Seafood", cuisine_2="Klingon", good_for_meal="dinner")
    (found,) = clean(restaurants=[row]).rows.to_pylist()
    assert (found["kinds"], found["cuisines"], found["meals"]) == (["restaurant"], ["Seafood", "Klingon"], ["dinner"])
    assert (found["place_id"], found["review_count"], found["price_level"]) == ("published:p", None, 2)


def test_yelp_cuisines_are_kitchens_before_dishes(clean, yelp_row):
    (found,) = clean(yelp=[yelp_row("a", categories="Seafood, Food, Thai, Vegan, Laotian")]).rows.to_pylist()
    assert found["cuisines"] == ["Thai", "Laotian", "Seafood", "Vegan"]


def test_no_file_gives_no_business(clean):
    outcome = clean()
    assert (outcome.rows.num_rows, outcome.rows_in) == (0, 0)


NAMES = ("Thai One On", "Thai one on!", "Pho Real", "Pho Real", "Bread & Co", "")


@given(
    rows=st.lists(
        st.fixed_dictionaries(
            {
                "business_id": st.sampled_from(["a", "b", "c", "d"]),
                "name": st.sampled_from(NAMES),
                "address": st.sampled_from(["1 Main St", "2 Main St"]),
                "latitude": st.sampled_from([39.16, 39.1601, 39.17, 50.0]),
                "review_count": st.sampled_from([0, 5, None]),
                "is_open": st.sampled_from([1, 1, 1, 0]),
            }
        ),
        min_size=1,
        max_size=14,
    ),
    published=st.lists(st.tuples(st.sampled_from(["a", "x", "y"]), st.sampled_from(NAMES)), max_size=5),
    seed=st.integers(0, 1000),
)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=80, deadline=None)
def test_the_order_of_lines_does_not_matter(clean, yelp_row, published_row, rows, published, seed):
    yelp = [yelp_row(row["business_id"], **row) for row in rows]
    tables = [published_row("restaurants", native_id, name=name) for native_id, name in published]
    shuffled_yelp, shuffled_tables = yelp.copy(), tables.copy()
    rng = random.Random(seed)
    rng.shuffle(shuffled_yelp)
    rng.shuffle(shuffled_tables)

    def content(outcome: Any) -> list[dict]:
        rows = outcome.rows.drop_columns(["source_rows"]).to_pylist()
        return sorted(rows, key=lambda r: r["place_id"])

    first, second = clean(yelp, restaurants=tables), clean(shuffled_yelp, restaurants=shuffled_tables)
    assert content(first) == content(second)
    assert first.merged == second.merged
    assert sorted(r["reason"] for r in first.rejections) == sorted(r["reason"] for r in second.rejections)
