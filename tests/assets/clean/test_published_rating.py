"""Ratings taken from published tables, of the kind that each place has."""

from __future__ import annotations

from typing import Any

import pytest

from assets.clean.business import businesses
from assets.clean.place import places
from assets.clean.published_rating import published_ratings
from schemas.places import Business, Place
from schemas.reviews import PublishedRating


@pytest.fixture
def rate(raw_file, cities):
    """Return a function from the rows of the published tables (and Yelp's) to ratings by place and attribute."""

    def run(restaurants=(), hotels=(), attractions=(), yelp=()):
        tables = (("restaurants", restaurants), ("hotels", hotels), ("attractions", attractions))
        files = [[raw_file("published", role, list(rows))] if rows else [] for role, rows in tables]
        of_yelp = [raw_file("yelp", "business", list(yelp))] if yelp else []
        business: Any = businesses(of_yelp, [], *files, cities=cities).rows
        place: Any = places(Business.frame(business)).rows
        rows: Any = published_ratings(Place.frame(place), *files).rows
        PublishedRating.validate(PublishedRating.arrow(rows))
        return {(r["place_id"], r["attribute"]): r for r in rows.to_pylist()}, files

    return run


def test_a_place_gets_its_published_ratings_with_their_row(rate, published_row):
    ratings, files = rate(hotels=[published_row("hotels", "h", quality="bad quality")])
    assert {key: r["rating"] for key, r in ratings.items()} == {
        ("published:h", "quality"): 1,
        ("published:h", "location"): 3,
        ("published:h", "service"): 3,
        ("published:h", "safety"): 3,
    }
    row = ratings["published:h", "quality"]
    assert (row["score"], row["confidence"], row["mentions"]) == (1.0, 1.0, 0)
    assert (row["engine"], row["evidence"]) == ("published", [])
    assert row["source_rows"] == [files[1][0].snapshot.pointer(1)]


def test_a_business_in_two_tables_has_only_its_own_kinds_ratings_i4(rate, published_row):
    both = {"name": "Market", "address": "51 N 12th St"}
    ratings, _ = rate(
        restaurants=[published_row("restaurants", "m", good_for_meal="lunch", **both)],
        attractions=[published_row("attractions", "m", **both)],
    )
    assert {attribute for _, attribute in ratings} == {"flavor", "freshness", "service", "environment", "value"}


def test_a_place_matched_to_yelp_keeps_its_published_ratings(rate, published_row, yelp_row):
    ratings, _ = rate(
        restaurants=[published_row("restaurants", "p", name="Suraya")], yelp=[yelp_row("y", name="Suraya")]
    )
    assert {place_id for place_id, _ in ratings} == {"yelp:y"}
    assert len(ratings) == 5


def test_a_rejected_row_gives_no_rating(rate, published_row):
    noise, bad = published_row("attractions", "v", name="A Vape Shop"), published_row("attractions", "w", price="?")
    ratings, _ = rate(attractions=[published_row("attractions", "a"), noise, bad])
    assert {place_id for place_id, _ in ratings} == {"published:a"}
