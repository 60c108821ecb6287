"""The wishes of an itinerary's request, and which kind of place each is about."""

from __future__ import annotations

from assets.core.claims import Wish

FIELDS = ("price", "orientation", "cuisine", "restaurant", "hotel")
"""What a request wishes for: fields of the record."""


def about(wish: Wish, kind: str) -> bool:
    """Return whether a wish is about places of a kind; the budget is about all."""
    of = {"price": None, "orientation": "attraction", "cuisine": "restaurant", "restaurant": "restaurant"}
    return of.get(wish[0], "stay") in (None, kind)
