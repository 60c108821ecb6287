"""Events: saved pages of Ticketmaster's Discovery API, and Apify's exports of its website."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from schemas.counts import counted
from schemas.events import SEGMENTS
from schemas.recipe import City
from schemas.rejection import Reason
from schemas.source import Source, SourceError, SourceFile
from schemas.stable import stable_hash
from sources.airbnb.values import money
from sources.cities.area import within_cities
from sources.cities.named_city import named_city
from sources.events.dates import Window, event_date, event_time, weekday_in
from sources.formats.fields import coordinates, optional_list, optional_object, optional_text, required_text
from sources.formats.json_documents import documents
from sources.formats.jsonl import RowError, rejection
from sources.formats.unpacking import RawInput
from sources.formats.unreadable import Unreadable

SOURCE = Source(
    name="events",
    title="Ticketmaster events",
    homepage="https://developer.ticketmaster.com/",
    licence_id="LicenseRef-API-terms",
    attribution="Ticketmaster",
    files=(
        SourceFile("discovery", "JSON: saved pages of the Discovery API v2", required=False),
        SourceFile("apify", "JSON array or JSON lines: an Apify export of Ticketmaster", required=False),
    ),
    how_to_get="Save the pages that the Discovery API's event search answers, with a key of your own.",
    tables=("event",),
)

OFF = ("cancelled", "canceled", "postponed", "offsale_cancelled")
"""Status codes of what does not take place on its date; one rescheduled has its new date."""


def read_events(
    file: RawInput, cities: list[City], window: Window, rejected: list[dict[str, str]]
) -> list[dict[str, Any]]:
    """Return the file's events in the cities as rows of `Event`, in its order; the others go to `rejected`.

    An event lies in the city that holds its venue; one without coordinates in the city of its name, region and
    country. `window` is the recipe's first and last day: it gives dates without a year theirs. Of events with one id
    or page the first is kept. Raises SourceError if the file holds no event.
    """
    located, unlocated = [], []
    ids_and_urls: set[str] = set()
    looked_like_one, count = False, 0
    unreadable = Unreadable(file, rejected)
    for pointer, item in unreadable.count(items(file, rejected)):
        count += 1
        looked_like_one = looked_like_one or "name" in item
        try:
            row, address = parse_event(file.snapshot.role, item, pointer, window)
            _claim(row, ids_and_urls)
            if row["lat"] is not None:
                located.append(row)
            else:
                unlocated.append(row | {"city_id": named_city(*address, cities).city_id})
        except RowError as bad:
            rejected.append(rejection(pointer, bad))
    if count and not looked_like_one:
        raise SourceError(
            f"{file.snapshot.location}: found {counted(count, 'object')}, none with a `name`; expected Ticketmaster "
            "events. Bind pages of the Discovery API to the role `discovery`, and Apify's exports to `apify`."
        )
    unreadable.require_few()
    return [*within_cities(located, cities, rejected), *unlocated]


def raw_events(file: RawInput, locators: set[str]) -> dict[str, str]:
    """Return the events of pages, or the one that the file is, as JSON by locator."""
    events = ((pointer.rpartition("#")[2], event) for pointer, event in items(file, []))
    return {locator: json.dumps(event, ensure_ascii=False) for locator, event in events if locator in locators}


def parse_event(
    role: str, item: dict[str, Any], pointer: str, window: Window
) -> tuple[dict[str, Any], tuple[str, str, str]]:
    """Return one event's row of `Event` without a city, and the name, region and country of its venue's town.

    Raises RowError where it cannot be used.
    """
    row, address = (_exported if role == "apify" else _discovered)(item, window)
    return {**row, "source_rows": [pointer]}, address


def items(file: RawInput, rejected: list[dict[str, str]]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each event with its pointer: of a page, `document._embedded.events[3]`; else that of the item itself."""
    for locator, document in documents(file, rejected):
        if ("_embedded" not in document and "page" not in document) or "dates" in document:
            yield file.snapshot.pointer(locator), document
            continue
        try:
            events = optional_list(optional_object(document, "_embedded"), "events")
        except RowError as bad:
            rejected.append(rejection(file.snapshot.pointer(locator), bad))
            continue
        for position, event in enumerate(events):
            pointer = file.snapshot.pointer(f"{locator}._embedded.events[{position}]")
            if isinstance(event, dict):
                yield pointer, event
            else:
                bad = RowError(Reason.BAD_JSON, f"found a JSON {type(event).__name__}, expected an object")
                rejected.append(rejection(pointer, bad))


def _claim(row: dict[str, Any], ids_and_urls: set[str]) -> None:
    again = {row["event_id"], row["url"]} & ids_and_urls
    if again:
        raise RowError(Reason.DUPLICATE, f"event {min(again)} was already taken")
    ids_and_urls |= {row["event_id"], row["url"]} - {""}


