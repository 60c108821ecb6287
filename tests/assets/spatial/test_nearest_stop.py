"""The nearest stop is the one that brute force over every pair finds, anywhere on the globe."""

from __future__ import annotations

import datetime as dt

import numpy as np
import pandas as pd
import pytest
from geopy.distance import geodesic
from hypothesis import given, settings
from hypothesis import strategies as st
from pyproj import Geod

from assets.spatial.nearest_stop import nearest_served_stop, nearest_stop, nearest_transit_text
from schemas.spatial import PlaceNearestStop, PlaceServedStop

GEOD = Geod(ellps="WGS84")


def places_at(*lat_lon):
    return pd.DataFrame(
        [{"city_id": "xx-town", "place_id": f"p{i}", "lat": lat, "lon": lon} for i, (lat, lon) in enumerate(lat_lon)],
        columns=["city_id", "place_id", "lat", "lon"],
    )


def stops_at(*id_lat_lon):
    return pd.DataFrame(
        [{"stop_id": i, "name": f"Stop {i}", "lat": lat, "lon": lon} for i, lat, lon in id_lat_lon],
        columns=["stop_id", "name", "lat", "lon"],
    )


def by_brute_force(places, stops):
    """The obvious slow way: every geodesic, then the lowest id within a micrometre of the least."""
    answer = []
    for place in places.itertuples():
        n = len(stops)
        every = GEOD.inv(
            np.full(n, place.lon), np.full(n, place.lat), stops["lon"].to_numpy(), stops["lat"].to_numpy()
        )[2]
        answer.append((min(stops["stop_id"][every <= every.min() + 1e-6]), round(float(every.min()), 2)))
    return answer


def found(places, stops):
    nearest = nearest_stop(places, stops)
    return list(zip(nearest["stop_id"], nearest["stop_distance_m"], strict=True))


def test_the_worked_case_of_the_paper(golden_case):
    case = golden_case("SP-NEAREST-1")
    stops = stops_at(*((i, *lat_lon) for i, lat_lon in case["input"]["stops"].items()))
    for stop_id, distance_m in case["expected"]["distances_m"].items():
        assert found(places_at(case["input"]["poi"]), stops[stops["stop_id"] == stop_id]) == [(stop_id, distance_m)]
    (nearest,) = found(places_at(case["input"]["poi"]), stops)
    assert nearest[0] == case["expected"]["nearest"]
    assert nearest_transit_text(*nearest) == case["expected"]["text"]


def test_a_row_per_place_in_the_declared_columns():
    places = places_at((41.15, -8.61), (41.16, -8.62))
    nearest = nearest_stop(places, stops_at(("B", 41.15, -8.61), ("A", 41.1601, -8.62)))
    assert nearest.to_dict("records") == [
        {"city_id": "xx-town", "place_id": "p0", "stop_id": "B", "stop_name": "Stop B", "stop_distance_m": 0.0},
        {"city_id": "xx-town", "place_id": "p1", "stop_id": "A", "stop_name": "Stop A", "stop_distance_m": 11.11},
    ]
    PlaceNearestStop.validate(PlaceNearestStop.arrow(nearest))


def test_distances_are_those_of_geopy():
    places, stops = places_at((-33.86, 151.21)), stops_at(("A", -33.87, 151.2), ("B", -33.88, 151.25))
    expected = min(geodesic((-33.86, 151.21), (lat, lon)).m for lat, lon in ((-33.87, 151.2), (-33.88, 151.25)))
    assert found(places, stops) == [("A", round(expected, 2))]


def test_where_the_sphere_and_the_ellipsoid_disagree_the_ellipsoid_decides():
    # At the equator a degree of latitude is 110.57 km and one of longitude 111.32 km; on a sphere they are equal.
    assert found(places_at((0.0, 0.0)), stops_at(("east", 0.0, 0.9999), ("north", 1.0, 0.0)))[0][0] == "north"


degrees_in_town = st.integers(-40, 40).map(lambda n: n / 2000)
"""A coarse grid, so that coinciding and equidistant stops are common."""
around_the_globe = st.sampled_from(
    [
        (0.0, 0.0),
        (41.15, -8.61),
        (-17.0, 179.999),
        (-17.0, -179.999),
        (89.99, 12.0),
        (-89.999, -70.0),
        (90.0, 0.0),
        (51.5, 0.0),
    ]
)


@st.composite
def towns(draw):
    lat, lon = draw(around_the_globe)

    def point():
        north, east = draw(degrees_in_town), draw(degrees_in_town) / max(np.cos(np.radians(lat)), 1e-3)
        return float(np.clip(lat + north, -90, 90)), (lon + east + 180) % 360 - 180

    places = places_at(*(point() for _ in range(draw(st.integers(1, 6)))))
    ids = draw(st.lists(st.text("abAB10é-", min_size=1, max_size=3), min_size=1, max_size=25, unique=True))
    return places, stops_at(*((i, *point()) for i in ids))


@settings(max_examples=150, deadline=None)
@given(towns())
def test_no_stop_is_nearer_than_the_nearest_stop(town):
    places, stops = town
    assert found(places, stops) == by_brute_force(places, stops)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.floats(-90, 90), st.floats(-180, 180)), min_size=1, max_size=5),
    st.lists(st.tuples(st.floats(-90, 90), st.floats(-180, 180)), min_size=1, max_size=40),
)
def test_no_stop_is_nearer_even_half_the_world_away(places, stops):
    places, stops = places_at(*places), stops_at(*((f"s{i:02}", *lat_lon) for i, lat_lon in enumerate(stops)))
    assert found(places, stops) == by_brute_force(places, stops)


