"""Timetabled services between invented cities with the price for one person: flights, fast trains and slow ones."""

from __future__ import annotations

from collections.abc import Iterator

from schemas.clock import clock
from sources.invented.cities import CitySpec
from sources.invented.flight_days import is_by_sea, is_served, landing, miles_between, timetable
from sources.invented.price_levels import in_currency
from sources.invented.world import World

COLUMNS = (
    "origin_city", "origin_region", "destination_city", "destination_region", "mode", "service", "dep_time", "arr_time",
    "price", "currency", "weekdays", "price_basis",
)  # fmt: skip
MAX_TRAIN_MILES = 900
NO_TRAIN_SHARE = 0.2
NEAR_MILES = 150
"""Between cities as near as this trains always run, and often, unless open sea parts them."""
NEAREST_FAST_MILES = 60
"""Between nearer cities no fast train runs: it would not have left one before it is in the other."""

SPEEDS_MPH = {"high_speed": 130.0, "train": 55.0}
FARES_PER_MILE_USD = {"high_speed": 0.19, "train": 0.08}
LETTERS = {"high_speed": "G", "train": "K"}
EVERY_DAY, WEEKEND_ONLY = "1234567", "67"


def fare_rows(world: World) -> Iterator[tuple[object, ...]]:
    """Yield every service in the order of `COLUMNS`; times are local, as on the world's first date.

    The price of a train is that of every day it runs on, the price of a flight that of an ordinary day.
    """
    for origin in world.cities:
        for destination in world.cities:
            if origin != destination:
                miles = miles_between(origin, destination)
                ends = (origin.name, origin.region.upper(), destination.name, destination.region.upper())
                for row in (*_flights(world, origin, destination, miles), *_trains(world, origin, destination, miles)):
                    yield (*ends, *row)


def _flights(world: World, origin: CitySpec, destination: CitySpec, miles: int) -> Iterator[tuple[object, ...]]:
    if is_served(world, origin, destination):
        for number, turn in enumerate(timetable(world, origin, destination, miles), start=1):
            price = round(in_currency(turn.price_usd, origin.currency))
            arrives = landing(origin, destination, world.dates[0], turn.departs, turn.minutes)
            times = clock(turn.departs), clock(arrives)
            yield "flight", f"ZQ{miles % 900 + 100}{number}", *times, price, origin.currency, EVERY_DAY, "modelled"


def _trains(world: World, origin: CitySpec, destination: CitySpec, miles: int) -> Iterator[tuple[object, ...]]:
    rng = world.rng("trains", *sorted((origin.city_id, destination.city_id)))
    if miles > MAX_TRAIN_MILES or (rng.random() < NO_TRAIN_SHARE and miles > NEAR_MILES):
        return
    if is_by_sea(origin, destination):
        return
    rng = world.rng("train times", origin.city_id, destination.city_id)
    for mode, speed in SPEEDS_MPH.items():
        if mode == "high_speed" and miles < NEAREST_FAST_MILES:
            continue
        count = 6 if miles <= NEAR_MILES else 3
        for turn in range(count):
            departs = 6 * 60 + int((turn + rng.random()) / count * 14 * 60) // 5 * 5
            minutes = 12 + round(60 * miles / speed) + int(rng.random() * 12)
            price = max(
                2,
                round(
                    in_currency((4 + FARES_PER_MILE_USD[mode] * miles) * (0.8 + 0.4 * rng.random()), origin.currency)
                ),
            )
            weekdays = WEEKEND_ONLY if turn == count - 1 and rng.random() < 0.3 else EVERY_DAY
            service = f"{LETTERS[mode]}{miles % 90 + 10}{turn + 1}"
            if minutes < 24 * 60:
                arrives = landing(origin, destination, world.dates[0], departs, minutes)
                yield mode, service, clock(departs), clock(arrives), price, origin.currency, weekdays, "listed"
