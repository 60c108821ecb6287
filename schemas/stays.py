"""Stays: listings where a traveller sleeps, with what a booking must respect (price, capacity, rules).

Hotels known only as places on a map or in reviews are in `schemas/places.py`.
"""

from __future__ import annotations

from schemas.places import LocatedPlace
from schemas.table import Field

ROOM_TYPES = ("entire_home", "private_room", "shared_room", "hotel_room")
HOUSE_RULES = ("No parties", "No smoking", "No children under 10", "No pets", "No visitors")
"""The five rules that TripCraft's constraints speak of (TripCraft, 1.A)."""


class Stay(LocatedPlace):
    """A listing for the night. What its source does not say is null, and is never guessed."""

    source: str = Field("The provider.")
    native_id: str = Field("The provider's own id, always text.")
    room_type: str = Field("What is let.", isin=ROOM_TYPES)
    price_per_night: float | None = Field("Price of one night in `currency`; null if unknown.", ge=0)
    currency: str | None = Field("ISO 4217 code of the price; null if unknown.", pattern="[A-Z]{3}")
    max_occupancy: int | None = Field("Most guests allowed; null if unknown.", ge=1)
    min_nights: int | None = Field("Fewest nights of a booking; null if unknown.", ge=1)
    rating: float | None = Field("Mean rating by guests, 0 to 5; null if unrated.", ge=0, le=5)
    review_count: int | None = Field("Number of reviews the provider counts; null if it does not say.", ge=0)
    house_rules: list[str] | None = Field(
        "Which of the five rules hold; empty if its rules were given and none holds, null if no rules were given.",
        isin=HOUSE_RULES,
    )
    unknown_rules: list[str] | None = Field(
        "Which of the five its rules leave unknown: in words that are not read, or under a condition; null if no rules "
        "were given.",
        isin=HOUSE_RULES,
    )
    house_rule_texts: list[str] | None = Field("All rules as the provider words them; null if unknown.")
    source_rows: list[str] = Field("Pointers to the source rows that the values came from.")
