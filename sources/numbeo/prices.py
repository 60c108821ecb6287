"""Numbeo: what eating out costs in each city, as an index (New York = 100) or as prices of meals; JSON or CSV.

What a meal costs at a restaurant is decided in `assets/clean/meal_cost.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from schemas.recipe import City
from schemas.recipe_values import NO_CURRENCY
from schemas.rejection import Reason
from schemas.source import Source, SourceError, SourceFile
from sources.airbnb.values import money
from sources.cities.named_city import named_city
from sources.formats.csv_rows import read_records
from sources.formats.fields import optional_text, required_text
from sources.formats.json_documents import documents
from sources.formats.jsonl import RowError, rejection
from sources.formats.unpacking import RawInput, unpacked
from sources.formats.unreadable import Unreadable

SOURCE = Source(
    name="numbeo",
    title="Numbeo restaurant prices",
    homepage="https://www.numbeo.com/",
    licence_id="LicenseRef-API-terms",
    attribution="Numbeo",
    files=(SourceFile("prices", "JSON or CSV: city, country, Restaurant_Price_Index or item prices"),),
    how_to_get="Export a table of Numbeo's, under a licence of your own.",
    tables=("city_price",),
)

CITY_COLUMNS = ("city", "country")
INDEX_COLUMNS = ("Restaurant_Price_Index", "Restaurant Price Index", "restaurant_price_index")
MEAL_COLUMNS = ("Meal, Inexpensive Restaurant", "Meal at an Inexpensive Restaurant", "inexpensive_meal")
CURRENCY_COLUMNS = ("currency", "Currency")


def read_prices(file: RawInput, cities: list[City], rejected: list[dict[str, str]]) -> list[dict[str, Any]]:
    """Return what the file says of the cities as rows of `CityPrice`, one a row of the file, in its order.

    A city is named "Omaha, NE" with its country, or in columns of its own. A meal's price without a currency is in
    the city's own. Rows that cannot be used go to `rejected`; raises SourceError for a file without Numbeo's columns.
    """
    prices = []
    unreadable = Unreadable(file, rejected)
    for pointer, row in unreadable.count(items(file, rejected)):
        try:
            prices.append(parse_price(row, pointer, cities))
        except RowError as bad:
            rejected.append(rejection(pointer, bad))
    unreadable.require_few()
    return prices


def items(file: RawInput, rejected: list[dict[str, str]]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each record or object of the file with its pointer."""
    with unpacked(file) as stream:
        is_json = stream.read(4096).removeprefix(b"\xef\xbb\xbf").lstrip()[:1] in (b"[", b"{")
    if not is_json:
        yield from read_records(file, CITY_COLUMNS, "Numbeo's prices by city", lambda row, at: (at, row), rejected)
        return
    first, looked_like_one = "no object", False
    for locator, row in documents(file, rejected):
        first = ", ".join(list(row)[:12]) if first == "no object" else first
        looked_like_one = looked_like_one or all(column in row for column in CITY_COLUMNS)
        yield file.snapshot.pointer(locator), row
    if not looked_like_one:
        raise SourceError(
            f"{file.snapshot.location}: found {first}; expected Numbeo's prices by city, with city and country. Bind "
            "that file to the role `prices`."
        )


def parse_price(row: dict[str, Any], pointer: str, cities: list[City]) -> dict[str, Any]:
    """Return one record's row of `CityPrice`. Raises RowError where it cannot be used or names none of the cities."""
    name, _, region = required_text(row, "city").partition(",")
    region = region.strip() or optional_text(row, "region") or optional_text(row, "state")
    city = named_city(name.strip(), region.strip(), required_text(row, "country").strip(), cities)
    index, _ = _amount(row, INDEX_COLUMNS)
    meal, sign = _amount(row, MEAL_COLUMNS)
    if index is None and meal is None:
        raise RowError(Reason.MISSING_VALUE, f"found neither {INDEX_COLUMNS[0]} nor {MEAL_COLUMNS[0]}")
    code = next((optional_text(row, column) for column in CURRENCY_COLUMNS if row.get(column)), "").strip().upper()
    currency = code or sign or city.currency
    if meal is not None and currency == NO_CURRENCY:
        raise RowError(
            Reason.MISSING_VALUE, f"a meal for {meal:g} in no named currency; give {city.city_id} its `currency`"
        )
    if meal is not None and not re.fullmatch("[A-Z]{3}", currency):
        raise RowError(Reason.BAD_VALUE, f"currency: found {currency!r}, expected three letters")
    return {
        "city_id": city.city_id,
        "restaurant_index": index,
        "inexpensive_meal": meal,
        "currency": currency if meal is not None else None,
        "source_rows": [pointer],
    }


def _amount(row: dict[str, Any], columns: tuple[str, ...]) -> tuple[float | None, str | None]:
    """Return a positive amount and the currency of its sign; None where the row has none."""
    column = next((column for column in columns if row.get(column) not in (None, "")), None)
    if column is None:
        return None, None
    value = row[column]
    amount, sign = (value, None) if not isinstance(value, str) else money(value)
    if isinstance(amount, bool) or not isinstance(amount, int | float) or not 0 < amount < 1e9:
        raise RowError(Reason.BAD_VALUE, f"{column}: found {value!r}, expected a positive amount")
    return float(amount), sign
