"""An invented world: its places, what they are, where they stand, and the truth about them.

Nothing here knows a provider's format: each provider has a module of its own that writes this world its way.
A place depends on the seed, its city, its kind and its number only, so a larger world holds every smaller one.
"""

from __future__ import annotations

import datetime as dt
import math
from base64 import urlsafe_b64encode
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from random import Random

from schemas.reviews import ATTRIBUTES
from schemas.stable import stable_hash
from sources.invented.cities import CitySpec, invented_cities
from sources.invented.draws import one_of
from sources.invented.grid import address
from sources.invented.names import CHAINS, place_name

INVENTED = (
    "Invented by tripwright: every city, place, person, review and price in these files is made up. "
    "Any likeness to a real business or person is chance."
)

PLACES_PER_CITY = {"restaurant": 260, "stay": 45, "attraction": 120, "other": 60}
"""Places of each kind in a city at scale 1."""

CUISINE_WEIGHTS = {
    "US": 19, "Italian": 13, "Mexican": 11, "Chinese": 10, "": 10, "Japanese": 8, "Thai": 6, "Indian": 6,
    "Middle Eastern": 5, "Vietnamese": 5, "Asian Fusion": 4, "Greek": 3, "French": 3, "Korean": 2.5, "Irish": 2,
}  # fmt: skip
"""How often each cuisine is a restaurant's first; "" is a cafe, bakery or stand of no cuisine."""

ATTRACTION_WEIGHTS = {
    "museum": 22, "park": 26, "local flavor": 18, "zoo": 4, "tour": 15, "landmark": 25, "souvenir shop": 10,
}  # fmt: skip
OTHER_TRADES = ("dentist", "car rental", "hair salon", "mechanic", "pharmacy")
PRICE_WEIGHTS = {
    "restaurant": (34, 45, 15, 6),
    "stay": (15, 45, 28, 12),
    "attraction": (45, 35, 15, 5),
    "other": (25, 50, 20, 5),
}
UNKNOWN_PRICE_SHARE = {"restaurant": 0.03, "stay": 0.15, "attraction": 0.03, "other": 0.5}
MEALS = ("dessert", "latenight", "lunch", "dinner", "brunch", "breakfast")
TRIP_DATES = (dt.date(2024, 11, 1), dt.date(2024, 11, 30))
"""When events take place and flights leave unless the world is told otherwise: the month of TripCraft's trips."""
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


@dataclass(frozen=True, slots=True)
class Place:
    """One invented place as it truly is; what a provider knows of it may be less."""

    place_key: str
    native_id: str  # 22 characters, as Yelp's
    city: CitySpec
    kind: str  # restaurant, stay, attraction or other
    also: str  # a second kind it is listed under, or empty (defect I4)
    trade: str  # first cuisine, type of attraction, or trade
    cuisines: tuple[str, ...]
    name: str
    address: str
    lat: float
    lon: float
    price: int
    is_price_listed: bool
    meals: tuple[str, ...]
    hours: tuple[tuple[int, int], ...]  # opening and closing minute of each day from Monday; empty if unknown
    quality: float  # what the stars follow, 1 to 5
    ratings: dict[str, dict[str, int]]  # kind → attribute → true rating

    @property
    def kinds(self) -> tuple[str, ...]:
        """Return the kinds of place it counts as."""
        return (self.kind, self.also) if self.also else (self.kind,)


