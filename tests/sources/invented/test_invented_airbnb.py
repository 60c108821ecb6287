"""The invented listings: enough of every kind for a party, told alike by both files, with dirt where the list says."""

from __future__ import annotations

import csv
import json
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import pytest

from schemas.recipe import City
from schemas.recipe_values import Box
from schemas.stays import HOUSE_RULES
from sources.airbnb.listings import read_stays
from sources.invented import World, airbnb, city_of, make_world, world_cities
from sources.invented.dirt import Dirt
from sources.invented.listings import listing, listing_count

SEED = 7
CSV_FATE = {
    "missing_id": "missing_value",
    "id_lost_to_a_spreadsheet": "bad_value",
    "missing_coordinates": "bad_coordinates",
    "zero_coordinates": "bad_coordinates",
    "outside_city": "outside_every_city",
    "unknown_room_type": "other_category",
    "price_not_a_price": "bad_value",
    "missing_name": "missing_value",
    "duplicate_id": "duplicate",
    "short_record": "bad_value",
}
EXPORT_FATE = {
    "missing_id": "missing_value",
    "missing_coordinates": "bad_coordinates",
    "text_coordinates": "bad_coordinates",
    "outside_city": "outside_every_city",
    "missing_room_type": "missing_value",
    "capacity_as_text": "bad_value",
    "impossible_rating": "bad_value",
    "wrong_type_price": "bad_value",
    "duplicate_id": "duplicate",
    "not_an_object": "bad_json",
    "binary_line": "bad_json",
    "truncated_line": "bad_json",
}
UNPRICED = {"price_of_several_nights", "null_price_and_rating", "empty_price"}
ROOM_TYPES = {"Entire home/apt": "entire_home", "Private room": "private_room", "Shared room": "shared_room"}


@pytest.fixture(scope="module")
def world() -> World:
    return make_world(6, 1.0, SEED)


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory, world: World) -> tuple[Path, dict[str, list[Path]]]:
    folder = tmp_path_factory.mktemp("airbnb")
    return folder, airbnb.write(world, folder)


@pytest.fixture
def read(world: World, given_path: Any) -> Any:
    """Return what the reader makes of a file: its stays by id, and the reason of each row it drops, by locator."""
    rows = world_cities(world.cities, SEED)
    cities = [City(**{**row, "box": Box(**row["box"])}) for row in rows]

    def of(path: Path, role: str) -> tuple[dict[str, dict[str, Any]], dict[str, str]]:
        rejected: list[dict[str, str]] = []
        stays = read_stays(given_path(path, "airbnb", role), cities, rejected)
        return {s["native_id"]: s for s in stays}, {r["row"].partition("#")[2]: r["reason"] for r in rejected}

    return of


def listed_dirt(folder: Path) -> list[Dirt]:
    with (folder / "dirt.csv").open(encoding="utf-8", newline="") as file:
        return [Dirt(r["kind"], r["file"], int(r["line"]), r["native_id"]) for r in csv.DictReader(file)]


def test_both_files_tell_the_same_truth(world: World, written: Any, read: Any) -> None:
    _, files = written
    unpriced = unasked = exported = 0
    for city, csv_path, export_path in zip(world.cities, files["listings"], files["apify"], strict=True):
        assert city_of(csv_path) == city_of(export_path) == city.city_id
        told, _ = read(csv_path, "listings")
        exports, _ = read(export_path, "apify")
        for number in range(listing_count(world)):
            true = listing(world, city, number)
            stay = told[true.native_id]
            assert (stay["city_id"], stay["lat"], stay["lon"]) == (city.city_id, true.lat, true.lon)
            assert (stay["room_type"], stay["min_nights"]) == (ROOM_TYPES[true.room_type], true.min_nights)
            assert stay["price_per_night"] in (None, float(true.price))
            unpriced += stay["price_per_night"] is None
            if true.native_id in exports:
                export = exports[true.native_id]
                assert (export["lat"], export["room_type"]) == (true.lat, ROOM_TYPES[true.room_type])
                assert (export["max_occupancy"], export["rating"]) == (true.capacity, true.rating)
                assert (export["price_per_night"], export["currency"]) == (float(true.price), city.currency)
                assert export["house_rules"] in (None, list(true.rules))
                exported += 1
                unasked += export["house_rules"] is None
    count = 6 * listing_count(world)
    assert 0.06 < unpriced / count < 0.2
    assert 0.9 < exported / count < 1
    assert 0.03 < unasked / exported < 0.2


