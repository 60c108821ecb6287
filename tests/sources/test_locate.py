"""Every form of locator leads back to the raw text it names, in any file that a reader can read."""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import json
import zipfile

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sources.airbnb.listings import read_stays
from sources.formats.csv_rows import read_records
from sources.gtfs.reader import Feed, read_feed, read_routes, read_services, read_stop_services, read_stops
from sources.locate import raw_records
from sources.osm.extract import read_places
from sources.osm.extract import read_stops as read_mapped_stops

HOSTILE = ['Ünï, "quoted"', "<script>alert(1)</script>", "\u202e🙂‍", "#1 R2 L3 [4]", "a:b"]


def locators_of(rows) -> set[str]:
    """Return what follows the `#` in the source rows of a reader's rows."""
    rows = rows if isinstance(rows, list) else rows.to_pylist()
    return {pointer.rpartition("#")[2] for row in rows for pointer in row["source_rows"]}


@pytest.mark.parametrize("packed", [bytes, gzip.compress])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_lines_by_number_blank_ones_counted(given_bytes, packed, end):
    lines = ['{"name": "é"}', "", '{"name": "<b>"}', "not json", "last"]
    file = given_bytes(packed(end.join(lines).encode()), "yelp", "review")
    assert raw_records(file, ["L1", "L3", "L4", "L5", "L6", "L0", "L03", "X1", "L", ""]) == {
        "L1": lines[0], "L3": lines[2], "L4": lines[3], "L5": "last",
    }  # fmt: skip


def test_a_line_that_is_not_utf_8_is_still_shown(given_bytes):
    assert raw_records(given_bytes(b"ok\n\xff\xfe!\n", "yelp", "review"), ["L2"]) == {"L2": "\ufffd\ufffd!"}


CELLS = st.text(st.characters(exclude_categories=["Cs", "Cc"]) | st.sampled_from(',"\n;\u202e'), max_size=12)


def by_pointer(record, pointer):
    return pointer.rpartition("#")[2], record


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=st.lists(st.tuples(CELLS, CELLS), min_size=1, max_size=6), packed=st.sampled_from([bytes, gzip.compress]))
def test_csv_records_by_number_whatever_the_fields_hold(given_bytes, rows, packed):
    text = io.StringIO(newline="")
    csv.writer(text, quoting=csv.QUOTE_ALL).writerows([("id", "name"), *rows])
    file = given_bytes(packed(text.getvalue().encode()), "airbnb", "listings")
    wanted = [f"R{n}" for n in range(0, len(rows) + 3, 2)]
    found = {locator: json.loads(raw) for locator, raw in raw_records(file, wanted).items()}
    assert found == {f"R{n}": {"id": a, "name": b} for n, (a, b) in enumerate(rows, start=1) if n % 2 == 0}
    read: list[tuple[str, dict[str, str]]] = list(read_records(file, ("id",), "CSV", by_pointer, []))
    assert found == dict(read[1::2])


LISTINGS = "id,name,latitude,longitude,room_type\n" + "".join(
    f'{n},"{name.replace(chr(34), chr(34) * 2)}\nsecond line",41.1,-8.6,Private room\n'
    for n, name in enumerate(HOSTILE, start=1)
)


def test_a_listing_is_found_by_its_pointer(given_bytes, everywhere):
    file = given_bytes(LISTINGS, "airbnb", "listings")
    rows = read_stays(file, [everywhere], [])
    raw = raw_records(file, locators_of(rows))
    assert [json.loads(raw[row["source_rows"][0].rpartition("#")[2]])["name"] for row in rows] == [
        f"{name}\nsecond line" for name in HOSTILE
    ]


ITEM = {
    "url": "https://www.airbnb.com/rooms/7",
    "roomType": "Private room",
    "coordinates": {"latitude": 1, "longitude": 2},
}


@pytest.mark.parametrize("packed", [bytes, gzip.compress])
@pytest.mark.parametrize("form", ["array", "lines"])
def test_an_item_of_an_export_is_found_by_its_pointer(given_bytes, everywhere, form, packed):
    items = [ITEM | {"id": str(n), "title": name} for n, name in enumerate(HOSTILE, start=1)]
    text = json.dumps([*items, 5]) if form == "array" else "\n".join(map(json.dumps, items))
    file = given_bytes(packed(text.encode()), "airbnb", "apify")
    rows = read_stays(file, [everywhere], [])
    raw = raw_records(file, locators_of(rows))
    assert [json.loads(raw[row["source_rows"][0].rpartition("#")[2]]) for row in rows] == items
    assert set(raw) == {f"[{n}]" if form == "array" else f"L{n + 1}" for n in range(len(HOSTILE))}
    assert raw_records(file, ["[99]", "[-1]", "[x]"]) == {}


