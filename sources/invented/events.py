"""Writes an invented world's events as files of each city: saved pages of Ticketmaster's Discovery API, Apify's export.

Most events are in the pages, some in the export, some in both under one url. Wrong on purpose: `events_dirt.py`.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sources.invented.cities import CitySpec
from sources.invented.city_files import city_file
from sources.invented.dirt import HOSTILE_NAMES, Dirt, write_dirt
from sources.invented.events_dirt import planted_events, planted_exports
from sources.invented.happenings import Happening, happening, happening_count
from sources.invented.items import ItemFile, PlantedItem, is_array_of
from sources.invented.world import DAYS, World

PAGE_SIZE = 100
DISCOVERY_SHARE = 0.85
EXPORT_SHARE = 0.4
TBD_SHARE = 0.02
"""Of the events in the pages: the day is still to be decided."""
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
COUNTRIES = {"us": "United States Of America", "ca": "Canada"}


def write(world: World, folder: Path, dirt: bool = True) -> dict[str, list[Path]]:
    """Return the files written to the folder, by role: `discovery` (a file a page) and `apify` (an array or lines).

    `dirt.csv` lists what is planted in them; its `line` is the number of the event in its file.
    """
    folder.mkdir(parents=True, exist_ok=True)
    files: dict[str, list[Path]] = {"discovery": [], "apify": []}
    planted: list[Dirt] = []
    for city in world.cities:
        for path, listed in _write_pages(world, folder, city, dirt):
            files["discovery"].append(path)
            planted += listed
        path = city_file(folder, city, "apify.json")
        planted += _write_export(world, city, path, path.relative_to(folder).as_posix(), dirt)
        files["apify"].append(path)
    write_dirt(folder, planted)
    return files


def _write_pages(world: World, folder: Path, city: CitySpec, dirt: bool) -> Iterator[tuple[Path, list[Dirt]]]:
    """Yield the path of each page and what is planted on it: the spoilt events come last."""
    events = [
        PlantedItem(kind, discovery_event(world, occurrence, name), occurrence.event_id)
        for occurrence, kind, name in _listed(world, city, "discovery", DISCOVERY_SHARE, dirt)
    ]
    if dirt:
        events += planted_events(city, discovery_event(world, happening(world, city, 0), "The Spoilt Event"))
    pages = [events[start : start + PAGE_SIZE] for start in range(0, len(events), PAGE_SIZE)] or [[]]
    for number, page in enumerate(pages):
        path = city_file(folder, city, f"discovery-{number}.json")
        document: dict[str, Any] = {"_embedded": {"events": [event.item for event in page]}} if page else {}
        document["_links"] = {"self": {"href": f"/discovery/v2/events.json?page={number}&size={PAGE_SIZE}"}}
        document["page"] = {
            "size": PAGE_SIZE,
            "totalElements": len(events),
            "totalPages": len(pages),
            "number": number,
        }
        path.write_text(json.dumps(document, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
        name = path.relative_to(folder).as_posix()
        yield path, [Dirt(e.kind, name, row, e.native_id) for row, e in enumerate(page, start=1) if e.kind]


def _write_export(world: World, city: CitySpec, path: Path, name: str, dirt: bool) -> list[Dirt]:
    with ItemFile(path, name, is_array=is_array_of(city, "events")) as file:
        for occurrence, kind, title in _listed(world, city, "apify", EXPORT_SHARE, dirt):
            file.add(export_item(world, occurrence, title), [kind] if kind else (), occurrence.event_id)
        if dirt:
            file.plant_junk()
            for planted in planted_exports(export_item(world, happening(world, city, 0), "The Spoilt Event")):
                file.plant(planted)
        return file.dirt


def _listed(world: World, city: CitySpec, where: str, share: float, dirt: bool) -> Iterator[tuple[Happening, str, str]]:
    """Yield the events that are listed there, each with the dirt of its name, if any, and its name."""
    spoilt = len(HOSTILE_NAMES) if dirt and world.hostile_names else 0
    for number in range(happening_count(world)):
        occurrence = happening(world, city, number)
        if number and world.rng("listed", where, city.city_id, number).random() >= share:
            continue
        kind, pattern = HOSTILE_NAMES[number - 1] if 1 <= number <= spoilt else ("", "{}")
        yield occurrence, kind, pattern.format(occurrence.name)


def url_of(occurrence: Happening) -> str:
    """Return the event's page, the same in both files."""
    return f"https://events.example/event/{occurrence.event_id}"


