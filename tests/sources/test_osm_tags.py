"""What kind of place tags make of an element, and which of the published categories."""

from __future__ import annotations

import pytest

from schemas.osm import ATTRACTION_CATEGORIES
from sources.osm.tags import PLACE_KEYS, RULES, classify


@pytest.mark.parametrize(
    ("tags", "kind", "categories"),
    [
        ({"tourism": "hostel"}, "stay", ()),
        ({"amenity": "cafe", "tourism": "attraction"}, "restaurant", ()),
        ({"amenity": "pub"}, "attraction", ("Nightlife",)),
        ({"tourism": "museum", "historic": "castle"}, "attraction", ("Museums", "Sights & Landmarks")),
        ({"tourism": "viewpoint;yes"}, "attraction", ("Sights & Landmarks",)),
        ({"amenity": "place_of_worship", "wikidata": "Q1"}, "attraction", ("Sights & Landmarks",)),
        ({"leisure": "sports_centre", "sport": "tennis;sailing"}, "attraction", ("Boat Tours & Water Sports",)),
        ({"historic": "memorial", "memorial": "statue"}, "attraction", ("Sights & Landmarks",)),
        ({"tourism": "artwork", "historic": "memorial", "memorial": "plaque"}, "attraction", ("Sights & Landmarks",)),
    ],
)
def test_tags_are_classified_by_the_declared_table(tags, kind, categories):
    found = classify(tags)
    assert found is not None
    assert (found.kind, found.categories) == (kind, categories)


@pytest.mark.parametrize(
    "tags",
    [
        {"amenity": "place_of_worship"},
        {"leisure": "sports_centre"},
        {"tourism": "information"},
        {"name": "x"},
        {},
        {"historic": "memorial", "memorial": "stolperstein"},
        {"historic": "memorial", "memorial:type": "stolperstein"},
        {"historic": "memorial", "memorial": "bench;plaque", "wikidata": "Q1"},
    ],
)
def test_other_tags_are_no_place(tags):
    assert classify(tags) is None


def test_every_category_of_tripcraft_can_come_from_a_tag_and_every_orientation_too():
    assert {rule.category for rule in RULES if rule.kind == "attraction"} == set(ATTRACTION_CATEGORIES)
    assert {o for rule in RULES for o in rule.orientations} == {
        "family", "history", "activity", "nature", "food", "shopping",
    }  # fmt: skip
    assert set(PLACE_KEYS) == {rule.key for rule in RULES}
