"""An audit of an ItinBench folder as published: every defect of our list that can be counted in its files.

Works on the rows as the files hold them, before any cleaning. Reading the files is `published_folder.py`.
"""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assets.itinbench.published.published_folder import read_folder
from assets.itinbench.published.published_queries import Offer, Row, offer, read_queries, serves_breakfast, unmet
from assets.language.diversity import NEAR_DUPLICATE
from assets.language.nearest_query import nearest_texts
from schemas.stable import canonical_json

PHILADELPHIA_BOX = (39.867, -75.281, 40.138, -74.955)
"""South, west, north, east of the city and county of Philadelphia, in degrees."""

NOISE_RULES = {
    "attractions": ("steaks", "vape", "smoke", "catering", "restaurant week", "bus"),
    "hotels": ("bistro", "sushi", "club", "concierge"),
}
"""Words in a name that speak against its table (defect I6). They count suspects, also wrong ones: `Club Quarters`."""

NO_CUISINE = "Not Applicable"
UNKNOWN_PRICE = "Unknown price"
UNKNOWN_MEALS = "Unknown"

TITLES = {
    "I1": "Queries that cannot be met",
    "I2": "Repetition is never penalised",
    "I3": "Unknown and default values",
    "I4": "Duplicates, and one business in two tables",
    "I5": "Doubtful coordinates and addresses",
    "I6": "Category noise",
    "I7": "Commas inside fields of comma-joined contexts",
    "I8": "Unlike rules for planned and optimal tours when the stay changes",
    "I9": "Impossible figures in the published tables",
    "I10": "Slips of the prose and the tools",
    "I11": "Identical queries",
}

WORDS = {
    "I1": {
        "short": "with fewer fitting restaurants than meals",
        "none": "with no fitting restaurant",
        "impossible": "that no plan can pass",
        "impossible_distinct": "that no plan can pass without a place twice",
        "none_queries": "numbers of those without a restaurant",
        "impossible_queries": "numbers of those that no plan can pass",
        "short_stays": "without a fitting stay",
        "short_attractions": "with fewer fitting attractions than visits",
        "fewest_stays": "fitting stays of the query that has fewest",
        "fewest_attractions": "fitting attractions of the query that has fewest",
        "by_cuisine": "by cuisine: with fewer restaurants than meals, of all",
        "first": "among the first queries",
    },
    "I3": {
        "unknown_price": "hotels of unknown price",
        "no_first_cuisine": "restaurants without a first cuisine",
        "no_cuisine": "restaurants without any",
        "meals_unknown": "restaurants whose meals are `Unknown`",
        "meals_empty": "restaurants whose meals are empty",
        "serve_breakfast": "restaurants that serve breakfast or brunch",
        "queries_short_of_breakfast": "queries with fewer of these than days",
    },
    "I4": {
        "surplus_ids": "rows whose id an earlier row has",
        "surplus_name_and_address": "rows whose name and address an earlier row has",
        "surplus_names": "rows whose name an earlier row has",
        "repeated_names": "names that stand more than once",
        "in_two_tables": "businesses in two tables",
        "in_tables": "of them, by the two tables",
    },
    "I5": {"box": "south, west, north, east of the city", "outside_box": "places outside it", "outside": "which"},
    "I6": {
        "without_orientation": "attractions of no orientation",
        "high": "attractions that are high in each",
        "rules": "words that speak against a table",
        "suspects": "places whose names hold one",
    },
    "I11": {
        "pairs": "groups of queries with one record",
        "same_record": "their numbers",
        "same_text": "numbers of queries with one text",
        "near_duplicates": "how alike each is to its nearest",
    },
}
"""What people read for names in findings that do not speak for themselves, by defect."""


@dataclass(frozen=True)
class Folder:
    """The published files' rows: JSON lines of the three tables, the records (`evals.jsonl`) and the query texts."""

    restaurants: Sequence[Row]
    hotels: Sequence[Row]
    attractions: Sequence[Row]
    evals: Sequence[Row]
    queries: Sequence[Row]

    def tables(self) -> dict[str, Sequence[Row]]:
        """Return the three tables of places by the name of their file."""
        return {"restaurants": self.restaurants, "hotels": self.hotels, "attractions": self.attractions}


