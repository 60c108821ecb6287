"""A file is told by its content; every real file is taken for what it is or refused by name."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import tarfile
import zipfile
from importlib.resources import files

import pytest

from schemas.source import SourceError
from sources.cities.zone_cities import OF_A_SMALL_TOWN, TOWNS, WITHOUT_A_TOWN, zone_cities
from sources.recognise import recognised

REAL = {
    "airports/airports.dat": "openflights.airports",
    "bts_flights/T_ONTIME_REPORTING_2021_02.csv": "bts.on_time",
    "gtfs/cairns_gtfs.zip": "gtfs.feed",
    "gtfs/google_sample_gtfs.zip": "gtfs.feed",
    "gtfs/porto_stcp_gtfs_stcp.zip": "gtfs.feed",
    "inside_airbnb/porto_listings_summary.csv": "airbnb.listings",
    "osm/monaco.osm.pbf": "osm.extract",
    "osm/baltimore.osm.pbf": "osm.extract",
}
OPTIONAL = {
    "overture/project_c_samples.parquet": "overture.places",
    "wikivoyage/Boston.wikitext": "wikivoyage.pages",
    "prices/big-mac-raw-index.csv": "big_mac.prices",
    "prices/world_bank_price_level_ratio_PA.NUS.PPPC.RF.csv": "world_bank.price_levels",
}
OF_NONE = ["itinbench/Hotels.csv", "itinbench_outputs/gpt4o/plans/allDataRouteOP.jsonl", "cities/us_cities.csv"]


@pytest.mark.parametrize("name", [*REAL, *OPTIONAL])
def test_a_real_file_is_what_it_is(shared_data, name, tmp_path):
    expected = {**REAL, **OPTIONAL}[name]
    (tmp_path / "any name").symlink_to(shared_data / name)
    found = recognised(tmp_path / "any name")
    assert f"{found.source}.{found.role}" == expected


@pytest.mark.parametrize("name", OF_NONE)
def test_a_file_of_no_city_source_is_refused_by_name(shared_data, name):
    with pytest.raises(SourceError, match=r"found a file that begins .* expected one of .*osm"):
        recognised(shared_data / name)


DAMAGED = [
    b"",
    b"<html>404</html>",
    b"PK\x03\x04broken",
    b"\x1f\x8bbroken",
    b"{",
    b"a,b\n1,2\n",
    bytes(99),
    b"PAR1",
    b"BZh9x",
]


@pytest.mark.parametrize("content", [*DAMAGED, bz2.compress(b"nothing")])
def test_anything_else_is_refused_and_never_breaks(tmp_path, content):
    (tmp_path / "file").write_bytes(content)
    with pytest.raises(SourceError, match="file: found a file that "):
        recognised(tmp_path / "file")


def archive(**members):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as file:
        for name, text in members.items():
            file.writestr(f"{name}.txt", text)
    return packed.getvalue()


def zipped_zip():
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as file:
        file.writestr("City.zip", archive(stops="stop_id,stop_lat,stop_lon\n"))
    return packed.getvalue()


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "a file that is empty; expected one of"),
        (archive(), "a file that is a zip archive without files; expected one of"),
        (archive(notes="a,b"), "a file that is a zip archive of a, b, notes.txt; expected one of"),
        (archive(stops="stop_id," * 9)[:40], r"not a whole zip archive \(.*\); expected a whole one. Get it again"),
        (gzip.compress(b"id,name\n" * 99)[:20], r"not whole gzip data \(.*\); expected a whole one. Get it again"),
        (bz2.compress(b"id,name\n"), "a file that is bzip2 data; expected one of"),
        (
            zipped_zip(),
            r"a zip archive of zip archives; expected the files that it holds. Unpack it \(unzip\), and give what",
        ),
        (b"<!DOCTYPE html>\n<html><title>404", r"is a web page \(HTML\), not the file"),
        ("\ufeff \n<HTML>".encode(), r"is a web page \(HTML\), not the file"),
        (b"id;name;room_type\n1;A, b;Private room\n", "has semicolons between its columns, not commas, and begins"),
        (b"id\tname\n1\tA\n", "has tabs between its columns, not commas, and begins 'id"),
        (b"id;\nnothing", "begins 'id;"),
        (lzma.compress(b"id,name\n"), r"xz data; expected the files that it holds. Unpack it \(unxz\), and give what"),
    ],
    ids=[
        "nothing",
        "no member",
        "other members",
        "half an archive",
        "half a gzip file",
        "bzip2",
        "zips",
        "page",
        "page after a mark",
        "semicolons",
        "tabs",
        "a text",
        "xz",
    ],
)
def test_what_an_archive_lacks_is_told(tmp_path, content, told):
    (tmp_path / "file").write_bytes(content)
    with pytest.raises(SourceError, match=told):
        recognised(tmp_path / "file")


@pytest.mark.parametrize("member", ["stops.txt", "STOPS.TXT", "GTFS export/Stops.txt", "gtfs\\stops.txt"])
def test_a_feed_is_one_wherever_in_its_zip_and_in_whatever_case_its_members_are(tmp_path, member):
    with zipfile.ZipFile(tmp_path / "file", "w") as packed:
        packed.writestr(member, "stop_id,stop_lat,stop_lon\n")
    found = recognised(tmp_path / "file")
    assert (found.source, found.role) == ("gtfs", "feed")


@pytest.mark.parametrize("pack", [bytes, bz2.compress, gzip.compress])
def test_a_tar_archive_is_said_to_be_one(tmp_path, pack):
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w") as tar:
        tar.addfile(tarfile.TarInfo("yelp_academic_dataset_business.json"))
    (tmp_path / "file").write_bytes(pack(archive.getvalue()))
    with pytest.raises(SourceError, match=r"found a tar archive; expected the files that it holds\. Unpack it"):
        recognised(tmp_path / "file")


@pytest.mark.parametrize(
    ("header", "role"),
    [
        ("id,name,latitude,longitude,room_type,price,minimum_nights", "airbnb.listings"),  # its hosts taken out
        (",id,name,host_id,latitude,longitude,room_type", "airbnb.listings"),  # as pandas writes a table's index
        ('city,country,"Meal, Inexpensive Restaurant"', "numbeo.prices"),
    ],
)
def test_a_table_that_its_reader_can_read_is_told(tmp_path, header, role):
    (tmp_path / "file").write_text(f"{header}\n")
    given = recognised(tmp_path / "file")
    assert f"{given.source}.{given.role}" == role


@pytest.mark.parametrize("pack", [bytes, bz2.compress, gzip.compress])
@pytest.mark.parametrize(
    ("text", "source"),
    [
        ('<?xml version="1.0"?>\n<osm version="0.6"></osm>', "osm"),
        ("<mediawiki><page><title>Boston</title></page></mediawiki>", "wikivoyage"),
        ("{{pagebanner|Boston.jpg}}\nBoston is a town.", "wikivoyage"),
    ],
)
def test_a_packed_file_is_what_is_in_it(tmp_path, pack, text, source):
    (tmp_path / "file").write_bytes(pack(text.encode()))
    assert recognised(tmp_path / "file").source == source


def test_a_month_of_flights_ends_each_line_with_a_comma(tmp_path):
    (tmp_path / "file").write_text('"Year","FlightDate","Origin","Dest",\n2016,2016-01-01,"OMA","ORD",\n')
    assert recognised(tmp_path / "file").source == "bts"


@pytest.mark.parametrize("text", ['{"text": "{{see|name=X}}"}', '[ {"text": "{{see|name=X}}"}]'])
def test_json_that_holds_a_page_is_no_page(tmp_path, text):
    (tmp_path / "file").write_text(text)
    with pytest.raises(SourceError, match="found a file that begins"):
        recognised(tmp_path / "file")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_table_is_told_in_any_encoding_that_a_mark_names(tmp_path, encoding, end):
    rows = ["id,name,host_id,latitude,longitude,room_type", "1,Ático,2,41.1,-8.6,Private room", ""]
    (tmp_path / "file").write_bytes(end.join(rows).encode(encoding))
    assert recognised(tmp_path / "file").source == "airbnb"


def test_a_file_that_is_not_there_is_said_so(tmp_path):
    with pytest.raises(SourceError, match="found a folder; expected a file"):
        recognised(tmp_path)
    with pytest.raises(SourceError, match="found no file"):
        recognised(tmp_path / "nothing")


def test_large_cities_come_with_their_place():
    found = {city.name: city for city in zone_cities()}
    assert len(found) > 280
    assert (found["New York"].country, round(found["New York"].lat), round(found["New York"].lon)) == ("US", 41, -74)
    assert found["Sao Paulo"].time_zone == "America/Sao_Paulo"


def test_a_zone_named_after_an_island_has_the_name_of_its_town_and_one_of_a_station_none():
    cities = zone_cities()
    assert {city.time_zone: city.name for city in cities if city.country == "PT"} == {
        "Atlantic/Azores": "Ponta Delgada", "Atlantic/Madeira": "Funchal", "Europe/Lisbon": "Lisbon",
    }  # fmt: skip
    zones = {city.time_zone for city in cities}
    without = WITHOUT_A_TOWN | OF_A_SMALL_TOWN
    assert set(TOWNS) <= zones and not without & zones
    assert not [zone for zone in zones if zone.startswith("Antarctica/")]
    named = (files("tzdata.zoneinfo") / "zone.tab").read_text()
    assert all(f"\t{zone}" in named for zone in without)


def test_each_country_has_its_own_cities_though_several_keep_one_time():
    """Stockholm keeps Berlin's time, Kampala Nairobi's; of Jamaica and Malta the town is meant, not the country."""
    listed = {(city.name, city.country) for city in zone_cities()}
    of_one_time = {"Stockholm": "SE", "Kampala": "UG", "Addis Ababa": "ET", "Kuala Lumpur": "MY", "Accra": "GH"}
    of_a_country = {"Kingston": "JM", "Valletta": "MT", "San José": "CR", "Doha": "QA"}
    assert not {*of_one_time.items(), *of_a_country.items()} - listed
