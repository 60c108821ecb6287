"""What a table may name: each city's candidate lists, and which modes reach the whole trip at what price (3.A, 3.D)."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from assets.grouptravel.facts.fares import Fares, Service, duration_minutes
from assets.grouptravel.facts.kinds import is_taste, manner
from assets.grouptravel.facts.opening import open_spans
from assets.grouptravel.facts.poi import Poi
from assets.grouptravel.facts.pois import Pois
from assets.grouptravel.vocabulary import FLIGHT, HIGH_SPEED, TRAIN, Vocabulary

if TYPE_CHECKING:
    from assets.grouptravel.skeleton import Skeleton

ATTRACTIONS_SHOWN = 100
"""Attractions of a city that a table can name (3.A)."""

MIN_CATEGORY_SHARE = 0.01
"""A category counts for a city when it has at least this share of the type's places (3.A)."""

MIN_OFFER = 2
"""A kind that tables name has so many places in the city: nobody asks for what there is one of [I]."""

MIN_FOOD = 6
"""A city needs as many places to eat as two days have meals [I]. What tastes it offers in number is another matter:
nobody wishes for food where it offers none."""

MIN_ATTRACTIONS = 4

WAKING_HOURS = 14
MAX_TRAVEL_SHARE = 1 / 3
"""A mode reaches a trip if its legs take at most this share of the trip's waking hours; our choice [I] (G5)."""

MEALS_PER_DAY = 3


@dataclass(frozen=True)
class CityCandidates:
    """What the tables may name of one city. `attractions` are unlike every other name of the city, the best first.

    `attraction_categories` and `hotel_categories` are empty where the city offers no choice of them. Costs are basic
    ones: the lower quartile's.
    """

    name: str
    attractions: tuple[Poi, ...]
    attraction_categories: tuple[str, ...]
    food_categories: tuple[str, ...]
    hotel_categories: tuple[str, ...]
    night_cost: float
    meal_cost: float
    hotels: int = 1
    places_to_eat: int = MIN_FOOD

    def problems(self) -> list[str]:
        """Return what the city lacks for preferences to be drawn of it."""
        shortages = []
        for what, have, needed in (
            ("attractions of an unmistakable name", len(self.attractions), MIN_ATTRACTIONS),
            ("places to eat", self.places_to_eat, MIN_FOOD),
            ("hotels", self.hotels, 1),
        ):
            if have < needed:
                shortages.append(f"{self.name} has {have} {what}, needs {needed}")
        return shortages


def offers_tastes(city: CityCandidates) -> bool:
    """Return whether there is a choice of food to have wishes about: two tastes that the city offers in number."""
    return len(city.food_categories) >= MIN_OFFER


def city_candidates(name: str, pois: Pois, vocabulary: Vocabulary) -> CityCandidates:
    """Return the city's candidate lists: sights that a trip is made for, kinds and tastes that it offers in number.

    Attractions whose name another place of the city has or holds are left out: a plan could not tell them apart (bad
    input). So are names with line breaks, and those that hold another place's, unless too few are left: in a city of
    thousands of places some are named by a letter. Without any known price a cost is 0.
    """
    names = Counter(poi.name for poi in pois.in_city(name))
    all_names = "\n".join(names)
    listed = [
        poi
        for poi in pois.in_city(name, "attractions")
        if poi.name.isprintable() and manner(vocabulary.category(poi.category, "attractions")).is_destination
    ]
    alone: list[Poi] = []
    holding: list[Poi] = []
    for poi in sorted(listed, key=lambda poi: (poi.rank is None, poi.rank, poi.place_id)):
        if len(alone) == ATTRACTIONS_SHOWN:
            break
        is_held = all_names.find(poi.name, all_names.find(poi.name) + 1) >= 0
        if names[poi.name] == 1 and not is_held:
            (holding if any(part in names for part in _parts(poi.name)) else alone).append(poi)
    attractions = alone if len(alone) >= MIN_ATTRACTIONS else [*alone, *holding][:ATTRACTIONS_SHOWN]
    hotels, food = pois.in_city(name, "hotels"), pois.in_city(name, "food")
    kinds = Counter(vocabulary.category(poi.category, "hotels") for poi in hotels)
    sights = _common(pois.in_city(name, "attractions"), vocabulary)
    offered = tuple(kind for kind in vocabulary.hotel_categories if kinds[kind] >= MIN_OFFER)
    return CityCandidates(
        name=name,
        attractions=tuple(attractions),
        attraction_categories=sights if len(sights) > 1 else (),
        food_categories=tuple(kind for kind in _common(food, vocabulary) if is_taste(kind)),
        hotel_categories=offered if len(offered) > 1 else (),
        night_cost=_basic(hotels),
        meal_cost=_basic(food),
        hotels=len(hotels),
        places_to_eat=len(food),
    )


