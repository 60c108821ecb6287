"""What the card of a place says."""

from __future__ import annotations

from assets.itinbench.page import meals_by_hour


def test_meals_stand_in_the_order_of_a_day():
    assert meals_by_hour(["late snack", "dinner", "brunch", "breakfast"]) == [
        "breakfast",
        "brunch",
        "dinner",
        "late snack",
    ]
