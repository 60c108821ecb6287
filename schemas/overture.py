"""Places as Overture Maps gathers them, before they are merged with other providers' places."""

from __future__ import annotations

from schemas.osm import ATTRACTION_CATEGORIES
from schemas.places import KINDS, LocatedPlace
from schemas.table import Field


class OverturePlace(LocatedPlace):
    """A stay, restaurant or attraction of Overture's places inside one of the recipe's cities."""

    source: str = Field("The provider, overture.")
    native_id: str = Field("Overture's id (GERS).")
    kind: str = Field("What the place is for a traveller, by its primary category.", isin=KINDS)
    categories: list[str] = Field("TripCraft's category of an attraction; empty otherwise.", isin=ATTRACTION_CATEGORIES)
    cuisines: list[str] = Field("The kitchen that a restaurant's category names; empty otherwise.")
    confidence: float | None = Field("Overture's estimate that the place is there.", ge=0, le=1)
    datasets: list[str] = Field("Whose data the place rests on, such as meta or OpenStreetMap.")
    source_rows: list[str] = Field("Pointers to the records that the values came from.")
