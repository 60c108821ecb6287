"""TripAdvisor: restaurants, attractions and hotels, from Apify's exports as JSON array, JSON lines or CSV.

The older exports write numbers as text and call the cuisines `cuisine`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from schemas.osm import ATTRACTION_CATEGORIES
from schemas.recipe import City
from schemas.rejection import Reason
from schemas.source import Source, SourceError, SourceFile
from sources.cities.area import within_cities
from sources.formats.apify import read_items
from sources.formats.apify_csv import nested
from sources.formats.csv_rows import read_records
from sources.formats.fields import coordinates, optional_text, rating, required_id, required_text
from sources.formats.jsonl import RowError, rejection
from sources.formats.numbers import decimal, id_text, is_currency_sign
from sources.formats.unpacking import RawInput, unpacked
from sources.formats.unreadable import Unreadable
from sources.tripadvisor.week_ranges import opening_hours

SOURCE = Source(
    name="tripadvisor",
    title="TripAdvisor places",
    homepage="https://www.tripadvisor.com/",
    licence_id="LicenseRef-scraped",
    attribution="TripAdvisor",
    files=(SourceFile("places", "JSON array, JSON lines or CSV: an Apify export of TripAdvisor"),),
    how_to_get="Export a dataset of your own Apify run, which may not be shared.",
    tables=("tripadvisor_place",),
)

KINDS = {"RESTAURANT": "restaurant", "ATTRACTION": "attraction", "HOTEL": "stay"}
MEALS = {
    "breakfast": "breakfast", "brunch": "brunch", "lunch": "lunch", "dinner": "dinner", "late night": "latenight",
    "dessert": "dessert",
}  # fmt: skip
"""TripAdvisor's meal types in our words; others, such as drinks, are no meals."""

CATEGORIES = {name.casefold(): name for name in ATTRACTION_CATEGORIES}
NEEDED = ("id", "type", "name", "latitude", "longitude")
NUMBERS = ("rating", "numberOfReviews", "latitude", "longitude", "open", "close")
_SIGNS = re.compile(r"(\S)(\1{0,3})(?: ?- ?(\1{1,4}))?")


def read_places(file: RawInput, cities: list[City], rejected: list[dict[str, str]]) -> list[dict[str, Any]]:
    """Return the export's open places in the cities as rows of `TripadvisorPlace`, in its order.

    The others go to `rejected`; of places with one id the first is kept. Raises SourceError if no item has an id, a
    type, a name and coordinates, as TripAdvisor's have.
    """
    places = []
    earlier_ids: set[str] = set()
    keys, looked_like_one = "", False
    unreadable = Unreadable(file, rejected)
    for pointer, item in unreadable.count(items(file, rejected)):
        keys = keys or ", ".join(list(item)[:12])
        looked_like_one = looked_like_one or all(key in item for key in NEEDED)
        try:
            row = parse_place(item, pointer)
            if row["native_id"] in earlier_ids:
                raise RowError(Reason.DUPLICATE, f"id {row['native_id']} was already taken")
            earlier_ids.add(row["native_id"])
            places.append(row)
        except RowError as bad:
            rejected.append(rejection(pointer, bad))
    if not looked_like_one:
        raise SourceError(
            f"{file.snapshot.location}: found {f'items with the keys {keys}' if keys else 'no object'}; expected "
            f"TripAdvisor places with {', '.join(NEEDED)}. Bind an Apify export of TripAdvisor to the role `places`."
        )
    unreadable.require_few()
    return within_cities(places, cities, rejected)


