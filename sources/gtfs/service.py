"""What runs on a date: services by calendar, and each stop's first and last departure and headway on that day.

Only questions asked of the transit tables belong here; reading feeds belongs in `gtfs.py`.
"""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd


def runs_on(
    day: dt.date,
    weekdays: str,
    start_date: dt.date | None,
    end_date: dt.date | None,
    added_dates: list[str],
    removed_dates: list[str],
) -> bool:
    """Return whether a service runs on the day: exceptions decide, then its weekly pattern (GTFS calendar)."""
    text = day.isoformat()
    if text in added_dates:
        return True
    if text in removed_dates or start_date is None or end_date is None:
        return False
    return start_date <= day <= end_date and weekdays[day.weekday()] == "1"


def active_bounds(
    weekdays: str,
    start_date: dt.date | None,
    end_date: dt.date | None,
    added_dates: list[str],
    removed_dates: list[str],
) -> tuple[dt.date, dt.date] | None:
    """Return the first and the last day on which a service runs, or None if it never does."""
    days = [dt.date.fromisoformat(text) for text in added_dates]
    if start_date is not None and end_date is not None and "1" in weekdays:
        pattern = (weekdays, start_date, end_date, added_dates, removed_dates)
        length = (end_date - start_date).days + 1
        for step, edge in ((1, start_date), (-1, end_date)):
            walk = (edge + dt.timedelta(days=step * i) for i in range(length))
            days += [day for day in [next((day for day in walk if runs_on(day, *pattern)), None)] if day is not None]
    return (min(days), max(days)) if days else None


def service_on(day: dt.date, services: pd.DataFrame, stop_services: pd.DataFrame) -> pd.DataFrame:
    """Return one row a stop with any departure on the service day: what is known of that day, in one city.

    `services` and `stop_services` are the city's rows of TransitService and StopService. Columns: service_date,
    stop_id, departures (count), first_departure_s, last_departure_s, headway_s. Seconds count from the start of the
    service day, so 25:10 is a departure at 1:10 of the next calendar day, and is among the last of this day, never the
    first of the next. The headway is the median gap between departures at different seconds (two lines that leave
    together are one chance to leave), in whole seconds, rounded down; null where there is one such second.
    """
    import numpy as np
    import pandas as pd

    columns = ("weekdays", "start_date", "end_date", "added_dates", "removed_dates")
    runs = [runs_on(day, *pattern) for pattern in zip(*(services[column] for column in columns), strict=True)]
    running = set(services.loc[runs, "service_id"])
    running_stop_services = stop_services[stop_services["service_id"].isin(running)]
    at_stop: dict[str, list[np.ndarray]] = {}
    for stop_id, times in zip(running_stop_services["stop_id"], running_stop_services["departures_s"], strict=True):
        at_stop.setdefault(stop_id, []).append(np.asarray(times, dtype=np.int64))
    rows = []
    for stop_id, lists in sorted(at_stop.items()):
        times = np.sort(np.concatenate(lists))
        gaps = np.diff(np.unique(times))
        headway = int(np.median(gaps)) if len(gaps) else None
        rows.append((day, stop_id, len(times), int(times[0]), int(times[-1]), headway))
    names = ["service_date", "stop_id", "departures", "first_departure_s", "last_departure_s", "headway_s"]
    frame = pd.DataFrame(rows, columns=pd.Index(names))
    return frame.astype(dict.fromkeys(names[2:5], "int64") | {"headway_s": "Int64"})
