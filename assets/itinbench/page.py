"""What an ItinBench release shows on its page: queries with their demands, witness days, and the mix of the set."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from statistics import fmean
from typing import Any

from assets.itinbench.evidence import known_places, told_by_tags
from assets.itinbench.tables import CUISINE_WORDS, ItinbenchPlace
from assets.rows import ReleaseTables
from schemas.counts import counted
from schemas.page import Bar, Distribution, FamilyPage, PageDay, PagePlace, PageStop, PageTask, fact
from schemas.reviews import TagRating

SLOTS = (
    ("breakfast", "Breakfast", "restaurant"),
    ("morning_attractions", "Morning", "attraction"),
    ("lunch", "Lunch", "restaurant"),
    ("afternoon_attractions", "Afternoon", "attraction"),
    ("dinner", "Dinner", "restaurant"),
    ("night_attractions", "Night", "attraction"),
    ("accommodation", "Stay", "stay"),
)
"""The parts of a day in the published plan, in their order: key, name, kind of place."""

FIELDS = {
    "days": "Days",
    "price": "Budget",
    "orientation": "Kind of attractions",
    "cuisine": "Cuisine",
    "restaurant_preference": "Asked of restaurants",
    "hotel_preference": "Asked of the stay",
    "restaurant_count": "Demands on restaurants",
    "hotel_count": "Demands on the stay",
}
"""The distributions that a release measures, and what the page calls them."""

MEALS_BY_HOUR = ("breakfast", "brunch", "lunch", "dinner", "dessert", "latenight")
"""The providers' names of meals, from the first of a day to the last."""

DRAWN = {"restaurant": "Restaurants", "hotel": "Stay", "orientation": "Attractions"}
"""What the page calls the fields of a record where it calls them otherwise in its distributions."""

READ = {
    "restaurant": ("flavor", "freshness", "service", "environment", "value"),
    "stay": ("service", "quality", "location", "safety"),
    "attraction": ("family", "history", "activity", "nature", "food", "shopping"),
}
"""Attributes that reviews tell, by kind of place."""

SCALE = {"restaurant": 5, "stay": 5, "attraction": 3}
"""The most that an attribute of each kind of place can be."""

Pool = dict[tuple[str, str, str, str], Mapping[Any, Any]]
"""Places by city, kind, name and address, which is how a plan names them."""


def page(tables: ReleaseTables, measures: dict[str, Any]) -> FamilyPage:
    """Return the page's rows of a release."""
    places = known_places(tables).to_dict("records")
    tagged = told_by_tags(tables[ItinbenchPlace], tables[TagRating])
    pool: Pool = {(row["city_id"], row["kind"], row["name"], row["address"]): row for row in places}
    certificates = {row["task_id"]: row for row in tables.certificates.to_dict("records")}
    tasks = tables.tasks.sort_values("task_id").to_dict("records")
    return FamilyPage(
        tasks=tuple(_task(row, certificates.get(row["task_id"]), pool) for row in tasks),
        places=tuple(
            PagePlace(
                r["place_id"],
                r["city_id"],
                r["kind"],
                r["name"],
                float(r["lat"]),
                float(r["lon"]),
                tuple(_facts(r, tags := tagged.get((r["city_id"], r["place_id"]), []))),
                (*r["source_rows"], *dict.fromkeys(pointer for row in tags for pointer in row["source_rows"])),
            )
            for r in places
        ),
        distributions=tuple(_distributions(measures)),
    )


def _task(row: Mapping[Any, Any], certificate: Mapping[Any, Any] | None, pool: Pool) -> PageTask:
    record = row["record"]
    plan = certificate["plan"]["itinerary"] if certificate else []
    shared = _shared_names(plan)
    return PageTask(
        task_id=row["task_id"],
        title=f"{record['days']} days, {record['orientation']}, {_in_words('cuisine', record['cuisine'])} food",
        city_ids=(row["city_id"],),
        asks=tuple(_asks(record)),
        repairs=tuple(_repairs(row["repairs"])),
        days=tuple(
            PageDay(f"Day {day['days']}", tuple(_stops(day, row["city_id"], pool, record, shared))) for day in plan
        ),
        scores=tuple(_scores(certificate["proof"])) if certificate else (),
    )


def _asks(record: dict[str, Any]) -> Iterator[tuple[str, str]]:
    yield "Length", f"{record['days']} days"
    yield "Budget", record["price"]
    yield "Attractions", f"{record['orientation']} oriented"
    yield "Cuisine", _in_words("cuisine", record["cuisine"])
    yield "Restaurants", f"good {', '.join(record['restaurant'])}"
    yield "Stay", f"good {', '.join(record['hotel'])}"
    if record.get("most_walk_m"):
        yield "Way of each day", f"at most {record['most_walk_m'] / 1000:g} km"
    if record.get("most_signs"):
        yield "All places together", f"at most {record['most_signs']} price signs"


def _repairs(rows: list[dict[str, Any]]) -> Iterator[tuple[str, str]]:
    """Yield each field that the city could not offer as drawn, and what it became."""
    names = {**FIELDS, **DRAWN}
    for row in rows:
        before, after = (_in_words(row["field"], row[side]) for side in ("before", "after"))
        yield names.get(row["field"]) or row["field"], f"{before} was drawn; the city offers {after}"


