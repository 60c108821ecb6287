"""Amounts of money in a recipe: exchange rates, fares and prices that are modelled, each in a currency that it names.

Nothing here knows a currency: what a source is silent about is priced by what the recipe declares, or not at all.
"""

from __future__ import annotations

import datetime as dt
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, model_validator

Currency = Annotated[str, Field(pattern=r"^[A-Z]{3}$", description="ISO 4217 code.")]
Amount = Annotated[float, Field(gt=0, le=1e9, allow_inf_nan=False)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Rates(_Strict):
    """Exchange rates of one day, as central banks list them: units of each currency for one unit of the base."""

    base: Currency
    date: dt.date = Field(description="The day that the rates are of.")
    source: str = Field(min_length=1, description="Who published them, or that they are invented.")
    units: dict[Currency, Amount] = Field(description="Units of each currency for one unit of the base.")

    @model_validator(mode="after")
    def _base_is_one(self) -> Rates:
        if self.units.get(self.base, 1.0) != 1.0:
            raise ValueError(f"`units.{self.base}` is {self.units[self.base]}; one unit of the base is 1 of itself")
        return self

    def rate(self, source_currency: str, target: str) -> float | None:
        """Return units of the wanted currency for one of the given; None if the table lacks one of them."""
        units = {**self.units, self.base: 1.0}
        return units[target] / units[source_currency] if source_currency in units and target in units else None


class Money(_Strict):
    """An amount and its currency."""

    amount: Amount = Field(description="How much.")
    currency: Currency


class FareModel(_Strict):
    """What a flight costs that no source prices: an amount a kilometre, drawn evenly between two bounds.

    The 313 distinct flights of TravelPlanner's 45 released reference sets cost 0.198 to 0.497 US dollars a mile
    whatever the distance, evenly spread (quartiles 0.257, 0.349, 0.423): 0.1243 to 0.3107 a kilometre.
    """

    low_per_km: Amount = Field(description="The least that a kilometre costs.")
    high_per_km: Amount = Field(description="The most that a kilometre costs.")
    currency: Currency

    @model_validator(mode="after")
    def _low_first(self) -> FareModel:
        _require_order(self.low_per_km, self.high_per_km)
        return self


class NightModel(_Strict):
    """What a hotel's room costs a night where no source says: an amount, drawn evenly between two bounds."""

    low: Amount = Field(description="The least that a night costs.")
    high: Amount = Field(description="The most that a night costs.")
    currency: Currency
    max_occupancy: int = Field(ge=1, le=50, description="People that a room of a hotel holds.")

    @model_validator(mode="after")
    def _low_first(self) -> NightModel:
        _require_order(self.low, self.high)
        return self


def conversion_rate(rates: Rates | None, source_currency: str, target: str) -> float | None:
    """Return what one unit of the given currency is in the wanted one: 1 for itself, None without a declared rate."""
    if source_currency == target:
        return 1.0
    return rates.rate(source_currency, target) if rates is not None else None


def no_rate(source_currency: str, target: str, rates: Rates | None) -> str:
    """Return the sentence that rejects an amount whose currency has no rate."""
    currencies = ", ".join(sorted({rates.base, *rates.units})) if rates is not None else "no rates"
    return f"found an amount in {source_currency}, and no rate to {target}; [families.tripcraft.rates] has {currencies}"


def _require_order(low: float, high: float) -> None:
    if low > high:
        raise ValueError(f"the lower bound {low} is above the upper {high}")
