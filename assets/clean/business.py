"""Listings of every provider inside the recipe's cities: assigned by area, one row a place, no row unaccounted for.

How a provider's file is read belongs in `sources/`; when two listings are one place is decided in `same_place.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from assets.clean.cuisines import cuisines
from assets.clean.same_place import Entry, SettledEntries, merge_copies, merge_sources, reject_second_ids
from assets.step import Outcome, RawFile
from schemas.places import Business, Listing
from schemas.recipe import City
from schemas.rejection import Reason
from sources.formats.jsonl import RowError, rejection
from sources.published.itinbench import read_places
from sources.yelp.businesses import FusionPrice, read_businesses, read_fusion

if TYPE_CHECKING:
    import numpy as np

BATCH_ROWS = 10_000

Reader = Callable[[RawFile, list[dict[str, str]]], Iterator[Listing]]


def businesses(
    yelp: list[RawFile],
    fusion: list[RawFile],
    restaurants: list[RawFile],
    hotels: list[RawFile],
    attractions: list[RawFile],
    *,
    cities: list[City],
) -> Outcome:
    """Return every provider's open listings inside the cities, one row a place, with all that was dropped and why.

    A listing belongs to the first city whose area holds it, never to one whose name it bears (defect T13). A file
    bound to one city is read for that city alone. Raises SourceError for a file that is not what its role promises.
    """
    import pyarrow as pa

    rejected: list[dict[str, str]] = []
    entries: list[Entry] = []
    rows_in = 0
    readers: list[tuple[Reader, list[RawFile]]] = [(read_businesses, yelp)]
    readers += [(read_places, files) for files in (restaurants, hotels, attractions)]
    for reader, files in readers:
        for file, allowed in _distinct(files, cities):
            unread = len(rejected)
            for batch in _batches(reader(file, rejected)):
                rows_in += len(batch)
                rows_in += len(rejected) - unread
                entries += _entries_in_cities(batch, allowed, rejected)
                unread = len(rejected)
            rows_in += len(rejected) - unread
    prices, fusion_rows = _prices(fusion, cities, rejected)
    settled = _with_fusion_prices(entries, prices)
    merged, settled_entries = settled.merged, settled.entries
    rejected += settled.rejected
    for settle in (merge_copies, reject_second_ids, merge_sources):
        settled = settle(settled_entries)
        settled_entries = settled.entries
        merged += settled.merged
        rejected += settled.rejected
    rows = pa.Table.from_pylist([_row(entry) for entry in settled_entries], schema=Business.arrow_schema())
    return Outcome(rows, rejected, merged=merged, rows_in=rows_in + fusion_rows)


def place_id(listing: Listing) -> str:
    """Return our stable id of the place that a listing is about."""
    return f"{listing.source}:{listing.native_id}"


def _distinct(files: Sequence[RawFile], cities: Sequence[City]) -> list[tuple[RawFile, list[City]]]:
    """Return each distinct content once, with the cities that it is bound to: all, unless it is some cities' own."""
    bound: dict[str, tuple[RawFile, set[str | None]]] = {}
    for file in files:
        bound.setdefault(file.snapshot.sha256, (file, set()))[1].add(file.snapshot.city_id)
    return [(file, [c for c in cities if None in ids or c.city_id in ids]) for file, ids in bound.values()]


def _batches(listings: Iterable[Listing]) -> Iterator[list[Listing]]:
    rows = iter(listings)
    while batch := list(islice(rows, BATCH_ROWS)):
        yield batch


