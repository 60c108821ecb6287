"""OpenStreetMap extracts: places, stops where there is no feed, and administrative boundaries. Bytes in, rows out.

Elements are read in `osm_elements.py` and classified in `osm_tags.py`; extracts are fetched by `overpass.py`. The
street graph is read by the routing engines, and merging with other providers' places belongs in `assets/`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from schemas.osm import FEES, WHEELCHAIR
from schemas.recipe import City
from schemas.recipe_values import Box
from schemas.rejection import Reason
from schemas.source import Source, SourceFile
from schemas.stable import canonical_json
from schemas.transit import OSM_FEED
from sources.cities.area import within_cities
from sources.formats.jsonl import RowError, rejection
from sources.formats.opening_hours import is_readable
from sources.formats.unpacking import RawInput
from sources.osm.elements import Element, element_records, read_elements
from sources.osm.lifecycle import why_gone
from sources.osm.tags import PLACE_KEYS, STOP_TAGS, Classified, classify, split_values

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

SOURCE = Source(
    name="osm",
    title="OpenStreetMap",
    homepage="https://www.openstreetmap.org/copyright",
    licence_id="ODbL-1.0",
    attribution="© OpenStreetMap contributors",
    files=(SourceFile("extract", "OpenStreetMap extract: .osm.pbf, .osm, .osm.bz2 or .osm.gz"),),
    how_to_get="Download an extract (Geofabrik, BBBike), or let `tripwright new` or `extract` ask an Overpass server.",
    tables=("osm_place", "osm_boundary", "stop"),
)

MEAL_KEYS = ("breakfast", "brunch", "lunch", "dinner")
SERVED = ("yes", "only")
_STARS = re.compile(r"([0-6](?:\.[05])?|7(?:\.0)?) ?(?:s(?:uperior)?|\*+|stars?)?", re.IGNORECASE)
"""An official class: `4S` and `4 superior` are four stars of it (OpenStreetMap wiki, Key:stars)."""


def read_places(
    file: RawInput, cities: list[City], rejected: list[dict[str, str]]
) -> tuple[list[dict[str, Any]], dict[str, int]]:
    """Return the named stays, restaurants and attractions inside the cities as rows of `OsmPlace`, and counts to keep.

    The counts: `opening_hours` (elements that have any), `opening_hours_unreadable` (kept without). Elements without
    a name, gone, or of which the extract holds no position go to `rejected`.
    """
    rows = []
    has_hours = set()
    for element in place_elements(file):
        pointer = file.snapshot.pointer(element.native_id)
        try:
            row = parse_place(element, pointer)
        except RowError as bad:
            rejected.append(rejection(pointer, bad))
            continue
        rows.append(row)
        if "opening_hours" in element.tags:
            has_hours.add(element.native_id)
    inside = within_cities(rows, cities, rejected)
    hours = [row["opening_hours"] for row in inside if row["native_id"] in has_hours]
    return inside, {"opening_hours": len(hours), "opening_hours_unreadable": hours.count(None)}


def read_stops(
    file: RawInput, city_id: str, rejected: list[dict[str, str]], within: Box | None = None
) -> list[dict[str, Any]]:
    """Return the extract's stops as rows of `Stop`, also those beyond the city's edge, which may be the nearest.

    Of a region's extract those `within` a box wider than the city; the others go to `rejected`.

    The name is the tag `name`, or else the code on the pole (`ref`, `local_ref`). For cities without a GTFS feed.
    """
    rows = []
    for element in stop_elements(file):
        pointer = file.snapshot.pointer(element.native_id)
        try:
            row = parse_stop(element, pointer)
            if within is not None and not within.contains(row["lat"], row["lon"]):
                raise RowError(Reason.OUTSIDE_EVERY_CITY, f"{row['lat']}, {row['lon']}: far from the city")
            rows.append({"city_id": city_id, **row})
        except RowError as bad:
            rejected.append(rejection(pointer, bad))
    return rows


def read_boundaries(file: RawInput, city_id: str, rejected: list[dict[str, str]]) -> list[dict[str, Any]]:
    """Return the administrative areas that are whole in the extract, as rows of `OsmBoundary`."""
    rows = []
    elements = read_elements(file, ("boundary",), lambda tags: tags.get("boundary") == "administrative")
    for element in elements:
        if not element.is_area and not element.native_id.startswith("relation/"):
            continue  # a way that is only a piece of some relation's edge
        pointer = file.snapshot.pointer(element.native_id)
        level = element.tags.get("admin_level", "")
        try:
            if not element.is_area or element.shape is None:
                raise RowError(Reason.BAD_COORDINATES, "the extract does not hold the whole area")
            if not re.fullmatch("[1-9]|1[0-2]", level) or not element.tags.get("name", "").strip():
                raise RowError(Reason.MISSING_VALUE, f"name {element.tags.get('name')!r}, admin_level {level!r}")
        except RowError as bad:
            rejected.append(rejection(pointer, bad))
            continue
        rows.append(
            {
                "city_id": city_id,
                "native_id": element.native_id,
                "name": element.tags["name"].strip(),
                "admin_level": int(level),
                "polygons": _coordinates(element.shape),
                "source_rows": [pointer],
            }
        )
    return rows


def _coordinates(area: BaseGeometry) -> list[list[list[list[float]]]]:
    """Return a multipolygon's points, by polygon and ring."""
    from shapely.geometry import mapping

    return [[[list(point) for point in ring] for ring in polygon] for polygon in mapping(area)["coordinates"]]


