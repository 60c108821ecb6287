"""What is wrong on purpose in the invented events: of each city's pages and export, each of a named kind."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

from sources.invented.cities import CitySpec
from sources.invented.items import PlantedItem

Event = dict[str, Any]


def planted_events(city: CitySpec, good: Event) -> Iterator[PlantedItem]:
    """Yield the events that end the city's last page, made of a good one."""
    start, [venue] = good["dates"]["start"], good["_embedded"]["venues"]
    changes: dict[str, dict[str, Any]] = {
        "missing_name": {"name": None},
        "missing_id": {"id": None},
        "cancelled": {"dates": {**good["dates"], "status": {"code": "cancelled"}}},
        "postponed": {"dates": {**good["dates"], "status": {"code": "postponed"}}},
        "date_to_be_decided": {"dates": {**good["dates"], "start": {"dateTBD": True}}},
        "impossible_date": {"dates": {**good["dates"], "start": {**start, "localDate": "2024-11-31"}}},
        "missing_dates": {"dates": None},
        "missing_classifications": {"classifications": []},
        "segment_undefined": {"classifications": [{"primary": True, "segment": {"name": "Undefined"}}]},
        "missing_venue": {"_embedded": {}},
        "venue_without_location": {"_embedded": {"venues": [{k: v for k, v in venue.items() if k != "location"}]}},
        "venue_location_not_numbers": {
            "_embedded": {"venues": [{**venue, "location": {"longitude": "west", "latitude": "north"}}]}
        },
        "venue_outside_city": {
            "_embedded": {
                "venues": [{**venue, "location": {"longitude": str(city.lon), "latitude": str(city.box.north + 2.5)}}]
            }
        },
        "price_free_of_type": {"priceRanges": [{"type": "standard", "currency": "USD", "min": "free", "max": None}]},
        "test_event": {"test": True},
    }
    for number, (kind, change) in enumerate(changes.items(), start=1):
        event = {**copy.deepcopy(good), "id": f"G5bad{number:03d}", "name": f"{good['name']} {number}", **change}
        yield PlantedItem(kind, event, event["id"] or "")
    yield PlantedItem("duplicate_id", good, good["id"])


def planted_exports(good: Event) -> Iterator[PlantedItem]:
    """Yield the items that end the city's export, made of a good one."""
    changes: dict[str, dict[str, Any]] = {
        "missing_name": {"name": None},
        "missing_date": {"dateTitle": None},
        "date_to_be_announced": {"dateTitle": "TBA"},
        "impossible_date": {"dateTitle": "31-11-2024"},
        "impossible_day_without_year": {"dateTitle": "Feb 30"},
        "missing_segment": {"segmentName": None},
        "missing_locality": {"addressLocality": None},
        "locality_of_another_region": {"addressRegion": "ZZ"},
        "unknown_locality": {"addressLocality": "Nowhere upon Sea"},
        "price_with_sign": {"offer": {"price": "$1,234.50"}},
        "missing_street": {"streetAddress": None},
    }
    for number, (kind, change) in enumerate(changes.items(), start=1):
        item = {
            **good,
            "id": f"G5worse{number:03d}",
            "url": f"https://events.example/event/G5worse{number:03d}",
            "name": f"{good['name']} {number}",
            **change,
        }
        yield PlantedItem(kind, item, item["id"])
    yield PlantedItem("duplicate_id", good, good["id"])
