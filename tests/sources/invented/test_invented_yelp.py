"""The invented Yelp files: shaped as Yelp's, with every planted defect where `dirt.csv` says and nowhere else."""

from __future__ import annotations

import ast
import csv
import itertools
import json
import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from sources.invented import World, make_world, yelp
from sources.invented.dirt import Dirt
from tests.sources.invented.hostile_names import hostile_names

SEED = 7
Row = dict[str, Any]

BUSINESS_TYPES: dict[str, type | tuple[type, ...]] = {
    "business_id": str, "name": str, "address": str, "city": str, "state": str, "postal_code": str,
    "latitude": float, "longitude": float, "stars": float, "review_count": int, "is_open": int,
    "attributes": (dict, type(None)), "categories": str, "hours": (dict, type(None)),
}  # fmt: skip
REVIEW_TYPES: dict[str, type | tuple[type, ...]] = {
    "review_id": str, "user_id": str, "business_id": str, "stars": float,
    "useful": int, "funny": int, "cool": int, "text": str, "date": str,
}  # fmt: skip


class Files(NamedTuple):
    """What a plain reader finds: every line of every file, and the list of dirt."""

    world: World
    lines: dict[str, list[bytes]]
    dirt: list[Dirt]

    def dirty(self, file: str) -> dict[int, str]:
        return {d.line: d.kind for d in self.dirt if d.file == file}

    def clean_rows(self, file: str) -> list[Row]:
        dirty = self.dirty(file)
        return [
            json.loads(line)
            for number, line in enumerate(self.lines[file], start=1)
            if not dirty.get(number, "").strip() or dirty[number].startswith("name_")
        ]


def read(world: World, folder: Path, dirt: bool = True) -> Files:
    roles = yelp.write(world, folder, dirt)
    assert {role: [p.name for p in paths] for role, paths in roles.items()} == {
        role: [f"{role}.json"] for role in ("business", "review", "fusion")
    }
    lines = {path.name: path.read_bytes().removesuffix(b"\n").split(b"\n") for [path] in roles.values()}
    with (folder / "dirt.csv").open(encoding="utf-8", newline="") as file:
        listed = [Dirt(r["kind"], r["file"], int(r["line"]), r["native_id"]) for r in csv.DictReader(file)]
    return Files(world, lines, listed)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Files:
    return read(make_world(3, 0.3, SEED), tmp_path_factory.mktemp("yelp"))


def parsed(line: bytes) -> object:
    """Return the line's JSON value, or the error."""
    try:
        return json.loads(line)
    except ValueError as error:
        return error


def test_clean_lines_are_shaped_as_yelps(files: Files) -> None:
    for file, types in (("business.json", BUSINESS_TYPES), ("review.json", REVIEW_TYPES)):
        rows = files.clean_rows(file)
        assert len(rows) > 400
        for row in rows:
            assert list(row) == list(types)
            for key, expected in types.items():
                assert isinstance(row[key], expected), (key, row)
        assert all(
            line.isascii() for n, line in enumerate(files.lines[file], 1) if files.dirty(file).get(n) not in BY_LINE
        )


def test_business_values_are_written_as_yelp_writes_them(files: Files) -> None:
    meals = prices = 0
    for row in files.clean_rows("business.json"):
        assert re.fullmatch(r"[A-Za-z0-9_-]{22}", row["business_id"])
        assert row["stars"] * 2 == int(row["stars"] * 2)
        assert 1 <= row["stars"] <= 5
        assert all(re.fullmatch(r"\d{1,2}:\d{1,2}-\d{1,2}:\d{1,2}", text) for text in (row["hours"] or {}).values())
        values = {key: ast.literal_eval(text) for key, text in (row["attributes"] or {}).items()}
        assert values.get("RestaurantsPriceRange2") in (None, 1, 2, 3, 4)
        prices += values.get("RestaurantsPriceRange2") is not None
        meals += "GoodForMeal" in values
        assert set(values.get("GoodForMeal", {})) <= {"dessert", "latenight", "lunch", "dinner", "brunch", "breakfast"}
    assert meals > 150
    assert 0.75 < prices / len(files.clean_rows("business.json")) < 0.97


