"""What the tools know: a release's cities and places with their positions, found by name, id or coordinates."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from assets.core.tools import ToolError, row_ref
from assets.grouptravel.facts.rows import records_of
from assets.grouptravel.tables import GroupCity, GroupPoi
from assets.grouptravel.vocabulary import Vocabulary

NEAR_ZERO = 1e-12
NAMES_SHOWN = 12
EARTH_RADIUS_M = 6_371_008.8


@dataclass(frozen=True)
class Point:
    """A resolved end of a way: coordinates, what is there, and the row that says so (empty for bare coordinates)."""

    lat: float
    lon: float
    name: str
    city_id: str = ""
    place_id: str = ""
    row: str = ""

    @property
    def location(self) -> str:
        """Return the coordinates as the tools write them."""
        return location(self.lat, self.lon)


class CityPlaces:
    """One city's places: the rows by place_id, with their positions and what their names and kinds say."""

    def __init__(self, city: Mapping[Any, Any], rows: list[dict[Any, Any]]):
        self.city_id, self.name = str(city["city_id"]), str(city["name"])
        self.row = row_ref(GroupCity, city)
        self.middle = (float(city["lat"]), float(city["lon"]))
        self.rows = rows
        self.names = [str(row["name"]).casefold() for row in rows]
        self.categories = [str(row["category"]).casefold() for row in rows]
        self.by_name: dict[str, dict[Any, Any]] = {}
        for row in rows:
            self.by_name.setdefault(row["name"], row)

    @cached_property
    def radians(self) -> np.ndarray:
        """Return latitude and longitude of the rows, radians, shape (n, 2)."""
        degrees = [(row["lat"], row["lon"]) for row in self.rows]
        return np.radians(np.array(degrees, dtype=float).reshape(len(self.rows), 2))

    def metres_from(self, lat: float, lon: float) -> np.ndarray:
        """Return the great-circle distance of each row from a point, metres."""
        origin = np.radians((lat, lon))
        half = np.sin((self.radians[:, 0] - origin[0]) / 2) ** 2
        half += np.cos(self.radians[:, 0]) * math.cos(origin[0]) * np.sin((self.radians[:, 1] - origin[1]) / 2) ** 2
        return 2 * EARTH_RADIUS_M * np.arcsin(np.sqrt(np.minimum(1.0, half)))

    def metres_from_line(self, one: Point, other: Point) -> np.ndarray:
        """Return the distance of each row from the straight line between two points, metres, on a local plane."""
        if not self.rows:
            return np.zeros(0)
        scale = np.array((EARTH_RADIUS_M, EARTH_RADIUS_M * math.cos(math.radians((one.lat + other.lat) / 2))))
        start = np.radians((one.lat, one.lon))
        way, at = (_turned(ends - start) * scale for ends in (np.radians((other.lat, other.lon)), self.radians))
        length = float(way @ way)
        along = np.clip(at @ way / length, 0, 1) if length > NEAR_ZERO else np.zeros(len(at))
        return np.hypot(*(at - along[:, None] * way).T)


def _turned(apart: np.ndarray) -> np.ndarray:
    """Return differences of latitude and longitude, radians, by the shorter way round, over the antimeridian too."""
    turns = np.where(np.abs(apart[..., 1]) > math.pi, 2 * math.pi * np.sign(apart[..., 1]), 0.0)
    return apart - np.stack((np.zeros_like(turns), turns), axis=-1)


