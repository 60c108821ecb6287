"""A rating is known where its whole interval says the same of what is asked; any other is unknown."""

from __future__ import annotations

import pandas as pd
import pytest

from assets.itinbench.pool import is_sure, rated_places

NAN = float("nan")


@pytest.mark.parametrize(
    ("kind", "low", "high", "sure"),
    [
        ("restaurant", 3.5, 5.0, True),
        ("restaurant", 3.49, 5.0, False),
        ("restaurant", 2.0, 3.5, False),
        ("restaurant", 2.0, 3.49, True),
        ("stay", 3.4, 3.6, False),
        ("attraction", 1.5, 3.0, True),
        ("attraction", 1.4, 3.0, False),
        ("attraction", 0.0, 1.49, True),
        ("attraction", 3.4, 3.6, True),
        ("restaurant", NAN, NAN, True),
        ("stay", None, None, True),
    ],
)
def test_an_interval_is_sure_on_one_side_of_what_is_asked_of_its_kind(kind, low, high, sure):
    assert is_sure(kind, low, high) is sure


def test_an_unsure_rating_is_unknown_in_the_pool_and_a_given_one_is_taken_as_it_is():
    place = {"city_id": "us-town", "place_id": "p:1", "kind": "restaurant", "name": "Alma", "address": "1 High St",
             "lat": 0.5, "lon": 0.5, "stars": 4.0, "price_level": 2, "cuisines": ["Thai"], "meals": ["lunch"],
             "source_rows": ["b"]}  # fmt: skip
    read = {"place_id": "p:1", "rating": 4, "source_rows": ["r"], "generation_ids": []}
    ratings = pd.DataFrame(
        [
            {**read, "attribute": "flavor", "score_low": 3.6, "score_high": 4.4},
            {**read, "attribute": "service", "score_low": 3.0, "score_high": 4.4},
            {**read, "attribute": "value", "score_low": None, "score_high": None},
        ]
    )
    outcome = rated_places(pd.DataFrame([place]), ratings)
    (row,) = outcome.rows.to_dict("records")
    assert {name: row[name] for name in ("flavor", "value")} == {"flavor": 4, "value": 4}
    assert pd.isna(row["service"])
    assert outcome.facts == {"unsure_ratings": 1}
    (rounded,) = rated_places(pd.DataFrame([place]), ratings, are_all_known=True).rows.to_dict("records")
    assert rounded["service"] == 4