@settings(max_examples=60, deadline=None)
@given(towns(), st.randoms())
def test_the_order_of_the_rows_changes_nothing(town, random):
    places, stops = town
    shuffled = nearest_stop(
        places.sample(frac=1, random_state=random.randrange(1000)),
        stops.sample(frac=1, random_state=random.randrange(1000)),
    )
    expected = nearest_stop(places, stops)
    pd.testing.assert_frame_equal(shuffled.sort_values("place_id", ignore_index=True), expected)


def test_across_the_antimeridian_the_near_stop_is_near():
    stops = stops_at(("far", -17.0, 179.9), ("near", -17.0, -179.999))
    assert found(places_at((-17.0, 179.999)), stops) == [("near", 212.97)]


def test_at_the_pole_longitude_does_not_matter():
    assert found(places_at((90.0, 10.0)), stops_at(("A", 89.9, -170.0), ("B", 89.95, 100.0))) == [("B", 5584.7)]


@pytest.mark.parametrize("ids", [("Z", "a"), ("a", "Z"), ("10", "9"), ("9", "10")])
def test_a_tie_goes_to_the_lowest_stop_id(ids):
    west_and_east = stops_at((ids[0], 41.15, -8.62), (ids[1], 41.15, -8.60))
    assert found(places_at((41.15, -8.61)), west_and_east)[0][0] == min(ids)


def test_more_coinciding_stops_than_candidates_still_give_the_lowest_id():
    stops = stops_at(*((f"s{i:03}", 41.15, -8.61) for i in range(300, 0, -1)))
    assert found(places_at((41.15, -8.61), (41.2, -8.6)), stops)[1][0] == "s001"


def test_stops_that_only_print_alike_do_not_tie():
    stops = stops_at(("A", 41.15001, -8.61), ("B", 41.15000999, -8.61))
    assert found(places_at((41.15, -8.61)), stops) == [("B", 1.11)]


def test_every_unusable_coordinate_is_named_at_once():
    places = places_at((41.15, -8.61), (float("nan"), -8.61), (41.15, 181.0))
    stops = stops_at(("A", 91.0, 0.0), ("B", 0.0, float("inf")), ("C", 0.0, 0.0), ("C", 1.0, 0.0))
    with pytest.raises(ValueError) as error:
        nearest_stop(places, stops)
    assert str(error.value) == (
        "the nearest stop cannot be found:\n"
        "  - place_id 'p1' is at nan, -8.61; expected degrees within ±90, ±180\n"
        "  - place_id 'p2' is at 41.15, 181.0; expected degrees within ±90, ±180\n"
        "  - stop_id 'A' is at 91.0, 0.0; expected degrees within ±90, ±180\n"
        "  - stop_id 'B' is at 0.0, inf; expected degrees within ±90, ±180\n"
        "  - stop_id 'C' appears more than once"
    )


def test_a_city_without_stops_is_told_so():
    with pytest.raises(ValueError, match="there is no stop to be near to; bind a GTFS feed"):
        nearest_stop(places_at((41.15, -8.61)), stops_at())


def test_no_places_have_no_nearest_stops():
    assert nearest_stop(places_at(), stops_at(("A", 41.15, -8.61))).empty


MONDAY, SUNDAY = dt.date(2026, 3, 2), dt.date(2026, 3, 8)


def service_of(*rows):
    columns = ["service_date", "stop_id", "departures", "first_departure_s", "last_departure_s", "headway_s"]
    return pd.DataFrame(rows, columns=columns)


def test_a_stop_where_nothing_runs_that_day_is_passed_over():
    places = places_at((41.15, -8.61))
    stops = stops_at(("at the door", 41.15, -8.61), ("down the road", 41.151, -8.61))
    service = service_of(
        (MONDAY, "at the door", 60, 21_600, 86_400, 900),
        (MONDAY, "down the road", 20, 25_200, 82_800, 1800),
        (SUNDAY, "down the road", 1, 36_000, 36_000, None),
    )
    served = nearest_served_stop(places, stops, service)
    assert served["service_date"].tolist() == [MONDAY, SUNDAY]
    assert served["stop_id"].tolist() == ["at the door", "down the road"]
    assert served["stop_distance_m"].tolist() == [0.0, 111.06]
    assert served["last_departure_s"].tolist() == [86_400, 36_000]
    assert served["headway_s"].isna().tolist() == [False, True]
    served["headway_s"] = served["headway_s"].astype("Int64")
    PlaceServedStop.validate(PlaceServedStop.arrow(served))


def test_dates_that_no_feed_covers_have_no_rows():
    served = nearest_served_stop(places_at((41.15, -8.61)), stops_at(("A", 41.15, -8.61)), service_of())
    assert served.empty
    assert list(served.columns) == [column.name for column in PlaceServedStop.columns()]


def test_service_of_another_feed_is_refused():
    with pytest.raises(ValueError, match="1 stop missing in the stops table, such as 'B'"):
        nearest_served_stop(places_at((0, 0)), stops_at(("A", 0, 0)), service_of((MONDAY, "B", 1, 0, 0, None)))
