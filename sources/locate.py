"""From a row pointer's locator back to the raw record it names: as text, for people, and as the row its reader makes.

What an audit shows and checks values against. How a provider's record is read belongs in the provider's own module.
"""

from __future__ import annotations

import datetime as dt
import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

from schemas.recipe import City
from schemas.recipe_values import NO_CURRENCY
from schemas.source import Snapshot
from sources.airbnb.apify import parse_item
from sources.airbnb.listings import parse_listing
from sources.cities.area import within_cities
from sources.cities.named_city import city_finder, named_city
from sources.corrections import overrides as corrections
from sources.events import listings as events
from sources.flights import bts
from sources.formats.apify import read_items
from sources.formats.csv_columns import ColumnFile
from sources.formats.csv_rows import read_records
from sources.formats.jsonl import RowError, numbered_lines, parse_object
from sources.formats.unpacking import RawInput, unpacked
from sources.group import climate
from sources.group import lists as group
from sources.gtfs import reader as gtfs
from sources.labelled import sentences as labelled
from sources.numbeo import prices
from sources.openflights import airports
from sources.osm import extract as osm
from sources.overture import places as overture
from sources.prices import world_bank
from sources.published import itinbench, queries, travelplanner
from sources.tripadvisor import places as tripadvisor
from sources.wikivoyage import listings as wikivoyage
from sources.yelp import businesses as yelp
from sources.yelp.reviews import parse_reviews

LINE = re.compile(r"L([1-9][0-9]*)")
RECORD = re.compile(r"R([1-9][0-9]*)")

Window = tuple[dt.date, dt.date]
Row = dict[str, Any]


@dataclass(frozen=True)
class _File:
    """A file that was read before: how many of its rows are unreadable was judged then."""

    snapshot: Snapshot
    path: Path
    max_unreadable: float = 1.0


@dataclass(frozen=True)
class Scope:
    """What of a recipe a reader is told: its cities, its first and last day, and which table the rows are for."""

    cities: list[City]
    window: Window
    table: str


Reader = Callable[[RawInput, set[str], Scope], dict[str, Row]]


def raw_records(file: RawInput, locators: Iterable[str]) -> dict[str, str]:
    """Return the raw text at each locator of a file; a locator that leads nowhere is left out.

    `L12` is a file's twelfth line, `R12` its twelfth CSV record, `[3]` its fourth JSON item, `/Oulu/3` the fourth place
    of a city's list, `document._embedded.events[3]` the fourth event of a page, `L2.businesses[3]` the fourth business
    of the second line's answer, `stops.txt:7` a row of a zip's member, `node/5` an OpenStreetMap element, `economy/FIN`
    a country's row of a table by country, `Boston~12` the twelfth listing of a guide's page, `gers/08f2…` a place of
    Overture's. The file is read once, however many locators are asked for.
    """
    locator_set = set(locators)
    file = _File(file.snapshot, file.path)
    texts: dict[str, str] = {}
    for pattern, reader in _READERS:
        matching_locators = {locator for locator in locator_set if pattern.fullmatch(locator)}
        if matching_locators:
            texts |= reader(file, matching_locators)
            locator_set -= matching_locators
    return texts


def parsed_records(
    file: RawInput,
    locators: Iterable[str],
    *,
    cities: Sequence[City] = (),
    window: Window = (dt.date.min, dt.date.max),
    table: str = "",
) -> dict[str, Row]:
    """Return the row that the file's reader makes of the record at each locator, from that record alone.

    A row has the reader's columns and values: those of its table as far as the record says them, of a `Listing` for
    Yelp's and the published places. `city_id`, and the currency of Inside Airbnb's prices, come from `cities`; without
    them a row that is placed by its coordinates lacks them, and one that names its city cannot be read. `window` is
    the recipe's first and last day, which gives dates without a year theirs. `table` says which is meant where a file
    makes several: `stop` for the stops of a map, else its places.

    Left out are a locator that leads nowhere and a record that the reader rejects by itself. What a reader rejects
    for another record's sake, as a duplicate, is there. Raises ValueError for a file of which no rows are released.
    """
    key = (file.snapshot.source, file.snapshot.role)
    if key not in ROWS:
        raise ValueError(f"no row is read from the files of {key[0]}.{key[1]}; expected one of {sorted(ROWS)}")
    locator_set = set(locators)
    file = _File(file.snapshot, file.path)
    return ROWS[key](file, locator_set, Scope(list(cities), window, table)) if locator_set else {}


Records = Callable[[RawInput, set[str]], Iterator[tuple[str, Any]]]
Parse = Callable[[Any, str, Scope], Row]


def _by_record(records: Records, parse: Parse, file: RawInput, locators: set[str], scope: Scope) -> dict[str, Row]:
    """Return what `parse` makes of each record of the locators and its pointer; what it refuses is left out."""
    rows = {}
    for locator, record in records(file, locators):
        with suppress(RowError):
            rows[locator] = parse(record, file.snapshot.pointer(locator), scope)
    return rows


