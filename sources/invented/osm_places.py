"""One invented place, stop or boundary as elements of a map: nodes, and closed ways.

Numbers are given in `osm.py`; what is wrong on purpose is in `osm_dirt.py`.
"""

from __future__ import annotations

import math
from random import Random
from typing import NamedTuple

from sources.invented.attraction_types import attraction_type
from sources.invented.draws import one_of
from sources.invented.grid import METRES_PER_DEGREE
from sources.invented.lines import Platform
from sources.invented.osm_hours import osm_hours
from sources.invented.world import Place, World

MAPPED_SHARE = 0.85
"""Places that the map knows at all."""
HOURS_SHARE = 0.7
BUILDING_SHARE = 0.12
"""Restaurants and stays that are mapped as their building."""
OFF_M = 6.0
"""How far the mapped position is from the true one, at most, north and east."""
FOOTPRINT_M = 12.0
AREA_M = 45.0

CUISINES = {
    "US": "american", "Middle Eastern": "middle_eastern", "Asian Fusion": "asian", "Irish": "irish",
}  # fmt: skip
"""The map's words for cuisines that are not the name in lower case."""
PLAIN_RESTAURANTS = (("amenity", "cafe"), ("amenity", "fast_food"), ("amenity", "ice_cream"), ("shop", "bakery"))
STAYS = (("tourism", "hotel"), ("tourism", "hotel"), ("tourism", "hostel"), ("tourism", "guest_house"))
OTHERS = {
    "dentist": ("amenity", "dentist"), "car rental": ("amenity", "car_rental"), "hair salon": ("shop", "hairdresser"),
    "mechanic": ("shop", "car_repair"), "pharmacy": ("amenity", "pharmacy"),
}  # fmt: skip
MAPPED_MEALS = ("breakfast", "brunch", "lunch", "dinner")

Tags = dict[str, str]


class Mapped(NamedTuple):
    """A place on the map: its tags, and its point, or the ring around it."""

    key: str
    tags: Tags
    ring: tuple[tuple[float, float], ...]  # one position for a node, the corners for an area
    dirt: tuple[str, ...] = ()


def mapped(world: World, place: Place, name: str, dirt: bool) -> Mapped | None:
    """Return the place as the map has it, under that name; None for one that nobody has mapped.

    Its dirt is `unreadable_hours` if its hours follow no grammar; without `dirt` it has no hours then.
    """
    rng = world.rng("osm", place.place_key)
    if rng.random() >= MAPPED_SHARE:
        return None
    tags, is_area = _what(world, rng, place)
    number, _, street = place.address.partition(" ")
    tags["name"] = name
    if rng.random() < 0.8:
        tags |= {"addr:housenumber": number, "addr:street": street.partition(", Ste")[0]}
    if rng.random() < 0.5:
        tags["addr:city"] = place.city.name
    planted: tuple[str, ...] = ()
    if place.hours and rng.random() < HOURS_SHARE:
        hours, is_readable = osm_hours(rng, place)
        if is_readable or dirt:
            tags["opening_hours"] = hours
            planted = () if is_readable else ("unreadable_hours",)
    if rng.random() < 0.25:
        tags["wheelchair"] = one_of(rng, ("yes", "limited", "no"))
    if rng.random() < 0.3:
        tags["website"] = f"https://{place.native_id.lower().replace('_', '-').strip('-')}.example"
    lat, lon = _shifted(place.lat, place.lon, OFF_M * (2 * rng.random() - 1), OFF_M * (2 * rng.random() - 1))
    if is_area:
        return Mapped(place.place_key, tags, square(lat, lon, AREA_M), planted)
    if place.kind in ("restaurant", "stay") and rng.random() < BUILDING_SHARE:
        return Mapped(place.place_key, tags | {"building": "yes"}, square(lat, lon, FOOTPRINT_M), planted)
    return Mapped(place.place_key, tags, ((lat, lon),), planted)


def mapped_platform(platform: Platform, is_tram: bool) -> Mapped:
    """Return the stop as the map has it."""
    kind = {"railway": "tram_stop"} if is_tram else {"highway": "bus_stop"}
    tags = {**kind, "name": platform.name, "ref": platform.stop_id}
    return Mapped(f"platform/{platform.stop_id}", tags, ((platform.lat, platform.lon),))


def square(lat: float, lon: float, side_m: float) -> tuple[tuple[float, float], ...]:
    """Return the corners of a square around the point."""
    half_m = side_m / 2
    return tuple(_shifted(lat, lon, n * half_m, e * half_m) for n, e in ((-1, -1), (-1, 1), (1, 1), (1, -1)))


def _shifted(lat: float, lon: float, north_m: float, east_m: float) -> tuple[float, float]:
    lon_m = METRES_PER_DEGREE * math.cos(math.radians(lat))
    return round(lat + north_m / METRES_PER_DEGREE, 7), round(lon + east_m / lon_m, 7)


def _what(world: World, rng: Random, place: Place) -> tuple[Tags, bool]:
    """Return the tags that say what the place is, and whether it is drawn as an area."""
    if place.kind == "other":
        return dict([OTHERS[place.trade]]), False
    if place.kind == "stay":
        tags = dict([one_of(rng, STAYS)])
        return tags | ({"stars": str(place.price + 1)} if rng.random() < 0.5 else {}), False
    if place.kind == "attraction":
        kind = attraction_type(world, place)
        return dict([kind.osm_tag]), kind.is_area
    if not place.cuisines:
        return dict([one_of(rng, PLAIN_RESTAURANTS)]), False
    tags = {"amenity": "restaurant", "cuisine": ";".join(CUISINES.get(c, c.lower()) for c in place.cuisines)}
    return tags | {meal: "yes" for meal in place.meals if meal in MAPPED_MEALS and rng.random() < 0.2}, False
