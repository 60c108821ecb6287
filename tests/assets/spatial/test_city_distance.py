"""Cities are as far apart as a router says, or an estimate that says it is one."""

from __future__ import annotations

import pandas as pd
import pytest

from assets.spatial.city_distance import city_cluster, city_distance, city_neighbours
from schemas.recipe import City
from schemas.recipe_values import Box
from schemas.spatial import CityCluster, CityDistance, CityNeighbours
from sources.services.routing import RoadMatrix, Router

CITIES = pd.DataFrame(
    [("us-in-bloomington", 39.1653, -86.5264), ("us-il-bloomington", 40.4842, -88.9937)],
    columns=["city_id", "lat", "lon"],
)


def test_homonyms_are_two_cities_257_km_apart(golden_case):
    case = golden_case("SP-HOMONYM-1")
    rows = city_distance(CITIES, None)
    assert rows["origin_city_id"].tolist() == ["us-il-bloomington", "us-in-bloomington"]
    assert (rows["geodesic_m"] / 1000).round(1).tolist() == [case["expected"]["distance_km"]] * 2


def test_without_a_router_every_row_is_a_marked_estimate():
    rows = city_distance(CITIES, None)
    CityDistance.validate(CityDistance.arrow(rows))
    assert rows["is_estimate"].all()
    assert set(rows["router"]) == {"engine=estimate circuity=1.2 speed_kmh=100"}
    assert (rows["distance_m"] / rows["geodesic_m"]).round(4).tolist() == [1.2, 1.2]
    assert (rows["distance_m"] / rows["time_s"] * 3.6).round(2).tolist() == [100, 100]


class Roads:
    def table(self, lat, lon):
        grid = pd.DataFrame([[0.0, 290_000.0], [float("nan"), 0.0]]).to_numpy()
        return RoadMatrix(grid, grid / 25, grid[0], Router("osrm", "", "", "car", server="https://roads.example"))


def test_a_router_is_believed_and_its_silence_kept():
    rows = city_distance(CITIES, Roads())
    made = CityDistance.validate(CityDistance.arrow(rows)).to_pylist()
    assert [row["distance_m"] for row in made] == [290_000.0, None]
    assert [row["time_s"] for row in made] == [11_600.0, None]
    assert {(row["is_estimate"], row["router"]) for row in made} == {
        (False, "engine=osrm profile=car server=https://roads.example")
    }


def test_one_city_has_no_distance():
    assert city_distance(CITIES.head(1), None).empty


def test_cities_are_neighbours_from_which_a_road_leads_within_half_a_day():
    drives = [("b", "c", 43_200.0), ("far", "c", 43_201.0), ("b", "far", 43_201.0), ("c", "b", 9.0), ("far", "b", 9.0)]
    rows = [(*ends, "car", time_s) for *ends, time_s in [*drives, ("b", "alone", None)]] + [("far", "c", "foot", 9.0)]
    distances = pd.DataFrame(rows, columns=["origin_city_id", "destination_city_id", "mode", "time_s"])
    cities = [city_of(city_id) for city_id in ("alone", "b", "c", "far")]
    made = city_neighbours(distances, cities=cities)
    CityNeighbours.validate(CityNeighbours.arrow(made))
    assert made.to_numpy().tolist() == [["alone", 0], ["b", 2], ["c", 1], ["far", 0]]


def city_of(city_id):
    return City(city_id=city_id, name=city_id, country="XX", box=Box(south=0, west=0, north=1, east=1))


def legs(**lengths):
    rows = [(*way.split("_"), length) for way, length in lengths.items()]
    return pd.DataFrame(rows, columns=["origin_city_id", "destination_city_id", "distance_m"])


def both_ways(**lengths):
    there = legs(**lengths)
    back = there.rename(columns={"origin_city_id": "destination_city_id", "destination_city_id": "origin_city_id"})
    return pd.concat([there, back], ignore_index=True)


def test_cities_join_in_twos_and_threes_when_every_leg_is_short():
    made = city_cluster(both_ways(a_b=100.0, b_c=200.0, a_c=300.0, a_d=301.0, b_d=10.0, c_d=None), longest_leg_m=300)
    CityCluster.validate(CityCluster.arrow(made))
    assert dict(zip(made["city_cluster_id"], made["longest_leg_m"], strict=True)) == {
        "a+b": 100.0, "a+c": 300.0, "b+c": 200.0, "b+d": 10.0, "a+b+c": 300.0,
    }  # fmt: skip


@pytest.mark.parametrize(("there", "back"), [(100.0, 400.0), (400.0, 100.0)])
def test_a_leg_counts_by_its_longer_direction(there, back):
    assert city_cluster(legs(a_b=there, b_a=back), longest_leg_m=300).empty


@pytest.mark.parametrize("missing", [None, float("nan")])
def test_no_road_joins_no_cities(missing):
    assert city_cluster(both_ways(a_b=missing), longest_leg_m=1e12).empty


def grid(count):
    """Return the distances of so many towns of one region, ten of them in a row."""
    rows = [(f"town-{n:03}", 47.0 + 0.05 * (n // 10), 4.5 + 0.05 * (n % 10)) for n in range(count)]
    return city_distance(pd.DataFrame(rows, columns=pd.Index(["city_id", "lat", "lon"])), None)


def test_up_to_eleven_cities_are_all_joined_where_they_are_near():
    assert len(city_cluster(grid(11))) == 11 * 10 / 2 + 11 * 10 * 9 / 6


def test_of_many_cities_each_is_joined_with_its_nearest_so_that_they_grow_with_the_cities_alone():
    made = {count: city_cluster(grid(count)) for count in (50, 100)}
    assert len(made[100]) <= 100 * (10 + 45)
    assert len(made[100]) < 2.2 * len(made[50])
    joined = {tuple(ids) for ids in made[100]["city_ids"] if len(ids) == 2}
    assert ("town-044", "town-045") in joined and ("town-000", "town-099") not in joined
    assert {city for ids in made[100]["city_ids"] for city in ids} == {f"town-{n:03}" for n in range(100)}
