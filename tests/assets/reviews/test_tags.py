"""What tags say of places by the declared rules, and that they say it in rows of the map's alone."""

from __future__ import annotations

import pandas as pd
import pyarrow as pa
import pytest

from assets.itinbench.candidates import MET_LEVEL
from assets.reviews.tag_rules import RULES, findings
from assets.reviews.tags import tag_rating, tag_ratings
from schemas.osm import OsmPlace
from schemas.places import Place
from schemas.reviews import ATTRIBUTES, TagRating
from schemas.wikivoyage import WikivoyageListing, WikivoyageMatch
from sources.osm.tags import RULES as CLASSES
from tests.assets.clean.test_wikivoyage import frame, listing, place


def found(kind, *tags, stars=None):
    return {(f.attribute, f.rating, f.tag) for f in findings(kind, tags, stars)}


@pytest.mark.parametrize(
    ("tags", "expected"),
    [
        (("historic=castle",), {("history", 3, "historic=castle")}),
        (("tourism=museum", "historic=memorial"), {("history", 2, "historic=memorial")}),
        (("historic=memorial", "historic=tomb"), {("history", 3, "historic=tomb")}),
        (("leisure=park", "tourism=zoo"), {("nature", 2, "leisure=park")}),
        (("leisure=nature_reserve", "leisure=garden"), {("nature", 3, "leisure=nature_reserve")}),
        (("shop=mall", "historic=palace"), {("shopping", 3, "shop=mall"), ("history", 3, "historic=palace")}),
        (("leisure=water_park",), {("activity", 3, "leisure=water_park")}),
    ],
)
def test_a_tag_says_what_its_definition_says(tags, expected):
    assert found("attraction", *tags) == expected


@pytest.mark.parametrize(
    "tag",
    ["tourism=museum", "tourism=gallery", "tourism=viewpoint", "tourism=attraction", "tourism=artwork",
     "amenity=theatre", "amenity=place_of_worship", "historic=yes", "leisure=sauna", "castle=historic", "park"],
)  # fmt: skip
def test_a_tag_that_does_not_say_what_a_place_is_for_is_no_evidence(tag):
    assert found("attraction", tag) == set()


@pytest.mark.parametrize(
    ("stars", "quality"), [(None, None), (0.0, None), (0.5, None), (1.0, 1), (3.5, 3), (4.0, 4), (5.0, 5), (7.0, 5)]
)
def test_a_stay_s_class_is_its_quality_and_a_half_star_is_none(stars, quality):
    expected = set() if quality is None else {("quality", quality, f"stars={stars:g}")}
    assert found("stay", "tourism=hotel", stars=stars) == expected


@pytest.mark.parametrize("kind", ["restaurant", "stay"])
def test_what_rates_an_attraction_rates_nothing_else(kind):
    tags = [f"{rule.key}={value}" for rule in RULES for value in rule.values]
    assert found(kind, *tags) == set()
    assert found("restaurant", "amenity=restaurant", stars=3.0) == set()


def test_every_rule_rates_an_orientation_by_a_tag_that_makes_places():
    """A rule over a tag that is never read would say nothing, and nobody would see it."""
    read = {f"{rule.key}={value}" for rule in CLASSES if rule.kind == "attraction" for value in rule.values}
    for rule in RULES:
        assert {f"{rule.key}={value}" for value in rule.values} <= read
        assert rule.orientation in ATTRIBUTES["attraction"] and MET_LEVEL <= rule.degree <= 3
        assert rule.says
        assert rule.page(rule.values[0]).startswith("https://wiki.openstreetmap.org/wiki/Tag:")


def test_rules_of_an_orientation_stand_from_the_highest_degree_down():
    for orientation in ATTRIBUTES["attraction"]:
        degrees = [rule.degree for rule in RULES if rule.orientation == orientation]
        assert degrees == sorted(degrees, reverse=True)


def mapped(number, *tags, kind="attraction", stars=None):
    return {
        **{name: value for name, value in place(number, f"Map's {number}", kind).items() if name in OSM_COLUMNS},
        "tags": list(tags), "hotel_class": stars, "orientations": [], "diets": [],
    }  # fmt: skip


OSM_COLUMNS = {column.name for column in OsmPlace.columns()}


def ratings(listings, places, elements, matches):
    rows = [
        {"city_id": "c", "listing_id": f"B~{n}", "place_id": f"osm:node/{p}", "matched_by": "name"} for n, p in matches
    ]
    outcome = tag_ratings(
        frame(WikivoyageListing, listings),
        frame(WikivoyageMatch, rows),
        frame(Place, places),
        frame(OsmPlace, elements),
    )
    made = outcome.rows
    assert isinstance(made, pa.Table)
    TagRating.validate(made)
    return pa.Table.to_pylist(made)


def test_a_listing_has_what_the_tags_of_its_own_place_say_and_nothing_of_the_guide_stands_there():
    listings = [listing(1, "Old Keep"), listing(2, "Far Hill"), listing(3, "Unmapped")]
    elements = [mapped(1, "historic=castle"), mapped(2, "tourism=viewpoint"), mapped(3, "leisure=park")]
    (row,) = ratings(listings, [place(n, "x") for n in (1, 2, 3)], elements, [(1, 1), (2, 2)])
    assert (row["listing_id"], row["attribute"], row["rating"]) == ("B~1", "history", 3)
    assert (row["name"], row["tag"]) == ("Map's 1", "historic=castle")
    assert row["source_rows"] == elements[0]["source_rows"]


def test_tags_of_another_kind_of_place_say_nothing_of_a_listing():
    """Equal Wikidata ids join whatever the kinds: a palace to see that is mapped as a hotel has no rooms of a class."""
    hotel = mapped(1, "tourism=hotel", kind="stay", stars=4.0)
    palace = place(1, "Palace", kind="stay")
    assert ratings([listing(1, "Palace", kind="see")], [palace], [hotel], [(1, 1)]) == []
    (row,) = ratings([listing(1, "Palace", kind="sleep")], [palace], [hotel], [(1, 1)])
    assert (row["attribute"], row["rating"], row["tag"]) == ("quality", 4, "stars=4")


def test_of_several_elements_of_one_place_the_highest_counts_with_its_own_pointer():
    one = place(1, "Keep")
    one["source_rows"] = [*one["source_rows"], *place(2, "")["source_rows"]]
    elements = [mapped(1, "historic=memorial", "leisure=park"), mapped(2, "historic=castle", "leisure=garden")]
    rows = {row["attribute"]: row for row in ratings([listing(1, "Keep")], [one], elements, [(1, 1)])}
    assert (rows["history"]["rating"], rows["history"]["source_rows"]) == (3, elements[1]["source_rows"])
    assert (rows["nature"]["tag"], rows["nature"]["source_rows"]) == ("leisure=park", elements[0]["source_rows"])


def test_a_row_may_hold_what_the_rules_find_in_its_record_alone():
    record = mapped(1, "historic=castle", "shop=gift")
    assert tag_rating({"attribute": "history"}, [record]) == {"tag": ["historic=castle"], "rating": [3]}
    assert tag_rating({"attribute": "nature"}, [record]) == {"tag": [], "rating": []}


def test_without_a_guide_there_is_nothing_to_rate():
    none = pd.DataFrame()
    matches = WikivoyageMatch.frame(WikivoyageMatch.arrow_schema().empty_table())
    made = tag_ratings(none, matches, none, none).rows
    assert isinstance(made, pa.Table)
    assert len(made) == 0
