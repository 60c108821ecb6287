"""The engine `graph`: a street graph read from an OSM extract, and scipy's shortest paths, for where OSRM cannot run.

A way is cut into chains at its ends and where it meets another way; places are put on the nearest point of the nearest
chain. What may be travelled, and how fast, is `street_rules.py`. The streets are read by osmium and not by osmnx, whose
`graph_from_xml` took 58 s and 1.8 GB for Porto's, beside 3.6 s and 250 MB here (`perf/osmnx_graph.py`), reads no
.osm.pbf, and knows no profiles.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from schemas.source import SourceError
from sources.osm.file import osm_format
from sources.osm.street_rules import RULES, use_of
from sources.services.routing import RoadMatrix, Router

if TYPE_CHECKING:
    from scipy.sparse import csr_array

GRAPH_VERSION = "1"
"""Raised when the engine's rules or method change what it answers."""

SMALL_COMPONENT = 1000
"""Parts of the graph with fewer vertices that are cut off from the rest one way or the other are left out."""

TIME_WEIGHT = 1e8
"""An edge weighs its hundredths of a second times this, plus its centimetres: whole numbers, exact in a float. The
least sum is the least time and, among equal times, the least length; good for ways of up to 1,000 km and 250 hours."""

SAME_POINT_M = 0.02
"""Nearer to a chain's end than this is at the end: the coordinates themselves resolve 1 cm."""

SOURCES_AT_ONCE = 64
"""How many searches run before only the wanted columns are kept, which bounds the memory."""


@dataclass(frozen=True)
class _Chains:
    """Edges of the graph: vertices, length in metres, speed in metres per second, open directions; and their pieces."""

    start: np.ndarray
    end: np.ndarray
    length_m: np.ndarray
    speed_m_s: np.ndarray
    forward: np.ndarray
    backward: np.ndarray
    piece_chain: np.ndarray  # for each straight piece: its chain,
    piece_offset_m: np.ndarray  # how far along the chain it begins,
    piece_length_m: np.ndarray  # its length, and
    piece_ends: np.ndarray  # lat, lon, lat, lon of its two ends in degrees


