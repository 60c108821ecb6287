"""Each role knows its own files and no other's; what is bound to a role that it is not of is told, and by what."""

from __future__ import annotations

import io
import json
import zipfile

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from schemas.source import SourceError
from sources import invented
from sources.lookalikes import LOOKALIKES, lookalike_of
from sources.looks import look_at
from sources.recognise import other_role, recognised
from sources.registry import SOURCES
from sources.roles import NOT_TOLD, ROLES, SAME_FILES, role_of

TOLD = {(role.source, role.role) for role in ROLES}


def test_every_role_knows_its_files_or_says_why_not():
    roles = {(source.name, file.role) for source in SOURCES.values() for file in source.files}
    assert roles == TOLD | set(SAME_FILES) | set(NOT_TOLD)
    assert not TOLD & set(NOT_TOLD) and set(SAME_FILES.values()) <= TOLD


@pytest.mark.parametrize("dirt", [False, True])
def test_each_file_of_an_invented_world_is_of_its_own_role(tmp_path, dirt):
    files = invented.generate(tmp_path, cities=2, scale=0.1, seed=3, dirt=dirt)
    told = 0
    for source, roles in files.items():
        for role, paths in roles.items():
            for path in paths:
                fitting = role_of(look_at(path))
                assert fitting and (fitting.source, fitting.role) == SAME_FILES.get((source, role), (source, role)), (
                    path
                )
                assert other_role(path, source, role) == ""
                told += 1
    assert told > 20


PUBLISHED = {
    "itinbench/restaurants.jsonl": "`restaurants` under [sources.published]",
    "itinbench/hotels.jsonl": "`hotels` under [sources.published]",
    "itinbench/attractions.jsonl": "`attractions` under [sources.published]",
    "itinbench/evals.jsonl": "`evals` under [sources.published]",
    "itinbench/humanQuerys.jsonl": "`queries` under [sources.published]",
    "travelplanner/train_ref_info.jsonl": "`ref_info` under [sources.travelplanner]",
    "reviews/mams_val.xml": "`train` or `val` under [sources.labelled]",
}


@pytest.mark.parametrize("name", PUBLISHED)
def test_what_is_bound_by_hand_is_told_with_the_place_for_it(shared_data, name):
    if not (shared_data / name).exists():
        pytest.skip(name)
    with pytest.raises(SourceError) as told:
        recognised(shared_data / name)
    assert f"Write it into a recipe by hand, as {PUBLISHED[name]}." in str(told.value)


def zipped(*names):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name in names:
            archive.writestr(name, "x")
    return packed.getvalue()


def parquet(*columns):
    file = io.BytesIO()
    pq.write_table(pa.table({name: ["x"] for name in columns}), file)
    return file.getvalue()


ALIKE = [
    (zipped("[Content_Types].xml", "xl/workbook.xml"), "a spreadsheet's workbook"),
    (zipped("_rels/.rels", "xl/workbook.xml"), "a spreadsheet's workbook"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(500), "a spreadsheet's workbook"),
    (b'{"fault":{"faultstring":"Invalid ApiKey"}}', "a server refused what it was asked"),
    (b'{"errors":[{"code":"DIS1001"}]}', "a server refused what it was asked"),
    (b"DEPARTURES_PERFORMED,PASSENGERS,ORIGIN,DEST,MONTH\n5.00,7,BWI,BOS,1\n", "flights counted by the month"),
    (b'"ItinID","MktID","Origin","Dest","MktFare",\n"1","2","BWI","BOS",120.00,\n', "a sample of tickets"),
    (b'Code,Description\n"BWI","Baltimore, MD"\n', "a look-up table of codes"),
    (b"id,ident,type,name,latitude_deg,longitude_deg,iata_code\n", "OurAirports' list"),
    (b"listing_id,id,date,reviewer_id,reviewer_name,comments\n1,2,2024-01-01,3,A,B\n", "Inside Airbnb's reviews"),
    (b"listing_id,date,available,price\n1,2024-01-01,t,$9\n", "Inside Airbnb's calendar"),
    (b"listing_id,date\n1,2024-01-01\n", "the dates of Inside Airbnb's reviews"),
    (b"neighbourhood_group,neighbourhood\n,Alfama\n", "Inside Airbnb's list of neighbourhoods"),
    (b'{"user_id":"u","name":"A","yelping_since":"2010"}\n', "Yelp's check-ins, tips"),
    (b'{"business_id":"b","date":"2010-01-01 10:00:00"}\n', "Yelp's check-ins"),
    (parquet("fsq_place_id", "name", "latitude", "longitude"), "Foursquare's places"),
    (parquet("id", "geometry", "bbox", "version", "height"), "Overture's data of another type than places"),
    (parquet("osm_id", "geometry"), "GeoParquet of other columns"),
    (b'{"type":"FeatureCollection","features":[]}', "GeoJSON"),
    (b'{"type": "Feature", "geometry": null, "properties": {}}\n' * 2, "GeoJSON"),
    (b'{"version":0.6,"generator":"Overpass API","osm3s":{},"elements":[]}', "Overpass's answer as JSON"),
    (b"<?xml version='1.0'?>\n<osmChange version='0.6'></osmChange>", r"changes of OpenStreetMap (.osc)"),
    (b"\xff\xe0\x04o5m2\x00", "the format o5m"),
    (b"n1 v1 dV c1 t2012-01-01T00:00:00Z i1 ua T x7.4 y43.7\n", "the format OPL"),
    (zipped("agency.txt", "routes.txt", "trips.txt"), "a GTFS feed without stops.txt"),
    (zipped("a/places.shp", "a/places.dbf"), "a shapefile"),
    (b"SQLite format 3\0" + bytes(90), "a database (SQLite)"),
    (b'{"pagination":{"page_number":1},"events":[]}', "Eventbrite's events"),
    (b'{"count":1,"overflow":false,"results":[]}', "PredictHQ's events"),
    (b'{"eventId":"1","eventName":"A"}\n', "Ticketmaster's Discovery Feed"),
    (b"BEGIN:VCALENDAR\r\nVERSION:2.0\r\n", "a calendar (iCalendar)"),
    (b"%PDF-1.7\n", "a PDF document"),
]


