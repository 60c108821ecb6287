"""Yelp Open Dataset: the `business` file, and the optional Fusion API answers that hold prices. Bytes in, rows out.

Reviews, which can be gigabytes, are read in `yelp_reviews.py`. Which rows are kept is decided in `assets/clean/`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from schemas.places import MEALS, Listing
from schemas.rejection import Reason
from schemas.source import Source, SourceError, SourceFile
from sources.formats.document import whole_document
from sources.formats.fields import coordinates, optional_text, required_id, required_text, stars
from sources.formats.jsonl import RowError, numbered_lines, parse_object, read_rows, rejection, require_objects
from sources.formats.numbers import is_currency_sign
from sources.formats.unpacking import RawInput
from sources.formats.unreadable import Unreadable

SOURCE = Source(
    name="yelp",
    title="Yelp Open Dataset",
    homepage="https://business.yelp.com/data/resources/open-dataset/",
    licence_id="LicenseRef-Yelp",
    attribution="Yelp Open Dataset",
    files=(
        SourceFile("business", "JSON lines: yelp_academic_dataset_business.json"),
        SourceFile("review", "JSON lines: yelp_academic_dataset_review.json"),
        SourceFile("fusion", "JSON: saved Yelp Fusion API businesses (prices)", required=False),
    ),
    how_to_get="Accept Yelp's terms on its Open Dataset page, download the JSON archive and unpack it.",
    tables=("business", "review"),
)

COMMA_CATEGORIES = (
    "Beer, Wine & Spirits",
    "Books, Mags, Music & Video",
    "Used, Vintage & Consignment",
    "Wills, Trusts, & Probates",
)
"""Yelp categories that hold the separator of the list they stand in (Yelp's category list)."""

MAX_LITERAL_CHARS = 2_000
BUSINESS_KEYS = ("business_id", "name", "latitude", "longitude", "categories")
FUSION_MARKS = ("alias", "coordinates", "price")
"""Of a saved business of Fusion's at least one; other providers' places have an `id` and categories of their own."""

BUSINESS_REMEDY = "Bind Yelp's business file to the role `business`, and its review file to `review`."
FUSION_REMEDY = "Bind saved answers of Fusion's business or search endpoint to the role `fusion`, or leave it out."


@dataclass(frozen=True, slots=True)
class FusionPrice:
    """What a saved Fusion answer says of a business: its price level, categories for one without, whether it closed."""

    native_id: str
    price_level: int | None
    categories: tuple[str, ...]
    is_closed: bool
    source_row: str


def read_businesses(file: RawInput, rejected: list[dict[str, str]]) -> Iterator[Listing]:
    """Yield every open business that has a name and coordinates; the other lines go to `rejected`.

    Raises SourceError if the file is not a Yelp business file.
    """
    require_objects(file, BUSINESS_KEYS, "Yelp businesses", BUSINESS_REMEDY)
    yield from read_rows(file, parse_business, rejected)


def read_fusion(file: RawInput, rejected: list[dict[str, str]]) -> Iterator[FusionPrice]:
    """Yield the price of each business in saved Fusion answers; what cannot be used goes to `rejected`.

    A file holds one business or one search answer (`businesses`) a line, or is one JSON document of either or a list.
    Raises SourceError if it is neither.
    """
    unreadable = Unreadable(file, rejected)
    business_count = 0
    for pointer, item in unreadable.count(fusion_items(file, rejected)):
        business_count += isinstance(item, dict) and "id" in item and any(mark in item for mark in FUSION_MARKS)
        try:
            yield parse_fusion(item, pointer)
        except RowError as error:
            rejected.append(rejection(pointer, error))
    if not business_count:
        raise SourceError(f"{file.snapshot.location}: found no business; expected Fusion businesses. {FUSION_REMEDY}")
    unreadable.require_few()


def parse_business(row: dict[str, Any], pointer: str) -> Listing:
    """Return one line's business. Raises RowError where it cannot be used, as one closed for good cannot."""
    is_open = row.get("is_open", 1)
    if is_open not in (0, 1):
        raise RowError(Reason.BAD_VALUE, f"is_open: found {is_open!r}, expected 0 or 1")
    native_id = required_id(row, "business_id")
    name = required_text(row, "name")
    lat, lon = coordinates(row.get("latitude"), row.get("longitude"))
    if not is_open:
        raise RowError(Reason.CLOSED, "is_open: found 0")
    attributes = row.get("attributes") or {}
    if not isinstance(attributes, dict):
        raise RowError(Reason.BAD_VALUE, f"attributes: found a {type(attributes).__name__}, expected an object or null")
    price = literal(attributes.get("RestaurantsPriceRange2"))
    return Listing(
        source=SOURCE.name,
        native_id=native_id,
        name=name,
        address=optional_text(row, "address"),
        lat=lat,
        lon=lon,
        stars=stars(row.get("stars")),
        review_count=_review_count(row.get("review_count")),
        price_level=_level(price),
        categories=split_categories(row.get("categories")),
        cuisines=(),
        meals=_meals(literal(attributes.get("GoodForMeal"))),
        kind=None,
        ratings=(),
        source_row=pointer,
    )


def _review_count(value: Any) -> int | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 2**40:
        raise RowError(Reason.BAD_VALUE, f"review_count: found {str(value)[:40]}, expected a count")
    return value


def literal(value: Any) -> Any:
    """Return the Python literal that an attribute's text holds; None for one that holds none.

    Yelp writes attribute values as text of Python literals, such as `u'average'` or `{'lunch': True}`.
    """
    if not isinstance(value, str) or len(value) > MAX_LITERAL_CHARS:
        return None if isinstance(value, str) else value
    try:
        return ast.literal_eval(value.strip())
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None


def _level(value: Any) -> int | None:
    """Return a price level 1 to 4; None for what is none. Nested literals (`"u'2'"`) are read as their text."""
    if isinstance(value, str) and value.isdecimal() and len(value) == 1:
        value = int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= 4 else None


def _meals(value: Any) -> tuple[str, ...]:
    return tuple(meal for meal in MEALS if value.get(meal) is True) if isinstance(value, dict) else ()


def split_categories(value: Any) -> tuple[str, ...]:
    """Return the categories of Yelp's joined text, in its order, each once. Raises RowError(bad_value)."""
    text = optional_text({"categories": value}, "categories")
    for category in COMMA_CATEGORIES:
        text = text.replace(category, category.replace(",", "\0"))
    parts = (part.strip().replace("\0", ",") for part in text.split(","))
    return tuple(dict.fromkeys(part for part in parts if part))


def _whole_document(file: RawInput) -> Any:
    return whole_document(file, "Fusion businesses", FUSION_REMEDY)


def fusion_items(file: RawInput, rejected: list[dict[str, str]]) -> Iterator[tuple[str, Any]]:
    """Yield each saved business with its pointer; the first line tells lines of answers from one document."""
    for count, (number, line) in enumerate(numbered_lines(file)):
        try:
            answer = parse_object(line)
        except RowError as error:
            if count:
                rejected.append(rejection(file.snapshot.pointer(number), error))
                continue
            yield from _businesses_of(file, "", _whole_document(file))
            return
        yield from _businesses_of(file, f"L{number}", answer)


def _businesses_of(file: RawInput, locator: str, answer: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(answer, dict) and isinstance(answer.get("businesses"), list):
        locator, answer = f"{locator}.businesses".lstrip("."), answer["businesses"]
    if isinstance(answer, list):
        for position, item in enumerate(answer):
            yield file.snapshot.pointer(f"{locator}[{position}]"), item
    else:
        yield file.snapshot.pointer(locator or "document"), answer


def parse_fusion(item: Any, pointer: str) -> FusionPrice:
    """Return what one saved business adds. Raises RowError where it cannot be used."""
    if not isinstance(item, dict):
        raise RowError(Reason.BAD_JSON, f"found a JSON {type(item).__name__}, expected an object")
    price = optional_text(item, "price")
    if len(price) > 4 or not all(map(is_currency_sign, price)):
        raise RowError(Reason.BAD_VALUE, f"price: found {price!r}, expected one to four price signs")
    categories = item.get("categories") or []
    if not isinstance(categories, list):
        raise RowError(Reason.BAD_VALUE, f"categories: found a {type(categories).__name__}, expected a list or null")
    titles = [c.get("title") for c in categories if isinstance(c, dict)]
    return FusionPrice(
        native_id=required_id(item, "id"),
        price_level=len(price) or None,
        categories=tuple(dict.fromkeys(title for title in titles if isinstance(title, str) and title.strip())),
        is_closed=item.get("is_closed") is True,
        source_row=pointer,
    )
