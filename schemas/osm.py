"""Places and boundaries as OpenStreetMap maps them, before they are merged with other providers' places."""

from __future__ import annotations

from schemas.places import KINDS
from schemas.reviews import ATTRACTION_ORIENTATIONS
from schemas.table import Field, Table

ATTRACTION_CATEGORIES = (
    "Boat Tours & Water Sports",
    "Casinos & Gambling",
    "Classes & Workshops",
    "Concerts & Shows",
    "Food & Drink",
    "Fun & Games",
    "Museums",
    "Nature & Parks",
    "Nightlife",
    "Outdoor Activities",
    "Shopping",
    "Sights & Landmarks",
    "Spas & Wellness",
    "Water & Amusement Parks",
    "Zoos & Aquariums",
)
"""The fifteen categories of attractions (TripCraft, 1.A)."""

FEES = ("yes", "no")
WHEELCHAIR = ("yes", "limited", "no", "designated")


class OsmPlace(Table):
    """A named stay, restaurant or attraction of an OpenStreetMap extract, classified by a declared table of tags."""

    city_id: str = Field("The recipe's city that the extract is bound to.", key=True)
    place_id: str = Field("Our stable id: source and native id.", key=True)
    source: str = Field("The provider, osm.")
    native_id: str = Field("Element type and id, such as node/123: ids are only unique with their type.")
    kind: str = Field("What the place is for a traveller.", isin=KINDS)
    name: str = Field("The tag `name`.", pattern=r"(?s).*\S.*")
    name_en: str | None = Field("The tag `name:en`; null if absent.")
    address: str = Field("From the addr:* tags, may be empty.")
    lat: float = Field("Latitude of the node, or of a point inside the area, WGS84 degrees.", ge=-90, le=90)
    lon: float = Field("Longitude, as `lat`.", ge=-180, le=180)
    tags: list[str] = Field("The tags that made it a place, as key=value.")
    categories: list[str] = Field(
        "TripCraft's categories of an attraction; empty otherwise.", isin=ATTRACTION_CATEGORIES
    )
    orientations: list[str] = Field(
        "ItinBench's orientations that the tags speak for; a hint, not a rating.", isin=ATTRACTION_ORIENTATIONS
    )
    cuisines: list[str] = Field("Values of the tag `cuisine`, in its order.")
    meals: list[str] = Field("Meals that the tags say are served: breakfast, brunch, lunch, dinner.")
    hotel_class: float | None = Field("The tag `stars`: an official class, not a guests' rating.", ge=0, le=7)
    opening_hours: str | None = Field("The tag `opening_hours` if it can be read; null if absent or not.")
    wheelchair: str | None = Field("The tag `wheelchair`.", isin=WHEELCHAIR)
    wikidata: str | None = Field("The tag `wikidata`: Wikidata's id of the place.", pattern=r"Q[1-9]\d*")
    brand: str | None = Field("The tag `brand`.")
    diets: list[str] = Field("Diets that the tags `diet:*` say are served, ascending: vegan, halal, …")
    fee: str | None = Field("The tag `fee`: whether one pays to enter.", isin=FEES)
    charge: str | None = Field("The tag `charge`: what one pays, as mapped.")
    rooms: int | None = Field("The tag `rooms` of a stay.", ge=1)
    website: str | None = Field("Website, http or https.", pattern=r"https?://\S+")
    phone: str | None = Field("Telephone number as mapped.")
    source_rows: list[str] = Field("Pointers to the elements that the values came from.")


class OsmBoundary(Table):
    """An administrative area of an extract that is whole in it."""

    city_id: str = Field("The recipe's city that the extract is bound to.", key=True)
    native_id: str = Field("Element type and id, such as relation/123.", key=True)
    name: str = Field("The tag `name`.", pattern=r"(?s).*\S.*")
    admin_level: int = Field("The tag `admin_level`: 2 country, 4 region, 8 town in most countries.", ge=1, le=12)
    polygons: list[list[list[list[float]]]] = Field(
        "Polygons of rings of points, the outer ring first, each point longitude and latitude (a GeoJSON MultiPolygon)."
    )
    source_rows: list[str] = Field("Pointers to the elements.")
