"""The ways inside a release's cities: its road matrices, stops and fares of local transport."""

from __future__ import annotations

from collections.abc import Mapping

from assets.family import ReleaseTables
from assets.grouptravel.facts.rides import Rides
from assets.grouptravel.facts.ways import Ways
from assets.grouptravel.tables import GroupRide
from schemas.spatial import DistanceMatrix, PlaceNearestStop, PlaceServedStop


def ways_of(tables: ReleaseTables, names: Mapping[str, str]) -> Ways:
    """Return the ways of the release's tables; `names` gives each city_id's name in plans."""
    rides = Rides.of_frame(tables[GroupRide], names)
    return Ways.of_tables(tables[DistanceMatrix], tables[PlaceNearestStop], tables[PlaceServedStop], rides)
