"""What a currency is worth: the Big Mac index's newest rate, an official peg, or a declared rough rate.

Pegs and rough rates are those of `sources/prices/declared_rates.py`; whatever rests on a rough one says so.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from sources.prices.declared_rates import PEGS, ROUGH, declared_rate

if TYPE_CHECKING:
    import pandas as pd


RateBasis = Literal["quoted", "pegged", "rough"]

STALE_YEARS = 3
"""A quoted rate so much older than the index's newest date counts as no longer quoted."""


BUDGET_STEP_USD = 50
MOST_STEP = 100_000_000


def budget_step(currency: str) -> int:
    """Return what budgets in a currency are multiples of: the 5 x 10^n nearest to fifty dollars; 50 if unknown.

    It rests on pegs and rough rates alone, so that it is known before any source is read.
    """
    rate = declared_rate(currency)
    if rate is None:
        return BUDGET_STEP_USD
    power = round(math.log10(BUDGET_STEP_USD * rate / 5))
    return min(MOST_STEP, max(1, round(5 * 10.0**power)))


@dataclass(frozen=True)
class Rate:
    """Units of a currency for one US dollar, what that rests on, and the rows that say so."""

    units_per_usd: float
    basis: RateBasis
    date: str = ""
    source_rows: tuple[str, ...] = ()


def rates(big_mac: pd.DataFrame) -> dict[str, Rate]:
    """Return the rate of every currency that is quoted, pegged to one that is, or declared; the dollar is 1."""
    rates_by_currency = {currency: Rate(units, "rough") for currency, units in ROUGH.items()}
    newest = big_mac.sort_values(["date", "area"], ascending=[False, True]).drop_duplicates("currency")
    last_year = int(str(newest["date"].max())[:4]) if len(newest) else 0
    for row in newest.to_dict("records"):
        if int(row["date"][:4]) > last_year - STALE_YEARS:
            rows = tuple(row["source_rows"])
            rates_by_currency[row["currency"]] = Rate(float(row["units_per_usd"]), "quoted", row["date"], rows)
    rates_by_currency["USD"] = Rate(1.0, "quoted")
    for currency, (anchor, units) in PEGS.items():
        if anchor in rates_by_currency:
            anchor_rate = rates_by_currency[anchor]
            rates_by_currency[currency] = Rate(
                units * anchor_rate.units_per_usd, "pegged", anchor_rate.date, anchor_rate.source_rows
            )
    return rates_by_currency