def _in_words(field: str, value: str) -> str:
    """Return a field's value as the queries spell it."""
    return CUISINE_WORDS.get(value, value) if field == "cuisine" else value


def _shared_names(plan: Sequence[Mapping[str, Any]]) -> set[str]:
    """Return the names that several places of a plan bear: branches of a chain, say."""
    visits = {(place["name"], place["address"]) for day in plan for key, *_ in SLOTS for place in _places(day, key)}
    return {name for name, count in Counter(name for name, _ in visits).items() if count > 1}


def _places(day: Mapping[str, Any], key: str) -> list[dict[str, Any]]:
    entry = day.get(key) or []
    return entry if isinstance(entry, list) else [entry]


def _stops(
    day: dict[str, Any], city_id: str, pool: Pool, record: dict[str, Any], shared: set[str]
) -> Iterator[PageStop]:
    """Yield the stops of a day; of a name that several places of the plan bear, with the address."""
    for key, what, kind in SLOTS:
        for place in _places(day, key):
            row = pool[city_id, kind, place["name"], place["address"]]
            at = float(row["lat"]), float(row["lon"])
            which = [place["address"]] if place["name"] in shared and place["address"] else []
            note = ", ".join([*which, *_fits(row, record)])
            yield PageStop(what, place["name"], "", note, *at, place_id=row["place_id"])


def _fits(row: Mapping[Any, Any], record: dict[str, Any]) -> Iterator[str]:
    """Yield what the place has of that which the record asks of its kind: cuisine, price, attributes."""
    kind = row["kind"]
    if kind == "restaurant":
        yield from filter(None, (row["cuisine_1"], row["cuisine_2"]))
    if not _is_unknown(row["price_level"]):
        yield f"price {row['price_level']:g}/4"
    attributes = {"restaurant": record["restaurant"], "stay": record["hotel"], "attraction": [record["orientation"]]}[
        kind
    ]
    yield from (f"{name} {row[name]:g}/{SCALE[kind]}" for name in attributes if not _is_unknown(row[name]))


def _is_unknown(value: Any) -> bool:
    return value is None or value != value


def _facts(row: Mapping[Any, Any], tags: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, str]]:
    """Yield what is known of a place; how many reviews its attributes were read from stands beside them.

    What `tags` of a map say is a fact of its own, each with its tag.
    """
    yield from fact("Address", row["address"])
    yield from fact("Price", row["price_level"], "of 4 price signs")
    yield from fact("Rating", row["stars"], "of 5, the provider's")
    yield from fact("Cuisine", ", ".join(filter(None, (row["cuisine_1"], row["cuisine_2"]))))
    yield from fact("Meals", ", ".join(meals_by_hour(row["meals"])))
    by_tags = {tag["attribute"] for tag in tags}
    names = [name for name in READ[row["kind"]] if name not in by_tags]
    ratings = [f"{name} {row[name]:g}" for name in names if not _is_unknown(row[name])]
    reviews = sum(".review@" in pointer for pointer in row["source_rows"])
    evidence = f", read from {reviews:,} review{'' if reviews == 1 else 's'}" if reviews else ""
    if ratings:
        yield "Attributes", f"{', '.join(ratings)} (of {SCALE[row['kind']]}){evidence}"
    if tags:
        tag_ratings = ", ".join(f"{tag['attribute']} {tag['rating']} ({tag['tag']})" for tag in tags)
        yield "By the map's tags", f"{tag_ratings} (of {SCALE[row['kind']]})"


def meals_by_hour(meals: Iterable[str]) -> list[str]:
    """Return the meals from the first of a day to the last, then those of which that is not known."""
    return sorted(meals, key=lambda meal: (*MEALS_BY_HOUR, meal).index(meal))


def _scores(values: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield what was measured: how much there is to choose from, and how long the ways are beside the least possible.

    The published scorer measures in degrees; the witness is the shortest there, and on the ground nearly so.
    """
    pool, tours, scorer = values["pool"], values["geodesic"], values["scorer"]
    yield "To choose from", ", ".join(counted(pool[kind], kind) for kind in ("attraction", "restaurant", "stay"))
    way, least = (f"{tours[key] / 1000:.1f} km" for key in ("trip_m", "trip_optimum_m"))
    comparison = "the shortest possible" if way == least else f"the shortest possible is {least}"
    yield "Way of all days", f"{way} as the crow flies, {comparison}"
    yield "As the published scorer measures", f"{scorer['trip_optimum']:.1f} {scorer['unit']}, the least possible"
    breakfast = values["breakfast"]
    yield "Breakfast", f"known to be served on {breakfast['served']} of {counted(breakfast['days'], 'day')}"


def _distributions(measures: dict[str, Any]) -> Iterator[Distribution]:
    """Yield each field's shares of the tasks here beside the published ones: means over cities, which are of a size."""
    rows = measures.get("distribution", [])
    for field, title in FIELDS.items():
        by_value: dict[str, list[dict[str, Any]]] = {}
        for row in rows:
            if row["field"] == field:
                by_value.setdefault(row["value"], []).append(row)
        bars = tuple(
            Bar(_in_words(field, value), *(fmean(row[of] for row in city_rows) for of in ("realised", "published")))
            for value, city_rows in by_value.items()
        )
        yield Distribution(title, "share", bars, "the shares that ItinBench draws with")
