"""Fares and users from their files as the family's tables, over all files of a recipe."""

from __future__ import annotations

from typing import Any

import pandas as pd

from assets.clean.exchange import Rate, RateBasis, rates
from assets.clean.modelled_price import rounding_step
from assets.grouptravel.section import GroupTravelSection
from assets.grouptravel.tables import GroupClimate, GroupFare, GroupProfile
from assets.step import Outcome, RawFile
from schemas.prices import BigMacPrice
from schemas.recipe import City
from schemas.rejection import Reason
from schemas.table import Table
from sources.group.climate import read_climate
from sources.group.lists import read_fares, read_profiles

BASES: tuple[RateBasis, ...] = ("quoted", "pegged", "rough")
"""What a rate rests on, the surest first."""


def fares(
    files: list[RawFile], big_mac: pd.DataFrame | None = None, *, cities: list[City], section: GroupTravelSection
) -> Outcome:
    """Return the services between the recipe's cities, priced in the section's currency.

    A fare in another one is changed at a quoted, pegged or declared rate, which the row names, and rounded as prices of
    its size are; one of a currency without a rate is rejected.
    """
    rejected: list[dict[str, str]] = []
    index = BigMacPrice.frame(BigMacPrice.arrow_schema().empty_table()) if big_mac is None else big_mac
    rates_by_currency = rates(index)
    fare_rows = []
    for fare in (fare for file in files for fare in read_fares(file, cities, rejected)):
        currency = fare["currency_given"]
        if currency == section.currency:
            fare_rows.append({**fare, "price": fare["price_given"], "rate_basis": None})
        elif currency in rates_by_currency and section.currency in rates_by_currency:
            price, basis = _converted_price(
                fare["price_given"], rates_by_currency[currency], rates_by_currency[section.currency]
            )
            fare_rows.append({**fare, "price": price, "rate_basis": basis})
        else:
            unrated = section.currency if currency in rates_by_currency else currency
            detail = (
                f"found {currency}, expected {section.currency}: of {unrated} no rate is quoted, pegged or declared"
            )
            rejected.append({"row": fare["source_rows"][0], "reason": Reason.NO_EXCHANGE_RATE.value, "detail": detail})
    return _once(GroupFare, fare_rows, rejected)


def _converted_price(price: float, source: Rate, target: Rate) -> tuple[float, RateBasis]:
    """Return an amount in the wanted currency, rounded, and the weaker of what the two rates rest on."""
    amount = price / source.units_per_usd * target.units_per_usd
    step = rounding_step(amount)
    weaker = max(source, target, key=lambda rate: BASES.index(rate.basis))
    return (round(max(step, round(amount / step) * step), 2) if price else 0.0), weaker.basis


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
    row_by_key: dict[tuple[Any, ...], dict[str, Any]] = {}
    for row in rows:
        key = tuple(row[name] for name in table.key())
        if key in row_by_key:
            detail = f"{'/'.join(map(str, key))[:100]} was in another file"
            rejected.append({"row": row["source_rows"][0], "reason": Reason.DUPLICATE.value, "detail": detail})
        row_by_key.setdefault(key, row)
    frame = pd.DataFrame(list(row_by_key.values()), columns=[column.name for column in table.columns()])
    return Outcome(frame, rejected, rows_in=total)
