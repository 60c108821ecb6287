"""The family's tables, as data: what trips are made from, tasks, certificates, lineage."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assets.step import Outcome, Raw, RawFile, Step
from assets.tripcraft.section import TripcraftSection
from assets.tripcraft.tables import (
    TripcraftAttraction,
    TripcraftCertificate,
    TripcraftCity,
    TripcraftCityDistance,
    TripcraftDraft,
    TripcraftEvent,
    TripcraftFlight,
    TripcraftLineage,
    TripcraftNearestQuery,
    TripcraftNearestStop,
    TripcraftRestaurant,
    TripcraftStay,
    TripcraftTask,
    TripcraftTerms,
    TripcraftTownWays,
)
from schemas.events import Event
from schemas.places import Place
from schemas.recipe import City
from schemas.spatial import CityDistance, DistanceMatrix
from schemas.stays import Stay
from schemas.transit import Stop
from schemas.travel import CityPrice, Flight
from schemas.tripadvisor import TripadvisorPlace

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

    from assets.language.asking import Ask


def terms(*, cities: list[City], tripcraft: TripcraftSection) -> pd.DataFrame:
    """Return the money of the release and the rates of cars."""
    from assets.tripcraft.facts import world

    return world.terms(cities, tripcraft)


def trip_cities(*, cities: list[City]) -> pd.DataFrame:
    """Return the recipe's cities."""
    import pandas as pd

    columns = [column.name for column in TripcraftCity.columns()]
    return pd.DataFrame([{name: getattr(city, name) for name in columns} for city in cities])


def flights(flight: pa.Table, terms: pd.DataFrame, *, tripcraft: TripcraftSection, seed: int) -> Outcome:
    """Return the flights on the trips' dates, priced in the release's currency."""
    from assets.tripcraft.facts.trip_flights import trip_flights

    return trip_flights(flight, terms["currency"].iloc[0], tripcraft, seed)


def restaurants(
    tripadvisor: pd.DataFrame,
    place: pd.DataFrame,
    price: pd.DataFrame,
    terms: pd.DataFrame,
    *,
    tripcraft: TripcraftSection,
) -> Outcome:
    """Return the city's restaurants with the cost of a meal."""
    from assets.tripcraft.facts import world

    return world.restaurants(tripadvisor, place, price, terms, tripcraft)


def attractions(tripadvisor: pd.DataFrame, place: pd.DataFrame) -> Outcome:
    """Return the city's attractions with how long a visit takes."""
    from assets.tripcraft.facts import world

    return world.attractions(tripadvisor, place)


def stays(
    stay: pd.DataFrame,
    tripadvisor: pd.DataFrame,
    place: pd.DataFrame,
    terms: pd.DataFrame,
    *,
    tripcraft: TripcraftSection,
    seed: int,
) -> Outcome:
    """Return the city's stays with the price of a night in the release's currency."""
    from assets.tripcraft.facts.trip_stays import trip_stays

    return trip_stays(stay, tripadvisor, place, terms["currency"].iloc[0], tripcraft, seed)


def events(
    discovery: list[RawFile], apify: list[RawFile], *, cities: list[City], tripcraft: TripcraftSection
) -> Outcome:
    """Return the events in the cities; a date without a year is one of the window that the recipe gives for events."""
    from assets.clean import travel

    window = tripcraft.event_dates_from or (tripcraft.first_date, tripcraft.last_date)
    return travel.events(discovery, apify, cities=cities, window=window)


def trip_events(event: pd.DataFrame, *, tripcraft: TripcraftSection) -> Outcome:
    """Return the city's events on the days that trips may be made."""
    from assets.tripcraft.facts import world

    return world.events(event, tripcraft)


def nearest_stops(
    restaurant: pd.DataFrame, attraction: pd.DataFrame, stay: pd.DataFrame, stop: pd.DataFrame
) -> pd.DataFrame:
    """Return the nearest stop of each place of the city."""
    from assets.tripcraft.facts import world

    return world.nearest_stops((restaurant, attraction, stay), stop)


def city_distances(distance: pd.DataFrame, *, tripcraft: TripcraftSection) -> pd.DataFrame:
    """Return the ways by car between cities."""
    from assets.tripcraft.facts import world

    return world.city_distances(distance, tripcraft)


def town_ways(
    restaurant: pd.DataFrame, attraction: pd.DataFrame, stay: pd.DataFrame, matrix: pd.DataFrame
) -> pd.DataFrame:
    """Return how long the router says it takes between the places of the city; nothing where it has no matrix."""
    from assets.tripcraft.facts import town_ways

    return town_ways.town_ways((restaurant, attraction, stay), matrix)


