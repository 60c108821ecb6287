"""From a row pointer's locator back to the raw text it names: what an audit shows and checks values against."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable

from sources.corrections import overrides as corrections
from sources.events import listings as events
from sources.formats.apify import read_items
from sources.formats.csv_rows import read_records
from sources.formats.unpacked import RawInput, unpacked
from sources.group import lists as group
from sources.gtfs import reader as gtfs
from sources.osm import extract as osm
from sources.overture import places as overture
from sources.prices import world_bank
from sources.wikivoyage import listings as wikivoyage

LINE = re.compile(r"L([1-9][0-9]*)")
RECORD = re.compile(r"R([1-9][0-9]*)")
ITEM = re.compile(r"\[[0-9]+\]")


def raw_records(file: RawInput, locators: Iterable[str]) -> dict[str, str]:
    """Return the raw text at each locator of a file; a locator that leads nowhere is left out.

    `L12` is a file's twelfth line, `R12` its twelfth CSV record, `[3]` its fourth JSON item, `/Oulu/3` the fourth place
    of a city's list, `document._embedded.events[3]` the fourth event of a page, `stops.txt:7` a row of a zip's member,
    `node/5` an OpenStreetMap element, `economy/FIN` a country's row of a table by country, `Boston~12` the twelfth
    listing of a guide's page, `gers/08f2…` a place of Overture's. The file is read once, however many are asked for.
    """
    wanted = set(locators)
    found: dict[str, str] = {}
    for pattern, read in _READERS:
        mine = {locator for locator in wanted if pattern.fullmatch(locator)}
        if mine:
            found |= read(file, mine)
            wanted -= mine
    return found


def _lines(file: RawInput, locators: set[str]) -> dict[str, str]:
    numbers = {int(locator[1:]) for locator in locators}
    last = max(numbers)
    found: dict[str, str] = {}
    with unpacked(file) as stream:
        for number, line in enumerate(stream, start=1):
            if number in numbers:
                found[f"L{number}"] = line.decode("utf-8", errors="replace").rstrip("\r\n")
            if number >= last:
                break
    return found


def _csv(file: RawInput, locators: set[str]) -> dict[str, str]:
    records = read_records(file, (), "CSV", lambda record, pointer: (pointer.rpartition("#")[2], record), [])
    return {locator: json.dumps(row, ensure_ascii=False) for locator, row in records if locator in locators}


def _items(file: RawInput, locators: set[str]) -> dict[str, str]:
    items = ((pointer.rpartition("#")[2], item) for pointer, item in read_items(file, []))
    return {locator: json.dumps(item, ensure_ascii=False) for locator, item in items if locator in locators}


_READERS: tuple[tuple[re.Pattern[str], Callable[[RawInput, set[str]], dict[str, str]]], ...] = (
    (LINE, _lines),
    (RECORD, _csv),
    (ITEM, _items),
    (re.compile(r"correction\[[0-9]+\]"), corrections.raw_entries),
    (re.compile(r"document|.+\._embedded\.events\[[0-9]+\]", re.DOTALL), events.raw_events),
    (re.compile(r"/.+/[0-9]+", re.DOTALL), group.raw_pois),
    (re.compile(r"economy/[A-Z0-9]+"), world_bank.raw_economies),
    (re.compile(r"(node|way|relation)/[1-9][0-9]*"), osm.raw_records),
    (re.compile(r"gers/\S+"), overture.raw_places),
    (wikivoyage.LOCATOR, wikivoyage.raw_listings),
    (re.compile(r".+:[1-9][0-9]*", re.DOTALL), gtfs.raw_records),
)
