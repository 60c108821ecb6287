"""The places that a witness may use in each city of its route, and how much it likes each of them.

A spot alone of its kind in the city has its name, which reads back from the plan's text as written: a plan names places
by nothing else. Names shared between kinds or cities are the choice's business: none is used twice on a trip.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import cos, hypot, radians, remainder
from statistics import median
from typing import Any, Generic, TypeVar

from assets.tripcraft.checks.metrics import stop_score
from assets.tripcraft.entities import Attraction, Restaurant, Stay
from assets.tripcraft.facts.itinerary import matching_stays
from assets.tripcraft.facts.travel import estimate_min
from assets.tripcraft.persona import Taste
from assets.tripcraft.plan import Item, item_text, name_city, read_item, read_name_city
from assets.tripcraft.records import Record
from assets.tripcraft.reference import Reference
from assets.tripcraft.witness.hours import least_visit_min, length_score, meal_time, open_windows, reach_min
from schemas.stable import stable_hash

LONGEST_NAME_CHARS = 200
"""Longer names of places and stops are not planned: a PoI list is one line of text."""

FARTHEST_MIN = 100
"""Farthest way, minutes, from the middle of the city's places [I]."""

NEAR_STOP, RATING, PRICE, PURPOSE, LOCATION = 100, 10, 150, 150, 90
"""What a stop at the door, a point of rating, the whole range of prices, and a match of the persona are worth [I]."""

NOTED, PASSED_BY = 120, -240
"""What a sight that Wikidata knows is worth, and one that a visitor looks at and walks on [I]: maps hold three reliefs
and bars for each museum, and rate none of them."""

OUT_OF_PLACE = -300
"""What a breakfast at a grill is worth, or a dinner at a coffee shop, beside one where people have it [I]."""

FOR_BREAKFAST = frozenset({
    "bagel", "bagels", "bakeries", "bakery", "breakfast", "breakfast & brunch", "brunch", "cafe", "cafes", "café",
    "coffee", "coffee & tea", "coffee shop", "donut", "donuts", "juice", "pancake", "pastry", "tea", "teahouse",
})  # fmt: skip
ALL_DAY = frozenset({
    "american", "american (new)", "american (traditional)", "dessert", "desserts", "deli", "delis", "diner", "diners",
    "regional", "sandwich", "sandwiches",
})  # fmt: skip
"""Cuisines of places where people breakfast, and of those where they may, as of a place of no known cuisine."""

NO_DINNER = FOR_BREAKFAST - {"cafe", "cafes", "café"} | {"cake", "dessert", "desserts", "ice cream", "frozen yogurt"}

VISIT_LENGTH = 200
"""What a visit as long as the metric expects is worth over one of an impossible length [I]."""

MEAL_TIME = 1500
"""What a perfectly timed meal is worth over one at an impossible time [I]."""


PlaceT = TypeVar("PlaceT", bound=Restaurant | Attraction | Stay, covariant=True)


@dataclass(frozen=True)
class Spot(Generic[PlaceT]):
    """One place, its cost to the party (a meal; all rooms of one night), and what it is worth to the traveller."""

    place: PlaceT
    cost: int
    worth: int
    order: int
    """Stable hash of (task_id, place_id): the order of equals."""
    stop_name: str = ""
    """The stop that its entry in a PoI list names."""

    @property
    def place_id(self) -> str:
        """Return the place's id."""
        return self.place.place_id


@dataclass(frozen=True)
class CitySpots:
    """What one city of the route offers for the record, best first."""

    city_id: str
    stays: tuple[Spot[Stay], ...]
    restaurants: tuple[Spot[Restaurant], ...]
    attractions: tuple[Spot[Attraction], ...]


def city_spots(reference: Reference, record: Record, taste: Taste, city_id: str, task_id: str) -> CitySpots:
    """Return all spots of the city; dates on which a place is closed are not looked at here."""
    places_by_kind: dict[str, Sequence[Any]] = {
        "stay": matching_stays(reference, record, city_id),
        "restaurant": reference.plannable_restaurants(city_id),
        "attraction": reference.plannable_attractions(city_id),
    }
    city = reference.cities[city_id].name
    readable_places = {
        kind: [p for p in places if _reads_back(reference, p, city)] for kind, places in places_by_kind.items()
    }
    middle = _middle([*readable_places["restaurant"], *readable_places["attraction"], *readable_places["stay"]])
    near = {
        kind: [p for p in places if _way_min(p, middle) <= FARTHEST_MIN] for kind, places in readable_places.items()
    }
    people = record["people"]
    costs = {
        "stay": {p.place_id: p.price * p.rooms(people) for p in near["stay"]},
        "restaurant": {p.place_id: p.avg_cost * people for p in near["restaurant"]},
        "attraction": {p.place_id: 0 for p in near["attraction"]},
    }
    spots: dict[str, tuple[Spot, ...]] = {}
    for kind, places in near.items():
        ranks = _price_ranks(costs[kind].values())
        kind_spots = [
            Spot(
                place,
                costs[kind][place.place_id],
                _worth(reference, place, taste, ranks[costs[kind][place.place_id]], _way_min(place, middle)),
                stable_hash(task_id, place.place_id),
                stop.name if (stop := reference.stop(place.place_id)) else "",
            )
            for place in places
        ]
        spots[kind] = tuple(sorted(kind_spots, key=lambda spot: (-spot.worth, spot.order, spot.place_id)))
    return CitySpots(city_id, spots["stay"], spots["restaurant"], spots["attraction"])