def _entries_in_cities(batch: list[Listing], cities: list[City], rejected: list[dict[str, str]]) -> Iterator[Entry]:
    """Yield the listings inside a city; the others go to `rejected`, those whose coordinates are swapped by name."""
    import numpy as np

    lat, lon = np.array([x.lat for x in batch]), np.array([x.lon for x in batch])
    inside = _first_city(lat, lon, cities)
    swapped = _first_city(lon, lat, cities)
    for listing, index, swapped_index in zip(batch, inside.tolist(), swapped.tolist(), strict=True):
        if index >= 0:
            yield Entry(cities[index].city_id, listing, (listing.kind,) if listing.kind else (), (listing.source_row,))
            continue
        where = f"latitude {listing.lat} and longitude {listing.lon}"
        if swapped_index >= 0:
            detail = f"found {where}; swapped, they lie in {cities[swapped_index].city_id}"
            error = RowError(Reason.BAD_COORDINATES, detail)
        else:
            error = RowError(Reason.OUTSIDE_EVERY_CITY, f"{listing.name[:80]!r} at {where}")
        rejected.append(rejection(listing.source_row, error))


def _first_city(lat: np.ndarray, lon: np.ndarray, cities: list[City]) -> np.ndarray:
    """Return the index of the first city that holds each point, -1 for none."""
    import numpy as np

    city_indices = np.full(len(lat), -1)
    for index, city in enumerate(cities):
        city_indices[(city_indices < 0) & city.contains(lat, lon)] = index
    return city_indices


def _prices(
    files: Sequence[RawFile], cities: Sequence[City], rejected: list[dict[str, str]]
) -> tuple[dict[str, list[FusionPrice]], int]:
    """Return the Fusion rows by Yelp business id, and how many rows the files hold."""
    prices: dict[str, list[FusionPrice]] = {}
    before = len(rejected)
    for file, _ in _distinct(files, cities):
        for price in read_fusion(file, rejected):
            prices.setdefault(price.native_id, []).append(price)
    return prices, sum(map(len, prices.values())) + len(rejected) - before


def _with_fusion_prices(entries: list[Entry], prices: dict[str, list[FusionPrice]]) -> SettledEntries:
    """Return the entries with Fusion's price where there is one: the paper takes prices from Fusion (2.A).

    Of several answers for a business the highest price counts, so that their order does not matter. One that any of
    them says has closed is rejected: the answers are newer than the dataset.
    """
    settled = SettledEntries()
    used = set()
    closed = {native_id for native_id, answers in prices.items() if any(answer.is_closed for answer in answers)}
    for entry in entries:
        listing = entry.listing
        if listing.source == "yelp" and listing.native_id in closed:
            error = RowError(Reason.CLOSED, "is_closed: found true in Fusion's answer")
            settled.rejected.append(rejection(listing.source_row, error))
            continue
        answers = prices.get(listing.native_id, []) if listing.source == "yelp" else []
        used.update(listing.native_id for _ in answers)
        for answer in sorted(answers, key=lambda a: (a.price_level or 0, a.source_row)):
            level = answer.price_level or listing.price_level
            listing = replace(listing, price_level=level, categories=listing.categories or answer.categories)
        rows = (*entry.source_rows, *sorted(a.source_row for a in answers))
        settled.entries.append(replace(entry, listing=listing, source_rows=rows))
    for native_id, answers in prices.items():
        if native_id in used:
            settled.merged += len(answers)
            continue
        error = RowError(Reason.UNKNOWN_PLACE, f"no kept business has the id {native_id!r}")
        if native_id in closed:
            error = RowError(Reason.CLOSED, "is_closed: found true")
        settled.rejected += [rejection(answer.source_row, error) for answer in answers]
    return settled


def _row(entry: Entry) -> dict[str, object]:
    listing = entry.listing
    return {
        "city_id": entry.city_id,
        "place_id": place_id(listing),
        "source": listing.source,
        "native_id": listing.native_id,
        "name": listing.name,
        "address": listing.address,
        "lat": listing.lat,
        "lon": listing.lon,
        "stars": listing.stars,
        "review_count": listing.review_count,
        "price_level": listing.price_level,
        "categories": list(listing.categories),
        "cuisines": list(listing.cuisines) or cuisines(listing.categories),
        "meals": list(listing.meals),
        "kinds": list(entry.kinds),
        "source_rows": list(entry.source_rows),
    }
