"""Gazetteers: `us_cities.csv` and GeoNames' city files. A town that has several rows becomes one town.

What a recipe's city is belongs in `schemas/recipe.py`; airports are read in `airports.py`.
"""

from __future__ import annotations

import csv
import math
from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from schemas.rejection import Reason
from schemas.source import Source, SourceError, SourceFile
from sources.cities.time_zones import is_time_zone
from sources.formats.csv_rows import number_in, read_records
from sources.formats.fields import coordinates, required_text
from sources.formats.jsonl import RowError, numbered_lines, rejection
from sources.formats.unpacked import RawInput

US_CITIES = Source(
    name="us_cities",
    title="US cities by state and county",
    homepage="https://github.com/kelvins/US-Cities-Database",
    licence_id="MIT",
    attribution="US-Cities-Database contributors",
    files=(SourceFile("towns", "CSV: us_cities.csv"),),
    how_to_get="Download csv/us_cities.csv from the project's repository.",
    tables=("town",),
)
GEONAMES = Source(
    name="geonames",
    title="GeoNames cities",
    homepage="https://www.geonames.org/",
    licence_id="CC-BY-4.0",
    attribution="GeoNames",
    files=(SourceFile("towns", "Tab-separated without a header: cities500.txt, cities15000.txt or a country's file"),),
    how_to_get="Download and unpack cities15000.zip from GeoNames' export folder.",
    tables=("town",),
)

US_COLUMNS = ("ID", "STATE_CODE", "STATE_NAME", "CITY", "LATITUDE", "LONGITUDE")
GEONAMES_FIELDS = 19
GEONAMES_PLACE_CLASS = "P"
SAME_TOWN_M = 50_000.0
"""Rows of one name and region nearer than this are one town: the farthest rows of one town of us_cities.csv, which
has a row for each county, lie about 40 km apart. A declared choice of ours."""
EARTH_RADIUS_M = 6_371_008.8
"""Mean radius (IUGG); good enough to tell towns apart."""


def read_us_towns(file: RawInput, rejected: list[dict[str, str]]) -> list[dict[str, Any]]:
    """Return the towns of `us_cities.csv` as rows of `Town`; records that cannot be used go to `rejected`.

    Raises SourceError for another file.
    """
    return distinct_towns(read_records(file, US_COLUMNS, "us_cities.csv", _us_town, rejected))


def read_geonames(file: RawInput, rejected: list[dict[str, str]]) -> list[dict[str, Any]]:
    """Return the populated places of a GeoNames file as rows of `Town`; other lines go to `rejected`.

    Raises SourceError if no line has GeoNames' nineteen fields.
    """
    rows = []
    looked_like_one = lines = 0
    for number, line in numbered_lines(file):
        lines += 1
        pointer = file.snapshot.pointer(number)
        try:
            fields = _geonames_fields(line)
            looked_like_one += 1
            rows.append(_geonames_town(fields, pointer))
        except RowError as bad:
            rejected.append(rejection(pointer, bad))
    if not looked_like_one:
        raise SourceError(
            f"{file.snapshot.location}: found {lines} lines, none with {GEONAMES_FIELDS} tab-separated fields; "
            "expected a GeoNames file such as cities15000.txt. Unpack it and bind it to the role `towns`."
        )
    return distinct_towns(rows)


def distinct_towns(rows: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return one row a town: rows of one name, region and country within 50 km of another of them are merged.

    The merged town lies at the rows' mean, counts the most inhabitants that any row gives, and bears the first row's
    id. Towns farther apart stay apart: two of one name in one state are two towns.
    """
    named: dict[tuple[str, str, str], list[list[dict[str, Any]]]] = defaultdict(list)
    for row in rows:
        towns = named[row["country"], row["region"], row["name"].casefold()]
        near = [town for town in towns if any(_apart_m(row, other) <= SAME_TOWN_M for other in town)]
        joined = [other for town in near for other in town]
        towns[:] = [town for town in towns if town not in near] + [[*joined, row]]
    return [_merged(town) for towns in named.values() for town in towns]


def _merged(town: list[dict[str, Any]]) -> dict[str, Any]:
    known = [row["population"] for row in town if row["population"] is not None]
    return town[0] | {
        "lat": math.fsum(row["lat"] for row in town) / len(town),
        "lon": math.fsum(row["lon"] for row in town) / len(town),
        "population": max(known, default=None),
        "source_rows": [pointer for row in town for pointer in row["source_rows"]],
    }


def _apart_m(a: dict[str, Any], b: dict[str, Any]) -> float:
    lat_a, lon_a, lat_b, lon_b = (math.radians(x) for x in (a["lat"], a["lon"], b["lat"], b["lon"]))
    half = math.sin((lat_b - lat_a) / 2) ** 2
    half += math.cos(lat_a) * math.cos(lat_b) * math.sin((lon_b - lon_a) / 2) ** 2
    return 2 * EARTH_RADIUS_M * math.asin(math.sqrt(min(1.0, half)))


def _us_town(record: dict[str, str], pointer: str) -> dict[str, Any]:
    lat, lon = coordinates(number_in(record, "LATITUDE"), number_in(record, "LONGITUDE"))
    return {
        "town_id": f"us_cities:{required_text(record, 'ID').strip()}",
        "name": required_text(record, "CITY").strip(),
        "region": required_text(record, "STATE_CODE").strip(),
        "region_name": record["STATE_NAME"].strip(),
        "country": "US",
        "lat": lat,
        "lon": lon,
        "population": None,
        "time_zone": None,
        "source_rows": [pointer],
    }


def _geonames_fields(line: bytes) -> list[str]:
    try:
        fields = next(csv.reader([line.decode().rstrip("\r\n")], delimiter="\t", quoting=csv.QUOTE_NONE), [])
    except (UnicodeDecodeError, csv.Error) as error:
        raise RowError(Reason.BAD_VALUE, f"found text that is not UTF-8 ({error})") from None
    if len(fields) != GEONAMES_FIELDS:
        raise RowError(Reason.BAD_VALUE, f"found {len(fields)} fields, expected {GEONAMES_FIELDS}")
    return fields


def _geonames_town(fields: list[str], pointer: str) -> dict[str, Any]:
    """Return the row of GeoNames' table `geoname` (readme.txt of its export folder, which numbers the fields)."""
    if fields[6] != GEONAMES_PLACE_CLASS:
        raise RowError(Reason.OTHER_CATEGORY, f"feature class: found {fields[6]!r}, expected P, a populated place")
    record = {"geonameid": fields[0], "name": fields[1], "latitude": fields[4], "longitude": fields[5]}
    lat, lon = coordinates(number_in(record, "latitude"), number_in(record, "longitude"))
    country = fields[8]
    if len(country) != 2 or not (country.isascii() and country.isupper()):
        raise RowError(Reason.BAD_VALUE, f"country code: found {country!r}, expected two letters")
    return {
        "town_id": f"geonames:{required_text(record, 'geonameid')}",
        "name": required_text(record, "name").strip(),
        "region": fields[10],
        "region_name": "",
        "country": country,
        "lat": lat,
        "lon": lon,
        "population": int(fields[14]) or None if fields[14].isascii() and fields[14].isdecimal() else None,
        "time_zone": fields[17] if is_time_zone(fields[17]) else None,
        "source_rows": [pointer],
    }
