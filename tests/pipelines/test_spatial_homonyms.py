"""Two Bloomingtons in one recipe end up apart, in every table: coverage is by area, never by name (defect T13)."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from assets.families import all_steps, stage_steps
from schemas.places import Place
from schemas.recipe_values import Box
from schemas.spatial import CityDistance, DistanceMatrix, PlaceNearestStop, PlaceServedStop
from schemas.transit import Stop
from tests.pipelines.spatial import record, rows
from tests.recipes import command

BOXES = {
    "us-in-bloomington": Box(south=39.10, west=-86.60, north=39.22, east=-86.46),
    "us-il-bloomington": Box(south=40.42, west=-89.06, north=40.54, east=-88.92),
}


@pytest.fixture(scope="module")
def home(tmp_path_factory) -> Path:
    """Return the home in which the two were built, from one world that holds them both."""
    folder = tmp_path_factory.mktemp("bloomingtons")
    text = 'name = "bloomingtons"\n\n[invented]\nproviders = ["yelp", "osm", "gtfs", "airbnb"]\nscale = 0.3\nseed = 2\n'
    text += '\n[spatial]\nrouter = "graph"\ntrip_dates = [2024-11-12]\npool_size = 40\n'
    for city_id, box in BOXES.items():
        edges = ", ".join(f"{edge} = {degrees}" for edge, degrees in box.model_dump().items())
        text += f'\n[[cities]]\ncity_id = "{city_id}"\nname = "Bloomington"\ncountry = "US"\n'
        text += f'region = "{city_id[3:5].upper()}"\nbox = {{ {edges} }}\n'
    (folder / "bloomingtons.toml").write_text(text, encoding="utf-8")
    code, answer = command("build", folder / "bloomingtons.toml", home=folder / "home")
    assert (code, answer["blocked"]) == (0, [])
    return folder / "home"


def of(home: Path, table, city_id: str) -> pd.DataFrame:
    return rows(home, "bloomingtons", table, city_id)


def test_no_table_mixes_the_two(home):
    """Whatever has a city, a position or an id is of one Bloomington alone."""
    told = []
    for name in [*stage_steps("spatial"), "place", "stop", "stay", "osm_place", "transit_feed", "stop_service"]:
        step = all_steps([])[name]
        if step.per == "recipe":
            continue
        ids: list[set[str]] = []
        for city_id, box in BOXES.items():
            found = of(home, step.output, city_id)
            assert set(found["city_id"]) <= {city_id}, name
            if {"lat", "lon"} <= set(found) and name != "stop":
                assert found["lat"].between(box.south, box.north).all(), name
                assert found["lon"].between(box.west, box.east).all(), name
            key = [column for column in ("place_id", "stop_id") if column in step.output.key()]
            ids.append({str(values) for values in found[key].itertuples(index=False)} if key else set())
            told.append((name, len(found) > 0))
        assert not ids[0] & ids[1], name
    assert {name for name, is_there in told if is_there} >= {"place", "stop", "stay", "distance_matrix", "city_map"}


def test_the_nearest_stops_are_those_of_the_town_itself(home):
    for city_id, box in BOXES.items():
        own = set(of(home, Stop, city_id)["stop_id"])
        for table in (PlaceNearestStop, PlaceServedStop):
            found = of(home, table, city_id)
            assert len(found)
            assert set(found["stop_id"]) <= own
            assert found["stop_distance_m"].max() < 15_000
            near = of(home, Stop, city_id).set_index("stop_id").loc[found["stop_id"]]
            assert near["lat"].between(box.south - 0.1, box.north + 0.1).all()
            assert near["lon"].between(box.west - 0.1, box.east + 0.1).all()


def test_matrices_are_of_each_town_s_own_streets(home):
    hashes = set()
    for city_id in BOXES:
        matrix, built = of(home, DistanceMatrix, city_id), record(home, "bloomingtons", DistanceMatrix, city_id)
        assert set(matrix["place_id"]) <= set(of(home, Place, city_id)["place_id"])
        assert not matrix["is_off_network"].any()
        (sha256,) = built.inputs["osm.extract"]
        assert matrix["router"].str.contains(sha256).all()
        hashes.add(sha256)
    assert len(hashes) == 2


def test_the_two_are_as_far_apart_as_they_are(home):
    found = of(home, CityDistance, "")
    assert sorted(found["origin_city_id"]) == sorted(BOXES)
    assert found["geodesic_m"].between(240_000, 270_000).all()
