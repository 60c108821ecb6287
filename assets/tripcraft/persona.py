"""The declared map from a persona's components to what a witness prefers: pace, kinds of attraction, price (all [I]).

Constraints outrank the persona (1.D): the map only orders what meets the record.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

VISITS_PER_DAY: dict[str, int] = {"Laidback Traveler": 1, "Adventure Seeker": 2}
"""Traveler Type to the attractions of a full day: about 1, and 2 to 3, in the published prompt (1.D)."""

PURPOSE_CATEGORIES: dict[str, tuple[str, ...]] = {
    "Relaxation": ("Spas & Wellness", "Nature & Parks", "Food & Drink", "Shopping"),
    "Adventure": ("Outdoor Activities", "Boat Tours & Water Sports", "Water & Amusement Parks", "Fun & Games"),
    "Cultural Exploration": ("Museums", "Sights & Landmarks", "Concerts & Shows", "Classes & Workshops"),
    "Nature": ("Nature & Parks", "Outdoor Activities", "Zoos & Aquariums"),
}
"""Purpose of Travel to the categories it is after."""

LOCATION_CATEGORIES: dict[str, tuple[str, ...]] = {
    "Beaches": ("Boat Tours & Water Sports", "Water & Amusement Parks"),
    "Mountains": ("Outdoor Activities", "Nature & Parks"),
    "Cities": ("Sights & Landmarks", "Museums", "Shopping", "Nightlife"),
    "Wildlife/Forest": ("Zoos & Aquariums", "Nature & Parks"),
}
"""Location Preference to the categories found there."""

PRICE_SIGN: dict[str, int] = {"Luxury Traveler": 1, "Economical Traveler": -1}
"""Spending Preference: whether a dearer place of the same city is better or worse."""


@dataclass(frozen=True)
class Taste:
    """What one persona prefers; a component that is missing or unknown prefers nothing."""

    visits_per_day: int
    is_adventurous: bool
    purpose: frozenset[str]
    location: frozenset[str]
    price_sign: int

    def is_purpose(self, categories: Sequence[str]) -> bool:
        """Return whether an attraction of the categories serves the purpose of travel."""
        return not self.purpose.isdisjoint(categories)

    def is_location(self, categories: Sequence[str]) -> bool:
        """Return whether an attraction of the categories lies where the traveller likes to be."""
        return not self.location.isdisjoint(categories)


def taste_of(persona: dict[str, str]) -> Taste:
    """Return what the persona prefers."""
    traveler = persona.get("Traveler Type", "")
    return Taste(
        visits_per_day=VISITS_PER_DAY.get(traveler, 1),
        is_adventurous=traveler == "Adventure Seeker",
        purpose=frozenset(PURPOSE_CATEGORIES.get(persona.get("Purpose of Travel", ""), ())),
        location=frozenset(LOCATION_CATEGORIES.get(persona.get("Location Preference", ""), ())),
        price_sign=PRICE_SIGN.get(persona.get("Spending Preference", ""), 0),
    )