def _line_bytes(file: RawInput, locators: set[str]) -> Iterator[tuple[str, bytes]]:
    numbers = {int(match[1]) for match in map(LINE.fullmatch, locators) if match}
    last = max(numbers, default=0)
    for number, line in numbered_lines(file):
        if number in numbers:
            yield f"L{number}", line
        if number >= last:
            return


def _line_objects(file: RawInput, locators: set[str]) -> Iterator[tuple[str, Row]]:
    for locator, line in _line_bytes(file, locators):
        with suppress(RowError):
            yield locator, parse_object(line)


def _of_pointers(
    items: Callable[[RawInput, list[dict[str, str]]], Iterator[tuple[str, Any]]],
) -> Callable[[RawInput, set[str]], Iterator[tuple[str, Any]]]:
    """Return the records of the locators among those that a provider's own function yields by pointer."""

    def records(file: RawInput, locators: set[str]) -> Iterator[tuple[str, Any]]:
        for pointer, item in items(file, []):
            locator = pointer.partition("#")[2]
            if locator in locators:
                yield locator, item

    return records


def _csv_items(file: RawInput, rejected: list[dict[str, str]]) -> Iterator[tuple[str, dict[str, str]]]:
    return read_records(file, (), "CSV", lambda record, pointer: (pointer, record), rejected)


def _listed(file: RawInput, rejected: list[dict[str, str]]) -> Iterator[tuple[str, Any]]:  # noqa: ARG001
    return group.listed(file)


_CSV = _of_pointers(_csv_items)


def _placed(rows: dict[str, Row], scope: Scope) -> dict[str, Row]:
    """Return the rows inside the cities, each with its `city_id`; all of them as they are where no cities are given."""
    if not scope.cities:
        return rows
    inside = within_cities(list(rows.values()), scope.cities, [])
    return {row["source_rows"][0].partition("#")[2]: row for row in inside}


def _listings(file: RawInput, locators: set[str], scope: Scope) -> dict[str, Row]:
    rows = _placed(_by_record(_CSV, lambda record, at, _: parse_listing(record, at), file, locators, scope), scope)
    currency_by_city = {city.city_id: None if city.currency == NO_CURRENCY else city.currency for city in scope.cities}
    for row in rows.values():
        del row["currency"]
        if scope.cities:
            row["currency"] = currency_by_city[row["city_id"]] if row["price_per_night"] is not None else None
    return rows


def _by_place(records: Records, parse: Callable[[Any, str], Row]) -> Reader:
    """Return the reader of a file whose rows are placed by their coordinates."""

    def rows(file: RawInput, locators: set[str], scope: Scope) -> dict[str, Row]:
        return _placed(_by_record(records, lambda record, at, _: parse(record, at), file, locators, scope), scope)

    return rows


def _events(file: RawInput, locators: set[str], scope: Scope) -> dict[str, Row]:
    def parse(record: Row, pointer: str, scope: Scope) -> Row:
        row, address = events.parse_event(file.snapshot.role, record, pointer, scope.window)
        return row if row["lat"] is not None else {**row, "city_id": named_city(*address, scope.cities).city_id}

    rows = _by_record(_of_pointers(events.items), parse, file, locators, scope)
    by_name = {at: row for at, row in rows.items() if row["lat"] is None}
    return by_name | _placed({at: row for at, row in rows.items() if at not in by_name}, scope)


def _osm(file: RawInput, locators: set[str], scope: Scope) -> dict[str, Row]:
    only = frozenset(locators)
    is_stop = scope.table == "stop"
    rows = {}
    for element in (osm.stop_elements if is_stop else osm.place_elements)(file, only):
        with suppress(RowError):
            pointer = file.snapshot.pointer(element.native_id)
            rows[element.native_id] = (osm.parse_stop if is_stop else osm.parse_place)(element, pointer)
    return rows if is_stop else _placed(rows, scope)


def _reviews(file: RawInput, locators: set[str], scope: Scope) -> dict[str, Row]:  # noqa: ARG001
    return parse_reviews(file, dict(_line_bytes(file, locators)))


def _plain(reader: Callable[[RawInput, set[str]], dict[str, Row]]) -> Reader:
    return lambda file, locators, _: reader(file, locators)


def _corrections(file: RawInput, locators: set[str]) -> dict[str, Row]:
    entries = {entry["pointer"].partition("#")[2]: entry for entry in corrections.read_corrections(file)}
    return {locator: entry for locator, entry in entries.items() if locator in locators}


def _fields(value: Any) -> Row:
    return asdict(value)


def _poi(record: tuple[str, Any], pointer: str, scope: Scope) -> Row:
    label, item = record
    return group.parse_poi(item, pointer, group.city_labelled(label, scope.cities))


def _lines(parse: Parse) -> Reader:
    return partial(_by_record, _line_objects, parse)


