"""What is wrong on purpose in the invented TripAdvisor exports: items of each city, each of a named kind."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sources.invented.cities import CitySpec
from sources.invented.items import PlantedItem

CHANGES: dict[str, dict[str, Any]] = {
    "closed": {"isClosed": True},
    "long_closed": {"isLongClosed": True},
    "missing_id": {"id": None},
    "missing_name": {"name": None},
    "missing_type": {"type": None},
    "unknown_type": {"type": "VACATION_RENTAL"},
    "missing_coordinates": {"latitude": None, "longitude": None},
    "zero_coordinates": {"latitude": 0, "longitude": 0},
    "text_coordinates": {"latitude": "north", "longitude": "west"},
    "impossible_rating": {"rating": 9.5},
    "wrong_type_rating": {"rating": "excellent"},
    "missing_rating": {"rating": None, "numberOfReviews": 0},
    "price_range_as_level": {"priceLevel": "$25 - $1,200"},
    "missing_price_and_cuisines": {"priceLevel": None, "cuisines": None},
    "cuisines_as_text": {"cuisines": "Italian, Pizza"},
    "missing_hours": {"hours": None},
    "hours_of_no_day": {"hours": {"weekRanges": [], "timezone": None}},
    "hours_end_before_they_begin": {"hours": {"weekRanges": [[{"open": 1200, "close": 600}]] * 7, "timezone": "UTC"}},
    "hours_as_text": {"hours": {"weekRanges": [[{"open": "ten", "close": "late"}]] * 7, "timezone": "UTC"}},
}
"""What is changed in a good restaurant."""


def planted_items(city: CitySpec, good: dict[str, Any]) -> Iterator[PlantedItem]:
    """Yield the items that end the city's export, made of a good one; none of them is part of the truth."""
    changes = {
        **CHANGES,
        "outside_city": {"latitude": round(city.box.north + 0.2, 5)},
        "homonym_city": {"latitude": round(city.box.north + 2.5, 5), "locationString": city.name},
    }
    for number, (kind, change) in enumerate(changes.items(), start=1):
        item = {**good, "id": f"99000{number:03d}", "name": f"{good['name']} {number}", **change}
        yield PlantedItem(kind, item, item["id"] or "")
    yield PlantedItem("duplicate_id_copy", {**good, "id": "99000900"}, "99000900")
    yield PlantedItem("duplicate_id_copy", {**good, "id": "99000900"}, "99000900")
    yield PlantedItem("duplicate_id_conflict", {**good, "id": "99000900", "name": "Another Name"}, "99000900")
