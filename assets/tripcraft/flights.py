"""The flight book: millions of flights kept as columns, looked up by city pair and date or by number.

Journeys by train and coach are kept in one of their own, under the columns' names for flights.
"""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Any

from assets.tripcraft.entities import Flight
from assets.tripcraft.text_places import TextPlaces
from schemas.clock import minutes

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    import pyarrow as pa


PLAIN_COLUMNS = ("elapsed_min", "distance_km", "price", "is_modelled")
READ_COLUMNS = (
    "flight_number", "origin_city_id", "dest_city_id", "flight_date", "dep_time", "arr_time", "arr_day_offset",
    *PLAIN_COLUMNS,
)  # fmt: skip
EPOCH = dt.date(1970, 1, 1)
MOST_DAYS = 100_000
"""Days from the epoch that a key has room for: until the year 2243."""


def arrow_rows(flights: pd.DataFrame | pa.Table) -> pa.Table:
    """Return the rows' columns that trips are made of, as Arrow."""
    import pandas as pd
    import pyarrow as pa

    rows = pa.Table.from_pandas(flights, preserve_index=False) if isinstance(flights, pd.DataFrame) else flights
    return rows.select([name for name in (*READ_COLUMNS, "mode") if name in rows.column_names])


class FlightBook:
    """Flights by (origin, destination, date) and by number, without a Python object for each row."""

    @classmethod
    def of_journeys(cls, journeys: pd.DataFrame) -> FlightBook:
        """Return the book of the rows of `TripcraftJourney`."""
        return cls(journeys.rename(columns={"journey_number": "flight_number", "journey_date": "flight_date"}))

    def __init__(self, flights: pd.DataFrame | pa.Table) -> None:
        """Sort and index the rows of `TripcraftFlight`; `flight_date` is a date or ISO text.

        A column `mode` says what a row is; without one they are flights.
        """
        import numpy as np
        import pyarrow as pa

        rows: Any = arrow_rows(flights)
        origins, dests = (_coded(rows[name]) for name in ("origin_city_id", "dest_city_id"))
        self._cities = sorted({*origins[1], *dests[1]})
        self._code = {city: i for i, city in enumerate(self._cities)}
        origin, dest = (
            np.array([self._code[v] for v in values], dtype=np.int64)[codes] for codes, values in (origins, dests)
        )
        day = rows["flight_date"].cast(pa.date32()).cast(pa.int32()).to_numpy().astype(np.int64)
        key = (origin * len(self._cities) + dest) * MOST_DAYS + day
        self._key = key
        self._by_key = np.argsort(key, kind="stable")
        self._sorted_key = key[self._by_key]
        self._number = pa.array(rows["flight_number"].combine_chunks())
        self._places = TextPlaces(self._number)
        dep, arr = (_minutes(rows[name]) for name in ("dep_time", "arr_time"))
        self._columns = {
            "dep_min": dep,
            "arr_min": arr + 1440 * rows["arr_day_offset"].to_numpy().astype(np.int64),
            **{name: rows[name].to_numpy() for name in PLAIN_COLUMNS},
        }
        self._modes = rows["mode"].to_pylist() if "mode" in rows.column_names else None
        self._flights_by_leg: dict[tuple[str, str, str | None], tuple[Flight, ...]] = {}
        self._flights_by_number: dict[str, tuple[Flight, ...]] = {}

    def between(self, origin: str, dest: str, date: str | None) -> tuple[Flight, ...]:
        """Return the flights of the pair, on the ISO date or on any, by date and number."""
        key = (origin, dest, date)
        if key not in self._flights_by_leg:
            flights = [self._flight(int(row)) for row in self._find(origin, dest, date)]
            self._flights_by_leg[key] = tuple(sorted(flights, key=lambda f: (f.flight_date, f.flight_number)))
        return self._flights_by_leg[key]

    def numbered(self, number: str) -> tuple[Flight, ...]:
        """Return the flights of exactly that number."""
        if number not in self._flights_by_number:
            self._flights_by_number[number] = tuple(self._flight(row) for row in self._places.of(number))
        return self._flights_by_number[number]

    def _find(self, origin: str, dest: str, date: str | None) -> np.ndarray:
        """Return the rows of the pair's flights."""
        import numpy as np

        if origin not in self._code or dest not in self._code:
            return self._by_key[:0]
        first = (self._code[origin] * len(self._cities) + self._code[dest]) * MOST_DAYS
        first, last = (first + _day(date),) * 2 if date is not None else (first, first + MOST_DAYS - 1)
        low, high = np.searchsorted(self._sorted_key, [first, last + 1])
        return self._by_key[low:high]

    def _flight(self, row: int) -> Flight:
        pair, day = divmod(int(self._key[row]), MOST_DAYS)
        origin, dest = divmod(pair, len(self._cities))
        values: dict[str, Any] = {name: column[row].item() for name, column in self._columns.items()}
        values |= {} if self._modes is None else {"mode": self._modes[row]}
        date = str(EPOCH + dt.timedelta(days=day))
        return Flight(self._number[row].as_py(), self._cities[origin], self._cities[dest], date, **values)


def _day(date: str) -> int:
    """Return the days from 1 January 1970 to an ISO date."""
    return (dt.date.fromisoformat(date) - EPOCH).days


def _coded(column: pa.ChunkedArray) -> tuple[np.ndarray, list[str]]:
    """Return the column's distinct values, and each row's place among them."""
    import pyarrow as pa

    is_coded = pa.types.is_dictionary(column.type)  # as it was read, see `Table.repeated_texts`
    coded: Any = (column if is_coded else column.cast(pa.string()).dictionary_encode()).combine_chunks()
    return coded.indices.to_numpy(), coded.dictionary.to_pylist()


def _minutes(column: pa.ChunkedArray) -> np.ndarray:
    """Return the minutes since midnight of `HH:MM` times, reading each distinct one once."""
    import numpy as np

    codes, values = _coded(column)
    return np.array([minutes(value) for value in values], dtype=np.int64)[codes]
