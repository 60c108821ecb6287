"""Local times and their distance from UTC, for columns of times in one zone; the zones are `zoneinfo`'s."""

from __future__ import annotations

import datetime as dt
from functools import cache
from zoneinfo import ZoneInfo

import numpy as np

from schemas.clock import MINUTES_A_DAY

EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
MARGIN_DAYS = 3


class ZoneClock:
    """One zone's clock over a span of days.

    Times are minutes since 1970-01-01 00:00, of UTC or of the zone's wall clock. A time that the clocks skip or show
    twice is read as before the change (PEP 495, fold 0). Offsets are cut to whole minutes.
    """

    def __init__(self, zone: str, first_day: int, last_day: int) -> None:
        """Look up the offsets of the days, counted from 1970-01-01, and of three days on either side."""
        info = ZoneInfo(zone)
        start, end = ((day * MINUTES_A_DAY) for day in (first_day - MARGIN_DAYS, last_day + MARGIN_DAYS))
        changes, offsets = [start], [_offset(info, start)]
        for midnight in range(start + MINUTES_A_DAY, end + 1, MINUTES_A_DAY):
            offset = _offset(info, midnight)
            if offset != offsets[-1]:
                changes.append(_change(info, midnight - MINUTES_A_DAY, midnight))
                offsets.append(offset)
        self._offsets = np.array(offsets, dtype=np.int64)
        self._changes = np.array(changes[1:], dtype=np.int64)
        # On the wall, the new offset holds from where the larger of the two would show.
        self._wall_changes = self._changes + np.maximum(self._offsets[:-1], self._offsets[1:])

    def utc(self, local: np.ndarray) -> np.ndarray:
        """Return the UTC minutes of wall-clock minutes."""
        return local - self._offsets[np.searchsorted(self._wall_changes, local, side="right")]

    def local(self, utc: np.ndarray) -> np.ndarray:
        """Return the wall-clock minutes of UTC minutes."""
        return utc + self._offsets[np.searchsorted(self._changes, utc, side="right")]


class ZoneClocks:
    """The clocks of many zones over one span of days, each made when it is first asked for."""

    def __init__(self, zones: list[str], first_day: int, last_day: int) -> None:
        self._zones = zones
        self._clock = cache(lambda zone: ZoneClock(zones[zone], first_day, last_day))

    def utc(self, local: np.ndarray, zone: np.ndarray) -> np.ndarray:
        """Return the UTC minutes of wall-clock minutes, each in the zone at its position."""
        return self._by_zone(local, zone, "utc")

    def local(self, utc: np.ndarray, zone: np.ndarray) -> np.ndarray:
        """Return the wall-clock minutes of UTC minutes, each in the zone at its position."""
        return self._by_zone(utc, zone, "local")

    def _by_zone(self, times: np.ndarray, zone: np.ndarray, how: str) -> np.ndarray:
        zone_times = np.empty(len(times), dtype=np.int64)
        for position in np.unique(zone).tolist():
            of_zone = zone == position
            clock = self._clock(position)
            zone_times[of_zone] = (clock.utc if how == "utc" else clock.local)(times[of_zone])
        return zone_times


def _offset(info: ZoneInfo, utc: int) -> int:
    offset = (EPOCH + dt.timedelta(minutes=utc)).astimezone(info).utcoffset()
    return int((offset or dt.timedelta()).total_seconds()) // 60


def _change(info: ZoneInfo, before: int, after: int) -> int:
    """Return the first UTC minute at which the offset is that of `after`; it is another at `before`."""
    target = _offset(info, after)
    while after - before > 1:
        middle = (before + after) // 2
        before, after = (before, middle) if _offset(info, middle) == target else (middle, after)
    return after
