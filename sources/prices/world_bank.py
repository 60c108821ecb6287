"""The World Bank's price level ratio (indicator PA.NUS.PPPC.RF): what prices are beside those of the United States.

A wide CSV: a preamble, then a header with a column a year, then a row an economy.
"""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections.abc import Iterator
from typing import Any

from schemas.counts import counted
from schemas.rejection import Reason
from schemas.source import Source, SourceError, SourceFile
from sources.cities.country_names import country_of_alpha3
from sources.formats.jsonl import RowError, rejection
from sources.formats.unpacking import RawInput, unpacked

SOURCE = Source(
    name="world_bank",
    title="World Bank price level ratio",
    homepage="https://data.worldbank.org/indicator/PA.NUS.PPPC.RF",
    licence_id="CC-BY-4.0",
    attribution="World Bank, World Development Indicators, price level ratio of PPP conversion factor (GDP)",
    files=(SourceFile("price_levels", "CSV: an economy a row, a year a column, after a preamble"),),
    how_to_get="Download indicator PA.NUS.PPPC.RF as CSV from data.worldbank.org and bind the data file of the zip.",
    tables=("country_price_level",),
)

INDICATOR = "PA.NUS.PPPC.RF"
NAME, CODE, INDICATOR_CODE = "Country Name", "Country Code", "Indicator Code"
PREAMBLE_LINES = 20
"""The header is looked for in so many records."""

MOST_LEVEL = 10.0
"""No economy has been ten times as dear as the United States; a higher number is no ratio."""

_YEAR = re.compile(r"[12][0-9]{3}")
_CODE = re.compile(r"[A-Z0-9]{3}")


def read_price_levels(file: RawInput, rejected: list[dict[str, str]]) -> list[dict[str, Any]]:
    """Return the newest known level of every economy as rows of `CountryPriceLevel`, in file order.

    An economy of which no year is known is rejected. Raises SourceError for a file that is not this indicator's.
    """
    levels: list[dict[str, Any]] = []
    earlier_economies: set[str] = set()
    for row, locator in _records(file):
        pointer = file.snapshot.pointer(locator)
        try:
            level = _level(row)
            if level["economy"] in earlier_economies:
                raise RowError(Reason.DUPLICATE, f"{level['economy']} again")
            earlier_economies.add(level["economy"])
            levels.append({**level, "source_rows": [pointer]})
        except RowError as bad:
            rejected.append(rejection(pointer, bad))
    return levels


def raw_economies(file: RawInput, locators: set[str]) -> dict[str, str]:
    """Return the row of each economy as JSON by column, by its locator `economy/FIN`."""
    rows = ((locator, row) for row, locator in _records(file))
    return {at: json.dumps(row, ensure_ascii=False) for at, row in rows if at in locators}


def _records(file: RawInput) -> Iterator[tuple[dict[str, str], str]]:
    """Yield each record after the header by column, and its locator. Raises SourceError for any other file."""
    expected = f"the World Bank's CSV of {INDICATOR}, with {NAME}, {CODE}, {INDICATOR_CODE} and a column a year"
    with unpacked(file) as stream:
        reader = csv.reader(io.TextIOWrapper(stream, encoding="utf-8-sig", newline=""))
        try:
            header, first = _header(reader)
            if not {NAME, CODE, INDICATOR_CODE} <= set(header) or not any(map(_YEAR.fullmatch, header)):
                raise SourceError(
                    f"{file.snapshot.location}: found {first[:200] or 'nothing'}; expected {expected}. Bind that file "
                    f"to the role `{file.snapshot.role}`."
                )
            for number, values in enumerate(filter(None, reader), 1):
                row = dict(zip(header, values, strict=False))
                code = row.get(CODE, "")
                yield row, f"economy/{code if _CODE.fullmatch(code) else number}"
        except (csv.Error, UnicodeDecodeError) as error:
            raise SourceError(
                f"{file.snapshot.location}: found text that is not CSV in UTF-8 ({error}); expected {expected}. Get "
                "the file again."
            ) from None


def _header(reader: Iterator[list[str]]) -> tuple[list[str], str]:
    """Return the first record that names the columns, else nothing; and the file's first record, as text."""
    first = ""
    for _, values in zip(range(PREAMBLE_LINES), reader, strict=False):
        columns = [value.strip() for value in values]
        first = first or ", ".join(columns)
        if {NAME, CODE} <= set(columns):
            return columns, first
    return [], first


def _level(row: dict[str, str]) -> dict[str, Any]:
    if not {NAME, CODE, INDICATOR_CODE} <= set(row):
        raise RowError(
            Reason.BAD_VALUE, f"found {counted(len(row), 'field')}, expected at least name, code and indicator"
        )
    if row[INDICATOR_CODE] != INDICATOR:
        raise RowError(Reason.OTHER_CATEGORY, f"found the indicator {row[INDICATOR_CODE]!r:.40}, expected {INDICATOR}")
    economy, name = row[CODE].strip(), row[NAME].strip()
    if not _CODE.fullmatch(economy) or not name:
        raise RowError(Reason.BAD_VALUE, f"found {economy!r:.20}, {name!r:.40}; expected a code of three and a name")
    texts_by_year = {int(year): text for year, text in row.items() if _YEAR.fullmatch(year) and text.strip()}
    if not texts_by_year:
        raise RowError(Reason.MISSING_VALUE, f"no year of {economy} is known")
    year = max(texts_by_year)
    return {
        "economy": economy,
        "country": country_of_alpha3(economy),
        "name": name,
        "year": year,
        "price_level": _ratio(texts_by_year[year], year),
    }


def _ratio(text: str, year: int) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 < value <= MOST_LEVEL:
        raise RowError(Reason.BAD_VALUE, f"{year}: found {text!r:.40}, expected a ratio above 0, at most {MOST_LEVEL}")
    return value
