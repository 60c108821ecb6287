"""Fares and users from their files as the family's tables, over all files of a recipe."""

from __future__ import annotations

from typing import Any

import pandas as pd

from assets.grouptravel.section import GroupTravelSection
from assets.grouptravel.tables import GroupClimate, GroupFare, GroupProfile
from assets.step import Outcome, RawFile
from schemas.recipe import City
from schemas.rejection import Reason
from schemas.table import Table
from sources.group.climate import read_climate
from sources.group.lists import read_fares, read_profiles


def fares(files: list[RawFile], *, cities: list[City], section: GroupTravelSection) -> Outcome:
    """Return the services between the recipe's cities, priced in the section's currency.

    Fares in other currencies are rejected, since nothing says at what rate to change them.
    """
    rejected: list[dict[str, str]] = []
    kept = []
    for fare in (fare for file in files for fare in read_fares(file, cities, rejected)):
        if fare["currency"] == section.currency:
            kept.append(fare)
        else:
            detail = f"currency: found {fare['currency']}, expected the section's {section.currency}"
            rejected.append({"row": fare["source_rows"][0], "reason": Reason.BAD_VALUE.value, "detail": detail})
    return _once(GroupFare, kept, rejected)


def profiles(files: list[RawFile]) -> Outcome:
    """Return the users of all files, each once."""
    rejected: list[dict[str, str]] = []
    return _once(GroupProfile, [user for file in files for user in read_profiles(file, rejected)], rejected)


def climate(files: list[RawFile], *, cities: list[City]) -> Outcome:
    """Return the usual weather of the recipe's cities by day of the year, each day once."""
    rejected: list[dict[str, str]] = []
    return _once(GroupClimate, [day for file in files for day in read_climate(file, cities, rejected)], rejected)


def _once(table: type[Table], rows: list[dict[str, Any]], rejected: list[dict[str, str]]) -> Outcome:
    """Return the rows, the first of each key; the others, of a later file, are rejected."""
    total = len(rows) + len(rejected)
    kept: dict[tuple[Any, ...], dict[str, Any]] = {}
    for row in rows:
        key = tuple(row[name] for name in table.key())
        if key in kept:
            detail = f"{'/'.join(map(str, key))[:100]} was in another file"
            rejected.append({"row": row["source_rows"][0], "reason": Reason.DUPLICATE.value, "detail": detail})
        kept.setdefault(key, row)
    frame = pd.DataFrame(list(kept.values()), columns=[column.name for column in table.columns()])
    return Outcome(frame, rejected, rows_in=total)
