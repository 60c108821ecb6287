"""The places of a group's destinations: the recipe's own, or those of published lists, in one shape."""

from __future__ import annotations

import marshal
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from assets.clean.modelled_price import PriceModel
from assets.grouptravel.facts.categories import POI_TYPES, STARS_LEVEL, own_category, stay_level
from assets.grouptravel.facts.hours import published_hours
from assets.grouptravel.facts.kinds import kinds_of, manner
from assets.grouptravel.facts.modelled_hours import after_dark, is_modelled, modelled_hours
from assets.grouptravel.facts.opening import read_opening, typed_hours
from assets.grouptravel.section import GroupTravelSection
from assets.grouptravel.tables import GroupPoi, OpeningHours
from assets.grouptravel.vocabulary import VOCABULARIES
from assets.step import Outcome, RawFile
from schemas.nested import WITHOUT_REFERENCES
from schemas.osm import OsmPlace
from schemas.prices import BigMacPrice, CountryPriceLevel
from schemas.recipe import City
from schemas.shown import one_line
from schemas.source import SourceError
from schemas.table import Table
from sources.group.lists import read_pois

COLUMNS = [column.name for column in GroupPoi.columns()]
DEFAULT_LEVEL = 2


@dataclass(frozen=True)
class _Facts:
    """What rows are made from: the cities, the section, modelled prices, and what OpenStreetMap says of a pointer."""

    cities: dict[str, City]
    section: GroupTravelSection
    prices: PriceModel
    mapped: dict[str, dict[str, Any]]
    hours_of_lists: dict[tuple[bytes, str, str, str], tuple[OpeningHours | None, bool]] = field(default_factory=dict)
    """Hours of lists that were read, and whether they could not be: many places have the same."""

    def listed_hours(
        self, raw_hours: Any, poi_type: str, category: str, city: City
    ) -> tuple[OpeningHours | None, bool]:
        """Return the hours of a place whose list says them like this, and whether that could not be read."""
        key = (marshal.dumps(raw_hours, WITHOUT_REFERENCES), poi_type, category, city.country)
        if key not in self.hours_of_lists:
            opening, _ = read_opening(raw_hours)
            self.hours_of_lists[key] = (
                _hours(opening, poi_type, category, city),
                opening is None and raw_hours is not None,
            )
        return self.hours_of_lists[key]


def group_pois(
    place: pd.DataFrame,
    lists: list[RawFile],
    osm_place: pd.DataFrame | None = None,
    price_level: pd.DataFrame | None = None,
    big_mac: pd.DataFrame | None = None,
    *,
    cities: list[City],
    section: GroupTravelSection,
) -> Outcome:
    """Return the cities' places by the section: their own, ranked by number of reviews, or those of the lists.

    Prices that nothing tells are the section's for the place's level, else modelled by country, kind and place, and say
    so. Hours that nothing tells, or that the published structure cannot hold, are modelled by kind and country and say
    so. `osm_place` tells kinds and stars more finely.
    """
    rejected: list[dict[str, str]] = []
    level, index = _or_empty(price_level, CountryPriceLevel), _or_empty(big_mac, BigMacPrice)
    mapped = [] if osm_place is None else OsmPlace.arrow(osm_place).to_pylist()
    facts = _Facts(
        {city.city_id: city for city in cities},
        section,
        PriceModel(level, index),
        {pointer: row for row in mapped for pointer in row["source_rows"]},
    )
    if section.currency not in facts.prices.rates and not (section.meal_prices and section.bed_prices):
        raise SourceError(
            f"grouptravel: found the currency {section.currency}, of which no rate is quoted, pegged or declared; "
            "expected a currency in use. Give `meal_prices` and `bed_prices`, or another `currency`."
        )
    if section.places == "own":
        rows, unread = _own_place_rows(place, facts)
        rows_in = len(place)
    else:
        listed = [_listed_place_row(poi, facts) for file in lists for poi in read_pois(file, cities, rejected)]
        rows = [row for row, _ in listed]
        rows_in = len(rows) + len(rejected)
        unread = sum(is_unread for _, is_unread in listed)
    hours = [row["opening_hours"] for row in rows]
    counts = {
        "hours_unread": int(unread),
        "hours_known": sum(opening_hours is not None and not is_modelled(opening_hours) for opening_hours in hours),
        "hours_modelled": sum(is_modelled(opening_hours) for opening_hours in hours),
        "costs_modelled": sum(row["is_cost_modelled"] for row in rows),
    }
    return Outcome(pd.DataFrame(rows, columns=COLUMNS), rejected, rows_in=rows_in, facts=counts)


def sources(_: Mapping[str, Any], records: Sequence[Mapping[str, Any]]) -> dict[str, list[Any]]:
    """Return, by column, the values that a place may have of its records, where these are not as they stand there."""
    return {"name": [plain_name(record["name"]) for record in records if "name" in record]}


def plain_name(text: str) -> str:
    """Return a place's name as plans and messages write it: one line, of which nothing acts on what shows it."""
    return text if text.isprintable() else one_line(text) or text


