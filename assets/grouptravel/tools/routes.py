"""Ways between two points: from the release's road matrices where they hold both ends, else a declared estimate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pandas as pd
import pyarrow as pa

from assets.core.tools import Answer, ToolError, row_ref
from assets.grouptravel.facts.distance import DETOUR, distance_km
from assets.grouptravel.tools.facts import CityPlaces, Point, SandboxFacts
from assets.grouptravel.tools.places import Places
from schemas.spatial import CityDistance, DistanceMatrix

MATRIX_MODES = {"driving": "car", "walking": "foot", "bicycling": "bicycle"}

SPEEDS_KMH = {"driving": 30.0, "transit": 18.0, "walking": 4.8, "bicycling": 14.0}
"""Speeds of estimated ways inside a city; our choice [I]."""

BETWEEN_CITIES_KMH = 70.0
CITY_ENDS_KM = 50.0
"""Estimated drives longer than this go between cities, at that speed; our choice [I]."""

MAX_FOOT_KM = 100.0
"""Nobody is sent farther than this on foot, by bicycle or by city transport; our choice [I]."""


@dataclass(frozen=True)
class Way:
    """One way: metres, seconds, what it was computed by, whether estimated, and the rows behind it."""

    distance_m: float
    time_s: float
    router: str
    is_estimate: bool
    rows: tuple[str, ...] = ()


class Roads:
    """The matrices of a release, looked up pair by pair; a matrix stays as Arrow keeps it, since it may be large."""

    def __init__(self, matrix: pa.Table, city_distance: pd.DataFrame):
        self._matrix = matrix
        keys = zip(*(matrix[name].to_pylist() for name in ("city_id", "mode", "place_id")), strict=True)
        self._rows: dict[tuple[str, str, str], int] = {key: number for number, key in enumerate(keys)}
        columns: dict[tuple[str, str], list[str]] = {}
        for city_id, mode, place_id in self._rows:
            columns.setdefault((city_id, mode), []).append(place_id)
        self._at = {
            (city, mode, place): at
            for (city, mode), places in columns.items()
            for at, place in enumerate(sorted(places))
        }
        self._cities = {
            (row["origin_city_id"], row["destination_city_id"]): row
            for row in city_distance.to_dict("records")
            if row["mode"] == "car"
        }

    def way(self, one: Point, other: Point, mode: str) -> Way | None:
        """Return the way of a matrix; None where no matrix holds both ends, or no road leads."""
        profile = MATRIX_MODES.get(mode)
        number = self._rows.get((one.city_id, profile or "", one.place_id))
        target = self._at.get((other.city_id, profile or "", other.place_id))
        if number is not None and target is not None and one.city_id == other.city_id:
            (origin,) = self._matrix.slice(number, 1).to_pylist()
            metres, seconds = origin["distances_m"][target], origin["times_s"][target]
            if metres is None or seconds is None:
                return None
            return Way(metres, seconds, origin["router"], False, (row_ref(DistanceMatrix, origin),))
        are_cities = not one.place_id and not other.place_id
        row = self._cities.get((one.city_id, other.city_id)) if are_cities and mode == "driving" else None
        if row is None or row["distance_m"] is None or row["time_s"] is None:
            return None
        return Way(
            row["distance_m"], row["time_s"], row["router"], bool(row["is_estimate"]), (row_ref(CityDistance, row),)
        )


class Routes:
    """The three tools that go from one point to another."""

    def __init__(self, facts: SandboxFacts, roads: Roads, places: Places):
        self._facts, self._roads, self._places = facts, roads, places

    def plan_route(self, arguments: dict[str, Any]) -> Answer:
        """Return the way by one mode: its length and how long it takes."""
        city = self._city(arguments)
        if arguments["mode"] == "transit" and city is None:
            raise ToolError("公交路线需要 city" if self._facts.is_zh else "`city` is needed for transit")
        one, other = self._ends(arguments, city)
        way = self._way(one, other, arguments["mode"])
        content: dict[str, Any] = {"origin": _end(one), "destination": _end(other), "mode": arguments["mode"]}
        if way is None:
            return Answer(content | {"routes": [], "note": self._too_far()}, _rows(one, other))
        return Answer(content | {"routes": [_way_record(way)]}, (*_rows(one, other), *way.rows))

    def compare_routes(self, arguments: dict[str, Any]) -> Answer:
        """Return the ways by car, on foot, by bicycle and, where a city is given, by city transport."""
        city = self._city(arguments)
        one, other = self._ends(arguments, city)
        modes = ("driving", "transit", "walking", "bicycling") if city else ("driving", "walking", "bicycling")
        ways = {mode: self._way(one, other, mode) for mode in modes}
        content: dict[str, Any] = {"origin": _end(one), "destination": _end(other)}
        content["modes"] = {mode: _way_record(way) if way else {"note": self._too_far()} for mode, way in ways.items()}
        rows = (row for way in ways.values() if way for row in way.rows)
        return Answer(content, (*_rows(one, other), *rows))

    def search_along_route(self, arguments: dict[str, Any]) -> Answer:
        """Return places near the way, which is one straight line: there is no second."""
        if arguments["route_index"] > 1:
            raise ToolError("只有一条路线" if self._facts.is_zh else "there is one way, route_index 1")
        city = self._city(arguments)
        one, other = self._ends(arguments, city)
        cities = [city] if city else list(self._facts.cities.values())
        return self._places.along(one, other, arguments, cities)

    def _city(self, arguments: dict[str, Any]) -> CityPlaces | None:
        text = (arguments["city"] or "").strip()
        return self._facts.city(text) if text else None

    def _ends(self, arguments: dict[str, Any], city: CityPlaces | None) -> tuple[Point, Point]:
        return self._facts.point(arguments["origin"], city), self._facts.point(arguments["destination"], city)

    def _way(self, one: Point, other: Point, mode: str) -> Way | None:
        way = self._roads.way(one, other, mode)
        return way if way is not None else estimated(one, other, mode)

    def _too_far(self) -> str:
        return "这种方式太远" if self._facts.is_zh else "too far by this mode"


def estimated(one: Point, other: Point, mode: str) -> Way | None:
    """Return the great circle times a detour at a declared speed, marked as an estimate; None if it is too far."""
    km = DETOUR * distance_km((one.lat, one.lon), (other.lat, other.lon))
    if mode != "driving" and km > MAX_FOOT_KM:
        return None
    speed = BETWEEN_CITIES_KMH if mode == "driving" and km > CITY_ENDS_KM else SPEEDS_KMH[mode]
    rule = f"engine=estimate detour={DETOUR:g} speed_kmh={speed:g}"
    return Way(1000 * km, 3600 * km / speed, rule, True)


def _way_record(way: Way) -> dict[str, Any]:
    return {
        "distance_m": round(way.distance_m),
        "duration_min": round(way.time_s / 60, 1),
        "is_estimate": way.is_estimate,
        "computed_by": way.router,
    }


def _end(point: Point) -> dict[str, Any]:
    return {"name": point.name, "location": point.location}


def _rows(*points: Point) -> tuple[str, ...]:
    return tuple(point.row for point in points if point.row)
