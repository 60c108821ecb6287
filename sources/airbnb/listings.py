"""Airbnb listings: Inside Airbnb's `listings.csv` (summary or detailed, packed or not), and Apify's exports as JSON.

What a file does not say stays unknown: Inside Airbnb has no house rules, so none are ever claimed for it.
Apify's two generations are read in `airbnb_apify.py`; which listings a task may use is decided in `assets/`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from schemas.counts import counted
from schemas.recipe import City
from schemas.recipe_values import NO_CURRENCY
from schemas.rejection import Reason
from schemas.source import Source, SourceFile
from sources.airbnb.apify import read_apify
from sources.airbnb.values import ID_SPACE, listing_id, money, room_type
from sources.cities.area import within_cities
from sources.formats.csv_rows import read_records
from sources.formats.fields import coordinates, required_text
from sources.formats.jsonl import RowError, rejection
from sources.formats.numbers import decimal
from sources.formats.unpacking import RawInput

SOURCE = Source(
    name="airbnb",
    title="Airbnb listings",
    homepage="https://insideairbnb.com/",
    licence_id="LicenseRef-scraped",
    attribution="Airbnb hosts; Inside Airbnb where its files are bound",
    files=(
        SourceFile("listings", "CSV: Inside Airbnb's listings.csv or listings.csv.gz", required=False),
        SourceFile("apify", "JSON array or JSON lines: an Apify export of Airbnb listings", required=False),
    ),
    how_to_get="Download a city's listings from Inside Airbnb and declare its licence, CC-BY-4.0, in the recipe; or "
    "export a dataset of your own Apify run, which may not be shared.",
    tables=("stay",),
)

LISTINGS_COLUMNS = ("id", "name", "latitude", "longitude", "room_type")
HUNDRED_POINT_SCALE = 20.0
"""Inside Airbnb's older detailed files rate 20 to 100, its newer ones 1 to 5: what exceeds 5 is divided by 20."""


def read_stays(file: RawInput, cities: list[City], rejected: list[dict[str, str]]) -> list[dict[str, Any]]:
    """Return the file's listings inside the cities as rows of `Stay`, in its order; the other rows go to `rejected`.

    A file of role `apify` is an Apify export, any other Inside Airbnb's CSV, whose prices are in the city's own
    currency whatever sign they carry (Inside Airbnb's data dictionary). Of rows with one id the first is kept.
    Raises SourceError if the file is not what its role promises.
    """
    rows = read_apify(file, rejected) if file.snapshot.role == "apify" else _read_listings(file, rejected)
    earlier_ids: set[str] = set()
    stays = []
    for row in rows:
        if row["native_id"] in earlier_ids:
            bad = RowError(Reason.DUPLICATE, f"id {row['native_id']} was already taken")
            rejected.append(rejection(row["source_rows"][0], bad))
            continue
        earlier_ids.add(row["native_id"])
        stays.append(row)
    currency = {city.city_id: city.currency for city in cities if city.currency != NO_CURRENCY}
    inside = within_cities(stays, cities, rejected)
    for row in inside:
        if file.snapshot.role != "apify" and row["price_per_night"] is not None:
            row["currency"] = currency.get(row["city_id"])
    return inside


def _read_listings(file: RawInput, rejected: list[dict[str, str]]) -> Iterator[dict[str, Any]]:
    return read_records(file, LISTINGS_COLUMNS, "Inside Airbnb's listings", parse_listing, rejected)


def parse_listing(record: dict[str, str], pointer: str) -> dict[str, Any]:
    """Return one record's row of `Stay` without a city and a currency. Raises RowError where it cannot be used."""
    if None in (record.get(column) for column in LISTINGS_COLUMNS):
        raise RowError(Reason.BAD_VALUE, f"the record has {counted(len(record), 'field')}, too few for its header")
    lat, lon = coordinates(_number(record, "latitude"), _number(record, "longitude"))
    native_id = listing_id(record["id"])
    price, _ = money(record.get("price", ""))
    rating = _number(record, "review_scores_rating")
    if rating is not None and rating > 5:
        rating /= HUNDRED_POINT_SCALE
    if rating is not None and not 0 <= rating <= 5:
        raise RowError(
            Reason.BAD_VALUE,
            f"review_scores_rating: found {record['review_scores_rating']!r}, expected 0 to 5, or to 100",
        )
    return {
        "place_id": f"{ID_SPACE}:{native_id}",
        "source": SOURCE.name,
        "native_id": native_id,
        "name": required_text(record, "name"),
        "address": "",
        "lat": lat,
        "lon": lon,
        "room_type": room_type(record["room_type"]),
        "price_per_night": price,
        "currency": None,
        "max_occupancy": _count(record, "accommodates"),
        "min_nights": _count(record, "minimum_nights"),
        "rating": rating or None,
        "review_count": _count(record, "number_of_reviews", least=0),
        "house_rules": None,
        "unknown_rules": None,
        "house_rule_texts": None,
        "source_rows": [pointer],
    }


def _number(record: dict[str, str], column: str) -> float | None:
    """Return a decimal number, None for blank or absent text. Raises RowError(bad_value)."""
    text = record.get(column, "").strip()
    if not text:
        return None
    if re.fullmatch(r"[-+]?[0-9]+(\.[0-9]*)?([eE][-+]?[0-9]+)?", text):
        return float(text)
    value = decimal(text)
    if value is None:
        raise RowError(Reason.BAD_VALUE, f"{column}: found {text!r}, expected a number")
    return value


def _count(record: dict[str, str], column: str, *, least: int = 1) -> int | None:
    """Return a whole number, None where it is blank or below `least`, as 0 guests is. Raises RowError(bad_value)."""
    value = _number(record, column)
    if value is None or value < least:
        return None
    if value >= 2**40 or value != int(value):
        raise RowError(Reason.BAD_VALUE, f"{column}: found {record[column]!r}, expected a whole number")
    return int(value)
