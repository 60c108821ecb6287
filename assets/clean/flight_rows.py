"""Rows of the flights table, made of columns of numbers: the text, the price and the pointers of one batch."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from schemas.clock import MINUTES_A_DAY, clock
from schemas.travel import KM_PER_MILE, Flight
from sources.flights.values import MISSING, code_text
from sources.formats.csv_columns import ColumnFile

if TYPE_CHECKING:
    import pyarrow as pa

CLOCK_TEXTS = [*map(clock, range(MINUTES_A_DAY))]
FLIGHT_DIGITS = 7


@dataclass(frozen=True)
class OfferFile:
    """A file that flights come from: how its ends are named, whether they are airports, and its prices' currency."""

    source: ColumnFile
    label: Callable[[int], str]
    names_airports: bool
    currency: str | None


def flight_rows(file: OfferFile, columns: dict[str, np.ndarray], city_ids: list[str]) -> pa.RecordBatch:
    """Return one file's flights as rows of `Flight`; `city_ids` are those that the columns count."""
    import pyarrow as pa

    rows = len(columns["record"])
    is_priced = columns["price"] != MISSING
    numbers = _joined("F", _padded(columns["given_number"]))
    if file.names_airports:
        origin, dest = (_texts_of_codes(columns[name], file.label) for name in ("origin", "dest"))
        number = columns["number"]
        flight = _joined(_texts_of_codes(columns["carrier"], code_text), _text(np.where(number == MISSING, 0, number)))
        native_id = _joined(flight, " ", origin, "-", dest)
    else:
        origin = dest = pa.nulls(rows, pa.string())
        native_id = numbers
    flight_columns: dict[str, Any] = {
        "origin_city_id": _looked_up(city_ids, columns["origin_city"]),
        "dest_city_id": _looked_up(city_ids, columns["dest_city"]),
        "flight_date": pa.array(columns["date"], pa.int32()).cast(pa.date32()),
        "flight_number": numbers,
        "native_id": native_id,
        "origin_airport": origin,
        "dest_airport": dest,
        "dep_time": _looked_up(CLOCK_TEXTS, columns["dep"]),
        "arr_time": _looked_up(CLOCK_TEXTS, columns["arr"]),
        "arr_day_offset": columns["day_offset"],
        "elapsed_min": columns["elapsed"],
        "distance_km": np.round(columns["miles"] * KM_PER_MILE, 1),
        "price": pa.array(columns["price"], mask=~is_priced),
        "currency": _looked_up([None, file.currency], is_priced.astype(np.int8)),
        "is_arrival_modelled": columns["is_modelled"],
        "source_rows": _lists(_joined(file.source.pointer(""), _text(columns["record"]))),
    }
    return pa.record_batch(
        [_array(flight_columns[name.name], name.type) for name in Flight.arrow_schema()], schema=Flight.arrow_schema()
    )


def _array(values: Any, kind: pa.DataType) -> pa.Array:
    import pyarrow as pa

    return pa.array(values).cast(kind) if isinstance(values, np.ndarray) else values.cast(kind)


def _looked_up(texts: list[Any], positions: np.ndarray) -> pa.Array:
    import pyarrow as pa

    return pa.array(texts, pa.string()).take(pa.array(positions))


def _texts_of_codes(codes: np.ndarray, text: Callable[[int], str]) -> pa.Array:
    distinct, positions = np.unique(codes, return_inverse=True)
    return _looked_up([text(code) for code in distinct.tolist()], positions)


def _text(numbers: np.ndarray) -> pa.Array:
    import pyarrow as pa

    return pa.array(numbers).cast(pa.string())


def _padded(numbers: np.ndarray) -> pa.Array:
    import pyarrow.compute as pc

    return pc.call_function("utf8_lpad", [_text(numbers)], pc.PadOptions(FLIGHT_DIGITS, "0"))


def _joined(*parts: Any) -> pa.Array:
    import pyarrow as pa
    import pyarrow.compute as pc

    scalars = [pa.scalar(part) if isinstance(part, str) else part for part in parts]
    return pc.call_function("binary_join_element_wise", [*scalars, pa.scalar("")])


def _lists(texts: pa.Array) -> pa.Array:
    import pyarrow as pa

    return pa.ListArray.from_arrays(pa.array(np.arange(len(texts) + 1, dtype=np.int32)), texts)
