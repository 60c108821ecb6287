"""What the card of a place says."""

from __future__ import annotations

from assets.itinbench.page import meals_by_hour
from schemas.places import MEALS


def test_meals_stand_in_the_order_of_a_day():
    assert meals_by_hour(["aperitif", *MEALS]) == [
        "breakfast",
        "brunch",
        "lunch",
        "dinner",
        "dessert",
        "latenight",
        "aperitif",
    ]
