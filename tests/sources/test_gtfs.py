"""A feed becomes stops, routes, calendars and departures as a slow reading by the GTFS reference would have it."""

from __future__ import annotations

import csv
import datetime as dt
import io
import zipfile
from collections import defaultdict

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from schemas.source import SourceError
from schemas.transit import Stop, StopService, TransitFeed, TransitRoute, TransitService
from sources.gtfs.reader import (
    Feed,
    feed_dates,
    raw_records,
    read_feed,
    read_routes,
    read_services,
    read_stop_services,
    read_stops,
)

AGENCY = "agency_id,agency_name,agency_url,agency_timezone\n1,Trams,http://t.example,Europe/Lisbon\n"
STOPS = "stop_id,stop_name,stop_lat,stop_lon\nA,Alpha,41.1,-8.6\nB,Beta,41.2,-8.6\nC,Gamma,41.3,-8.6\n"
ROUTES = 'route_id,agency_id,route_short_name,route_long_name,route_type\nR,1,9,"Up, down",0\n'
TRIPS = "route_id,service_id,trip_id\nR,WEEK,t1\nR,WEEK,t2\nR,SUN,t3\n"
CALENDAR = (
    "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n"
    "WEEK,1,1,1,1,1,0,0,20250106,20250110\nSUN,0,0,0,0,0,0,1,20250106,20250131\n"
)
STOP_TIMES = (
    "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
    "t1,6:00:00,6:01:00,A,1\nt1,6:10:00,6:11:00,B,2\nt1,6:20:00,6:20:00,C,3\n"
    "t2,23:50:00,23:50:00,A,1\nt2,24:10:00,24:11:00,B,5\nt2,24:20:00,24:20:00,C,9\n"
    "t3,7:00:00,7:00:00,A,1\nt3,7:10:00,7:10:00,B,2\n"
)
FEED = {
    "agency.txt": AGENCY,
    "stops.txt": STOPS,
    "routes.txt": ROUTES,
    "trips.txt": TRIPS,
    "calendar.txt": CALENDAR,
    "stop_times.txt": STOP_TIMES,
}


def zipped(members, folder=""):
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in members.items():
            archive.writestr(folder + name, text)
    return content.getvalue()


@pytest.fixture
def opened(given_bytes):
    def open_feed(changes=None, folder=""):
        members = {name: text for name, text in {**FEED, **(changes or {})}.items() if text is not None}
        return Feed(given_bytes(zipped(members, folder), "gtfs", "feed", "trams.zip"), city_id="pt-porto", feed="trams")

    return open_feed


def times(feed):
    return {
        (row["stop_id"].removeprefix("trams:"), row["service_id"].removeprefix("trams:")): row["departures_s"]
        for row in read_stop_services(feed).to_pylist()
    }


def why(feed, *members):
    return [(row["row"].partition("#")[2], row["reason"]) for row in feed.rejected(*members)]


def test_every_departure_is_kept_by_stop_and_service_and_the_last_stop_of_a_trip_is_none(opened):
    assert times(opened()) == {
        ("A", "WEEK"): [6 * 3600 + 60, 23 * 3600 + 50 * 60],
        ("B", "WEEK"): [6 * 3600 + 11 * 60, 24 * 3600 + 11 * 60],
        ("A", "SUN"): [7 * 3600],
    }


