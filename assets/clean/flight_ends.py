"""Between which of the recipe's cities a flight goes: by its airports, or by names that its length confirms."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from assets.clean.city_airport import centre
from schemas.recipe import City
from schemas.rejection import Reason
from schemas.travel import KM_PER_MILE
from sources.flights.values import CODE
from sources.published.travelplanner import CityNames

if TYPE_CHECKING:
    import pandas as pd

NAME_TOLERANCE_KM = 150.0
"""How far a flight's length may be from the geodesic between the middles of the two cities that it names: what two
airports may lie off their cities, and shorter than the way between two towns of one name in one region."""

REFUSED = (Reason.OUTSIDE_EVERY_CITY, Reason.WITHIN_ONE_CITY, Reason.AMBIGUOUS_NAME)
"""Why a row is no flight between two cities, by the number it has in `Ends.refused_reason`."""


@dataclass(frozen=True)
class Ends:
    """Offers made of a batch's rows: each one's row, cities and zones by position; and the rows that make none."""

    row: np.ndarray
    origin_city: np.ndarray
    dest_city: np.ndarray
    origin_zone: np.ndarray
    dest_zone: np.ndarray
    refused_row: np.ndarray
    refused_reason: np.ndarray


class AirportEnds:
    """The recipe's cities as airports serve them."""

    def __init__(self, city_airport: pd.DataFrame, cities: list[City], zones: list[str]) -> None:
        """Index the rows of `CityAirport`."""
        position = {city.city_id: i for i, city in enumerate(cities)}
        served: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for row in city_airport.sort_values(["iata", "city_id"]).to_dict("records"):
            served[CODE.read(row["iata"])].append((position[row["city_id"]], zones.index(row["time_zone"])))
        self._codes = np.array([*sorted(served), np.iinfo(np.int64).max], dtype=np.int64)
        self._most = max(map(len, served.values()), default=1)
        # One column more than there are airports: that of the airports which serve no city.
        self._city = np.full((self._most, len(self._codes)), -1, dtype=np.int64)
        self._zone = np.zeros_like(self._city)
        for column, code in enumerate(sorted(served)):
            for place, (city, zone) in enumerate(served[code]):
                self._city[place, column], self._zone[place, column] = city, zone

    def of(self, batch: dict[str, np.ndarray]) -> Ends:
        """Return an offer for each pair of different cities that the row's two airports serve."""
        origin, dest = self._column(batch["origin"]), self._column(batch["dest"])
        pair_offers = []
        for i in range(self._most):
            for j in range(self._most):
                cities = self._city[i, origin], self._city[j, dest]
                rows = np.flatnonzero((cities[0] >= 0) & (cities[1] >= 0) & (cities[0] != cities[1]))
                zones = self._zone[i, origin[rows]], self._zone[j, dest[rows]]
                pair_offers.append((rows, cities[0][rows], cities[1][rows], *zones))
        offers = [np.concatenate(columns) for columns in zip(*pair_offers, strict=True)]
        is_offered = np.zeros(len(origin), dtype=bool)
        is_offered[offers[0]] = True
        refused = np.flatnonzero(~is_offered)
        is_served = (self._city[0, origin[refused]] >= 0) & (self._city[0, dest[refused]] >= 0)
        reasons = np.where(is_served, REFUSED.index(Reason.WITHIN_ONE_CITY), REFUSED.index(Reason.OUTSIDE_EVERY_CITY))
        row, origin_city, dest_city, origin_zone, dest_zone = offers
        return Ends(row, origin_city, dest_city, origin_zone, dest_zone, refused, reasons.astype(np.int8))

    def _column(self, codes: np.ndarray) -> np.ndarray:
        at = np.searchsorted(self._codes, codes)
        return np.where(self._codes[at] == codes, at, len(self._codes) - 1)


class NameEnds:
    """The recipe's cities by name, for a source that names no airports: what a bare name says, the length confirms."""

    def __init__(self, cities: list[City], zones: list[str]) -> None:
        self._cities_by_name: dict[str, list[int]] = defaultdict(list)
        for i, city in enumerate(cities):
            self._cities_by_name[_key(city.name)].append(i)
        self._centres = [centre(city) for city in cities]
        self._zone = np.array([zones.index(city.time_zone) for city in cities], dtype=np.int64)
        self._pair_by_key: dict[tuple[str, str, int], tuple[int, int] | Reason] = {}

    def of(self, batch: dict[str, np.ndarray], names: CityNames) -> Ends:
        """Return an offer for each row whose names and length fit exactly one pair of cities (defect T13)."""
        keys = np.stack([batch["origin_name"], batch["dest_name"], batch["miles"]])
        distinct, group = np.unique(keys, axis=1, return_inverse=True)
        pairs = [self._pair(names.names[o], names.names[d], miles) for o, d, miles in distinct.T.tolist()]
        cities = np.array([(-1, -1) if isinstance(pair, Reason) else pair for pair in pairs], dtype=np.int64)
        reasons = np.array([REFUSED.index(p) if isinstance(p, Reason) else 0 for p in pairs], dtype=np.int8)
        group = group.reshape(-1)
        row_cities = cities.reshape(-1, 2)[group]
        is_offered = row_cities[:, 0] >= 0
        rows, refused = np.flatnonzero(is_offered), np.flatnonzero(~is_offered)
        origin, dest = row_cities[rows, 0], row_cities[rows, 1]
        return Ends(rows, origin, dest, self._zone[origin], self._zone[dest], refused, reasons[group[refused]])

    def _pair(self, origin: str, dest: str, miles: int) -> tuple[int, int] | Reason:
        key = (_key(origin), _key(dest), miles)
        if key not in self._pair_by_key:
            pairs = [
                (o, d)
                for o in self._cities_by_name.get(key[0], ())
                for d in self._cities_by_name.get(key[1], ())
                if o != d
            ]
            fitting = [pair for pair in pairs if abs(self._apart_km(*pair) - miles * KM_PER_MILE) <= NAME_TOLERANCE_KM]
            refused = Reason.AMBIGUOUS_NAME if fitting else Reason.OUTSIDE_EVERY_CITY
            self._pair_by_key[key] = fitting[0] if len(fitting) == 1 else refused
        return self._pair_by_key[key]

    def _apart_km(self, origin: int, dest: int) -> float:
        from pyproj import Geod

        (lat_o, lon_o), (lat_d, lon_d) = self._centres[origin], self._centres[dest]
        return float(Geod(ellps="WGS84").inv(lon_o, lat_o, lon_d, lat_d)[2]) / 1000


def _key(name: str) -> str:
    return " ".join(name.split()).casefold()
