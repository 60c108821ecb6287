"""What a meal costs: the declared formula from a city's prices and a restaurant's price signs (TripCraft, 1.A)."""

from __future__ import annotations

REFERENCE_MEAL = 20.0
"""An inexpensive meal where the restaurant index is 100, in US dollars. The index tells levels and no prices, so this
is a declared choice of ours, used where a city has no price of a meal."""

UNKNOWN_SIGNS = 1.5
"""Price signs of a restaurant that shows none: an inexpensive to moderate one, a declared default of ours."""


def meal_cost(city_meal: float, price_signs: float | None) -> int:
    """Return one person's meal in whole units: the city's inexpensive meal times the mean number of signs.

    It is at least 1, and a half is rounded to the even amount (1.A, inferred: the paper's formula is not published).
    `city_meal` is `city_meal_price`'s, `price_signs` 1 to 4 ("$$ - $$$" is 2.5), None where the restaurant shows none.
    """
    return max(1, round(city_meal * (UNKNOWN_SIGNS if price_signs is None else price_signs)))


def city_meal_price(inexpensive_meal: float | None, restaurant_index: float | None) -> float | None:
    """Return the price of an inexpensive meal in a city: the one given, else New York's scaled by the index.

    What is scaled is in US dollars, as `REFERENCE_MEAL` is. None where a city has neither.
    """
    if inexpensive_meal is not None:
        return inexpensive_meal
    return None if restaurant_index is None else REFERENCE_MEAL * restaurant_index / 100
