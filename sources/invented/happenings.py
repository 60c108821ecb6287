"""Events in an invented city on the world's dates, as they truly are; `events.py` writes what is said of them."""

from __future__ import annotations

import datetime as dt
from typing import NamedTuple

from schemas.stable import stable_hash
from sources.invented.cities import CitySpec
from sources.invented.draws import one_of
from sources.invented.grid import address
from sources.invented.names import made_up_word
from sources.invented.world import World, weighted

EVENTS_PER_DAY = 5.2
"""In each city at scale 1 (TripCraft has 157 events a city in November)."""
VENUES_PER_CITY = 12
SEGMENTS = {"Music": 38, "Arts & Theatre": 26, "Sports": 20, "Film": 12, "Miscellaneous": 4}
"""Segments and how frequent they are; the last is none that TripCraft's queries ask for."""
GENRES = {
    "Music": ("Rock", "Jazz", "Folk", "Classical"),
    "Arts & Theatre": ("Theatre", "Comedy", "Dance"),
    "Sports": ("Basketball", "Ice Hockey", "Roller Derby"),
    "Film": ("Documentary", "Comedy Film"),
    "Miscellaneous": ("Fairs & Festivals", "Lecture"),
}
NAMES = {
    "Music": ("The {0} Quartet", "{0} & the {1}s", "An Evening with {0} {1}"),
    "Arts & Theatre": ("{0}: a Play in Three Acts", "{0} Laughs", "The {0} Ballet"),
    "Sports": ("{0} Otters vs. {1} Herons", "{0} Rollers at {1}"),
    "Film": ("{0} Film Nights", "The Last {0} (with the director)"),
    "Miscellaneous": ("{0} Cheese Fair", "A Talk on {0}"),
}
HALLS = {"Music": "Ballroom", "Arts & Theatre": "Playhouse", "Sports": "Arena", "Film": "Picture House"}
STATUSES = {"onsale": 86, "offsale": 6, "rescheduled": 2, "cancelled": 4, "postponed": 2}
NO_TIME_SHARE = 0.05
UNPRICED_SHARE = 0.2


class Venue(NamedTuple):
    """A hall of the city."""

    venue_id: str
    name: str
    street: str
    lat: float
    lon: float


class Happening(NamedTuple):
    """One event; prices are in the city's currency, None if nobody says."""

    event_id: str
    city: CitySpec
    number: int
    name: str
    segment: str
    genre: str
    date: dt.date
    time: str  # HH:MM, empty if only the day is known
    status: str
    venue: Venue
    prices: tuple[float, float] | None


def happening_count(world: World) -> int:
    """Return how many events each city has on the world's dates."""
    return max(1, round(EVENTS_PER_DAY * _days(world) * world.scale))


def happening(world: World, city: CitySpec, number: int) -> Happening:
    """Return the event of that number in the city."""
    rng = world.rng("event", city.city_id, number)
    segment = list(SEGMENTS)[weighted(rng, list(SEGMENTS.values()))]
    names, genres = NAMES[segment], GENRES[segment]
    name = one_of(rng, names).format(made_up_word(rng), made_up_word(rng))
    lowest = 8 + 60 * rng.random() ** 2
    return Happening(
        event_id=f"G5inv{stable_hash('event id', world.seed, city.city_id, number):016x}",
        city=city,
        number=number,
        name=name,
        segment=segment,
        genre=one_of(rng, genres),
        date=world.dates[0] + dt.timedelta(days=int(rng.random() * _days(world))),
        time=""
        if rng.random() < NO_TIME_SHARE
        else f"{10 + int(rng.random() * 12):02d}:{15 * int(rng.random() * 4):02d}",
        status=list(STATUSES)[weighted(rng, list(STATUSES.values()))],
        venue=venue(world, city, segment, int(rng.random() * VENUES_PER_CITY)),
        prices=(round(lowest, 2), round(lowest * (1 + 2 * rng.random()), 2))
        if rng.random() >= UNPRICED_SHARE
        else None,
    )


def venue(world: World, city: CitySpec, segment: str, number: int) -> Venue:
    """Return the city's hall of that number for events of the segment."""
    rng = world.rng("venue", city.city_id, segment, number)
    lat, lon, street = address(rng, city, world.seed)
    venue_id = f"KovZ{stable_hash('venue', world.seed, city.city_id, segment, number):016x}"
    return Venue(venue_id, f"{made_up_word(rng)} {HALLS.get(segment, 'Hall')}", street, lat, lon)


def _days(world: World) -> int:
    return (world.dates[1] - world.dates[0]).days + 1
