"""Looking a place up by the name a plan or a preference gives it, in its city."""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
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


CITIES_KEPT = 128
"""Cities that a process keeps of those it is sent; one of 2,200 places takes 3.5 MB with what is found out of it."""


class _City:
    """One city's places and the ways between them, and what was found out of them that holds whatever the trip."""

    def __init__(self, pois: Iterable[Poi], ways: Ways):
        self.pois = list(pois)
        self.pois_by_name: dict[str, list[Poi]] = {}
        for poi in self.pois:
            self.pois_by_name.setdefault(poi.name, []).append(poi)
        self.distinct: dict[str, tuple[Poi, ...]] = {}
        self.lasting: dict[Any, Any] = {}
        self._ways = ways

    @cached_property
    def ways(self) -> Ways:
        """Return the ways between these places alone."""
        return self._ways.between(self.pois)

    @cached_property
    def packed(self) -> bytes:
        """Return what another process makes the city of: packed once, however many trips go there."""
        return pickle.dumps((self.pois, self.ways))


@lru_cache(CITIES_KEPT)
def _unpacked(packed: bytes) -> _City:
    """Return the city; one that a process is sent again is the one it has."""
    pois, ways = pickle.loads(packed)  # noqa: S301  (`packed` above, part of what was unpickled already)
    return _City(pois, ways)


class Pois:
    """The places of several cities, by the name of the city as plans write it.

    Sent to another process they are places and ways alone: what was found out of them is found out there.
    """

    def __init__(self, by_city: Mapping[str, Iterable[Poi]], ways: Ways | None = None):
        shared_ways = ways or Ways()
        self._begin({city: _City(pois, shared_ways) for city, pois in by_city.items()}, shared_ways)

    def _begin(self, cities: dict[str, _City], ways: Ways) -> None:
        self.ways, self._cities = ways, cities
        self._found_pois: dict[tuple[str, str, str], Poi | None] = {}
        self.found_out: dict[Any, Any] = {}
        """What a search for plans found out about places, kept for its next question."""

    def __getstate__(self) -> dict[str, Any]:
        """Return the cities, each as it is packed, and the tariffs."""
        return {"cities": {name: city.packed for name, city in self._cities.items()}, "rides": self.ways.rides}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Take the cities as they were sent, of those known already what is known."""
        cities = {name: _unpacked(packed) for name, packed in state["cities"].items()}
        self._begin(cities, Ways.joined([city.ways for city in cities.values()], state["rides"]))

    @classmethod
    def of_frame(cls, rows: pd.DataFrame, names: Mapping[str, str] | None = None, ways: Ways | None = None) -> Pois:
        """Return the rows of `GroupPoi` by city; `names` gives each city_id's name in plans, else it is the id."""
        by_city: dict[str, list[Poi]] = {}
        hours: dict[int, Any] = {}
        columns = ("city_id", "place_id", "name", "poi_type", "category", "opening_hours", "avg_cost", "lat",
                   "lon", "rank")  # fmt: skip
        for city_id, place_id, name, kind, category, raw_hours, cost, lat, lon, rank in rows_of(
            rows.sort_values(["city_id", "place_id"]), *columns
        ):
            if id(raw_hours) not in hours:  # many places have the same hours, which were read as one object
                hours[id(raw_hours)] = read_opening(raw_hours)[0]
            price, at = _float_or_none(cost), (_float_or_none(lat), _float_or_none(lon))
            poi = Poi(
                place_id, name, kind, category, hours[id(raw_hours)], price, *at, None if rank is None else int(rank)
            )
            by_city.setdefault(str((names or {}).get(city_id, city_id)), []).append(poi)
        return cls(by_city, ways)

    def of_cities(self, cities: Iterable[str]) -> Pois:
        """Return these cities' places alone."""
        some = Pois({}, self.ways)
        some._cities = {name: self._cities[name] for name in cities if name in self._cities}
        return some

    def lasting(self, city: str) -> dict[Any, Any]:
        """Return what was found out of a city's places that holds whatever the trip, to be read and added to."""
        return self._cities[city].lasting if city in self._cities else {}

    def in_city(self, city: str, poi_type: str | None = None) -> list[Poi]:
        """Return the city's places, of one type or all, in their given order."""
        pois = self._cities[city].pois if city in self._cities else ()
        return [poi for poi in pois if poi_type is None or poi.poi_type == poi_type]

    def place_named(self, name: str, city: str, poi_type: str | None = None) -> Poi | None:
        """Return the place of exactly that name, of the type where several share it; None if there is none."""
        namesakes = self._of_name(name, city)
        return next((poi for poi in namesakes if poi.poi_type == poi_type), namesakes[-1] if namesakes else None)

    def meant(self, name: str, city: str) -> Poi | None:
        """Return the one place that a name means in a city: the first of that name, of whatever type; else None."""
        namesakes = self._of_name(name, city)
        return namesakes[0] if namesakes else None

    def distinct(self, city: str, poi_type: str) -> tuple[Poi, ...]:
        """Return the city's places of a type that their name means, by id: a name means one place of a city."""
        pois_by_type = self._cities[city].distinct if city in self._cities else {}
        if poi_type not in pois_by_type:
            pois = (poi for poi in self.in_city(city, poi_type) if self.meant(poi.name, city) is poi)
            pois_by_type[poi_type] = tuple(sorted(pois, key=lambda poi: poi.place_id))
        return pois_by_type[poi_type]

    def find(self, name: str, city: str, poi_type: str | None = None) -> Poi | None:
        """Return the place of that name, else the one whose name contains it and is least longer; None if none does.

        Published look-up (3.F). Of equally good names the first counts, as the places are given.
        """
        key = (name, city, poi_type or "")
        if key not in self._found_pois:
            self._found_pois[key] = self.place_named(name, city, poi_type) or self._containing(name, city)
        return self._found_pois[key]

    def _containing(self, name: str, city: str) -> Poi | None:
        if not name:
            return None
        longer = [poi for poi in self.in_city(city) if name in poi.name]
        return min(longer, key=lambda poi: len(poi.name), default=None)

    def _of_name(self, name: str, city: str) -> Sequence[Poi]:
        return self._cities[city].pois_by_name.get(name, ()) if city in self._cities else ()


def _float_or_none(value: Any) -> float | None:
    return None if value is None else float(value)
