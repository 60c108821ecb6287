"""Our own recipes built by the command from real files, with the real OSRM: exact, traceable, honest about the rest.

Skipped where the real files are not; where OSRM cannot be had these tests fail, as those of `sources/` do.
"""

from __future__ import annotations

import datetime as dt
import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import matplotlib.image
import numpy as np
import pytest
from pyproj import Geod

import assets.spatial.matrix_pool as matrix_pool_module
from assets.spatial.distance_matrix import grids
from assets.step import RawFile
from schemas.places import Place
from schemas.recipe import RecipeLock
from schemas.spatial import CityMap, DistanceMatrix, PlaceCluster, PlaceNearestStop, PlaceServedStop
from schemas.transit import Stop, StopService, TransitFeed
from sources.locate import raw_records
from sources.services.osrm_engine import ManagedOsrm
from sources.services.osrm_install import default_cache_dir
from tests.pipelines.spatial import below, copied_recipe, lives, record, rows
from tests.pipelines.test_build import ROOT, command
from warehouse.home import Home

MONACO, CAIRNS, PORTO = "mc-mc-monaco", "au-qld-cairns", "pt-13-porto"


def builder(name: str, **changes: str):
    """Return a fixture: the folder of a home in which one of our recipes was built, its recipe and the answer."""

    @pytest.fixture(scope="module")
    def built(shared_data, tmp_path_factory):
        folder = tmp_path_factory.mktemp(name)
        recipe = copied_recipe(name, shared_data, folder, **changes)
        code, answer = command("build", recipe, home=folder / "home")
        assert (code, answer["blocked"]) == (0, [])
        return folder / "home", recipe, answer

    return built


monaco = builder("monaco")
cairns = builder("cairns")
porto = builder(
    "porto", pool_size="60", modes='["foot"]', box="{ south = 41.16, west = -8.7, north = 41.2, east = -8.6 }"
)
"""The north of the city: to draw the map of the whole district takes more than a minute."""


def assert_nearest_is_nearest(home: Path, recipe: str, city_id: str, every: int) -> None:
    """Every so many places: no stop is nearer than the one given, by the geodesic to each and every stop."""
    place, stop, nearest = (rows(home, recipe, table, city_id) for table in (Place, Stop, PlaceNearestStop))
    assert nearest["place_id"].tolist() == place["place_id"].tolist()
    assert len(place)
    ids, geod = stop["stop_id"].to_numpy(), Geod(ellps="WGS84")
    for place_id, lat, lon in place[["place_id", "lat", "lon"]].iloc[::every].itertuples(index=False):
        n = len(stop)
        every_m = geod.inv(np.full(n, lon), np.full(n, lat), stop["lon"].to_numpy(), stop["lat"].to_numpy())[2]
        row = nearest.set_index("place_id").loc[place_id]
        assert row["stop_distance_m"] == round(every_m.min(), 2)
        assert row["stop_id"] == min(ids[every_m <= every_m.min() + 1e-6])


def assert_map_can_be_read(home: Path, recipe: str, city_id: str, answer: dict) -> None:
    (path,) = [Path(path) for path in answer["maps"] if Path(path).stem == city_id]
    assert path.is_file()
    picture = matplotlib.image.imread(io.BytesIO(path.read_bytes()), format="png")
    assert picture.shape[1] == 1500
    assert picture[..., :3].std() > 0.02
    assert rows(home, recipe, CityMap, city_id)["size_bytes"].tolist() == [path.stat().st_size]


def assert_coverage_says_why(answer: dict, city_id: str) -> None:
    """Every requirement has its row; one that is not met says what was found, what was expected and what to do."""
    mine = [row for row in answer["coverage"] if row["city_id"] == city_id]
    assert mine
    for row in mine:
        assert row["is_met"] == (row["found"] >= row["needed"])
        assert row["is_met"] or f": found {row['found']}" in row["reason"]
        assert row["is_met"] or f"expected at least {row['needed']}; " in row["reason"]
    assert not all(row["is_met"] for row in mine if row["family"] == "itinbench")


