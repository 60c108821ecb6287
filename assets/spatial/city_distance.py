"""Distances between the recipe's cities, by road or as a marked estimate, and groups of cities that make one trip."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pandas as pd

from assets.spatial.distance_matrix import TableSource
from schemas.recipe import City, SpatialSection

CIRCUITY = 1.2
"""Road distance over geodesic: for the United States in Ballou, Rahardja and Sakai (2002), Transportation Research
Part A 36(9), 843-848. Of TravelPlanner's released road legs, the 18 between towns of unambiguous name have a median of
1.17."""

ESTIMATED_SPEED_KMH = 100.0
"""Rounded down from 107, the median of the 123 distinct road legs that TravelPlanner released (half lie in 103-110)."""


NEIGHBOUR_S = 12 * 3600
"""Longest drive from a city that counts as a neighbour: half a day, a declared choice of ours."""

JOINED = 10
"""Nearest cities that each is joined with [I]: of all triples a hundred towns of one region have 160,000."""


def city_centres(cities: list[City]) -> pd.DataFrame:
    """Return city_id, lat, lon of the middle of each city's bounds, degrees."""
    rows = [(c.city_id, (c.bounds.south + c.bounds.north) / 2, (c.bounds.west + c.bounds.east) / 2) for c in cities]
    return pd.DataFrame(rows, columns=pd.Index(["city_id", "lat", "lon"]))


def distances_between(*, cities: list[City], spatial: SpatialSection | None) -> pd.DataFrame:
    """Return the distance of each ordered pair of cities: of the recipe's OSRM server, else a marked estimate."""
    centres, server = city_centres(cities), spatial.server if spatial else None
    if server is None:
        return city_distance(centres, None)
    from sources.services.osrm import OsrmClient

    with OsrmClient(server, "car") as client:
        return city_distance(centres, client)


def city_distance(cities: pd.DataFrame, router: TableSource | None) -> pd.DataFrame:
    """Return distance and time by car of each ordered pair of different cities.

    `cities` has city_id, lat, lon of a centre. With no router every row is an estimate and says so: geodesic times
    1.2, at 100 km/h. With one, its answer stands, null where no road leads; nothing is estimated in its place.
    """
    from pyproj import Geod

    cities = cities.sort_values("city_id", ignore_index=True)
    lat, lon = (cities[name].to_numpy(dtype=float) for name in ("lat", "lon"))
    origin, destination = np.nonzero(~np.eye(len(cities), dtype=bool))
    geodesic = np.asarray(
        Geod(ellps="WGS84").inv(lon[origin], lat[origin], lon[destination], lat[destination])[2], dtype=float
    )
    if router is None:
        distance, time = geodesic * CIRCUITY, geodesic * CIRCUITY / (ESTIMATED_SPEED_KMH / 3.6)
        label = f"engine=estimate circuity={CIRCUITY:g} speed_kmh={ESTIMATED_SPEED_KMH:g}"
    else:
        answer = router.table(lat, lon)
        distance, time = answer.distances_m[origin, destination], answer.times_s[origin, destination]
        label = answer.router.label
    names = cities["city_id"].to_numpy(dtype=object)
    return pd.DataFrame(
        {
            "origin_city_id": names[origin],
            "destination_city_id": names[destination],
            "mode": "car",
            "geodesic_m": np.round(geodesic, 1),
            "distance_m": np.round(distance, 1),
            "time_s": np.round(time, 1),
            "is_estimate": router is None,
            "router": label,
        }
    )


def city_neighbours(distances: pd.DataFrame, *, cities: list[City]) -> pd.DataFrame:
    """Return city_id, neighbours: from how many other cities a road leads to each in `NEIGHBOUR_S` at most."""
    is_near = (distances["mode"] == "car") & (distances["time_s"].astype(float) <= NEIGHBOUR_S)
    neighbours = distances.loc[is_near, "destination_city_id"].value_counts()
    rows = [(city.city_id, int(neighbours.get(city.city_id, 0))) for city in cities]
    return pd.DataFrame(rows, columns=pd.Index(["city_id", "neighbours"]))


def city_cluster(distances: pd.DataFrame, longest_leg_m: float = 300_000.0) -> pd.DataFrame:
    """Return the pairs and triples of cities whose legs, both ways, are all at most `longest_leg_m` by road.

    `distances` are CityDistance rows; 300 km, about four hours, is our declared reading of `geographically adjacent`
    (GroupTravelBench, 3.A). A leg where no road leads joins no cities. A city is joined with its `JOINED` nearest,
    a tie going to the lower id, and with those that it is one of the nearest of.
    """
    ids = sorted({*distances["origin_city_id"].unique(), *distances["destination_city_id"].unique()})
    way_m = np.full((len(ids), len(ids)), np.inf)
    place = pd.Index(ids)
    origin, destination = (
        place.get_indexer(pd.Index(distances[name])) for name in ("origin_city_id", "destination_city_id")
    )
    way_m[origin, destination] = distances["distance_m"].astype(float).fillna(np.inf)
    leg_m = np.maximum(way_m, way_m.T)
    groups = {
        tuple(sorted((city, *others)))
        for city, nearest in enumerate(np.argsort(leg_m, axis=1, kind="stable")[:, :JOINED].tolist())
        for size in (1, 2)
        for others in combinations([other for other in nearest if leg_m[city, other] <= longest_leg_m], size)
    }
    rows = []
    for group in sorted(groups, key=lambda group: (len(group), group)):
        longest_m = float(max(leg_m[two] for two in combinations(group, 2)))
        if longest_m <= longest_leg_m:
            members = [ids[city] for city in group]
            rows.append({"city_cluster_id": "+".join(members), "city_ids": members, "longest_leg_m": longest_m})
    return pd.DataFrame(rows, columns=["city_cluster_id", "city_ids", "longest_leg_m"])