def test_all_tables_fit_their_declarations_and_name_their_rows(opened):
    feed = opened()
    tables = {
        Stop: read_stops(feed),
        TransitRoute: read_routes(feed),
        TransitService: read_services(feed),
        StopService: read_stop_services(feed),
        TransitFeed: read_feed(feed),
    }
    for table, rows in tables.items():
        table.validate(table.arrow(rows))
    stop, *_ = tables[Stop].to_pylist()
    sha256 = feed.zip.snapshot.sha256
    assert stop == {
        "city_id": "pt-porto",
        "stop_id": "trams:A",
        "feed": "trams",
        "native_id": "A",
        "name": "Alpha",
        "lat": 41.1,
        "lon": -8.6,
        "parent_station": None,
        "source_rows": [f"gtfs.feed@{sha256}#stops.txt:1"],
    }
    (route,) = tables[TransitRoute].to_pylist()
    assert (route["long_name"], route["agency"], route["route_type"]) == ("Up, down", "Trams", 0)
    (row,) = tables[TransitFeed].to_pylist()
    assert (row["time_zone"], row["agencies"], row["stop_count"], row["trip_count"]) == (
        "Europe/Lisbon",
        ["Trams"],
        2,
        3,
    )
    assert (row["departure_count"], row["first_date"], row["last_date"]) == (
        5,
        dt.date(2025, 1, 6),
        dt.date(2025, 1, 26),
    )
    first = next(
        r for r in tables[StopService].to_pylist() if (r["stop_id"], r["service_id"]) == ("trams:B", "trams:WEEK")
    )
    assert first["source_rows"] == [f"gtfs.feed@{sha256}#stop_times.txt:{number}" for number in (2, 5)]
    assert first["route_ids"] == ["trams:R"]


def test_a_stop_where_trips_only_end_or_never_come_is_not_boardable(opened):
    feed = opened({"stops.txt": STOPS + "D,Delta,41.4,-8.6\n"})
    assert read_stops(feed)["native_id"].to_pylist() == ["A", "B"]
    assert why(feed, "stops.txt") == [("stops.txt:3", "not_boardable"), ("stops.txt:4", "not_boardable")]


def test_stations_nodes_and_bad_rows_are_rejected_by_name_and_a_stop_borrows_its_station_s_name(opened):
    stops = (
        "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station\n"
        "A,,41.1,-8.6,0,S\nB,Beta,41.2,-8.6,,\nS,Central,41.1,-8.6,1,\nN,,,,3,S\n"
        "X,No place,,,0,\nY,Off globe,98.6,-8.6,0,\nZ,Null island,0,0.0,0,\nA,Again,41.1,-8.6,0,\n"
        ",No id,41,-8,0,\nW,,41,-8,,\n"
        "V,NaN,nan,-8,0,\n"
    ) + "".join(f"G{n},Good,41.1,-8.6,0,\n" for n in range(4))
    feed = opened({"stops.txt": stops})
    rows = read_stops(feed).to_pylist()
    assert [(row["native_id"], row["name"], row["parent_station"]) for row in rows] == [
        ("A", "Central", "S"),
        ("B", "Beta", None),
    ]
    assert why(feed, "stops.txt") == [
        ("stops.txt:3", "not_boardable"),
        ("stops.txt:4", "not_boardable"),
        ("stops.txt:5", "bad_coordinates"),
        ("stops.txt:6", "bad_coordinates"),
        ("stops.txt:7", "bad_coordinates"),
        ("stops.txt:8", "duplicate"),
        ("stops.txt:9", "missing_value"),
        ("stops.txt:10", "missing_value"),
        ("stops.txt:11", "bad_coordinates"),
        *((f"stops.txt:{number}", "not_boardable") for number in range(12, 16)),
    ]


@pytest.mark.parametrize(
    "spoil",
    [
        lambda text: "\ufeff" + text,
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text.rstrip("\n"),
        lambda text: text.replace(",", " , ").replace("Up ,", "Up,"),
        lambda text: text.replace("\n", ",\n"),
        lambda text: text + "\n\n",
        lambda text: text.replace("\n", ",extra\n", 1),
    ],
    ids=["bom", "crlf", "no last newline", "padded", "trailing comma", "blank lines", "rows short of a column"],
)
def test_the_same_feed_in_bad_dress_is_the_same_feed(opened, spoil):
    spoiled = {name: spoil(text) for name, text in FEED.items() if name != "routes.txt"}
    plain, feed = opened(), opened(spoiled)
    assert times(feed) == times(plain)
    assert read_stops(feed).drop_columns("source_rows").equals(read_stops(plain).drop_columns("source_rows"))
    assert read_services(feed).drop_columns("source_rows").equals(read_services(plain).drop_columns("source_rows"))
    assert feed.zip.rejections == {"stops.txt": feed.zip.rejections["stops.txt"]}


