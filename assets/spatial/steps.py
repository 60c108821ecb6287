"""The spatial stage's tables, as data: nearest stops, road matrices, clusters, distances between cities, maps."""

from __future__ import annotations

from assets.accounts import Keys, Own
from assets.step import Raw, Step
from schemas.places import Place
from schemas.reviews import GuideRating, PlaceRating, TagRating
from schemas.spatial import (
    CityCluster,
    CityCoverage,
    CityDistance,
    CityMap,
    CityNeighbours,
    DistanceMatrix,
    PlaceCluster,
    PlaceNearestStop,
    PlaceServedStop,
)
from schemas.transit import Stop, StopService, TransitFeed, TransitService
from schemas.travel import CityAirport
from schemas.tripadvisor import TripadvisorPlace
from schemas.wikivoyage import WikivoyageListing

EXTRACT = Raw("osm", "extract")
TRANSIT = (Stop, TransitFeed, TransitService, StopService)

NEAR = "assets.spatial.checks:no_stop_beyond_50_km"

STEPS = [
    Step(
        PlaceNearestStop,
        "assets.spatial.served_stops:nearest_stops",
        (Place, Stop),
        checks=("assets.spatial.checks:feed_belongs_to_the_city", NEAR),
        accounts=Keys("place_id", (Place,)),
    ),
    Step(
        PlaceServedStop,
        "assets.spatial.served_stops:served_stops",
        (Place, PlaceNearestStop, Stop, TransitService, StopService),
        checks=(NEAR,),
        accounts=Keys("place_id", (PlaceNearestStop,)),
    ),
    Step(
        DistanceMatrix,
        "assets.spatial.matrix_pool:road_matrices",
        (Place, EXTRACT),
        checks=(
            "assets.spatial.checks:all_pairs_are_reachable",
            "assets.spatial.checks:places_snap_to_the_network",
        ),
        accounts=Keys("place_id", (Place,)),
    ),
    Step(PlaceCluster, "assets.spatial.clusters:pool_clusters", (Place,), accounts=Keys("place_id", (Place,))),
    Step(CityDistance, "assets.spatial.city_distance:distances_between", per="recipe", accounts=Keys("origin_city_id")),
    Step(  # the cities' own steps read their row of it: the distances grow with the square of the cities
        CityNeighbours,
        "assets.spatial.city_distance:city_neighbours",
        (CityDistance,),
        per="recipe",
        accounts=Keys("city_id", each=True),
    ),
    Step(
        CityCluster,
        "assets.spatial.city_distance:city_cluster",
        (CityDistance,),
        per="recipe",
        accounts=Own("the pairs and triples of cities that are near each other"),
    ),
    Step(
        CityCoverage,
        "assets.spatial.coverage:coverage",
        (
            Place,
            PlaceRating,
            *TRANSIT,
            TripadvisorPlace,
            CityAirport,
            CityNeighbours,
            WikivoyageListing,
            GuideRating,
            TagRating,
        ),
        accounts=Keys("city_id", each=True),
    ),
    Step(CityMap, "assets.spatial.picture:picture", (Place, Stop, PlaceCluster, EXTRACT), accounts=Keys("city_id")),
]
