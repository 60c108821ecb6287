"""Data for group trips: lists of places by city as published, fares of timetabled services, anonymous users.

Which city a list or fare means is decided here, by the recipe's cities; what a place is to a group in
`assets/grouptravel/`.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

from schemas.counts import counted
from schemas.recipe import City
from schemas.rejection import Reason
from schemas.source import Source, SourceError, SourceFile
from sources.cities.named_city import city_finder
from sources.formats.csv_rows import number_in, read_records
from sources.formats.document import members
from sources.formats.fields import coordinates, required_id, required_text
from sources.formats.jsonl import RowError, read_rows, rejection, require_objects
from sources.formats.unpacking import RawInput
from sources.formats.unreadable import Unreadable

SOURCE = Source(
    name="group",
    title="Group trips",
    homepage="https://github.com/small-xiangcheng/GroupTravelbench",
    licence_id="LicenseRef-unverified",
    attribution="Whoever the bound files come from; say who in the recipe",
    files=(
        SourceFile("poi", "JSON: all_poi_by_city.json, {city: [place]}", required=False),
        SourceFile("fares", "CSV: timetabled services between cities with the price of a person", required=False),
        SourceFile("profiles", "JSON lines: profile_id, age, gender, family, tastes", required=False),
        SourceFile("climate", "CSV: the usual weather of cities by day of the year", required=False),
    ),
    how_to_get="Write them in the declared columns, or let the recipe's invented world write them.",
    tables=("group_poi", "group_fare", "group_profile", "group_climate"),
)

FARE_COLUMNS = (
    "origin_city", "origin_region", "destination_city", "destination_region", "mode", "service", "dep_time", "arr_time",
    "price", "currency", "weekdays",
)  # fmt: skip
PRICE_BASES = {"listed": False, "modelled": True, "": False}
"""What the optional column `price_basis` says of a price: what the day costs, or what an ordinary day does."""

FARE_MODES = ("flight", "high_speed", "train")
PROFILE_KEYS = ("profile_id", "age", "gender", "marital_status", "parenting_status", "tastes")
MARITAL = {"married": True, "single": False, "divorced": False, "widowed": False}
PARENTING = {"parent": True, "none": False}
POI_TYPES = ("attractions", "food", "hotels")
OLDEST = 120

_TIME = re.compile(r"([01][0-9]|2[0-3]):[0-5][0-9]")
_WEEKDAYS = re.compile(r"[1-7]{1,7}")


def read_fares(file: RawInput, cities: list[City], rejected: list[dict[str, str]]) -> list[dict[str, Any]]:
    """Return the services between the recipe's cities as rows of `GroupFare` without `price`, in file order.

    A price of 0 stays: it says that the price is unknown. Rows that cannot be used go to `rejected`; raises
    SourceError for a file without the columns.
    """
    fares: list[dict[str, Any]] = []
    earlier_keys: set[tuple[str, ...]] = set()
    find = city_finder(cities)
    rows = read_records(file, FARE_COLUMNS, "fares of timetabled services", lambda row, at: (row, at), rejected)
    for row, pointer in rows:
        try:
            fare = parse_fare(row, pointer, find)
            key = tuple(fare[name] for name in ("origin_city_id", "dest_city_id", "mode", "dep_time", "service"))
            if key in earlier_keys:
                raise RowError(Reason.DUPLICATE, f"service {fare['service']!r:.40} at {fare['dep_time']} again")
            earlier_keys.add(key)
            fares.append(fare)
        except RowError as bad:
            rejected.append(rejection(pointer, bad))
    return fares


def read_profiles(file: RawInput, rejected: list[dict[str, str]]) -> list[dict[str, Any]]:
    """Return the users as rows of `GroupProfile`, in file order; those that cannot be used go to `rejected`.

    Raises SourceError if the file is not one JSON object a line with the declared keys.
    """
    require_objects(file, PROFILE_KEYS, "users", "Bind a file of users to the role `profiles`.")
    earlier_ids: set[str] = set()

    def parse(row: dict[str, Any], pointer: str) -> dict[str, Any]:
        profile = parse_profile(row, pointer)
        if profile["profile_id"] in earlier_ids:
            raise RowError(Reason.DUPLICATE, "the same user again")
        earlier_ids.add(profile["profile_id"])
        return profile

    return list(read_rows(file, parse, rejected))


def read_pois(file: RawInput, cities: list[City], rejected: list[dict[str, str]]) -> list[dict[str, Any]]:
    """Return the listed places inside the recipe's cities, in file order.

    Each has city_id, native_id, name, poi_type, category (may be empty), opening_hours as given, avg_cost, rank, lat,
    lon and source_row.

    A list is of the one city of the recipe with its name, or `Name, REGION`; a place outside that city's area is not
    in it (defect T13). Raises SourceError for a file that is not {city: [place]}.
    """
    pois: list[dict[str, Any]] = []
    earlier_keys: set[tuple[str, str]] = set()

    @cache
    def city_of(label: str) -> City:
        return city_labelled(label, cities)

    unreadable = Unreadable(file, rejected)
    for pointer, (label, item) in unreadable.count(listed(file)):
        try:
            poi = parse_poi(item, pointer, city_of(label))
            if (poi["city_id"], poi["native_id"]) in earlier_keys:
                raise RowError(Reason.DUPLICATE, f"place {poi['native_id']!r:.60} again")
            earlier_keys.add((poi["city_id"], poi["native_id"]))
            pois.append(poi)
        except RowError as bad:
            rejected.append(rejection(pointer, bad))
    unreadable.require_few()
    return pois


def poi_locator(label: str, number: int) -> str:
    """Return where in a file of lists a place stands, as a JSON pointer (RFC 6901)."""
    return f"/{label.replace('~', '~0').replace('/', '~1')}/{number}"


def raw_pois(file: RawInput, locators: set[str]) -> dict[str, str]:
    """Return the JSON text of each listed place by its locator."""
    located_items = ((pointer.partition("#")[2], item) for pointer, (_, item) in listed(file))
    return {locator: json.dumps(item, ensure_ascii=False) for locator, item in located_items if locator in locators}


def listed(file: RawInput) -> Iterator[tuple[str, tuple[str, Any]]]:
    """Yield each listed place with its pointer, under the name that its list bears. Raises SourceError."""
    expected, remedy = "{city: [place]}", "Bind such a file to the role `poi`."
    for label, places in members(file, expected, remedy):
        if not isinstance(places, list):
            description = f"a JSON {type(places).__name__} under the name {label!r:.60}"
            raise SourceError(f"{file.snapshot.location}: found {description}; expected {expected}. {remedy}")
        for number, item in enumerate(places):
            yield file.snapshot.pointer(poi_locator(label, number)), (label, item)


def city_labelled(label: str, cities: list[City]) -> City:
    """Return the one city of the recipe that a list is of. Raises RowError where there is none, or several."""
    namesakes = [city for city in cities if label in (city.name, f"{city.name}, {city.region.upper()}")]
    if len(namesakes) != 1:
        reason = Reason.AMBIGUOUS_NAME if namesakes else Reason.OUTSIDE_EVERY_CITY
        raise RowError(
            reason, f"{label!r:.60} names {counted(len(namesakes), 'city', 'cities')} of the recipe, expected one"
        )
    return namesakes[0]


def parse_poi(item: Any, pointer: str, city: City) -> dict[str, Any]:
    """Return one listed place of a city. Raises RowError where it cannot be used or lies outside the city."""
    if not isinstance(item, dict):
        raise RowError(Reason.BAD_JSON, f"found a JSON {type(item).__name__}, expected an object")
    native_id, name = required_id(item, "id"), required_text(item, "name")
    kind = required_text(item, "poi_type")
    if kind not in POI_TYPES:
        raise RowError(Reason.OTHER_CATEGORY, f"poi_type: found {kind!r:.40}, expected one of {', '.join(POI_TYPES)}")
    lon, _, lat = required_text(item, "location").partition(",")
    lat, lon = coordinates(_degrees(lat), _degrees(lon))
    if not city.contains(lat, lon):
        raise RowError(Reason.OUTSIDE_EVERY_CITY, f"found {lat}, {lon}, which is not in {city.city_id}")
    category = item.get("custom_category")
    return {
        "city_id": city.city_id,
        "native_id": native_id,
        "name": name,
        "poi_type": kind,
        "category": category.strip() if isinstance(category, str) and category.isprintable() else "",
        "opening_hours": item.get("opening_hours"),
        "avg_cost": _cost(item.get("avg_cost")),
        "rank": _whole(item, "rank", 1, 10**9) if item.get("rank") is not None else None,
        "lat": lat,
        "lon": lon,
        "source_row": pointer,
    }


def parse_fare(row: dict[str, str], pointer: str, find: Callable[[str, str, str], City]) -> dict[str, Any]:
    """Return one record's row of `GroupFare` without `price`. Raises RowError where it cannot be used."""
    ends = [
        find(required_text(row, f"{end}_city"), row[f"{end}_region"].strip(), "") for end in ("origin", "destination")
    ]
    if ends[0].city_id == ends[1].city_id:
        raise RowError(Reason.WITHIN_ONE_CITY, f"found a service from and to {ends[0].city_id}")
    if row["mode"] not in FARE_MODES:
        raise RowError(Reason.OTHER_CATEGORY, f"mode: found {row['mode']!r:.40}, expected {', '.join(FARE_MODES)}")
    times = [required_text(row, column) for column in ("dep_time", "arr_time")]
    if not all(_TIME.fullmatch(time) for time in times):
        raise RowError(Reason.BAD_VALUE, f"found times {times!r:.60}, expected HH:MM")
    basis = row.get("price_basis", "").strip()
    if basis not in PRICE_BASES:
        raise RowError(Reason.BAD_VALUE, f"price_basis: found {basis!r:.40}, expected listed or modelled")
    price = number_in(row, "price")
    if price is None:
        raise RowError(Reason.MISSING_VALUE, "price: found nothing, expected a number; 0 where it is unknown")
    if not 0 <= price < 1e9:
        raise RowError(Reason.BAD_VALUE, f"price: found {price}, expected at least 0")
    if not re.fullmatch("[A-Z]{3}", row["currency"]):
        raise RowError(Reason.BAD_VALUE, f"currency: found {row['currency']!r:.20}, expected three letters")
    if not _WEEKDAYS.fullmatch(row["weekdays"]):
        raise RowError(Reason.BAD_VALUE, f"weekdays: found {row['weekdays']!r:.40}, expected digits 1 to 7")
    return {
        "origin_city_id": ends[0].city_id,
        "dest_city_id": ends[1].city_id,
        "mode": row["mode"],
        "dep_time": times[0],
        "arr_time": times[1],
        "service": required_text(row, "service"),
        "price_given": price,
        "is_price_modelled": PRICE_BASES[basis],
        "currency_given": row["currency"],
        "weekdays": sorted({int(day) for day in row["weekdays"]}),
        "source_rows": [pointer],
    }


