"""How trips stand in a recipe that is written of open files.

What they cost where no source says, modelled by a country's price level; which towns roads join; what trips may ask.
"""

from __future__ import annotations

import datetime as dt
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assets.clean.exchange import Rate, budget_step
from assets.clean.modelled_price import NoRateError, PriceModel
from assets.clean.price_levels import big_mac_prices, country_price_levels
from assets.first_recipe import LEVELS, PLACES_A_TASK, CityFacts, FamilyChoice, FirstRecipe, Survey, SurveyedCity
from assets.tripcraft.facts.trip_places import cuisine_label
from assets.tripcraft.vocabulary import QUERY_CUISINES
from schemas.places import KINDS
from schemas.prices import BigMacPrice, CountryPriceLevel
from sources.cities.open_sea import crosses_open_sea
from sources.flights import bts
from sources.prices.declared_rates import ROUGH_DATE
from sources.published import travelplanner
from sources.tripadvisor.places import read_places

FUEL_BIG_MACS_PER_KM = 0.02
"""Fuel for a kilometre, as a share of what a hamburger costs: about 0.12 euros in Finland. A choice of ours."""

CHEAP, DEAR = 1, 4
"""Price levels of the least and the most that a night in a mapped hotel is modelled at."""

GUESTS = 2
PUBLISHED_STEP = 100
"""What published budgets are multiples of, in dollars."""
FARTHEST_BY_ROAD_M = 700_000.0
"""The straight line of about half a day's drive."""


@dataclass(frozen=True)
class TripAmounts:
    """Modelled amounts in a city's currency: a night for two, an inexpensive meal, a kilometre by car and taxi."""

    currency: str
    night_low: float
    night_high: float
    meal: float
    fuel_per_km: float
    taxi_per_km: float
    basis: str
    rate: Rate
    """Units of the currency for one US dollar, in which flights are priced."""


def trip_amounts(survey: Survey) -> TripAmounts | None:
    """Return what a trip to the first city costs by the price levels among the files, else by declared rough levels.

    None where nothing tells what the city's currency is worth.
    """
    city = survey.cities[0].facts
    levels, prices = (
        table.frame(table.arrow(reader(survey.shared_files(key)).rows))
        for table, reader, key in (
            (CountryPriceLevel, country_price_levels, "world_bank.price_levels"),
            (BigMacPrice, big_mac_prices, "big_mac.prices"),
        )
    )
    model = PriceModel(levels, prices)
    try:
        rate = model.rate(city.currency)
    except NoRateError:
        return None
    level = model.level(city.country, city.currency)
    hamburger = model.us_price * level.value * rate.units_per_usd
    taxi = (
        model.ride(city.country, city.currency, "taxi", 11.0).value
        - model.ride(city.country, city.currency, "taxi", 1.0).value
    )
    return TripAmounts(
        city.currency,
        model.night(city.country, city.currency, "", CHEAP).value * GUESTS,
        model.night(city.country, city.currency, "", DEAR).value * GUESTS,
        model.meal(city.country, city.currency, "", level=CHEAP).value,
        round(hamburger * FUEL_BIG_MACS_PER_KM, 4),
        round(max(taxi / 10, hamburger * FUEL_BIG_MACS_PER_KM), 4),
        f"price level {level.value:.2f} of the United States' ({level.basis}), exchange rate {rate.basis}",
        rate,
    )


def road_groups(cities: Iterable[CityFacts], neighbours: Iterable[CityFacts]) -> list[list[str]]:
    """Return the ids of cities and neighbours in groups that roads join: all in one, else each joined two; or none.

    Distances between cities are estimated from the geodesic, which knows no sea: a line that leaves all territorial
    waters is taken for no road. Nobody goes from one neighbour to another.
    """
    visited = list(cities)
    every = [*visited, *neighbours]
    city_pairs = [(one, other) for number, one in enumerate(visited) for other in every[number + 1 :]]
    pairs = [[a.city_id, b.city_id] for a, b in city_pairs if is_joined(a.box.middle, b.box.middle)]
    return [[city.city_id for city in every]] if pairs and len(pairs) == len(city_pairs) else pairs


def is_joined(a: tuple[float, float], b: tuple[float, float]) -> bool:
    """Return whether the geodesic between two points (lat, lon) is short enough and meets no open sea."""
    from pyproj import Geod

    distance_m = Geod(ellps="WGS84").inv(a[1], a[0], b[1], b[0])[2]
    return distance_m <= FARTHEST_BY_ROAD_M and not crosses_open_sea(a, b)


