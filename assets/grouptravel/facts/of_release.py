"""The places and services of a release's tables, made once for all who look them up."""

from __future__ import annotations

from collections.abc import Mapping

from assets.grouptravel.facts.fares import Fares
from assets.grouptravel.facts.pois import Pois
from assets.grouptravel.facts.rides import Rides
from assets.grouptravel.facts.ways import Ways
from assets.grouptravel.tables import GroupCalendar, GroupCity, GroupFare, GroupPoi, GroupRide
from assets.rows import ReleaseTables
from schemas.spatial import DistanceMatrix, PlaceNearestStop, PlaceServedStop


def names_of(tables: ReleaseTables) -> Mapping[str, str]:
    """Return each city's name in tasks and plans, by its id."""
    return dict(zip(tables[GroupCity]["city_id"], tables[GroupCity]["name"], strict=True))


def pois_of(tables: ReleaseTables) -> Pois:
    """Return the places by the name of their city, with the ways between them."""
    return tables.once(_pois, GroupCity, GroupPoi, GroupRide, DistanceMatrix, PlaceNearestStop, PlaceServedStop)


def fares_of(tables: ReleaseTables) -> Fares:
    """Return the services by the names of their cities."""
    return tables.once(_fares, GroupCity, GroupFare, GroupCalendar)


def _pois(tables: ReleaseTables) -> Pois:
    names = names_of(tables)
    rides = Rides.of_frame(tables[GroupRide], names)
    ways = Ways.of_tables(tables[DistanceMatrix], tables[PlaceNearestStop], tables[PlaceServedStop], rides)
    return Pois.of_frame(tables[GroupPoi], names, ways)


def _fares(tables: ReleaseTables) -> Fares:
    return Fares.of_frame(tables[GroupFare], tables[GroupCalendar], names_of(tables))
