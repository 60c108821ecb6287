"""What the card of a place says."""

from __future__ import annotations

from assets.itinbench.page import _shared_names, meals_by_hour
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


def test_of_two_branches_of_one_name_a_plan_tells_the_addresses():
    def day(lunch: tuple[str, str], dinner: tuple[str, str]) -> dict:
        return {
            key: dict(zip(("name", "address"), at, strict=True)) for key, at in (("lunch", lunch), ("dinner", dinner))
        }

    quay, hill, nook = ("Han", "1 Quay"), ("Han", "2 Hill"), ("Nook", "3 Lane")
    assert _shared_names([day(quay, nook), day(hill, nook)]) == {"Han"}
    assert _shared_names([day(quay, nook)]) == set()