def extract() -> str:
    cafe = '<tag k="amenity" v="cafe"/><tag k="name" v="Cup &quot;é&quot; &lt;b&gt;"/>'
    stop = '<tag k="highway" v="bus_stop"/><tag k="name" v="Kerb"/>'
    nodes = "".join(f'<node id="{n}" version="1" lat="{lat}" lon="{lon}"/>' for n, lat, lon in SQUARE)
    refs = "".join(f'<nd ref="{n}"/>' for n in (11, 12, 13, 14, 11))
    member = '<member type="way" ref="5" role="outer"/><tag k="type" v="multipolygon"/>'
    return (
        '<?xml version="1.0" encoding="UTF-8"?><osm version="0.6">'
        f'<node id="5" version="1" lat="2" lon="2">{cafe}</node>'
        f'<node id="6" version="1" lat="2.1" lon="2">{stop}</node>{nodes}'
        f'<way id="5" version="1">{refs}{cafe}</way><relation id="5" version="1">{member}{cafe}</relation></osm>'
    )


SQUARE = ((11, 1.0, 1.0), (12, 1.0, 1.1), (13, 1.1, 1.1), (14, 1.1, 1.0))


@pytest.mark.parametrize("packed", [bytes, gzip.compress, bz2.compress])
def test_an_element_of_a_map_is_found_by_type_and_number(given_bytes, everywhere, packed):
    file = given_bytes(packed(extract().encode()), "osm", "extract")
    rows = [*read_places(file, [everywhere], [])[0], *read_mapped_stops(file, "c", [])]
    locators = locators_of(rows)
    assert locators == {"node/5", "way/5", "relation/5", "node/6"}
    raw = {locator: json.loads(text) for locator, text in raw_records(file, [*locators, "node/7", "way/6"]).items()}
    assert set(raw) == locators
    assert {locator: record["name"] for locator, record in raw.items()} == {
        "node/5": 'Cup "é" <b>', "way/5": 'Cup "é" <b>', "relation/5": 'Cup "é" <b>', "node/6": "Kerb",
    }  # fmt: skip
    assert (raw["node/6"]["@lat"], raw["node/6"]["@lon"]) == (2.1, 2)
    assert raw["way/5"]["@nodes"] == [[1, 1], [1, 1.1], [1.1, 1.1], [1.1, 1], [1, 1]]
    assert raw["relation/5"]["@members"] == ["way/5"]


MEMBERS = {
    "agency.txt": "agency_name,agency_url,agency_timezone\nTrams,http://t.example,Europe/Lisbon\n",
    "stops.txt": 'stop_id,stop_name,stop_lat,stop_lon\n"a:1","Ünï, ""quoted""\n<b>",41.1,-8.6\nB,Beta,41.2,-8.6\n',
    "routes.txt": "route_id,route_short_name,route_type\nR,9,0\n",
    "trips.txt": "route_id,service_id,trip_id\nR,DAY,t1\nR,ODD,t2\n",
    "calendar.txt": (
        "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n"
        "DAY,1,1,1,1,1,1,1,20250101,20251231\n"
    ),
    "calendar_dates.txt": "service_id,date,exception_type\nDAY,20250201,2\nODD,20250202,1\n",
    "stop_times.txt": (
        "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
        "t1,6:00:00,6:00:00,a:1,1\nt1,6:10:00,6:10:00,B,2\nt2,7:00:00,7:00:00,a:1,1\nt2,7:10:00,7:10:00,B,2\n"
    ),
    "frequencies.txt": "trip_id,start_time,end_time,headway_secs\nt2,7:00:00,8:00:00,600\n",
}


@pytest.mark.parametrize("folder", ["", "inner folder/"])
def test_every_row_of_a_feed_s_tables_is_found_by_member_and_number(given_bytes, folder):
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name, text in MEMBERS.items():
            archive.writestr(folder + name, text)
    file = given_bytes(content.getvalue(), "gtfs", "feed", "trams.zip")
    feed = Feed(file, city_id="c", feed="trams")
    readers = (read_stops, read_routes, read_services, read_stop_services, read_feed)
    locators = set().union(*(locators_of(read(feed)) for read in readers))
    members = {name for name in MEMBERS if name != "trips.txt"}
    assert {locator.rpartition(":")[0].rpartition("/")[2] for locator in locators} == members
    raw = {locator: json.loads(text) for locator, text in raw_records(file, locators).items()}
    for locator in locators:
        name, _, number = locator.rpartition(":")
        record = list(csv.DictReader(io.StringIO(MEMBERS[name.rpartition("/")[2]], newline="")))[int(number) - 1]
        assert raw[locator] == record
    assert raw_records(file, ["stops.txt:3", "stops.txt:0", "shapes.txt:1", "../stops.txt:9"]) == {}


def test_locators_of_several_forms_are_each_read_by_their_own_reader_and_nonsense_is_left_out(given_bytes):
    file = given_bytes("id,name\n1,Attic\n", "airbnb", "listings")
    asked = ["L2", "R1", "", "#", "node/0", "[1", "L1\n", "R1 "]
    assert raw_records(file, asked) == {"L2": "1,Attic", "R1": '{"id": "1", "name": "Attic"}'}
    assert raw_records(file, []) == {}
