"""The part of town that each place belongs to; the clustering itself is `kmeans.py`, which families share."""

from __future__ import annotations

import numpy as np
import pandas as pd

from assets.spatial.kmeans import kmeans_clusters
from assets.spatial.matrix_pool import matrix_pool
from schemas.recipe import SpatialSection

PLACES_PER_CLUSTER = 5
"""ItinBench makes int(n / 5) clusters of n places (2.B), and fails below five; we make at least one."""


def pool_clusters(places: pd.DataFrame, *, seed: int, spatial: SpatialSection | None) -> pd.DataFrame:
    """Return the part of town each pooled place belongs to: seeded k-means on projected metres."""
    return place_cluster(matrix_pool(places, (spatial or SpatialSection()).pool_size), seed=seed)


def place_cluster(places: pd.DataFrame, *, seed: int) -> pd.DataFrame:
    """Return city_id, place_id, cluster and cluster_size of each place of one city, in the order of `place_id`.

    Clusters are numbered by falling size, equal ones from the south. The same places give the same clusters in any
    order. Raises ValueError for coordinates that are not finite.
    """
    places = places.sort_values("place_id", ignore_index=True)
    k = max(1, len(places) // PLACES_PER_CLUSTER)
    cluster = kmeans_clusters(places["lat"], places["lon"], k, seed)
    return pd.DataFrame(
        {
            "city_id": places["city_id"],
            "place_id": places["place_id"],
            "cluster": cluster,
            "cluster_size": np.bincount(cluster)[cluster] if len(cluster) else cluster,
        }
    )
