"""The flight book: millions of flights kept as columns, looked up by city pair and date or by number."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from assets.tripcraft.entities import Flight

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd


PLAIN_COLUMNS = ("elapsed_min", "distance_km", "price", "is_modelled")
EPOCH = dt.date(1970, 1, 1)
MOST_DAYS = 100_000
"""Days from the epoch that a key has room for: until the year 2243."""


def minutes(time: str) -> int:
    """Return the minutes since midnight of an `HH:MM` time."""
    hours, mins = time.split(":")
    return int(hours) * 60 + int(mins)


class FlightBook:
    """Flights by (origin, destination, date) and by number, without a Python object for each row."""

    def __init__(self, flights: pd.DataFrame) -> None:
        """Sort and index the rows of `TripcraftFlight`; `flight_date` is a date or ISO text."""
        import numpy as np
        import pandas as pd

        origins, dests = (pd.factorize(flights[name]) for name in ("origin_city_id", "dest_city_id"))
        self._cities = sorted({*map(str, origins[1]), *map(str, dests[1])})
        self._code = {city: i for i, city in enumerate(self._cities)}
        origin, dest = (_looked_up(found, self._code.__getitem__) for found in (origins, dests))
        day = _looked_up(pd.factorize(flights["flight_date"]), _day)
        key = (origin * len(self._cities) + dest) * MOST_DAYS + day
        order = np.argsort(key, kind="stable")
        self._key = key[order]
        numbers = flights["flight_number"].astype("str")
        self._number = numbers.iloc[order].array
        arrival = _looked_up(pd.factorize(flights["arr_time"]), minutes)
        self._columns = {
            "dep_min": _looked_up(pd.factorize(flights["dep_time"]), minutes)[order],
            "arr_min": (arrival + 1440 * flights["arr_day_offset"].to_numpy(dtype=np.int64))[order],
            **{name: flights[name].to_numpy()[order] for name in PLAIN_COLUMNS},
        }
        hashes = pd.util.hash_array(numbers.to_numpy(dtype=object), categorize=False)[order]
        self._by_hash = np.argsort(hashes, kind="stable")
        self._hashes = hashes[self._by_hash]
        self._known: dict[tuple[str, str, str | None], tuple[Flight, ...]] = {}

    def between(self, origin: str, dest: str, date: str | None) -> tuple[Flight, ...]:
        """Return the flights of the pair, on the ISO date or on any, by date and number."""
        key = (origin, dest, date)
        if key not in self._known:
            found = [self._flight(row) for row in self._find(origin, dest, date)]
            self._known[key] = tuple(sorted(found, key=lambda f: (f.flight_date, f.flight_number)))
        return self._known[key]

    def numbered(self, number: str) -> tuple[Flight, ...]:
        """Return the flights of exactly that number."""
        import numpy as np
        import pandas as pd

        wanted = pd.util.hash_array(np.array([number], dtype=object), categorize=False)[0]
        low, high = (int(np.searchsorted(self._hashes, wanted, side=side)) for side in ("left", "right"))
        rows = np.sort(self._by_hash[low:high]).tolist()
        return tuple(self._flight(row) for row in rows if self._number[row] == number)

    def _find(self, origin: str, dest: str, date: str | None) -> range:
        import numpy as np

        if origin not in self._code or dest not in self._code:
            return range(0)
        first = (self._code[origin] * len(self._cities) + self._code[dest]) * MOST_DAYS
        first, last = (first + _day(date),) * 2 if date is not None else (first, first + MOST_DAYS - 1)
        low, high = np.searchsorted(self._key, [first, last + 1])
        return range(int(low), int(high))

    def _flight(self, row: int) -> Flight:
        pair, day = divmod(int(self._key[row]), MOST_DAYS)
        origin, dest = divmod(pair, len(self._cities))
        values: dict[str, Any] = {name: column[row].item() for name, column in self._columns.items()}
        date = str(EPOCH + dt.timedelta(days=day))
        return Flight(self._number[row], self._cities[origin], self._cities[dest], date, **values)


def _day(date: Any) -> int:
    """Return the days from 1 January 1970 to a date or ISO text."""
    return (dt.date.fromisoformat(str(date)[:10]) - EPOCH).days


def _looked_up(factorized: tuple[np.ndarray, Any], look_up: Callable[[Any], int]) -> np.ndarray:
    """Return each row's number, looking up each distinct value once."""
    import numpy as np

    codes, values = factorized
    return np.array([look_up(value) for value in values], dtype=np.int64)[codes]
