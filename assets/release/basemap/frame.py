"""The frame of a city's basemap: what part of the ground it shows, and its metres."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from schemas.recipe import City
from schemas.recipe_values import Box
from schemas.source import SourceError

MERCATOR_M = 6_378_137.0
"""Radius of web Mercator's sphere (EPSG:3857), in which screens draw maps."""

MARGIN, SCREEN = 0.2, 1.9
"""What is shown around a city's box, as a share of its sides, and how much wider than high a map is on a screen."""

MAX_LATITUDE = 85.0
HALF_GLOBE = 180.0


class NoFrameError(SourceError):
    """A city of which no map can be drawn."""


@dataclass(frozen=True)
class Frame:
    """A box of degrees and its metres: east and north of its south-west corner, web Mercator scaled to the middle."""

    west: float
    south: float
    east: float
    north: float

    @property
    def bounds(self) -> Box:
        """Return the frame as a box of the recipe's kind, its longitudes from -180 to 180."""
        west, east = ((edge + HALF_GLOBE) % (2 * HALF_GLOBE) - HALF_GLOBE for edge in (self.west, self.east))
        return Box(south=self.south, west=west, north=self.north, east=east)

    @property
    def scale(self) -> float:
        """Return the metres on the ground that one metre of web Mercator is in the frame's middle."""
        return math.cos(math.radians((self.south + self.north) / 2))

    @property
    def origin(self) -> tuple[float, float]:
        """Return the south-west corner in web Mercator's metres."""
        return math.radians(self.west) * MERCATOR_M, float(northing(np.array(self.south)))

    @property
    def width_m(self) -> float:
        """Return metres from west to east."""
        return math.radians(self.east - self.west) * MERCATOR_M * self.scale

    @property
    def height_m(self) -> float:
        """Return metres from south to north."""
        return float(northing(np.array(self.north)) - northing(np.array(self.south))) * self.scale

    def metres(self, lon: np.ndarray, lat: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return metres east and north of the corner; a longitude is taken on the side of the globe of the frame."""
        middle = (self.west + self.east) / 2
        turned = (np.asarray(lon, dtype=float) - middle + 180) % 360 - 180 + middle - self.west
        x = np.radians(turned) * MERCATOR_M * self.scale
        capped = np.clip(np.asarray(lat, dtype=float), -MAX_LATITUDE, MAX_LATITUDE)
        return x, (northing(capped) - northing(np.array(self.south))) * self.scale

    def within(self, box: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
        """Return the part of the frame inside west, south, east, north in degrees, as the same in metres."""
        x, y = self.metres(np.array([box[0], box[2]]), np.array([box[1], box[3]]))
        if box[2] - box[0] > HALF_GLOBE:  # on both sides of the antimeridian: what is between is not told
            x = np.array([0.0, self.width_m])
        west, east = max(0.0, float(x[0])), min(self.width_m, float(x[1]))
        south, north = max(0.0, float(y[0])), min(self.height_m, float(y[1]))
        return west, south, max(west, east), max(south, north)


def frame_of(city: City) -> Frame:
    """Return the frame of a city: its box with a margin, widened to the shape of a screen.

    Raises NoFrameError for one nearer to a pole than maps reach.
    """
    box = city.bounds
    if box.south >= MAX_LATITUDE or box.north <= -MAX_LATITUDE:
        raise NoFrameError(
            f"found {city.city_id} between the latitudes {box.south:g} and {box.north:g}; expected a city between "
            f"{-MAX_LATITUDE:g} and {MAX_LATITUDE:g}, where web Mercator ends: no map can be drawn of it"
        )
    east = box.east + 360 if box.east < box.west else box.east
    middle = math.cos(math.radians((box.south + box.north) / 2))
    height, width = box.north - box.south, (east - box.west) * middle
    high = max(height * (1 + 2 * MARGIN), width * (1 + 2 * MARGIN) / SCREEN / 1.3)
    wide = max(width * (1 + 2 * MARGIN), high * SCREEN)
    aside, above = (wide - width) / 2 / middle, (high - height) / 2
    return Frame(
        box.west - aside,
        max(-MAX_LATITUDE, box.south - above),
        east + aside,
        min(MAX_LATITUDE, box.north + above),
    )


def northing(lat: np.ndarray) -> np.ndarray:
    """Return web Mercator's metres north of the equator."""
    return np.log(np.tan(np.pi / 4 + np.radians(lat) / 2)) * MERCATOR_M
