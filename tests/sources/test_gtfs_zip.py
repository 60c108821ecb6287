"""A hostile, damaged or mistaken zip is refused in words that say what was found, expected and to do."""

from __future__ import annotations

import io
import json
import struct
import warnings
import zipfile

import pytest

from schemas.source import SourceError
from sources.gtfs.reader import (
    Feed,
    parse_stops,
    raw_records,
    read_feed,
    read_routes,
    read_services,
    read_stop_services,
    read_stops,
)

MEMBERS = {
    "agency.txt": "agency_name,agency_timezone\nTrams,UTC\n",
    "stops.txt": "stop_id,stop_name,stop_lat,stop_lon\nA,Alpha,1,1\nB,Beta,1,2\n",
    "routes.txt": "route_id,route_type\nR,3\n",
    "trips.txt": "route_id,service_id,trip_id\nR,S,t\n",
    "calendar_dates.txt": "service_id,date,exception_type\nS,20250101,1\n",
    "stop_times.txt": "trip_id,departure_time,stop_id,stop_sequence\nt,1:00:00,A,1\nt,2:00:00,B,2\n",
}


def zipped(members):
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, text in members:
            archive.writestr(name, text)
    return content.getvalue()


def changed(**changes):
    given = {**MEMBERS, **{f"{name}.txt": text for name, text in changes.items()}}
    return zipped([(name, text) for name, text in given.items() if text is not None])


@pytest.fixture
def read(given_bytes):
    def every_table(content):
        feed = Feed(given_bytes(content, "gtfs", "feed", "trams.zip"), city_id="c", feed="f")
        for reader in (read_stops, read_routes, read_services, read_feed):
            reader(feed)
        return feed

    return every_table


def test_the_smallest_whole_feed_is_read(read):
    assert read(changed()).zip.rejections.keys() == {"stops.txt"}


OPTIONAL = ("calendar", "frequencies", "shapes", "feed_info")


@pytest.mark.parametrize("nothing", ["", "\ufeff", "\r\n"], ids=repr)
def test_a_member_that_is_not_required_may_be_empty_as_well_as_absent(given_bytes, nothing):
    feeds = [
        Feed(
            given_bytes(changed(**dict.fromkeys(OPTIONAL, content)), "gtfs", "feed", "trams.zip"), city_id="c", feed="f"
        )
        for content in (None, nothing)
    ]
    for reader in (read_stops, read_routes, read_services, read_stop_services):
        assert reader(feeds[0]).drop_columns("source_rows") == reader(feeds[1]).drop_columns("source_rows")


REFUSED = {
    "a web page": (b"<!DOCTYPE html><html>Not found</html>", r"is not a zip .* begins with b'<!DOCTYPE html>"),
    "nothing": (b"", r"is not a zip .* begins with b''"),
    "cut off": (changed()[:-40], "is not a zip"),
    "no stops": (changed(stops=None), r"no member stops.txt; it holds 'agency.txt'"),
    "no trips": (changed(trips=None), r"no member trips.txt; it holds agency.txt, calendar_dates.txt"),
    "no timetable": (changed(stop_times=None), "no member stop_times.txt"),
    "no agency": (changed(agency=None), "no member agency.txt"),
    "no calendar": (changed(calendar_dates=None), r"neither calendar.txt nor calendar_dates.txt"),
    "an empty calendar": (changed(calendar_dates="\ufeff\r\n"), r"nor calendar_dates.txt, or nothing in them"),
    "semicolons": (changed(stops=MEMBERS["stops.txt"].replace(",", ";")), "stop_lon with semicolons between them"),
    "a feed in the feed": (zipped([("google_transit.zip", changed())]), r"stops.txt; it holds 'google_transit.zip'"),
    "two feeds": (zipped([(f"{d}/{n}", t) for d in "ab" for n, t in MEMBERS.items()]), "several folders: a, b"),
    "a member twice": (zipped([*MEMBERS.items(), ("stops.txt", "x")]), "member stops.txt is there more than once"),
    "a parent's folder": (zipped([*MEMBERS.items(), ("../../etc/passwd", "x")]), r"'../../etc/passwd'.*points outside"),
    "an absolute path": (zipped([*MEMBERS.items(), ("/etc/passwd", "x")]), "points outside the archive"),
    "a Windows drive": (zipped([*MEMBERS.items(), ("C:\\stops.txt", "x")]), "points outside the archive"),
    "back slashes": (zipped([*MEMBERS.items(), ("a\\..\\..\\b", "x")]), "points outside the archive"),
    "a bomb": (changed(stop_times="0" * (17 << 20)), r"stop_times.txt would unpack to 17,825,792 bytes, 1\d\d\d times"),
    "no column": (changed(stops="stop_id,stop_lat\nA,1\n"), r"stops.txt has no column stop_lon; its columns are"),
    "an empty member": (changed(trips=""), r"member trips.txt is empty, .* get the feed again"),
    "a column name without end": (
        changed(trips='"' + "".join(f"{n:x}" for n in range(40_000))), "trips.txt begins with what is no CSV",
    ),
    "Latin-1": (changed(stops=MEMBERS["stops.txt"].replace("Be", "Bê").encode("latin-1")), "stops.txt is not UTF-8"),
}  # fmt: skip


