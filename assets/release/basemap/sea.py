"""The sea, from the coastline of an extract that may be cut anywhere."""

from __future__ import annotations

from typing import Any

import numpy as np

ASIDE_M = 0.5
"""How far beside a piece of coastline its two sides are looked at."""

VOTE_M = 25.0
"""A longer piece votes in parts: its middle may lie beyond the box."""


def sea(coastline: list[np.ndarray], box: tuple[float, float, float, float]) -> Any:
    """Return the sea inside the box as one geometry in metres, empty where no coastline crosses or lies in the box.

    `coastline` are lines, shape (n, 2), in metres, each with land on its left and water on its right, as
    OpenStreetMap draws them (wiki: Tag:natural=coastline); `box` is west, south, east, north in the same metres. An
    extract cut at a town's edge holds only pieces: a loose end inside the box runs on to the nearest side. Coast and
    box are noded and polygonised, and a face is sea if more length of coast has it on its right than on its left.
    """
    import shapely

    frame = shapely.box(*box)
    lines = [line for line in coastline if len(line) > 1]
    if not lines:
        return shapely.Polygon()
    merged = shapely.line_merge(shapely.MultiLineString([shapely.LineString(line) for line in lines]), directed=True)
    drawn = [_reaching(np.asarray(part.coords), box) for part in shapely.get_parts(merged)]
    noded = shapely.union_all([*[shapely.LineString(line) for line in drawn], frame.exterior])
    faces = np.asarray(shapely.get_parts(shapely.polygonize(shapely.get_parts(noded))))
    faces = faces[shapely.within(shapely.point_on_surface(faces), frame)] if len(faces) else faces
    short = [shapely.get_coordinates(shapely.segmentize(shapely.LineString(line), VOTE_M)) for line in lines]
    starts = np.concatenate([line[:-1] for line in short])
    steps = np.concatenate([np.diff(line, axis=0) for line in short])
    length = np.hypot(steps[:, 0], steps[:, 1])
    long_enough = length > 0
    starts, steps, length = starts[long_enough], steps[long_enough], length[long_enough]
    middle = starts + steps / 2
    right = np.column_stack([steps[:, 1], -steps[:, 0]]) / length[:, None] * ASIDE_M
    votes = np.zeros(len(faces))
    tree = shapely.STRtree(faces)
    for side, sign in ((middle + right, 1.0), (middle - right, -1.0)):
        point, face = tree.query(shapely.points(side), predicate="within")
        np.add.at(votes, face, sign * length[point])
    return shapely.union_all(faces[votes > 0])


def _reaching(line: np.ndarray, box: tuple[float, float, float, float]) -> np.ndarray:
    """Return the line, each loose end of which that lies inside the box runs on to the nearest side."""
    if np.array_equal(line[0], line[-1]):
        return line
    west, south, east, north = box

    def onward(x: float, y: float) -> list[tuple[float, float]]:
        if not (west < x < east and south < y < north):
            return []
        sides = [
            (x - west, (west - 1, y)),
            (east - x, (east + 1, y)),
            (y - south, (x, south - 1)),
            (north - y, (x, north + 1)),
        ]
        return [min(sides)[1]]

    return np.array([*onward(*line[0]), *line.tolist(), *onward(*line[-1])])
