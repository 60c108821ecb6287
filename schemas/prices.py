"""How dear a country is beside others: its price level, and the local price of one well-known meal.

What a single city's restaurants cost is `travel.CityPrice`; what is computed from these is in
`assets/clean/modelled_price.py`.
"""

from __future__ import annotations

from schemas.table import Field, Table


class CountryPriceLevel(Table):
    """The newest known price level of an economy, beside that of the United States at market exchange rates."""

    economy: str = Field("The source's code of a country (ISO 3166-1 alpha-3) or of a group of them.", key=True)
    country: str | None = Field("ISO 3166-1 alpha-2; null for a group of countries.", pattern="[A-Z]{2}")
    name: str = Field("Its name in the source.", pattern=r"(?s).*\S.*")
    year: int = Field("The year of the level.", ge=1900, le=2200)
    price_level: float = Field("What a dollar's worth of goods costs there, in dollars; United States = 1.", ge=0)
    source_rows: list[str] = Field("Pointers to the source rows behind the values.")


class BigMacPrice(Table):
    """What a Big Mac cost in a country on a date, and the market exchange rate of that day."""

    area: str = Field("The source's code: ISO 3166-1 alpha-3, or EUZ for the euro area.", key=True)
    date: str = Field("The day, YYYY-MM-DD.", key=True, pattern="[0-9]{4}-[0-9]{2}-[0-9]{2}")
    country: str | None = Field("ISO 3166-1 alpha-2; null for the euro area.", pattern="[A-Z]{2}")
    currency: str = Field("ISO 4217 code of the price.", pattern="[A-Z]{3}")
    local_price: float = Field("Price in `currency`.", ge=0)
    units_per_usd: float = Field("Units of `currency` for one US dollar that day.", ge=0)
    source_rows: list[str] = Field("Pointers to the source rows behind the values.")