def open_during(city: CityCandidates, dates: Iterable[dt.date]) -> CityCandidates:
    """Return the city without the sights known to be shut on all the dates: nobody wishes to see those then."""
    days = tuple(dates)
    sights = tuple(poi for poi in city.attractions if any(open_spans(poi.hours, day) != [] for day in days))
    return replace(city, attractions=sights)


@dataclass(frozen=True)
class Reach:
    """How one trip can be travelled: the modes that serve all of it, those that serve a part, and what it costs.

    `fares` is the lowest fare of the whole round trip. `floor` is the least that a person must spend: that fare (the
    paper's twice the lowest fare is there and back), basic beds and basic meals (3.C); None where a leg has no service.
    """

    whole_trip_modes: tuple[str, ...]
    part_trip_modes: tuple[str, ...]
    fares: float | None
    floor: float | None


def reach(skeleton: Skeleton, cities: Mapping[str, CityCandidates], fares: Fares) -> Reach:
    """Return how the skeleton's trip can be travelled. Cities by id in `fares`.

    A mode serves a leg if something runs on its date for a price above 0; it serves the whole trip if all its legs
    together leave enough of it (G5). Nobody drives: no table says what roads there are between cities, so plans by car
    are valid in no variant of ours, and a wish for one could not be met.
    """
    dates = leg_dates(skeleton)
    legs = list(zip(skeleton.route, skeleton.route[1:], dates, strict=False))
    allowed = travel_minutes(skeleton.days)
    whole_trip_modes, part_trip_modes = [], []
    for mode in (FLIGHT, HIGH_SPEED, TRAIN):
        best = [min((duration_minutes(s) for s in _running(fares, leg, mode)), default=None) for leg in legs]
        served = [minutes for minutes in best if minutes is not None]
        if len(served) == len(legs) and sum(served) <= allowed:
            whole_trip_modes.append(mode)
        elif served:
            part_trip_modes.append(mode)
    lowest = fares.cheapest(skeleton.route, dates)
    floor = None
    if lowest is not None:
        stays = [cities[city] for city in skeleton.city_ids]
        night = max(city.night_cost for city in stays)
        meal = max(city.meal_cost for city in stays)
        floor = lowest + night * (skeleton.days - 1) + meal * MEALS_PER_DAY * skeleton.days
    return Reach(tuple(whole_trip_modes), tuple(part_trip_modes), lowest, floor)


def travel_minutes(days: int) -> float:
    """Return how long the legs of a trip may take together, in minutes (G5)."""
    return MAX_TRAVEL_SHARE * WAKING_HOURS * 60 * days


def leg_dates(skeleton: Skeleton) -> tuple[dt.date, ...]:
    """Return the date of each leg: out on the first day, home on the last, the others spread evenly between."""
    n = len(skeleton.city_ids)
    days = [round(k * (skeleton.days - 1) / n) for k in range(n + 1)]
    return tuple(skeleton.first_date + dt.timedelta(days=day) for day in days)


def _running(fares: Fares, leg: tuple[str, str, dt.date], mode: str) -> list[Service]:
    return [s for s in fares.services(leg[0], leg[1], mode=mode, date=leg[2]) if s.price > 0]


def _parts(name: str) -> Iterator[str]:
    """Yield every shorter piece of a name."""
    return (name[a:b] for a in range(len(name)) for b in range(a + 1, len(name) + 1) if b - a < len(name))


def _common(pois: Iterable[Poi], vocabulary: Vocabulary) -> tuple[str, ...]:
    """Return the categories that have their share of the places, the most frequent first."""
    counts = Counter(vocabulary.category(poi.category, poi.poi_type) for poi in pois)
    least = MIN_CATEGORY_SHARE * sum(counts.values())
    least = max(least, MIN_OFFER)
    categories = [category for category, count in counts.items() if category.isprintable() and count >= least]
    return tuple(sorted(categories, key=lambda category: (-counts[category], category)))


def _basic(pois: list[Poi]) -> float:
    """Return the lower quartile of the known prices, 0 where none is known."""
    prices = sorted(poi.cost for poi in pois if poi.cost is not None and poi.cost > 0)
    return float(prices[len(prices) // 4]) if prices else 0.0
