"""Each check holds of a sound city, and says what it found of a bad one (defects T13 and T14)."""

from __future__ import annotations

import datetime as dt
from functools import partial

import pandas as pd
import pyarrow as pa
import pytest

from assets.spatial.checks import (
    all_pairs_are_reachable,
    feed_belongs_to_the_city,
    feed_covers_the_trip_dates,
    no_stop_beyond_50_km,
    places_snap_to_the_network,
    transit_access,
)
from assets.spatial.coverage import Requirement, city_coverage
from assets.spatial.nearest_stop import nearest_stop
from schemas.recipe import SpatialSection
from schemas.spatial import CityCoverage, DistanceMatrix

CHECKS = [partial(feed_belongs_to_the_city, spatial=None), no_stop_beyond_50_km]

BLOOMINGTON_IL, BLOOMINGTON_IN = (40.4842, -88.9937), (39.1653, -86.5264)


def places_around(lat, lon, n=20):
    rows = [("c", f"p{i:02}", lat + i / 1000, lon) for i in range(n)]
    return pd.DataFrame(rows, columns=["city_id", "place_id", "lat", "lon"])


def stops_around(lat, lon):
    rows = [(f"s{i}", "Main St", lat + i / 500, lon) for i in range(10)]
    return pd.DataFrame(rows, columns=["stop_id", "name", "lat", "lon"])


def test_a_feed_of_the_city_belongs_to_it():
    nearest = nearest_stop(places_around(*BLOOMINGTON_IL), stops_around(*BLOOMINGTON_IL))
    assert feed_belongs_to_the_city(nearest, spatial=None).holds
    assert no_stop_beyond_50_km(nearest).holds


def test_the_feed_of_a_namesake_does_not(golden_case):
    nearest = nearest_stop(places_around(*BLOOMINGTON_IL), stops_around(*BLOOMINGTON_IN))
    belongs, near = feed_belongs_to_the_city(nearest, spatial=None), no_stop_beyond_50_km(nearest)
    assert not belongs.holds
    assert belongs.finding.startswith("0.0% of 20 places are within 5 km of a stop, half of them within 25")
    assert not near.holds
    assert near.finding.startswith("20 of 20 places have no stop within 50 km, such as p00, 25")


def test_one_place_of_a_namesake_is_enough_to_be_seen():
    mixed = pd.concat([places_around(*BLOOMINGTON_IL), places_around(*BLOOMINGTON_IN, n=1).assign(place_id="q")])
    nearest = nearest_stop(mixed, stops_around(*BLOOMINGTON_IL))
    assert feed_belongs_to_the_city(nearest, spatial=None).holds
    assert "such as q, 257.0 km from 'Main St'" in no_stop_beyond_50_km(nearest).finding


def test_every_place_has_a_nearest_stop():
    """Published data has none for a quarter of its places (T14)."""
    places = places_around(*BLOOMINGTON_IL, n=200)
    assert nearest_stop(places, stops_around(*BLOOMINGTON_IL))["place_id"].tolist() == places["place_id"].tolist()


def test_access_is_the_share_of_places_near_a_stop():
    nearest = pd.DataFrame({"stop_distance_m": [10.0, 500.0, 500.01, 6000.0]})
    assert transit_access(nearest) == {"places": 4, "share_within_500_m": 0.5, "share_within_5000_m": 0.75}


DAYS = [dt.date(2026, 3, day) for day in (1, 2, 3)]


def test_a_feed_covers_the_dates_on_which_something_departs():
    assert feed_covers_the_trip_dates(DAYS, DAYS[:2]).holds
    expired = feed_covers_the_trip_dates(DAYS[:1], DAYS)
    assert not expired.holds
    assert expired.finding.startswith("nothing departs on 2 of 3 dates (2026-03-02, 2026-03-03)")


