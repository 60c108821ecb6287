"""The flight book: millions of flights kept as columns, looked up by city pair and date or by number."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
        self._code = {str(city): i for i, city in enumerate(cities)}
        pair = codes[: len(flights)].astype(np.int64) * max(1, len(cities)) + codes[len(flights) :]
        numbers = flights["flight_number"].astype("str")
        order = np.lexsort((pd.factorize(numbers, sort=True)[0], day, pair))
        self._rows = flights.iloc[order].reset_index(drop=True)
        self._pair, self._day = pair[order], day[order]
        hashes = pd.util.hash_array(numbers.to_numpy(dtype=object)[order], categorize=False)
        self._by_hash = np.argsort(hashes, kind="stable")
        self._hashes = hashes[self._by_hash]
        self._known: dict[tuple[str, str, str | None], tuple[Flight, ...]] = {}

    def between(self, origin: str, dest: str, date: str | None) -> tuple[Flight, ...]:
        """Return the flights of the pair, on the ISO date or on any, by date and number."""
        key = (origin, dest, date)
        if key not in self._known:
            self._known[key] = self._find(origin, dest, date)
        return self._known[key]

    def numbered(self, number: str) -> tuple[Flight, ...]:
        """Return the flights of exactly that number."""
        import numpy as np
        import pandas as pd

        wanted = pd.util.hash_array(np.array([number], dtype=object), categorize=False)[0]
        low, high = (int(np.searchsorted(self._hashes, wanted, side=side)) for side in ("left", "right"))
        found = self._flights(np.sort(self._by_hash[low:high]))
        return tuple(flight for flight in found if flight.flight_number == number)

    def _find(self, origin: str, dest: str, date: str | None) -> tuple[Flight, ...]:
        import numpy as np

        if origin not in self._code or dest not in self._code:
            return ()
        pair = self._code[origin] * len(self._code) + self._code[dest]
        low, high = (int(np.searchsorted(self._pair, pair, side=side)) for side in ("left", "right"))
        if date is not None:
            day = int(np.datetime64(date, "D").astype(np.int64))
            low, high = (low + int(np.searchsorted(self._day[low:high], day, side=side)) for side in ("left", "right"))
        return self._flights(np.arange(low, high))

    def _flights(self, rows: np.ndarray) -> tuple[Flight, ...]:
        return tuple(
            Flight(
                r["flight_number"], r["origin_city_id"], r["dest_city_id"], str(r["flight_date"])[:10],
                minutes(r["dep_time"]), minutes(r["arr_time"]) + 1440 * int(r["arr_day_offset"]),
                int(r["elapsed_min"]), float(r["distance_km"]), int(r["price"]), bool(r["is_modelled"]),
            )
            for r in self._rows.iloc[rows].to_dict("records")
        )  # fmt: skip
