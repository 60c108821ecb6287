"""The invented events: on the world's dates, in saved API pages and an export that agree, with dirt as listed."""

from __future__ import annotations

import datetime as dt
import json
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sources.invented import World, city_of, events, make_world
from sources.invented.dirt import HOSTILE_NAMES
from sources.invented.happenings import SEGMENTS, happening, happening_count
from tests.sources.invented.hostile_names import hostile_names

SEED = 7
NOVEMBER = (dt.date(2024, 11, 1), dt.date(2024, 11, 30))
BY_NAME: dict[str, Callable[[Any], bool]] = {
    **hostile_names(lambda e: e["name"]),
    "missing_name": lambda e: e["name"] is None,
}
PAGES: dict[str, Callable[[Any], bool]] = {
    **BY_NAME,
    "missing_id": lambda e: e["id"] is None,
    "cancelled": lambda e: e["dates"]["status"]["code"] == "cancelled",
    "postponed": lambda e: e["dates"]["status"]["code"] == "postponed",
    "date_to_be_decided": lambda e: "localDate" not in e["dates"]["start"],
    "impossible_date": lambda e: e["dates"]["start"]["localDate"].endswith("-11-31"),
    "missing_dates": lambda e: e["dates"] is None,
    "missing_classifications": lambda e: e["classifications"] == [],
    "segment_undefined": lambda e: e["classifications"][0]["segment"]["name"] not in SEGMENTS,
    "missing_venue": lambda e: "venues" not in e["_embedded"],
    "venue_without_location": lambda e: "location" not in e["_embedded"]["venues"][0],
    "venue_location_not_numbers": lambda e: e["_embedded"]["venues"][0]["location"]["latitude"] == "north",
    "venue_outside_city": lambda e: "G5bad" in e["id"],
    "price_free_of_type": lambda e: isinstance(e["priceRanges"][0]["min"], str),
    "test_event": lambda e: e["test"],
    "duplicate_id": lambda e: e["name"] == "The Spoilt Event",
}
EXPORT: dict[str, Callable[[Any], bool]] = {
    **BY_NAME,
    "missing_date": lambda e: e["dateTitle"] is None,
    "date_to_be_announced": lambda e: not re.search(r"\d", e["dateTitle"]),
    "impossible_date": lambda e: e["dateTitle"].startswith("31-11"),
    "impossible_day_without_year": lambda e: e["dateTitle"] == "Feb 30",
    "missing_segment": lambda e: e["segmentName"] is None,
    "missing_locality": lambda e: e["addressLocality"] is None,
    "locality_of_another_region": lambda e: e["addressRegion"] == "ZZ",
    "unknown_locality": lambda e: e["addressLocality"] == "Nowhere upon Sea",
    "price_with_sign": lambda e: e["offer"]["price"].startswith("$"),
    "missing_street": lambda e: e["streetAddress"] is None,
    "duplicate_id": lambda e: e["name"] == "The Spoilt Event",
    **dict.fromkeys(
        ("not_an_object", "empty_line", "binary_line", "truncated_line"), lambda e: not isinstance(e, dict)
    ),
}


@pytest.fixture(scope="module")
def world() -> World:
    return make_world(3, 1.0, SEED)


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory, world: World) -> tuple[Path, dict[str, list[Path]]]:
    folder = tmp_path_factory.mktemp("events")
    return folder, events.write(world, folder)


def page_events(path: Path) -> list[Any]:
    return json.loads(path.read_bytes()).get("_embedded", {}).get("events", [])


def clean(written: Any, role: str, read: Callable[[Path], list[Any]], read_dirt: Any) -> list[Any]:
    folder, files = written
    dirty = {(d.file, d.line) for d in read_dirt(folder) if not d.kind.startswith("name_")}
    return [
        item
        for path in files[role]
        for number, item in enumerate(read(path), start=1)
        if (path.relative_to(folder).as_posix(), number) not in dirty
    ]


def test_pages_count_themselves(written: Any, world: World) -> None:
    _, files = written
    for city in world.cities:
        paths = [path for path in files["discovery"] if city_of(path) == city.city_id]
        pages = [json.loads(path.read_bytes()) for path in paths]
        assert [page["page"]["number"] for page in pages] == list(range(len(pages)))
        assert {page["page"]["totalPages"] for page in pages} == {len(pages)}
        assert {page["page"]["totalElements"] for page in pages} == {sum(len(page_events(path)) for path in paths)}
        assert len(pages) == 2
    assert [city_of(path) for path in files["apify"]] == [city.city_id for city in world.cities]


