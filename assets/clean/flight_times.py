"""When a flight leaves and lands, in local times, across zones, midnight and changes of the clock."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from assets.clean.local_time import ZoneClocks
from schemas.clock import MINUTES_A_DAY
from sources.flights.values import MISSING

TAXI_MIN = 24
"""Minutes on the ground of a flight whose time in the air alone is known: 16.7 taxiing out and 6.9 in, on average
(BTS, Sitting on the Runway, special report 2008-008, table 1, 2007)."""

CRUISE_MILES_A_MIN = 8.0
"""Miles a minute that tell roughly how long a flight of known length is: only to tell on which day it lands."""

LARGEST_SLIP_MIN = 60
"""How far the two ends of a flight may be from the duration its source states, in minutes: an hour, the size of a
change of the clock."""

HALF_DAY_MIN = 720


@dataclass(frozen=True)
class Times:
    """One flight a row: day of departure from 1970, minutes of the local days, and whether the source agrees."""

    date: np.ndarray
    dep: np.ndarray
    arr: np.ndarray
    day_offset: np.ndarray
    elapsed: np.ndarray
    is_modelled: np.ndarray
    is_consistent: np.ndarray


def flight_times(
    columns: dict[str, np.ndarray], origin_zone: np.ndarray, dest_zone: np.ndarray, zones: list[str]
) -> Times:
    """Return departure and arrival of each flight; `columns` are those of `sources.flights.bts.on_time`.

    The day is that on which it leaves: one that left more than twelve hours before or after its schedule's time of
    day left on the day before or after, and one that left at 2400 on the next. The duration is the time between its
    two ends, in their zones; without a time of arrival it is the source's, or the time in the air and `TAXI_MIN`.
    A flight whose ends do not agree with its stated duration, or that takes no time or over a day, is not consistent.
    """
    date, dep = departure(columns)
    arr, stated, air = columns["arr"], columns["elapsed"], columns["air"]
    clocks = ZoneClocks(zones, *_span(date))
    departure_utc = clocks.utc(date * MINUTES_A_DAY + dep, origin_zone)
    rough = np.where(air != MISSING, air + TAXI_MIN, np.rint(columns["miles"] / CRUISE_MILES_A_MIN) + TAXI_MIN)
    expected = np.where(stated != MISSING, stated, rough).astype(np.int64)
    is_given = arr != MISSING
    wall = date * MINUTES_A_DAY + np.where(is_given, arr, 0)
    same_day = clocks.utc(wall, dest_zone) - departure_utc
    wall += np.rint((expected - same_day) / MINUTES_A_DAY).astype(np.int64) * MINUTES_A_DAY
    elapsed = np.where(is_given, clocks.utc(wall, dest_zone) - departure_utc, expected)
    wall = np.where(is_given, wall, clocks.local(departure_utc + elapsed, dest_zone))
    landed_day = wall // MINUTES_A_DAY
    slip = np.where(is_given & (stated != MISSING), np.abs(elapsed - stated), 0)
    return Times(
        date=date,
        dep=dep,
        arr=wall - landed_day * MINUTES_A_DAY,
        day_offset=landed_day - date,
        elapsed=elapsed,
        is_modelled=~is_given & (stated == MISSING),
        is_consistent=(slip <= LARGEST_SLIP_MIN) & (elapsed >= 1) & (elapsed <= MINUTES_A_DAY),
    )


def departure(columns: dict[str, np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Return the day and minute of departure: flights that leave half a day from plan leave on another day.

    Columns are date (days from 1970), dep and planned_dep (minutes of the local day, or MISSING).
    """
    date, dep, planned = columns["date"], columns["dep"], columns["planned_dep"]
    late = np.where(planned == MISSING, 0, dep - planned)
    date = date + (late < -HALF_DAY_MIN) - (late > HALF_DAY_MIN)
    return date + dep // MINUTES_A_DAY, dep % MINUTES_A_DAY


def _span(date: np.ndarray) -> tuple[int, int]:
    return (int(date.min()), int(date.max())) if len(date) else (0, 0)
