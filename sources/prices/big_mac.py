"""The Economist's Big Mac index: the local price of one meal that is the same everywhere, and the exchange rate."""

from __future__ import annotations

import datetime as dt
import re
from typing import Any

from schemas.rejection import Reason
from schemas.source import Source, SourceFile
from sources.cities.country_names import country_of_alpha3
from sources.formats.csv_rows import read_records
from sources.formats.fields import required_text
from sources.formats.jsonl import RowError, rejection
from sources.formats.unpacking import RawInput

SOURCE = Source(
    name="big_mac",
    title="The Economist's Big Mac index",
    homepage="https://github.com/TheEconomist/big-mac-data",
    licence_id="CC-BY-4.0",
    attribution="The Economist, Big Mac index",
    files=(SourceFile("prices", "CSV: date, iso_a3, currency_code, name, local_price, dollar_ex, …"),),
    how_to_get="Download output-data/big-mac-raw-index.csv of the repository.",
    tables=("big_mac_price",),
)

COLUMNS = ("date", "iso_a3", "currency_code", "local_price", "dollar_ex")
EURO_AREA = "EUZ"

_AMOUNT = re.compile(r"[0-9]{1,12}(\.[0-9]{1,20})?([eE]\+?[0-9]{1,2})?")
"""The file writes four million as 4e+06."""


def read_big_mac(file: RawInput, rejected: list[dict[str, str]]) -> list[dict[str, Any]]:
    """Return every price of the file as rows of `BigMacPrice`, in file order.

    Rows that cannot be used go to `rejected`; raises SourceError for a file without the columns.
    """
    prices: list[dict[str, Any]] = []
    earlier_keys: set[tuple[str, str]] = set()
    rows = read_records(file, COLUMNS, "the Big Mac index", lambda row, at: (row, at), rejected)
    for row, pointer in rows:
        try:
            price = _price(row)
            key = (price["area"], price["date"])
            if key in earlier_keys:
                raise RowError(Reason.DUPLICATE, f"{key[0]} on {key[1]} again")
            earlier_keys.add(key)
            prices.append({**price, "source_rows": [pointer]})
        except RowError as bad:
            rejected.append(rejection(pointer, bad))
    return prices


def _price(row: dict[str, str]) -> dict[str, Any]:
    date, area, currency = (required_text(row, column).strip() for column in ("date", "iso_a3", "currency_code"))
    if not _is_a_date(date):
        raise RowError(Reason.BAD_VALUE, f"date: found {date!r:.20}, expected YYYY-MM-DD")
    country = country_of_alpha3(area)
    if country is None and area != EURO_AREA:
        raise RowError(Reason.BAD_VALUE, f"iso_a3: found {area!r:.20}, expected a country's alpha-3 or {EURO_AREA}")
    if not re.fullmatch("[A-Z]{3}", currency):
        raise RowError(Reason.BAD_VALUE, f"currency_code: found {currency!r:.20}, expected three letters")
    return {
        "area": area,
        "date": date,
        "country": country,
        "currency": currency,
        "local_price": _amount(row, "local_price"),
        "units_per_usd": _amount(row, "dollar_ex"),
    }


def _amount(row: dict[str, str], column: str) -> float:
    text = required_text(row, column).strip()
    value = float(text) if _AMOUNT.fullmatch(text) else 0.0
    if not 0 < value < 1e12:
        raise RowError(Reason.BAD_VALUE, f"{column}: found {text!r:.40}, expected a positive number")
    return value


def _is_a_date(text: str) -> bool:
    try:
        return dt.date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False