def parse_profile(row: dict[str, Any], pointer: str) -> dict[str, Any]:
    """Return one line's row of `GroupProfile`. Raises RowError where it cannot be used."""
    profile_id, age = required_id(row, "profile_id"), _whole(row, "age", 0, OLDEST)
    gender, marital = required_text(row, "gender"), required_text(row, "marital_status")
    parenting, tastes = required_text(row, "parenting_status"), row.get("tastes")
    problems = [
        f"{key}: found {value!r:.40}, expected one of {', '.join(allowed)}"
        for key, value, allowed in (
            ("gender", gender, ("female", "male")),
            ("marital_status", marital, tuple(MARITAL)),
            ("parenting_status", parenting, tuple(PARENTING)),
        )
        if value not in allowed
    ]
    words = {key: tastes.get(key) for key in ("likes", "dislikes")} if isinstance(tastes, dict) else {}
    if not words or not all(
        isinstance(taste_words, list) and all(isinstance(w, str) and w.isprintable() for w in taste_words)
        for taste_words in words.values()
    ):
        problems.append(f"tastes: found {tastes!r:.60}, expected lists of text, likes and dislikes")
    elif set(words["likes"] or ()) & set(words["dislikes"] or ()):
        problems.append("tastes: found the same thing liked and disliked")
    if age < 14 and (MARITAL.get(marital) or PARENTING.get(parenting)):
        problems.append(f"found a married or parenting child of {age}")
    if problems:
        raise RowError(Reason.BAD_VALUE, "; ".join(problems))
    return {
        "profile_id": profile_id,
        "age": age,
        "gender": gender,
        "is_married": MARITAL[marital],
        "is_parent": PARENTING[parenting],
        "likes": list(words["likes"] or ()),
        "dislikes": list(words["dislikes"] or ()),
        "source_rows": [pointer],
    }


def _whole(row: dict[str, Any], key: str, low: int, high: int) -> int:
    value = row.get(key)
    if value is None:
        raise RowError(Reason.MISSING_VALUE, f"{key}: found nothing, expected a whole number")
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise RowError(Reason.BAD_VALUE, f"{key}: found {value!r:.40}, expected a whole number from {low} to {high}")
    return value


def _cost(value: Any) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 1e9:
        raise RowError(Reason.BAD_VALUE, f"avg_cost: found {value!r:.40}, expected a number of at least 0, or null")
    return float(value)


def _degrees(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan
