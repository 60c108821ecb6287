"""The tables of how dear countries are, as data; a part of the clean stage's steps."""

from __future__ import annotations

from assets.step import Outcome, Raw, RawFile, Step
from schemas.prices import BigMacPrice, CountryPriceLevel


def country_price_levels(files: list[RawFile]) -> Outcome:
    """Return the newest known price level of every economy."""
    from assets.clean import price_levels

    return price_levels.country_price_levels(files)


def big_mac_prices(files: list[RawFile]) -> Outcome:
    """Return what a Big Mac cost in every country on every date of the index."""
    from assets.clean import price_levels

    return price_levels.big_mac_prices(files)


PRICE_STEPS = [
    Step(CountryPriceLevel, country_price_levels, (Raw("world_bank", "price_levels"),), per="recipe"),
    Step(BigMacPrice, big_mac_prices, (Raw("big_mac", "prices"),), per="recipe"),
]