def _or_empty(frame: pd.DataFrame | None, table: type[Table]) -> pd.DataFrame:
    return pd.DataFrame(columns=[column.name for column in table.columns()]) if frame is None else frame


def _own_place_rows(place: pd.DataFrame, facts: _Facts) -> tuple[list[dict[str, Any]], int]:
    """Return the rows of our own places, and of how many the hours given could not be read."""
    reviewed_places = place[place["review_count"].notna()].sort_values(
        ["city_id", "kind", "review_count", "place_id"], ascending=[True, True, False, True]
    )
    ranks = (reviewed_places.groupby(["city_id", "kind"]).cumcount() + 1).set_axis(reviewed_places["place_id"])
    rank_of = {
        (city, pid): int(rank) for city, pid, rank in zip(reviewed_places["city_id"], ranks.index, ranks, strict=True)
    }
    rows: list[dict[str, Any]] = []
    unread = 0
    for row in place.sort_values(["city_id", "place_id"]).to_dict("records"):
        osm_row = next((facts.mapped[pointer] for pointer in row["source_rows"] if pointer in facts.mapped), {})
        tags: list[str] = list(osm_row.get("tags") or ()) if osm_row.get("kind") == row["kind"] else []
        text = row["opening_hours"]
        hours = published_hours(text, row["lat"], row["lon"]) if isinstance(text, str) else None
        unread += isinstance(text, str) and hours is None
        rank = rank_of.get((row["city_id"], row["place_id"]))
        rows.append(_own_row(row, tags, osm_row.get("hotel_class"), hours, rank, facts))
    return rows, unread


def _own_row(
    row: dict[Any, Any], tags: list[str], stars: float | None, hours: Any, rank: int | None, facts: _Facts
) -> dict[str, Any]:
    kind = str(row["kind"])
    level = None if row["price_level"] is None or math.isnan(row["price_level"]) else int(row["price_level"])
    is_starred = stars is not None and not math.isnan(stars) and round(stars) in STARS_LEVEL
    if kind == "stay" and level is None and is_starred:
        level = STARS_LEVEL[round(stars or 0)]
    category = own_category(kind, row["categories"], row["cuisines"], level, VOCABULARIES[facts.section.language], tags)
    if kind == "stay":
        level = stay_level(row["categories"], level)
    poi_type = POI_TYPES[kind]
    return {
        "city_id": row["city_id"],
        "place_id": row["place_id"],
        "name": plain_name(row["name"]),
        "poi_type": poi_type,
        "category": category,
        "opening_hours": _hours(hours, poi_type, category, facts.cities.get(row["city_id"])),
        **_price(row, poi_type, category, level, stars if is_starred else None, facts),
        "rank": rank,
        "lat": row["lat"],
        "lon": row["lon"],
        "source_rows": list(row["source_rows"]),
    }


def _listed_place_row(poi: dict[str, Any], facts: _Facts) -> tuple[dict[str, Any], bool]:
    """Return the row of a listed place, and whether its hours could not be read."""
    city, section = facts.cities[poi["city_id"]], facts.section
    cost = poi["avg_cost"] if city.currency == section.currency else None
    poi_type = poi["poi_type"]
    category = VOCABULARIES[section.language].category(poi["category"], poi_type)
    hours, is_unread = facts.listed_hours(poi["opening_hours"], poi_type, category, city)
    row = {
        **{name: poi[name] for name in ("city_id", "poi_type", "rank", "lat", "lon")},
        "name": plain_name(poi["name"]),
        "place_id": f"group:{poi['native_id']}",
        "category": category,
        "opening_hours": hours,
        "source_rows": [poi["source_row"]],
    }
    priced = {"avg_cost": cost, "is_cost_modelled": False}
    return row | (priced if cost is not None else _price(row, poi_type, category, None, None, facts)), is_unread


def _hours(opening: Any, poi_type: str, category: str, city: City | None) -> OpeningHours | None:
    """Return known hours, of nightlife from 18:00 on, else the modelled ones of the kind; None for a stay without."""
    hours = typed_hours(opening)
    if hours is None:
        return typed_hours(modelled_hours(poi_type, category, city.country if city else ""))
    is_dark = poi_type == "attractions" and manner(category).is_after_dark
    return typed_hours(after_dark(dict(hours))) if is_dark else hours


def _price(
    row: dict[Any, Any], poi_type: str, category: str, level: int | None, stars: float | None, facts: _Facts
) -> dict[str, Any]:
    """Return the modelled price of a meal or a night; a sight has none."""
    section, city = facts.section, facts.cities.get(row["city_id"])
    prices_by_level = {"food": section.meal_prices, "hotels": section.bed_prices}.get(poi_type)
    country, currency, place_id = city.country if city else "", section.currency, str(row["place_id"])
    if prices_by_level:
        cost = prices_by_level[(level or DEFAULT_LEVEL) - 1]
    elif poi_type == "food":
        cost = facts.prices.meal(country, currency, place_id, kinds_of(category)[0], level).value
    elif poi_type == "hotels":
        cost = facts.prices.night(country, currency, place_id, level or DEFAULT_LEVEL, stars).value
    else:
        cost = None
    return {"avg_cost": cost, "is_cost_modelled": cost is not None}
