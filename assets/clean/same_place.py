"""When two listings are one place: copies, two tables of one source (I4), two ids, two sources. Rules, declared.

The result does not depend on the order in which the listings come.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Hashable, Iterable
from dataclasses import astuple, dataclass, field, replace
from functools import reduce

from assets.clean.kinds import by_precedence
from schemas.places import Listing
from schemas.rejection import Reason
from sources.formats.jsonl import RowError, rejection

SECOND_ID_WITHIN_M = 100.0
"""Two ids of one source are one place if name and address are equal and they lie this close [I]."""

MAPPED_TWICE_WITHIN_M = 25.0
"""Two objects of one map are one place if name and kind are equal and they lie this close: a building and a point in
it. Up to SECOND_ID_WITHIN_M they are if their streets and numbers are equal too [I]."""

KIND_WORDS: dict[str | None, frozenset[str]] = {
    "restaurant": frozenset({"restaurant", "ravintola", "restaurang", "restaurante", "ristorante", "restauracja"}),
    "stay": frozenset({"hotel", "hôtel", "hotelli", "hotell"}),
}
"""Words of a name that say no more than the kind: of two objects of one map, "Restaurant Adler" is "Adler" [I]."""

MATCH_WITHIN_M = 150.0
"""Two sources' listings can be one place up to this distance: geocoders differ by about a city block [I]."""

MATCH_NAME_SCORE = 90.0
"""The least rapidfuzz token sort ratio (0 to 100) of two sources' names for one place [I]."""

SOURCE_PRIORITY = ("yelp", "published")
"""Whose values and id a place keeps when sources agree on it; the others fill what it lacks."""

METRES_PER_DEGREE_LAT = 110_574.0
"""The shortest degree of latitude on the WGS84 ellipsoid, at the equator, metres."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A listing in its city, with the kinds that its source's tables claim and the rows its values come from."""

    city_id: str
    listing: Listing
    kinds: tuple[str, ...]
    source_rows: tuple[str, ...]


@dataclass
class SettledEntries:
    """The entries that remain, the rows dropped and why, and how many rows became part of another."""

    entries: list[Entry] = field(default_factory=list)
    rejected: list[dict[str, str]] = field(default_factory=list)
    merged: int = 0


def merge_copies(entries: Iterable[Entry]) -> SettledEntries:
    """Return one entry for each native id of a source.

    Equal rows are merged. Of rows that contradict each other the one with the most reviews stays, or else the one
    with the most copies, and the others are duplicates. A business in two tables of a source becomes one entry that
    claims both kinds, with the values of the preferred kind's table first (defect I4).
    """
    settled = SettledEntries()
    for group in _groups(entries, lambda e: (e.listing.source, e.listing.native_id)):
        by_table = [_one_of_table(rows, settled) for rows in _groups(group, lambda e: e.listing.kind or "")]
        kinds = by_precedence([e.listing.kind or "" for e in by_table], [m for e in by_table for m in e.listing.meals])
        by_table.sort(key=lambda e: kinds.index(e.listing.kind) if e.listing.kind else -1)
        best = by_table[0]
        for other in by_table[1:]:
            best = _merged(best, other)
            settled.merged += 1
        settled.entries.append(replace(best, kinds=tuple(kinds)))
    return settled


def reject_second_ids(entries: Iterable[Entry]) -> SettledEntries:
    """Return the entries without those that a source lists again under a second id; the most reviewed id stays."""
    settled = SettledEntries()
    for group in _groups(
        entries, lambda e: (e.city_id, e.listing.source, plain_name(e.listing.name), plain_name(e.listing.address))
    ):
        distinct_entries: list[Entry] = []
        for entry in sorted(group, key=_most_reviewed):
            twin = next((k for k in distinct_entries if _distance_m(k, entry) <= SECOND_ID_WITHIN_M), None)
            if twin is None:
                distinct_entries.append(entry)
                continue
            detail = f"name, address and position of {twin.listing.native_id!r}, which has more reviews or sorts first"
            error = RowError(Reason.DUPLICATE, detail)
            settled.rejected.append(rejection(entry.listing.source_row, error))
        settled.entries += distinct_entries
    return settled


def merge_mapped_twice(entries: Iterable[Entry]) -> SettledEntries:
    """Return one entry for each place that a map has as several objects; the one that tells most keeps its id."""
    settled = SettledEntries()
    for group in _groups(entries, lambda e: (e.city_id, e.listing.source, e.listing.kind, _own_name(e.listing))):
        places: list[list[Entry]] = []
        for entry in sorted(group, key=_most_told):
            place = next((objects for objects in places if any(_is_mapped_twice(o, entry) for o in objects)), None)
            if place is None:
                places.append([entry])
            else:
                place.append(entry)
                settled.merged += 1
        settled.entries += [reduce(_merged, objects) for objects in places]
    return settled


def merge_sources(entries: Iterable[Entry], first: tuple[str, ...] = SOURCE_PRIORITY) -> SettledEntries:
    """Return one entry for each place that several sources list: similar names, close together, best pair first.

    `first` are the sources whose values and id such a place keeps, the most trusted first; then the others, by name.
    """
    settled = SettledEntries()
    for city in _groups(entries, lambda e: e.city_id):
        by_source = _groups(city, lambda e: e.listing.source)
        by_source.sort(key=lambda rows: _source_rank(rows[0].listing.source, first))
        places = by_source[0]
        for rows in by_source[1:]:
            partners = _partners(places, rows)
            for i, j in partners.items():
                places[i] = _merged(places[i], rows[j])
            settled.merged += len(partners)
            matched = set(partners.values())
            places += [row for j, row in enumerate(rows) if j not in matched]
        settled.entries += places
    return settled


