"""How dear an invented city is: one level that restaurants, listings and fares follow."""

from __future__ import annotations

from sources.invented.cities import CitySpec
from sources.invented.world import World
from sources.prices.declared_rates import declared_rate

LOWEST, HIGHEST = 40.0, 110.0
"""Of the restaurant price index, on which New York is 100."""
CHEAP_MEAL_AT_100 = 25.0
"""US dollars for an inexpensive meal where the index is 100."""
UNITS_PER_USD = {
    "USD": 1.0, "CAD": 1.4, "EUR": 0.92, "GBP": 0.79, "CNY": 7.1, "JPY": 150.0, "SEK": 10.5, "NOK": 11.0, "DKK": 6.9,
    "ISK": 138.0,
}  # fmt: skip
"""Rough and fixed: invented prices need no rates. Others are at the declared rates; without one, as dollars."""


def price_index(world: World, city: CitySpec) -> float:
    """Return the city's restaurant price index, to one decimal."""
    return round(LOWEST + (HIGHEST - LOWEST) * world.rng("price level", city.city_id).random(), 1)


def in_currency(usd: float, currency: str) -> float:
    """Return the dollars in the currency, at this world's fixed rates."""
    return usd * (UNITS_PER_USD.get(currency) or declared_rate(currency) or 1.0)