class StreetGraph:
    """The streets of one extract for one profile; `table` gives the ways between places, as OSRM would."""

    def __init__(self, extract: Path, extract_sha256: str, profile: str) -> None:
        """Read the streets. Raises SourceError if the file is no OSM extract or has no way that the profile may use."""
        if profile not in RULES:
            raise ValueError(f"profile {profile!r} is not known; expected one of {', '.join(RULES)}")
        self.router = Router("graph", GRAPH_VERSION, "dijkstra", profile, extract_sha256)
        self._chains = _largest_parts(_read_chains(extract, profile))
        self._vertices = int(max(self._chains.start.max(), self._chains.end.max())) + 1
        chains = self._chains
        self._edges = _edges(
            chains.start, chains.end, chains.length_m, chains.speed_m_s, chains.forward, chains.backward
        )
        self._project, self._tree = _piece_index(self._chains)

    def table(self, lat: ArrayLike, lon: ArrayLike) -> RoadMatrix:
        """Return the ways between all the points: distances and times of the fastest way, to 1 decimal."""
        from scipy.sparse.csgraph import dijkstra

        lat, lon = np.asarray(lat, dtype=float), np.asarray(lon, dtype=float)
        if not ((np.abs(lat) <= 90) & (np.abs(lon) <= 180)).all():
            raise ValueError(
                "a latitude or longitude is not within ±90, ±180 degrees; reject such places before routing"
            )
        if len(lat) == 0:
            return RoadMatrix(np.empty((0, 0)), np.empty((0, 0)), np.empty(0), self.router)
        chain, offset_m, snap_m = self.snap(lat, lon)
        graph, vertex = self.graph_with(chain, offset_m)
        vertices, place = np.unique(vertex, return_inverse=True)
        weight = np.vstack(
            [
                dijkstra(graph, indices=vertices[first : first + SOURCES_AT_ONCE])[:, vertices]
                for first in range(0, len(vertices), SOURCES_AT_ONCE)
            ]
        )[np.ix_(place, place)]
        weight[np.isinf(weight)] = np.nan
        hundredths = np.floor(weight / TIME_WEIGHT)
        centimetres = weight - hundredths * TIME_WEIGHT
        return RoadMatrix(np.round(centimetres / 100, 1), np.round(hundredths / 100, 1), snap_m, self.router)

    @property
    def lines(self) -> np.ndarray:
        """Return every straight piece of street, shape (n, 4): lat, lon, lat, lon in degrees."""
        return self._chains.piece_ends

    @property
    def chains(self) -> _Chains:
        """Return the streets' chains and their pieces, for who draws a way along them."""
        return self._chains

    def graph_with(self, chain: np.ndarray, offset_m: np.ndarray) -> tuple[csr_array, np.ndarray]:
        """Return the weighted graph with the points that lie so far along chains, and the vertex of each point.

        A point at a chain's end is the vertex there, from which every street leaves; points at one place on a chain
        are one vertex: on a one-way street the second would else be a round trip from the first.
        """
        chains = self._chains
        vertex = np.where(offset_m <= SAME_POINT_M, chains.start[chain], chains.end[chain])
        inside = (offset_m > SAME_POINT_M) & (offset_m < chains.length_m[chain] - SAME_POINT_M)
        points, point = np.unique(np.column_stack([chain, offset_m])[inside], axis=0, return_inverse=True)
        vertex[inside] = self._vertices + point
        total = self._vertices + len(points)
        if len(points) == 0:
            return _weighted(total, *self._edges), vertex
        on, at = points[:, 0].astype(np.int64), points[:, 1]
        place = self._vertices + np.arange(len(points))
        first = np.r_[True, on[1:] != on[:-1]]
        last = np.r_[first[1:], True]
        before = np.where(first, chains.start[on], np.r_[0, place[:-1]])
        cut_before = at - np.where(first, 0.0, np.r_[0.0, at[:-1]])
        ends = on[last]
        starts = np.r_[before, place[last]]
        stops = np.r_[place, chains.end[ends]]
        lengths = np.maximum(np.r_[cut_before, chains.length_m[ends] - at[last]], 0.0)
        cut = np.r_[on, ends]
        added = _edges(starts, stops, lengths, chains.speed_m_s[cut], chains.forward[cut], chains.backward[cut])
        return _weighted(total, *(np.r_[old, new] for old, new in zip(self._edges, added, strict=True))), vertex

    def snap(self, lat: np.ndarray, lon: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return each place's chain, its offset along it and its distance from it, in metres."""
        import shapely
        from pyproj import Geod

        x, y = self._project(lon, lat)
        points = shapely.points(x, y)
        which, piece = self._tree.query_nearest(points, all_matches=True)
        order = np.lexsort([piece, which])
        nearest = piece[order][np.unique(which[order], return_index=True)[1]]  # the first in the file, of equals
        fraction = shapely.line_locate_point(self._tree.geometries[nearest], points, normalized=True)
        fraction = np.nan_to_num(fraction)  # a piece of no length
        chains = self._chains
        ends = chains.piece_ends[nearest]
        on_lat = ends[:, 0] + fraction * (ends[:, 2] - ends[:, 0])
        on_lon = ends[:, 1] + fraction * (ends[:, 3] - ends[:, 1])
        snap_m = np.asarray(Geod(ellps="WGS84").inv(lon, lat, on_lon, on_lat)[2])
        offset_m = chains.piece_offset_m[nearest] + fraction * chains.piece_length_m[nearest]
        return chains.piece_chain[nearest], offset_m, np.round(snap_m, 1)


def _read_chains(extract: Path, profile: str) -> _Chains:
    """Return the chains of every way that the profile may use, in the file's order."""
    from osmium import FileProcessor
    from osmium.filter import KeyFilter
    from osmium.io import File
    from osmium.osm import NODE, WAY, Way
    from pyproj import Geod

    refs: list[int] = []
    lats: list[float] = []
    lons: list[float] = []
    ways: list[tuple[int, float, bool, bool]] = []
    rules = RULES[profile]
    file = File(str(extract), osm_format(extract))
    try:
        reader = FileProcessor(file, NODE | WAY).with_locations()
        for way in reader.with_filter(KeyFilter("highway")):
            if not isinstance(way, Way) or (use := use_of(dict(way.tags), rules)) is None:
                continue
            nodes = [node for node in way.nodes if node.location.valid()]
            if len(nodes) < 2:
                continue
            refs += [node.ref for node in nodes]
            lats += [node.location.lat for node in nodes]
            lons += [node.location.lon for node in nodes]
            ways.append((len(nodes), use.speed_m_s, use.is_open_forward, use.is_open_backward))
    except RuntimeError as error:
        raise SourceError(f"{extract.name} cannot be read as OSM: {str(error)[:200]}") from None
    if not ways:
        raise SourceError(
            f"{extract.name} has no way that one may use by {profile}; expected an extract with streets. If it has "
            "some, the city's `box` or `polygon` is elsewhere: a polygon's points are [latitude, longitude]"
        )

    node, lat, lon = np.array(refs), np.array(lats), np.array(lons)
    lengths, speed, forward, backward = (np.array(column) for column in zip(*ways, strict=True))
    last = np.cumsum(lengths) - 1
    is_end = np.zeros(len(node), dtype=bool)
    is_end[last] = is_end[last - lengths + 1] = True
    _, position, uses = np.unique(node, return_inverse=True, return_counts=True)
    is_vertex = is_end | (uses[position] > 1)
    piece = np.setdiff1d(np.arange(len(node)), last)  # each piece by the position where it begins
    piece_length = np.asarray(Geod(ellps="WGS84").inv(lon[piece], lat[piece], lon[piece + 1], lat[piece + 1])[2])
    chain = np.cumsum(is_vertex[piece]) - 1
    begins = np.flatnonzero(is_vertex[piece])
    length = np.bincount(chain, weights=piece_length)
    along = np.cumsum(piece_length) - piece_length
    way = np.repeat(np.arange(len(ways)), lengths)[piece][begins]
    ends_at = np.r_[piece[begins[1:] - 1], piece[-1]] + 1
    return _Chains(
        position[piece[begins]],
        position[ends_at],
        length,
        speed[way],
        forward[way],
        backward[way],
        chain,
        along - along[begins][chain],
        piece_length,
        np.column_stack([lat[piece], lon[piece], lat[piece + 1], lon[piece + 1]]),
    )


def _largest_parts(chains: _Chains) -> _Chains:
    """Return the chains of the parts within which every vertex can be reached from every other, small ones left out."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    n = int(max(chains.start.max(), chains.end.max())) + 1
    rows = np.r_[chains.start[chains.forward], chains.end[chains.backward]]
    columns = np.r_[chains.end[chains.forward], chains.start[chains.backward]]
    links = coo_array((np.ones(len(rows), dtype=np.int8), (rows, columns)), shape=(n, n))
    part = connected_components(links.tocsr(), connection="strong")[1]
    size = np.bincount(part)
    is_kept = size >= min(SMALL_COMPONENT, size.max())
    keep = (part[chains.start] == part[chains.end]) & is_kept[part[chains.start]]
    keep_piece = keep[chains.piece_chain]
    vertex = np.unique(np.r_[chains.start[keep], chains.end[keep]])
    return _Chains(
        np.searchsorted(vertex, chains.start[keep]),
        np.searchsorted(vertex, chains.end[keep]),
        chains.length_m[keep],
        chains.speed_m_s[keep],
        chains.forward[keep],
        chains.backward[keep],
        (np.cumsum(keep) - 1)[chains.piece_chain[keep_piece]],
        chains.piece_offset_m[keep_piece],
        chains.piece_length_m[keep_piece],
        chains.piece_ends[keep_piece],
    )


def _edges(
    start: np.ndarray,
    end: np.ndarray,
    length_m: np.ndarray,
    speed_m_s: np.ndarray,
    forward: np.ndarray,
    backward: np.ndarray,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return from, to and weight of every edge in every direction that is open."""
    weight = np.rint(length_m / speed_m_s * 100) * TIME_WEIGHT + np.rint(length_m * 100)
    return (
        np.r_[start[forward], end[backward]],
        np.r_[end[forward], start[backward]],
        np.r_[weight[forward], weight[backward]],
    )


def _weighted(total: int, rows: np.ndarray, columns: np.ndarray, weights: np.ndarray) -> csr_array:
    """Return the graph of the edges; of parallel ones the lightest counts, where a sparse matrix would add them up."""
    from scipy.sparse import coo_array

    order = np.lexsort([weights, columns, rows])
    rows, columns, weights = rows[order], columns[order], weights[order]
    lightest = np.r_[True, (rows[1:] != rows[:-1]) | (columns[1:] != columns[:-1])]
    return coo_array((weights[lightest], (rows[lightest], columns[lightest])), shape=(total, total)).tocsr()


def _piece_index(chains: _Chains) -> tuple[Any, Any]:
    """Return a projection to metres around the streets, and a tree of their pieces in it."""
    import shapely
    from pyproj import Proj

    ends = chains.piece_ends
    centre_lat, centre_lon = (ends[:, :2].min(axis=0) + ends[:, :2].max(axis=0)) / 2
    project = Proj(proj="aeqd", ellps="WGS84", lat_0=centre_lat, lon_0=centre_lon)
    x1, y1 = project(ends[:, 1], ends[:, 0])
    x2, y2 = project(ends[:, 3], ends[:, 2])
    lines = shapely.linestrings(np.stack([np.column_stack([x1, y1]), np.column_stack([x2, y2])], axis=1))
    return project, shapely.STRtree(np.asarray(lines))
