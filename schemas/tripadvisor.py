"""Places as TripAdvisor lists them, before they are merged with other providers' places."""

from __future__ import annotations

from schemas.osm import ATTRACTION_CATEGORIES
from schemas.places import KINDS, MEALS, LocatedPlace
from schemas.table import Field


class TripadvisorPlace(LocatedPlace):
    """A restaurant, attraction or hotel that TripAdvisor lists as open. What it does not say is null or empty."""

    source: str = Field("The provider, tripadvisor.")
    native_id: str = Field("The provider's own id, digits as text.")
    kind: str = Field("What the place is for a traveller.", isin=KINDS)
    rating: float | None = Field("Mean rating, 1 to 5; null if unrated.", ge=1, le=5)
    review_count: int | None = Field("Number of reviews; null if it does not say.", ge=0)
    price_signs_min: int | None = Field("Fewest price signs of its level, 1 cheap to 4 expensive.", ge=1, le=4)
    price_signs_max: int | None = Field("Most price signs of its level: 3 of `$$ - $$$`.", ge=1, le=4)
    price_signs: float | None = Field("Mean of the two, which a meal's cost is computed with.", ge=1, le=4)
    cuisines: list[str] = Field("Cuisines of a restaurant, in the provider's order.")
    meals: list[str] = Field("Meals it says it serves; empty if unknown.", isin=MEALS)
    categories: list[str] = Field(
        "TripCraft's categories of an attraction; empty otherwise, or if none of its labels is one.",
        isin=ATTRACTION_CATEGORIES,
    )
    labels: list[str] = Field("Category, subcategories and subtypes as the provider has them.")
    opening_hours: str | None = Field("Opening hours in OpenStreetMap's grammar; null if unknown.")
    website: str | None = Field("Website, http or https.", pattern=r"https?://\S+")
    source_rows: list[str] = Field("Pointer to the source row.")
