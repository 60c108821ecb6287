"""What runs on a date is what a walk through every day of the calendar says."""

from __future__ import annotations

import csv
import datetime as dt
import io
import zipfile
from collections import defaultdict

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.transit import StopService, TransitService
from sources.gtfs.reader import Feed, read_services, read_stop_services
from sources.gtfs.service import active_bounds, runs_on, service_on

MONDAY = dt.date(2025, 1, 6)
days = st.integers(0, 40).map(lambda i: MONDAY + dt.timedelta(days=i))
isodates = st.lists(days.map(dt.date.isoformat), max_size=12, unique=True).map(sorted)


@pytest.mark.parametrize(
    ("day", "runs"),
    [
        (MONDAY, True),
        (MONDAY + dt.timedelta(days=1), False),
        (MONDAY + dt.timedelta(days=2), True),
        (MONDAY + dt.timedelta(days=5), False),
        (MONDAY + dt.timedelta(days=6), True),
        (MONDAY + dt.timedelta(days=7), False),
        (MONDAY - dt.timedelta(days=7), True),
    ],
    ids=[
        "in the week",
        "removed",
        "in the week too",
        "weekend",
        "the last day",
        "after the end",
        "added before the start",
    ],
)
def test_exceptions_decide_before_the_weekly_pattern(day, runs):
    pattern = ("1111101", MONDAY, MONDAY + dt.timedelta(days=6), ["2024-12-30"], ["2025-01-07"])
    assert runs_on(day, *pattern) is runs


@given(
    st.text("01", min_size=7, max_size=7),
    st.tuples(days, days).map(sorted) | st.just((None, None)),
    isodates,
    isodates,
)
def test_the_bounds_are_the_first_and_last_day_of_all_that_run(weekdays, span, added, removed):
    pattern = (weekdays, span[0], span[1], added, removed)
    every = [MONDAY + dt.timedelta(days=i) for i in range(-1, 60)]
    running = [day for day in every if runs_on(day, *pattern)]
    assert active_bounds(*pattern) == ((running[0], running[-1]) if running else None)


def service(service_id, weekdays):
    return {
        "city_id": "c", "service_id": service_id, "feed": "f", "native_id": service_id, "weekdays": weekdays,
        "start_date": MONDAY, "end_date": MONDAY + dt.timedelta(days=30), "added_dates": [], "removed_dates": [],
        "source_rows": [],
    }  # fmt: skip


def at_stop(stop_id, service_id, times):
    return {
        "city_id": "c", "stop_id": stop_id, "service_id": service_id, "departures_s": times, "route_ids": [],
        "source_rows": [],
    }  # fmt: skip


def test_a_stop_s_day_joins_its_services_and_leaves_out_stops_where_nothing_runs():
    services = pd.DataFrame([service("week", "1111100"), service("daily", "1111111"), service("sunday", "0000001")])
    stops = pd.DataFrame(
        [
            at_stop("B", "week", [100, 400, 1000]),
            at_stop("B", "daily", [100, 90_600]),
            at_stop("A", "daily", [50]),
            at_stop("C", "sunday", [7]),
        ]
    )
    frame = service_on(MONDAY, services, stops)
    assert frame["headway_s"].isna().tolist() == [True, False]
    assert frame.astype(object).where(frame.notna(), None).to_numpy().tolist() == [
        [MONDAY, "A", 1, 50, 50, None],
        [MONDAY, "B", 5, 100, 90_600, 600],
    ]
    assert service_on(MONDAY - dt.timedelta(days=1), services, stops).empty
    assert list(service_on(MONDAY + dt.timedelta(days=6), services, stops)["stop_id"]) == ["A", "B", "C"]


def slow_seconds(text):
    hours, minutes, rest = (int(part) for part in text.split(":"))
    return hours * 3600 + minutes * 60 + rest


def by_hand(path, service_ids):
    """Return each stop's departures on a day of the services, read row by row."""
    with zipfile.ZipFile(path) as archive:
        trips, stop_times, frequencies = (
            list(csv.DictReader(io.StringIO(archive.read(f"{name}.txt").decode())))
            for name in ("trips", "stop_times", "frequencies")
        )
    found = defaultdict(list)
    for trip in (t["trip_id"] for t in trips if t["service_id"] in service_ids):
        stops = sorted((r for r in stop_times if r["trip_id"] == trip), key=lambda r: int(r["stop_sequence"]))
        begin = slow_seconds(stops[0]["departure_time"])
        runs = [f for f in frequencies if f["trip_id"] == trip]
        starts = [
            second
            for f in runs
            for second in range(slow_seconds(f["start_time"]), slow_seconds(f["end_time"]), int(f["headway_secs"]))
        ]
        for start in starts or [begin]:
            for row in stops[:-1]:
                found[row["stop_id"]].append(start + slow_seconds(row["departure_time"]) - begin)
    return {stop: (len(times), min(times), max(times)) for stop, times in found.items()}


@pytest.mark.parametrize(("day", "service_ids"), [("2025-09-14", {"1"}), ("2025-12-25", {"1", "4"})])
def test_a_sunday_and_christmas_of_porto_s_metro(shared_data, given_path, day, service_ids):
    """Its calendar_dates.txt takes one of the two workday services off on Christmas, and leaves the other running."""
    path = shared_data / "gtfs" / "porto_metro_gtfs_metroporto_latest.zip"
    feed = Feed(given_path(path, "gtfs", "feed"), city_id="c", feed="f")
    services, stops = TransitService.frame(read_services(feed)), StopService.frame(read_stop_services(feed))
    frame = service_on(dt.date.fromisoformat(day), services, stops)
    columns = ("stop_id", "departures", "first_departure_s", "last_departure_s")
    found = {row[0].removeprefix("f:"): row[1:] for row in zip(*(frame[c].tolist() for c in columns), strict=True)}
    assert found == by_hand(path, service_ids)
    assert service_on(dt.date(2025, 9, 7), services, stops).empty