@dataclass(frozen=True)
class World:
    """Cities filled with places; nothing is kept, every place is computed when it is asked for."""

    cities: tuple[CitySpec, ...]
    scale: float
    seed: int
    dates: tuple[dt.date, dt.date] = TRIP_DATES  # first and last day of events and flights
    hostile_names: bool = True  # some names are such as break careless code, where there is dirt at all

    def count(self, kind: str) -> int:
        """Return how many places of the kind each city has."""
        return max(1, round(PLACES_PER_CITY[kind] * self.scale))

    def places(self) -> Iterator[Place]:
        """Yield every place, number by number, kinds and cities in turn."""
        for index in range(max(map(self.count, PLACES_PER_CITY))):
            for kind in PLACES_PER_CITY:
                if index < self.count(kind):
                    for city in self.cities:
                        yield self.place(city, kind, index)

    def place(self, city: CitySpec, kind: str, index: int) -> Place:
        """Return the place of that kind and number in the city."""
        rng = self.rng(city.city_id, kind, index)
        cuisines = _cuisines(rng, _city_cuisines(self.seed, city.city_id)) if kind == "restaurant" else ()
        trade = _trade(rng, kind, cuisines)
        also = _also(kind, index)
        lat, lon, street = address(rng, city, self.seed)
        name = place_name(rng, trade)
        if kind == "restaurant" and rng.random() < 0.03:
            name = one_of(rng, CHAINS)
        ratings = self._ratings(city, kind, also, index)
        place_key = f"{city.city_id}/{kind}/{index}"
        return Place(
            place_key=place_key,
            native_id=_id22(f"{self.seed}/{place_key}"),
            city=city,
            kind=kind,
            also=also,
            trade=trade,
            cuisines=cuisines,
            name=name,
            address=street,
            lat=lat,
            lon=lon,
            price=1 + weighted(rng, PRICE_WEIGHTS[kind]),
            is_price_listed=rng.random() >= UNKNOWN_PRICE_SHARE[kind],
            meals=_meals(rng, trade) if "restaurant" in (kind, also) else (),
            hours=_hours(rng, kind),
            quality=_quality(rng, ratings),
            ratings=ratings,
        )

    def _ratings(self, city: CitySpec, kind: str, also: str, index: int) -> dict[str, dict[str, int]]:
        """Return kind → attribute → rating; an attribute that both kinds of a place have is rated once."""
        ratings: dict[str, dict[str, int]] = {}
        for counted in (kind, also):
            if counted in ATTRIBUTES:
                levels = {
                    a: _level(self.seed, city.city_id, f"{kind} as {counted}", a, index) for a in ATTRIBUTES[counted]
                }
                ratings[counted] = levels | {a: ratings[kind][a] for a in levels if a in ratings.get(kind, ())}
        return ratings

    def rng(self, *parts: str | int) -> Random:
        """Return a generator that depends on the seed and the parts only; `.random()` is the same on every Python."""
        return Random(stable_hash("invented", self.seed, *parts))  # noqa: S311 an invented world needs no secrets


def make_world(
    cities: int | Sequence[CitySpec],
    scale: float,
    seed: int,
    dates: tuple[dt.date, dt.date] = TRIP_DATES,
    hostile_names: bool = True,
) -> World:
    """Return the world of that many invented cities, or of the cities given.

    Raises ValueError when there is no city, a city comes twice, the scale is not positive, or the dates are in
    the wrong order.
    """
    specs = invented_cities(cities, seed) if isinstance(cities, int) else tuple(cities)
    ids = [spec.city_id for spec in specs]
    if not specs or len(set(ids)) < len(ids):
        raise ValueError(f"the world's cities are {ids}; expected at least one, each once")
    if not 0 < scale < math.inf:
        raise ValueError(f"scale is {scale}; expected a number above 0 (1 is {sum(PLACES_PER_CITY.values())} places)")
    if dates[0] > dates[1]:
        raise ValueError(f"dates are {dates[0]} to {dates[1]}; expected the first day, then the last")
    return World(specs, scale, seed, dates, hostile_names)


def weighted(rng: Random, weights: Sequence[float]) -> int:
    """Return a position drawn in proportion to the weights."""
    remainder = rng.random() * sum(weights)
    for position, weight in enumerate(weights):
        remainder -= weight
        if remainder < 0:
            return position
    return len(weights) - 1


def _id22(text: str) -> str:
    return urlsafe_b64encode(blake2b(text.encode(), digest_size=16).digest())[:22].decode()


