"""What each city lacks for a trip, over all its tables: what was there, what became of it, and what to add."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pandas as pd

from assets.rows import ReleaseTables
from assets.tripcraft.facts.itinerary import MEALS_PER_DAY
from assets.tripcraft.facts.trip_stays import NO_NIGHTS, NO_PRICE
from assets.tripcraft.reference import Reference
from assets.tripcraft.tables import (
    TripcraftAttraction,
    TripcraftCity,
    TripcraftJourney,
    TripcraftRestaurant,
    TripcraftStay,
)
from assets.tripcraft.world import world
from schemas.rejection import REASON_TEXT, Reason
from schemas.table import Table

DAYS = 3
WORDS_SHOWN = 5

KINDS: tuple[tuple[str, type[Table], int, str], ...] = (
    ("stays", TripcraftStay, 1, "bind listings (airbnb), hotels (tripadvisor, yelp) or a map that holds stays (osm)"),
    ("restaurants", TripcraftRestaurant, MEALS_PER_DAY * DAYS, "bind tripadvisor, yelp or a map that holds more (osm)"),
    ("attractions", TripcraftAttraction, DAYS, "bind tripadvisor, yelp or a map that holds more (osm)"),
)
"""Kinds of places, their tables, how many the shortest trip needs, and what gives more of them."""

ADD = {
    ("stays", Reason.NO_EXCHANGE_RATE): "add the currency to `rates`",
    ("restaurants", Reason.MISSING_VALUE): "bind prices of meals (numbeo), or declare `reference_meal`",
    ("restaurants", Reason.NO_EXCHANGE_RATE): "add the currency to `rates`",
}
"""What to add where places of a kind were dropped for a reason; keys are those of [families.tripcraft]."""

ADD_FOR = {NO_PRICE: "bind listings with prices", NO_NIGHTS: "declare `nights`"}
"""The same where one reason has two remedies: what helps a hotel helps no listing."""

Facts = Mapping[str, Mapping[str, Mapping[str, Any]]]


def lacking(tables: ReleaseTables, facts: Facts) -> dict[str, list[str]]:
    """Return, by city, a sentence for everything that keeps trips from there: what, how much, why, and what to add.

    `facts` are what the steps found, by step and city. A city with enough of everything is left out.
    """
    reference, rejected = world(tables), tables.tables["rejections"]
    lines_by_city = {}
    for city_id in sorted(tables[TripcraftCity]["city_id"]):
        lines = [line for kind in KINDS for line in _of_kind(tables, facts, rejected, reference, city_id, *kind)]
        lines += _ways(reference, city_id, facts.get(TripcraftJourney.table_name(), {}).get("", {}))
        if lines:
            lines_by_city[city_id] = lines
    return lines_by_city


def _of_kind(
    tables: ReleaseTables,
    facts: Facts,
    rejected: pd.DataFrame,
    reference: Reference,
    city_id: str,
    kind: str,
    table: type[Table],
    needed: int,
    remedy: str,
) -> Iterator[str]:
    step = table.table_name()
    rows = tables[table]
    names = reference_names(reference, kind, city_id)
    count_in_city = int((rows["city_id"] == city_id).sum())
    dropped = rejected[(rejected["step"] == step) & (rejected["city_id"] == city_id)]
    total = count_in_city + len(dropped)
    usable = names["usable"]
    if usable >= needed:
        return
    if not total:
        yield f"no {kind} in any source: {remedy}"
        return
    labels = facts.get(step, {}).get(city_id, {}).get("labels_of_no_category", {})
    yield from why_dropped(kind, dropped, total, labels, remedy)
    if names["shared"]:
        yield f"{names['shared']} of {total} {kind} share their name with another, and no plan can tell them apart"
    if names["stopless"]:
        remedy_of_stops = "bind a feed (gtfs) or a map that holds stops (osm)"
        yield f"{names['stopless']} of {total} {kind} have no transit stop within 50 km: {remedy_of_stops}"
    yield f"{usable} {kind} can be planned, the shortest trip needs {needed}: {remedy}"


def why_dropped(kind: str, dropped: pd.DataFrame, total: int, labels: Mapping[str, int], remedy: str) -> Iterator[str]:
    """Yield of each reason how many of all places of a kind it dropped, the first detail, and what to add.

    `dropped` has the rejections' reason and detail; `labels` counts the words of sights that are of no category.
    """
    groups: dict[tuple[str, str], list[str]] = {}
    for reason, detail in zip(dropped["reason"], dropped["detail"], strict=True):
        groups.setdefault((reason, detail if detail in ADD_FOR else ""), []).append(detail)
    for (reason, of_its_own), details in sorted(groups.items()):
        of_all = f"{len(details)} of {total} {kind}"
        if reason == Reason.OTHER_CATEGORY.value:
            yield _unknown_words(of_all, labels)
        else:
            add = ADD_FOR.get(of_its_own) or ADD.get((kind, Reason(reason)), remedy)
            yield f"{of_all}: {REASON_TEXT[Reason(reason)].rstrip('.')} ({details[0]:.120}): {add}"


def _unknown_words(of_all: str, labels: Mapping[str, int]) -> str:
    """Return that the kinds of sights are in no known words, the most frequent of them, and where to say them."""
    label_text = ", ".join(f"`{label:.40}`" for label in list(labels)[:WORDS_SHOWN]) or "no label"
    more = f" and {len(labels) - WORDS_SHOWN} more" if len(labels) > WORDS_SHOWN else ""
    return (
        f"{of_all}: their kind is in words that are not known ({label_text}{more}); say what they mean in "
        '`attraction_labels` of [families.tripcraft], such as { "Museu" = "Museums" }'
    )


def reference_names(reference: Reference, kind: str, city_id: str) -> dict[str, int]:
    """Return how many of a city's places of a kind a plan can name, share their name, or have no stop."""
    every, usable, by_name = {
        "stays": (reference.stays_in, reference.plannable_stays, reference.stays_named),
        "restaurants": (reference.restaurants_in, reference.plannable_restaurants, reference.restaurants_named),
        "attractions": (reference.attractions_in, reference.plannable_attractions, reference.attractions_named),
    }[kind]
    places: Sequence[Any] = every(city_id)
    shared = sum(len(by_name(city_id, place.name)) > 1 for place in places)
    stopless = sum(reference.stop(place.place_id) is None for place in places)
    return {"usable": len(usable(city_id)), "shared": shared, "stopless": stopless}


def _ways(reference: Reference, city_id: str, journeys: Mapping[str, Any]) -> Iterator[str]:
    """Yield that nothing leads to the city from any other of the recipe's, and what bound feeds of trains hold.

    `journeys` is what was found as these were read.
    """
    others = [other for other in reference.cities if other != city_id]
    leads = any(reference.drive(o, city_id) or reference.scheduled_between(o, city_id) for o in others)
    if others and not leads:
        yield (
            "no flight, train, coach or road leads there: bind a long-distance feed (gtfs), flights with airports "
            "(openflights), or name a city within half a day by road"
        )
        for dates in journeys.get("feed_dates", []):
            if dates:
                yield (
                    f"a bound long-distance feed runs from {dates[0]} to {dates[1]}: if trips are on other dates, "
                    "`journey_dates_from` of [families.tripcraft] moves days of these into them"
                )
            else:
                yield "a bound long-distance feed has no run at times of its own that calls in a city: bind another"
