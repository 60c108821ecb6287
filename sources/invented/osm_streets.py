"""The streets of an invented city as nodes and ways of a map: a turned grid with a river, bridges, a park, one-ways.

Cars reach every junction from every other, whatever the direction of the one-way streets.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import NamedTuple

from schemas.stable import stable_hash
from sources.invented.grid import BLOCK_ACROSS_M, BLOCK_ALONG_M, Grid
from sources.invented.names import avenue_name, street_name

PRIMARY_EVERY, SECONDARY_EVERY = 12, 4
BRIDGE_EVERY = 4
"""Avenues that cross the river; they are all at least secondary roads."""
ONE_WAY_SPREADS, ONE_WAY_ROOM = 1.2, 0.7
"""Narrow streets are one-way within so many spreads from the centre, and this share of the way to the box's nearest
edge: less than the half of a diagonal, so none of them ends at the box."""
PEDESTRIAN_STREET, PEDESTRIAN_BLOCKS = 2, 2
MAXSPEED = {"primary": "60", "secondary": "50", "residential": "30"}

Junction = tuple[int, int]
Tags = tuple[tuple[str, str], ...]


class Way(NamedTuple):
    """A way by its nodes."""

    refs: tuple[int, ...]
    tags: Tags


class Streets(NamedTuple):
    """Positions of the nodes, numbered from 1, and the ways along them."""

    spots: list[tuple[float, float]]
    ways: list[Way]


class _Plan(NamedTuple):
    grid: Grid
    river: int  # it flows between this street and the next
    park: tuple[range, range]  # junctions strictly inside it


def street_network(grid: Grid, seed: int) -> Streets:
    """Return the city's streets, as far as places stand and the city's box reaches."""
    plan = _plan(grid, seed)
    spots: dict[Junction, tuple[float, float]] = {}
    half_j, half_k = (int(grid.reach_m / step_m) + 1 for step_m in (BLOCK_ALONG_M, BLOCK_ACROSS_M))
    for j in range(-half_j, half_j + 1):
        for k in range(-half_k, half_k + 1):
            spot = grid.spot(j * BLOCK_ALONG_M, k * BLOCK_ACROSS_M)
            if grid.city.box.holds(*spot) and not (j in plan.park[0] and k in plan.park[1]):
                spots[j, k] = spot
    numbers = {junction: number for number, junction in enumerate(spots, start=1)}
    ways = [
        way
        for k in range(-half_k, half_k + 1)
        for way in _ways([(j, k) for j in range(-half_j, half_j + 1)], numbers, lambda a: _street_tags(plan, a))
    ]
    ways += [
        way
        for j in range(-half_j, half_j + 1)
        for way in _ways([(j, k) for k in range(-half_k, half_k + 1)], numbers, lambda a: _avenue_tags(plan, a))
    ]
    positions = list(spots.values())
    _add_park(plan, numbers, positions, ways)
    _add_river(plan, half_j, positions, ways)
    return Streets(positions, ways)


def _plan(grid: Grid, seed: int) -> _Plan:
    turn = stable_hash("river and park", seed, grid.city.city_id)
    river = -round(0.5 * grid.spread_m / BLOCK_ACROSS_M) - turn % 4
    first_j = 2 + turn // 4 % 4
    width, height = (max(2, round(0.35 * grid.spread_m / step_m)) for step_m in (BLOCK_ALONG_M, BLOCK_ACROSS_M))
    return _Plan(grid, river, (range(first_j + 1, first_j + width), range(5, 4 + height)))


def _ways(
    line: list[Junction], numbers: dict[Junction, int], tags_of: Callable[[Junction], Tags | None]
) -> Iterator[Way]:
    """Yield the ways along a line of junctions, a new one wherever the tags change or there is a gap."""
    refs: list[int] = []
    tags: Tags | None = None
    for one, other in itertools.pairwise(line):
        is_there = one in numbers and other in numbers
        way_tags = tags_of(one) if is_there else None
        if way_tags != tags and refs:
            yield Way(tuple(refs), tags or ())
            refs = []
        tags = way_tags
        if way_tags is not None:
            refs = refs or [numbers[one]]
            refs.append(numbers[other])
    if refs:
        yield Way(tuple(refs), tags or ())


def _street_tags(plan: _Plan, start: Junction) -> Tags:
    """Return the tags of the block that begins there and runs along the street."""
    j, k = start
    if k == PEDESTRIAN_STREET and -PEDESTRIAN_BLOCKS <= j < PEDESTRIAN_BLOCKS:
        return (("highway", "pedestrian"), ("name", street_name(k)))
    tags = _road_tags(k, street_name(k))
    centre_m = min(ONE_WAY_SPREADS * plan.grid.spread_m, ONE_WAY_ROOM * plan.grid.room_m)
    ends_m = max(abs(j), abs(j + 1)) * BLOCK_ALONG_M
    if k % 2 and max(ends_m, abs(k) * BLOCK_ACROSS_M) < centre_m:
        tags += (("oneway", "yes" if k % 4 == 1 else "-1"),)
    return tags


def _avenue_tags(plan: _Plan, start: Junction) -> Tags | None:
    """Return the tags of the block that begins there and runs along the avenue; none where the river is unbridged."""
    j, k = start
    tags = _road_tags(j, avenue_name(j))
    if k != plan.river:
        return tags
    return (*tags, ("bridge", "yes"), ("layer", "1")) if j % BRIDGE_EVERY == 0 else None


def _road_tags(index: int, name: str) -> Tags:
    kind = "primary" if index % PRIMARY_EVERY == 0 else "secondary" if index % SECONDARY_EVERY == 0 else "residential"
    return (("highway", kind), ("name", name), ("maxspeed", MAXSPEED[kind]))


def _add_park(plan: _Plan, numbers: dict[Junction, int], positions: list[tuple[float, float]], ways: list[Way]) -> None:
    """Add a green with two footpaths that cross in its middle, where it has all its corners."""
    (west, east), (south, north) = ((inside.start - 1, inside.stop) for inside in plan.park)
    corners = [(west, south), (east, south), (east, north), (west, north)]
    if not all(corner in numbers for corner in corners):
        return
    refs = [numbers[corner] for corner in corners]
    positions.append(plan.grid.spot((west + east) / 2 * BLOCK_ALONG_M, (south + north) / 2 * BLOCK_ACROSS_M))
    middle = len(positions)
    ways.append(Way((*refs, refs[0]), (("landuse", "recreation_ground"),)))
    ways += [Way((a, middle, b), (("highway", "footway"),)) for a, b in ((refs[0], refs[2]), (refs[1], refs[3]))]


def _add_river(plan: _Plan, half_j: int, positions: list[tuple[float, float]], ways: list[Way]) -> None:
    first = len(positions) + 1
    v_m = (plan.river + 0.5) * BLOCK_ACROSS_M
    wiggle_m = (-15.0, 0.0, 15.0, 0.0)
    positions += [plan.grid.spot(j * BLOCK_ALONG_M, v_m + wiggle_m[j // 4 % 4]) for j in range(-half_j, half_j + 1, 4)]
    ways.append(Way(tuple(range(first, len(positions) + 1)), (("waterway", "river"), ("name", "Invented River"))))
