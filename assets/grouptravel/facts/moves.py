"""Moving within a city: walked, ridden or driven, how long it takes and what it costs a person, measured or modelled.

Walked where that takes at most twenty minutes; else by public transport where a stop is near both ends; else by taxi.
Times are the road matrix's where it holds both ends, else modelled from the distance, and say which [I].
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from assets.grouptravel.facts.poi import Poi
from assets.grouptravel.facts.pois import distance_km

if TYPE_CHECKING:
    import pandas as pd

    from assets.clean.modelled_price import PriceModel

LONGEST_WALK_MINUTES = 20
LEAST_MINUTES = 5
"""Any move takes so long: getting up, finding the door."""

NEAR_STOP_M = 600.0
"""A stop so near a place serves it."""

DETOUR = 1.3
"""A way's length over the great circle, as for ways between cities (`wishes/candidates.py`)."""
WALK_KMH, DRIVE_KMH, RIDE_KMH = 4.8, 25.0, 16.0
WAIT_MINUTES = 6.0
"""For a vehicle, where no timetable is asked."""
TAXI_MINUTES = 4.0
"""To find a taxi and to pay it."""

CITY_LENGTHS_KM = 100.0
"""No move inside a city is longer; places farther apart are not of one city's day."""

WALK, TRANSIT, TAXI = "walk", "transit", "taxi"


@dataclass(frozen=True)
class Move:
    """One move: how (a key of the vocabulary's local modes), whole minutes, km, and what a person pays."""

    mode: str
    minutes: int
    km: float
    cost: float
    is_time_modelled: bool
    is_cost_modelled: bool


class Ways:
    """The measured ways of the cities: road matrices, and each place's nearest stop. Either may be empty."""

    def __init__(self, matrix: pd.DataFrame | None = None, stop: pd.DataFrame | None = None):
        self._times: dict[tuple[str, str], tuple[list[float | None], list[float | None]]] = {}
        columns: dict[str, list[str]] = {}
        rows = [] if matrix is None else matrix.to_dict("records")
        for row in rows:
            self._times[row["mode"], row["place_id"]] = (list(row["times_s"]), list(row["distances_m"]))
            columns.setdefault(f"{row['city_id']}/{row['mode']}", []).append(row["place_id"])
        self._at = {
            (key.rpartition("/")[2], place): (key, at)
            for key, places in columns.items()
            for at, place in enumerate(sorted(places))
        }
        nearest = [] if stop is None else stop.to_dict("records")
        self._stop_m: Mapping[str, float] = {row["place_id"]: float(row["stop_distance_m"]) for row in nearest}

    def measured(self, one: Poi, other: Poi, mode: str) -> tuple[float, float] | None:
        """Return minutes and km of the road matrix from one place to another; None where it does not hold them."""
        origin, target = self._at.get((mode, one.place_id)), self._at.get((mode, other.place_id))
        if origin is None or target is None or origin[0] != target[0]:
            return None
        times, metres = self._times[mode, one.place_id]
        seconds, length = times[target[1]], metres[target[1]]
        if seconds is None or length is None or seconds != seconds or length != length:
            return None
        return float(seconds) / 60, float(length) / 1000

    def stop_m(self, place: Poi) -> float | None:
        """Return how far the place's nearest stop is, metres; None where none is known."""
        return self._stop_m.get(place.place_id)

    def move(self, one: Poi, other: Poi, *, country: str, currency: str, prices: PriceModel, people: int = 1) -> Move:
        """Return how people get from one place to another. Raises ValueError where a place has no coordinates."""
        if one.point is None or other.point is None:
            raise ValueError(f"{one.name!r:.60} or {other.name!r:.60} has no coordinates; expected both to")
        apart_km = distance_km(one.point, other.point) * DETOUR
        foot = self.measured(one, other, "foot")
        walk_minutes, walk_km = foot or (apart_km / WALK_KMH * 60, apart_km)
        if walk_minutes <= LONGEST_WALK_MINUTES:
            return Move(WALK, _whole(walk_minutes), round(walk_km, 2), 0.0, foot is None, False)
        stops = (self.stop_m(one), self.stop_m(other))
        near = [metres for metres in stops if metres is not None and metres <= NEAR_STOP_M]
        if len(near) == len(stops):
            to_stops = sum(near) * DETOUR / 1000 / WALK_KMH * 60
            minutes = to_stops + WAIT_MINUTES + apart_km / RIDE_KMH * 60
            if minutes < walk_minutes:
                cost = prices.ride(country, currency, TRANSIT, apart_km).value
                return Move(TRANSIT, _whole(minutes), round(apart_km, 2), cost, True, True)
        car = self.measured(one, other, "car")
        minutes, km = car or (apart_km / DRIVE_KMH * 60, apart_km)
        cost = prices.ride(country, currency, TAXI, km, people).value
        return Move(TAXI, _whole(minutes + TAXI_MINUTES), round(km, 2), cost, True, True)


def _whole(minutes: float) -> int:
    return max(LEAST_MINUTES, math.ceil(round(minutes, 6)))
