"""What is said of a request that no plan meets: its wishes, and how a planner names those that clash."""

from __future__ import annotations

import re

FIELDS = ("price", "orientation", "cuisine", "restaurant", "hotel")

Wish = tuple[str, str]
"""A field of the record and one value that it asks for."""

NOT_POSSIBLE = "NO PLAN MEETS:"
"""How a planner says that there is no plan; behind it the wishes that clash, as `field=value`, joined by commas."""

_CLAIM = re.compile(rf"^[\s>*]*{NOT_POSSIBLE}(.*)$", re.MULTILINE)


def about(wish: Wish, kind: str) -> bool:
    """Return whether a wish is about places of a kind; the budget is about all."""
    of = {"price": None, "orientation": "attraction", "cuisine": "restaurant", "restaurant": "restaurant"}
    return of.get(wish[0], "stay") in (None, kind)


def said(wishes: tuple[Wish, ...]) -> str:
    """Return how a planner says that wishes clash."""
    return f"{NOT_POSSIBLE} {', '.join(f'{name}={value}' for name, value in wishes)}"


def claimed(text: str) -> list[Wish] | None:
    """Return the wishes that a text says clash; None where it does not say so."""
    found = _CLAIM.findall(text)
    if not found:
        return None
    parts = (part.partition("=") for part in found[-1].split(",") if part.strip())
    return [(name.strip(" `*"), value.strip(" `*.")) for name, _, value in parts]
