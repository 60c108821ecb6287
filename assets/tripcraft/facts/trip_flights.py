"""The flights that trips may take: on the trips' dates, priced, in the release's currency. Columns, never rows.

Flights come by the million: they are looked at in slices and handed on as a stream, so that beside the table that was
read only one slice is in memory.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from assets.step import Outcome
from assets.tripcraft.facts.fares import modelled_prices
from assets.tripcraft.facts.money import conversion_rate, no_rate
from assets.tripcraft.facts.trip_dates import date_map, moved_weeks
from assets.tripcraft.section import TripcraftSection
from assets.tripcraft.tables import TripcraftFlight
from schemas.rejection import Reason

EPOCH = dt.date(1970, 1, 1)
"""Day 0 of an Arrow date."""

SLICE_ROWS = 65_536
NEVER = -1
"""The day of a flight that leaves on none of the trips' dates."""

REJECTIONS = pa.schema([(name, pa.string()) for name in ("row", "reason", "detail")])


def trip_flights(flight: pa.Table, terms: pd.DataFrame, *, section: TripcraftSection, seed: int) -> Outcome:
    """Return the flights on the trips' dates with a price in the terms' currency, and why each other flight is none.

    Dates move by the recipe's rule. A flight that its source does not price has the declared model's price, if the
    recipe has one. A price in another currency is converted at the declared rate and rounded to whole units, of which
    it has at least one. The facts count the flights, and the modelled ones, as their batches are read.
    """
    dates = date_map(section.flight_dates_from, (section.first_date, section.last_date))
    prices = _Terms(flight, dates, terms["currency"].iloc[0], section, seed)
    schema = TripcraftFlight.arrow_schema()
    facts: dict[str, Any] = {"weeks_moved": moved_weeks(dates), "exchange": prices.exchange(), "rows": 0, "modelled": 0}

    def priced_batches() -> Iterator[pa.RecordBatch]:
        for rows in _slices(flight):
            priced = prices.priced(rows)
            facts["rows"] += len(priced)
            facts["modelled"] += sum(priced["is_modelled"].to_pylist())
            yield from priced.to_batches()

    def rejection_batches() -> Iterator[pa.RecordBatch]:
        for rows in _slices(flight):
            yield from prices.rejections(rows).to_batches()

    return Outcome(
        pa.RecordBatchReader.from_batches(schema, priced_batches()),
        pa.RecordBatchReader.from_batches(REJECTIONS, rejection_batches()),
        rows_in=len(flight),
        facts=facts,
    )


@dataclass(frozen=True)
class _JudgedFlights:
    """One slice: each flight's new day, price and currency as given, what a unit of it is in ours, and its verdict."""

    day: np.ndarray
    price: np.ndarray
    is_modelled: np.ndarray
    currency: np.ndarray
    rate: np.ndarray
    reason: np.ndarray


