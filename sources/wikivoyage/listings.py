"""Wikivoyage's listings: what a guide lists of a city, from a dump or a page. Bytes in, rows out.

Which place of the city a listing is about belongs in `assets/clean`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any

from schemas.recipe import City
from schemas.recipe_values import slug
from schemas.rejection import Reason
from schemas.source import Source, SourceFile
from schemas.stable import canonical_json
from sources.formats.fields import coordinates
from sources.formats.jsonl import RowError, rejection
from sources.formats.unpacking import RawInput
from sources.wikivoyage.pages import Page, read_pages
from sources.wikivoyage.wikitext import Template, headings, plain, templates, without_comments

SOURCE = Source(
    name="wikivoyage",
    title="Wikivoyage",
    homepage="https://www.wikivoyage.org/",
    licence_id="CC-BY-SA-4.0",
    attribution="Wikivoyage contributors",
    files=(SourceFile("pages", "Wikivoyage dump (pages-articles XML, .bz2 or not), or the wikitext of one page"),),
    how_to_get="Download a dump (dumps.wikimedia.org, enwikivoyage pages-articles), or one page with ?action=raw.",
    tables=("wikivoyage_listing", "wikivoyage_match"),
)

KINDS = ("see", "do", "buy", "eat", "drink", "sleep")
OTHER = ("listing", "marker")
SECTION_KINDS = {kind: kind for kind in KINDS} | {"vicinity": "see"}
GUIDE_REACH_M = 50_000.0
"""A page whose own coordinates are farther from the city than this is about a namesake (defect T13)."""

LOCATOR = re.compile(r"(?P<page>.+)~(?P<number>[1-9][0-9]*)", re.DOTALL)


def read_listings(file: RawInput, city: City, rejected: list[dict[str, str]]) -> list[dict[str, Any]]:
    """Return the listings about the city as rows of `WikivoyageListing`: of its page and of its districts'.

    The one page of a file of wikitext is about the city. Listings without a name, about an airport or a service, or
    outside the city go to `rejected`; so does a page about a namesake, or in the layout of another language's guide, as
    one row.
    """
    rows: list[dict[str, Any]] = []
    for page in _about(read_pages(file), city, is_alone=_is_wikitext(file)):
        text = without_comments(page.text)
        page_templates = list(templates(text))
        if (reason := _namesake(page_templates, city)) is not None:
            rejected.append(rejection(file.snapshot.pointer(f"{page.title}~1"), reason))
            continue
        if (reason := _other_layout(text, page_templates)) is not None:
            rejected.append(rejection(file.snapshot.pointer(f"{page.title}~1"), reason))
            continue
        sections = headings(text)
        for number, template in _numbered(page_templates):
            pointer = file.snapshot.pointer(f"{page.title}~{number}")
            try:
                rows.append(_listing(page, number, template, sections, city, pointer))
            except RowError as bad:
                rejected.append(rejection(pointer, bad))
    return rows


def raw_listings(file: RawInput, locators: Iterable[str]) -> dict[str, str]:
    """Return the parameters, as written, of the listing at each locator (`Boston~12`); others are left out."""
    numbers_by_page: dict[str, set[int]] = {}
    for locator in locators:
        if match := LOCATOR.fullmatch(locator):
            numbers_by_page.setdefault(match["page"], set()).add(int(match["number"]))
    texts: dict[str, str] = {}
    for page in read_pages(file):
        if page.title in numbers_by_page:
            for number, template in _numbered(templates(without_comments(page.text))):
                if number in numbers_by_page[page.title]:
                    texts[f"{page.title}~{number}"] = canonical_json({"template": template.name, **template.values})
    return texts


def parse_listings(file: RawInput, locators: Iterable[str], cities: Sequence[City]) -> dict[str, dict[str, Any]]:
    """Return the row of the listing at each locator, of the first of the cities that it lies in; others are left out.

    What a reader rejects by the listing alone is left out; whether its page is about a namesake is not asked again.
    """
    locator_set = set(locators)
    is_alone = _is_wikitext(file)
    listings: dict[str, dict[str, Any]] = {}
    for page in read_pages(file):
        page_locators = {at for at in locator_set if (match := LOCATOR.fullmatch(at)) and match["page"] == page.title}
        if not page_locators:
            continue
        text = without_comments(page.text)
        sections = headings(text)
        for number, template in _numbered(templates(text)):
            at = f"{page.title}~{number}"
            if at not in page_locators:
                continue
            for city in cities:
                with suppress(RowError):
                    if at not in listings and any(_about(iter([page]), city, is_alone=is_alone)):
                        listings[at] = _listing(page, number, template, sections, city, file.snapshot.pointer(at))
    return listings


def _is_wikitext(file: RawInput) -> bool:
    with file.path.open("rb") as raw:
        head = raw.read(64)
    return not head.removeprefix(b"\xef\xbb\xbf").lstrip().startswith((b"<", b"BZh", b"\x1f\x8b"))


def _about(pages: Iterator[Page], city: City, *, is_alone: bool) -> Iterator[Page]:
    for page in pages:
        name = page.title.partition("/")[0]
        if is_alone or name.casefold() == city.name.casefold() or (slug(name) and slug(name) == slug(city.name)):
            yield page


def _numbered(page_templates: Iterable[Template]) -> Iterator[tuple[int, Template]]:
    return enumerate((t for t in page_templates if t.name in (*KINDS, *OTHER)), start=1)


def _other_layout(text: str, page_templates: list[Template]) -> RowError | None:
    """Return why nothing is read of a page that lists by other templates than the English guide's, as others do."""
    if any(_numbered(page_templates)):
        return None
    names = Counter(t.name for t in page_templates if text[: t.start].rstrip(" ").endswith("*"))
    if not names:
        return None
    listed = ", ".join(f"{name!r:.40} ({count})" for name, count in names.most_common(3))
    return RowError(
        Reason.BAD_VALUE, f"found a page that lists by {listed}; expected the English guide's {', '.join(KINDS)}"
    )


