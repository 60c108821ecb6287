"""The stage that reads reviews, as data: which tables its steps read and write, and what must hold of them."""

from __future__ import annotations

from assets.accounts import Keys, Own
from assets.step import Raw, Step
from schemas.osm import OsmPlace
from schemas.places import Place
from schemas.reviews import (
    GuideRating,
    PlaceRating,
    PublishedRating,
    RatingQuality,
    ReadingQuality,
    Review,
    ReviewReader,
    TagRating,
)
from schemas.wikivoyage import WikivoyageListing, WikivoyageMatch

STEPS = [
    Step(
        ReviewReader,
        "assets.reviews.learning:review_reader",
        (Raw("labelled", "train"),),
        per="recipe",
        accounts=Own("weights, learned of all labelled sentences together"),
    ),
    Step(
        ReadingQuality,
        "assets.reviews.learning:measured",
        (Raw("labelled", "val"), ReviewReader),
        per="recipe",
        accounts=Own("counts over all labelled sentences"),
    ),
    Step(
        output=PlaceRating,
        run="assets.reviews.engines:place_ratings",
        inputs=(Place, Review, PublishedRating, ReviewReader, ReadingQuality),
        per="city",
        checks=(
            "assets.reviews.checks:ratings_tell_places_apart",
            "assets.reviews.checks:every_mention_has_a_passage",
            "assets.reviews.checks:most_attributes_of_a_rated_place_are_rated",
        ),
        job="reviews",
        accounts=Keys("place_id", (Place,)),
    ),
    Step(
        GuideRating,
        "assets.reviews.guide:guide_ratings",
        (WikivoyageListing,),
        checks=("assets.reviews.checks:every_mention_has_a_passage",),
        job="reviews",
        accounts=Keys("place_id", (WikivoyageListing,), "listing_id"),
    ),
    Step(
        TagRating,
        "assets.reviews.tags:tag_ratings",
        (WikivoyageListing, WikivoyageMatch, Place, OsmPlace),
        sources="assets.reviews.tags:tag_rating",
        accounts=Keys("listing_id", (WikivoyageListing,)),
    ),
    Step(
        RatingQuality,
        "assets.reviews.quality:quality_rows",
        (PlaceRating, Place, Review, ReadingQuality, Raw("invented", "truth")),
        per="recipe",
        accounts=Own("counts over all ratings of a kind"),
    ),
]