def test_folders_inside_the_zip_and_mac_leftovers_do_not_matter(opened):
    feed = opened({"__MACOSX/stops.txt": "junk"}, folder="some/folder/")
    assert times(feed) == times(opened())
    assert read_stops(feed)["source_rows"].to_pylist()[0][0].endswith("#some/folder/stops.txt:1")


def test_a_feed_of_single_dates_has_no_calendar(opened):
    dates = "service_id,date,exception_type\nWEEK,20250301,1\nWEEK,20250215,1\nSUN,20250302,1\n"
    feed = opened({"calendar.txt": None, "calendar_dates.txt": dates})
    services = {row["native_id"]: row for row in read_services(feed).to_pylist()}
    assert services["WEEK"]["added_dates"] == ["2025-02-15", "2025-03-01"]
    assert services["WEEK"]["start_date"] is None
    assert feed_dates(feed) == (dt.date(2025, 2, 15), dt.date(2025, 3, 2))


def test_the_feed_s_dates_are_those_on_which_something_departs(opened):
    exceptions = "service_id,date,exception_type\nWEEK,20250106,2\nSUN,20250126,2\nIDLE,20300101,1\n"
    feed = opened({"calendar_dates.txt": exceptions})
    assert feed_dates(feed) == (dt.date(2025, 1, 7), dt.date(2025, 1, 19))


def test_frequencies_repeat_a_trip_from_its_start_until_before_its_end(opened):
    frequencies = "trip_id,start_time,end_time,headway_secs\nt1,08:00:00,09:00:00,1800\nt1,25:00:00,25:00:01,600\n"
    feed = opened({"frequencies.txt": frequencies})
    start_a = [8 * 3600, 8 * 3600 + 1800, 25 * 3600]
    assert times(feed)["A", "WEEK"] == sorted([*start_a, 23 * 3600 + 50 * 60])
    assert times(feed)["B", "WEEK"] == sorted([*(s + 600 for s in start_a), 24 * 3600 + 11 * 60])
    pointers = next(
        r for r in read_stop_services(feed).to_pylist() if r["stop_id"] == "trams:A" and "WEEK" in r["service_id"]
    )
    assert [p.partition("#")[2] for p in pointers["source_rows"]] == [
        "stop_times.txt:1",
        "frequencies.txt:1",
        "frequencies.txt:2",
    ]


def test_the_times_of_a_trip_by_frequencies_are_no_departures_where_its_headway_cannot_be_used(opened):
    feed = opened({"frequencies.txt": "trip_id,start_time,end_time,headway_secs\nt1,08:00:00,09:00:00,0\n"})
    assert times(feed)["A", "WEEK"] == [23 * 3600 + 50 * 60]  # of t2 alone; the map of t1's times begins at 6:01


def test_a_headway_of_a_second_over_days_is_refused_before_it_fills_the_memory(opened):
    lines = "".join("t1,00:00:00,999:00:00,1\n" for _ in range(9))
    feed = opened({"frequencies.txt": "trip_id,start_time,end_time,headway_secs\n" + lines})
    with pytest.raises(
        SourceError, match=r"trams.zip: frequencies.txt expands to 64,735,200 departures. Expected at most"
    ):
        read_stops(feed)


def test_stops_without_times_lie_between_their_timed_neighbours(opened):
    rows = (
        "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
        "t1,06:00:00,06:00:00,A,1\nt1,,,B,2\nt1,,,C,3\nt1,06:10:00,,A,4\nt1,06:20:00,06:20:00,B,5\n"
        "t2,,,A,1\nt2,07:00:00,07:00:00,B,2\nt2,07:10:00,07:10:00,C,3\n"
    )
    feed = opened({"stop_times.txt": rows})
    assert times(feed)["B", "WEEK"] == [6 * 3600 + 200, 7 * 3600]
    assert times(feed)["C", "WEEK"] == [6 * 3600 + 400]
    assert times(feed)["A", "WEEK"] == [6 * 3600, 6 * 3600 + 600]
    assert why(feed, "stop_times.txt") == [("stop_times.txt:6", "missing_value")]


