"""The invented world: where it lies, what is true in it, and how it grows."""

from __future__ import annotations

import datetime as dt
import math
import re
from collections import Counter, defaultdict
from itertools import combinations, islice
from pathlib import Path
from zoneinfo import ZoneInfo

import numpy as np
import pytest
from geopy.distance import geodesic

from schemas.reviews import ATTRIBUTES
from sources.invented import Box, CitySpec, World, make_world, truth, world_cities, write_truth
from sources.invented.cities import MAX_CITIES, invented_cities
from sources.invented.world import PLACES_PER_CITY, Place

SEED = 7


@pytest.fixture(scope="module")
def world() -> World:
    return make_world(3, 1.0, SEED)


@pytest.fixture(scope="module")
def places(world: World) -> list[Place]:
    return list(world.places())


def test_each_city_has_as_many_places_as_the_scale_says(world: World, places: list[Place]) -> None:
    counted = Counter((p.city.city_id, p.kind) for p in places)
    assert counted == {(c.city_id, kind): n for c in world.cities for kind, n in PLACES_PER_CITY.items()}


def test_a_larger_world_holds_the_smaller_one(places: list[Place]) -> None:
    known = {p.place_key: p for p in places}
    for place in make_world(2, 0.13, SEED).places():
        assert known[place.place_key] == place


def test_another_seed_is_another_world(places: list[Place]) -> None:
    ours = {(p.name, p.lat) for p in places}
    assert not any((p.name, p.lat) in ours for p in make_world(3, 0.2, SEED + 1).places())


def test_ids_are_22_characters_and_unique(places: list[Place]) -> None:
    assert all(re.fullmatch(r"[A-Za-z0-9_-]{22}", p.native_id) for p in places)
    assert len({p.native_id for p in places}) == len(places)


def test_every_level_of_every_attribute_is_equally_frequent_in_every_city(places: list[Place]) -> None:
    levels: dict[tuple[str, str, str], Counter[int]] = defaultdict(Counter)
    for place in places:
        if not place.also:
            for attribute, level in place.ratings.get(place.kind, {}).items():
                levels[place.city.city_id, place.kind, attribute][level] += 1
    assert len(levels) == 3 * sum(map(len, ATTRIBUTES.values()))
    for (_, kind, _), counted in levels.items():
        scale = range(4) if kind == "attraction" else range(1, 6)
        assert sorted(counted) == list(scale)
        assert max(counted.values()) - min(counted.values()) <= 6  # those listed as two kinds are left out here


@pytest.mark.parametrize("kind", ATTRIBUTES)
def test_attributes_say_nothing_about_one_another(places: list[Place], kind: str) -> None:
    rated = [p.ratings[kind] for p in places if p.kind == kind]
    for one, other in combinations(ATTRIBUTES[kind], 2):
        r = np.corrcoef([levels[one] for levels in rated], [levels[other] for levels in rated])[0, 1]
        assert abs(r) < 3.5 / math.sqrt(len(rated)), (one, other, r)


def test_truth_lists_every_rating_of_every_kind_a_place_counts_as(places: list[Place], world: World) -> None:
    rows = {(r["native_id"], r["kind"], r["attribute"]): r["rating"] for r in truth(world)}
    assert rows == {
        (p.native_id, kind, attribute): level
        for p in places
        for kind, levels in p.ratings.items()
        for attribute, level in levels.items()
    }
    both = [p for p in places if p.also]
    assert {(p.kind, p.also) for p in both} == {("restaurant", "attraction"), ("stay", "restaurant")}
    assert all(set(p.ratings) == {p.kind, p.also} for p in both)
    assert all(p.ratings["stay"]["service"] == p.ratings["restaurant"]["service"] for p in both if p.kind == "stay")


def test_truth_is_written_as_csv(tmp_path: Path) -> None:
    small = make_world(1, 0.01, SEED)
    lines = write_truth(small, tmp_path / "truth.csv").read_text(encoding="utf-8").splitlines()
    assert lines[0] == "city_id,native_id,kind,attribute,rating"
    assert lines[1:] == [",".join(map(str, row.values())) for row in truth(small)]


def test_places_stand_beside_the_streets_they_are_addressed_in(places: list[Place]) -> None:
    streets: dict[tuple[str, str], list[Place]] = defaultdict(list)
    for place in places:
        assert place.city.box.holds(place.lat, place.lon)
        street = re.fullmatch(r"\d+ (.+?)(, Ste \d+)?", place.address)
        assert street, place.address
        streets[place.city.city_id, street[1]].append(place)
    long_ones = {street: group for street, group in streets.items() if len(group) >= 5}
    assert len(long_ones) > 50
    angles: dict[str, set[int]] = defaultdict(set)
    for (city_id, name), group in long_ones.items():
        scale = 111_195 * np.array([1, math.cos(math.radians(group[0].city.lat))])
        metres = (np.array([(p.lat, p.lon) for p in group]) - [group[0].city.lat, group[0].city.lon]) * scale
        centred = metres - metres.mean(axis=0)
        along, across = np.linalg.svd(centred)[2]
        assert np.abs(centred @ across).max() < 25, name
        angles[city_id].add(round(math.degrees(math.atan2(along[0], along[1])) / 3) * 3 % 90)
    assert all(max(found) - min(found) in (0, 3, 87) for found in angles.values()), "the grid is rectangular"


