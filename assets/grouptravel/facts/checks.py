"""What must hold of the groups' places beyond their schema, each check named as the sentence it asserts."""

from __future__ import annotations

import pandas as pd

from assets.step import Verdict

FEW_RESTAURANTS = 10


def no_city_has_one_price(poi: pd.DataFrame) -> Verdict:
    """Ten restaurants or more whose modelled prices are all the same are a default, not a model."""
    flat = cities_of_one_price(poi)
    if flat:
        return Verdict(False, f"all modelled meals cost the same in {', '.join(flat[:5])}; expected a spread by place")
    return Verdict(True, "no city of many restaurants has one price for all")


def cities_of_one_price(poi: pd.DataFrame) -> list[str]:
    """Return the cities of many restaurants of modelled prices that are all the same."""
    modelled = poi[(poi["poi_type"] == "food") & poi["is_cost_modelled"].astype(bool)]
    prices = modelled.groupby("city_id")["avg_cost"].agg(["size", "nunique"])
    return sorted(str(city) for city in prices.index[(prices["size"] >= FEW_RESTAURANTS) & (prices["nunique"] == 1)])
