"""What a meal, a night, a ride or a journey would cost where no source says: modelled, never passed off as known.

amount = Big Macs x the newest US price of one x the country's price level x the currency's rate x the place's spread,
rounded as prices of that size usually are. How many Big Macs a thing costs is our declared choice; price level and
rate are sources' (`schemas/prices.py`). The spread depends on the place's id alone.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import pandas as pd

from assets.clean.exchange import Rate, rates
from schemas.errors import ExpectedError
from schemas.stable import stable_hash

LevelBasis = Literal["both", "world_bank", "big_mac", "issuer", "rough", "median"]

MEAL_BIG_MACS = {
    "ice cream": 1.0, "cafe": 1.6, "bakery": 1.4, "tea": 1.6, "juice": 1.2, "fast food": 1.8, "kebab": 1.8,
    "hot dogs": 1.4, "sandwiches": 1.8, "burgers": 2.4, "pizza": 2.6, "salads": 2.2, "noodles": 2.6, "pub food": 3.0,
    "seafood": 4.5, "steak": 5.0, "": 3.4,
}  # fmt: skip
"""A meal by what it is or what kind of place it is had in; any other is as a restaurant's of the second level [I]."""
MEAL_LEVELS = (2.0, 3.4, 6.0, 12.0)
NIGHT_LEVELS = (10.0, 18.0, 30.0, 60.0)
"""A meal, and half a double room, by price level 1 to 4 [I]."""
NIGHT_STARS = {1: 9.0, 2: 13.0, 3: 19.0, 4: 29.0, 5: 56.0}
"""Half a double room by official stars [I]."""
RIDE_BIG_MACS = {"transit": 0.45, "taxi start": 1.2, "taxi km": 0.4}
"""A single ticket, a taxi's first kilometre, and each kilometre after it, for a car of four [I]."""

JOURNEY_BIG_MACS = {"train": (0.8, 0.02), "coach": (0.6, 0.012)}
"""A seat between cities: what every ticket costs, and what a kilometre adds [I]."""

KNOWN_SPREAD, UNKNOWN_SPREAD = 1.12, 1.35
"""Highest over the middle, and middle over lowest, of places of a known level, and of places of an unknown one [I]."""

US_PRICE_USD = 6.0
"""Of a Big Mac, where no index is bound."""
ROUGH_LEVELS: dict[str, float] = {
    **dict.fromkeys(("CH", "IS", "BM", "KY", "LI"), 1.1), **dict.fromkeys(("US", "AU", "NO", "DK", "LU", "IL"), 1.0),
    **dict.fromkeys(("IE", "SE", "FI", "NZ", "GB", "CA", "NL"), 0.9),
    **dict.fromkeys(("AT", "BE", "FR", "DE", "MC", "HK", "SG", "AE", "QA"), 0.8),
    **dict.fromkeys(("IT", "ES", "JP", "KR", "CY", "MT", "SI", "EE", "AD"), 0.7),
    **dict.fromkeys(("PT", "GR", "CZ", "SK", "LV", "LT", "HR", "KW", "UY", "CR"), 0.6),
    **dict.fromkeys(("PL", "HU", "CN", "MX", "BR", "CL", "TW", "AR", "SA", "RO", "BG"), 0.5),
    **dict.fromkeys(("MY", "TH", "ZA", "PE", "RU", "MA", "TR", "CO", "RS", "GE"), 0.4),
    **dict.fromkeys(("IN", "VN", "ID", "PH", "EG", "PK", "BD", "LK", "NP", "KE", "UA", "NG"), 0.3),
    **dict.fromkeys(("FO",), 0.9), **dict.fromkeys(("GL", "PR"), 0.8), **dict.fromkeys(("KI", "PS"), 0.6),
    **dict.fromkeys(("EC", "ME", "SV", "XK", "ZW"), 0.4), "TL": 0.3,
}  # fmt: skip
"""Price levels to one digit, our own estimate, of late 2025: they count only where no table of levels is bound.

The last two lines are of those who pay in another's money and are less dear than who issues it.
"""
MEDIAN_LEVEL = 0.45
"""Of an economy of which no source says anything: about the median of the World Bank's economies."""
PRICES_OF_A_SIZE = 25
"""An amount is rounded to the 1 or 5 x 10^n next below a twenty-fifth of a usual one of its kind."""

