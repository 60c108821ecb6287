"""A city's places over all sources: businesses, what OpenStreetMap maps, listings for the night, each place once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from assets.clean.kinds import why_unseen
from assets.clean.place import places
from assets.clean.same_place import Entry, merge_mapped_twice, merge_sources, reject_second_ids
from assets.step import Outcome
from schemas.osm import OsmPlace
from schemas.overture import OverturePlace
from schemas.places import Listing, Place
from schemas.rejection import Reason
from schemas.stays import Stay
from sources.formats.jsonl import RowError, rejection

if TYPE_CHECKING:
    import pandas as pd

COLUMNS = [column.name for column in Place.columns()]


def city_places(
    business: pd.DataFrame, osm_place: pd.DataFrame, stay: pd.DataFrame, overture_place: pd.DataFrame | None = None
) -> Outcome:
    """Return every place of one city, each once, of one kind.

    A business that OpenStreetMap or Overture has too is one place (name and distance, `same_place.py`): it keeps the
    business's id and values, fills what they lack, and points to both. So is what a map has as several objects, such as
    a building and a point in it. What a map has as a sight and nobody travels to see is rejected. A listing for the
    night is a place of its own, since its name is the host's wording and its position is blurred.
    """
    import pyarrow as pa

    business_places: Outcome = places(business)
    mapped, rejections = _worth_a_visit(OsmPlace.arrow(osm_place).to_pylist())
    gathered = [] if overture_place is None else OverturePlace.arrow(overture_place).to_pylist()
    listings = Stay.arrow(stay).to_pylist()
    hours: dict[str, str | None] = {row["source_rows"][0]: row["opening_hours"] for row in mapped}
    listed: list[dict[str, Any]] = (
        Place.arrow(business_places.rows).to_pylist() if isinstance(business_places.rows, pa.Table) else []
    )
    once = reject_second_ids([*map(_osm_entry, mapped), *map(_overture_entry, gathered)])
    twice = merge_mapped_twice(once.entries)
    settled = merge_sources([*(_business_entry(row) for row in listed), *twice.entries])
    rows = [_row(entry, hours) for entry in settled.entries]
    rows += [_stay_row(row) for row in listings]
    rejections += [*once.rejected, *settled.rejected]
    rejections += business_places.rejections if isinstance(business_places.rejections, list) else []
    merged = business_places.merged + once.merged + twice.merged + settled.merged
    rows_in = len(business) + len(osm_place) + len(stay) + len(gathered)
    return Outcome(pa.Table.from_pylist(rows, schema=Place.arrow_schema()), rejections, merged, rows_in)


def _worth_a_visit(mapped: list[dict[str, Any]]) -> tuple[list[dict[str, Any]], list[dict[str, str]]]:
    """Return what a map has without the sights that nobody travels to see, and these as rejections."""
    rows, rejections = [], []
    for row in mapped:
        fault = why_unseen(row["tags"], row["wikidata"])
        if fault is None:
            rows.append(row)
        else:
            detail = f"{row['name'][:80]!r} is {fault}"
            rejections.append(rejection(row["source_rows"][0], RowError(Reason.CATEGORY_NOISE, detail)))
    return rows, rejections


def _business_entry(row: dict[str, Any]) -> Entry:
    source, _, native_id = row["place_id"].partition(":")
    return _entry(row, source, native_id, row["categories"], row["stars"], row["review_count"], row["price_level"])


def _osm_entry(row: dict[str, Any]) -> Entry:
    return _entry(row, row["source"], row["native_id"], row["categories"] or row["tags"], None, None, None)


def _overture_entry(row: dict[str, Any]) -> Entry:
    return _entry({**row, "meals": []}, row["source"], row["native_id"], row["categories"], None, None, None)


def _entry(
    row: dict[str, Any],
    source: str,
    native_id: str,
    categories: list[str],
    stars: float | None,
    review_count: int | None,
    price_level: int | None,
) -> Entry:
    listing = Listing(
        source=source,
        native_id=native_id,
        name=row["name"],
        address=row["address"],
        lat=row["lat"],
        lon=row["lon"],
        stars=stars,
        review_count=review_count,
        price_level=price_level,
        categories=tuple(categories),
        cuisines=tuple(row["cuisines"]),
        meals=tuple(row["meals"]),
        kind=row["kind"],
        ratings=(),
        source_row=row["source_rows"][0],
    )
    return Entry(row["city_id"], listing, (row["kind"],), tuple(row["source_rows"]))


def _row(entry: Entry, hours: dict[str, str | None]) -> dict[str, Any]:
    listing = entry.listing
    values = {name: getattr(listing, name) for name in COLUMNS if hasattr(listing, name)}
    return {
        **values,
        "city_id": entry.city_id,
        "place_id": f"{listing.source}:{listing.native_id}",
        # A sight that another source has as a restaurant stays a sight, and is not asked for by what it cooks.
        "cuisines": listing.cuisines if listing.kind == "restaurant" else (),
        "opening_hours": next((hours[p] for p in entry.source_rows if hours.get(p)), None),
        "source_rows": list(entry.source_rows),
    }


def _stay_row(row: dict[str, Any]) -> dict[str, Any]:
    return {
        **{name: row[name] for name in ("city_id", "place_id", "name", "address", "lat", "lon", "source_rows")},
        "kind": "stay",
        "stars": row["rating"] if (row["rating"] or 0) >= 1 else None,
        "review_count": row["review_count"],
        "price_level": None,
        "categories": [row["room_type"]],
        "cuisines": [],
        "meals": [],
        "opening_hours": None,
    }