class SandboxFacts:
    """The cities and places of a release, as calls name them."""

    def __init__(self, city: pd.DataFrame, poi: pd.DataFrame, vocabulary: Vocabulary, currency: str):
        self.vocabulary, self.currency = vocabulary, currency
        by_city: dict[str, list[dict[Any, Any]]] = {}
        for row in records_of(poi.sort_values(["city_id", "place_id"])):
            by_city.setdefault(row["city_id"], []).append(row)
        cities = city.sort_values("city_id").to_dict("records")
        self.cities = {str(c["city_id"]): CityPlaces(c, by_city.get(c["city_id"], [])) for c in cities}
        self._by_name = {c.name: c for c in self.cities.values()}
        self._by_other: dict[str, CityPlaces] = {}
        for city_places in self.cities.values():
            for other in (city_places.name.casefold(), vocabulary.bare(city_places.name).casefold()):
                self._by_other.setdefault(other, city_places)

    def city(self, text: str) -> CityPlaces:
        """Return the city of that name, an administrative suffix or case apart. Raises ToolError if there is none."""
        city_places = self.find_city(text)
        if city_places is None:
            names = sorted(self._by_name)
            more = f" (+{len(names) - NAMES_SHOWN})" if len(names) > NAMES_SHOWN else ""
            shown_names = ", ".join(names[:NAMES_SHOWN]) + more
            if self.vocabulary.language == "zh":
                raise ToolError(f"数据中没有城市“{text[:60]}”；有：{shown_names}")
            raise ToolError(f"no city {text[:60]!r} here; there are {shown_names}")
        return city_places

    def find_city(self, text: str) -> CityPlaces | None:
        """Return the city of that name, if there is one."""
        name = text.strip()
        for known_as in (name.casefold(), self.vocabulary.bare(name).casefold()):
            if name in self._by_name or known_as in self._by_other:
                return self._by_name.get(name) or self._by_other[known_as]
        return None

    @cached_property
    def by_id(self) -> dict[str, list[tuple[CityPlaces, dict[Any, Any]]]]:
        """Return the places by place_id; one on a border may be in two cities."""
        places_by_id: dict[str, list[tuple[CityPlaces, dict[Any, Any]]]] = {}
        for city in self.cities.values():
            for row in city.rows:
                places_by_id.setdefault(row["place_id"], []).append((city, row))
        return places_by_id

    def places_named(self, text: str, city: CityPlaces | None) -> list[tuple[CityPlaces, dict[Any, Any]]]:
        """Return the places of exactly that name, else those whose name holds it, the least longer first."""
        looked_in = [city] if city else list(self.cities.values())
        exact = [(c, c.by_name[text]) for c in looked_in if text in c.by_name]
        if exact:
            return exact
        folded = text.casefold()
        holding = [(c, row) for c in looked_in for name, row in zip(c.names, c.rows, strict=True) if folded in name]
        return sorted(holding, key=lambda pair: (len(pair[1]["name"]), pair[0].city_id, pair[1]["place_id"]))

    def point(self, text: str, city: CityPlaces | None) -> Point:
        """Return the point that `lon,lat`, a city's name or a place's name means. Raises ToolError if nothing is."""
        text = text.strip()
        at = coordinates(text)
        if at is not None:
            return self._at(at, city) or Point(at[0], at[1], text)
        named_city = self.find_city(text)
        if named_city is not None:
            return _point(named_city, None)
        places = self.places_named(text, city)
        if not places:
            raise ToolError(f"没有找到地点“{text[:60]}”" if self.is_zh else f"no place {text[:60]!r} is known here")
        where = {c.name for c, row in places if row["name"] == places[0][1]["name"]}
        if len(where) > 1:
            names = ", ".join(sorted(where)[:NAMES_SHOWN])
            raise ToolError(
                f"多座城市有“{text[:60]}”：{names}；请填写 city"
                if self.is_zh
                else f"{text[:60]!r} is in several cities ({names}); say which with `city`"
            )
        return _point(*places[0])

    def _at(self, at: tuple[float, float], city: CityPlaces | None) -> Point | None:
        """Return the place, or the city's middle, whose coordinates the tools print so; one in `city` before others."""
        places = self._by_location.get(location(*at), [])
        place = next((one for one in places if city and one[0].city_id == city.city_id), places[0] if places else None)
        return None if place is None else _point(*place)

    @cached_property
    def _by_location(self) -> dict[str, list[tuple[CityPlaces, dict[Any, Any] | None]]]:
        """Return the places by their coordinates as the tools print them, in order of city and id; then the cities."""
        places_by_location: dict[str, list[tuple[CityPlaces, dict[Any, Any] | None]]] = {}
        for city in self.cities.values():
            for row in city.rows:
                places_by_location.setdefault(location(row["lat"], row["lon"]), []).append((city, row))
        for city in self.cities.values():
            places_by_location.setdefault(location(*city.middle), []).append((city, None))
        return places_by_location

    @property
    def is_zh(self) -> bool:
        """Return whether the release speaks Chinese."""
        return self.vocabulary.language == "zh"


def _point(city: CityPlaces, row: dict[Any, Any] | None) -> Point:
    """Return where a place of a city is, or, without one, the city's middle."""
    if row is None:
        return Point(*city.middle, city.name, city.city_id, row=city.row)
    return Point(row["lat"], row["lon"], row["name"], city.city_id, row["place_id"], row_ref(GroupPoi, row))


def coordinates(text: str) -> tuple[float, float] | None:
    """Return lat and lon of `lon,lat`; None for a name. Raises ToolError for numbers that are no coordinates."""
    parts = text.split(",")
    try:
        numbers = [float(part) for part in parts]
    except ValueError:
        return None
    if len(numbers) == 1:
        return None
    if len(numbers) != 2 or not (-180 <= numbers[0] <= 180 and -90 <= numbers[1] <= 90):
        raise ToolError(f"{text[:60]!r} is no `lon,lat` in degrees")
    return numbers[1], numbers[0]


def location(lat: float, lon: float) -> str:
    """Return coordinates as the tools write them: `lon,lat` in degrees."""
    return f"{lon:.6f},{lat:.6f}"


def none_if_missing(value: Any) -> Any:
    """Return the value, or None for what a frame writes where nothing is known."""
    return None if value is None or value != value else value
