"""The clean stage on whole worlds: an invented one with planted dirt, and the published Philadelphia tables."""

from __future__ import annotations

import csv
from collections import Counter
from types import SimpleNamespace
from typing import Any

import pyarrow as pa
import pytest

from assets.clean.business import businesses
from assets.clean.place import places
from assets.clean.published_rating import published_ratings
from assets.clean.review import reviews
from assets.clean.steps import STEPS
from assets.step import RawFile
from schemas.places import Business, Place
from schemas.recipe import City
from schemas.recipe_values import Box
from schemas.reviews import Review
from schemas.source import Snapshot
from sources import invented
from warehouse.store import sha256_of

LINE_REASONS = {
    "binary_line": "bad_json",
    "truncated_line": "bad_json",
    "truncated_at_the_end": "bad_json",
    "not_an_object": "bad_json",
    "empty_line": None,
}
BUSINESS_REASONS = LINE_REASONS | {
    "closed": "closed",
    "missing_name": "missing_value",
    "empty_name": "missing_value",
    "missing_id": "missing_value",
    "wrong_type_name": "bad_value",
    "wrong_type_stars": "bad_value",
    "missing_coordinates": "bad_coordinates",
    "text_coordinates": "bad_coordinates",
    "zero_coordinates": "bad_coordinates",
    "nan_coordinates": "bad_coordinates",
    "swapped_coordinates": "bad_coordinates",
    "impossible_latitude": "bad_coordinates",
    "outside_city": "outside_every_city",
    "homonym_city": "outside_every_city",
    "duplicate_id_conflict": "duplicate",
    "same_place_two_ids": "duplicate",
    "missing_categories": "other_category",
    "noise_sushi_bistro": None,
}
REVIEW_REASONS = LINE_REASONS | {
    "missing_text": "missing_value",
    "empty_text": "missing_value",
    "missing_business_id": "missing_value",
    "missing_review_id": "missing_value",
    "wrong_type_stars": "bad_value",
    "wrong_type_useful": "bad_value",
    "impossible_stars": "bad_value",
    "bad_date": "bad_value",
    "lone_surrogate_text": "bad_value",
    "negative_useful": "not_useful",
    "unknown_business": "unknown_place",
}


def raw(source: str, role: str, path) -> RawFile:
    sha256 = sha256_of(path)
    snapshot = Snapshot(source=source, role=role, location=path.name, sha256=sha256, size_bytes=1, licence_id="MIT")
    return RawFile(snapshot, path)


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    """Return a cleaned invented world of three cities: its dirt, places, reviews, and the reasons of dropped rows."""
    folder = tmp_path_factory.mktemp("world")
    roles = invented.generate(folder, cities=3, scale=0.2, seed=5)["yelp"]
    files = {role: [raw("yelp", role, path) for path in paths] for role, paths in roles.items()}
    cities = [
        City(city_id=c["city_id"], name=c["name"], country=c["country"], box=Box(**c["box"]))
        for c in invented.world_cities(3, 5)
    ]
    business: Any = businesses(files["business"], files.get("fusion", []), [], [], [], cities=cities)
    frame = Business.frame(Business.validate(Business.arrow(business.rows)))
    parts: list[Any] = [places(frame[frame["city_id"] == city.city_id]) for city in cities]
    rows = pa.concat_tables([Place.arrow(part.rows) for part in parts])
    place = Place.frame(Place.validate(rows))
    review: Any = reviews(files["review"], place)
    dropped_reviews = review.rejections.read_all().to_pylist()
    kept_reviews = Review.validate(Review.arrow(review.rows.read_all()))
    assert business.rows_in == business.rows.num_rows + len(business.rejections) + business.merged
    assert review.rows_in == kept_reviews.num_rows + len(dropped_reviews)
    dropped = {("business", r["row"].rpartition("#L")[2]): r["reason"] for r in business.rejections}
    dropped |= {("review", r["row"].rpartition("#L")[2]): r["reason"] for r in dropped_reviews}
    with (folder / "yelp" / "dirt.csv").open(encoding="utf-8", newline="") as file:
        dirt = [SimpleNamespace(**row) for row in csv.DictReader(file)]
    no_place = {r["row"].removeprefix("yelp:"): r["reason"] for part in parts for r in part.rejections}
    return SimpleNamespace(
        cities=cities, place=place, reviews=kept_reviews, dirt=dirt, dropped=dropped, no_place=no_place
    )


