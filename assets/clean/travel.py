"""How the recipe's cities are reached and what they offer: airports, events, TripAdvisor's places, price levels."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from assets.step import Outcome, RawFile, distinct_files
from schemas.events import Event
from schemas.recipe import City
from schemas.rejection import Reason
from schemas.table import Table
from schemas.travel import Airport, CityPrice
from schemas.tripadvisor import TripadvisorPlace
from sources.events.listings import read_events
from sources.formats.jsonl import RowError, rejection
from sources.numbeo.prices import read_prices
from sources.openflights.airports import read_airports
from sources.tripadvisor.places import read_places

if TYPE_CHECKING:
    import pyarrow as pa


def airports(files: list[RawFile]) -> Outcome:
    """Return every airport that has an IATA code; of two with one code that of the file read first."""
    rejected: list[dict[str, str]] = []
    rows = [row for file in distinct_files(files) for row in read_airports(file, rejected)]
    return _outcome(Airport, rows, rejected)


def tripadvisor_places(files: list[RawFile], *, cities: list[City]) -> Outcome:
    """Return TripAdvisor's open places in the cities, each once."""
    rejected: list[dict[str, str]] = []
    rows = [row for file in distinct_files(files) for row in read_places(file, cities, rejected)]
    return _outcome(TripadvisorPlace, rows, rejected)


def events(
    discovery: list[RawFile], apify: list[RawFile], *, cities: list[City], window: tuple[dt.date, dt.date]
) -> Outcome:
    """Return the events in the cities, each once: the Discovery API's before an export of the same event.

    `window` holds the first and last day that the recipe builds for; dates without a year are read by it.
    """
    rejected: list[dict[str, str]] = []
    files = distinct_files([*discovery, *apify])
    rows = [row for file in files for row in read_events(file, cities, window, rejected)]
    return _outcome(Event, rows, rejected, ("url",))


def city_prices(files: list[RawFile], *, cities: list[City]) -> Outcome:
    """Return what eating out costs in each city that Numbeo names: of several rows each value from the first with it.

    A row that adds nothing to the city's is a duplicate.
    """
    rejected: list[dict[str, str]] = []
    row_by_city: dict[str, dict[str, Any]] = {}
    rows_in = merged = 0
    for file in distinct_files(files):
        for row in read_prices(file, cities, rejected):
            rows_in += 1
            first = row_by_city.setdefault(row["city_id"], row)
            if first is row:
                continue
            added = _columns_to_add(first, row)
            if added:
                row_by_city[row["city_id"]] = {
                    **first,
                    **added,
                    "source_rows": first["source_rows"] + row["source_rows"],
                }
                merged += 1
            else:
                bad = RowError(Reason.DUPLICATE, f"the prices of {row['city_id']} were already taken")
                rejected.append(rejection(row["source_rows"][0], bad))
    unreadable_count = sum(bad["reason"] != str(Reason.DUPLICATE) for bad in rejected)
    return Outcome(_arrow(CityPrice, row_by_city.values()), rejected, merged, rows_in + unreadable_count)


def _columns_to_add(first: dict[str, Any], row: dict[str, Any]) -> dict[str, Any]:
    added = {}
    if first["restaurant_index"] is None and row["restaurant_index"] is not None:
        added["restaurant_index"] = row["restaurant_index"]
    if first["inexpensive_meal"] is None and row["inexpensive_meal"] is not None:
        added |= {name: row[name] for name in ("inexpensive_meal", "currency")}
    return added


def _outcome(
    table: type[Table], rows: list[dict[str, Any]], rejected: list[dict[str, str]], also: tuple[str, ...] = ()
) -> Outcome:
    """Return the rows, each key (and each value of `also` that is not blank) once; the later ones are duplicates."""
    names_in_use: set[tuple[str, str]] = set()
    first_rows = []
    rows_in = len(rows) + len(rejected)
    key_column = table.key()[-1]
    for row in rows:
        names = {(name, str(row[name])) for name in (key_column, *also) if row[name]}
        if names & names_in_use:
            bad = RowError(Reason.DUPLICATE, f"{key_column} {row[key_column]} was already taken from another file")
            rejected.append(rejection(row["source_rows"][0], bad))
        else:
            first_rows.append(row)
            names_in_use |= names
    return Outcome(_arrow(table, first_rows), rejected, rows_in=rows_in)


def _arrow(table: type[Table], rows: Iterable[dict[str, Any]]) -> pa.Table:
    import pyarrow as pa

    return pa.Table.from_pylist(list(rows), schema=table.arrow_schema())