def test_categories_tell_the_kinds_of_a_place(files: Files) -> None:
    kinds = {p.native_id: p.kinds for p in files.world.places()}
    attraction = {
        "Museums", "Parks", "Local Flavor", "Zoos", "Tours", "Landmarks & Historical Buildings", "Souvenir Shops"
    }  # fmt: skip
    for row in files.clean_rows("business.json"):
        labels = set(row["categories"].split(", "))
        assert ("Hotels" in labels) == ("stay" in kinds[row["business_id"]])
        assert bool(labels & {"Restaurants", "Food"}) == ("restaurant" in kinds[row["business_id"]])
        assert bool(labels & attraction) == ("attraction" in kinds[row["business_id"]])
    labels = [set(r["categories"].split(", ")) for r in files.clean_rows("business.json")]
    assert any("Hotels & Travel" in ls and "Hotels" not in ls for ls in labels)


def test_stars_and_counts_are_those_of_the_reviews(files: Files) -> None:
    given: dict[str, list[float]] = defaultdict(list)
    for row in files.clean_rows("review.json"):
        given[row["business_id"]].append(row["stars"])
    counts = []
    for row in files.clean_rows("business.json"):
        stars = given[row["business_id"]]
        assert row["review_count"] == len(stars)
        assert abs(row["stars"] - sum(stars) / len(stars)) <= 0.25
        counts.append(len(stars))
    assert max(counts) > 5 * sorted(counts)[len(counts) // 2]
    assert 0.25 < sum(r["useful"] == 0 for r in files.clean_rows("review.json")) / sum(counts) < 0.45


def test_fusion_knows_the_same_places_and_some_more_prices(files: Files) -> None:
    listed = {r["business_id"]: r for r in files.clean_rows("business.json")}
    more = 0
    for row in files.clean_rows("fusion.json"):
        own = listed[row["id"]]
        assert row["coordinates"] == {"latitude": own["latitude"], "longitude": own["longitude"]}
        assert [c["title"] for c in row["categories"]] == own["categories"].split(", ")
        assert row["name"] == own["name"]
        price = (own["attributes"] or {}).get("RestaurantsPriceRange2", "None")
        assert price in ("None", str(len(row.get("price", ""))))
        more += price == "None" and "price" in row
    assert more > 3


# How a plain reader recognises each kind of dirt, from the line and, where it has one, its object.
BUSINESS_DIRT: dict[str, Callable[[Files, Row], bool]] = {
    "closed": lambda f, r: r["is_open"] == 0,
    "missing_name": lambda f, r: r["name"] is None,
    "empty_name": lambda f, r: r["name"] is not None and str(r["name"]).strip() == "",
    "wrong_type_name": lambda f, r: isinstance(r["name"], dict),
    "missing_id": lambda f, r: r["business_id"] is None,
    "missing_categories": lambda f, r: r["categories"] is None,
    "wrong_type_stars": lambda f, r: isinstance(r["stars"], str),
    "zero_coordinates": lambda f, r: (r["latitude"], r["longitude"]) == (0, 0),
    "nan_coordinates": lambda f, r: isinstance(r["latitude"], float) and math.isnan(r["latitude"]),
    "swapped_coordinates": lambda f, r: inside(f, r["longitude"], r["latitude"]),
    "impossible_latitude": lambda f, r: r["latitude"] == 95,
    "missing_coordinates": lambda f, r: r["latitude"] is None,
    "text_coordinates": lambda f, r: isinstance(r["latitude"], str),
    "outside_city": lambda f, r: near(f, r) and not inside(f, r["latitude"], r["longitude"]),
    "homonym_city": lambda f, r: r["city"] in {c.name for c in f.world.cities} and far_from_all(f, r),
    "noise_caterer": lambda f, r: "Catering" in str(r["name"]),
    "noise_vape_shop": lambda f, r: "Vape" in str(r["name"]),
    "noise_bus_operator": lambda f, r: "Bus Lines" in str(r["name"]),
    "noise_event": lambda f, r: "Restaurant Week" in str(r["name"]),
    "noise_sushi_bistro": lambda f, r: "Sushi Bistro" in str(r["name"]),
    "noise_club": lambda f, r: str(r["name"]).startswith("Club "),
    "noise_concierge": lambda f, r: "Concierge" in str(r["name"]),
    **hostile_names(lambda _, r: r["name"]),
}
REVIEW_DIRT: dict[str, Callable[[Files, Row], bool]] = {
    "missing_text": lambda f, r: r["text"] is None,
    "empty_text": lambda f, r: r["text"] == "",
    "missing_business_id": lambda f, r: r["business_id"] is None,
    "missing_review_id": lambda f, r: r["review_id"] is None,
    "wrong_type_stars": lambda f, r: isinstance(r["stars"], str),
    "impossible_stars": lambda f, r: r["stars"] == 9,
    "wrong_type_useful": lambda f, r: isinstance(r["useful"], str),
    "negative_useful": lambda f, r: isinstance(r["useful"], int) and r["useful"] < 0,
    "bad_date": lambda f, r: not re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d", r["date"]),
    "unknown_business": lambda f, r: r["business_id"] is not None and r["business_id"] not in known_ids(f),
    "long_text": lambda f, r: len(r["text"] or "") > 99_000,
    "html_text": lambda f, r: "<script>" in (r["text"] or ""),
    "rtl_text": lambda f, r: "\u202e" in (r["text"] or ""),
    "nul_text": lambda f, r: "\0" in (r["text"] or ""),
    "zero_width_text": lambda f, r: "\u200b" in (r["text"] or ""),
    "lone_surrogate_text": lambda f, r: any("\ud800" <= c <= "\udfff" for c in r["text"] or ""),
    "prompt_injection": lambda f, r: "ignore all previous instructions" in (r["text"] or ""),
}
# Kinds told by the line itself, or by an earlier line.
BY_LINE = {"empty_line", "binary_line", "truncated_line", "truncated_at_the_end", "not_an_object"}
BY_REPEAT = {
    "business.json": {"duplicate_id_copy", "duplicate_id_conflict", "same_place_two_ids"},
    "review.json": {"duplicate_review_copy", "duplicate_review_conflict"},
}


def inside(files: Files, lat: object, lon: object) -> bool:
    return isinstance(lat, float) and isinstance(lon, float) and any(c.box.holds(lat, lon) for c in files.world.cities)


def near(files: Files, row: Row) -> bool:
    lat, lon = row["latitude"], row["longitude"]
    return isinstance(lat, float) and any(abs(c.lat - lat) < 0.3 and abs(c.lon - lon) < 0.3 for c in files.world.cities)


def far_from_all(files: Files, row: Row) -> bool:
    lat, lon = row["latitude"], row["longitude"]
    if not isinstance(lat, float) or math.isnan(lat) or abs(lat) > 90 or lat == 0 or inside(files, lon, lat):
        return False
    own = next(c for c in files.world.cities if c.name == row["city"])
    return math.hypot(own.lat - lat, (own.lon - lon) * 0.7) * 111 > 200


@cache
def ids_in(lines: tuple[bytes, ...]) -> set[str]:
    return {row["business_id"] for line in lines if isinstance(row := parsed(line), dict)}


def known_ids(files: Files) -> set[str]:
    return ids_in(tuple(files.lines["business.json"]))


@pytest.mark.parametrize(("file", "told"), [("business.json", BUSINESS_DIRT), ("review.json", REVIEW_DIRT)])
def test_a_plain_reader_finds_exactly_the_listed_dirt(
    files: Files, file: str, told: dict[str, Callable[[Files, Row], bool]]
) -> None:
    listed = files.dirty(file)
    assert set(listed.values()) == set(told) | BY_LINE | BY_REPEAT[file]
    for number, line in enumerate(files.lines[file], start=1):
        row = parsed(line)
        kind = listed.get(number, "")
        if not isinstance(row, dict):
            assert kind in BY_LINE, (number, line[:80])
            continue
        assert kind not in BY_LINE
        if kind not in BY_REPEAT[file]:
            assert [k for k, is_so in told.items() if is_so(files, row)] == ([kind] if kind else []), (number, row)


def test_broken_lines_are_broken_in_the_way_listed(files: Files) -> None:
    for file in ("business.json", "review.json"):
        found = defaultdict(list)
        for number, kind in files.dirty(file).items():
            found[kind].append(files.lines[file][number - 1])
        assert found["empty_line"] == [b""]
        assert all(not isinstance(parsed(line), ValueError) for line in found["not_an_object"])
        assert len(found["not_an_object"]) == 4
        for kind in ("binary_line", "truncated_line", "truncated_at_the_end"):
            assert [isinstance(parsed(line), ValueError) for line in found[kind]] == [True]
        with pytest.raises(UnicodeDecodeError):
            found["binary_line"][0].decode("utf-8")
        assert files.lines[file][-1] == found["truncated_at_the_end"][0]


def test_the_last_line_has_no_newline(files: Files, tmp_path: Path) -> None:
    yelp.write(files.world, tmp_path)
    assert not (tmp_path / "review.json").read_bytes().endswith(b"\n")


@pytest.mark.parametrize(
    ("file", "key", "copy", "conflict"),
    [
        ("business.json", "business_id", "duplicate_id_copy", "duplicate_id_conflict"),
        ("review.json", "review_id", "duplicate_review_copy", "duplicate_review_conflict"),
    ],
)
def test_repeated_ids_are_listed_copies_and_conflicts(
    files: Files, file: str, key: str, copy: str, conflict: str
) -> None:
    first: dict[str, bytes] = {}
    found: Counter[str] = Counter()
    for number, line in enumerate(files.lines[file], start=1):
        row = parsed(line)
        if isinstance(row, dict) and row[key]:
            kind = files.dirty(file).get(number, "")
            repeats = row[key] in first
            assert repeats == (kind in (copy, conflict)), (number, kind)
            if repeats:
                assert (first[row[key]] == line) == (kind == copy)
                found[kind] += 1
            first.setdefault(row[key], line)
    assert found[copy] == found[conflict] == 3


def test_a_place_listed_under_two_ids_has_the_same_name_and_street(files: Files) -> None:
    rows = {n: r for n, line in enumerate(files.lines["business.json"], 1) if isinstance(r := parsed(line), dict)}
    doubles = [rows[n] for n, kind in files.dirty("business.json").items() if kind == "same_place_two_ids"]
    assert len(doubles) == 3
    for double in doubles:
        twins = [r for r in rows.values() if (r["name"], r["address"]) == (double["name"], double["address"])]
        assert len({r["business_id"] for r in twins}) == 2
        assert max(r["latitude"] for r in twins) - min(r["latitude"] for r in twins) < 1e-4


def test_native_ids_in_the_list_are_those_of_the_lines(files: Files) -> None:
    keys = {"business.json": "business_id", "review.json": "review_id", "fusion.json": "id"}
    for dirt in files.dirt:
        row = parsed(files.lines[dirt.file][dirt.line - 1])
        assert dirt.native_id == ((row[keys[dirt.file]] or "") if isinstance(row, dict) else "")


def test_without_dirt_the_files_are_the_clean_lines_of_the_dirty_ones(files: Files, tmp_path: Path) -> None:
    clean = read(files.world, tmp_path, dirt=False)
    assert clean.dirt == []
    places = list(files.world.places())
    assert [json.loads(line)["name"] for line in clean.lines["business.json"]] == [p.name for p in places]
    own = {p.native_id for p in places}
    expected = {
        line
        for number, line in enumerate(files.lines["review.json"], start=1)
        if number not in files.dirty("review.json") and json.loads(line)["business_id"] in own
    }
    assert set(clean.lines["review.json"]) == expected
    assert len(clean.lines["review.json"]) == len(expected)


def test_reviews_of_a_smaller_world_are_in_the_larger_one(files: Files, tmp_path: Path) -> None:
    smaller = read(make_world(2, 0.1, SEED), tmp_path, dirt=False)
    assert set(smaller.lines["review.json"]) < set(files.lines["review.json"])


def test_reviews_are_not_sorted_by_place(files: Files) -> None:
    ids = [r["business_id"] for r in files.clean_rows("review.json")]
    assert sum(a == b for a, b in itertools.pairwise(ids)) < 0.02 * len(ids)