def matrix_of(times, snap_m):
    n = len(times)
    rows = {
        "city_id": ["c"] * n, "mode": ["foot"] * n, "place_id": [f"p{i}" for i in range(n)], "distances_m": times,
        "times_s": times, "snap_distance_m": snap_m, "is_off_network": [False] * n, "router": ["r"] * n,
    }  # fmt: skip
    return pa.table(rows, schema=DistanceMatrix.arrow_schema())


def test_a_pair_without_a_road_should_have_been_rejected():
    n = 5
    whole: list[list[float | None]] = [[0.0 if i == j else 60.0 for j in range(n)] for i in range(n)]
    assert all_pairs_are_reachable(matrix_of(whole, [3.0] * n)).holds
    whole[0][1] = None
    verdict = all_pairs_are_reachable(matrix_of(whole, [3.0] * n))
    assert not verdict.holds
    assert verdict.finding.startswith("no road leads between 1 of 20 ordered pairs; expected none")


@pytest.mark.parametrize("snap_m", [501.0, None])
def test_a_place_far_from_every_road_should_have_been_rejected(snap_m):
    assert places_snap_to_the_network(matrix_of([[0.0]] * 3, [3.0, 500.0, 0.0])).holds
    verdict = places_snap_to_the_network(matrix_of([[0.0]] * 3, [3.0, snap_m, 0.0]))
    assert not verdict.holds
    assert verdict.finding.startswith("1 of 3 places are farther than 500 m from a road, such as p1; expected none")


def test_nothing_is_held_against_a_feed_where_there_is_none():
    far = nearest_stop(places_around(*BLOOMINGTON_IL), stops_around(*BLOOMINGTON_IN))
    mapped = far.assign(stop_id="osm:node/" + far["stop_id"])
    for check in CHECKS:
        assert not check(far).holds
        assert (check(mapped).holds, check(mapped).finding) == (True, "the city has no feed; its stops are the map's")


def test_the_share_of_places_near_a_stop_is_the_recipes():
    mixed = pd.concat([places_around(*BLOOMINGTON_IL, n=3), places_around(*BLOOMINGTON_IN, n=7).assign(place_id="q")])
    nearest = nearest_stop(mixed, stops_around(*BLOOMINGTON_IL))
    assert not feed_belongs_to_the_city(nearest, spatial=None).holds
    assert feed_belongs_to_the_city(nearest, spatial=SpatialSection(least_near_stop=0.3)).holds


@pytest.mark.parametrize("check", CHECKS)
def test_a_city_without_places_has_nothing_to_hold_against_it(check):
    assert check(nearest_stop(places_around(0, 0, n=0), stops_around(0, 0))).holds
    assert all_pairs_are_reachable(matrix_of([], [])).holds
    assert places_snap_to_the_network(matrix_of([], [])).holds


def test_what_a_city_cannot_support_is_said_with_its_reason():
    needs = [
        Requirement("tripcraft", "stops", 1, "transit stops", "bind a GTFS feed"),
        Requirement("itinbench", "restaurants", 12, "restaurants", "bind places"),
    ]
    rows = city_coverage({"pt-porto": {"stops": 2000, "restaurants": 3}, "xx-empty": {}}, needs, {}, {})
    CityCoverage.validate(CityCoverage.arrow(rows))
    assert [tuple(row) for row in rows.itertuples(index=False)] == [
        (
            "pt-porto",
            "itinbench",
            "restaurants",
            False,
            12,
            3,
            "restaurants: found 3, expected at least 12; bind places",
        ),
        ("pt-porto", "tripcraft", "stops", True, 1, 2000, ""),
        (
            "xx-empty",
            "itinbench",
            "restaurants",
            False,
            12,
            0,
            "restaurants: found 0, expected at least 12; bind places",
        ),
        (
            "xx-empty",
            "tripcraft",
            "stops",
            False,
            1,
            0,
            "transit stops: found 0, expected at least 1; bind a GTFS feed",
        ),
    ]
