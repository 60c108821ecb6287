"""Rows and cities that the clean stage's tests share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from schemas.recipe import City
from schemas.recipe_values import Box


@pytest.fixture
def cities() -> list[City]:
    """Return two towns of one name, in two states (defect T13)."""
    indiana = Box(south=39.0, west=-86.7, north=39.3, east=-86.4)
    illinois = [(40.4, -89.1), (40.6, -89.1), (40.5, -88.8)]
    return [
        City(city_id="us-in-bloomington", name="Bloomington", country="US", box=indiana),
        City(city_id="us-il-bloomington", name="Bloomington", country="US", polygon=illinois),
    ]


@pytest.fixture
def yelp_row() -> Callable[..., dict[str, Any]]:
    """Return a function from an id and changes to a Yelp business in Bloomington, Indiana."""

    def make(native_id: str, **changes: Any) -> dict[str, Any]:
        row = {
            "business_id": native_id,
            "name": f"Place {native_id}",
            "address": f"{native_id} Main St",
            "city": "Bloomington",
            "latitude": 39.16,
            "longitude": -86.53,
            "stars": 4.0,
            "review_count": 10,
            "is_open": 1,
            "attributes": None,
            "categories": "Restaurants, Thai",
        }
        return row | changes

    return make


@pytest.fixture
def published_row() -> Callable[..., dict[str, Any]]:
    """Return a function from role, id and changes to a row of a published table in Bloomington, Indiana."""
    ratings = {
        "restaurants": {a: f"good {a}" for a in ("flavor", "freshness", "service", "environment", "value")},
        "hotels": {a: f"average {a}" for a in ("quality", "location", "service", "safety")},
        "attractions": {
            f"{a} oriented": f"high {a} oriented"
            for a in ("family", "history", "activity", "nature", "food", "shopping")
        },
    }

    def make(role: str, native_id: str, **changes: Any) -> dict[str, Any]:
        row = {
            "business_id": native_id,
            "name": f"Place {native_id}",
            "address": f"{native_id} Main St",
            "latitude": 39.16,
            "longitude": -86.53,
            "stars": 4.0,
            "price": "$$",
        }
        return row | ratings[role] | changes

    return make
