"""Services between cities: which modes run, when and for how much, from the table of fares."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import permutations
from typing import TYPE_CHECKING, Any

from assets.grouptravel.facts.rows import rows_of
from assets.grouptravel.plan import MINUTES_PER_DAY, minutes

if TYPE_CHECKING:
    import pandas as pd

Fastest = Mapping[str, Mapping[tuple[str, str], int]]
"""Least minutes between two cities, by mode and pair."""


@dataclass(frozen=True)
class Service:
    """One timetabled service: its mode (a key of the vocabulary), price for one person, and local times in minutes.

    One that arrives at or before it departs, by the clock, arrives on the next day.
    """

    mode: str
    price: float
    departs: int
    arrives: int
    weekdays: tuple[int, ...]
    is_modelled: bool = False
    """Whether the price is of an ordinary day, to be multiplied by the factor of the day."""

    @property
    def arrives_next_day(self) -> bool:
        """Return whether it runs over midnight."""
        return self.arrives <= self.departs


class Fares:
    """All services by pair of cities, as plans write their names, and `factors` by city and date where days differ.

    With factors, what a modelled fare costs on a day of none is not known, and nobody rides for it.
    """

    def __init__(
        self,
        by_pair: Mapping[tuple[str, str], Iterable[Service]],
        factors: Mapping[str, Mapping[dt.date, float]] | None = None,
    ):
        self._by_pair = {pair: sorted(services, key=_order) for pair, services in by_pair.items()}
        self._factors = factors
        self._on: dict[tuple[str, str, dt.date], list[Service]] = {}

    @classmethod
    def of_frame(
        cls, rows: pd.DataFrame, calendar: pd.DataFrame | None = None, names: Mapping[str, str] | None = None
    ) -> Fares:
        """Return the rows of `GroupFare`, and the factors of `GroupCalendar`.

        `names` gives each city_id's name in plans, else it is the id.
        """
        by_pair: dict[tuple[str, str], list[Service]] = {}
        times, days = cache(minutes), cache(_weekdays)
        columns = ("origin_city_id", "dest_city_id", "mode", "price", "dep_time", "arr_time", "weekdays",
                   "is_price_modelled")  # fmt: skip
        for origin, dest, mode, price, dep_time, arr_time, weekdays, is_modelled in rows_of(rows, *columns):
            departs, arrives = times(dep_time), times(arr_time)
            if departs is None or arrives is None:
                continue
            pair = str((names or {}).get(origin, origin)), str((names or {}).get(dest, dest))
            service = Service(str(mode), float(price), departs, arrives, days(tuple(weekdays)), bool(is_modelled))
            by_pair.setdefault(pair, []).append(service)
        if calendar is None or not len(calendar):
            return cls(by_pair)
        factors: dict[str, dict[dt.date, float]] = {}
        dates = {date: dt.date.fromisoformat(date) for date in calendar["date"].unique()}
        for city, date, factor in rows_of(calendar, "city_id", "date", "fare_factor"):
            factors.setdefault(str((names or {}).get(city, city)), {})[dates[date]] = float(factor)
        return cls(by_pair, factors)

    def between(self, cities: Iterable[str]) -> Fares:
        """Return the services between these cities alone."""
        among = set(cities)
        by_pair = {pair: self._by_pair[pair] for pair in permutations(sorted(among), 2) if pair in self._by_pair}
        if self._factors is None:
            return Fares(by_pair)
        return Fares(by_pair, {city: self._factors[city] for city in sorted(among) if city in self._factors})

    @cached_property
    def fastest(self) -> Fastest:
        """Return the least minutes between two cities by mode and pair, of what runs for a known price on any day."""
        minutes_by_mode: dict[str, dict[tuple[str, str], int]] = {}
        for pair, services in self._by_pair.items():
            for service in services:
                if service.price > 0:
                    by_pair, duration = minutes_by_mode.setdefault(service.mode, {}), duration_minutes(service)
                    by_pair[pair] = min(duration, by_pair.get(pair, duration))
        return minutes_by_mode

    def services(
        self, origin: str, dest: str, *, mode: str | None = None, date: dt.date | None = None
    ) -> list[Service]:
        """Return the services between two cities, cheapest first; of one mode, on one date, where these are given.

        Prices are those of the date; without one those of an ordinary day.
        """
        timetable = self._by_pair.get((origin, dest), []) if date is None else self._of_day(origin, dest, date)
        return [service for service in timetable if mode is None or service.mode == mode]

    def _of_day(self, origin: str, dest: str, date: dt.date) -> list[Service]:
        key = (origin, dest, date)
        if key not in self._on:
            factor = 1.0 if self._factors is None else self._factors.get(origin, {}).get(date)
            services = []
            for service in self._by_pair.get((origin, dest), ()):
                if date.isoweekday() in service.weekdays and not service.is_modelled:
                    services.append(service)
                elif date.isoweekday() in service.weekdays and factor is not None:
                    services.append(replace(service, price=round(service.price * factor, 2)))
            self._on[key] = sorted(services, key=_order)
        return self._on[key]

    def cheapest(self, route: tuple[str, ...], dates: tuple[dt.date, ...]) -> float | None:
        """Return the lowest price of the whole route, one leg on each date; None where a leg has no service.

        A fare of zero is no fare (bad input): it says that the price is unknown.
        """
        total = 0.0
        for origin, dest, date in zip(route, route[1:], dates, strict=False):
            prices = [service.price for service in self.services(origin, dest, date=date) if service.price > 0]
            if not prices:
                return None
            total += prices[0]
        return total


def _weekdays(listed: tuple[Any, ...]) -> tuple[int, ...]:
    return tuple(sorted(int(day) for day in listed))


def _order(service: Service) -> tuple[float, int, int, str, tuple[int, ...]]:
    return service.price, service.departs, service.arrives, service.mode, service.weekdays


def duration_minutes(service: Service) -> int:
    """Return how long the service takes by its local times, in minutes, at most a day."""
    return (service.arrives - service.departs) % MINUTES_PER_DAY