def test_a_stop_lists_the_routes_that_depart_there(opened):
    routes, trips = ROUTES + "P,1,7,Pier,3\n", TRIPS.replace("R,WEEK,t2", "P,WEEK,t2")
    rows = read_stop_services(opened({"routes.txt": routes, "trips.txt": trips})).to_pylist()
    found = {(row["stop_id"], row["service_id"]): row["route_ids"] for row in rows}
    assert found["trams:A", "trams:WEEK"] == ["trams:P", "trams:R"]
    assert found["trams:A", "trams:SUN"] == ["trams:R"]


def test_pickup_type_1_cannot_be_boarded_and_phoning_ahead_can(opened):
    rows = (
        "trip_id,departure_time,stop_id,stop_sequence,pickup_type\n"
        "t1,06:00:00,A,1,1\nt1,06:10:00,B,2,2\nt1,06:20:00,C,3,0\n"
    )
    assert times(opened({"stop_times.txt": rows})) == {("B", "WEEK"): [6 * 3600 + 600]}


def test_bad_rows_of_the_timetable_are_rejected_and_an_unknown_id_once_with_its_count(opened):
    bad = (
        "t9,6:00:00,6:00:00,A,1\nt9,6:00:00,6:00:00,B,2\n"
        "t1,6:30,6:30,A,7\nt1,6:30:00,6:30:00,A,second\nt1,6:00:00,6:00:00,Q,8\nt1,6:40:00,6:40:00,B,2\n"
        "t1,5:00:00,5:00:00,B,9\nt1,6:50:00,6:50:00,C,10\n"
    )
    feed = opened({"stop_times.txt": STOP_TIMES + bad})
    assert times(feed) == {**times(opened()), ("C", "WEEK"): [6 * 3600 + 20 * 60]}
    assert sorted(why(feed, "stop_times.txt")) == sorted(
        [
            ("stop_times.txt:9", "unknown_reference"),
            ("stop_times.txt:11", "bad_value"),
            ("stop_times.txt:12", "bad_value"),
            ("stop_times.txt:13", "unknown_reference"),
            ("stop_times.txt:14", "duplicate"),
            ("stop_times.txt:13", "bad_value"),
            ("stop_times.txt:15", "bad_value"),
        ]
    )
    assert "2 rows name it" in next(r["detail"] for r in feed.rejected("stop_times.txt") if "t9" in r["detail"])


def test_bad_rows_of_trips_routes_and_calendars_are_rejected(opened):
    feed = opened(
        {
            "trips.txt": TRIPS + "R,WEEK,t1\nR,NEVER,t4\nQ,WEEK,t5\nR,WEEK,\n",
            "routes.txt": ROUTES + "R,1,9,again,0\nS,1,9,odd,tram\n",
            "calendar.txt": CALENDAR + "BAD,1,1,1,1,1,1,2,20250101,20250102\nBACK,1,1,1,1,1,1,1,20250102,20250101\n"
            "DAY,1,1,1,1,1,1,1,20250230,20250301\nSUN,1,1,1,1,1,1,1,20250101,20250102\n",
            "calendar_dates.txt": "service_id,date,exception_type\nWEEK,20250107,2\nWEEK,20250107,1\nWEEK,20250108,3\n",
        }
    )
    read_stops(feed)
    assert [reason for _, reason in why(feed, "trips.txt")] == [
        "duplicate", "unknown_reference", "unknown_reference", "missing_value",
    ]  # fmt: skip
    assert [reason for _, reason in why(feed, "routes.txt")] == ["duplicate", "bad_value"]
    assert [reason for _, reason in why(feed, "calendar.txt")] == ["bad_value", "bad_value", "bad_value", "duplicate"]
    assert [reason for _, reason in why(feed, "calendar_dates.txt")] == ["duplicate", "bad_value"]


