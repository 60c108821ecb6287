"""The usual weather of cities by day of the year, from a CSV table: a file of the source `group`."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable
from typing import Any

from schemas.recipe import City
from schemas.rejection import Reason
from sources.cities.named_city import city_finder
from sources.formats.csv_rows import number_in, read_records
from sources.formats.fields import required_text
from sources.formats.jsonl import RowError, rejection
from sources.formats.unpacking import RawInput

CLIMATE_COLUMNS = ("city", "region", "country", "day", "high_c", "low_c", "rain_share", "condition")
COLDEST_C, HOTTEST_C = -90.0, 60.0
"""Nothing colder or hotter has been measured on Earth (WMO: -89.2 and 56.7)."""

A_LEAP_YEAR = 2024


def read_climate(file: RawInput, cities: list[City], rejected: list[dict[str, str]]) -> list[dict[str, Any]]:
    """Return the usual days of the recipe's cities as rows of `GroupClimate`, in file order.

    Rows that cannot be used go to `rejected`; raises SourceError for a file without the columns.
    """
    usual_days: list[dict[str, Any]] = []
    earlier_keys: set[tuple[str, str]] = set()
    find = city_finder(cities)
    rows = read_records(file, CLIMATE_COLUMNS, "usual days of cities", lambda row, at: (row, at), rejected)
    for row, pointer in rows:
        try:
            usual = parse_day(row, pointer, find)
            key = (usual["city_id"], usual["month_day"])
            if key in earlier_keys:
                raise RowError(Reason.DUPLICATE, f"{key[1]} of {key[0]} again")
            earlier_keys.add(key)
            usual_days.append(usual)
        except RowError as bad:
            rejected.append(rejection(pointer, bad))
    return usual_days


def parse_day(row: dict[str, str], pointer: str, find: Callable[[str, str, str], City]) -> dict[str, Any]:
    """Return one record's row of `GroupClimate`. Raises RowError where it cannot be used."""
    city = find(required_text(row, "city"), row["region"].strip(), row["country"].strip())
    day = required_text(row, "day")
    if not re.fullmatch(r"[0-9]{2}-[0-9]{2}", day) or not _is_a_day(day):
        raise RowError(Reason.BAD_VALUE, f"day: found {day!r:.20}, expected a day of the year as MM-DD")
    high, low, rain = (_number(row, column) for column in ("high_c", "low_c", "rain_share"))
    if not COLDEST_C <= low <= high <= HOTTEST_C:
        raise RowError(
            Reason.BAD_VALUE, f"found {low} to {high} °C, expected a low, then a high, in {COLDEST_C} to {HOTTEST_C}"
        )
    if not 0 <= rain <= 1:
        raise RowError(Reason.BAD_VALUE, f"rain_share: found {rain}, expected a share from 0 to 1")
    condition = required_text(row, "condition")
    if not condition.isprintable() or len(condition) > 40:
        raise RowError(Reason.BAD_VALUE, f"condition: found {condition!r:.60}, expected a word or two")
    return {
        "city_id": city.city_id,
        "month_day": day,
        "high_c": high,
        "low_c": low,
        "rain_share": rain,
        "condition": condition,
        "source_rows": [pointer],
    }


def _number(row: dict[str, str], column: str) -> float:
    value = number_in(row, column)
    if value is None:
        raise RowError(Reason.MISSING_VALUE, f"{column}: found nothing, expected a number")
    return value


def _is_a_day(text: str) -> bool:
    try:
        dt.date.fromisoformat(f"{A_LEAP_YEAR}-{text}")
    except ValueError:
        return False
    return True
