"""Seeded k-means over points on the ground: the clustering that the spatial tables and the families share."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from assets.spatial.projection import local_metres

RESTARTS: Any = 4  # scikit-learn has no types, and its default "auto" would be inferred
"""Runs of k-means from different k-means++ starts, of which the tightest is kept."""


def kmeans_clusters(lat: ArrayLike, lon: ArrayLike, k: int, seed: int) -> np.ndarray:
    """Return each point's cluster number, 0 to k - 1, from seeded k-means on projected metres.

    Cluster 0 has the most points; among clusters of one size the one with the southernmost point (then westernmost)
    comes first. Equal points are always together, so there are never more clusters than distinct points: k above that
    is lowered to it. The labels belong to the points, whatever order they are given in; one thread, so that sums are
    added in one order. Projection: `assets.spatial.projection.local_metres`.

    Raises ValueError for k below 1 or coordinates that are not finite.
    """
    from sklearn.cluster import KMeans

    if k < 1:
        raise ValueError(f"k is {k}; expected at least 1 cluster")
    points = np.column_stack([np.asarray(lat, dtype=float), np.asarray(lon, dtype=float)])
    if len(points) == 0:
        return np.empty(0, dtype=np.int64)
    distinct, position, counts = np.unique(points, axis=0, return_inverse=True, return_counts=True)
    metres = local_metres(distinct[:, 0], distinct[:, 1])
    with _thread_pools().limit(limits=1):
        model = KMeans(n_clusters=min(k, len(distinct)), n_init=RESTARTS, random_state=seed, algorithm="lloyd")
        clusters = model.fit_predict(metres, sample_weight=counts)
    return _largest_first(clusters, counts)[position]


@cache
def _thread_pools() -> Any:
    """Return the thread pools of the libraries loaded so far, which are looked for once: it takes half a clustering."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


def _largest_first(clusters: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Return the labels renumbered by falling size, then by first member in the points' sorted order."""
    labels, first = np.unique(clusters, return_index=True)
    sizes = np.bincount(clusters, weights=counts)[labels]
    number = np.empty(labels.max() + 1, dtype=np.int64)
    number[labels[np.lexsort([first, -sizes])]] = np.arange(len(labels))
    return number[clusters]