def raw_of(home: Path, recipe: Path, pointer: str) -> dict:
    """Return the raw text that a row pointer leads to, read from the home's own copy of the file."""
    locked = RecipeLock.model_validate_json(recipe.with_suffix(".lock.json").read_bytes()).snapshots
    locator = pointer.partition("#")[2]
    (snapshot,) = [snapshot for snapshot in locked if snapshot.pointer(locator) == pointer]
    with Home(str(home)).snapshots.open(snapshot) as path:
        return json.loads(raw_records(RawFile(snapshot, path), [locator])[locator])


def test_monaco_s_nearest_stops_are_those_of_every_stop_measured(monaco):
    home, _, _ = monaco
    assert_nearest_is_nearest(home, "monaco", MONACO, every=1)


def test_monaco_s_matrices_are_the_server_s_own_answers(monaco, shared_data):
    home, _, _ = monaco
    place = rows(home, "monaco", Place, MONACO).sort_values("place_id")
    matrix = rows(home, "monaco", DistanceMatrix, MONACO)
    sha256 = record(home, "monaco", DistanceMatrix, MONACO).inputs["osm.extract"][0]
    assert sorted(matrix["mode"].unique()) == ["car", "foot"]
    for mode, part in matrix.groupby("mode"):
        ids, distances, times = grids(part)
        assert ids == place["place_id"].tolist()
        extract = shared_data / "osm" / "monaco.osm.pbf"
        with ManagedOsrm(extract, sha256, str(mode), "mld", cache_dir=default_cache_dir()) as osrm:
            said = osrm.table(place["lat"].to_numpy(), place["lon"].to_numpy())
        assert np.array_equal(distances, said.distances_m, equal_nan=True)
        assert np.array_equal(times, said.times_s, equal_nan=True)
        assert set(part["router"]) == {said.router.label}


def test_monaco_s_map_clusters_and_coverage_are_there_and_a_second_build_runs_nothing(monaco):
    home, recipe, answer = monaco
    assert_map_can_be_read(home, "monaco", MONACO, answer)
    assert_coverage_says_why(answer, MONACO)
    assert len(rows(home, "monaco", PlaceCluster, MONACO)) == len(rows(home, "monaco", Place, MONACO))
    assert len(rows(home, "monaco", PlaceServedStop, MONACO)) == 0
    again = command("build", recipe, home=home)[1]
    assert again == {**answer, "steps_run": 0, "steps_skipped": answer["steps_run"]}
    assert below(os.getpid(), "osrm-routed") == []


def test_cairns_has_stops_timetables_and_a_map_and_says_what_else_is_needed(cairns):
    home, _, answer = cairns
    stop, service = rows(home, "cairns", Stop, CAIRNS), rows(home, "cairns", StopService, CAIRNS)
    assert set(service["stop_id"]) == set(stop["stop_id"])
    (feed,) = rows(home, "cairns", TransitFeed, CAIRNS).to_dict("records")
    assert (feed["stop_count"], feed["departure_count"]) == (len(stop), service["departures_s"].map(len).sum())
    assert feed["first_date"] <= dt.date(2014, 6, 17) <= feed["last_date"]
    for table in (Place, PlaceNearestStop, PlaceServedStop, DistanceMatrix, PlaceCluster):
        assert rows(home, "cairns", table, CAIRNS).empty
    assert_map_can_be_read(home, "cairns", CAIRNS, answer)
    assert_coverage_says_why(answer, CAIRNS)
    assert {row["requirement"] for row in answer["coverage"] if row["found"]} == {"served_dates", "stops"}


def test_every_place_of_porto_has_its_nearest_stop(porto):
    home, _, answer = porto
    assert len(rows(home, "porto", PlaceNearestStop, PORTO)) == 1_544
    assert_nearest_is_nearest(home, "porto", PORTO, every=15)
    facts = record(home, "porto", PlaceNearestStop, PORTO).facts
    assert facts["places"] == 1_544
    assert 0.5 < facts["share_within_500_m"] < facts["share_within_5000_m"] <= 1
    assert_map_can_be_read(home, "porto", PORTO, answer)
    assert_coverage_says_why(answer, PORTO)


