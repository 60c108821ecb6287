"""The places of a group's destinations: the recipe's own, or those of published lists, in one shape."""

from __future__ import annotations

import math
from typing import Any

import pandas as pd

from assets.grouptravel.facts.categories import POI_TYPES, own_category, stay_level
from assets.grouptravel.facts.hours import published_hours
from assets.grouptravel.facts.opening import read_opening
from assets.grouptravel.section import GroupTravelSection
from assets.grouptravel.tables import GroupPoi
from assets.grouptravel.vocabulary import VOCABULARIES
from assets.step import Outcome, RawFile
from schemas.recipe import City
from schemas.stable import canonical_json
from sources.group.lists import read_pois

COLUMNS = [column.name for column in GroupPoi.columns()]
DEFAULT_LEVEL = 2


def group_pois(
    place: pd.DataFrame, lists: list[RawFile], *, cities: list[City], section: GroupTravelSection
) -> Outcome:
    """Return the cities' places by the section: their own, ranked by number of reviews, or those of the lists.

    Prices that nothing tells are the section's for the place's price level, and say so. Hours that cannot be held by
    the published structure are unknown, and counted.
    """
    rejected: list[dict[str, str]] = []
    if section.places == "own":
        rows = _own(place, section)
        rows_in = len(place)
        unread = sum(text is not None and text == text and row["opening_hours_json"] is None
                     for text, row in zip(_sorted(place)["opening_hours"], rows, strict=True))  # fmt: skip
    else:
        currencies = {city.city_id: city.currency for city in cities}
        listed = [poi for file in lists for poi in read_pois(file, cities, rejected)]
        rows = [_listed(poi, currencies[poi["city_id"]] == section.currency, section) for poi in listed]
        rows_in = len(rows) + len(rejected)
        unread = sum(
            poi["opening_hours"] is not None and row["opening_hours_json"] is None
            for poi, row in zip(listed, rows, strict=True)
        )
    facts = {
        "hours_unread": int(unread),
        "hours_known": sum(row["opening_hours_json"] is not None for row in rows),
        "costs_modelled": sum(row["is_cost_modelled"] for row in rows),
    }
    return Outcome(pd.DataFrame(rows, columns=COLUMNS), rejected, rows_in=rows_in, facts=facts)


def _sorted(place: pd.DataFrame) -> pd.DataFrame:
    return place.sort_values(["city_id", "place_id"], ignore_index=True)


def _own(place: pd.DataFrame, section: GroupTravelSection) -> list[dict[str, Any]]:
    vocabulary = VOCABULARIES[section.language]
    known = place[place["review_count"].notna()].sort_values(
        ["city_id", "kind", "review_count", "place_id"], ascending=[True, True, False, True]
    )
    ranks = (known.groupby(["city_id", "kind"]).cumcount() + 1).set_axis(known["place_id"])
    rank_of = {(city, pid): int(rank) for city, pid, rank in zip(known["city_id"], ranks.index, ranks, strict=True)}
    rows = []
    for row in _sorted(place).to_dict("records"):
        level = None if row["price_level"] is None or math.isnan(row["price_level"]) else int(row["price_level"])
        kind = str(row["kind"])
        category = own_category(kind, row["categories"], row["cuisines"], level, vocabulary)
        if kind == "stay":
            level = stay_level(row["categories"], level)
        hours = published_hours(row["opening_hours"]) if isinstance(row["opening_hours"], str) else None
        rows.append(
            {
                "city_id": row["city_id"],
                "place_id": row["place_id"],
                "name": row["name"],
                "poi_type": POI_TYPES[kind],
                "category": category,
                "opening_hours_json": canonical_json(hours) if hours is not None else None,
                **_price(POI_TYPES[kind], level, section),
                "rank": rank_of.get((row["city_id"], row["place_id"])),
                "lat": row["lat"],
                "lon": row["lon"],
                "source_rows": list(row["source_rows"]),
            }
        )
    return rows


def _listed(poi: dict[str, Any], is_our_currency: bool, section: GroupTravelSection) -> dict[str, Any]:
    hours, _ = read_opening(poi["opening_hours"])
    cost = poi["avg_cost"] if is_our_currency else None
    priced = {"avg_cost": cost, "is_cost_modelled": False}
    return {
        **{name: poi[name] for name in ("city_id", "name", "poi_type", "rank", "lat", "lon")},
        "place_id": f"group:{poi['native_id']}",
        "category": VOCABULARIES[section.language].category(poi["category"], poi["poi_type"]),
        "opening_hours_json": canonical_json(hours) if hours is not None else None,
        **(priced if cost is not None else _price(poi["poi_type"], None, section)),
        "source_rows": [poi["source_row"]],
    }


def _price(poi_type: str, level: int | None, section: GroupTravelSection) -> dict[str, Any]:
    """Return the modelled price of a meal or a night; a sight has none."""
    prices = {"food": section.meal_prices, "hotels": section.bed_prices}.get(poi_type)
    cost = prices[(level or DEFAULT_LEVEL) - 1] if prices else None
    return {"avg_cost": cost, "is_cost_modelled": cost is not None}
