"""An audit of TravelPlanner's reference sets as published: the defects of 1.G that can be counted in the file.

Works on the rows as the file holds them, before any cleaning. Rows are counted once, however many sets hold them: a
restaurant or attraction by name and city (of unlike rows the last), a stay by all its values.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from assets.core.opening import published_files
from assets.step import RawFile
from schemas.json_lines import lines_told
from schemas.source import RowPointer, Snapshot, SourceError
from sources.published.travelplanner import SOURCE, ReferenceSet, read_reference_sets

NEW_YORK = "New York"
NEW_YORK_WORDS = (
    "astoria", "bed stuy", "bedstuy", "boerum", "bronx", "brooklyn", "bushwick", "carroll gardens", "central park",
    "clinton hill", "cobble hill", "crown heights", "ditmas", "dumbo", "east village", "empire state", "fidi",
    "flatbush", "flushing", "fort greene", "gowanus", "gramercy", "greenpoint", "harlem", "hell s kitchen",
    "jackson heights", "jfk", "laguardia", "lic", "long island city", "lower east", "manhattan", "midtown",
    "morningside", "murray hill", "new york", "nolita", "ny", "nyc", "park slope", "prospect heights",
    "prospect park", "queens", "red hook", "ridgewood", "soho", "south slope", "stuyvesant", "times square",
    "tribeca", "ues", "union square", "upper east", "upper west", "uws", "washington heights", "west village",
    "williamsburg",
)  # fmt: skip
"""Places of New York City, as words of a name; our list: the published count of 413 does not give its own."""

QUERY_CUISINES = ("American", "Chinese", "French", "Indian", "Italian", "Mediterranean", "Mexican")
NO_ROAD = "No valid information."
LONG_STAYS = (2, 3)
_STATE = re.compile(r",\s*([A-Z]{2})\s+\d{5}(?:-\d{4})?\b")

TITLES = {
    "new_york_stays": "Stays elsewhere that bear the name of a place in New York",
    "zero_ratings": "Restaurants with a rating of 0",
    "recurring_restaurants": "Restaurant names in several cities",
    "cuisine_labels": "Cuisine labels that look drawn at random",
    "flightless_legs": "Legs without a flight",
    "roadless_legs": "Legs without road data",
    "minimum_nights": "Stays that ask for more nights than a trip gives",
    "other_state": "Attractions whose address is in another state than their city's",
}

Row = dict[str, Any]


def inspect(sets: Sequence[ReferenceSet]) -> dict[str, dict[str, Any]]:
    """Return what was counted in the reference sets, by defect: a title, the counts, and the rows that show it."""
    stays = _distinct(sets, "Accommodations in ", lambda row: json.dumps(row, sort_keys=True))
    restaurants = _distinct(sets, "Restaurants in ", _name_and_city)
    attractions = _distinct(sets, "Attractions in ", _name_and_city)
    findings = {
        "new_york_stays": _new_york(stays),
        "zero_ratings": {
            "restaurants": len(restaurants),
            "zero": sum(row.get("Aggregate Rating") == 0 for row in restaurants),
        },
        "recurring_restaurants": _recurring(restaurants),
        "cuisine_labels": _cuisines(restaurants),
        "flightless_legs": _legs(sets, "Flight from ", lambda text: text.startswith("There is no flight")),
        "roadless_legs": _legs(sets, "Self-driving from ", lambda text: text == NO_ROAD),
        "minimum_nights": {
            "stays": len(stays),
            **{f"more_than_{n}": sum(_number(row.get("minimum nights")) > n for row in stays) for n in LONG_STAYS},
        },
        "other_state": _other_state(attractions),
    }
    return {defect: {"title": TITLES[defect]} | values for defect, values in findings.items()}


def inspect_path(path: Path) -> dict[str, dict[str, Any]]:
    """Return the findings of a published reference set: a JSON lines file, or the folder that holds one.

    Raises SourceError if there is not exactly one, and naming every line of it that is no reference set.
    """
    candidates = path.glob("*ref_info*.jsonl") if path.is_dir() else [path]
    files = sorted(published_files({file.name: file for file in candidates}).values())
    if len(files) != 1:
        raise SourceError(f"{path}: found {len(files)} reference sets; expected one *ref_info*.jsonl file")
    sha256, size = hashlib.sha256(files[0].read_bytes()).hexdigest(), files[0].stat().st_size
    snapshot = Snapshot(
        source="travelplanner",
        role="ref_info",
        location=files[0].name,
        sha256=sha256,
        size_bytes=size,
        licence_id=SOURCE.licence_id,
    )
    return inspect_file(RawFile(snapshot, files[0]))


def inspect_file(file: RawFile) -> dict[str, dict[str, Any]]:
    """Return what `inspect` counts in the file. Raises SourceError naming every line that is no reference set."""
    rejected: list[dict[str, str]] = []
    findings = inspect(list(read_reference_sets(file, rejected)))
    if rejected:
        lines = [RowPointer.parse(row["row"]).locator.removeprefix("L") for row in rejected]
        problems = [f"line {line}: {row['detail']}" for line, row in zip(lines, rejected, strict=True)]
        raise SourceError(
            f"{file.snapshot.location} holds what is no reference set:\n{lines_told(problems)}\n"
            "Mend these lines, or get the file again."
        )
    return findings


def _name_and_city(row: Row) -> str:
    """Return what tells a restaurant or attraction apart: its name and city, of whatever type they are."""
    return repr((row.get("Name"), row.get("City")))


def _distinct(sets: Sequence[ReferenceSet], heading: str, identity: Callable[[Row], str]) -> list[Row]:
    rows: dict[str, Row] = {}
    for reference in sets:
        for key, table in reference.tables.items():
            for row in table if key.startswith(heading) else ():
                rows[identity(row)] = row
    return list(rows.values())


def _new_york(stays: Sequence[Row]) -> dict[str, Any]:
    rows_elsewhere = [row for row in stays if row.get("city") != NEW_YORK]
    new_york_rows = [row for row in rows_elsewhere if _names_new_york(str(row.get("NAME")))]
    return {
        "stays": len(stays),
        "elsewhere": len(rows_elsewhere),
        "named": len(new_york_rows),
        "by_words": list(NEW_YORK_WORDS),
        "examples": sorted(f"{row.get('NAME')}, {row.get('city')}" for row in new_york_rows)[:10],
    }


def _names_new_york(name: str) -> bool:
    plain = " ".join("".join(c if c.isalnum() else " " for c in name.lower()).split())
    return any(f" {word} " in f" {plain} " for word in NEW_YORK_WORDS)


def _recurring(restaurants: Sequence[Row]) -> dict[str, Any]:
    cities: dict[str, set[str]] = defaultdict(set)
    for row in restaurants:
        cities[str(row.get("Name"))].add(str(row.get("City")))
    recurring = {name: len(city_names) for name, city_names in cities.items() if len(city_names) > 1}
    most = sorted(recurring.items(), key=lambda item: (-item[1], item[0]))
    return {"names": len(recurring), "most": [list(pair) for pair in most[:10]]}


def _cuisines(restaurants: Sequence[Row]) -> dict[str, Any]:
    labels = Counter(
        label for row in restaurants for label in {part.strip() for part in str(row.get("Cuisines")).split(",")}
    )
    return {
        "queried": {label: labels[label] for label in QUERY_CUISINES},
        "others": {label: labels[label] for label in sorted(set(labels) - set(QUERY_CUISINES))},
    }


def _legs(sets: Sequence[ReferenceSet], heading: str, lacks: Any) -> dict[str, Any]:
    headings = [key for reference in sets for key in (*reference.tables, *reference.sentences)]
    lacking_headings = [
        key
        for reference in sets
        for key, text in reference.sentences.items()
        if key.startswith(heading) and lacks(text)
    ]
    return {
        "legs": sum(key.startswith(heading) for key in headings),
        "without": len(lacking_headings),
        "which": sorted(lacking_headings),
    }


def _other_state(attractions: Iterable[Row]) -> dict[str, Any]:
    states: dict[str, list[tuple[str, Row]]] = defaultdict(list)
    for row in attractions:
        match = _STATE.search(str(row.get("Address")))
        if match:
            states[str(row.get("City"))].append((match[1], row))
    which = []
    for city, sights in sorted(states.items()):
        counts = Counter(state for state, _ in sights)
        usual = min(counts, key=lambda state: (-counts[state], state))
        which += [[str(row.get("Name")), city, state] for state, row in sights if state != usual]
    return {"attractions": len(which), "which": which}


def _number(value: Any) -> float:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else 0.0
