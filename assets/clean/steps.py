"""The clean stage's tables, as data: what each reads, the function that makes it, what must hold of it."""

from __future__ import annotations

from assets.accounts import Keys, Own, Rows
from assets.clean.price_steps import PRICE_STEPS
from assets.clean.travel_steps import TRAVEL_STEPS
from assets.step import Raw, Step
from schemas.osm import OsmPlace
from schemas.overture import OverturePlace
from schemas.places import Business, Place
from schemas.reviews import PublishedRating, Review
from schemas.stays import Stay
from schemas.transit import Stop, StopService, TransitFeed, TransitRoute, TransitService
from schemas.wikivoyage import WikivoyageListing, WikivoyageMatch

PUBLISHED_TABLES = (Raw("published", "restaurants"), Raw("published", "hotels"), Raw("published", "attractions"))

FEED, EXTRACT = Raw("gtfs", "feed"), Raw("osm", "extract")

STEPS = [
    Step(
        Business,
        "assets.clean.business:businesses",
        (Raw("yelp", "business"), Raw("yelp", "fusion"), *PUBLISHED_TABLES),
        per="recipe",
        accounts="records",
    ),
    Step(OsmPlace, "assets.clean.open_data:osm_places", (EXTRACT,), accounts="records"),
    Step(
        Stay,
        "assets.clean.open_data:stays",
        (Raw("airbnb", "listings"), Raw("airbnb", "apify")),
        accounts="records",
    ),
    Step(OverturePlace, "assets.clean.open_data:overture_places", (Raw("overture", "places"),), accounts="records"),
    Step(
        Place,
        "assets.clean.place_union:city_places",
        (Business, OsmPlace, Stay, OverturePlace),
        checks=("assets.clean.checks:no_coordinates_outside_the_city",),
        sources="assets.clean.sources:place",
        accounts=Rows((Business, OsmPlace, Stay, OverturePlace)),
    ),
    Step(Review, "assets.clean.review:reviews", (Raw("yelp", "review"), Place), per="recipe", accounts="records"),
    Step(
        PublishedRating,
        "assets.clean.published_rating:published_ratings",
        (Place, *PUBLISHED_TABLES),
        accounts=Keys("place_id", (Place,)),
    ),
    Step(Stop, "assets.clean.open_data:stops", (FEED, EXTRACT), accounts="records"),
    Step(TransitFeed, "assets.clean.open_data:feeds", (FEED,), accounts=Own("one row a feed, of all its members")),
    Step(TransitRoute, "assets.clean.open_data:routes", (FEED,), accounts="records"),
    Step(
        TransitService,
        "assets.clean.open_data:services",
        (FEED,),
        accounts=Own("a service's days, of all rows of calendar.txt and calendar_dates.txt about it"),
    ),
    Step(
        StopService,
        "assets.clean.open_data:departures",
        (FEED,),
        accounts=Own("a service's departures at a stop, of all rows of stop_times.txt and frequencies.txt about them"),
    ),
    Step(
        WikivoyageListing,
        "assets.clean.wikivoyage:wikivoyage_listings",
        (Raw("wikivoyage", "pages"),),
        accounts="records",
    ),
    Step(
        WikivoyageMatch,
        "assets.clean.wikivoyage:wikivoyage_matches",
        (WikivoyageListing, Place, OsmPlace),
        accounts=Keys("listing_id", (WikivoyageListing,)),
    ),
    *TRAVEL_STEPS,
    *PRICE_STEPS,
]
