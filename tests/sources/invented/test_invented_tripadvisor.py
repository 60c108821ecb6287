"""The invented TripAdvisor exports: shaped as Apify's, true to the world, with dirt where the list says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from schemas.osm import ATTRACTION_CATEGORIES
from sources.invented import World, city_of, make_world, tripadvisor
from sources.invented.tripadvisor import PRICE_LEVELS, native_id
from sources.invented.world import Place
from tests.sources.invented.hostile_names import hostile_names

SEED = 7
COMMON = (
    "id", "type", "category", "subcategories", "name", "locationString", "description", "rating", "rawRanking",
    "rankingPosition", "numberOfReviews", "address", "addressObj", "latitude", "longitude", "isClosed", "isLongClosed",
    "hours", "ancestorLocations", "nearestMetroStations",
)  # fmt: skip
OWN = {
    "RESTAURANT": {"priceLevel", "cuisines", "mealTypes"},
    "ATTRACTION": {"subtype", "offerGroup", "ratingHistogram"},
    "HOTEL": {"amenities", "hotelClass", "priceRange"},
}
QUERY_CUISINES = {"Chinese", "American", "Italian", "Mexican", "Indian", "Mediterranean", "French"}

# How a plain reader recognises each kind of dirt.
DIRT: dict[str, Callable[[Any], bool]] = {
    "not_an_object": lambda i: not isinstance(i, dict),
    "empty_line": lambda i: not isinstance(i, dict),
    "binary_line": lambda i: not isinstance(i, dict),
    "truncated_line": lambda i: not isinstance(i, dict),
    "closed": lambda i: i["isClosed"],
    "long_closed": lambda i: i["isLongClosed"],
    "missing_id": lambda i: i["id"] is None,
    "missing_name": lambda i: i["name"] is None,
    "missing_type": lambda i: i["type"] is None,
    "unknown_type": lambda i: i["type"] not in OWN,
    "missing_coordinates": lambda i: i["latitude"] is None,
    "zero_coordinates": lambda i: (i["latitude"], i["longitude"]) == (0, 0),
    "text_coordinates": lambda i: isinstance(i["latitude"], str),
    "impossible_rating": lambda i: i["rating"] > 5,
    "wrong_type_rating": lambda i: isinstance(i["rating"], str),
    "missing_rating": lambda i: i["rating"] is None,
    "price_range_as_level": lambda i: i["priceLevel"] not in (None, *PRICE_LEVELS.values()),
    "missing_price_and_cuisines": lambda i: i["priceLevel"] is None and i["cuisines"] is None,
    "cuisines_as_text": lambda i: isinstance(i["cuisines"], str),
    "missing_hours": lambda i: i["hours"] is None,
    "hours_of_no_day": lambda i: i["hours"]["weekRanges"] == [],
    "hours_end_before_they_begin": lambda i: (
        i["hours"]["weekRanges"][0][0]["open"] > i["hours"]["weekRanges"][0][0]["close"]
    ),
    "hours_as_text": lambda i: isinstance(i["hours"]["weekRanges"][0][0]["open"], str),
    "outside_city": lambda i: isinstance(i["latitude"], float),
    "homonym_city": lambda i: "," not in i["locationString"],
    "duplicate_id_copy": lambda i: i["id"] == "99000900",
    "duplicate_id_conflict": lambda i: i["id"] == "99000900",
    **hostile_names(lambda i: i["name"]),
}


@pytest.fixture(scope="module")
def world() -> World:
    return make_world(6, 0.5, SEED)


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory, world: World) -> tuple[Path, list[Path]]:
    folder = tmp_path_factory.mktemp("tripadvisor")
    paths = tripadvisor.write(world, folder)["places"]
    assert [city_of(path) for path in paths] == [city.city_id for city in world.cities]
    return folder, paths


@pytest.fixture(scope="module")
def known(world: World) -> dict[str, Place]:
    return {native_id(world, place): place for place in world.places() if place.kind != "other"}


@pytest.fixture(scope="module")
def clean(written: Any, read_items: Any, read_dirt: Any) -> list[dict[str, Any]]:
    folder, paths = written
    dirty = {(d.file, d.line) for d in read_dirt(folder) if not d.kind.startswith("name_")}
    return [
        item
        for path in paths
        for number, item in enumerate(read_items(path), start=1)
        if (path.relative_to(folder).as_posix(), number) not in dirty
    ]


def test_items_are_shaped_as_the_export(clean: list[dict[str, Any]]) -> None:
    assert {item["type"] for item in clean} == set(OWN)
    for item in clean:
        assert set(COMMON) <= set(item)
        assert OWN[item["type"]] <= set(item)
        assert item["id"].isdigit()
        assert set(item["addressObj"]) == {"street1", "street2", "city", "state", "country", "postalcode"}
        assert item["rating"] * 2 == int(item["rating"] * 2)
        assert item.get("priceLevel") in (None, "$", "$$", "$$$", "$$ - $$$", "$$$$")
        if item["hours"]:
            assert len(item["hours"]["weekRanges"]) == 7
    assert len({item["id"] for item in clean}) == len(clean)


def test_items_are_the_worlds_places(clean: list[dict[str, Any]], known: dict[str, Place]) -> None:
    assert 0.85 < len(clean) / len(known) < 0.95
    unlocated = 0
    for item in clean:
        place = known[item["id"]]
        assert place.name in item["name"]
        assert item["type"] == {"restaurant": "RESTAURANT", "attraction": "ATTRACTION", "stay": "HOTEL"}[place.kind]
        assert (item["latitude"], item["longitude"]) in ((place.lat, place.lon), (None, None))
        unlocated += item["latitude"] is None
        if item["type"] == "RESTAURANT":
            assert item["priceLevel"] in (None, PRICE_LEVELS[place.price])
        if item["hours"]:
            sunday, *week = item["hours"]["weekRanges"]
            for day, (opening, closing) in zip((*week, sunday), place.hours, strict=True):
                assert [(r["open"], r["close"]) for r in day] == [(opening, closing if closing > opening else 1440)]
        else:
            assert not place.hours
    assert 0 < unlocated < 0.03 * len(clean)


def test_every_city_has_what_queries_ask_for(
    world: World, clean: list[dict[str, Any]], known: dict[str, Place]
) -> None:
    cuisines: dict[str, Counter[str]] = {city.city_id: Counter() for city in world.cities}
    categories: Counter[str] = Counter()
    for item in clean:
        if item["type"] == "RESTAURANT":
            assert item["cuisines"]
            cuisines[known[item["id"]].city.city_id].update(item["cuisines"])
        if item["type"] == "ATTRACTION":
            assert set(item["subcategories"]) <= set(ATTRACTION_CATEGORIES)
            categories.update(item["subcategories"])
    for kitchen in ("Greek", "Middle Eastern"):
        assert any({kitchen, "Mediterranean"} <= set(item.get("cuisines", ())) for item in clean)
    for found in cuisines.values():
        assert min(found[cuisine] for cuisine in QUERY_CUISINES - {"French"}) >= 3
        assert len(found) > 15
    assert set(categories) == set(ATTRACTION_CATEGORIES)
    assert min(categories.values()) >= 5


def test_each_planted_item_is_what_it_is_said_to_be(written: Any, read_items: Any, read_dirt: Any) -> None:
    folder, paths = written
    items = {path.relative_to(folder).as_posix(): read_items(path) for path in paths}
    dirt = read_dirt(folder)
    assert {d.kind for d in dirt} == set(DIRT)
    for d in dirt:
        item = items[d.file][d.line - 1]
        assert DIRT[d.kind](item), d
        assert d.native_id == ((item["id"] or "") if isinstance(item, dict) else "")
    assert {path.read_bytes()[:1] for path in paths} == {b"[", b"{"}


def test_without_dirt_there_is_none(tmp_path: Path, read_items: Any, read_dirt: Any, known: dict[str, Place]) -> None:
    [path] = tripadvisor.write(make_world(1, 0.5, SEED), tmp_path, dirt=False)["places"]
    items = read_items(path)
    assert read_dirt(tmp_path) == []
    assert len(items) > 150
    assert [item["name"] for item in items] == [known[item["id"]].name for item in items]
