"""What a meal costs: the declared formula from a city's prices and a restaurant's price signs (TripCraft, 1.A)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from assets.tripcraft.facts.money import conversion_rate, no_rate
from assets.tripcraft.section import TripcraftSection
from schemas.rejection import Reason

if TYPE_CHECKING:
    import pandas as pd

UNKNOWN_SIGNS = 1.5
"""Price signs of a restaurant that shows none: an inexpensive to moderate one, a declared default of ours."""

FULL_INDEX = 100.0
"""The restaurant index of the recipe's `reference_meal`, and of a city of which no source tells anything."""


@dataclass(frozen=True)
class MealPrice:
    """A city's inexpensive meal in the release's currency, where it comes from, and the rate it was converted at.

    Without an amount, `origin` says what is missing and `reason` is the rejection's.
    """

    amount: float | None
    origin: str
    rate: float | None = None
    reason: str = ""


def meal_cost(city_meal: float, price_signs: float | None) -> int:
    """Return one person's meal in whole units: the city's inexpensive meal times the mean number of signs.

    It is at least 1, and a half is rounded to the even amount (1.A, inferred: the paper's formula is not published).
    `city_meal` is `meal_price`'s, `price_signs` 1 to 4 ("$$ - $$$" is 2.5), None where the restaurant shows none.
    """
    return max(1, round(city_meal * (UNKNOWN_SIGNS if price_signs is None else price_signs)))


def meal_price(price: pd.DataFrame, currency: str, section: TripcraftSection) -> MealPrice:
    """Return a city's inexpensive meal in the currency: the source's, else the recipe's reference meal by the index.

    `price` holds the city's row of `CityPrice`, or none.
    """
    rows = price.to_dict("records")
    row = rows[0] if rows else {"inexpensive_meal": None, "restaurant_index": None}
    meal, index = _number_or_none(row["inexpensive_meal"]), _number_or_none(row["restaurant_index"])
    reference = section.reference_meal
    if meal is not None:
        return _converted(meal, str(row["currency"]), "meal", currency, section)
    if reference is None:
        missing = "found no price of a meal, and no `reference_meal` in [families.tripcraft]"
        return MealPrice(None, missing, reason=Reason.MISSING_VALUE.value)
    scaled = reference.amount * (FULL_INDEX if index is None else index) / FULL_INDEX
    return _converted(scaled, reference.currency, "reference" if index is None else "index", currency, section)


def _converted(amount: float, source_currency: str, origin: str, currency: str, section: TripcraftSection) -> MealPrice:
    rate = conversion_rate(section.rates, source_currency, currency)
    if rate is None:
        reason = Reason.NO_EXCHANGE_RATE.value
        return MealPrice(None, no_rate(source_currency, currency, section.rates), reason=reason)
    return MealPrice(amount * rate, origin, rate)


def _number_or_none(value: float | None) -> float | None:
    return None if value is None or value != value else float(value)
