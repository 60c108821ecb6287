"""Writes an invented world as Apify's TripAdvisor exports, one file a city: restaurants, attractions and hotels.

A file is an array or lines of objects. What is wrong on purpose is in `tripadvisor_dirt.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from schemas.clock import clock_face
from schemas.stable import stable_hash
from sources.invented.attraction_types import attraction_categories, attraction_type
from sources.invented.cities import CitySpec
from sources.invented.city_files import city_file
from sources.invented.dirt import Dirt, hostile_name, write_dirt
from sources.invented.draws import one_of
from sources.invented.items import ItemFile, is_array_of
from sources.invented.price_levels import in_currency
from sources.invented.reviewers import shown_stars, star_ratings
from sources.invented.tripadvisor_dirt import planted_items
from sources.invented.world import Place, World

LISTED_SHARE = 0.9
"""Places that the site knows at all."""
UNPRICED_SHARE = 0.1
UNLOCATED_SHARE = 0.01
"""Items whose coordinates are null, as the export has them."""
PRICE_LEVELS = {1: "$", 2: "$$ - $$$", 3: "$$ - $$$", 4: "$$$$"}
CUISINES = {
    "US": "American", "Italian": "Italian", "Mexican": "Mexican", "Chinese": "Chinese", "Japanese": "Japanese",
    "Thai": "Thai", "Indian": "Indian", "Middle Eastern": "Middle Eastern", "Vietnamese": "Vietnamese",
    "Asian Fusion": "Asian", "Greek": "Greek", "French": "French", "Korean": "Korean", "Irish": "Irish",
}  # fmt: skip
ALSO = {
    "Greek": "Mediterranean", "Middle Eastern": "Mediterranean", "Italian": "Pizza", "Irish": "Pub",
    "Japanese": "Sushi",
}  # fmt: skip
"""The label that stands beside a cuisine; Greek and Middle Eastern kitchens are mostly Mediterranean too."""
PLAIN_CUISINES = ("Cafe", "Fast food", "Bakeries", "American", "Dessert")
DIETS = ("Vegetarian friendly", "Vegan options", "Gluten free options")
MEALS = {"breakfast": "Breakfast", "brunch": "Brunch", "lunch": "Lunch", "dinner": "Dinner", "latenight": "Late Night"}
AMENITIES = ("Free Wifi", "Pool", "Free parking", "Breakfast included", "Fitness center", "Pets allowed")
TYPES = {"restaurant": "RESTAURANT", "attraction": "ATTRACTION", "stay": "HOTEL"}
COUNTRIES = {"us": "United States", "ca": "Canada"}
MINUTES_A_DAY = 24 * 60


def write(world: World, folder: Path, dirt: bool = True) -> dict[str, list[Path]]:
    """Return the files written to the folder, under the role `places`; `dirt.csv` lists what is planted in them.

    Its `line` is the number of the item from 1.
    """
    folder.mkdir(parents=True, exist_ok=True)
    paths: list[Path] = []
    planted: list[Dirt] = []
    for city in world.cities:
        path = city_file(folder, city, "json")
        with ItemFile(path, path.relative_to(folder).as_posix(), is_array=is_array_of(city, "tripadvisor")) as file:
            for place in _listed(world, city):
                spoilt = hostile_name(place) if dirt and world.hostile_names else None
                item = item_of(world, place, spoilt[1] if spoilt else place.name)
                file.add(item, spoilt[:1] if spoilt else (), item["id"])
            if dirt:
                file.plant_junk()
                for item in planted_items(city, item_of(world, world.place(city, "restaurant", 0), "The Spoilt Spoon")):
                    file.plant(item)
        paths.append(path)
        planted += file.dirt
    write_dirt(folder, planted)
    return {"places": paths}


def item_of(world: World, place: Place, name: str) -> dict[str, Any]:
    """Return the place as an object of the export, under that name."""
    rng = world.rng("tripadvisor", place.place_key)
    ratings = star_ratings(world, place)
    city = place.city
    country = COUNTRIES.get(city.country.lower(), city.country.upper())
    is_located = rng.random() >= UNLOCATED_SHARE
    street, _, suite = place.address.partition(", ")
    rank = 1 + int(rng.random() * 400)
    return {
        "id": native_id(world, place),
        "type": TYPES[place.kind],
        "category": place.kind if place.kind != "stay" else "hotel",
        "subcategories": [],
        "name": name,
        "locationString": f"{city.name}, {city.region.upper()}",
        "description": None,
        "image": None,
        "rating": shown_stars(ratings),
        "rawRanking": round(2.5 + 2 * rng.random(), 12),
        "rankingPosition": rank,
        "rankingString": f"#{rank} of 400 places in {city.name}",
        "numberOfReviews": len(ratings),
        "address": f"{place.address}, {city.name}, {city.region.upper()} {country}",
        "addressObj": {
            "street1": street,
            "street2": suite,
            "city": city.name,
            "state": city.region.upper(),
            "country": country,
            "postalcode": f"{int(rng.random() * 100_000):05d}",
        },
        "latitude": place.lat if is_located else None,
        "longitude": place.lon if is_located else None,
        "webUrl": f"https://tripadvisor.example/{native_id(world, place)}",
        "website": f"https://{place.native_id.lower().strip('-_')}.example" if rng.random() < 0.8 else None,
        "phone": None,
        "isClosed": False,
        "isLongClosed": False,
        "hours": {"weekRanges": _week_ranges(place), "timezone": city.time_zone} if place.hours else None,
        "ancestorLocations": [
            {"id": str(stable_hash("location", name) % 10**6), "name": name} for name in (city.name, country)
        ],
        "nearestMetroStations": [],
        **_own(world, rng, place, ratings),
    }


def native_id(world: World, place: Place) -> str:
    """Return the site's number of the place, as text."""
    return str(10**9 + stable_hash("tripadvisor id", world.seed, place.place_key) % (9 * 10**9))