def items(file: RawInput, rejected: list[dict[str, str]]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each place of the export with its pointer; of a CSV, as the item that the JSON export has."""
    with unpacked(file) as stream:
        is_json = stream.read(4096).removeprefix(b"\xef\xbb\xbf").lstrip()[:1] in (b"[", b"{")
    if is_json:
        yield from read_items(file, rejected)
        return
    expected = "an Apify export of TripAdvisor"
    blank = dict.fromkeys(NEEDED)
    yield from read_records(file, NEEDED, expected, lambda row, at: (at, {**blank, **nested(row, NUMBERS)}), rejected)


def parse_place(item: dict[str, Any], pointer: str) -> dict[str, Any]:
    """Return one item's row of `TripadvisorPlace` without a city. Raises RowError where it cannot be used."""
    native_id = id_text(required_id(item, "id"))
    if not re.fullmatch(r"[0-9]{1,20}", native_id):
        raise RowError(Reason.BAD_VALUE, f"id: found {native_id!r}, expected digits")
    name = required_text(item, "name")
    kind = KINDS.get(required_text(item, "type").strip().upper())
    if kind is None:
        raise RowError(Reason.OTHER_CATEGORY, f"type: found {item['type']!r}, expected one of {', '.join(KINDS)}")
    if item.get("isClosed") is True or item.get("isLongClosed") is True:
        raise RowError(Reason.CLOSED, "isClosed or isLongClosed: found true")
    lat, lon = coordinates(_number(item.get("latitude")), _number(item.get("longitude")))
    low, high = price_signs(optional_text(item, "priceLevel"))
    labels = [optional_text(item, "category"), *_texts(item, "subcategories"), *_texts(item, "subtype")]
    labels = list(dict.fromkeys(filter(None, labels)))
    categories = [CATEGORIES[label.casefold()] for label in labels if label.casefold() in CATEGORIES]
    meals = [MEALS[text.casefold()] for text in _texts(item, "mealTypes") if text.casefold() in MEALS]
    website = optional_text(item, "website").strip()
    return {
        "place_id": f"{SOURCE.name}:{native_id}",
        "source": SOURCE.name,
        "native_id": native_id,
        "kind": kind,
        "name": name,
        "address": optional_text(item, "address"),
        "lat": lat,
        "lon": lon,
        "rating": rating(_number(item.get("rating"))),
        "review_count": _count(_number(item.get("numberOfReviews"))),
        "price_signs_min": low,
        "price_signs_max": high,
        "price_signs": None if low is None or high is None else (low + high) / 2,
        "cuisines": (_texts(item, "cuisines") or _texts(item, "cuisine")) if kind == "restaurant" else [],
        "meals": list(dict.fromkeys(meals)) if kind == "restaurant" else [],
        "categories": list(dict.fromkeys(categories)) if kind == "attraction" else [],
        "labels": labels,
        "opening_hours": opening_hours(item.get("hours")),
        "website": website if re.fullmatch(r"https?://\S+", website) else None,
        "source_rows": [pointer],
    }


def price_signs(text: str) -> tuple[int | None, int | None]:
    """Return the fewest and most signs of a price level such as "$$ - $$$"; None for blank. Raises RowError."""
    text = text.strip()
    if not text:
        return None, None
    match = _SIGNS.fullmatch(text)
    is_level = match is not None and is_currency_sign(match[1])
    low, high = (1 + len(match[2]), len(match[3] or "") or 1 + len(match[2])) if match and is_level else (1, 0)
    if low > high:
        raise RowError(Reason.BAD_VALUE, f"priceLevel: found {text[:80]!r}, expected $, $$ - $$$ or $$$$")
    return low, high


def _texts(item: dict[str, Any], key: str) -> list[str]:
    """Return a list's texts, or those that one text joins by commas; blanks left out. Raises RowError(bad_value)."""
    value = item.get(key)
    values = value.split(",") if isinstance(value, str) else value or []
    if not isinstance(values, list):
        raise RowError(Reason.BAD_VALUE, f"{key}: found a {type(value).__name__}, expected a list")
    texts = [optional_text({key: text}, key).strip() for text in values]
    return list(dict.fromkeys(filter(None, texts)))


def _number(value: Any) -> Any:
    """Return the number that a text is, None for a blank one; any other value as it is."""
    if not isinstance(value, str):
        return value
    number = decimal(value.strip())
    return (value if number is None else number) if value.strip() else None


def _count(value: Any) -> int | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or value != value // 1 or not 0 <= value < 2**40:
        raise RowError(Reason.BAD_VALUE, f"numberOfReviews: found {value!r}, expected a count")
    return int(value)
