"""An invented world in every provider's own format, at any scale, with known truth and planted dirt.

    python -c "from pathlib import Path; from sources.invented import generate; generate(Path('world'), cities=3)"

A new provider is one module with `write(world, folder, dirt)` and one line in `PROVIDERS`. Files of one city lie in a
folder of their own; `city_of` tells whose a file is.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from pathlib import Path

from sources.invented import (
    airbnb,
    bts,
    events,
    group,
    gtfs,
    openflights,
    osm,
    prices,
    travelplanner,
    tripadvisor,
    yelp,
)
from sources.invented.cities import Box, CitySpec, world_cities
from sources.invented.city_files import city_of
from sources.invented.generate import Files, Writer, write_world
from sources.invented.truth import truth, write_truth
from sources.invented.world import INVENTED, TRIP_DATES, World, make_world

__all__ = [
    "INVENTED",
    "PROVIDERS",
    "Box",
    "CitySpec",
    "World",
    "city_of",
    "generate",
    "make_world",
    "truth",
    "world_cities",
    "write_truth",
]

PROVIDERS: dict[str, Writer] = {
    "yelp": yelp.write,
    "osm": osm.write,
    "gtfs": gtfs.write,
    "airbnb": airbnb.write,
    "tripadvisor": tripadvisor.write,
    "events": events.write,
    "travelplanner": travelplanner.write,
    "bts": bts.write,
    "openflights": openflights.write,
    "numbeo": prices.write,
    "group": group.write,
}


def generate(
    folder: Path,
    *,
    providers: Sequence[str] = tuple(PROVIDERS),
    cities: int | Sequence[CitySpec] = 1,
    scale: float = 1.0,
    seed: int = 0,
    dirt: bool = True,
    dates: tuple[dt.date, dt.date] = TRIP_DATES,
    hostile_names: bool = True,
) -> Files:
    """Return provider → role → files, after writing the world's files: equal arguments give equal bytes.

    `folder/<provider>/` holds the provider's files and `dirt.csv` (kind, file, line, native_id of each planted defect);
    `folder/truth.csv` the true ratings. Scale 1 is 485 places a city; `dates` are the first and last day of events and
    flights; without `hostile_names` no name of the dirt is such as breaks careless code. `city_of(path)` is the city of
    a file that holds one city only. Raises ValueError for an unknown provider, a city given twice, a scale that is not
    above 0, or dates in the wrong order.
    """
    unknown = [name for name in providers if name not in PROVIDERS]
    if unknown:
        raise ValueError(f"no invented files for {unknown}; providers are {sorted(PROVIDERS)}")
    world = make_world(cities, scale, seed, dates, hostile_names)
    return write_world(folder, {name: PROVIDERS[name] for name in providers}, world, dirt)
