"""The clean stage's tables, as data: what each reads, the function that makes it, what must hold of it."""

from __future__ import annotations

from assets.clean.business import businesses
from assets.clean.checks import no_coordinates_outside_the_city
from assets.clean.open_data import departures, feeds, osm_places, overture_places, routes, services, stays, stops
from assets.clean.place_union import city_places
from assets.clean.price_steps import PRICE_STEPS
from assets.clean.published_rating import published_ratings
from assets.clean.review import reviews
from assets.clean.travel_steps import TRAVEL_STEPS
from assets.clean.wikivoyage import wikivoyage_listings, wikivoyage_matches
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
    Step(Business, businesses, (Raw("yelp", "business"), Raw("yelp", "fusion"), *PUBLISHED_TABLES), per="recipe"),
    Step(OsmPlace, osm_places, (EXTRACT,)),
    Step(Stay, stays, (Raw("airbnb", "listings"), Raw("airbnb", "apify"))),
    Step(OverturePlace, overture_places, (Raw("overture", "places"),)),
    Step(Place, city_places, (Business, OsmPlace, Stay, OverturePlace), checks=(no_coordinates_outside_the_city,)),
    Step(Review, reviews, (Raw("yelp", "review"), Place), per="recipe"),
    Step(PublishedRating, published_ratings, (Place, *PUBLISHED_TABLES)),
    Step(Stop, stops, (FEED, EXTRACT)),
    Step(TransitFeed, feeds, (FEED,)),
    Step(TransitRoute, routes, (FEED,)),
    Step(TransitService, services, (FEED,)),
    Step(StopService, departures, (FEED,)),
    Step(WikivoyageListing, wikivoyage_listings, (Raw("wikivoyage", "pages"),)),
    Step(WikivoyageMatch, wikivoyage_matches, (WikivoyageListing, Place, OsmPlace)),
    *TRAVEL_STEPS,
    *PRICE_STEPS,
]
