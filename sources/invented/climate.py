"""What the weather of an invented city is usually like on each day of the year."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Iterator

from sources.invented.world import World

COLUMNS = ("city", "region", "country", "day", "high_c", "low_c", "rain_share", "condition")
A_LEAP_YEAR = 2024
HOTTEST_DAY = 200
"""Of the year, north of the equator; south of it half a year later."""


def climate_rows(world: World) -> Iterator[tuple[object, ...]]:
    """Yield 366 rows a city in the order of `COLUMNS`: usual high and low, and on which share of such days it rains."""
    days = [dt.date(A_LEAP_YEAR, 1, 1) + dt.timedelta(days=n) for n in range(366)]
    for city in world.cities:
        rng = world.rng("climate", city.city_id)
        mean_c = 27 - 0.38 * abs(city.lat) + 2 * rng.random()
        swing_c = 0.28 * abs(city.lat) * (1 if city.lat >= 0 else -1)
        wet = 0.12 + 0.3 * rng.random()
        for number, day in enumerate(days):
            season = math.cos(2 * math.pi * (number - HOTTEST_DAY) / 366)
            high = round(mean_c + swing_c * season + 5)
            low = high - 8 - int(rng.random() * 4)
            rain = round(min(0.9, wet * (1 + 0.5 * rng.random())), 2)
            condition = (
                "snow" if high < 2 and rain > 0.3 else "rain" if rain > 0.4 else "cloudy" if rain > 0.25 else "sunny"
            )
            yield city.name, city.region.upper(), city.country.upper(), f"{day:%m-%d}", high, low, rain, condition
