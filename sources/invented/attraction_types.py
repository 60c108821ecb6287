"""What kind of attraction an invented place is, finer than its trade: one choice that every provider words its way."""

from __future__ import annotations

from typing import NamedTuple

from sources.invented.world import Place, World


class AttractionType(NamedTuple):
    """One type: TripCraft's category (1.A), the type in TripAdvisor's words, and its tag in OpenStreetMap's."""

    category: str
    subtype: str
    osm_tag: tuple[str, str]
    is_area: bool = False  # drawn as an area on a map


_MUSEUM = AttractionType("Museums", "Specialty Museums", ("tourism", "museum"))
_PARK = AttractionType("Nature & Parks", "Parks", ("leisure", "park"), True)
_SIGHT = AttractionType("Sights & Landmarks", "Points of Interest & Landmarks", ("tourism", "attraction"))
_GIFTS = AttractionType("Shopping", "Gift & Specialty Shops", ("shop", "gift"))

TYPES: dict[str, tuple[AttractionType, ...]] = {
    "museum": (
        _MUSEUM,
        _MUSEUM,
        AttractionType("Museums", "Art Galleries", ("tourism", "gallery")),
        AttractionType("Fun & Games", "Observatories & Planetariums", ("amenity", "planetarium")),
        AttractionType("Concerts & Shows", "Theaters", ("amenity", "theatre")),
    ),
    "park": (
        _PARK,
        _PARK,
        AttractionType("Nature & Parks", "Gardens", ("leisure", "garden"), True),
        AttractionType("Nature & Parks", "Nature & Wildlife Areas", ("leisure", "nature_reserve"), True),
        AttractionType("Outdoor Activities", "Golf Courses", ("leisure", "golf_course"), True),
        AttractionType("Outdoor Activities", "Horseback Riding Tours", ("leisure", "horse_riding")),
        AttractionType("Water & Amusement Parks", "Water Parks", ("leisure", "water_park"), True),
    ),
    "local flavor": (
        AttractionType("Nightlife", "Bars & Clubs", ("amenity", "bar")),
        AttractionType("Nightlife", "Dance Clubs & Discos", ("amenity", "nightclub")),
        AttractionType("Casinos & Gambling", "Casinos", ("amenity", "casino")),
        AttractionType("Food & Drink", "Breweries", ("craft", "brewery")),
        AttractionType("Fun & Games", "Bowling Alleys", ("leisure", "bowling_alley")),
        AttractionType("Fun & Games", "Game & Entertainment Centers", ("leisure", "amusement_arcade")),
        AttractionType("Shopping", "Flea & Street Markets", ("amenity", "marketplace")),
    ),
    "zoo": (
        AttractionType("Zoos & Aquariums", "Zoos", ("tourism", "zoo"), True),
        AttractionType("Zoos & Aquariums", "Aquariums", ("tourism", "aquarium")),
        AttractionType("Water & Amusement Parks", "Theme Parks", ("tourism", "theme_park"), True),
    ),
    "tour": (
        AttractionType("Boat Tours & Water Sports", "Boat Rentals", ("amenity", "boat_rental")),
        AttractionType("Boat Tours & Water Sports", "Boat Tours", ("leisure", "marina")),
        AttractionType("Classes & Workshops", "Cooking Classes", ("amenity", "cooking_school")),
        AttractionType("Spas & Wellness", "Spas", ("leisure", "spa")),
    ),
    "landmark": (
        _SIGHT,
        AttractionType("Sights & Landmarks", "Monuments & Statues", ("historic", "monument")),
        AttractionType("Sights & Landmarks", "Castles", ("historic", "castle"), True),
        AttractionType("Sights & Landmarks", "Lookouts", ("tourism", "viewpoint")),
        AttractionType("Concerts & Shows", "Concert Halls", ("amenity", "concert_hall")),
        AttractionType("Nightlife", "Bars & Clubs", ("amenity", "pub")),
        AttractionType("Casinos & Gambling", "Casinos", ("amenity", "casino")),
        AttractionType("Food & Drink", "Wineries & Vineyards", ("craft", "winery")),
    ),
    "souvenir shop": (
        _GIFTS,
        _GIFTS,
        AttractionType("Shopping", "Shopping Malls", ("shop", "mall"), True),
    ),
}
"""The types of each trade; all fifteen categories are among them."""

SECOND_CATEGORY_SHARE = 0.2
SECOND_CATEGORIES = {
    "Museums": "Sights & Landmarks",
    "Nature & Parks": "Outdoor Activities",
    "Sights & Landmarks": "Museums",
    "Food & Drink": "Classes & Workshops",
    "Zoos & Aquariums": "Nature & Parks",
    "Water & Amusement Parks": "Fun & Games",
    "Nightlife": "Concerts & Shows",
    "Spas & Wellness": "Outdoor Activities",
}
"""The category that some attractions of the first one also count as."""


def attraction_type(world: World, place: Place) -> AttractionType:
    """Return the type of the place, which is an attraction or is listed as one too."""
    types = TYPES[place.trade if place.kind == "attraction" else "local flavor"]
    return types[int(world.rng("attraction type", place.place_key).random() * len(types))]


def attraction_categories(world: World, place: Place) -> tuple[str, ...]:
    """Return the one or two categories of the attraction, its type's own first."""
    first = attraction_type(world, place).category
    second = SECOND_CATEGORIES.get(first)
    is_second = world.rng("second category", place.place_key).random() < SECOND_CATEGORY_SHARE
    return (first, second) if second and is_second else (first,)
