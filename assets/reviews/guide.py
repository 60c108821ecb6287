"""Ratings of a guide's listings, read from what the guide says of each, by rules or by a model."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from assets.reviews import model
from assets.reviews.rating import ENGINE, rate_places, read_by_rules
from assets.step import Outcome
from schemas.wikivoyage import KIND_OF

if TYPE_CHECKING:
    from assets.language.asking import Ask


def guide_ratings(wikivoyage_listing: pd.DataFrame, *, ask: Ask | None) -> Outcome:
    """Return the ratings of the listings that are a restaurant, a stay or an attraction, each with its passages.

    What the guide says of a listing is one voice, as a review is, without stars; it is no sample, so that no rating has
    an interval. What it does not speak of is rejected as `no_evidence`, never taken for silence that denies. Passages
    are characters of the listing's `content`.
    """
    listed = wikivoyage_listing[wikivoyage_listing["kind"].isin(list(KIND_OF))]
    place = pd.DataFrame(
        {
            "city_id": listed["city_id"],
            "place_id": listed["listing_id"],
            "kind": listed["kind"].map(KIND_OF),
            "source_rows": listed["source_rows"],
        }
    )
    text = pd.DataFrame(
        {
            "city_id": listed["city_id"],
            "place_id": listed["listing_id"],
            "review_id": listed["listing_id"],
            "stars": float("nan"),
            "text": listed["content"],
            "source_row": [rows[0] for rows in listed["source_rows"]],
        }
    )
    nonempty_text = text[text["text"].str.strip() != ""]
    reader, engine = (read_by_rules, ENGINE) if ask is None else (model.reader(ask), ask.model)
    rated = rate_places(place, nonempty_text, reader, engine)
    rated.rows = rated.rows.assign(score_low=float("nan"), score_high=float("nan"))
    return rated