def _discovered(item: dict[str, Any], window: Window) -> tuple[dict[str, Any], tuple[str, str, str]]:
    name = required_text(item, "name")
    if item.get("test") is True:
        raise RowError(Reason.OTHER_CATEGORY, "test: found true, expected a real event")
    dates = optional_object(item, "dates")
    start, status = optional_object(dates, "start"), optional_text(optional_object(dates, "status"), "code").lower()
    if status in OFF:
        raise RowError(Reason.CANCELLED, f"status: found {status!r}")
    if start.get("dateTBD") is True or start.get("dateTBA") is True:
        raise RowError(Reason.MISSING_VALUE, "date: found one to be decided, expected a date")
    classes = [c for c in optional_list(item, "classifications") if isinstance(c, dict)]
    primary = next((c for c in classes if c.get("primary") is True), classes[0] if classes else {})
    venue = next((v for v in optional_list(optional_object(item, "_embedded"), "venues") if isinstance(v, dict)), {})
    price = next((p for p in optional_list(item, "priceRanges") if isinstance(p, dict)), {})
    is_timed = start.get("noSpecificTime") is not True and start.get("timeTBA") is not True
    region, country = optional_object(venue, "state"), optional_object(venue, "country")
    row = {
        "event_id": f"ticketmaster:{required_text(item, 'id').strip()}",
        "name": name,
        "segment": _segment(optional_text(optional_object(primary, "segment"), "name")),
        "date": event_date(optional_text(start, "localDate"), window),
        "time": event_time(optional_text(start, "localTime")) if is_timed else None,
        "venue": optional_text(venue, "name"),
        "address": optional_text(optional_object(venue, "address"), "line1"),
        "url": _page(item),
        **_point(optional_object(venue, "location")),
        **_price(price.get("min"), optional_text(price, "currency")),
    }
    return row, (
        optional_text(optional_object(venue, "city"), "name"),
        optional_text(region, "stateCode") or optional_text(region, "name"),
        optional_text(country, "countryCode") or optional_text(country, "name"),
    )


def _exported(item: dict[str, Any], window: Window) -> tuple[dict[str, Any], tuple[str, str, str]]:
    name, sub_title = required_text(item, "name"), optional_text(item, "dateSubTitle")
    date = event_date(optional_text(item, "dateTitle"), window, weekday_in(sub_title))
    street, url = optional_text(item, "streetAddress"), _page(item)
    native_id = optional_text(item, "id").strip()
    if not native_id:
        native_id = f"{stable_hash(url or name, date.isoformat(), street):016x}"
    offer = optional_object(item, "offer")
    row = {
        "event_id": f"ticketmaster:{native_id}",
        "name": name,
        "segment": _segment(optional_text(item, "segmentName")),
        "date": date,
        "time": event_time(sub_title),
        "venue": optional_text(item, "placeName"),
        "address": street,
        "url": url,
        "lat": None,
        "lon": None,
        **_price(offer.get("price"), optional_text(offer, "priceCurrency")),
    }
    places = ("addressLocality", "addressRegion", "addressCountry")
    locality, region, country = (optional_text(item, place) for place in places)
    return row, (locality, region, country)


def _segment(text: str) -> str:
    segment = " ".join(text.split())
    if not segment:
        raise RowError(Reason.MISSING_VALUE, "segment: found nothing, expected a kind of event")
    if segment not in SEGMENTS:
        raise RowError(Reason.OTHER_CATEGORY, f"segment: found {segment!r}, expected one of {', '.join(SEGMENTS)}")
    return segment


def _point(location: dict[str, Any]) -> dict[str, float | None]:
    """Return latitude and longitude, which are texts there; both None where the venue has none, which 0, 0 says too."""
    degrees = [_degrees(location.get(key)) for key in ("latitude", "longitude")]
    if degrees in ([None, None], [0, 0]):
        return {"lat": None, "lon": None}
    lat, lon = coordinates(*degrees)
    return {"lat": lat, "lon": lon}


def _degrees(value: Any) -> Any:
    return float(value) if isinstance(value, str) and re.fullmatch(r"-?[0-9]{1,3}(\.[0-9]+)?", value.strip()) else value


def _price(value: Any, currency: str) -> dict[str, float | str | None]:
    """Return the price and its currency; one that cannot be read is unknown, since an event needs none."""
    code = currency.strip().upper()
    amount: float | None = None
    if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < 1e9:
        amount = float(value)
    elif isinstance(value, str):
        try:
            amount, sign = money(value)
        except RowError:
            amount, sign = None, None
        code = code or sign or ""
    return {"price": amount, "currency": code if amount is not None and re.fullmatch("[A-Z]{3}", code) else None}


def _page(item: dict[str, Any]) -> str:
    url = optional_text(item, "url").strip()
    return url if re.fullmatch(r"https?://\S+", url) else ""