@pytest.mark.parametrize(("content", "found"), REFUSED.values(), ids=REFUSED.keys())
def test_refused_with_the_file_what_was_found_expected_and_to_do(read, content, found):
    with pytest.raises(SourceError, match=found) as error:
        read(content)
    text = str(error.value)
    assert text.startswith("trams.zip: ")
    assert "Expected " in text and "To do: " in text


def test_a_member_whose_bytes_were_changed_is_refused(read):
    content = bytearray(changed())
    with zipfile.ZipFile(io.BytesIO(bytes(content))) as archive:
        info = archive.getinfo("stop_times.txt")
    content[info.header_offset + 30 + len("stop_times.txt") + 5] ^= 0xFF
    with pytest.raises(SourceError, match=r"trams.zip: member stop_times.txt cannot be unpacked \("):
        read(bytes(content))


def test_a_member_that_lies_about_its_size_is_refused(read):
    content = bytearray(changed(stop_times=MEMBERS["stop_times.txt"] + "t,3:00:00,A,3\n" * 5000))
    with zipfile.ZipFile(io.BytesIO(bytes(content))) as archive:
        true_size = archive.getinfo("stop_times.txt").file_size
    at = bytes(content).rfind(struct.pack("<L", true_size))
    content[at : at + 4] = struct.pack("<L", 100)
    with pytest.raises(SourceError, match=r"stop_times.txt cannot be unpacked"):
        read(bytes(content))


def test_an_encrypted_member_is_refused(read):
    content = bytearray(changed())
    at = content.rfind(b"PK\x01\x02", 0, content.rfind(b"stop_times.txt"))
    content[at + 8] |= 1
    with pytest.raises(SourceError, match=r"stop_times.txt is encrypted\..*To do: unlock it with its password"):
        read(bytes(content))


def test_rows_with_too_much_in_them_are_rejected_and_the_others_keep_their_numbers(read):
    feed = read(changed(stops='stop_id,stop_name,stop_lat,stop_lon\nX,a,b,c,d,e\nA,Alpha,1,1\nB,"Be,\nta",1,2,\n'))
    assert [r["row"].partition("#")[2] for r in feed.rejected("stops.txt")] == ["stops.txt:1", "stops.txt:3"]
    assert feed.rejected("stops.txt")[0]["detail"] == "the row has 6 fields, the header 4"
    assert read_stops(feed)["source_rows"].to_pylist()[0][0].endswith("#stops.txt:2")


