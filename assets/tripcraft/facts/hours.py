"""When a place is open on a date: by its hours where a source says them, and nightlife in the evening alone."""

from __future__ import annotations

import datetime as dt
from functools import lru_cache

from assets.tripcraft.entities import Attraction, Restaurant
from sources.formats.opening_hours import is_by_the_sun, opening_windows

Windows = tuple[tuple[int, int], ...]
"""When a place is open on one day, minutes; ascending."""

EVENING_KINDS = frozenset({"Nightlife", "Casinos & Gambling"})
EVENING_FROM = 1080
"""Nobody goes to a bar or a casino before 18:00, as in groups' trips [I]; one that closes by then keeps its hours."""


def windows_on(place: Attraction | Restaurant, date: str) -> Windows | None:
    """Return when one may be there on the date; None where nothing binds anybody.

    Holidays are its country's, sunrise and sunset its own.
    """
    hours = place.opening_hours
    point = (place.lat, place.lon) if hours is not None and is_by_the_sun(hours) else None
    windows = None if hours is None else known_windows(hours, date, place.country, point)
    if not isinstance(place, Attraction) or not place.categories or not EVENING_KINDS.issuperset(place.categories):
        return windows
    spans = ((0, 1440),) if windows is None else windows
    return tuple((max(opens, EVENING_FROM), closes) for opens, closes in spans if closes > EVENING_FROM) or spans


@lru_cache(maxsize=100_000)
def known_windows(
    opening_hours: str, date: str, country: str | None = None, coordinates: tuple[float, float] | None = None
) -> Windows | None:
    """Return what the hours say of a date; None where they cannot be read. Plans of many tasks go on the same dates.

    `coordinates` (lat, lon) say when the sun rises and sets.
    """
    windows = opening_windows(opening_hours, dt.date.fromisoformat(date), country=country, coordinates=coordinates)
    return None if windows is None else tuple(windows)
