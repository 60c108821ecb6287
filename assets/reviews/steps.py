"""The stage that reads reviews, as data: which tables its steps read and write, and what must hold of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assets.reviews.checks import (
    every_mention_has_a_passage,
    most_attributes_of_a_rated_place_are_rated,
    ratings_tell_places_apart,
)
from assets.step import Outcome, Raw, RawFile, Step
from schemas.places import Place
from schemas.reviews import PlaceRating, PublishedRating, RatingQuality, Review

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

    from assets.language.asking import Ask


def rate_places(
    place: pd.DataFrame, review: pd.DataFrame, published_rating: pd.DataFrame, *, ask: Ask | None
) -> Outcome:
    """Return every place's ratings: published where there are any, else read in its reviews by rules or a model."""
    from assets.reviews import model, rating

    if ask is None:
        return rating.rate_unrated_places(place, review, published_rating)
    return rating.rate_unrated_places(place, review, published_rating, model.reader(ask), ask.model)


def rating_quality(
    place_rating: pd.DataFrame, place: pd.DataFrame, review: pa.Table, truth: list[RawFile]
) -> pd.DataFrame:
    """Return how near the ratings are to the planted truth of an invented world; nothing where there is none."""
    from assets.reviews import quality

    return quality.quality_rows(place_rating, place, review, truth)


STEPS = [
    Step(
        output=PlaceRating,
        run=rate_places,
        inputs=(Place, Review, PublishedRating),
        per="city",
        checks=(
            ratings_tell_places_apart,
            every_mention_has_a_passage,
            most_attributes_of_a_rated_place_are_rated,
        ),
        job="reviews",
    ),
    Step(RatingQuality, rating_quality, (PlaceRating, Place, Review, Raw("invented", "truth")), per="recipe"),
]
