"""Flights read so far, as narrow columns of numbers, and the rows that were none; then all of them as streams."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from assets.clean.flight_ends import REFUSED, Ends
from assets.clean.flight_number import flight_numbers, salted_hashes
from assets.clean.flight_rows import OfferFile, flight_rows
from assets.clean.flight_times import Times, flight_times
from assets.step import Outcome
from schemas.recipe import City
from schemas.rejection import Reason
from schemas.source import SourceError
from schemas.travel import Flight
from sources.flights.values import MISSING
from sources.formats.jsonl import RowError, rejection

if TYPE_CHECKING:
    import pyarrow as pa

BATCH_ROWS = 65_536
STORED = {
    "file": "int16", "record": "int32", "origin_city": "int16", "dest_city": "int16", "origin": "int64",
    "dest": "int64", "carrier": "int64", "number": "int32", "planned_date": "int32", "planned_dep": "int16",
    "date": "int32", "dep": "int16", "arr": "int16", "day_offset": "int8", "elapsed": "int16", "miles": "int16",
    "price": "int32", "given_number": "int32", "is_modelled": "bool",
}  # fmt: skip
"""What is kept of a flight until it is written, and how wide."""

IDENTITY = ("origin_city", "dest_city", "origin", "dest", "carrier", "number", "planned_date", "planned_dep")
"""Two rows that agree in these, or in their given number, are one flight; the first is kept."""


@dataclass
class Offers:
    """The flights of all files; `zones` are the time zones that `Ends` counts."""

    zones: list[str]
    files: list[OfferFile] = field(default_factory=list)
    _parts: dict[str, list[np.ndarray]] = field(default_factory=lambda: {name: [] for name in STORED})
    _refused_parts: list[dict[str, np.ndarray]] = field(default_factory=list)
    _records: int = 0

    def begin(self, file: OfferFile) -> None:
        """Let the batches that follow be the file's."""
        self.files.append(file)

    def add(self, batch: dict[str, np.ndarray], ends: Ends) -> None:
        """Keep the batch's offers, and why its other rows are none."""
        file, source = len(self.files) - 1, self.files[-1].source
        refused = {name: batch[name][ends.refused_row] for name in ("record", "origin", "dest")}
        self._refused_parts.append(
            refused | {"file": np.full(len(ends.refused_reason), file), "reason": ends.refused_reason}
        )
        offers = {name: column[ends.row] for name, column in batch.items()}
        times = flight_times(offers, ends.origin_zone, ends.dest_zone, self.zones)
        is_good = np.zeros(len(batch["record"]), dtype=bool)
        is_good[ends.row[times.is_consistent]] = True
        self._records += int(is_good.sum())
        is_bad = np.zeros(len(is_good), dtype=bool)
        is_bad[ends.row] = True
        for row in np.flatnonzero(is_bad & ~is_good).tolist():
            times_text = ", ".join(f"{name} {batch[name][row]}" for name in ("dep", "arr", "elapsed", "air"))
            bad = RowError(
                Reason.BAD_VALUE, f"found {times_text} (minutes); between the two time zones they do not agree"
            )
            source.rejected.append(rejection(source.pointer(int(batch["record"][row])), bad))
        for name, column in self._columns(offers, ends, times, file).items():
            self._parts[name].append(column[times.is_consistent].astype(STORED[name]))

    def outcome(self, cities: list[City]) -> Outcome:
        """Return the flights and the rejections as streams. Raises SourceError for too many flights."""
        columns = {}
        for name, width in STORED.items():
            columns[name] = np.concatenate([np.empty(0, width), *self._parts.pop(name)])
        hashes = _hashes(columns)
        is_first = ~_repeats(columns, hashes)
        again = {name: columns[name][~is_first] for name in ("file", "record")}
        columns = {name: column[is_first] for name, column in columns.items()}
        hashes = hashes[is_first]
        numbers = columns["given_number"]
        is_unnumbered = numbers == MISSING
        try:
            numbers[is_unnumbered] = flight_numbers(hashes[is_unnumbered], numbers[~is_unnumbered])
        except ValueError as error:
            raise SourceError(str(error)) from None
        records = np.unique(np.stack([again["file"], again["record"]]), axis=1)
        dropped = self._rejections(records)
        rows_read = sum(file.source.rows_read for file in self.files)
        offered_again = len(numbers) - (self._records - records.shape[1])
        return Outcome(
            self._rows(columns, cities),
            dropped,
            rows_in=rows_read + offered_again,
            facts={"flights_offered_again": offered_again},
        )

    def _columns(self, offers: dict[str, np.ndarray], ends: Ends, times: Times, file: int) -> dict[str, np.ndarray]:
        rows = len(ends.row)
        absent = np.full(rows, MISSING)
        planned = offers["planned_dep"]
        columns = {
            **offers,
            **vars(times),
            "file": np.full(rows, file),
            "origin_city": ends.origin_city,
            "dest_city": ends.dest_city,
            "planned_date": offers["date"],
            "planned_dep": np.where(planned == MISSING, offers["dep"], planned),
        }
        return {name: columns.get(name, absent) for name in STORED}

    def _rows(self, columns: dict[str, np.ndarray], cities: list[City]) -> pa.RecordBatchReader:
        import pyarrow as pa

        city_ids = [city.city_id for city in cities]
        ends = np.searchsorted(columns["file"], np.arange(len(self.files) + 1)).tolist()

        def batches() -> Iterator[pa.RecordBatch]:
            for file, first, last in zip(self.files, ends[:-1], ends[1:], strict=True):
                for start in range(first, last, BATCH_ROWS):
                    rows = slice(start, min(start + BATCH_ROWS, last))
                    yield flight_rows(file, {name: c[rows] for name, c in columns.items()}, city_ids)

        return pa.RecordBatchReader.from_batches(Flight.arrow_schema(), batches())

    def _rejections(self, again: np.ndarray) -> pa.RecordBatchReader:
        import pyarrow as pa

        schema = pa.schema([(name, pa.string()) for name in ("row", "reason", "detail")])

        def batches() -> Iterator[pa.RecordBatch]:
            for file in self.files:
                yield pa.RecordBatch.from_pylist(file.source.rejected, schema=schema)
            for part in self._refused_parts:
                yield pa.RecordBatch.from_pylist([*self._refusals(part)], schema=schema)
            rows = [
                rejection(
                    self.files[file].source.pointer(record), RowError(Reason.DUPLICATE, "the flight was already taken")
                )
                for file, record in again.T.tolist()
            ]
            yield pa.RecordBatch.from_pylist(rows, schema=schema)

        return pa.RecordBatchReader.from_batches(schema, batches())

    def _refusals(self, part: dict[str, np.ndarray]) -> Iterator[dict[str, str]]:
        for file, record, origin, dest, reason in zip(
            *(part[name].tolist() for name in ("file", "record", "origin", "dest", "reason")), strict=True
        ):
            label = self.files[file].label
            bad = RowError(REFUSED[reason], f"a flight from {label(origin)} to {label(dest)}")
            yield rejection(self.files[file].source.pointer(record), bad)


def _hashes(columns: dict[str, np.ndarray]) -> np.ndarray:
    """Return each flight's 64-bit hash: of its identity, the same in every build and order of files."""
    hashes = np.zeros(len(columns["file"]), dtype=np.uint64)
    for name in IDENTITY:
        hashes = salted_hashes(hashes, np.uint64(0)) ^ columns[name].astype(np.uint64)
    return salted_hashes(hashes, np.uint64(0))


def _repeats(columns: dict[str, np.ndarray], hashes: np.ndarray) -> np.ndarray:
    """Return which flights are there before, by given number where there is one, else by identity."""
    given_numbers = columns["given_number"]
    keys = np.where(given_numbers == MISSING, hashes, given_numbers.astype(np.uint64))
    order = np.argsort(keys, kind="stable")
    is_repeat = keys[order][1:] == keys[order][:-1]
    for name in ("given_number", *IDENTITY):
        column = columns[name][order]
        is_named = given_numbers[order][1:] != MISSING
        is_repeat &= (column[1:] == column[:-1]) | (is_named & (name != "given_number"))
    repeats = np.zeros(len(keys), dtype=bool)
    repeats[order[1:]] = is_repeat
    return repeats