def test_two_feeds_with_the_same_stop_id_keep_their_stops_apart(given_bytes):
    content = zipped(FEED)
    ids = [
        read_stops(Feed(given_bytes(content, "gtfs", "feed"), city_id="c", feed=key))["stop_id"].to_pylist()
        for key in ("one", "two")
    ]
    assert ids == [["one:A", "one:B"], ["two:A", "two:B"]]


def test_an_audit_finds_the_row_behind_a_pointer(opened, given_bytes):
    file = given_bytes(zipped(FEED, "f/"), "gtfs", "feed")
    found = raw_records(file, ["f/stops.txt:2", "f/stops.txt:99", "f/none.txt:1", "nonsense"])
    assert found == {"f/stops.txt:2": '{"stop_id":"B","stop_lat":"41.2","stop_lon":"-8.6","stop_name":"Beta"}'}


clock = st.integers(0, 30 * 3600).map(lambda s: f"{s // 3600}:{s // 60 % 60:02}:{s % 60:02}")


@st.composite
def timetables(draw):
    """Return rows of stop_times for three trips with distinct sequences and rising times, and frequencies of some."""
    rows, frequencies = [], []
    for trip in ("t1", "t2", "t3"):
        n = draw(st.integers(0, 5))
        sequences = draw(st.lists(st.integers(0, 99), min_size=n, max_size=n, unique=True).map(sorted))
        moments = sorted(draw(st.lists(st.integers(0, 30 * 3600), min_size=n, max_size=n)))
        for sequence, moment in zip(sequences, moments, strict=True):
            text = f"{moment // 3600}:{moment // 60 % 60:02}:{moment % 60:02}"
            rows.append(
                (trip, text, draw(st.sampled_from("ABC")), sequence, draw(st.sampled_from(["", "0", "1", "3"])))
            )
        runs = st.tuples(st.just(trip), clock, clock, st.integers(0, 5000))
        frequencies += draw(st.lists(runs, max_size=2))
    return draw(st.permutations(rows)), frequencies


def slow_seconds(text):
    hours, minutes, rest = (int(part) for part in text.split(":"))
    return hours * 3600 + minutes * 60 + rest


def by_the_reference(rows, frequencies):
    """The obvious slow way: trip by trip, every run of it, every stop but the last."""
    service = {"t1": "WEEK", "t2": "WEEK", "t3": "SUN"}
    found = defaultdict(list)
    for trip in service:
        stops = sorted((r for r in rows if r[0] == trip), key=lambda r: r[3])
        runs = [(slow_seconds(a), slow_seconds(b), h) for t, a, b, h in frequencies if t == trip]
        if not stops:
            continue
        begin = slow_seconds(stops[0][1])
        starts = [s for a, b, h in runs if h > 0 for s in range(a, b, h)] if runs else [begin]
        for start in starts:
            for _, text, stop, _, pickup in stops[:-1]:
                if pickup != "1":
                    found[stop, service[trip]].append(start + slow_seconds(text) - begin)
    return {key: sorted(value) for key, value in found.items()}


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(timetables())
def test_departures_are_those_of_a_slow_reading_whatever_the_order_of_rows(opened, timetable):
    rows, frequencies = timetable
    text, more = io.StringIO(), io.StringIO()
    csv.writer(text).writerows([("trip_id", "departure_time", "stop_id", "stop_sequence", "pickup_type"), *rows])
    csv.writer(more).writerows([("trip_id", "start_time", "end_time", "headway_secs"), *frequencies])
    feed = opened({"stop_times.txt": text.getvalue(), "frequencies.txt": more.getvalue()})
    assert times(feed) == by_the_reference(rows, frequencies)
