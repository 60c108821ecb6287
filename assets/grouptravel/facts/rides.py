"""What a move inside a city costs a person: nothing on foot or by bicycle, a ticket, or a share of a taxi's fare."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from assets.grouptravel.facts.distance import DETOUR, distance_km
from assets.grouptravel.tables import GroupRide

if TYPE_CHECKING:
    import pandas as pd

    from assets.grouptravel.section import GroupTravelSection
    from schemas.recipe import City

COLUMNS = [column.name for column in GroupRide.columns()]

FREE = ("walk", "bicycle")
HIRED = ("taxi", "car")
"""Nobody brings a car: one that is driven in a city is hired, and costs what a taxi does [I]."""

MOST_PEOPLE = 8
"""Who share a ride, at most; the published groups have up to six."""

FIRST_KM = 1.0
"""Kilometres that a taxi's first price holds."""

STATION_KM = 3.0
"""Length of a ride from where one arrives, of which nothing is known [I]."""

Point = tuple[float, float]


@dataclass(frozen=True)
class Tariff:
    """What one of so many people pays: for the ride and its first kilometre, and for each further one."""

    first: float
    per_km: float
    step: float
    key: str = ""
    """The row's, where it has one."""

    def price(self, km: float) -> float:
        """Return the price of a ride of so many kilometres, a multiple of the step and at least one."""
        fare = self.first + self.per_km * max(0.0, km - FIRST_KM)
        return round(max(self.step, round(fare / self.step) * self.step), 6)


class Rides:
    """Tariffs by city as plans name it, mode and number of people. Where there is none a ride's price is not known."""

    def __init__(self, tariffs: Mapping[tuple[str, str, int], Tariff] | None = None):
        self._tariffs = dict(tariffs or {})
        self._flat = frozenset(tariff.key for tariff in self._tariffs.values() if not tariff.per_km)

    @classmethod
    def of_frame(cls, rows: pd.DataFrame | None, names: Mapping[str, str] | None = None) -> Rides:
        """Return the rows of `GroupRide`; `names` gives each city_id's name in plans, else it is the id."""
        if rows is None:
            return cls()
        return cls(
            {
                (str((names or {}).get(row["city_id"], row["city_id"])), row["mode"], int(row["people"])): Tariff(
                    float(row["first"]),
                    float(row["per_km"]),
                    float(row["step"]),
                    f"{row['city_id']}/{row['mode']}/{row['people']}",
                )
                for row in rows.to_dict("records")
            }
        )

    def tariff(self, mode: str, city: str, people: int) -> Tariff | None:
        """Return the tariff of a mode that costs something; None where nothing is known of it."""
        if mode in HIRED:
            return self._tariffs.get((city, "taxi", min(max(people, 1), MOST_PEOPLE)))
        return self._tariffs.get((city, mode, 1))

    def price(self, mode: str, city: str, one: Point | None, other: Point | None, people: int) -> float | None:
        """Return what each of so many people pays for a move, None where that is not known.

        Where an end is not known it is the price of STATION_KM.
        """
        if mode in FREE:
            return 0.0
        tariff = self.tariff(mode, city, people)
        return None if tariff is None else tariff.price(ride_km(one, other))

    def is_flat(self, key: str) -> bool:
        """Return whether the row's price is the same for any length."""
        return key in self._flat

    def known_of(self, city: str) -> list[tuple[str, int, float, float, float]]:
        """Return a city's tariffs as plain data: what plans in it rest on."""
        return sorted(
            (mode, people, tariff.first, tariff.per_km, tariff.step)
            for (name, mode, people), tariff in self._tariffs.items()
            if name == city
        )


def ride_km(one: Point | None, other: Point | None) -> float:
    """Return the length of a ride between two points (lat, lon in degrees), kilometres."""
    return STATION_KM if one is None or other is None else DETOUR * distance_km(one, other)


def rides(
    price_level: pd.DataFrame | None = None,
    big_mac: pd.DataFrame | None = None,
    *,
    cities: list[City],
    section: GroupTravelSection,
) -> pd.DataFrame:
    """Return each city's fares of local transport for one of so many people, modelled from the country's price level.

    A ticket is one price for any way; a taxi has a price with its first kilometre and one for each further, shared by
    those in it, four to a car. Of a currency that has no rate nothing is known, and there are no rows.
    """
    import pandas as pd  # the family declaration imports this module, and is read by every command

    from assets.clean.modelled_price import PriceModel
    from schemas.prices import BigMacPrice, CountryPriceLevel

    level, index = (
        pd.DataFrame(columns=[column.name for column in table.columns()]) if frame is None else frame
        for table, frame in ((CountryPriceLevel, price_level), (BigMacPrice, big_mac))
    )
    model = PriceModel(level, index)
    priced_cities = cities if section.currency in model.rates else []
    rows = [
        (
            city.city_id, mode, people, *model.tariff(city.country, section.currency, mode, people), True,
            model.level(city.country, section.currency).basis, city.country,
        )
        for city in priced_cities
        for mode, most in (("taxi", MOST_PEOPLE), ("transit", 1))
        for people in range(1, most + 1)
    ]  # fmt: skip
    return pd.DataFrame(rows, columns=COLUMNS)
