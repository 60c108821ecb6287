"""Ratings by the engine that the recipe chooses: a model where it names one, else learned weights, else rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assets.reviews import learning, model, rating
from assets.step import Outcome

if TYPE_CHECKING:
    import pandas as pd

    from assets.language.asking import Ask


def place_ratings(
    place: pd.DataFrame,
    review: pd.DataFrame,
    published_rating: pd.DataFrame,
    review_reader: pd.DataFrame,
    reading_quality: pd.DataFrame,
    *,
    ask: Ask | None,
) -> Outcome:
    """Return every place's ratings: published where there are any, else read by rules, learned weights or a model."""
    if ask is None:
        return learning.rate_unrated_places(place, review, published_rating, review_reader, reading_quality)
    return rating.rate_unrated_places(place, review, published_rating, model.reader(ask), ask.model)
