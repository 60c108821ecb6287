"""The tables that trips are made from, out of the clean tables, with declared defaults where a source is silent.

Every amount is in one currency. Flights are made in `trip_flights.py`, stays in `trip_stays.py`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any

import pandas as pd

from assets.clean import travel
from assets.clean.kinds import is_passed_by
from assets.spatial.nearest_stop import nearest_stop
from assets.step import Outcome, RawFile
from assets.tripcraft.facts.durations import visit_duration_h
from assets.tripcraft.facts.meal_cost import meal_cost, meal_price
from assets.tripcraft.facts.money import conversion_rate, no_rate
from assets.tripcraft.facts.trip_dates import date_map, moved_weeks
from assets.tripcraft.facts.trip_places import trip_places
from assets.tripcraft.names import city_plan_names
from assets.tripcraft.section import TripcraftSection
from assets.tripcraft.tables import (
    TripcraftAttraction,
    TripcraftCity,
    TripcraftEvent,
    TripcraftNearestStop,
    TripcraftRestaurant,
)
from assets.tripcraft.vocabulary import CATEGORY_DURATION_H
from schemas.errors import ExpectedError
from schemas.osm import OsmPlace
from schemas.recipe import City
from schemas.recipe_values import NO_CURRENCY
from schemas.rejection import Reason
from schemas.table import Table

SHOWN = 20
"""Labels of no category that are counted by name."""

FARTHEST_STOP_M = 50_000.0
"""A stop farther away is another city's (defect T13)."""


class MoneyError(ExpectedError):
    """What a recipe says of money prices no trip; says what to declare."""


def terms(*, cities: Sequence[City], section: TripcraftSection) -> pd.DataFrame:
    """Return the money of the release and the rates of cars in it.

    Raises MoneyError if the section names no money and the cities name none, or differ, or if the rates of cars are in
    another currency and none is declared to convert them at.
    """
    currencies = sorted({city.currency for city in cities})
    silent = ", ".join(city.city_id for city in cities if city.currency == NO_CURRENCY)
    if section.currency is None and silent:
        raise MoneyError(
            f"nothing says in which money trips are priced: no `currency` of {silent}; say it under [[cities]], "
            'such as `currency = "EUR"`, or in [families.tripcraft]'
        )
    if section.currency is None and len(currencies) > 1:
        raise MoneyError(f"the cities use {', '.join(currencies)}; say `currency` in [families.tripcraft]")
    currency, cars = section.currency or currencies[0], section.car_rates
    rate = conversion_rate(section.rates, cars.currency, currency)
    if rate is None:
        raise MoneyError(f"car_rates: {no_rate(cars.currency, currency, section.rates)}; declare one, or `car_rates`")
    converted = replace(
        cars,
        self_driving_per_km=cars.self_driving_per_km * rate,
        taxi_per_km=cars.taxi_per_km * rate,
        currency=currency,
    )
    return pd.DataFrame([asdict(converted)])


def trip_cities(*, cities: Sequence[City]) -> pd.DataFrame:
    """Return the recipe's cities; one without a region lies in its country's own, so that trips can tour its like."""
    names = city_plan_names((city.city_id, city.name, city.region, city.country) for city in cities)
    columns = [column.name for column in TripcraftCity.columns() if column.name != "plan_name"]
    rows = [
        {name: getattr(city, name) for name in columns}
        | {"plan_name": names[city.city_id], "region": city.region or city.country}
        for city in cities
    ]
    return pd.DataFrame(rows, columns=[column.name for column in TripcraftCity.columns()])


def restaurants(
    tripadvisor: pd.DataFrame,
    place: pd.DataFrame,
    price: pd.DataFrame,
    terms: pd.DataFrame,
    *,
    section: TripcraftSection,
) -> Outcome:
    """Return one city's restaurants with the cost of a meal; none where nothing tells what a meal costs there."""
    places = trip_places(tripadvisor, place, "restaurant")
    meal = meal_price(price, terms["currency"].iloc[0], section)
    facts: dict[str, Any] = {"meal_price_from": meal.origin}  # not what it is: its source may forbid to say it
    if meal.amount is None:
        rejected = [{"row": row["place_id"], "reason": meal.reason, "detail": meal.origin} for row in places.rows]
        return Outcome(_columns([], TripcraftRestaurant), rejected, places.merged, places.rows_in, facts)
    rows = [{**row, "avg_cost": meal_cost(meal.amount, row["price_signs"])} for row in places.rows]
    facts["unknown_signs"] = sum(row["price_signs"] is None for row in rows)
    return Outcome(_columns(rows, TripcraftRestaurant), [], places.merged, places.rows_in, facts)


