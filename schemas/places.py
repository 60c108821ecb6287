"""Places that a plan can visit: stays, restaurants and attractions, one vocabulary for every provider."""

from __future__ import annotations

from dataclasses import dataclass

from schemas.table import Field, Table

KINDS = ("stay", "restaurant", "attraction")

MEALS = ("dessert", "latenight", "lunch", "dinner", "brunch", "breakfast")
"""The meals a restaurant can serve, in the order in which the published tables list them (ItinBench, 2.A)."""


@dataclass(frozen=True, slots=True)
class Listing:
    """One provider's row about one place, as a reader hands it on: parsed and valid, not yet assigned to a city."""

    source: str
    native_id: str
    name: str
    address: str
    lat: float
    lon: float
    stars: float | None
    review_count: int | None
    price_level: int | None
    categories: tuple[str, ...]
    cuisines: tuple[str, ...]
    meals: tuple[str, ...]
    kind: str | None
    ratings: tuple[tuple[str, int], ...]
    source_row: str


class LocatedPlace(Table):
    """What every table of places says first: which place, in which city, what it is called and where it is."""

    city_id: str = Field("The recipe's city whose area holds the coordinates.", key=True)
    place_id: str = Field("Our stable id: source and native id.", key=True)
    name: str = Field("The name as the provider writes it.", pattern=r"(?s).*\S.*")
    address: str = Field("Street address, may be empty.")
    lat: float = Field("Latitude, WGS84 degrees.", ge=-90, le=90)
    lon: float = Field("Longitude, WGS84 degrees.", ge=-180, le=180)


class Business(LocatedPlace):
    """A provider's listing inside one of the recipe's cities, cleaned but not yet classified."""

    source: str = Field("The provider.")
    native_id: str = Field("The provider's own id, always text.")
    stars: float | None = Field("Mean rating shown by the provider, 1 to 5.", ge=1, le=5)
    review_count: int | None = Field("Number of reviews the provider counts; null if it does not say.", ge=0)
    price_level: int | None = Field("Number of price signs, 1 cheap to 4 expensive.", ge=1, le=4)
    categories: list[str] = Field("The provider's categories, in its order.")
    cuisines: list[str] = Field("Cuisine labels, in the order of use: at most the first two are shown.")
    meals: list[str] = Field("Meals the provider says it serves: breakfast, brunch, lunch, dinner, latenight, dessert.")
    kinds: list[str] = Field("Kinds the source's own tables claim, the preferred first; empty if only categories tell.")
    source_rows: list[str] = Field("Pointers to the source rows that the values came from.")


class Place(LocatedPlace):
    """A place that tasks may use: of one kind, in one city, resolved over providers and tables (defect I4)."""

    kind: str = Field("What the place is for a traveller.", isin=KINDS)
    stars: float | None = Field("Mean rating shown by the provider, 1 to 5.", ge=1, le=5)
    review_count: int | None = Field("Number of reviews the provider counts; null if it does not say.", ge=0)
    price_level: int | None = Field("Number of price signs, 1 cheap to 4 expensive; null if unknown.", ge=1, le=4)
    categories: list[str] = Field("Categories, in the provider's order.")
    cuisines: list[str] = Field("Cuisine labels of a restaurant, in the order of use; empty otherwise.")
    meals: list[str] = Field("Meals served: breakfast, brunch, lunch, dinner, latenight, dessert; empty if unknown.")
    opening_hours: str | None = Field("Opening hours in OpenStreetMap's grammar; null if unknown.")
    source_rows: list[str] = Field("Pointers to the source rows that the values came from.")