@pytest.mark.parametrize("folder", ["", "GTFS export/", "GTFS export\\", "a/b\\c/", "feed #1: a@b/"])
@pytest.mark.parametrize("case", [str.lower, str.upper])
def test_rows_are_rejected_and_found_again_in_whatever_folder_and_case_their_member_is(read, folder, case):
    feed = read(zipped([(folder + case(name), text) for name, text in MEMBERS.items()]))
    ((kept,),) = read_stops(feed)["source_rows"].to_pylist()
    (dropped,) = feed.rejected("stops.txt")
    locators = [pointer.partition("#")[2] for pointer in (kept, dropped["row"])]
    assert [json.loads(row)["stop_id"] for row in raw_records(feed.zip.file, locators).values()] == ["A", "B"]
    assert [stop["native_id"] for stop in parse_stops(feed.zip.file, locators[:1]).values()] == ["A"]


def test_rows_may_stop_short_of_empty_columns_and_blank_lines_are_no_rows(read):
    feed = read(
        changed(stops="stop_id,stop_lat,stop_lon,stop_name,location_type\n   \nA,1,1,Alpha\n , \nB,1,2,Beta,0\n")
    )
    rows = read_stops(feed).to_pylist()
    assert [(row["native_id"], row["source_rows"][0].partition("#")[2]) for row in rows] == [("A", "stops.txt:1")]
    assert [row["row"].partition("#")[2] for row in feed.rejected("stops.txt")] == ["stops.txt:2"]


def test_rows_of_commas_alone_are_no_rows_and_the_others_are_found_by_their_numbers(read):
    feed = read(changed(stops="stop_id,stop_name,stop_lat,stop_lon\n,,,\nA,Alpha,1,1\n\n,,,\nB,Beta,1,2\n,,,\n"))
    ((pointer,),) = read_stops(feed)["source_rows"].to_pylist()
    assert [row["row"].partition("#")[2] for row in feed.rejected("stops.txt")] == ["stops.txt:2"]
    assert json.loads(raw_records(feed.zip.file, [locator := pointer.partition("#")[2]])[locator])["stop_id"] == "A"


def test_a_quote_that_is_not_closed_in_a_column_nobody_reads_moves_no_stop(read):
    rows = 'A,Alpha,"At the corner,1,1\nB,Beta,12" pipe,2,2\nC,Gamma,,3,3\n'
    times = "trip_id,departure_time,stop_id,stop_sequence\nt,1:00:00,A,1\nt,2:00:00,B,2\nt,3:00:00,C,3\n"
    feed = read(changed(stops=f"stop_id,stop_name,stop_desc,stop_lat,stop_lon\n{rows}", stop_times=times))
    assert [(row["native_id"], row["lat"]) for row in read_stops(feed).to_pylist()] == [("B", 2.0)]
    assert [(row["row"].partition("#")[2], row["reason"]) for row in feed.rejected("stops.txt")] == [
        ("stops.txt:1", "bad_value"), ("stops.txt:3", "not_boardable")
    ]  # fmt: skip


def test_whole_numbers_that_a_table_of_floats_wrote_are_whole_numbers(read):
    feed = read(
        changed(
            stops="stop_id,stop_name,stop_lat,stop_lon,location_type\nA,Alpha,1,1,0.0\nB,Beta,1,2,\nC,Gamma,1,3,0.0\n",
            routes="route_id,route_type\nR,3.0\n",
            calendar_dates="service_id,date,exception_type\nS,20250101.0,1.0\n",
            stop_times="trip_id,departure_time,stop_id,stop_sequence,pickup_type\n"
            "t,1:00:00,A,1.0,\nt,2:00:00,B,2.0,1.0\nt,3:00:00,C,10.0,\n",
        )
    )
    (row,) = read_stops(feed).to_pylist()
    assert row["native_id"] == "A"
    assert read_services(feed)["added_dates"].to_pylist() == [["2025-01-01"]]
    (again,) = parse_stops(feed.zip.file, [pointer.partition("#")[2] for pointer in row["source_rows"]]).values()
    assert again == {key: row[key] for key in again}


def test_hostile_text_is_only_text(read):
    name = "<script>alert('x')</script> \u202eevil\u200b 🚋; DROP TABLE stop"
    feed = read(changed(stops=f"stop_id,stop_name,stop_lat,stop_lon\nA,{name},1,1\nB,b,1,1\n"))
    assert read_stops(feed)["name"].to_pylist() == [name]