def test_each_city_can_house_a_party_whatever_it_asks(world: World) -> None:
    for city in world.cities:
        found = [listing(world, city, number) for number in range(listing_count(world))]
        assert Counter(one.room_type for one in found) == {"Entire home/apt": 20, "Private room": 12, "Shared room": 8}
        assert sum(one.capacity >= 8 for one in found) >= 3
        assert {1, 2, 3, 4, 5, 6, 8, 9, 10} == {one.capacity for one in found}
        assert sum(one.min_nights <= 2 for one in found) >= 20
        by_type: dict[str, list[Any]] = defaultdict(list)
        for one in found:
            by_type[one.room_type].append(one)
            assert city.box.holds(one.lat, one.lon)
        for rule in HOUSE_RULES:
            assert sum(rule in one.rules for one in found) >= 5
            assert sum(rule not in one.rules for one in by_type["Entire home/apt"]) >= 3
        assert len({one.native_id for one in found}) == len(found)
        assert all(one.native_id.isdigit() and len(one.native_id) == 18 for one in found)


@pytest.mark.parametrize(("role", "fates"), [("listings", CSV_FATE), ("apify", EXPORT_FATE)])
def test_each_planted_row_meets_its_fate_and_no_other_is_dropped(
    written: Any, read: Any, role: str, fates: dict[str, str]
) -> None:
    folder, files = written
    dirt = listed_dirt(folder)
    forms = set()
    for path in files[role]:
        stays, dropped = read(path, role)
        is_array = role == "apify" and path.read_bytes().startswith(b"[")
        forms.add(is_array)
        own = [d for d in dirt if d.file == path.relative_to(folder).as_posix()]
        kinds = {d.kind for d in own}
        assert set(fates) - {"binary_line", "truncated_line"} <= kinds
        for d in own:
            locator = f"R{d.line}" if role == "listings" else f"[{d.line - 1}]" if is_array else f"L{d.line}"
            if d.kind in fates:
                assert dropped.pop(locator) == fates[d.kind], d
            elif d.kind == "empty_line":
                assert dropped.pop(locator, "bad_json") == "bad_json"
            else:
                assert locator not in dropped, d
                assert d.kind not in UNPRICED or stays[d.native_id]["price_per_night"] is None
        assert dropped == {}
    assert forms == ({False} if role == "listings" else {False, True})


def test_prices_are_written_as_people_write_them(written: Any) -> None:
    folder, files = written
    prices = [row["price"] for path in files["listings"] for row in csv.DictReader(path.open(encoding="utf-8"))]
    assert "" in prices
    assert any((price or "").startswith("$") and price.endswith(".00") for price in prices)
    text = "".join(path.read_text(encoding="utf-8", errors="replace") for path in files["apify"])
    assert '"amount":"$1,' in text
    assert "CA$" in text
    assert {d.kind for d in listed_dirt(folder)} > {"price_with_sign", "name_html", "price_of_several_nights"}


def test_without_dirt_nothing_is_dropped(tmp_path: Path, read: Any, world: World) -> None:
    files = airbnb.write(make_world(2, 0.5, SEED), tmp_path, dirt=False)
    assert listed_dirt(tmp_path) == []
    for role, paths in files.items():
        for path in paths:
            stays, dropped = read(path, role)
            assert dropped == {}
            assert len(stays) > 15
    arrays = [path for path in files["apify"] if path.read_bytes().startswith(b"[")]
    assert all(len(json.loads(path.read_bytes())) > 15 for path in arrays)