def inspect(folder: Folder, *, box: tuple[float, float, float, float] = PHILADELPHIA_BOX) -> dict[str, dict[str, Any]]:
    """Return what was counted, by defect id (I1 to I11); `box` is the city's south, west, north and east in degrees.

    A defect that no file of the folder can show has `measured: False` and says what it would take.
    A box in which most places do not lie is another city's: then nothing is said of positions.
    Raises ValueError when records do not read as published.
    """
    places = (folder.restaurants, folder.hotels, folder.attractions)
    offers = [offer(query, *places) for query in read_queries(folder.evals)]
    findings = {
        "I1": unmet(offers),
        "I2": _not_measured("plans: `tripwright score` counts repetition"),
        "I3": _unknown_values(folder, offers),
        "I4": _duplicates(folder),
        "I5": _positions(folder, box),
        "I6": _noise(folder),
        "I7": {name: sum(_has_comma(row) for row in rows) for name, rows in folder.tables().items()},
        "I8": _not_measured("plans that change their stay: `tripwright score`, variant released against ours"),
        "I9": _not_measured("the paper's printed tables"),
        "I10": _not_measured("the paper's text and the released code"),
        "I11": _identical(folder),
    }
    return {
        defect: {"title": TITLES[defect], "measured": True, "words": WORDS.get(defect, {})} | values
        for defect, values in findings.items()
    }


def inspect_folder(path: Path) -> dict[str, dict[str, Any]]:
    """Return what `inspect` counts in the folder. Raises SourceError when it is none as published."""
    rows = read_folder(path)
    places = rows["restaurants"], rows["hotels"], rows["attractions"]
    return inspect(Folder(*places, evals=rows["evals"], queries=rows["humanQuerys"]))


def _not_measured(needs: str) -> dict[str, Any]:
    return {"measured": False, "needs": needs}


def _unknown_values(folder: Folder, offers: Sequence[Offer]) -> dict[str, Any]:
    meals = [str(row.get("good_for_meal", "")).strip() for row in folder.restaurants]
    first = [row.get("cuisine_1") == NO_CUISINE for row in folder.restaurants]
    second = [row.get("cuisine_2") == NO_CUISINE for row in folder.restaurants]
    return {
        "hotels": len(folder.hotels),
        "restaurants": len(folder.restaurants),
        "unknown_price": sum(row.get("price") == UNKNOWN_PRICE for row in folder.hotels),
        "no_first_cuisine": sum(first),
        "no_cuisine": sum(a and b for a, b in zip(first, second, strict=True)),
        "meals_unknown": meals.count(UNKNOWN_MEALS),
        "meals_empty": meals.count(""),
        "serve_breakfast": sum(serves_breakfast(row) for row in folder.restaurants),
        "queries_short_of_breakfast": sum(o.breakfast_restaurants < o.query.days for o in offers),
    }


def _duplicates(folder: Folder) -> dict[str, Any]:
    tables = folder.tables()
    ids = {name: {repr(row.get("business_id")) for row in rows} for name, rows in tables.items()}
    pairs = (("restaurants", "attractions"), ("restaurants", "hotels"), ("hotels", "attractions"))
    shared = {f"{a}+{b}": len(ids[a] & ids[b]) for a, b in pairs}
    return {
        "surplus_ids": {name: _surplus(row.get("business_id") for row in rows) for name, rows in tables.items()},
        "surplus_name_and_address": {
            name: _surplus((row.get("name"), row.get("address")) for row in rows) for name, rows in tables.items()
        },
        "surplus_names": {name: _surplus(row.get("name") for row in rows) for name, rows in tables.items()},
        "repeated_names": {
            name: sorted(n for n, times in Counter(str(row.get("name")) for row in rows).items() if times > 1)
            for name, rows in tables.items()
        },
        "in_two_tables": sum(shared.values()),
        "in_tables": shared,
    }


