"""What is wrong on purpose in the invented maps: elements of each city, each of a named kind."""

from __future__ import annotations

import math
from collections.abc import Iterator

from sources.invented.cities import CitySpec
from sources.invented.grid import METRES_PER_DEGREE, Grid, grid_of
from sources.invented.osm_places import FOOTPRINT_M, Mapped, square
from sources.invented.world import World

OFF_THE_STREETS_M = 500.0
"""Beyond this a place cannot be put on the road network."""


def spoilt_elements(world: World, city: CitySpec) -> Iterator[Mapped]:
    """Yield, for the city, an element for every way to be wrong; none of them is part of the truth."""
    box = city.box
    for number, kind in enumerate(("no_name", "blank_name", "gone", "closed_for_good")):
        lat, lon = grid_of(city, world.seed).spot(30.0 + 40 * number, -95.0)
        tags = {"amenity": "restaurant", "name": f"Spoilt {kind}", "cuisine": "italian"}
        tags |= {
            "no_name": {},
            "blank_name": {"name": "  "},
            "gone": {"disused": "yes"},
            "closed_for_good": {"opening_hours": "off"},
        }[kind]
        if kind == "no_name":
            del tags["name"]
        yield Mapped(f"spoilt/{kind}", tags, ((lat, lon),), (kind,))
    first = world.place(city, "restaurant", 0)
    twice = {"amenity": "restaurant", "name": first.name, "building": "yes"}
    yield Mapped("spoilt/node_and_way", twice, square(first.lat, first.lon, FOOTPRINT_M), ("node_and_way",))
    beyond = {"tourism": "museum", "name": "Museum of the Next Town"}
    yield Mapped("spoilt/outside_city", beyond, ((box.north + 0.05, city.lon),), ("outside_city",))
    corners = [(lat, lon) for lat in (box.south, box.north) for lon in (box.west, box.east)]
    distance_m, corner = max((off_the_streets_m(grid_of(city, world.seed), *corner), corner) for corner in corners)
    if distance_m > OFF_THE_STREETS_M:
        # Inside the box, whose edges the area of a city includes.
        yield Mapped("spoilt/off", {"tourism": "hotel", "name": "Sunken Hotel"}, (corner,), ("off_the_streets",))
    lat, lon = grid_of(city, world.seed).spot(-200.0, -95.0)
    yield Mapped("spoilt/stop", {"highway": "bus_stop"}, ((lat, lon),), ("stop_without_name",))


def off_the_streets_m(grid: Grid, lat: float, lon: float) -> float:
    """Return how far the point is from the square that streets fill, in metres; 0 inside it."""
    north_m = (lat - grid.city.lat) * METRES_PER_DEGREE
    east_m = (lon - grid.city.lon) * METRES_PER_DEGREE * math.cos(math.radians(grid.city.lat))
    u_m, v_m = east_m * grid.cos + north_m * grid.sin, north_m * grid.cos - east_m * grid.sin
    # Streets end at the first junction beyond the places.
    reach_m = grid.reach_m + 120.0
    return math.hypot(max(abs(u_m) - reach_m, 0.0), max(abs(v_m) - reach_m, 0.0))
