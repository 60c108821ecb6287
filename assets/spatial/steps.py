"""The spatial stage's tables, as data: nearest stops, road matrices, clusters, distances between cities, maps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assets.step import Outcome, Raw, RawFile, Requirement, Step, Verdict
from schemas.places import Place
from schemas.recipe import City, SpatialSection
from schemas.reviews import PlaceRating
from schemas.spatial import (
    CityCluster,
    CityCoverage,
    CityDistance,
    CityMap,
    DistanceMatrix,
    PlaceCluster,
    PlaceNearestStop,
    PlaceServedStop,
)
from schemas.transit import Stop, StopService, TransitFeed, TransitService
from schemas.travel import CityAirport
from schemas.tripadvisor import TripadvisorPlace

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa


def nearest(place: pd.DataFrame, stop: pd.DataFrame) -> Outcome:
    """Return each place's nearest boardable stop by WGS84 geodesic, in metres; a tie goes to the lowest stop_id."""
    from assets.spatial.served import nearest_stops

    return nearest_stops(place, stop)


def served(
    place: pd.DataFrame,
    nearest: pd.DataFrame,
    stop: pd.DataFrame,
    service: pd.DataFrame,
    departures: pd.DataFrame,
    *,
    spatial: SpatialSection | None,
) -> Outcome:
    """Return each pooled place's nearest stop with a departure on each trip date; a date without service has no row."""
    from assets.spatial.served import served_stops

    near_some_stop = place[place["place_id"].isin(nearest["place_id"])]
    return served_stops(near_some_stop, stop, service, departures, spatial or SpatialSection())


def matrix(place: pd.DataFrame, extracts: list[RawFile], *, city: City, spatial: SpatialSection | None) -> Outcome:
    """Return road distances (m) and times (s) between the places that tasks can use, by the recipe's router."""
    from assets.spatial.matrix_pool import road_matrices

    # A recipe without [spatial] names no router, and asks for no roads.
    return road_matrices(place, extracts if spatial else [], city, spatial or SpatialSection())


def clusters(place: pd.DataFrame, *, seed: int, spatial: SpatialSection | None) -> pd.DataFrame:
    """Return the part of town each pooled place belongs to: seeded k-means on projected metres."""
    from assets.spatial.clusters import place_cluster
    from assets.spatial.matrix_pool import matrix_pool

    return place_cluster(matrix_pool(place, (spatial or SpatialSection()).pool_size), seed=seed)


def city_distances(*, cities: list[City], spatial: SpatialSection | None) -> pd.DataFrame:
    """Return the distance of each ordered pair of cities: of the recipe's OSRM server, else a marked estimate."""
    from assets.spatial.city_distance import distances_between

    return distances_between(cities, spatial.server if spatial else None)


def city_clusters(distances: pd.DataFrame) -> pd.DataFrame:
    """Return the groups of two or three cities that are near enough to be one trip."""
    from assets.spatial.city_distance import city_cluster

    return city_cluster(distances)


def drawn(
    place: pd.DataFrame,
    stop: pd.DataFrame,
    cluster: pd.DataFrame,
    extracts: list[RawFile],
    *,
    city: City,
    spatial: SpatialSection | None,
) -> pd.DataFrame:
    """Return the map of the city, drawn from our own data."""
    from assets.spatial.picture import picture

    return picture(place, stop, cluster, extracts, city, spatial or SpatialSection())


def coverage(
    place: pd.DataFrame,
    rating: pd.DataFrame,
    stop: pd.DataFrame,
    feed: pd.DataFrame,
    service: pd.DataFrame,
    departures: pa.Table,
    listed: pd.DataFrame,
    airport: pd.DataFrame,
    distance: pd.DataFrame,
    *,
    city: City,
    spatial: SpatialSection | None,
    requirements: list[Requirement],
) -> pd.DataFrame:
    """Return what the city can support: every requirement of every family, met or the reason why not."""
    from assets.spatial.coverage import (
        SERVED_DATES,
        city_counts,
        city_coverage,
        served_dates,
        trip_counts,
        why_not_served,
    )

    dates = (spatial or SpatialSection()).trip_dates
    served = served_dates(dates, service, set(departures["service_id"].unique().to_pylist()))
    found = city_counts(place, rating, stop, feed, served)
    counts = {city.city_id: found | trip_counts(place, listed, airport, distance, city.city_id)}
    asked, details = {SERVED_DATES: len(set(dates))}, {SERVED_DATES: why_not_served(dates, served, feed)}
    return city_coverage(counts, requirements, asked, details)


def feed_belongs_to_the_city(nearest: pd.DataFrame, *, spatial: SpatialSection | None) -> Verdict:
    """A feed of the wrong city puts nearly every place far from every stop (defect T13)."""
    from assets.spatial import checks

    return checks.feed_belongs_to_the_city(nearest, (spatial or SpatialSection()).least_near_stop)


def no_stop_beyond_50_km(nearest: pd.DataFrame) -> Verdict:
    """A place whose nearest stop is beyond 50 km is in another city than the feed: two homonyms are mixed (T13)."""
    from assets.spatial import checks

    return checks.no_stop_beyond_50_km(nearest)


def all_pairs_are_reachable(matrix: pa.Table) -> Verdict:
    """Places between which no road leads make trips impossible: they are rejected, by name."""
    from assets.spatial import checks

    return checks.all_pairs_are_reachable(matrix)


def places_snap_to_the_network(matrix: pa.Table) -> Verdict:
    """Ways begin and end at a road: where it is far from the place, their length says nothing of the place."""
    from assets.spatial import checks

    return checks.places_snap_to_the_network(matrix)


EXTRACT = Raw("osm", "extract")

STEPS = [
    Step(PlaceNearestStop, nearest, (Place, Stop), checks=(feed_belongs_to_the_city, no_stop_beyond_50_km)),
    Step(
        PlaceServedStop,
        served,
        (Place, PlaceNearestStop, Stop, TransitService, StopService),
        checks=(no_stop_beyond_50_km,),
    ),
    Step(DistanceMatrix, matrix, (Place, EXTRACT), checks=(all_pairs_are_reachable, places_snap_to_the_network)),
    Step(PlaceCluster, clusters, (Place,)),
    Step(CityDistance, city_distances, per="recipe"),
    Step(CityCluster, city_clusters, (CityDistance,), per="recipe"),
    Step(
        CityCoverage,
        coverage,
        (
            Place,
            PlaceRating,
            Stop,
            TransitFeed,
            TransitService,
            StopService,
            TripadvisorPlace,
            CityAirport,
            CityDistance,
        ),
    ),
    Step(CityMap, drawn, (Place, Stop, PlaceCluster, EXTRACT)),
]