def _surplus(values: Iterable[Any]) -> int:
    """Return how many values repeat an earlier one, of whatever type they are."""
    return sum(times - 1 for times in Counter(map(repr, values)).values())


def _positions(folder: Folder, box: tuple[float, float, float, float]) -> dict[str, Any]:
    south, west, north, east = box
    outside = [
        {"table": name, "name": row.get("name"), "lat": row.get("latitude"), "lon": row.get("longitude")}
        for name, rows in folder.tables().items()
        for row in rows
        if not (south <= _number(row.get("latitude")) <= north and west <= _number(row.get("longitude")) <= east)
    ]
    is_other_city = 2 * len(outside) > sum(len(rows) for rows in folder.tables().values())
    addresses = {
        name: [str(row.get("address") or "").strip() for row in rows] for name, rows in folder.tables().items()
    }
    return {
        "box": list(box),
        "outside_box": None if is_other_city else len(outside),
        "outside": [] if is_other_city else outside,
        "address_without_digit": {
            name: sum(bool(a) and not any(c.isdigit() for c in a) for a in texts) for name, texts in addresses.items()
        },
        "address_empty": {name: texts.count("") for name, texts in addresses.items()},
        "not_measured": "positions against the street grid: the folder has no geocoded addresses",
    }


def _number(value: Any) -> float:
    """Return the value if it is a number that can be one of degrees, else NaN, which lies in no box."""
    return float(value) if isinstance(value, (int, float)) and abs(value) <= 360 else float("nan")


def _noise(folder: Folder) -> dict[str, Any]:
    orientations = sorted({key for row in folder.attractions for key in row if key.endswith(" oriented")})
    tables = folder.tables()
    return {
        "without_orientation": sum(
            all(not str(row.get(key)).startswith(("medium ", "high ")) for key in orientations)
            for row in folder.attractions
        ),
        "high": {key: sum(row.get(key) == f"high {key}" for row in folder.attractions) for key in orientations},
        "rules": {name: list(words) for name, words in NOISE_RULES.items()},
        "suspects": {
            name: sorted(str(row.get("name")) for row in tables[name] if _names_noise(str(row.get("name")), words))
            for name, words in NOISE_RULES.items()
        },
    }


def _names_noise(name: str, words: Sequence[str]) -> bool:
    """Return whether one of the words stands in the name as a whole word or phrase."""
    plain = " ".join("".join(c if c.isalnum() else " " for c in name.lower()).split())
    return any(f" {word} " in f" {plain} " for word in words)


def _has_comma(row: Row) -> bool:
    return any("," in str(value) for key, value in row.items() if key != "business_id")


def _identical(folder: Folder) -> dict[str, Any]:
    """Return the groups of queries with the same record, whatever the order of its preferences, and the same text."""
    records = [
        (row.get("index"), canonical_json({key: sorted(map(str, values)) for key, values in row["eval_info"].items()}))
        for row in folder.evals
    ]
    same_records = _groups(records)
    return {
        "pairs": len(same_records),
        "same_record": same_records,
        "same_text": _groups([(row.get("index"), str(row.get("query"))) for row in folder.queries]),
        "near_duplicates": _near_duplicates([str(row.get("query")) for row in folder.queries]),
    }


def _near_duplicates(texts: list[str]) -> dict[str, Any]:
    """Return how alike each query's nearest other one is, percent, and how many repeat another nearly word for word."""
    similarities = [nearest[1] for nearest in nearest_texts(texts) if nearest is not None]
    return {
        "median_similarity": round(statistics.median(similarities), 2) if similarities else None,
        "from_percent": NEAR_DUPLICATE,
        "queries": sum(similarity >= NEAR_DUPLICATE for similarity in similarities),
        "of": len(texts),
    }


def _groups(keyed: Iterable[tuple[Any, str]]) -> list[list[Any]]:
    groups: dict[str, list[Any]] = {}
    for index, key in keyed:
        groups.setdefault(key, []).append(index)
    return [group for group in groups.values() if len(group) > 1]