ISSUERS = {"AUD": "AU", "CHF": "CH", "DKK": "DK", "EUR": "DE", "GBP": "GB", "ILS": "IL", "NOK": "NO", "NZD": "NZ",
           "USD": "US", "XOF": "SN", "XAF": "CM", "XPF": "FR", "XCD": "LC", "XCG": "CW"}  # fmt: skip
"""Whose price level a country has that no source knows: that of who issues its currency, or a typical user of it."""


@dataclass(frozen=True)
class Level:
    """A country's price level, United States = 1, what it rests on, and the rows that say so."""

    value: float
    basis: LevelBasis
    source_rows: tuple[str, ...] = ()


@dataclass(frozen=True)
class Amount:
    """A modelled price in a currency, and the source rows that it rests on."""

    value: float
    source_rows: tuple[str, ...]


class NoRateError(ExpectedError):
    """A currency that nothing quotes, pegs or declares."""


class PriceModel:
    """Modelled prices, from the tables of price levels and Big Macs; either may be empty."""

    def __init__(self, price_level: pd.DataFrame, big_mac: pd.DataFrame):
        self.rates: Mapping[str, Rate] = rates(big_mac)
        self._levels: dict[str, Level] = {}
        newest = big_mac.sort_values("date").drop_duplicates("area", keep="last") if len(big_mac) else big_mac
        home = next((row for row in newest.to_dict("records") if row["country"] == "US"), None)
        self.us_price = float(home["local_price"]) if home else US_PRICE_USD
        self._us_rows = tuple(home["source_rows"]) if home else ()
        for row in newest.to_dict("records"):
            if isinstance(row["country"], str) and self.us_price > 0:
                dollars = row["local_price"] / row["units_per_usd"]
                self._levels[row["country"]] = Level(dollars / self.us_price, "big_mac", tuple(row["source_rows"]))
        for row in price_level.to_dict("records"):
            if isinstance(row["country"], str):
                economy_level = Level(float(row["price_level"]), "world_bank", tuple(row["source_rows"]))
                self._levels[row["country"]] = _mean(economy_level, self._levels.get(row["country"]))

    def level(self, country: str, currency: str) -> Level:
        """Return the country's price level: known, else its currency's issuer's, else about the world's median."""
        issuer = ISSUERS.get(currency, currency[:2])
        for code in (country, issuer):
            if code in self._levels:
                known_level = self._levels[code]
                return known_level if code == country else Level(known_level.value, "issuer", known_level.source_rows)
        rough = ROUGH_LEVELS.get(country, ROUGH_LEVELS.get(issuer))
        return Level(rough, "rough") if rough is not None else Level(MEDIAN_LEVEL, "median")

    def rate(self, currency: str) -> Rate:
        """Return the currency's rate. Raises NoRateError where there is none."""
        if currency not in self.rates:
            raise NoRateError(f"{currency}: no exchange rate is quoted, pegged or declared; expected an ISO 4217 code")
        return self.rates[currency]

    def meal(self, country: str, currency: str, place_id: str, kind: str = "", level: int | None = None) -> Amount:
        """Return the price of a meal for one at a place: by its price level 1 to 4 where known, else by its kind."""
        big_macs = MEAL_LEVELS[level - 1] if level else MEAL_BIG_MACS.get(kind, MEAL_BIG_MACS[""])
        return self._at(big_macs, MEAL_LEVELS[1], country, currency, place_id, level is not None)

    def night(self, country: str, currency: str, place_id: str, level: int = 2, stars: float | None = None) -> Amount:
        """Return the price of a night for one in a shared double room: by official stars where known, else by level."""
        known_stars = NIGHT_STARS.get(round(stars)) if stars is not None and stars == stars else None
        big_macs = known_stars if known_stars is not None else NIGHT_LEVELS[level - 1]
        return self._at(big_macs, NIGHT_LEVELS[1], country, currency, place_id, known_stars is not None)

    def tariff(self, country: str, currency: str, mode: str, people: int) -> tuple[float, float, float]:
        """Return what one of so many pays for a ride with its first kilometre and for each further one, unrounded.

        With it the step of which such prices are multiples. `mode` is transit or taxi; a ticket is for any distance.
        """
        level, rate = self.level(country, currency), self.rate(currency)
        one = self.us_price * level.value * rate.units_per_usd
        share = math.ceil(people / 4) / people
        first, per_km = (
            (RIDE_BIG_MACS["transit"], 0.0)
            if mode == "transit"
            else (RIDE_BIG_MACS["taxi start"] * share, RIDE_BIG_MACS["taxi km"] * share)
        )
        return round(one * first, 6), round(one * per_km, 6), rounding_step(one * RIDE_BIG_MACS["taxi start"])

    def ride(self, country: str, currency: str, mode: str, km: float, people: int = 1) -> Amount:
        """Return what one person pays for a local move: nothing on foot or by bicycle, a ticket, or a taxi's share."""
        if mode in ("walk", "bicycle"):
            return Amount(0.0, ())
        if mode == "transit":
            big_macs = RIDE_BIG_MACS["transit"]
        else:
            cars = math.ceil(people / 4)
            taxi_fare = cars * (RIDE_BIG_MACS["taxi start"] + RIDE_BIG_MACS["taxi km"] * max(0.0, km - 1))
            big_macs = taxi_fare / people
        return self._at(big_macs, RIDE_BIG_MACS["taxi start"], country, currency, "", True)

    def journey(self, country: str, currency: str, mode: str, km: float) -> Amount:
        """Return the price of one seat for so many kilometres by train or coach."""
        ticket, per_km = JOURNEY_BIG_MACS[mode]
        return self._at(ticket + per_km * km, ticket, country, currency, "", True)

    def _at(self, big_macs: float, usual: float, country: str, currency: str, place_id: str, is_known: bool) -> Amount:
        level, rate = self.level(country, currency), self.rate(currency)
        one = self.us_price * level.value * rate.units_per_usd
        spread = _price_factor(place_id, KNOWN_SPREAD if is_known else UNKNOWN_SPREAD) if place_id else 1.0
        step = rounding_step(one * usual)
        value = max(step, round(one * big_macs * spread / step) * step)
        rows = (*self._us_rows, *level.source_rows, *rate.source_rows)
        return Amount(round(value, 6), tuple(dict.fromkeys(rows)))


def _mean(economy_level: Level, meal: Level | None) -> Level:
    """Return the geometric mean of an economy's level and its Big Mac's, which is newer and of a restaurant [I]."""
    if meal is None:
        return economy_level
    rows = (*economy_level.source_rows, *meal.source_rows)
    return Level(math.sqrt(economy_level.value * meal.value), "both", rows)


def rounding_step(usual: float) -> float:
    """Return what prices around a usual amount are multiples of: 0.5 around 17, 50 around 2,300, 5,000 around 170,000.

    Amounts have at most two decimals.
    """
    fine = max(0.01, usual / PRICES_OF_A_SIZE)
    power = 10.0 ** math.floor(math.log10(fine))
    return round(power * (5 if fine / power >= 5 else 1), 2)


def _price_factor(place_id: str, widest: float) -> float:
    """Return the place's factor, from 1 / widest to widest, evenly on a logarithmic scale."""
    drawn = stable_hash("price spread", place_id) / 2**64
    return widest ** (2 * drawn - 1)
