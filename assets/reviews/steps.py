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
from schemas.reviews import PlaceRating, PublishedRating, RatingQuality, ReadingQuality, Review, ReviewReader

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

    from assets.language.asking import Ask
    from schemas.recipe import Engines


def review_reader(train: list[RawFile], *, engines: Engines) -> Outcome:
    """Return the weights learned from labelled sentences for the engine `learned`; no rows where it does not read."""
    from assets.reviews import learning

    return learning.review_reader(train, engines.reviews)


def reading_quality(val: list[RawFile], review_reader: pd.DataFrame) -> pd.DataFrame:
    """Return how rules, and learned weights where there are any, read labelled sentences that nothing learned from."""
    from assets.reviews import learning

    return learning.measured(val, review_reader)


def rate_places(
    place: pd.DataFrame,
    review: pd.DataFrame,
    published_rating: pd.DataFrame,
    review_reader: pd.DataFrame,
    reading_quality: pd.DataFrame,
    *,
    ask: Ask | None,
) -> Outcome:
    """Return every place's ratings: published where there are any, else read by rules, learned weights or a model."""
    from assets.reviews import learning, model, rating

    if ask is not None:
        return rating.rate_unrated_places(place, review, published_rating, model.reader(ask), ask.model)
    return learning.rate_unrated_places(place, review, published_rating, review_reader, reading_quality)


def rating_quality(
    place_rating: pd.DataFrame,
    place: pd.DataFrame,
    review: pa.Table,
    reading_quality: pd.DataFrame,
    truth: list[RawFile],
) -> pd.DataFrame:
    """Return how well places are rated: against a planted truth, labelled sentences, the stars, a second reader."""
    from assets.reviews import quality

    return quality.quality_rows(place_rating, place, review, reading_quality, truth)


STEPS = [
    Step(ReviewReader, review_reader, (Raw("labelled", "train"),), per="recipe"),
    Step(ReadingQuality, reading_quality, (Raw("labelled", "val"), ReviewReader), per="recipe"),
    Step(
        output=PlaceRating,
        run=rate_places,
        inputs=(Place, Review, PublishedRating, ReviewReader, ReadingQuality),
        per="city",
        checks=(
            ratings_tell_places_apart,
            every_mention_has_a_passage,
            most_attributes_of_a_rated_place_are_rated,
        ),
        job="reviews",
    ),
    Step(
        RatingQuality,
        rating_quality,
        (PlaceRating, Place, Review, ReadingQuality, Raw("invented", "truth")),
        per="recipe",
    ),
]
