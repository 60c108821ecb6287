"""Clusters belong to the places, not to the order they come in; the largest is number 0."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assets.spatial.clusters import place_cluster
from assets.spatial.kmeans import kmeans_clusters
from assets.spatial.projection import local_metres
from schemas.spatial import PlaceCluster

OLD_TOWN = [(41.140, -8.611), (41.141, -8.610), (41.1405, -8.612)]
HARBOUR = [(41.180, -8.690), (41.181, -8.691)]
AIRPORT = [(41.240, -8.680)]


def labels_of(points, k, seed=7):
    lat, lon = zip(*points, strict=True)
    return kmeans_clusters(lat, lon, k, seed).tolist()


def test_places_apart_are_clusters_numbered_by_falling_size():
    assert labels_of(AIRPORT + HARBOUR + OLD_TOWN, 3) == [2, 1, 1, 0, 0, 0]


def test_among_clusters_of_one_size_the_southernmost_comes_first():
    north, south = [(60.3, 24.0), (60.3001, 24.0)], [(60.1, 24.0), (60.1001, 24.0)]
    assert labels_of(north + south, 2) == [1, 1, 0, 0]


def test_the_antimeridian_does_not_split_a_town():
    assert labels_of([(-17, 179.999), (-17, -179.999), (-17, 179.9), (-17.2, 179.0)], 2) == [0, 0, 0, 1]


def test_around_the_pole_neighbours_stay_together():
    ring = [(89.999, lon) for lon in (0, 90, 180, -90)]
    assert labels_of([*ring, (88.0, 45.0)], 2) == [0, 0, 0, 0, 1]


def test_equal_places_are_one_and_never_more_clusters_than_distinct_places():
    assert labels_of([(1, 1), (2, 2), (1, 1), (1, 1)], 4) == [0, 1, 0, 0]


def test_metres_are_metres():
    x, y = local_metres([41.15, 41.15], [-8.61, -8.60]).T
    assert (round(abs(x[0] - x[1]), 1), round(abs(y[0] - y[1]), 1)) == (839.4, 0.0)


points = st.lists(
    st.tuples(st.integers(0, 60).map(lambda n: 41.1 + n / 1000), st.integers(0, 60).map(lambda n: -8.6 + n / 1000)),
    min_size=1,
    max_size=30,
)


@settings(max_examples=25, deadline=None)
@given(points, st.integers(1, 6), st.randoms())
def test_the_order_of_the_places_changes_nothing(points, k, random):
    shuffled = points.copy()
    random.shuffle(shuffled)
    assert dict(zip(points, labels_of(points, k), strict=True)) == dict(
        zip(shuffled, labels_of(shuffled, k), strict=True)
    )


@settings(max_examples=25, deadline=None)
@given(points, st.integers(1, 6))
def test_sizes_never_grow_along_the_numbers(points, k):
    sizes = np.bincount(labels_of(points, k))
    assert len(sizes) <= min(k, len(set(points)))
    assert (np.diff(sizes) <= 0).all()
    assert (sizes > 0).all()


@pytest.mark.parametrize(("k", "lat", "message"), [(0, 1.0, "k is 0"), (1, float("nan"), "not a finite number")])
def test_what_cannot_be_clustered_is_refused(k, lat, message):
    with pytest.raises(ValueError, match=message):
        kmeans_clusters([lat], [1.0], k, 1)


def test_a_fifth_as_many_clusters_as_places_and_one_at_least():
    def clusters_of(n):
        places = pd.DataFrame(
            {"city_id": "xx-town", "place_id": [f"p{i}" for i in range(n)], "lat": 41 + np.arange(n) / 100, "lon": -8.0}
        )
        rows = place_cluster(places, seed=1)
        PlaceCluster.validate(PlaceCluster.arrow(rows))
        return rows

    assert [clusters_of(n)["cluster"].nunique() for n in (0, 1, 4, 5, 14)] == [0, 1, 1, 1, 2]
    rows = clusters_of(10)
    assert rows.groupby("cluster")["cluster_size"].first().sum() == 10