def test_some_cuisines_are_common_and_some_scarce_in_each_city(world: World, places: list[Place]) -> None:
    for city in world.cities:
        counted = Counter(c for p in places if p.city == city for c in p.cuisines)
        assert max(counted.values()) >= 30
        assert min(counted.values()) <= 8
        assert len(counted) >= 12


def test_the_fourth_city_bears_the_first_ones_name_far_away() -> None:
    first, _, _, fourth = invented_cities(4, SEED)
    assert first.name == fourth.name
    assert first.region != fourth.region
    assert geodesic((first.lat, first.lon), (fourth.lat, fourth.lon)).km > 200
    names = [c.name for c in invented_cities(3, SEED)]
    assert len(set(names)) == 3


def test_no_two_cities_overlap_or_share_an_id() -> None:
    cities = invented_cities(MAX_CITIES, SEED)
    assert len({c.city_id for c in cities}) == MAX_CITIES
    for one, other in combinations(cities, 2):
        a, b = one.box, other.box
        assert a.north < b.south or b.north < a.south or a.east < b.west or b.east < a.west


def test_invented_cities_do_not_exist(shared_data: Path) -> None:
    text = (shared_data / "cities" / "us_cities.csv").read_text(encoding="utf-8").lower()
    text += (shared_data / "airports" / "airports.dat").read_text(encoding="utf-8").lower()
    assert "chicago" in text
    assert [c.name for c in invented_cities(MAX_CITIES, SEED) if c.name.lower() in text] == []


def test_world_cities_are_rows_of_a_recipe() -> None:
    rows = world_cities(4, SEED)
    assert rows == world_cities(invented_cities(4, SEED), SEED)
    for row, spec in zip(rows, invented_cities(4, SEED), strict=True):
        assert row["city_id"] == f"{spec.country}-{spec.region}-{spec.name.lower()}"
        assert row["box"] == {
            "south": spec.box.south, "west": spec.box.west, "north": spec.box.north, "east": spec.box.east
        }  # fmt: skip
        assert ZoneInfo(row["time_zone"])
        assert (row["currency"], row["languages"]) == ("USD", ["en"])


def test_a_world_can_lie_in_a_real_city() -> None:
    porto = CitySpec(
        "São João", "Norte", "PT", 41.15, -8.61, Box(41.13, -8.66, 41.18, -8.55), "Europe/Lisbon", "EUR", ("pt", "en")
    )
    assert porto.city_id == "pt-norte-sao-joao"
    world = make_world([porto], 0.2, SEED)
    assert all(porto.box.holds(p.lat, p.lon) for p in world.places())
    assert world_cities([porto], SEED)[0]["languages"] == ["pt", "en"]


@pytest.mark.parametrize(
    ("cities", "scale", "message"),
    [
        (0, 1.0, "expected 1 to"),
        (MAX_CITIES + 1, 1.0, "expected 1 to"),
        ([], 1.0, "expected at least one"),
        (invented_cities(1, SEED) * 2, 1.0, "each once"),
        (1, 0.0, "scale is 0.0"),
        (1, math.nan, "scale is nan"),
    ],
)
def test_an_impossible_world_is_refused(cities: int, scale: float, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make_world(cities, scale, SEED)


def test_dates_in_the_wrong_order_are_refused() -> None:
    with pytest.raises(ValueError, match="expected the first day, then the last"):
        make_world(1, 1.0, SEED, (dt.date(2024, 11, 2), dt.date(2024, 11, 1)))


def test_a_box_must_hold_the_centre() -> None:
    with pytest.raises(ValueError, match="does not hold the centre"):
        CitySpec("X", "Y", "us", 10.0, 10.0, Box(11.0, 9.0, 12.0, 11.0), "UTC", "USD")


def test_a_world_of_any_size_starts_at_once() -> None:
    assert len(list(islice(make_world(MAX_CITIES, 1e6, SEED).places(), 10))) == 10


def test_a_city_over_the_antimeridian_is_filled_on_both_sides_and_nowhere_else() -> None:
    box = Box(-16.9, 179.98, -16.7, -179.98)
    city = CitySpec("Over", "", "FJ", -16.8, -180.0, box, "Pacific/Fiji", "FJD")
    lons = [place.lon for place in make_world([city], 0.5, SEED).places()]
    assert all(179.98 <= abs(lon) <= 180 for lon in lons)
    assert {lon > 0 for lon in lons} == {True, False}