def raw_records(file: RawInput, locators: Iterable[str]) -> dict[str, str]:
    """Return tags and position at each locator (`node/123`) as JSON; a locator that leads nowhere is left out."""
    ids = [locator for locator in locators if re.fullmatch("(node|way|relation)/[1-9][0-9]*", locator)]
    return {native_id: canonical_json(record) for native_id, record in element_records(file, ids).items()}


def place_elements(file: RawInput, only: frozenset[str] | None = None) -> list[Element]:
    """Return the elements that are stays, restaurants or attractions by their tags; with `only`, of these ids."""
    return read_elements(file, PLACE_KEYS, lambda tags: classify(tags) is not None, only)


def stop_elements(file: RawInput, only: frozenset[str] | None = None) -> list[Element]:
    """Return the elements that are stops by their tags; with `only`, of these ids."""
    keys = tuple(sorted({key for key, _ in STOP_TAGS}))
    return read_elements(file, keys, lambda tags: any(tags.get(key) == value for key, value in STOP_TAGS), only)


def parse_stop(element: Element, pointer: str) -> dict[str, Any]:
    """Return one element's row of `Stop` without a city. Raises RowError where it cannot be used.

    The position of a way or relation is that of its members, so an element is more than its own record.
    """
    _still_there(element)
    lat, lon = _point(element)
    name = next((element.tags[key].strip() for key in ("name", "ref", "local_ref") if key in element.tags), "")
    if not is_seen(name):
        raise RowError(Reason.MISSING_VALUE, "the stop has no name, ref or local_ref")
    return {
        "stop_id": f"{OSM_FEED}:{element.native_id}",
        "feed": OSM_FEED,
        "native_id": element.native_id,
        "name": name,
        "lat": lat,
        "lon": lon,
        "parent_station": None,
        "source_rows": [pointer],
    }


def parse_place(element: Element, pointer: str) -> dict[str, Any]:
    """Return one element's row of `OsmPlace` without a city. Raises RowError where it cannot be used.

    The position of a way or relation is that of its members, so an element is more than its own record.
    """
    tags = element.tags
    what = classify(tags)
    name = tags.get("name", "").strip()
    if what is None or not is_seen(name):
        raise RowError(Reason.MISSING_VALUE, "the element has no name")
    _still_there(element, what)
    lat, lon = _point(element)
    hours, rooms = tags.get("opening_hours", "").strip(), tags.get("rooms", "").strip()
    stars = _STARS.fullmatch(tags.get("stars", "").strip()) if what.kind == "stay" else None
    return {
        "place_id": f"{SOURCE.name}:{element.native_id}",
        "source": SOURCE.name,
        "native_id": element.native_id,
        "kind": what.kind,
        "name": name,
        "name_en": tags.get("name:en", "").strip() or None,
        "address": _address(tags),
        "lat": lat,
        "lon": lon,
        "tags": list(what.tags),
        "categories": list(what.categories),
        "orientations": list(what.orientations),
        # Commas are no separators of OpenStreetMap's; no cuisine's name holds one, and mappers write them all the same.
        "cuisines": list(split_values(tags.get("cuisine", "").replace(",", ";"))) if what.kind == "restaurant" else [],
        "meals": [meal for meal in MEAL_KEYS if tags.get(meal) in SERVED],
        "hotel_class": float(stars[1]) if stars else None,
        "opening_hours": hours if hours and is_readable(hours) else None,
        "wheelchair": tags["wheelchair"] if tags.get("wheelchair") in WHEELCHAIR else None,
        "wikidata": tags["wikidata"] if re.fullmatch(r"Q[1-9]\d*", tags.get("wikidata", "")) else None,
        "brand": tags.get("brand", "").strip() or None,
        "diets": sorted(key.removeprefix("diet:") for key in tags if key[:5] == "diet:" and tags[key] in SERVED),
        "fee": tags["fee"] if tags.get("fee") in FEES else None,
        "charge": tags.get("charge", "").strip() or None,
        "rooms": int(rooms) if what.kind == "stay" and re.fullmatch("[1-9][0-9]{0,3}", rooms) else None,
        "website": _website(tags),
        "phone": (tags.get("phone") or tags.get("contact:phone") or "").strip() or None,
        "source_rows": [pointer],
    }


def is_seen(name: str) -> bool:
    """Return whether a name holds a sign that can be seen: marks of direction and blanks alone are none."""
    return any(sign.isprintable() and not sign.isspace() for sign in name)


def _still_there(element: Element, what: Classified | None = None) -> None:
    if why := why_gone(element.tags, what):
        raise RowError(Reason.CLOSED, f"{why:.120}")


def _point(element: Element) -> tuple[float, float]:
    point = element.point()
    if point is None:
        raise RowError(Reason.BAD_COORDINATES, "the extract holds none of the element's positions")
    return point


def _address(tags: dict[str, str]) -> str:
    """Return street and number, postcode and town, as far as they are mapped, as English text writes them."""
    street = tags.get("addr:street") or tags.get("addr:place") or ""
    line = f"{tags.get('addr:housenumber', '')} {street}" if street else ""
    town = f"{tags.get('addr:postcode', '')} {tags.get('addr:city', '')}"
    return tags.get("addr:full", "").strip() or ", ".join(part.strip() for part in (line, town) if part.strip())


def _website(tags: dict[str, str]) -> str | None:
    """Return the first website; `https://` is put before one without a scheme, and other schemes are dropped."""
    text = (split_values(tags.get("website") or tags.get("contact:website") or tags.get("url") or "") or ("",))[0]
    if re.fullmatch(r"[\w-]+(\.[\w-]+)+(/\S*)?", text):
        text = f"https://{text}"
    return text if re.fullmatch(r"https?://\S+", text) else None
