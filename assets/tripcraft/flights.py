"""The flight book: millions of flights kept as columns, looked up by city pair and date or by number."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from assets.tripcraft.entities import Flight

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd


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

        day = pd.to_datetime(flights["flight_date"]).to_numpy().astype("datetime64[D]").astype(np.int64)
        endpoints = pd.concat([flights["origin_city_id"], flights["dest_city_id"]], ignore_index=True)
        codes, cities = pd.factorize(endpoints, sort=True)
        self._cities = [str(city) for city in cities]
        self._code = {city: i for i, city in enumerate(self._cities)}
        pair = codes[: len(flights)].astype(np.int64) * len(self._cities) + codes[len(flights) :]
        numbers = flights["flight_number"].astype("str")
        order = np.lexsort((pd.factorize(numbers, sort=True)[0], day, pair))
        self._pair, self._day = pair[order], day[order]
        self._number = numbers.iloc[order].array
        offset = flights["arr_day_offset"].to_numpy(dtype=np.int64) * 1440
        self._columns = {
            "dep_min": _minutes_of(flights["dep_time"])[order],
            "arr_min": (_minutes_of(flights["arr_time"]) + offset)[order],
            **{
                name: flights[name].to_numpy()[order] for name in ("elapsed_min", "distance_km", "price", "is_modelled")
            },
        }
        hashes = pd.util.hash_array(numbers.to_numpy(dtype=object), categorize=False)[order]
        self._by_hash = np.argsort(hashes, kind="stable")
        self._hashes = hashes[self._by_hash]
        self._known: dict[tuple[str, str, str | None], tuple[Flight, ...]] = {}

    def between(self, origin: str, dest: str, date: str | None) -> tuple[Flight, ...]:
        """Return the flights of the pair, on the ISO date or on any, by date and number."""
        key = (origin, dest, date)
        if key not in self._known:
            self._known[key] = tuple(self._flight(row) for row in self._find(origin, dest, date))
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
        pair = self._code[origin] * len(self._cities) + self._code[dest]
        low, high = (int(np.searchsorted(self._pair, pair, side=side)) for side in ("left", "right"))
        if date is not None:
            day = int(np.datetime64(date, "D").astype(np.int64))
            low, high = (low + int(np.searchsorted(self._day[low:high], day, side=side)) for side in ("left", "right"))
        return range(low, high)

    def _flight(self, row: int) -> Flight:
        import numpy as np

        origin, dest = divmod(int(self._pair[row]), len(self._cities))
        values: dict[str, Any] = {name: column[row].item() for name, column in self._columns.items()}
        date = str(np.datetime64(int(self._day[row]), "D"))
        return Flight(self._number[row], self._cities[origin], self._cities[dest], date, **values)


def _minutes_of(times: pd.Series) -> np.ndarray:
    import numpy as np
    import pandas as pd

    codes, texts = pd.factorize(times)
    return np.array([minutes(text) for text in texts], dtype=np.int64)[codes]
