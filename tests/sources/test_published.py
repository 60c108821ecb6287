"""The ItinBench folder as a source: tables, phrases and queries."""

from __future__ import annotations

import pytest

from schemas.reviews import ATTRIBUTES
from schemas.source import SourceError
from sources.published.itinbench import read_places, read_records

LEVELS = ("no", "low", "medium", "high", "no", "no")

RESTAURANT = {
    "business_id": "r1",
    "name": "Suraya",
    "address": "1528 Frankford Ave",
    "latitude": 39.97,
    "longitude": -75.13,
    "stars": 4.5,
    "good_for_meal": "brunch, lunch",
    "price": "$$$",
    "cuisine_1": "Middle Eastern",
    "cuisine_2": "Not Applicable",
    "flavor": "excellent flavor",
    "freshness": "good freshness",
    "service": "below average service",
    "environment": "average environment",
    "value": "bad value",
}
HOTEL = {
    "business_id": "h1",
    "name": "Inn",
    "address": "",
    "latitude": 39.95,
    "longitude": -75.16,
    "stars": 4.0,
    "price": "Unknown price",
    **{a: f"good {a}" for a in ATTRIBUTES["stay"]},
}
ATTRACTION = {
    "business_id": "a1",
    "name": "Rodin Museum",
    "address": "Pkwy",
    "latitude": 39.96,
    "longitude": -75.17,
    "stars": 4.5,
    "price": "$",
    **{f"{a} oriented": f"{level} {a} oriented" for a, level in zip(ATTRIBUTES["attraction"], LEVELS, strict=True)},
}


def test_a_restaurant_is_read_with_its_ratings_as_numbers(raw_file):
    file = raw_file("published", "restaurants", [RESTAURANT])
    (listing,) = read_places(file, [])
    assert (listing.source, listing.native_id, listing.kind) == ("published", "r1", "restaurant")
    assert dict(listing.ratings) == {"flavor": 5, "freshness": 4, "service": 2, "environment": 3, "value": 1}
    assert (listing.price_level, listing.meals, listing.cuisines) == (3, ("lunch", "brunch"), ("Middle Eastern",))
    assert listing.review_count is None
    assert listing.source_row == f"published.restaurants@{file.snapshot.sha256}#L1"


def test_an_unknown_price_stays_unknown(raw_file):
    (listing,) = read_places(raw_file("published", "hotels", [HOTEL]), [])
    assert (listing.kind, listing.price_level, listing.address) == ("stay", None, "")
    assert dict(listing.ratings) == dict.fromkeys(ATTRIBUTES["stay"], 4)


def test_orientations_run_from_0_to_3(raw_file):
    (listing,) = read_places(raw_file("published", "attractions", [ATTRACTION]), [])
    assert [rating for _, rating in listing.ratings] == [0, 1, 2, 3, 0, 0]


@pytest.mark.parametrize("meals", ["Unknown", "", None])
def test_unknown_meals_are_none(raw_file, meals):
    (listing,) = read_places(raw_file("published", "restaurants", [RESTAURANT | {"good_for_meal": meals}]), [])
    assert listing.meals == ()


@pytest.mark.parametrize(
    ("change", "reason", "found"),
    [
        ({"flavor": "great flavor", "value": None}, "bad_value", "flavor: found 'great flavor'; value: found None"),
        ({"flavor": "good freshness"}, "bad_value", "flavor: found 'good freshness'"),
        ({"flavor": "good"}, "bad_value", "flavor: found 'good'"),
        ({"flavor": "high flavor"}, "bad_value", "flavor: found 'high flavor'"),
        ({"price": "$$$$$"}, "bad_value", "price: found '$$$$$'"),
        ({"good_for_meal": "lunch, tea"}, "bad_value", "good_for_meal: found tea"),
        ({"stars": 0}, "bad_value", "stars: found 0"),
        ({"latitude": float("nan")}, "bad_coordinates", "found latitude nan"),
        ({"name": ""}, "missing_value", "name"),
    ],
)
def test_a_row_that_cannot_be_used_is_rejected_by_line(raw_file, change, reason, found):
    rejected = []
    file = raw_file("published", "restaurants", [RESTAURANT, RESTAURANT | change])
    assert len(list(read_places(file, rejected))) == 1
    assert [(r["row"], r["reason"]) for r in rejected] == [(file.snapshot.pointer(2), reason)]
    assert found in rejected[0]["detail"]


def test_the_tables_cannot_be_mistaken_for_each_other(raw_file):
    for role, row in (("restaurants", HOTEL), ("hotels", ATTRACTION), ("attractions", RESTAURANT)):
        with pytest.raises(SourceError, match=f"expected ItinBench {role}"):
            list(read_places(raw_file("published", role, [row]), []))


def test_queries_and_records_are_read_with_their_rows(raw_file):
    queries = raw_file("published", "queries", [{"index": 1, "query": "I want"}, {"index": "2", "query": "x"}])
    rejected = []
    assert list(read_records(queries, rejected)) == [
        {"index": 1, "query": "I want", "source_row": queries.snapshot.pointer(1)}
    ]
    assert [r["reason"] for r in rejected] == ["bad_value"]
    evals = raw_file("published", "evals", [{"index": 1, "eval_info": {"day": ["2 day"]}}])
    assert [r["eval_info"] for r in read_records(evals, [])] == [{"day": ["2 day"]}]
    with pytest.raises(SourceError, match="expected ItinBench queries"):
        list(read_records(raw_file("published", "queries", [{"index": 1, "eval_info": {}}]), []))


def test_the_released_folder_is_read_whole(raw_file, shared_data):
    folder = shared_data / "itinbench"
    rejected = []
    counts = {
        role: len(list(read_places(raw_file("published", role, folder / f"{role}.jsonl"), rejected)))
        for role in ("restaurants", "hotels", "attractions")
    }
    assert counts == {"restaurants": 500, "hotels": 105, "attractions": 322}
    for role, name in (("evals", "evals.jsonl"), ("queries", "humanQuerys.jsonl")):
        assert len(list(read_records(raw_file("published", role, folder / name), rejected))) == 500
    assert rejected == []