def shortlist(spots: CitySpots, record: Record, scale: int = 1) -> CitySpots:
    """Return the spots a good plan is likely made of: the best and cheapest, and those of each kind asked for.

    `scale` times as many as are enough nearly always.
    """
    constraints = record["constraints"]
    cuisines = [[s for s in spots.restaurants if kind in s.place.cuisines] for kind in constraints["cuisine"] or ()]
    cuisines += [[s for s in spots.restaurants if meal_worth(s, "breakfast") == 0]]
    kinds = [[s for s in spots.attractions if kind in s.place.categories] for kind in constraints["attraction"] or ()]
    return CitySpots(
        spots.city_id,
        _some(spots.stays, 6 * scale, 3 * scale, [], 0),
        _some(spots.restaurants, 16 * scale, 6 * scale, cuisines, 4 * scale),
        _some(spots.attractions, 14 * scale, 0, kinds, 4 * scale),
    )


def meal_worth(spot: Spot, meal: str) -> int:
    """Return what the meal there is worth for what the place serves: 0 where people have that meal, else less."""
    assert isinstance(spot.place, Restaurant)
    cuisines = (cuisine.lower() for cuisine in spot.place.cuisines)
    kinds = {cuisine for cuisine in cuisines if not cuisine.endswith((" options", " friendly"))}  # diets, no kitchens
    if meal == "breakfast" and not kinds & FOR_BREAKFAST:
        return OUT_OF_PLACE if kinds - ALL_DAY else OUT_OF_PLACE // 2
    return OUT_OF_PLACE if meal == "dinner" and kinds and kinds <= NO_DINNER else 0


def meal_in(spot: Spot, days: int, meal: str, date: str) -> tuple[float, int, int] | None:
    """Return the best (score, start, end) for the meal there on the date, or None if it is closed then."""
    assert isinstance(spot.place, Restaurant)
    return meal_time(days, meal, open_windows(spot.place, date))


def visit_reach(spot: Spot, gap: str, date: str) -> int:
    """Return how far the neighbours of a visit in the gap may be, minutes; negative if it cannot be made then."""
    assert isinstance(spot.place, Attraction)
    return reach_min(
        gap,
        least_visit_min(spot.place.visit_duration_h),
        open_windows(spot.place, date),
    )


def visit_length(spot: Spot, days: int, gap: str, date: str, visits: int, taste: Taste) -> float:
    """Return what the length of a visit there in the gap scores at best, where the day holds so many."""
    assert isinstance(spot.place, Attraction)
    windows = open_windows(spot.place, date)
    mean_h, is_adventurous = spot.place.visit_duration_h, taste.is_adventurous
    return length_score(days, gap, mean_h, windows, visits, is_adventurous=is_adventurous)


def _some(
    spots: Sequence[Spot[PlaceT]], best: int, cheapest: int, lists: Iterable[Sequence[Spot[PlaceT]]], of_each: int
) -> tuple[Spot[PlaceT], ...]:
    def least(some: Sequence[Spot[PlaceT]], count: int) -> set[str]:
        return {s.place_id for s in sorted(some, key=lambda s: (s.cost, s.order, s.place_id))[:count]}

    place_ids = {spot.place_id for spot in spots[:best]} | least(spots, cheapest)
    for spots_of_kind in lists:
        place_ids |= {spot.place_id for spot in spots_of_kind[:of_each]} | least(spots_of_kind, of_each)
    return tuple(spot for spot in spots if spot.place_id in place_ids)


def _reads_back(reference: Reference, place: Any, city: str) -> bool:
    stop = reference.stop(place.place_id)
    if stop is None or max(len(place.name), len(stop.name)) > LONGEST_NAME_CHARS:
        return False
    item = read_item(item_text(place.name, "visit", 600, 660, stop.name, stop.distance_m))
    if not isinstance(item, Item) or (item.name, item.stop_name) != (place.name, stop.name):
        return False
    if (item.start_min, item.end_min, item.verb) != (600, 660, "visit") or item.distance_m is None:
        return False
    place_name = read_name_city(name_city(place.name, city))
    return (place_name.name, place_name.city) == (place.name, city)


def _middle(places: Sequence[Any]) -> tuple[float, float]:
    """Return the median latitude and longitude in degrees, also of places on both sides of the antimeridian."""
    if not places:
        return 0.0, 0.0
    lons = [place.lon for place in places]
    if max(lons) - min(lons) > 180.0:
        lons = [lon % 360.0 for lon in lons]
    return median(place.lat for place in places), median(lons)


def _way_min(place: Any, middle: tuple[float, float]) -> int:
    aside = remainder(place.lon - middle[1], 360.0)  # the shorter way round
    north, east = place.lat - middle[0], aside * cos(radians(middle[0]))
    return estimate_min(hypot(north, east) * 111_195)


def _price_ranks(costs: Iterable[int]) -> dict[int, float]:
    """Return each cost's place among the city's distinct costs, 0 the cheapest, 1 the dearest."""
    distinct = sorted(set(costs))
    return {cost: i / max(1, len(distinct) - 1) for i, cost in enumerate(distinct)}


def _worth(reference: Reference, place: Any, taste: Taste, price_rank: float, way_min: int) -> int:
    stop = reference.stop(place.place_id)
    worth = round(NEAR_STOP * stop_score(stop.distance_m)) if stop is not None else 0
    worth += round(RATING * (place.rating or 0.0)) - way_min
    if isinstance(place, Attraction):
        worth += PURPOSE * taste.is_purpose(place.categories) + LOCATION * taste.is_location(place.categories)
        worth += NOTED * place.is_noted + PASSED_BY * place.is_passed_by
    else:
        worth += round(PRICE * taste.price_sign * price_rank)
    return worth