def test_every_planted_bad_business_is_rejected_with_the_right_reason(world):
    planted = [d for d in world.dirt if d.file == "business.json"]
    wrong = []
    for dirt in planted:
        found = world.dropped.get(("business", dirt.line)) or world.no_place.get(dirt.native_id)
        expected = "category_noise" if dirt.kind.startswith("noise_") else None
        expected = BUSINESS_REASONS.get(dirt.kind, expected)
        if found != expected:
            wrong.append((dirt.kind, dirt.line, found))
    assert wrong == []
    assert set(BUSINESS_REASONS) <= {d.kind for d in planted}


def test_hostile_names_are_places_all_the_same(world):
    hostile = [d.native_id for d in world.dirt if d.file == "business.json" and d.kind.startswith("name_")]
    assert len(hostile) >= 10
    assert set(hostile) <= set(world.place["place_id"].str.removeprefix("yelp:"))


def test_a_sushi_bistro_among_the_hotels_is_no_stay(world):
    bistros = [f"yelp:{d.native_id}" for d in world.dirt if d.kind == "noise_sushi_bistro"]
    found = world.place[world.place["place_id"].isin(bistros)]
    assert len(found) == len(bistros) == 3
    assert set(found["kind"]) == {"restaurant"}


def test_every_planted_bad_review_is_rejected_with_the_right_reason(world):
    planted = [d for d in world.dirt if d.file == "review.json"]
    wrong = []
    for dirt in planted:
        found = world.dropped.get(("review", dirt.line))
        is_copy = dirt.kind.startswith("duplicate_review")
        expected = ("duplicate", "not_useful") if is_copy else (REVIEW_REASONS.get(dirt.kind),)
        if found not in expected:
            wrong.append((dirt.kind, dirt.line, found))
    assert wrong == []
    assert set(REVIEW_REASONS) <= {d.kind for d in planted}


def test_all_places_lie_in_their_city_and_every_city_has_each_kind(world):
    for city in world.cities:
        own = world.place[world.place["city_id"] == city.city_id]
        assert city.contains(own["lat"].to_numpy(), own["lon"].to_numpy()).all()
        assert set(own["kind"]) == {"stay", "restaurant", "attraction"}


def test_reviews_belong_to_kept_places_of_their_city(world):
    owner = dict(zip(world.place["place_id"], world.place["city_id"], strict=True))
    found = zip(world.reviews["place_id"].to_pylist(), world.reviews["city_id"].to_pylist(), strict=True)
    assert all(owner[place_id] == city_id for place_id, city_id in found)
    assert min(world.reviews["useful"].to_pylist()) >= 1


def test_philadelphias_927_published_rows_are_906_businesses(shared_data):
    folder = shared_data / "itinbench"
    tables = [[raw("published", role, folder / f"{role}.jsonl")] for role in ("restaurants", "hotels", "attractions")]
    box = Box(south=39.85, west=-75.30, north=40.15, east=-74.95)
    city = City(city_id="us-pa-philadelphia", name="Philadelphia", country="US", box=box)
    business: Any = businesses([], [], *tables, cities=[city])
    assert (business.rows_in, business.merged, business.rejections) == (927, 21, [])
    assert business.rows.num_rows == 906
    place: Any = places(Business.frame(business.rows))
    assert {r["reason"] for r in place.rejections} == {"category_noise"}
    assert place.rows.num_rows + len(place.rejections) == 906
    frame = Place.frame(Place.validate(place.rows))
    assert Counter(frame["kind"]) == {"restaurant": 494, "attraction": 287, "stay": 100}
    kinds = dict(zip(frame["name"], frame["kind"], strict=True))
    assert kinds["Philadelphia Museum of Art"] == "attraction"
    assert kinds["Reading Terminal Market"] == kinds["Panorama"] == "restaurant"
    assert kinds["Loews Philadelphia Hotel"] == "stay"
    for noise in ("Restaurant Week", "Birchtree Catering", "FlixBus", "Exclusive Vape Shop", "Keystone Concierge"):
        assert noise not in kinds
    assert int(frame["price_level"].isna().sum()) == 12
    ratings: Any = published_ratings(frame, *tables).rows
    assert ratings.num_rows == 494 * 5 + 100 * 4 + 287 * 6


def test_listings_and_reviews_are_read_once_a_recipe_and_places_made_for_each_city():
    scopes = {step.name: step.per for step in STEPS}
    expected = {"business": "recipe", "place": "city", "review": "recipe", "published_rating": "city"}
    assert {name: scopes.get(name) for name in expected} == expected