def discovery_event(world: World, occurrence: Happening, name: str) -> dict[str, Any]:
    """Return the event as the Discovery API has it, under that name."""
    rng = world.rng("discovery", occurrence.city.city_id, occurrence.number)
    city, is_decided = occurrence.city, rng.random() >= TBD_SHARE
    start: dict[str, Any] = {"localDate": occurrence.date.isoformat()} if is_decided else {}
    if occurrence.time and is_decided:
        start["localTime"] = f"{occurrence.time}:00"
    start |= {"dateTBD": not is_decided, "dateTBA": False, "timeTBA": False, "noSpecificTime": not occurrence.time}
    event: dict[str, Any] = {
        "name": name,
        "type": "event",
        "id": occurrence.event_id,
        "test": False,
        "url": url_of(occurrence),
        "locale": "en-us",
        "dates": {
            "start": start,
            "timezone": city.time_zone,
            "status": {"code": occurrence.status},
            "spanMultipleDays": False,
        },
        "classifications": [
            {
                "primary": True,
                "segment": {"name": occurrence.segment},
                "genre": {"name": occurrence.genre},
                "family": False,
            }
        ],
        "_embedded": {"venues": [_venue(occurrence)]},
    }
    if occurrence.prices:
        low, high = occurrence.prices
        event["priceRanges"] = [{"type": "standard", "currency": city.currency, "min": low, "max": high}]
    return event


def _venue(occurrence: Happening) -> dict[str, Any]:
    city, venue = occurrence.city, occurrence.venue
    code = city.country.upper()
    return {
        "name": venue.name,
        "type": "venue",
        "id": venue.venue_id,
        "timezone": city.time_zone,
        "city": {"name": city.name},
        "state": {"name": city.region.upper(), "stateCode": city.region.upper()},
        "country": {"name": COUNTRIES.get(city.country.lower(), code), "countryCode": code},
        "address": {"line1": venue.street},
        "location": {"longitude": str(venue.lon), "latitude": str(venue.lat)},
    }


def export_item(world: World, occurrence: Happening, name: str) -> dict[str, Any]:
    """Return the event as Apify's export has it, under that name: of two dates one has no year."""
    rng = world.rng("apify events", occurrence.city.city_id, occurrence.number)
    date = (
        f"{MONTHS[occurrence.date.month - 1]} {occurrence.date.day:02d}"
        if rng.random() < 0.5
        else f"{occurrence.date:%d-%m-%Y}"
    )
    return {
        "id": occurrence.event_id,
        "url": url_of(occurrence),
        "name": name,
        "description": None,
        "segmentName": occurrence.segment,
        "genreName": occurrence.genre,
        "dateTitle": date,
        "dateSubTitle": _sub_title(occurrence.date, occurrence.time),
        "streetAddress": occurrence.venue.street,
        "addressLocality": occurrence.city.name,
        "addressRegion": occurrence.city.region.upper(),
        "addressCountry": occurrence.city.country.upper(),
        "placeName": occurrence.venue.name,
        "offer": {"price": f"{occurrence.prices[0]:.2f}", "priceCurrency": occurrence.city.currency}
        if occurrence.prices
        else None,
    }


def _sub_title(day: dt.date, time: str) -> str:
    weekday = DAYS[day.weekday()][:3]
    if not time:
        return weekday
    hour, minute = int(time[:2]), time[3:]
    return f"{weekday} • {(hour + 11) % 12 + 1}:{minute} {'PM' if hour >= 12 else 'AM'}"