class _Terms:
    """What every flight is judged by."""

    def __init__(
        self, flight: pa.Table, dates: dict[dt.date, dt.date], currency: str, section: TripcraftSection, seed: int
    ) -> None:
        days = {(date - EPOCH).days: (to - EPOCH).days for date, to in dates.items()}
        self._first = min(days, default=0)
        self._days = np.full(max(days, default=-1) - self._first + 3, NEVER, dtype=np.int64)
        for day, to in days.items():
            self._days[day - self._first + 1] = to
        self._section, self._seed, self._currency = section, seed, currency
        currencies = {name for name in flight["currency"].unique().to_pylist() if name is not None}
        if section.fares is not None:
            currencies.add(section.fares.currency)
        self._codes = sorted(currencies)
        rates = [conversion_rate(section.rates, code, currency) for code in self._codes]
        self._rates = np.array([np.nan if rate is None else rate for rate in rates] + [np.nan])

    def exchange(self) -> dict[str, float | None]:
        """Return what a unit of each currency that a price is given in is in ours."""
        rates = zip(self._codes, self._rates[:-1].tolist(), strict=True)
        return {code: None if rate != rate else rate for code, rate in rates}

    def priced(self, rows: pa.Table) -> pa.Table:
        """Return the slice's flights that trips may take."""
        flights = self._judged_flights(rows)
        is_kept = flights.reason == ""
        kept_rows = rows.filter(pa.array(is_kept))
        source_prices = flights.price[is_kept]
        is_modelled = flights.is_modelled[is_kept] | kept_rows["is_arrival_modelled"].to_numpy()
        new_columns: dict[str, Any] = {
            "flight_date": pa.array(flights.day[is_kept].astype(np.int32)).cast(pa.date32()),
            "date_given": kept_rows["flight_date"],
            "price": pa.array(np.maximum(1, np.rint(source_prices * flights.rate[is_kept])).astype(np.int64)),
            "price_given": pa.array(source_prices),
            "currency_given": pa.array(self._codes, pa.string()).take(pa.array(flights.currency[is_kept])),
            "is_modelled": pa.array(is_modelled),
        }
        schema = TripcraftFlight.arrow_schema()
        return pa.table(
            [
                new_columns.get(name, kept_rows[name] if name in kept_rows.column_names else None)
                for name in schema.names
            ],
            schema=schema,
        )

    def rejections(self, rows: pa.Table) -> pa.Table:
        """Return the slice's other flights and why they are none."""
        section = self._section
        flights = self._judged_flights(rows)
        is_dropped = flights.reason != ""
        reasons = flights.reason[is_dropped]
        window = section.flight_dates_from or (section.first_date, section.last_date)
        details = {
            Reason.OUTSIDE_DATES.value: f"expected a date from {window[0]} to {window[1]} that moves to one from "
            f"{section.first_date} to {section.last_date}",
            Reason.MISSING_VALUE.value: "no price, and no `fares` in [families.tripcraft] to model one by",
        }
        unrated = [no_rate(code, self._currency, section.rates) for code in self._codes]
        currencies = flights.currency[is_dropped].tolist()
        row_details = [
            details.get(why) or unrated[code] for why, code in zip(reasons.tolist(), currencies, strict=True)
        ]
        numbers = rows["flight_number"].filter(pa.array(is_dropped))
        return pa.table([numbers, reasons.tolist(), row_details], schema=REJECTIONS)

    def _judged_flights(self, rows: pa.Table) -> _JudgedFlights:
        day = rows["flight_date"].cast(pa.int32()).to_numpy().astype(np.int64)
        moved = self._days[np.clip(day - self._first + 1, 0, len(self._days) - 1)]
        is_priced = ~rows["price"].is_null().to_numpy()
        price = rows["price"].fill_null(0).to_numpy().astype(np.float64)
        positions = pc.call_function(
            "index_in", [rows["currency"]], pc.SetLookupOptions(pa.array(self._codes, pa.string()))
        )
        currency = positions.fill_null(-1).to_numpy().astype(np.int64)
        fares = self._section.fares
        if fares is not None:
            numbers = pc.call_function("utf8_slice_codeunits", [rows["flight_number"]], pc.SliceOptions(1))
            modelled = modelled_prices(
                rows["distance_km"].to_numpy(), numbers.cast(pa.int64()).to_numpy(), self._seed, fares
            )
            price = np.where(is_priced, price, modelled)
            currency = np.where(is_priced, currency, self._codes.index(fares.currency))
        is_unpriced = ~is_priced if fares is None else np.zeros(len(rows), dtype=bool)
        rate = self._rates[currency]
        reason = np.where(
            moved == NEVER,
            Reason.OUTSIDE_DATES.value,
            np.where(
                is_unpriced, Reason.MISSING_VALUE.value, np.where(np.isnan(rate), Reason.NO_EXCHANGE_RATE.value, "")
            ),
        )
        return _JudgedFlights(moved, price, ~is_priced, currency, rate, reason)


def _slices(flight: pa.Table) -> Iterator[pa.Table]:
    for start in range(0, len(flight), SLICE_ROWS):
        yield flight.slice(start, SLICE_ROWS).combine_chunks()
