"""Services between cities: which modes run, when and for how much, from the table of fares."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from assets.grouptravel.plan import MINUTES_PER_DAY, minutes

if TYPE_CHECKING:
    import pandas as pd


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

    @property
    def arrives_next_day(self) -> bool:
        """Return whether it runs over midnight."""
        return self.arrives <= self.departs


class Fares:
    """All services by pair of cities, as plans write their names."""

    def __init__(self, by_pair: Mapping[tuple[str, str], Iterable[Service]]):
        order = lambda s: (s.price, s.departs, s.arrives, s.mode, s.weekdays)  # noqa: E731
        self._by_pair = {pair: sorted(services, key=order) for pair, services in by_pair.items()}

    @classmethod
    def of_frame(cls, rows: pd.DataFrame, names: Mapping[str, str] | None = None) -> Fares:
        """Return the rows of `GroupFare`; `names` gives each city_id's name in plans, else it is the id."""
        by_pair: dict[tuple[str, str], list[Service]] = {}
        for row in rows.to_dict("records"):
            departs, arrives = minutes(row["dep_time"]), minutes(row["arr_time"])
            if departs is None or arrives is None:
                continue
            ids = (row["origin_city_id"], row["dest_city_id"])
            origin, dest = (str((names or {}).get(city, city)) for city in ids)
            weekdays = tuple(sorted(int(day) for day in row["weekdays"]))
            service = Service(str(row["mode"]), float(row["price"]), departs, arrives, weekdays)
            by_pair.setdefault((origin, dest), []).append(service)
        return cls(by_pair)

    def services(
        self, origin: str, dest: str, *, mode: str | None = None, date: dt.date | None = None
    ) -> list[Service]:
        """Return the services between two cities, cheapest first; of one mode, on one date, where these are given."""
        return [
            service
            for service in self._by_pair.get((origin, dest), ())
            if (mode is None or service.mode == mode) and (date is None or date.isoweekday() in service.weekdays)
        ]

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


def duration_minutes(service: Service) -> int:
    """Return how long the service takes by its local times, in minutes, at most a day."""
    return (service.arrives - service.departs) % MINUTES_PER_DAY