def test_porto_says_which_of_its_dates_no_feed_covers_and_keeps_the_rest(porto):
    _, _, answer = porto
    (row,) = [row for row in answer["coverage"] if row["requirement"] == "served_dates"]
    assert (row["is_met"], row["needed"], row["found"]) == (False, 3, 2)
    assert "no feed on the dates 2025-06-12: `porto-metro-gtfs-metroporto-latest` runs from 2025-09-" in row["reason"]
    assert answer["blocked"] == []


def test_each_of_porto_s_dates_is_served_by_the_one_feed_that_covers_it(porto):
    home, _, _ = porto
    found = rows(home, "porto", PlaceServedStop, PORTO)
    feeds = found["stop_id"].str.partition(":")[0]
    assert {day: set(feeds[found["service_date"] == day]) for day in sorted(set(found["service_date"]))} == {
        dt.date(2024, 11, 12): {"porto-stcp-gtfs-stcp"},
        dt.date(2025, 11, 12): {"porto-metro-gtfs-metroporto-latest"},
    }
    assert found.groupby("service_date").size().tolist() == [60, 60]
    assert (found["first_departure_s"] <= found["last_departure_s"]).all()
    unserved = rows(home, "porto", PlaceNearestStop, PORTO).set_index("place_id")["stop_distance_m"]
    assert (found["stop_distance_m"].to_numpy() >= unserved.loc[found["place_id"]].to_numpy()).all()
    facts = record(home, "porto", PlaceServedStop, PORTO).facts
    assert facts["feed_covers_the_trip_dates"] is False
    assert facts["found"].startswith("nothing departs on 1 of 3 dates (2025-06-12)")


@pytest.mark.parametrize("table", [Place, Stop, StopService, TransitFeed])
def test_porto_s_rows_lead_back_to_the_lines_of_their_files(porto, table):
    home, recipe, _ = porto
    found = rows(home, "porto", table, PORTO)
    for row in found.iloc[:: max(1, len(found) // 3)].to_dict("records"):
        raw = [raw_of(home, recipe, pointer) for pointer in row["source_rows"]]
        assert raw
        if table is Place:
            assert {record["name"].strip() for record in raw} == {row["name"]}
        elif table is Stop:
            assert [(r["stop_id"], r["stop_name"].strip()) for r in raw] == [(row["native_id"], row["name"])]
        elif table is StopService:
            assert {record["stop_id"] for record in raw} == {row["stop_id"].partition(":")[2]}
        else:
            assert [record["agency_name"] for record in raw] == row["agencies"]


def test_a_build_killed_while_its_router_runs_leaves_no_process_and_is_resumed_though_its_router_is_killed_too(
    monaco, shared_data, tmp_path, monkeypatch
):
    home, _, _ = monaco
    recipe = copied_recipe("monaco", shared_data, tmp_path)
    words = [sys.executable, "-m", "pipelines.cli", "build", str(recipe), "--home", str(tmp_path / "home"), "--json"]
    child = subprocess.Popen(words, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    servers: list[int] = []
    while not servers and child.poll() is None:
        servers = below(child.pid, "osrm-routed")
        time.sleep(0.002)
    child.kill()
    child.wait()
    assert servers, "the build ended before its router was seen"
    while any(map(lives, servers)):  # they end with their build, or this never does
        time.sleep(0.02)
    killed = []

    def kill_then_ask(*arguments):
        (server,) = below(os.getpid(), "osrm-routed")
        os.kill(server, signal.SIGKILL)
        killed.append(server)
        return original(*arguments)

    original = matrix_pool_module.distance_matrix
    monkeypatch.setattr(matrix_pool_module, "distance_matrix", kill_then_ask)
    code, answer = command("build", recipe, home=tmp_path / "home")
    assert (code, answer["blocked"], len(killed)) == (0, [], 2)
    assert answer["steps_skipped"] > 0
    ours, theirs = (record(where, "monaco", DistanceMatrix, MONACO) for where in (tmp_path / "home", home))
    assert ours.outputs == theirs.outputs
    assert not any(lives(pid) for pid in killed)
    assert below(os.getpid(), "osrm-routed") == []
