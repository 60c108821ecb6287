"""Apify's exports of Airbnb listings, both generations, told apart item by item.

The first has `location`, `pricing` and `numberOfGuests`; the second `coordinates`, `price` and `personCapacity`.
Either may give the price of a month or of the whole stay, as Airbnb does of long ones: of a night it says nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from schemas.rejection import Reason
from schemas.source import SourceError
from sources.airbnb.rule_words import rule_states
from sources.airbnb.values import ID_SPACE, listing_id, money, room_type
from sources.formats.apify import read_items
from sources.formats.fields import coordinates, optional_list, optional_object, optional_text, rating, required_text
from sources.formats.jsonl import RowError, rejection
from sources.formats.unpacking import RawInput
from sources.formats.unreadable import Unreadable

_ROOM_URL = re.compile(r"/rooms/(?:plus/)?([0-9]+)")


def read_apify(file: RawInput, rejected: list[dict[str, str]]) -> Iterator[dict[str, Any]]:
    """Yield rows of `Stay` without a city; items that cannot be used go to `rejected`.

    Raises SourceError if no item looks like a listing of either generation.
    """
    looked_like_one = False
    first_keys: str | None = None
    unreadable = Unreadable(file, rejected)
    for pointer, item in unreadable.count(read_items(file, rejected)):
        first_keys = first_keys or ", ".join(list(item)[:12])
        looked_like_one = looked_like_one or _generation(item) is not None
        try:
            yield parse_item(item, pointer)
        except RowError as bad:
            rejected.append(rejection(pointer, bad))
    if not looked_like_one:
        raise SourceError(
            f"{file.snapshot.location}: found {f'items with the keys {first_keys}' if first_keys else 'no object'}; "
            "expected Airbnb listings with `location` or `coordinates`. Bind an Apify export of Airbnb listings."
        )
    unreadable.require_few()


def parse_item(item: dict[str, Any], pointer: str) -> dict[str, Any]:
    """Return one item's row of `Stay` without a city. Raises RowError where it cannot be used."""
    parse = _generation(item)
    if parse is None:
        raise RowError(Reason.BAD_VALUE, f"found the keys {', '.join(list(item)[:12])}, expected an Airbnb listing")
    return {**parse(item), "source": "airbnb", "source_rows": [pointer]}


def _generation(item: dict[str, Any]) -> Callable[[dict[str, Any]], dict[str, Any]] | None:
    if "coordinates" in item or "personCapacity" in item:
        return _second
    if "location" in item or "numberOfGuests" in item:
        return _first
    return None


def _first(item: dict[str, Any]) -> dict[str, Any]:
    location, pricing = optional_object(item, "location"), optional_object(item, "pricing")
    rate = optional_object(pricing, "rate")
    amount = rate.get("amount")
    if isinstance(amount, int | float) and not isinstance(amount, bool):
        price, sign = (amount or None, None)
    else:
        price, sign = money(optional_text(rate, "amount"))
    currency = optional_text(rate, "currency").strip().upper() or sign
    if currency is not None and not re.fullmatch("[A-Z]{3}", currency):
        raise RowError(Reason.BAD_VALUE, f"currency: found {currency!r}, expected three letters")
    is_by_night = optional_text(pricing, "rateType").strip().lower() in ("", "nightly")
    price = _not_negative(price) if is_by_night and rate.get("isMicrosAccuracy") is not True else None
    return {
        **_common(item, required_text(item, "name"), location.get("lat"), location.get("lng")),
        "address": optional_text(item, "address"),
        "price_per_night": price,
        "currency": currency if price else None,
        "max_occupancy": _positive(item, "numberOfGuests"),
        "rating": rating(item.get("stars")),
        "review_count": None,
        "house_rules": None,
        "unknown_rules": None,
        "house_rule_texts": None,
    }


def _second(item: dict[str, Any]) -> dict[str, Any]:
    point, price, ratings = (
        optional_object(item, "coordinates"),
        optional_object(item, "price"),
        optional_object(item, "rating"),
    )
    amount, currency = money(optional_text(price, "amount"))
    is_by_night = optional_text(price, "qualifier").strip().lower() in ("night", "per night")
    texts = _rule_texts(item)
    states = rule_states(texts)
    return {
        **_common(item, required_text(item, "title"), point.get("latitude"), point.get("longitude")),
        "address": "",
        "price_per_night": amount if is_by_night else None,
        "currency": currency if is_by_night else None,
        "max_occupancy": _positive(item, "personCapacity"),
        "rating": rating(ratings.get("guestSatisfaction")),
        "review_count": _positive(ratings, "reviewsCount", least=0),
        "house_rules": list(states.forbidden) if texts else None,
        "unknown_rules": list(states.unknown) if texts else None,
        "house_rule_texts": texts or None,
    }


def _common(item: dict[str, Any], name: str, lat: Any, lon: Any) -> dict[str, Any]:
    match = _ROOM_URL.search(optional_text(item, "url"))
    native_id = listing_id(str(item.get("id") or (match[1] if match else "")))
    lat, lon = coordinates(lat, lon)
    return {
        "place_id": f"{ID_SPACE}:{native_id}",
        "native_id": native_id,
        "name": name,
        "lat": lat,
        "lon": lon,
        "room_type": room_type(required_text(item, "roomType")),
        "min_nights": None,
    }


def _rule_texts(item: dict[str, Any]) -> list[str]:
    """Return every rule's title; nothing where the export did not ask for them."""
    sections = optional_list(optional_object(item, "houseRules"), "general")
    values = [v for section in sections if isinstance(section, dict) for v in optional_list(section, "values")]
    titles = [optional_text(value, "title").strip() for value in values if isinstance(value, dict)]
    return [title for title in titles if title]


def _positive(item: dict[str, Any], key: str, *, least: int = 1) -> int | None:
    value = item.get(key)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 2**40:
        raise RowError(Reason.BAD_VALUE, f"{key}: found {value!r}, expected a whole number")
    return value if value >= least else None


def _not_negative(price: float | None) -> float | None:
    if price is not None and not 0 < price < 1e9:
        raise RowError(Reason.BAD_VALUE, f"price: found {str(price)[:40]}, expected an amount")
    return None if price is None else float(price)
