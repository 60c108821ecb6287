"""Published benchmarks as sources: the ItinBench folder, its places with their ratings and its queries.

Which of the rows become places is decided in `assets/clean/`; their defects are reported by the family's inspection.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from schemas.places import MEALS, Listing
from schemas.rejection import Reason
from schemas.reviews import ATTRIBUTES
from schemas.source import Source, SourceFile
from sources.formats.fields import coordinates, optional_text, required_id, required_text, stars
from sources.formats.jsonl import RowError, read_rows, require_objects
from sources.formats.unpacking import RawInput

SOURCE = Source(
    name="published",
    title="ItinBench, as published",
    homepage="https://github.com/EthanWTL/ItinBenchV1",
    licence_id="LicenseRef-Yelp",
    attribution="ItinBench authors; derived from the Yelp Open Dataset",
    files=(
        SourceFile("restaurants", "JSON lines: restaurants.jsonl"),
        SourceFile("hotels", "JSON lines: hotels.jsonl"),
        SourceFile("attractions", "JSON lines: attractions.jsonl"),
        SourceFile("evals", "JSON lines: evals.jsonl", required=False),
        SourceFile("queries", "JSON lines: humanQuerys.jsonl", required=False),
    ),
    how_to_get="Take the JSON lines of the published repository's data folder. Its rows are derived from Yelp's.",
    tables=("business", "published_rating"),
)

TABLE_KINDS = {"restaurants": "restaurant", "hotels": "stay", "attractions": "attraction"}
"""The kind of place that each published table holds (ItinBench, 2.A)."""

RECORD_KEYS = {"evals": "eval_info", "queries": "query"}
"""What a line of these roles holds beside its index."""

RATING_PHRASES = {"bad": 1, "below average": 2, "average": 3, "good": 4, "excellent": 5}
ORIENTATION_PHRASES = {"no": 0, "low": 1, "medium": 2, "high": 3}
"""The words before an attribute's name that stand for its rating (ItinBench, 2.C)."""

PRICE_LEVELS = {"$": 1, "$$": 2, "$$$": 3, "$$$$": 4, "Unknown price": None}
UNKNOWN_MEALS = ("", "Unknown")
NO_CUISINE = ("", "Not Applicable")
REMEDY = "Bind the published files to the roles restaurants, hotels, attractions, evals and queries."


def rating_key(kind: str, attribute: str) -> str:
    """Return the published column of an attribute: `flavor`, `family oriented`."""
    return f"{attribute} oriented" if kind == "attraction" else attribute


def read_places(file: RawInput, rejected: list[dict[str, str]]) -> Iterator[Listing]:
    """Yield the places of one published table, with ratings read back from their phrases.

    The file's role says which table it is. Rows that cannot be used go to `rejected`; raises SourceError
    if the file is not that table.
    """
    kind = TABLE_KINDS[file.snapshot.role]
    keys = ("business_id", "name", "latitude", "longitude", *(rating_key(kind, a) for a in ATTRIBUTES[kind]))
    require_objects(file, keys, f"ItinBench {file.snapshot.role}", REMEDY)
    yield from read_rows(file, partial(parse_place, kind), rejected)


def read_records(file: RawInput, rejected: list[dict[str, str]]) -> Iterator[dict[str, Any]]:
    """Yield the rows of `evals` (index, eval_info) or `queries` (index, query), each with its `source_row`."""
    content = RECORD_KEYS[file.snapshot.role]
    require_objects(file, ("index", content), f"ItinBench {file.snapshot.role}", REMEDY)
    yield from read_rows(file, partial(parse_record, file.snapshot.role), rejected)


def parse_record(role: str, row: dict[str, Any], pointer: str) -> dict[str, Any]:
    """Return one line of `evals` or `queries`. Raises RowError where it cannot be used."""
    content = RECORD_KEYS[role]
    index, value = row.get("index"), row.get(content)
    if not isinstance(index, int) or isinstance(index, bool):
        raise RowError(Reason.BAD_VALUE, f"index: found {index!r}, expected a number")
    expected = str if content == "query" else dict
    if not isinstance(value, expected):
        raise RowError(Reason.BAD_VALUE, f"{content}: found a {type(value).__name__}, expected a {expected.__name__}")
    return {"index": index, content: value, "source_row": pointer}


def parse_place(kind: str, row: dict[str, Any], pointer: str) -> Listing:
    """Return one line's place and ratings. Raises RowError where it cannot be used."""
    lat, lon = coordinates(row.get("latitude"), row.get("longitude"))
    price = optional_text(row, "price") or "Unknown price"
    if price not in PRICE_LEVELS:
        raise RowError(Reason.BAD_VALUE, f"price: found {price!r}, expected one of {', '.join(PRICE_LEVELS)}")
    cuisines = [optional_text(row, key).strip() for key in ("cuisine_1", "cuisine_2")]
    labels = tuple(dict.fromkeys(label for label in cuisines if label not in NO_CUISINE))
    return Listing(
        source=SOURCE.name,
        native_id=required_id(row, "business_id"),
        name=required_text(row, "name"),
        address=optional_text(row, "address"),
        lat=lat,
        lon=lon,
        stars=stars(row.get("stars")),
        review_count=None,
        price_level=PRICE_LEVELS[price],
        categories=labels,
        cuisines=labels,
        meals=_meals(optional_text(row, "good_for_meal")),
        kind=kind,
        ratings=_ratings(kind, row),
        source_row=pointer,
    )


def _meals(text: str) -> tuple[str, ...]:
    if text.strip() in UNKNOWN_MEALS:
        return ()
    meals = [meal.strip() for meal in text.split(",")]
    unknown = sorted(set(meals) - set(MEALS))
    if unknown:
        raise RowError(Reason.BAD_VALUE, f"good_for_meal: found {', '.join(unknown)}; expected of {', '.join(MEALS)}")
    return tuple(meal for meal in MEALS if meal in meals)


def _ratings(kind: str, row: dict[str, Any]) -> tuple[tuple[str, int], ...]:
    """Return each attribute's rating. Raises RowError naming every phrase that is none of the published ones."""
    phrases = ORIENTATION_PHRASES if kind == "attraction" else RATING_PHRASES
    ratings, problems = [], []
    for attribute in ATTRIBUTES[kind]:
        key = rating_key(kind, attribute)
        text = row.get(key)
        word = text.removesuffix(f" {key}") if isinstance(text, str) else ""
        if word in phrases and text == f"{word} {key}":
            ratings.append((attribute, phrases[word]))
        else:
            problems.append(f"{key}: found {text!r}")
    if problems:
        raise RowError(
            Reason.BAD_VALUE, f"{'; '.join(problems)}; expected one of {', '.join(phrases)} and the attribute"
        )
    return tuple(ratings)