def drafts(
    terms: pd.DataFrame,
    city: pd.DataFrame,
    flight: pa.Table,
    restaurant: pd.DataFrame,
    attraction: pd.DataFrame,
    stay: pd.DataFrame,
    event: pd.DataFrame,
    stop: pd.DataFrame,
    distance: pd.DataFrame,
    town: pd.DataFrame,
    *,
    seed: int,
    tripcraft: TripcraftSection,
    retired: list[str],
    previous: pd.DataFrame | None,
) -> Outcome:
    """Return every slot's record with a witness that it can be planned; one that has none is drawn again."""
    from assets.tripcraft import planned
    from assets.tripcraft.facts import world

    known = world.reference(terms, city, flight, restaurant, attraction, stay, event, stop, distance, town)
    return planned.planned(known, tripcraft, seed=seed, retired=retired, previous=previous)


def tasks(draft: pd.DataFrame, terms: pd.DataFrame, city: pd.DataFrame, *, seed: int, ask: Ask | None) -> Outcome:
    """Return a worded task for every draft."""
    from assets.tripcraft import tasks
    from assets.tripcraft.facts import world

    return tasks.tasks(draft, world.reference(terms, city), seed=seed, ask=ask)


def certified(
    task: pd.DataFrame,
    draft: pd.DataFrame,
    terms: pd.DataFrame,
    city: pd.DataFrame,
    flight: pa.Table,
    restaurant: pd.DataFrame,
    attraction: pd.DataFrame,
    stay: pd.DataFrame,
    event: pd.DataFrame,
    stop: pd.DataFrame,
    distance: pd.DataFrame,
    town: pd.DataFrame,
) -> Outcome:
    """Return the certificate of every task: a witness plan that the independent checker accepts."""
    from assets.tripcraft import certificates
    from assets.tripcraft.facts import world

    known = world.reference(terms, city, flight, restaurant, attraction, stay, event, stop, distance, town)
    return certificates.certificates(task, draft, known)


def lineage(task: pd.DataFrame, certificate: pd.DataFrame, town_ways: pd.DataFrame) -> pd.DataFrame:
    """Return where each value of the tasks and certificates comes from."""
    from assets.tripcraft import lineage

    return lineage.lineage(task, certificate, town_ways)


def nearest_queries(task: pd.DataFrame, published: list[RawFile]) -> Outcome:
    """Return how alike each query is to the published ones and to the others of the set."""
    from assets.language import nearest_query

    return nearest_query.nearest_queries(task, published)


WORLD = (
    TripcraftTerms,
    TripcraftCity,
    TripcraftFlight,
    TripcraftRestaurant,
    TripcraftAttraction,
    TripcraftStay,
    TripcraftEvent,
    TripcraftNearestStop,
    TripcraftCityDistance,
    TripcraftTownWays,
)
"""What trips are made from: the context of every task."""

STEPS = (
    Step(TripcraftTerms, f"{__name__}:terms", per="recipe"),
    Step(TripcraftCity, f"{__name__}:trip_cities", per="recipe"),
    Step(TripcraftFlight, f"{__name__}:flights", (Flight, TripcraftTerms), per="recipe"),
    Step(TripcraftRestaurant, f"{__name__}:restaurants", (TripadvisorPlace, Place, CityPrice, TripcraftTerms)),
    Step(TripcraftAttraction, f"{__name__}:attractions", (TripadvisorPlace, Place)),
    Step(TripcraftStay, f"{__name__}:stays", (Stay, TripadvisorPlace, Place, TripcraftTerms)),
    Step(Event, f"{__name__}:events", (Raw("events", "discovery"), Raw("events", "apify")), per="recipe"),
    Step(TripcraftEvent, f"{__name__}:trip_events", (Event,)),
    Step(
        TripcraftNearestStop,
        f"{__name__}:nearest_stops",
        (TripcraftRestaurant, TripcraftAttraction, TripcraftStay, Stop),
    ),
    Step(TripcraftCityDistance, f"{__name__}:city_distances", (CityDistance,), per="recipe"),
    Step(
        TripcraftTownWays,
        f"{__name__}:town_ways",
        (TripcraftRestaurant, TripcraftAttraction, TripcraftStay, DistanceMatrix),
    ),
    Step(TripcraftDraft, f"{__name__}:drafts", WORLD, per="recipe"),
    Step(
        TripcraftTask, f"{__name__}:tasks", (TripcraftDraft, TripcraftTerms, TripcraftCity), per="recipe", job="wording"
    ),
    Step(TripcraftCertificate, f"{__name__}:certified", (TripcraftTask, TripcraftDraft, *WORLD), per="recipe"),
    Step(
        TripcraftLineage, f"{__name__}:lineage", (TripcraftTask, TripcraftCertificate, TripcraftTownWays), per="recipe"
    ),
    Step(
        TripcraftNearestQuery,
        f"{__name__}:nearest_queries",
        (TripcraftTask, Raw("published_queries", "tripcraft")),
        per="recipe",
    ),
)