@pytest.mark.parametrize(("content", "what"), ALIKE)
def test_a_file_that_is_only_like_one_is_told_for_what_it_is(tmp_path, content, what):
    (tmp_path / "file").write_bytes(content)
    kind = lookalike_of(look_at(tmp_path / "file"))
    assert kind and what in kind.what
    with pytest.raises(SourceError) as told:
        recognised(tmp_path / "file")
    assert f"file: found {kind.what}; expected one of airbnb, " in str(told.value)
    assert str(told.value).endswith(f"{kind.remedy}.")


def test_every_such_kind_is_tried(tmp_path):
    tried = set()
    for content, _ in ALIKE:
        (tmp_path / "file").write_bytes(content)
        tried.add(lookalike_of(look_at(tmp_path / "file")))
    assert tried == set(LOOKALIKES)


@pytest.mark.parametrize(
    ("header", "told"),
    [
        (
            "fl_date,origin,dest,dep_time",
            "but has 'fl_date' where that has FL_DATE, has 'origin' where that has ORIGIN",
        ),
        ("YEAR,MONTH,ORIGIN,DEST,DEP_TIME", "of US BTS On-Time Performance (`on_time`), but lacks FL_DATE"),
        (
            "Country Name,Country Code,2020",
            "of World Bank price level ratio (`price_levels`), but lacks Indicator Code",
        ),
        ("business_id,is_open,categories", "but lacks latitude and longitude"),
    ],
)
def test_a_table_that_lacks_a_column_or_spells_it_otherwise_is_told_so(tmp_path, header, told):
    (tmp_path / "file").write_text(f"{header}\n")
    with pytest.raises(SourceError) as error:
        recognised(tmp_path / "file")
    assert "It is nearly a file of " in str(error.value) and told in str(error.value)


@pytest.mark.parametrize("header", ["id,name,latitude,longitude,city,country", "business,date,origin", "a,b"])
def test_columns_that_any_table_may_have_are_nobodys(tmp_path, header):
    (tmp_path / "file").write_text(f"{header}\n")
    with pytest.raises(SourceError) as error:
        recognised(tmp_path / "file")
    assert "nearly" not in str(error.value)


@pytest.mark.parametrize(("mark", "name"), [(";", "semicolons"), ("\t", "tabs"), ("|", "bars")])
def test_a_table_with_other_marks_is_said_how_to_save(tmp_path, mark, name):
    (tmp_path / "file").write_text(mark.join(["id", "room_type", "price"]) + "\n" + mark.join(["1", "A", "9,5"]) + "\n")
    with pytest.raises(SourceError, match=f"Save it with commas in place of {name}, and numbers with a point before"):
        recognised(tmp_path / "file")


def test_what_was_bound_to_another_role_is_told_with_its_own(tmp_path):
    listings = tmp_path / "listings.csv"
    listings.write_text("id,name,host_id,latitude,longitude,room_type\n1,A,2,41.1,-8.6,Private room\n")
    assert other_role(listings, "airbnb", "listings") == ""
    told = "It looks like a file of Airbnb listings: bind it to `listings` of the source `airbnb`."
    assert other_role(listings, "events", "apify") == told
    feed = tmp_path / "feed.zip"
    feed.write_bytes(zipped("stops.txt"))
    assert other_role(feed, "gtfs", "feed") == other_role(feed, "gtfs", "long_distance") == ""
    assert "bind it to `feed` or `long_distance` of the source `gtfs`" in other_role(feed, "bts", "on_time")
    nothing = tmp_path / "nothing"
    nothing.write_text("a,b\n1,2\n")
    assert other_role(nothing, "bts", "on_time") == other_role(tmp_path / "gone", "bts", "on_time") == ""
    sums = tmp_path / "sums.csv"
    sums.write_bytes(next(content for content, what in ALIKE if what == "flights counted by the month"))
    assert other_role(sums, "bts", "on_time").startswith("It looks like flights counted by the month (BTS's T-100)")


def test_a_file_that_two_roles_may_have_is_as_it_is_bound(tmp_path):
    both = tmp_path / "both.jsonl"
    both.write_text(json.dumps({"index": 1, "query": "q"}) + "\n")
    assert other_role(both, "published", "queries") == other_role(both, "published_queries", "queries") == ""