def _one_of_table(rows: list[Entry], settled: SettledEntries) -> Entry:
    """Return the one entry that stands for rows of one id in one table."""
    contents = _groups(rows, _content)
    contents.sort(key=lambda copies: (_most_reviewed(copies[0]), -len(copies), repr(_content(copies[0]))))
    best, *others = contents
    settled.merged += len(best) - 1
    for entry in (e for copies in others for e in copies):
        error = RowError(
            Reason.DUPLICATE, f"contradicts {best[0].source_rows[0]}, which has more reviews or sorts first"
        )
        settled.rejected.append(rejection(entry.listing.source_row, error))
    return replace(best[0], source_rows=tuple(sorted({row for entry in best for row in entry.source_rows})))


def _content(entry: Entry) -> tuple[object, ...]:
    return (entry.city_id, *astuple(replace(entry.listing, source_row="")))


def _merged(best: Entry, other: Entry) -> Entry:
    """Return `best` with what it lacks taken from `other`, and the rows and claims of both."""
    best_listing, other_listing = best.listing, other.listing
    listing = replace(
        best_listing,
        address=best_listing.address or other_listing.address,
        stars=other_listing.stars if best_listing.stars is None else best_listing.stars,
        review_count=other_listing.review_count if best_listing.review_count is None else best_listing.review_count,
        price_level=best_listing.price_level or other_listing.price_level,
        categories=best_listing.categories or other_listing.categories,
        cuisines=best_listing.cuisines or other_listing.cuisines,
        meals=best_listing.meals or other_listing.meals,
    )
    kinds = tuple(by_precedence({*best.kinds, *other.kinds}, listing.meals))
    return Entry(best.city_id, listing, kinds, (*best.source_rows, *other.source_rows))


def _partners(places: list[Entry], rows: list[Entry]) -> dict[int, int]:
    """Return which row is which place: pairs by name score, then distance, then ids, each entry used once."""
    from pyproj import Geod
    from rapidfuzz import fuzz

    order = sorted(range(len(places)), key=lambda i: places[i].listing.lat)
    lats = [places[i].listing.lat for i in order]
    window = MATCH_WITHIN_M / METRES_PER_DEGREE_LAT
    pairs = [
        (i, j)
        for j, row in enumerate(rows)
        for i in order[bisect_left(lats, row.listing.lat - window) : bisect_right(lats, row.listing.lat + window)]
    ]
    _, _, distances = Geod(ellps="WGS84").inv(
        [places[i].listing.lon for i, _ in pairs],
        [places[i].listing.lat for i, _ in pairs],
        [rows[j].listing.lon for _, j in pairs],
        [rows[j].listing.lat for _, j in pairs],
    )
    scored = []
    for (i, j), distance_m in zip(pairs, distances, strict=True):
        if distance_m > MATCH_WITHIN_M:
            continue
        score = fuzz.token_sort_ratio(plain_name(places[i].listing.name), plain_name(rows[j].listing.name))
        if score >= MATCH_NAME_SCORE:
            ids = (places[i].listing.native_id, rows[j].listing.native_id)
            scored.append((-score, round(distance_m, 3), *ids, i, j))
    partners: dict[int, int] = {}
    matched_rows: set[int] = set()
    for *_, i, j in sorted(scored):
        if i not in partners and j not in matched_rows:
            partners[i] = j
            matched_rows.add(j)
    return partners


def _distance_m(a: Entry, b: Entry) -> float:
    from pyproj import Geod

    return Geod(ellps="WGS84").inv(a.listing.lon, a.listing.lat, b.listing.lon, b.listing.lat)[2]


def _is_mapped_twice(one: Entry, other: Entry) -> bool:
    distance_m = _distance_m(one, other)
    streets = [plain_name(entry.listing.address.split(",")[0]) for entry in (one, other)]
    is_one_house = streets[0] == streets[1] != ""
    return distance_m <= (SECOND_ID_WITHIN_M if is_one_house else MAPPED_TWICE_WITHIN_M)


def _most_told(entry: Entry) -> tuple[int, str]:
    listing = entry.listing
    return -sum(map(bool, (listing.address, listing.categories, listing.cuisines, listing.meals))), listing.native_id


def _most_reviewed(entry: Entry) -> tuple[int, str]:
    return -(entry.listing.review_count or 0), entry.listing.native_id


def _source_rank(source: str, first: tuple[str, ...]) -> tuple[int, str]:
    return (first.index(source) if source in first else len(first)), source


def plain_name(text: str) -> str:
    """Return the text for comparison: one case, letters and digits only; unchanged if it has none."""
    words = re.sub(r"[\W_]+", " ", unicodedata.normalize("NFKC", text).casefold()).strip()
    return words or text


def _own_name(listing: Listing) -> str:
    """Return the name for comparison without a word of the place's kind that it begins or ends with."""
    words = plain_name(listing.name).split()
    kind_words = KIND_WORDS.get(listing.kind, frozenset())
    other_words = words[1:] if words[0] in kind_words else words[:-1] if words[-1] in kind_words else words
    return " ".join(other_words or words)


def _groups(entries: Iterable[Entry], key: Callable[[Entry], Hashable]) -> list[list[Entry]]:
    groups: dict[Hashable, list[Entry]] = {}
    for entry in entries:
        groups.setdefault(key(entry), []).append(entry)
    return list(groups.values())