def _listed(world: World, city: CitySpec) -> Iterator[Place]:
    for kind in TYPES:
        for index in range(world.count(kind)):
            place = world.place(city, kind, index)
            if world.rng("on tripadvisor", place.place_key).random() < LISTED_SHARE:
                yield place


def _own(world: World, rng: Random, place: Place, ratings: list[int]) -> dict[str, Any]:
    """Return what only places of its type have."""
    histogram = {f"count{stars}": ratings.count(stars) for stars in range(1, 6)}
    if place.kind == "attraction":
        kind = attraction_type(world, place)
        return {
            "subcategories": list(attraction_categories(world, place)),
            "subtype": [kind.subtype],
            "offerGroup": {"lowestPrice": f"${12 * place.price}.00", "offerList": []} if rng.random() < 0.3 else None,
            "ratingHistogram": histogram,
        }
    if place.kind == "stay":
        low = round(in_currency(45 * place.price, place.city.currency))
        return {
            "subcategories": ["Hotel"],
            "amenities": [amenity for amenity in AMENITIES if rng.random() < 0.5],
            "hotelClass": f"{min(5, place.price + 1)}.0" if rng.random() < 0.8 else None,
            "priceLevel": "$" * place.price if rng.random() >= UNPRICED_SHARE else None,
            "priceRange": f"${low:,} - ${2 * low:,}",
            "ratingHistogram": histogram,
        }
    labels = [label for c in place.cuisines for label in (CUISINES[c], *_beside(rng, c))]
    labels = labels or [one_of(rng, PLAIN_CUISINES)]
    return {
        "subcategories": ["Sit down"] if place.cuisines else ["Cafe"],
        "cuisines": list(dict.fromkeys([*labels, *(diet for diet in DIETS if rng.random() < 0.15)])),
        "mealTypes": [MEALS[meal] for meal in place.meals if meal in MEALS],
        "priceLevel": PRICE_LEVELS[place.price] if rng.random() >= UNPRICED_SHARE else None,
        "dishes": [],
        "features": ["Seating"] if rng.random() < 0.5 else [],
    }


def _beside(rng: Random, cuisine: str) -> tuple[str, ...]:
    return (ALSO[cuisine],) if cuisine in ALSO and rng.random() < 0.7 else ()


def _week_ranges(place: Place) -> list[list[dict[str, Any]]]:
    """Return the ranges of each day from Sunday, in minutes from its midnight; past midnight they go beyond 1,440."""
    days = []
    for opening, closing in (place.hours[-1], *place.hours[:-1]):
        end = closing if closing > opening else MINUTES_A_DAY
        days.append([{"open": opening, "openHours": clock_face(opening), "close": end, "closeHours": clock_face(end)}])
    return days