def counts(places: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    """Return how many cuisines that a trip may ask for, and how many kinds of sights, a city's places have."""
    served = {cuisine_label(text) for row in places for text in row["cuisines"]}
    return {
        "cuisines": len(served.intersection(QUERY_CUISINES)),
        "categories": len({text for row in places for text in row["categories"]}),
    }


def files(survey: Survey) -> dict[str, dict[str, int]]:
    """Return for each city its stays, restaurants and attractions, TripAdvisor's too, which only trips read.

    Cuisines and kinds of sights are those of the map or of TripAdvisor, whichever has more.
    """
    by_city: dict[str, dict[str, int]] = {}
    for surveyed in survey.cities:
        city = surveyed.facts.as_city()
        rows = [row for file in survey.shared_files("tripadvisor.places") for row in read_places(file, [city], [])]
        tastes = {what: max(count, surveyed.counts.get(what, 0)) for what, count in counts(rows).items()}
        of_kind = Counter(row["kind"] for row in rows)
        by_city[city.city_id] = tastes | {
            f"trip_{kind}s": surveyed.counts.get(f"{kind}s", 0) + of_kind[kind] for kind in KINDS
        }
    return by_city


def most(cities: Sequence[SurveyedCity]) -> int:
    """Return how many tasks of a difficulty the cities carry at most, by places to eat and to see."""
    fewest = max(min(city.counts["trip_restaurants"], city.counts["trip_attractions"]) for city in cities)
    return max(1, fewest // PLACES_A_TASK)


def fewer(cities: Sequence[SurveyedCity]) -> dict[str, str]:
    """Return the levels of trips whose constraints the cities cannot meet, each with what they lack.

    A medium trip asks for one thing and a hard one for two, and what is asked for is eaten or seen, one of several.
    """
    kinds = trip_constraints(cities)
    counts_of = {"cuisine": ("cuisines", "cuisines"), "attraction": ("categories", "kinds of sights")}
    why = []
    for what, noun in (counts_of[name] for name in counts_of if name not in kinds):
        poorest = min(cities, key=lambda city, what=what: city.counts.get(what, 0))
        why.append(f"{poorest.counts.get(what, 0)} of the {noun} that trips ask for are in {poorest.facts.name}")
    return dict.fromkeys(LEVELS[1 + len(kinds) :], f"{' and '.join(why)}, where to choose takes two")


def trip_constraints(cities: Sequence[SurveyedCity]) -> dict[str, int]:
    """Return the constraints that a trip can have in every one of the cities, each with how much a hard task asks."""
    fewest = {what: min(city.counts.get(what, 0) for city in cities) for what in ("cuisines", "categories")}
    counts = {"cuisine": min(3, fewest["cuisines"] - 1), "attraction": min(2, fewest["categories"] - 1)}
    return {name: count for name, count in counts.items() if count > 0}


def lacks(survey: Survey) -> list[str]:
    """Return what stands in the way of trips to any of the cities: a currency of unknown worth."""
    currency = survey.cities[0].facts.currency
    return [] if trip_amounts(survey) else [f"{currency} has no exchange rate: bind prices (big_mac)"]


def invents(survey: Survey) -> dict[str, str]:
    """Return that flights are invented where no road leads to one of the cities and no flights are given.

    With them airports, unless a list of real ones is given: a city is asked for one as a way in.
    """
    if FLIGHTS & set(survey.shared) or _roads(survey):
        return {}
    airports = {} if AIRPORTS in survey.shared else {"openflights": "their airports"}
    return {"travelplanner": INVENTED_FLIGHTS, **airports}


def section(survey: Survey, chosen: FamilyChoice) -> list[str]:
    """Return the lines of the section: tasks by difficulty, what they may ask for, and the modelled amounts."""
    amounts = trip_amounts(survey)
    assert amounts is not None, "a family that lacks something is not chosen"
    constraints = trip_constraints(survey.cities)
    currency = json.dumps(amounts.currency)
    weights = f"{{ {', '.join(f'{name} = 1.0' for name in constraints)} }}"
    numbers = {name: f"{{ medium = 1, hard = {count} }}" for name, count in constraints.items()}
    limits = [
        "# What the city's files tell of: a trip asks for what is eaten and seen there, and for nothing else.",
        f"constraints = {{ medium = 1, hard = {len(constraints)} }}",
        f"weights_medium = {weights}",
        f"weights_hard = {weights}",
        *([f"cuisines_asked = {numbers['cuisine']}"] if "cuisine" in numbers else []),
        *([f"categories_asked = {numbers['attraction']}"] if "attraction" in numbers else []),
    ]
    return [
        f"# Modelled: {amounts.basis}. Of a room for two in a mapped hotel, a night; an inexpensive meal; a kilometre.",
        "[families.tripcraft]",
        f"counts = {{ 3 = {chosen.tasks_by_level} }}",
        *(limits if len(chosen.levels) > 1 and constraints else []),
        f"currency = {currency}",
        *_budget_step(amounts.currency),
        f"nights = {{ low = {amounts.night_low}, high = {amounts.night_high}, currency = {currency}, "
        f"max_occupancy = {GUESTS} }}",
        f"reference_meal = {{ amount = {amounts.meal}, currency = {currency} }}",
        f"car_rates = {{ self_driving_per_km = {amounts.fuel_per_km}, self_driving_seats = 5, "
        f"taxi_per_km = {amounts.taxi_per_km}, taxi_seats = 4, currency = {currency} }}",
        *_dollars(survey, amounts),
        "# Ways by road are estimated from the geodesic, which knows no sea: only cities of one group are joined.",
        f"road_groups = {json.dumps(_roads(survey))}",
        "",
    ]


def _budget_step(currency: str) -> list[str]:
    """Return what budgets are multiples of, where a hundred, as published in dollars, would be far more or less."""
    step = 2 * budget_step(currency)
    comment = "# Budgets are multiples of about a hundred dollars, as the published ones are."
    return [] if step == PUBLISHED_STEP else [comment, f"budget_step = {step}"]


def _dollars(survey: Survey, amounts: TripAmounts) -> list[str]:
    """Return, where flights are given or invented, at what rate their dollars are changed and what unpriced ones cost.

    TravelPlanner's table is in US dollars; the on-time table prices no flight, and has TravelPlanner's mean spread.
    Apify's exports of Airbnb are in dollars, too, by default: their listings have no price without a rate.
    """
    is_given = bool(FLIGHTS & set(survey.shared))
    if not is_given and not invents(survey) and not any(EXPORT in city.files for city in survey.cities):
        return []
    low, high = DOLLARS_PER_KM
    fares = f'fares = {{ low_per_km = {low}, high_per_km = {high}, currency = "{DOLLARS}" }}'
    rates = (
        f'rates = {{ base = "{DOLLARS}", date = {amounts.rate.date or ROUGH_DATE}, '
        f'source = "{RATE_SOURCES[amounts.rate.basis]}", '
        f"units = {{ {amounts.currency} = {amounts.rate.units_per_usd:.6g} }} }}"
    )
    return [*(_given_flights(survey, fares) if is_given else []), *([rates] if amounts.currency != DOLLARS else [])]


def _given_flights(survey: Survey, fares: str) -> list[str]:
    """Return what flights without a price cost, and the dates of those that are given, to be moved into the trips'."""
    days = [
        int(day)
        for key, reader in (("bts.on_time", bts.on_time), ("travelplanner.flights", travelplanner.flights))
        for file in survey.shared_files(key)
        for batch in reader(file)[-1]
        if len(batch["date"])
        for day in (batch["date"].min(), batch["date"].max())
    ]
    if not days:
        return [fares]
    first, last = (EPOCH + dt.timedelta(days=day) for day in (min(days), max(days)))
    return [fares, "# First and last date of the given flights, which move by whole weeks into the trips' dates.",
            f"flight_dates_from = [{first}, {last}]"]  # fmt: skip


def _roads(survey: Survey) -> list[list[str]]:
    return road_groups([city.facts for city in survey.cities], survey.neighbours)


FLIGHTS = {"bts.on_time", "travelplanner.flights"}
EPOCH = dt.date(1970, 1, 1)
"""Day 0 of a reader's dates."""

DOLLARS = "USD"
DOLLARS_PER_KM = 0.1243, 0.3107
"""The least and the most that a kilometre costs of TravelPlanner's released flights (see `FareModel`)."""

RATE_SOURCES = {
    "quoted": "the Big Mac index",
    "pegged": "a fixed rate",
    "rough": "a declared rough estimate",
}
AIRPORTS = "openflights.airports"
EXPORT = "airbnb.apify"
INVENTED_FLIGHTS = "flights, since of the larger towns known none lies within a day by road without open sea between"

FIRST_RECIPE = FirstRecipe(
    section=section,
    modelled="nights and meals that no source prices, drives between cities, ways and stays in town",
    invented="who travels, and when",
    adds=(
        ("airbnb", "listings (airbnb): what a night costs and who may stay"),
        ("events", "events (events): constraints on what goes on"),
        ("bts", "flights (bts, with openflights): ways in by air"),
        ("world_bank", "price levels (world_bank): modelled prices by the country's own level"),
        ("big_mac", "the Big Mac index (big_mac): modelled prices and exchange rates that rest on a source"),
    ),
    invents=invents,
    lacks=lacks,
    fewer=fewer,
    counts=counts,
    files=files,
    most=most,
    counted_as={"ways_in": "", "stops": "stops_around"},
)
