"""The tables of how dear countries are, as data; a part of the clean stage's steps."""

from __future__ import annotations

from assets.step import Raw, Step
from schemas.prices import BigMacPrice, CountryPriceLevel

PRICE_STEPS = [
    Step(
        CountryPriceLevel,
        "assets.clean.price_levels:country_price_levels",
        (Raw("world_bank", "price_levels"),),
        per="recipe",
        accounts="records",
    ),
    Step(
        BigMacPrice,
        "assets.clean.price_levels:big_mac_prices",
        (Raw("big_mac", "prices"),),
        per="recipe",
        accounts="records",
    ),
]
