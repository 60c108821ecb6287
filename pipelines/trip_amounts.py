"""What a trip costs where no source says, modelled by a country's price level, and which towns roads join."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from pipelines.city_facts import CityFacts, middle, raw_file

FUEL_BIG_MACS_PER_KM = 0.02
"""Fuel for a kilometre, as a share of what a hamburger costs: about 0.12 euros in Finland. A choice of ours."""

CHEAP, DEAR = 1, 4
"""Price levels of the least and the most that a night in a mapped hotel is modelled at."""

GUESTS = 2
FARTHEST_BY_ROAD_M = 700_000.0
"""The straight line of about half a day's drive."""

SAMPLE_M = 2_000.0
"""How far apart the points are at which a straight line is looked at for open sea."""


@dataclass(frozen=True)
class TripAmounts:
    """Modelled amounts in a city's currency: a night for two, an inexpensive meal, a kilometre by car and taxi."""

    currency: str
    night_low: float
    night_high: float
    meal: float
    fuel_per_km: float
    taxi_per_km: float
    basis: str


def trip_amounts(city: CityFacts, shared: Mapping[str, list[Path]]) -> TripAmounts | None:
    """Return what a trip to the city costs by the price levels among the files, else by declared rough levels.

    None where nothing tells what the city's currency is worth.
    """
    from assets.clean.modelled_price import NoRateError, PriceModel
    from assets.clean.price_levels import big_mac_prices, country_price_levels
    from schemas.prices import BigMacPrice, CountryPriceLevel

    levels, prices = (
        table.frame(table.arrow(read([raw_file(path, *key.split(".")) for path in shared.get(key, [])]).rows))
        for table, read, key in (
            (CountryPriceLevel, country_price_levels, "world_bank.price_levels"),
            (BigMacPrice, big_mac_prices, "big_mac.prices"),
        )
    )
    model = PriceModel(levels, prices)
    try:
        rate = model.rate(city.currency)
    except NoRateError:
        return None
    level = model.level(city.country, city.currency)
    hamburger = model.us_price * level.value * rate.units_per_usd
    taxi = (
        model.ride(city.country, city.currency, "taxi", 11.0).value
        - model.ride(city.country, city.currency, "taxi", 1.0).value
    )
    return TripAmounts(
        city.currency,
        model.night(city.country, city.currency, "", CHEAP).value * GUESTS,
        model.night(city.country, city.currency, "", DEAR).value * GUESTS,
        model.meal(city.country, city.currency, "", level=CHEAP).value,
        round(hamburger * FUEL_BIG_MACS_PER_KM, 4),
        round(max(taxi / 10, hamburger * FUEL_BIG_MACS_PER_KM), 4),
        f"price level {level.value:.2f} of the United States' ({level.basis}), exchange rate {rate.basis}",
    )


def road_groups(cities: Iterable[CityFacts], neighbours: Iterable[CityFacts]) -> list[list[str]]:
    """Return the first city's id with those that a straight line of no open sea and half a day joins to it; or none.

    Distances between cities are estimated from the geodesic, which knows no sea: a line that leaves all territorial
    waters is taken for no road.
    """
    first, *others = cities
    joined = [c.city_id for c in (*others, *neighbours) if is_joined(middle(first.box), middle(c.box))]
    return [[first.city_id, *joined]] if joined else []


def is_joined(a: tuple[float, float], b: tuple[float, float]) -> bool:
    """Return whether the geodesic between two points (lat, lon) is short enough and meets no open sea."""
    from pyproj import Geod
    from tzfpy import get_tz

    geod = Geod(ellps="WGS84")
    distance_m = geod.inv(a[1], a[0], b[1], b[0])[2]
    if distance_m > FARTHEST_BY_ROAD_M:
        return False
    between = geod.npts(a[1], a[0], b[1], b[0], int(distance_m // SAMPLE_M))
    return not any((get_tz(lon, lat) or "Etc/").startswith("Etc/") for lon, lat in between)
