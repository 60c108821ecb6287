"""The stage that reads reviews, as data: which tables its steps read and write, and what must hold of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assets.reviews.checks import (
    every_mention_has_a_passage,
    most_attributes_of_a_rated_place_are_rated,
    ratings_tell_places_apart,
)
from assets.step import Outcome, Step
from schemas.places import Place
from schemas.reviews import PlaceRating, Review

if TYPE_CHECKING:
    import pandas as pd


def rate_places(place: pd.DataFrame, review: pd.DataFrame) -> Outcome:
    """Return every place's ratings, read by rules from its kept reviews, each with the passages it rests on."""
    from assets.reviews import rating

    return rating.rate_places(place, review)


STEPS = [
    Step(
        output=PlaceRating,
        run=rate_places,
        inputs=(Place, Review),
        per="city",
        checks=(
            ratings_tell_places_apart,
            every_mention_has_a_passage,
            most_attributes_of_a_rated_place_are_rated,
        ),
    )
]