@lru_cache(maxsize=64)
def _city_cuisines(seed: int, city_id: str) -> tuple[tuple[str, ...], tuple[float, ...]]:
    """Return the cuisines and this city's own weights of them: some are common in one city and scarce in the next."""
    rng = Random(stable_hash("cuisines", seed, city_id))  # noqa: S311
    weights = [weight * (0.4, 0.7, 1.0, 1.0, 1.3, 1.8)[int(rng.random() * 6)] for weight in CUISINE_WEIGHTS.values()]
    return tuple(CUISINE_WEIGHTS), tuple(weights)


def _cuisines(rng: Random, weighted_cuisines: tuple[tuple[str, ...], tuple[float, ...]]) -> tuple[str, ...]:
    names, weights = weighted_cuisines
    first = names[weighted(rng, weights)]
    second = names[weighted(rng, weights)] if rng.random() < 0.2 else ""
    return tuple(dict.fromkeys(c for c in (first, second) if first and c))


def _trade(rng: Random, kind: str, cuisines: tuple[str, ...]) -> str:
    if kind == "restaurant":
        return cuisines[0] if cuisines else ""
    if kind == "attraction":
        return list(ATTRACTION_WEIGHTS)[weighted(rng, list(ATTRACTION_WEIGHTS.values()))]
    return "hotel" if kind == "stay" else one_of(rng, OTHER_TRADES)


def _also(kind: str, index: int) -> str:
    """Return the second kind of the few places that are listed as two (21 of 927 in the published tables)."""
    if kind == "restaurant" and index % 43 == 5:
        return "attraction"
    return "restaurant" if kind == "stay" and index % 20 == 7 else ""


def _meals(rng: Random, trade: str) -> tuple[str, ...]:
    if rng.random() < 0.06:
        return ()
    early = 0.75 if trade == "" else 0.45 if trade in ("US", "Mexican", "French", "hotel") else 0.12
    shares = {"dessert": 0.1, "latenight": 0.12, "lunch": 0.75, "dinner": 0.8, "brunch": early, "breakfast": early}
    if trade == "":
        shares["dinner"] = 0.3
    return tuple(meal for meal in MEALS if rng.random() < shares[meal])


def _hours(rng: Random, kind: str) -> tuple[tuple[int, int], ...]:
    if rng.random() < 0.12:
        return ()
    if kind == "stay":
        return ((0, 0),) * 7
    opening = {"restaurant": 10 * 60, "attraction": 9 * 60, "other": 8 * 60}[kind] + 30 * int(rng.random() * 5)
    closing = {"restaurant": 20 * 60, "attraction": 16 * 60, "other": 16 * 60}[kind] + 30 * int(rng.random() * 8)
    weekend = closing + (90 if kind == "restaurant" else 0)
    return ((opening, closing),) * 4 + ((opening, weekend),) * 2 + ((opening, closing),)


def _quality(rng: Random, ratings: dict[str, dict[str, int]]) -> float:
    """Return the level around which stars scatter: the mean of the 1–5 attributes, or, of attractions, a free draw."""
    rated = [level for kind, levels in ratings.items() if kind != "attraction" for level in levels.values()]
    return 0.35 + sum(rated) / len(rated) if rated else 2.8 + 2.0 * rng.random()


@lru_cache(maxsize=4096)
def _levels_of_block(seed: int, city_id: str, kind: str, attribute: str, block: int, count: int) -> tuple[int, ...]:
    rng = Random(stable_hash("levels", seed, city_id, kind, attribute, block))  # noqa: S311
    draws = [rng.random() for _ in range(count)]
    return tuple(sorted(range(count), key=draws.__getitem__))


def _level(seed: int, city_id: str, kind: str, attribute: str, index: int) -> int:
    """Return the true rating: each run of as many places as there are levels has each level once, in free order."""
    lowest, count = (0, 4) if attribute in ATTRIBUTES["attraction"] else (1, 5)
    block, position = divmod(index, count)
    return lowest + _levels_of_block(seed, city_id, kind, attribute, block, count)[position]
