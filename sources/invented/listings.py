"""Rooms and homes to let for the night in an invented city, as they truly are; `airbnb.py` writes what is said of them.

They depend on seed, city and number only. Of each run of twenty ten are whole homes, six private, four shared rooms.
"""

from __future__ import annotations

from functools import lru_cache
from random import Random
from typing import NamedTuple

from schemas.stable import stable_hash
from schemas.stays import HOUSE_RULES
from sources.invented.cities import CitySpec
from sources.invented.draws import one_of
from sources.invented.grid import address
from sources.invented.names import made_up_word
from sources.invented.price_levels import in_currency, price_index
from sources.invented.world import World, weighted

LISTINGS_PER_CITY = 40
"""At scale 1; TripCraft has 20 a city."""
ROOM_TYPES = ("Entire home/apt",) * 10 + ("Private room",) * 6 + ("Shared room",) * 4
CAPACITIES = {
    "Entire home/apt": (2, 2, 3, 4, 4, 5, 6, 8, 9, 10),
    "Private room": (1, 2, 2, 3, 4, 6),
    "Shared room": (1, 2, 4, 8),
}
"""What each of a run's listings of the type holds."""
NIGHT_BASE = {"Entire home/apt": 45.0, "Private room": 28.0, "Shared room": 14.0}
NIGHT_PER_GUEST = {"Entire home/apt": 21.0, "Private room": 9.0, "Shared room": 3.0}
"""US dollars of a night in a city with a price index of 60, and what each guest it holds adds."""
MIN_NIGHTS, MIN_NIGHTS_WEIGHTS = (1, 2, 3, 5, 30), (52, 24, 12, 5, 7)
LUXURY_SHARE, LUXURY_TIMES = 0.05, 6
"""Listings that cost that many times the usual."""
RULE_SHARE = 0.36
UNRATED_SHARE = 0.08
NAMES = (
    "{} Loft near {}", "Quiet {} Studio, {}", "{} House on {}", "The {} Hideaway ({})", "Cosy {} room · {}",
    "{} Bunk Room, {}",
)  # fmt: skip


class Listing(NamedTuple):
    """One listing; the price is of a night, whole, in the city's currency."""

    native_id: str
    city: CitySpec
    number: int
    name: str
    host: str
    lat: float
    lon: float
    room_type: str
    capacity: int
    price: int
    min_nights: int
    rating: float | None
    review_count: int
    rules: tuple[str, ...]


def listing_count(world: World) -> int:
    """Return how many listings each city has."""
    return max(1, round(LISTINGS_PER_CITY * world.scale))


def listing(world: World, city: CitySpec, number: int) -> Listing:
    """Return the listing of that number in the city."""
    rng = world.rng("listing", city.city_id, number)
    lat, lon, street = address(rng, city, world.seed)
    turn = _turns(world.seed, city.city_id, number // len(ROOM_TYPES))[number % len(ROOM_TYPES)]
    room_type = ROOM_TYPES[turn]
    capacity = CAPACITIES[room_type][turn - ROOM_TYPES.index(room_type)]
    usual = (NIGHT_BASE[room_type] + NIGHT_PER_GUEST[room_type] * capacity) * price_index(world, city) / 60
    if rng.random() < LUXURY_SHARE:
        usual *= LUXURY_TIMES
    is_rated = rng.random() >= UNRATED_SHARE
    name = one_of(rng, NAMES).format(made_up_word(rng), street.partition(" ")[2].partition(",")[0])
    return Listing(
        native_id=str(10**17 + stable_hash("listing id", world.seed, city.city_id, number) % 10**17),
        city=city,
        number=number,
        name=name,
        host=made_up_word(rng),
        lat=lat,
        lon=lon,
        room_type=room_type,
        capacity=capacity,
        price=max(9, round(in_currency(usual, city.currency) * (0.6 + 0.5 * (rng.random() + rng.random())))),
        min_nights=MIN_NIGHTS[weighted(rng, MIN_NIGHTS_WEIGHTS)],
        rating=round(3.4 + 1.6 * rng.random(), 2) if is_rated else None,
        review_count=int(3 / (1.005 - rng.random())) if is_rated else 0,
        rules=tuple(rule for rule in HOUSE_RULES if rng.random() < RULE_SHARE),
    )


@lru_cache(maxsize=1024)
def _turns(seed: int, city_id: str, run: int) -> tuple[int, ...]:
    rng = Random(stable_hash("room types", seed, city_id, run))  # noqa: S311 an invented world needs no secrets
    draws = [rng.random() for _ in ROOM_TYPES]
    return tuple(sorted(range(len(ROOM_TYPES)), key=draws.__getitem__))