def attractions(
    tripadvisor: pd.DataFrame, place: pd.DataFrame, osm_place: pd.DataFrame, *, section: TripcraftSection
) -> Outcome:
    """Return one city's attractions of the fifteen categories with how long a visit takes.

    What the recipe says of a source's own words for sights (`attraction_labels`) counts beside what is read in English.
    A map tells which of them Wikidata knows, and which one walks past.
    """
    places = trip_places(tripadvisor, place, "attraction")
    meant = {label.casefold(): kind for label, kind in section.attraction_labels.items()}
    mapped = {row["source_rows"][0]: row for row in OsmPlace.arrow(osm_place).to_pylist()}
    for row in places.rows:
        objects = [mapped[pointer] for pointer in row["source_rows"] if pointer in mapped]
        row["wikidata"] = next((osm_object["wikidata"] for osm_object in objects if osm_object["wikidata"]), None)
        row["is_passed_by"] = bool(objects) and all(is_passed_by(osm_object["tags"]) for osm_object in objects)
        label_kinds = [meant[label.casefold()] for label in row["labels"] if label.casefold() in meant]
        row["categories"] = list(dict.fromkeys([*row["categories"], *label_kinds]))
    rejected = [
        {
            "row": row["place_id"],
            "reason": Reason.OTHER_CATEGORY.value,
            "detail": f"{_labels_in_words(row['labels'])}; expected one of {len(CATEGORY_DURATION_H)} categories, in "
            "English, or a word that `attraction_labels` in [families.tripcraft] gives one",
        }
        for row in places.rows
        if not row["categories"]
    ]
    rows = [
        {**row, "visit_duration_h": visit_duration_h(row["categories"])} for row in places.rows if row["categories"]
    ]
    labels = Counter(label for row in places.rows if not row["categories"] for label in row["labels"])
    facts = {"labels_of_no_category": dict(sorted(labels.items(), key=lambda one: (-one[1], one[0]))[:SHOWN])}
    return Outcome(_columns(rows, TripcraftAttraction), rejected, places.merged, places.rows_in, facts)


def _labels_in_words(labels: Sequence[str]) -> str:
    return "found " + (", ".join(f"{label!r:.60}" for label in labels[:5]) or "no label")


def found_events(
    discovery: list[RawFile], apify: list[RawFile], *, cities: list[City], section: TripcraftSection
) -> Outcome:
    """Return the events in the cities; a date without a year is one of the window that the recipe gives for events."""
    window = section.event_dates_from or (section.first_date, section.last_date)
    return travel.events(discovery, apify, cities=cities, window=window)


def events(event: pd.DataFrame, *, section: TripcraftSection) -> Outcome:
    """Return one city's events on the trips' dates, moved there by the recipe's rule."""
    window = section.event_dates_from or (section.first_date, section.last_date)
    dates = date_map(section.event_dates_from, (section.first_date, section.last_date))
    detail = f"expected a date from {window[0]} to {window[1]} that moves to one of the trips'"
    rows, rejected = [], []
    for row in event.to_dict("records"):
        if row["date"] in dates:
            rows.append({**row, "date": dates[row["date"]], "date_given": row["date"]})
        else:
            text = f"found {row['date']}, {detail}"
            rejected.append({"row": row["event_id"], "reason": Reason.OUTSIDE_DATES.value, "detail": text})
    return Outcome(
        _columns(rows, TripcraftEvent), rejected, rows_in=len(event), facts={"weeks_moved": moved_weeks(dates)}
    )


def nearest_stops(
    restaurant: pd.DataFrame, attraction: pd.DataFrame, stay: pd.DataFrame, stop: pd.DataFrame
) -> pd.DataFrame:
    """Return the nearest stop of each place of one city; none in a city without stops, and none beyond 50 km."""
    columns = [c.name for c in TripcraftNearestStop.columns()]
    places = (frame[["city_id", "place_id", "lat", "lon"]] for frame in (restaurant, attraction, stay))
    every = pd.concat(places).drop_duplicates("place_id")
    if stop.empty or every.empty:
        return pd.DataFrame(columns=columns)
    stops = nearest_stop(every.sort_values("place_id"), stop)
    of_stop = stop[["stop_id", "lat", "lon", "source_rows"]].rename(columns={"lat": "stop_lat", "lon": "stop_lon"})
    stops = stops.merge(of_stop, on="stop_id", how="left").rename(columns={"stop_distance_m": "distance_m"})
    return stops.loc[stops["distance_m"] <= FARTHEST_STOP_M, columns]


def city_distances(distance: pd.DataFrame, *, section: TripcraftSection) -> pd.DataFrame:
    """Return the ways by car between cities where a road leads: an estimate leads only between two of one group."""
    is_joined = ~distance["is_estimate"].astype(bool)
    if section.road_groups is None:
        is_joined[:] = True
    for cities in section.road_groups or ():
        is_joined |= distance["origin_city_id"].isin(cities) & distance["destination_city_id"].isin(cities)
    is_known = distance["time_s"].notna() & distance["distance_m"].notna()
    by_car = distance[(distance["mode"] == "car") & is_known & is_joined]
    return pd.DataFrame(
        {
            "origin_city_id": by_car["origin_city_id"],
            "dest_city_id": by_car["destination_city_id"],
            "duration_min": by_car["time_s"].astype(float) / 60,
            "distance_km": by_car["distance_m"].astype(float) / 1000,
        }
    )


def _columns(rows: list[dict[str, Any]], table: type[Table]) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=[column.name for column in table.columns()])
