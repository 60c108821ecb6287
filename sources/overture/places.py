"""Overture Maps' places: a GeoParquet file read in batches. Bytes in, rows out.

Which of them OpenStreetMap maps too is settled in `assets/clean/place_union.py`.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from schemas.recipe import City
from schemas.rejection import Reason
from schemas.source import Source, SourceError, SourceFile
from sources.cities.area import within_cities
from sources.formats.closed_names import closed_by_name
from sources.formats.fields import coordinates
from sources.formats.jsonl import RowError, rejection
from sources.formats.unpacking import RawInput

if TYPE_CHECKING:
    import pyarrow as pa

SOURCE = Source(
    name="overture",
    title="Overture Maps places",
    homepage="https://docs.overturemaps.org/guides/places/",
    licence_id="CDLA-Permissive-2.0",
    attribution="Overture Maps Foundation, overturemaps.org",
    files=(SourceFile("places", "GeoParquet: theme places, type place"),),
    how_to_get="Download the city's box with `overturemaps download --bbox=… -f geoparquet --type=place`.",
    tables=("overture_place",),
)

BATCH_ROWS = 20_000
LEAST_CONFIDENCE = 0.6
"""Of Overture's own estimate that the place is there; below it more than a few are not. A choice of ours."""

NEEDED = ("id", "geometry", "names")
POINTS = (1, 1001, 0x80000001)
"""Types of a point in well-known binary, with and without a height: ISO 13249-3 and PostGIS. One with a reference
system of its own (PostGIS's 0x20000001) is none that GeoParquet allows."""

CATEGORISED = ("categories", "taxonomy")
"""Columns that say what a place is; releases have one or both: `taxonomy` since December 2025, no `categories` since
September 2026 (Overture's schema, pull request 434)."""

_STAY = ("hotel", "motel", "hostel", "resort", "bed_and_breakfast", "inn", "guest_house", "holiday_rental_home")
_ATTRACTION = {
    "museum": "Museums", "art_museum": "Museums", "history_museum": "Museums", "science_museum": "Museums",
    "art_gallery": "Museums", "park": "Nature & Parks", "national_park": "Nature & Parks", "beach": "Nature & Parks",
    "botanical_garden": "Nature & Parks", "zoo": "Zoos & Aquariums", "aquarium": "Zoos & Aquariums",
    "theatre": "Concerts & Shows", "performing_arts": "Concerts & Shows", "music_venue": "Concerts & Shows",
    "theatre_venue": "Concerts & Shows", "performing_arts_venue": "Concerts & Shows",
    "landmark_and_historical_building": "Sights & Landmarks", "historic_site": "Sights & Landmarks",
    "monument": "Sights & Landmarks", "castle": "Sights & Landmarks", "amusement_park": "Water & Amusement Parks",
    "water_park": "Water & Amusement Parks", "shopping_center": "Shopping", "shopping_mall": "Shopping",
    "cinema": "Fun & Games", "movie_theater": "Fun & Games", "bowling_alley": "Fun & Games",
    "casino": "Casinos & Gambling",
}  # fmt: skip
"""Overture's category of an attraction, and TripCraft's. A theatre, a hall for the performing arts, a landmark, a
shopping center and a cinema have other names in the taxonomy than in the categories before it."""

_EATING = (
    "restaurant",
    "cafe",
    "fast_food_restaurant",
    "diner",
    "bistro",
    "food_court",
    "coffee_shop",
    "ice_cream_shop",
)


def read_places(file: RawInput, city: City, rejected: list[dict[str, str]]) -> list[dict[str, Any]]:
    """Return the stays, restaurants and attractions inside the city as rows of `OverturePlace`.

    Places outside its box are passed over; those inside that are no kind of ours, closed, unsure or without a name go
    to `rejected`. Raises SourceError for another file.
    """
    rows = []
    bounds = city.bounds
    for record in _records(file):
        pointer = file.snapshot.pointer(f"gers/{record.get('id')}")
        try:
            lat, lon = _position(record["geometry"])
        except RowError as bad:
            rejected.append(rejection(pointer, bad))
            continue
        if not bool(bounds.contains(lat, lon)):
            continue
        try:
            rows.append(_place(record, lat, lon, pointer))
        except RowError as bad:
            rejected.append(rejection(pointer, bad))
    return within_cities(rows, [city], rejected)


