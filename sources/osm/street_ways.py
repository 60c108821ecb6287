"""The way between two places along the streets, as a line to be drawn: what a table of distances does not keep.

Reading the streets and their lengths belongs in `streets.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from sources.osm.streets import TIME_WEIGHT, StreetGraph

LONGEST_S = 3 * 3600.0
"""A way that takes longer is not looked for: it would cross the whole country."""


def ways_along(graph: StreetGraph, pairs: Sequence[tuple[float, float, float, float]]) -> list[np.ndarray | None]:
    """Return, for each pair of places (lat, lon, lat, lon), the fastest way as lat and lon, shape (n, 2).

    A way begins and ends at the places themselves. None where the streets do not lead from one to the other within
    `LONGEST_S` seconds.
    """
    from scipy.sparse.csgraph import dijkstra

    if not pairs:
        return []
    ends = np.array(pairs, dtype=float).reshape(-1, 2)
    places, number = np.unique(ends, axis=0, return_inverse=True)
    number = number.reshape(-1, 2)
    chain, offset_m, _snap_m = graph.snap(places[:, 0], places[:, 1])
    edges, vertex = graph.graph_with(chain, offset_m)
    at = _positions(graph, chain, offset_m, vertex)
    ways: list[np.ndarray | None] = [None] * len(pairs)
    shapes = _Shapes(
        graph, at, dict(zip(vertex.tolist(), zip(chain.tolist(), offset_m.tolist(), strict=True), strict=True))
    )
    for source in np.unique(number[:, 0]):
        _, before = dijkstra(
            edges, indices=int(vertex[source]), return_predecessors=True, limit=LONGEST_S * 100 * TIME_WEIGHT
        )
        for pair in np.flatnonzero(number[:, 0] == source):
            target = int(vertex[number[pair, 1]])
            path = _path(before, int(vertex[source]), target)
            if path is not None:
                inside = shapes.along(path)
                ways[pair] = np.vstack([places[source], inside, places[number[pair, 1]]])
    return ways


def _path(before: np.ndarray, source: int, target: int) -> list[int] | None:
    """Return the vertices from source to target, or None if no way leads there."""
    path = [target]
    while path[-1] != source:
        previous = int(before[path[-1]])
        if previous < 0:
            return None
        path.append(previous)
    return path[::-1]


def _positions(graph: StreetGraph, chain: np.ndarray, offset_m: np.ndarray, vertex: np.ndarray) -> np.ndarray:
    """Return each vertex's lat and lon: of the streets' own from their pieces, of the places' from where they snap."""
    chains = graph.chains
    at = np.full((1 + int(max(vertex.max(), chains.start.max(), chains.end.max())), 2), np.nan)
    first = np.searchsorted(chains.piece_chain, np.arange(len(chains.start)))
    last = np.searchsorted(chains.piece_chain, np.arange(len(chains.start)), side="right") - 1
    at[chains.start] = chains.piece_ends[first, :2]
    at[chains.end] = chains.piece_ends[last, 2:]
    for one, on, along in zip(vertex, chain, offset_m, strict=True):
        if np.isnan(at[one, 0]):
            at[one] = _point_on(graph, int(on), float(along))
    return at


def _pieces(graph: StreetGraph, chain: int) -> tuple[int, int]:
    lo, hi = np.searchsorted(graph.chains.piece_chain, [chain, chain + 1])
    return int(lo), int(hi)


def _point_on(graph: StreetGraph, chain: int, along_m: float) -> np.ndarray:
    lo, hi = _pieces(graph, chain)
    chains = graph.chains
    piece = lo + max(0, int(np.searchsorted(chains.piece_offset_m[lo:hi], along_m, side="right")) - 1)
    length = chains.piece_length_m[piece]
    share = 0.0 if length == 0 else min(1.0, (along_m - chains.piece_offset_m[piece]) / length)
    ends = chains.piece_ends[piece]
    return ends[:2] + share * (ends[2:] - ends[:2])


class _Shapes:
    """The bends between two neighbouring vertices: of a whole chain, or of the part of one that a place cuts."""

    def __init__(self, graph: StreetGraph, at: np.ndarray, placed: dict[int, tuple[int, float]]) -> None:
        self._graph, self._at, self._placed = graph, at, placed
        chains = graph.chains
        weight = np.rint(chains.length_m / chains.speed_m_s * 100) * TIME_WEIGHT + np.rint(chains.length_m * 100)
        self._best: dict[tuple[int, int], tuple[float, int, bool]] = {}
        sides = ((chains.start, chains.end, chains.forward, True), (chains.end, chains.start, chains.backward, False))
        for starts, stops, is_open, is_forward in sides:
            for number in np.flatnonzero(is_open).tolist():
                key, entry = (int(starts[number]), int(stops[number])), (float(weight[number]), number, is_forward)
                if key not in self._best or entry < self._best[key]:
                    self._best[key] = entry

    def along(self, path: list[int]) -> np.ndarray:
        """Return lat and lon of all the way's bends, its vertices among them."""
        parts = [self._at[path[:1]]]
        for start, end in pairwise(path):
            parts += [self._bends(start, end), self._at[[end]]]
        return np.vstack(parts)

    def _bends(self, start: int, end: int) -> np.ndarray:
        chains = self._graph.chains
        on = next((self._placed[one][0] for one in (start, end) if one in self._placed), None)
        if on is not None:
            spans = [self._offset(one, on) for one in (start, end)]
            if spans[0] is not None and spans[1] is not None:
                lo, hi = _pieces(self._graph, on)
                offset = chains.piece_offset_m[lo:hi]
                between = (offset > min(spans[0], spans[1])) & (offset < max(spans[0], spans[1]))
                bends = chains.piece_ends[lo:hi, :2][between]
                return bends if spans[0] < spans[1] else bends[::-1]
        best = self._best.get((start, end))
        if best is None:
            return np.empty((0, 2))
        lo, hi = _pieces(self._graph, best[1])
        bends = chains.piece_ends[lo + 1 : hi, :2]
        return bends if best[2] else bends[::-1]

    def _offset(self, vertex: int, chain: int) -> float | None:
        """Return how far along the chain a vertex lies, or None if it is not on it."""
        chains = self._graph.chains
        if vertex in self._placed and self._placed[vertex][0] == chain:
            return self._placed[vertex][1]
        if vertex == chains.start[chain]:
            return 0.0
        return float(chains.length_m[chain]) if vertex == chains.end[chain] else None
