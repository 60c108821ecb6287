"""How dear countries are, from the sources' files: each economy's newest level, each Big Mac once."""

from __future__ import annotations

from typing import Any

import pandas as pd

from assets.step import Outcome, RawFile
from schemas.prices import BigMacPrice, CountryPriceLevel
from schemas.rejection import Reason
from schemas.table import Table
from sources.formats.jsonl import RowError, rejection
from sources.prices.big_mac import read_big_mac
from sources.prices.world_bank import read_price_levels


def country_price_levels(files: list[RawFile]) -> Outcome:
    """Return the newest known price level of every economy, of the file read first where several name it."""
    rejected: list[dict[str, str]] = []
    return _once(CountryPriceLevel, [row for file in files for row in read_price_levels(file, rejected)], rejected)


def big_mac_prices(files: list[RawFile]) -> Outcome:
    """Return what a Big Mac cost in every country on every date of the index, of the file read first."""
    rejected: list[dict[str, str]] = []
    return _once(BigMacPrice, [row for file in files for row in read_big_mac(file, rejected)], rejected)


def _once(table: type[Table], rows: list[dict[str, Any]], rejected: list[dict[str, str]]) -> Outcome:
    rows_in = len(rows) + len(rejected)
    row_by_key: dict[tuple[str, ...], dict[str, Any]] = {}
    for row in rows:
        key = tuple(row[name] for name in table.key())
        if key in row_by_key:
            bad = RowError(Reason.DUPLICATE, f"{'/'.join(key)} was already taken from another file")
            rejected.append(rejection(row["source_rows"][0], bad))
        row_by_key.setdefault(key, row)
    frame = pd.DataFrame(list(row_by_key.values()), columns=[column.name for column in table.columns()])
    return Outcome(frame, rejected, rows_in=rows_in)
