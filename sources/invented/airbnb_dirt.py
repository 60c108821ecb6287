"""What is wrong on purpose in the invented listings: CSV records and items of the export, each of a named kind."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from schemas.stable import stable_hash
from sources.invented.cities import CitySpec
from sources.invented.dirt import HOSTILE_NAMES
from sources.invented.items import PlantedItem
from sources.invented.listings import Listing

CSV_PLANTED = {2: "price_with_sign", 5: "price_with_sign"}
"""Listings whose price the CSV writes with a sign and separators, as the detailed file does."""
SPOILT_NAMES = (1, 3, 4, 6)
"""The listings of each city whose names are spoilt."""


def hostile_listing_name(stay: Listing) -> tuple[str, str] | None:
    """Return the kind of dirt and the spoilt name of the listing, or None for one that keeps its name."""
    if stay.number not in SPOILT_NAMES:
        return None
    turn = SPOILT_NAMES.index(stay.number) + stable_hash("hostile listings", stay.city.city_id)
    kind, pattern = HOSTILE_NAMES[turn % len(HOSTILE_NAMES)]
    return kind, pattern.format(stay.name)


def planted_records(city: CitySpec, first: dict[str, str]) -> Iterator[tuple[str, list[str]]]:
    """Yield kind and values of the records that end the city's CSV, made of its first record."""
    changes: dict[str, dict[str, str]] = {
        "missing_id": {"id": ""},
        "id_lost_to_a_spreadsheet": {"id": "1.2E+17"},
        "missing_coordinates": {"id": "901", "latitude": "", "longitude": ""},
        "zero_coordinates": {"id": "902", "latitude": "0", "longitude": "0"},
        "outside_city": {"id": "903", "latitude": str(round(city.box.north + 0.2, 5))},
        "unknown_room_type": {"id": "904", "room_type": "Tree"},
        "price_not_a_price": {"id": "905", "price": "ask me"},
        "missing_name": {"id": "906", "name": ""},
        "duplicate_id": {},
    }
    for kind, change in changes.items():
        yield kind, list({**first, **change}.values())
    yield "short_record", ["907", "A record cut short"]


def planted_listings(city: CitySpec, first: dict[str, Any]) -> Iterator[PlantedItem]:
    """Yield the items that end the city's export, made of its first item."""
    far = {"latitude": round(city.box.north + 0.2, 5), "longitude": city.lon}
    own_id = int(first["id"])  # what stays a listing has an id that no other city has
    changes: dict[str, dict[str, Any]] = {
        "missing_id": {"id": None, "url": "https://www.airbnb.com/"},
        "missing_coordinates": {"id": "911", "coordinates": None},
        "text_coordinates": {"id": "912", "coordinates": {"latitude": "north", "longitude": "west"}},
        "outside_city": {"id": "913", "coordinates": far},
        "missing_room_type": {"id": "914", "roomType": None},
        "capacity_as_text": {"id": "915", "personCapacity": "four"},
        "impossible_rating": {"id": "916", "rating": {"guestSatisfaction": 48, "reviewsCount": 3}},
        "wrong_type_price": {"id": "917", "price": "$107"},
        "duplicate_id": {},
        "price_of_several_nights": {
            "id": str(own_id + 918),
            "price": {"amount": "$1,234.00", "qualifier": "for 5 nights"},
        },
        "null_price_and_rating": {"id": str(own_id + 919), "price": None, "rating": None},
        "empty_price": {"id": str(own_id + 920), "price": {"amount": "", "qualifier": "night"}},
    }
    for kind, change in changes.items():
        item = {**first, **change}
        yield PlantedItem(kind, item, item["id"] or "")
