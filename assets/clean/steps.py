"""The clean stage's tables, as data: what each reads, the function that makes it, what must hold of it."""

from __future__ import annotations

from assets.clean.business import businesses
from assets.clean.checks import city_has_places_of_every_kind, no_coordinates_outside_the_city
from assets.clean.place import places
from assets.clean.published_rating import published_ratings
from assets.clean.review import reviews
from assets.step import Raw, Step
from schemas.places import Business, Place
from schemas.reviews import PublishedRating, Review

PUBLISHED_TABLES = (Raw("published", "restaurants"), Raw("published", "hotels"), Raw("published", "attractions"))

STEPS = [
    Step(Business, businesses, (Raw("yelp", "business"), Raw("yelp", "fusion"), *PUBLISHED_TABLES), per="recipe"),
    Step(Place, places, (Business,), checks=(city_has_places_of_every_kind, no_coordinates_outside_the_city)),
    Step(Review, reviews, (Raw("yelp", "review"), Place), per="recipe"),
    Step(PublishedRating, published_ratings, (Place, *PUBLISHED_TABLES)),
]
