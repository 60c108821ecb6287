"""Looking a place up by the name a plan or a preference gives it, in its city."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from assets.grouptravel.facts.distance import distance_km
from assets.grouptravel.facts.opening import read_opening
from assets.grouptravel.facts.poi import Poi
from assets.grouptravel.facts.rows import rows_of
from assets.grouptravel.facts.ways import Ways

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["TYPE_OF_ACTIVITY", "Poi", "Pois", "distance_km"]

TYPE_OF_ACTIVITY = {"attraction": "attractions", "food": "food", "hotel": "hotels"}
"""What kind of place an activity is at (3.A)."""


class Pois:
    """The places of several cities, by the name of the city as plans write it."""

    def __init__(self, by_city: Mapping[str, Iterable[Poi]], ways: Ways | None = None):
        self.ways = ways or Ways()
        self._lists: dict[str, list[Poi]] = {city: list(pois) for city, pois in by_city.items()}
        self._named = {city: _by_name(pois) for city, pois in self._lists.items()}
        self._found: dict[tuple[str, str, str], Poi | None] = {}
        self._distinct: dict[tuple[str, str], tuple[Poi, ...]] = {}
        self.found_out: dict[Any, Any] = {}
        """What a search for plans found out about places, kept for its next question."""
        self.lasting: dict[Any, Any] = {}
        """The same, where it holds of a city's places whatever the trip: shared with `of_cities`."""

    @classmethod
    def of_frame(cls, rows: pd.DataFrame, names: Mapping[str, str] | None = None, ways: Ways | None = None) -> Pois:
        """Return the rows of `GroupPoi` by city; `names` gives each city_id's name in plans, else it is the id."""
        by_city: dict[str, list[Poi]] = {}
        hours: dict[Any, Any] = {}
        columns = ("city_id", "place_id", "name", "poi_type", "category", "opening_hours", "avg_cost", "lat",
                   "lon", "rank")  # fmt: skip
        for city_id, place_id, name, kind, category, given, cost, lat, lon, rank in rows_of(
            rows.sort_values(["city_id", "place_id"]), *columns
        ):
            text = repr(given)  # many places have the same hours, which are kept once
            if text not in hours:
                hours[text] = read_opening(given)[0]
            price, at = _known(cost), (_known(lat), _known(lon))
            poi = Poi(place_id, name, kind, category, hours[text], price, *at, None if rank is None else int(rank))
            by_city.setdefault(str((names or {}).get(city_id, city_id)), []).append(poi)
        return cls(by_city, ways)

    def of_cities(self, cities: Iterable[str]) -> Pois:
        """Return these cities' places alone."""
        some = Pois({}, self.ways)
        some.lasting, some._distinct = self.lasting, self._distinct
        for city in cities:
            if city in self._lists:
                some._lists[city], some._named[city] = self._lists[city], self._named[city]
        return some

    def in_city(self, city: str, poi_type: str | None = None) -> list[Poi]:
        """Return the city's places, of one type or all, in their given order."""
        return [poi for poi in self._lists.get(city, ()) if poi_type is None or poi.poi_type == poi_type]

    def named(self, name: str, city: str, poi_type: str | None = None) -> Poi | None:
        """Return the place of exactly that name, of the type where several share it; None if there is none."""
        found = self._named.get(city, {}).get(name, ())
        return next((poi for poi in found if poi.poi_type == poi_type), found[-1] if found else None)

    def meant(self, name: str, city: str) -> Poi | None:
        """Return the one place that a name means in a city: the first of that name, of whatever type; else None."""
        found = self._named.get(city, {}).get(name, ())
        return found[0] if found else None

    def distinct(self, city: str, poi_type: str) -> tuple[Poi, ...]:
        """Return the city's places of a type that their name means, by id: a name means one place of a city."""
        key = (city, poi_type)
        if key not in self._distinct:
            found = (poi for poi in self.in_city(city, poi_type) if self.meant(poi.name, city) is poi)
            self._distinct[key] = tuple(sorted(found, key=lambda poi: poi.place_id))
        return self._distinct[key]

    def find(self, name: str, city: str, poi_type: str | None = None) -> Poi | None:
        """Return the place of that name, else the one whose name contains it and is least longer; None if none does.

        Published look-up (3.F). Of equally good names the first counts, as the places are given.
        """
        key = (name, city, poi_type or "")
        if key not in self._found:
            self._found[key] = self.named(name, city, poi_type) or self._containing(name, city)
        return self._found[key]

    def _containing(self, name: str, city: str) -> Poi | None:
        if not name:
            return None
        longer = [poi for poi in self._lists.get(city, ()) if name in poi.name]
        return min(longer, key=lambda poi: len(poi.name), default=None)


def _known(value: Any) -> float | None:
    return None if value is None else float(value)


def _by_name(pois: Iterable[Poi]) -> dict[str, list[Poi]]:
    named: dict[str, list[Poi]] = {}
    for poi in pois:
        named.setdefault(poi.name, []).append(poi)
    return named