def parse_places(file: RawInput, locators: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Return the row of the record at each locator, wherever it lies; one that is no place of ours is left out."""
    ids = {locator.removeprefix("gers/") for locator in locators}
    places: dict[str, dict[str, Any]] = {}
    for record in _records(file):
        if record.get("id") in ids:
            locator = f"gers/{record['id']}"
            with suppress(RowError):
                places[locator] = _place(record, *_position(record["geometry"]), file.snapshot.pointer(locator))
    return places


def raw_places(file: RawInput, locators: Iterable[str]) -> dict[str, str]:
    """Return the record at each locator (`gers/08f2…`) as JSON, its position as `@lat` and `@lon`."""
    ids = {locator.removeprefix("gers/") for locator in locators}
    texts: dict[str, str] = {}
    for record in _records(file):
        if record.get("id") in ids:
            lat, lon = _position(record["geometry"])
            fields = {key: value for key, value in record.items() if key not in ("geometry", "bbox")}
            texts[f"gers/{record['id']}"] = json.dumps(
                fields | {"@lat": lat, "@lon": lon}, ensure_ascii=False, default=str
            )
    return texts


def _records(file: RawInput) -> Iterator[dict[str, Any]]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    name = file.snapshot.location
    try:
        parquet = pq.ParquetFile(file.path)
        problem = _schema_problem(parquet.schema_arrow)
        if problem:
            raise SourceError(
                f"{name}: found a Parquet file {problem}; expected Overture's places as they are released. Download "
                f"them again: {SOURCE.how_to_get}"
            )
        for batch in parquet.iter_batches(BATCH_ROWS):
            yield from batch.to_pylist()
    except (pa.ArrowException, OSError) as error:
        raise SourceError(
            f"{name}: found a file that cannot be read as Parquet ({str(error)[:200]}); expected Overture's places as "
            "GeoParquet. Download it again."
        ) from None


def _schema_problem(schema: pa.Schema) -> str:
    """Return which column is not as Overture's releases have it, "" if all are."""
    import pyarrow.types as pt

    missing = [column for column in NEEDED if column not in schema.names]
    missing += [] if set(CATEGORISED) & set(schema.names) else [" or ".join(CATEGORISED)]
    if missing:
        return f"without {', '.join(missing)}"
    types = {column.name: column.type for column in schema if not pt.is_null(column.type)}
    is_as_released = {
        **dict.fromkeys(
            ("names", *CATEGORISED), lambda kind: pt.is_struct(kind) and kind.get_field_index("primary") >= 0
        ),
        **dict.fromkeys(
            ("addresses", "sources"),
            lambda kind: (pt.is_list(kind) or pt.is_large_list(kind)) and pt.is_struct(kind.value_type),
        ),
        "confidence": lambda kind: pt.is_floating(kind) or pt.is_integer(kind),
    }
    other = [
        f"{name} is {types[name]}" for name in is_as_released if name in types and not is_as_released[name](types[name])
    ]
    return f"in which {'; '.join(other)[:200]}" if other else ""


def _position(geometry: Any) -> tuple[float, float]:
    """Return latitude and longitude of a point in well-known binary, rounded as OpenStreetMap rounds."""
    if not isinstance(geometry, bytes) or len(geometry) < 21 or geometry[0] not in (0, 1):
        raise RowError(Reason.BAD_COORDINATES, "the geometry is no point in well-known binary")
    order = "<" if geometry[0] else ">"
    (kind,) = struct.unpack_from(f"{order}I", geometry, 1)
    if kind not in POINTS:
        raise RowError(Reason.BAD_COORDINATES, f"found a geometry of type {kind}, expected a point")
    lon, lat = struct.unpack_from(f"{order}dd", geometry, 5)
    lat, lon = coordinates(lat, lon)
    return round(lat, 7), round(lon, 7)


def _place(record: dict[str, Any], lat: float, lon: float, pointer: str) -> dict[str, Any]:
    native_id, names = record.get("id"), record.get("names") or {}
    name = str(names.get("primary") or "").strip()
    if not native_id or not name:
        raise RowError(Reason.MISSING_VALUE, f"id {native_id!r:.60}, name {name!r:.60}")
    if record.get("operating_status") in ("permanently_closed", "temporarily_closed") or record.get("open") == 0:
        raise RowError(Reason.CLOSED, "it is said to be closed")
    if detail := closed_by_name(name):
        raise RowError(Reason.CLOSED, detail)
    primary = _primary(record)
    kind, category = _kind(primary)
    if kind is None:
        raise RowError(Reason.OTHER_CATEGORY, f"found the category {primary!r:.60}")
    confidence = record.get("confidence")
    if confidence is not None and confidence < LEAST_CONFIDENCE:
        raise RowError(Reason.NO_EVIDENCE, f"confidence {confidence:.2f}, at least {LEAST_CONFIDENCE} expected")
    address = next(iter(record.get("addresses") or []), None) or {}
    parts = [str(address.get(key) or "").strip() for key in ("freeform", "locality")]
    listed = record.get("sources") or []
    return {
        "place_id": f"{SOURCE.name}:{native_id}",
        "source": SOURCE.name,
        "native_id": str(native_id),
        "kind": kind,
        "name": name,
        "address": ", ".join(part for part in parts if part),
        "lat": lat,
        "lon": lon,
        "categories": [category] if category else [],
        "cuisines": [_cuisine(primary)] if kind == "restaurant" and _cuisine(primary) else [],
        "confidence": confidence,
        "datasets": sorted({str(one.get("dataset")) for one in listed if one and one.get("dataset")}),
        "source_rows": [pointer],
    }


def _primary(record: dict[str, Any]) -> str:
    """Return what the place is first of all; the older column says it where there are both."""
    columns = (record.get(column) or {} for column in CATEGORISED)
    return next((str(column["primary"]) for column in columns if column.get("primary")), "")


def _kind(primary: str) -> tuple[str | None, str | None]:
    if primary in _STAY:
        return "stay", None
    if primary in _EATING or primary.endswith("_restaurant"):
        return "restaurant", None
    return ("attraction", _ATTRACTION[primary]) if primary in _ATTRACTION else (None, None)


def _cuisine(primary: str) -> str:
    """Return the kitchen that a category names: `italian_restaurant` is italian."""
    kitchen = primary.removesuffix("_restaurant")
    return kitchen if primary.endswith("_restaurant") and kitchen != "fast_food" else ""