ROWS: dict[tuple[str, str], Reader] = {
    ("yelp", "business"): _lines(lambda row, at, _: _fields(yelp.parse_business(row, at))),
    ("yelp", "review"): _reviews,
    ("yelp", "fusion"): partial(
        _by_record, _of_pointers(yelp.fusion_items), lambda item, at, _: _fields(yelp.parse_fusion(item, at))
    ),
    **{
        ("published", role): _lines(lambda row, at, _, kind=kind: _fields(itinbench.parse_place(kind, row, at)))
        for role, kind in itinbench.TABLE_KINDS.items()
    },
    **{
        ("published", role): _lines(lambda row, at, _, role=role: itinbench.parse_record(role, row, at))
        for role in itinbench.RECORD_KEYS
    },
    **{
        ("published_queries", file.role): _lines(lambda row, at, _: queries.parse_query(row, at)._asdict())
        for file in queries.SOURCE.files
    },
    ("osm", "extract"): _osm,
    ("gtfs", "feed"): _plain(gtfs.parse_stops),
    ("gtfs", "long_distance"): _plain(gtfs.parse_journeys),
    ("airbnb", "listings"): _listings,
    ("airbnb", "apify"): _by_place(_of_pointers(read_items), parse_item),
    ("tripadvisor", "places"): _by_place(_of_pointers(tripadvisor.items), tripadvisor.parse_place),
    ("events", "discovery"): _events,
    ("events", "apify"): _events,
    ("bts", "on_time"): _plain(bts.parse_flights),
    ("travelplanner", "flights"): _plain(travelplanner.parse_flights),
    ("openflights", "airports"): partial(_by_record, _line_bytes, lambda line, at, _: airports.parse_airport(line, at)),
    ("numbeo", "prices"): partial(
        _by_record, _of_pointers(prices.items), lambda row, at, scope: prices.parse_price(row, at, scope.cities)
    ),
    ("group", "poi"): partial(_by_record, _of_pointers(_listed), _poi),
    ("group", "fares"): partial(
        _by_record, _CSV, lambda row, at, scope: group.parse_fare(row, at, city_finder(scope.cities))
    ),
    ("group", "climate"): partial(
        _by_record, _CSV, lambda row, at, scope: climate.parse_day(row, at, city_finder(scope.cities))
    ),
    ("group", "profiles"): _lines(lambda row, at, _: group.parse_profile(row, at)),
    ("corrections", "overrides"): _plain(_corrections),
    ("overture", "places"): lambda file, locators, scope: _placed(overture.parse_places(file, locators), scope),
    ("wikivoyage", "pages"): lambda file, locators, scope: wikivoyage.parse_listings(file, locators, scope.cities),
}
"""Source and role to what reads rows of its files again: every role whose rows enter tables."""


def _raw_lines(file: RawInput, locators: set[str]) -> dict[str, str]:
    numbers = {int(locator[1:]) for locator in locators}
    last = max(numbers)
    lines: dict[str, str] = {}
    with unpacked(file) as stream:
        for number, line in enumerate(stream, start=1):
            if number in numbers:
                lines[f"L{number}"] = line.decode("utf-8", errors="replace").rstrip("\r\n")
            if number >= last:
                break
    return lines


def _as_json(records: Records) -> Callable[[RawInput, set[str]], dict[str, str]]:
    def texts(file: RawInput, locators: set[str]) -> dict[str, str]:
        return {locator: json.dumps(record, ensure_ascii=False) for locator, record in records(file, locators)}

    return texts


def _raw_members(file: RawInput, locators: set[str]) -> dict[str, str]:
    """Return rows of a zip's members: a feed's, or the one CSV of another archive."""
    if file.snapshot.source == gtfs.SOURCE.name:
        return gtfs.raw_records(file, locators)
    records = ColumnFile(file, "a zip with one CSV file").records(locators)
    return {locator: json.dumps(record, ensure_ascii=False) for locator, record in records.items()}


def _raw_items(file: RawInput, locators: set[str]) -> dict[str, str]:
    """Return items of an array, or the businesses of saved Fusion answers."""
    is_fusion = (file.snapshot.source, file.snapshot.role) == (yelp.SOURCE.name, "fusion")
    return _as_json(_of_pointers(yelp.fusion_items if is_fusion else read_items))(file, locators)


_READERS: tuple[tuple[re.Pattern[str], Callable[[RawInput, set[str]], dict[str, str]]], ...] = (
    (LINE, _raw_lines),
    (RECORD, _as_json(_CSV)),
    (re.compile(r"correction\[[0-9]+\]"), corrections.raw_entries),
    (re.compile(r"sentence\[[0-9]+\]"), labelled.raw_sentences),
    (re.compile(r"document|.+\._embedded\.events\[[0-9]+\]", re.DOTALL), events.raw_events),
    (re.compile(r"(L[1-9][0-9]*)?(\.?businesses)?\[[0-9]+\]"), _raw_items),
    (re.compile(r"/.+/[0-9]+", re.DOTALL), group.raw_pois),
    (re.compile(r"economy/[A-Z0-9]+"), world_bank.raw_economies),
    (re.compile(r"(node|way|relation)/[1-9][0-9]*"), osm.raw_records),
    (re.compile(r"gers/\S+"), overture.raw_places),
    (wikivoyage.LOCATOR, wikivoyage.raw_listings),
    (re.compile(r".+:[1-9][0-9]*", re.DOTALL), _raw_members),
)