def _namesake(page_templates: list[Template], city: City) -> RowError | None:
    """Return why the page is of another city: its own coordinates are far from this one."""
    from sources.osm.city_extract import widened

    geo = next((t for t in page_templates if t.name == "geo"), None)
    if geo is None:
        return None
    try:
        lat, lon = float(geo.values["1"]), float(geo.values["2"])
    except (KeyError, ValueError):
        return None
    if bool(widened(city.bounds, GUIDE_REACH_M).contains(lat, lon)):
        return None
    return RowError(Reason.OUTSIDE_EVERY_CITY, f"the page lies at {lat}, {lon}: it is about a namesake")


def _listing(
    page: Page, number: int, template: Template, sections: list[tuple[int, int, str]], city: City, pointer: str
) -> dict[str, Any]:
    values = {name: plain(value) for name, value in template.values.items()}
    section, top = _section(sections, template.start)
    kind = template.name if template.name in KINDS else values.get("type", "").lower()
    if kind not in KINDS:
        kind = SECTION_KINDS.get(top.lower(), "other")
    name = values.get("name", "")
    if not name:
        hint = "" if "name" in values else f"; found {', '.join(values)[:100]}"
        raise RowError(Reason.MISSING_VALUE, f"the listing has no name{hint}")
    lat, lon = _spot(template.values, city)
    wikidata = values.get("wikidata", "").upper()
    last_edit = values.get("lastedit", "")
    return {
        "city_id": city.city_id,
        "listing_id": f"{page.title}~{number}",
        "page": page.title,
        "section": section,
        "kind": kind,
        "name": name,
        "lat": lat,
        "lon": lon,
        **{key: values.get(key, "") for key in ("alt", "address", "hours", "price", "checkin", "checkout", "content")},
        "wikidata": wikidata if re.fullmatch(r"Q[1-9]\d*", wikidata) else None,
        "last_edit": last_edit if re.fullmatch(r"\d{4}-\d{2}-\d{2}", last_edit) else None,
        "source_rows": [pointer],
    }


def _spot(values: dict[str, str], city: City) -> tuple[float | None, float | None]:
    """Return where the listing is, or nothing where the page does not say. Raises RowError for what is elsewhere."""
    coordinate_texts = plain(values.get("lat", "")), plain(values.get("long", ""))
    if not any(coordinate_texts):
        return None, None
    try:
        numbers = float(coordinate_texts[0]), float(coordinate_texts[1])
    except ValueError:
        detail = f"lat and long: found {coordinate_texts[0]!r} and {coordinate_texts[1]!r}, expected degrees"
        raise RowError(Reason.BAD_COORDINATES, detail) from None
    lat, lon = coordinates(*numbers)
    if not bool(city.contains(lat, lon)):
        raise RowError(Reason.OUTSIDE_EVERY_CITY, f"{lat}, {lon}")
    return lat, lon


def _section(sections: list[tuple[int, int, str]], at: int) -> tuple[str, str]:
    """Return the title of the section at a position, and of the section of the second level that it is part of."""
    before = [(level, title) for start, level, title in sections if start < at]
    section = before[-1][1] if before else ""
    return section, next((title for level, title in reversed(before) if level == 2), "")