def test_events_are_those_of_the_world(written: Any, world: World, read_dirt: Any) -> None:
    true = {
        h.event_id: h for c in world.cities for n in range(happening_count(world)) for h in [happening(world, c, n)]
    }
    found = clean(written, "discovery", page_events, read_dirt)
    assert 0.8 < len(found) / len(true) < 0.9
    undecided = 0
    for event in found:
        own = true[event["id"]]
        start, [venue] = event["dates"]["start"], event["_embedded"]["venues"]
        assert own.name in event["name"]
        assert event["classifications"][0]["segment"]["name"] == own.segment
        assert event["dates"]["status"]["code"] == own.status
        undecided += start["dateTBD"]
        assert start.get("localDate") == (None if start["dateTBD"] else own.date.isoformat())
        assert start["noSpecificTime"] == (not own.time)
        assert own.city.box.holds(float(venue["location"]["latitude"]), float(venue["location"]["longitude"]))
        assert venue["city"]["name"] == own.city.name
        assert venue["state"]["stateCode"] == own.city.region.upper()
        assert [(p["min"], p["max"]) for p in event.get("priceRanges", [])] == ([own.prices] if own.prices else [])
    assert 0 < undecided < 0.05 * len(found)
    assert {event["dates"]["status"]["code"] for event in found} >= {"onsale", "cancelled", "postponed"}


def test_the_export_agrees_with_the_pages(written: Any, world: World, read_items: Any, read_dirt: Any) -> None:
    pages = {e["url"]: e for e in clean(written, "discovery", page_events, read_dirt)}
    exports = clean(written, "apify", read_items, read_dirt)
    both = [(item, pages[item["url"]]) for item in exports if item["url"] in pages]
    assert 100 < len(both) < len(exports)
    forms: Counter[str] = Counter()
    for item, event in both:
        assert item["segmentName"] == event["classifications"][0]["segment"]["name"]
        assert (item["addressLocality"], item["addressRegion"]) == (
            event["_embedded"]["venues"][0]["city"]["name"],
            event["_embedded"]["venues"][0]["state"]["stateCode"],
        )
        assert item["offer"] is None or isinstance(item["offer"]["price"], str)
        if "localDate" in event["dates"]["start"]:
            day = dt.date.fromisoformat(event["dates"]["start"]["localDate"])
            assert item["dateTitle"] in (day.strftime("%b %d"), day.strftime("%d-%m-%Y"))
            assert item["dateSubTitle"].startswith(day.strftime("%a"))
            if "localTime" in event["dates"]["start"]:
                clock = dt.datetime.strptime(item["dateSubTitle"].partition(" • ")[2], "%I:%M %p").time()
                assert clock.isoformat() == event["dates"]["start"]["localTime"]
        forms["no year" if len(item["dateTitle"]) == 6 else "year"] += 1
    assert min(forms["year"], forms["no year"]) > 0.3 * len(both)


def test_every_segment_happens_in_every_three_days(world: World) -> None:
    for city in world.cities:
        found = [happening(world, city, number) for number in range(happening_count(world))]
        assert 150 <= len(found) <= 160
        for segment in ("Sports", "Arts & Theatre", "Music", "Film"):
            days = {one.date for one in found if one.segment == segment and one.status == "onsale"}
            assert len(days) >= 7
        for first in range(1, 28):
            trip = {dt.date(2024, 11, first + day) for day in range(3)}
            assert len([one for one in found if one.date in trip and one.status == "onsale"]) >= 3


def test_events_are_on_the_worlds_dates() -> None:
    for dates in (NOVEMBER, (dt.date(2021, 2, 1), dt.date(2021, 3, 31))):
        world = make_world(1, 1.0, SEED, dates)
        days = {happening(world, world.cities[0], number).date for number in range(happening_count(world))}
        assert (min(days), max(days)) == dates


@pytest.mark.parametrize(("role", "kinds"), [("discovery", PAGES), ("apify", EXPORT)])
def test_each_planted_event_is_what_it_is_said_to_be(
    written: Any, read_items: Any, read_dirt: Any, role: str, kinds: dict[str, Callable[[Any], bool]]
) -> None:
    folder, files = written
    read = page_events if role == "discovery" else read_items
    items = {path.relative_to(folder).as_posix(): read(path) for path in files[role]}
    dirt = [d for d in read_dirt(folder) if d.file in items]
    assert {kind for kind, _ in HOSTILE_NAMES} <= {d.kind for d in dirt} <= set(kinds)
    assert {d.kind for d in dirt} >= set(kinds) - {"empty_line", "binary_line", "truncated_line", "not_an_object"}
    for d in dirt:
        item = items[d.file][d.line - 1]
        assert kinds[d.kind](item), d
        assert d.native_id == ((item["id"] or "") if isinstance(item, dict) else "")


def test_without_dirt_there_is_none(tmp_path: Path, read_items: Any, read_dirt: Any) -> None:
    world = make_world(1, 0.1, SEED)
    files = events.write(world, tmp_path, dirt=False)
    assert read_dirt(tmp_path) == []
    names = {happening(world, world.cities[0], number).name for number in range(happening_count(world))}
    assert {e["name"] for e in page_events(files["discovery"][0])} <= names
    assert {e["name"] for e in read_items(files["apify"][0])} <= names
