"""The pool with what the map's tags say of it: prose first, each in its own table, joined by key."""

from __future__ import annotations

import json

import pandas as pd
import pytest

from assets.itinbench.contexts import TAGS_SAY, all_data, contexts, tag_items
from assets.itinbench.evidence import told_by_tags, with_tags
from assets.itinbench.export import LICENCES, export
from assets.itinbench.first_recipe import evidence
from assets.itinbench.measures import _evidence
from assets.itinbench.pool import RATED
from assets.itinbench.tables import ItinbenchContext, ItinbenchPlace
from assets.rows import ReleaseTables
from schemas.reviews import TagRating

PLACE = {"city_id": "c", "native_id": "B~1", "address": "", "lat": 42.0, "lon": -71.0, "stars": None, "price_level": 1,
         "cuisine_1": "", "cuisine_2": "", "meals": [], "source_rows": [], "generation_ids": []}  # fmt: skip
COLUMNS = [column.name for column in ItinbenchPlace.columns()]


def pool(*rows) -> pd.DataFrame:
    """Return places of (place_id, kind, ratings)."""
    made = [
        {**PLACE, "place_id": place_id, "kind": kind, "name": f"Guide's {place_id}", **dict.fromkeys(RATED), **ratings}
        for place_id, kind, ratings in rows
    ]
    return pd.DataFrame(made, columns=COLUMNS).astype(dict.fromkeys(("price_level", *RATED), "Int64"))


def tags(*rows) -> pd.DataFrame:
    """Return rows of (city_id, listing_id, attribute, rating)."""
    names = ["city_id", "listing_id", "attribute", "rating", "tag", "name", "lat", "lon", "source_rows"]
    said = [(*row, "key=value", "Map's, the", 42.5, -71.5, ["p"]) for row in rows]
    return pd.DataFrame(said, columns=names)


SEE = pool(("wikivoyage:B~1", "attraction", {"history": 1}), ("wikivoyage:B~2", "attraction", {}))
SAID = tags(("c", "B~1", "history", 3), ("c", "B~1", "nature", 2), ("c", "B~2", "history", 3))


def given(said: pd.DataFrame) -> ReleaseTables:
    """Return a release of these places without a task that has a witness."""
    shared = pd.DataFrame([{"city_id": "c", "task_id": "", "setting": "all_data", "content": "[]"}])
    return ReleaseTables(
        {
            "tasks": pd.DataFrame({"city_id": ["c"], "task_id": ["t"]}),
            "certificates": pd.DataFrame({"task_id": [], "plan": []}),
            ItinbenchPlace.table_name(): SEE,
            TagRating.table_name(): said,
            ItinbenchContext.table_name(): shared,
        }
    )


def test_prose_counts_before_a_tag_and_a_tag_where_prose_is_silent():
    known = with_tags(SEE, SAID)
    assert known["history"].tolist() == [1, 3]
    assert known["nature"].tolist() == [2, pd.NA]
    assert known["food"].isna().all()


def test_the_pool_s_own_rows_stay_as_they_are():
    before = SEE.copy(deep=True)
    with_tags(SEE, SAID)
    pd.testing.assert_frame_equal(SEE, before)


@pytest.mark.parametrize(
    "row",
    [
        ("d", "B~2", "history", 3),  # of another city
        ("c", "B~9", "history", 3),  # of no place of the pool
        ("c", "B~2", "quality", 3),  # of no attraction
    ],
)
def test_a_tag_of_another_place_says_nothing(row):
    assert told_by_tags(SEE, tags(row)) == {}
    assert with_tags(SEE, tags(row)) is SEE


def test_a_place_that_is_no_listing_is_not_rated_by_tags_of_one():
    """Recipes whose places are their own may bind a guide too; its listings are then none of theirs."""
    own = pool(("B~1", "attraction", {}), ("wikivoyage.B~1", "attraction", {}))
    assert told_by_tags(own, tags(("c", "B~1", "history", 3))) == {}


def test_the_card_tells_of_how_many_places_prose_speaks_and_of_how_many_tags_alone():
    rows = {row["attribute"]: row for row in _evidence(SEE, with_tags(SEE, SAID))}
    counted = ("places", "by_prose", "by_tags", "unknown", "meet_it")
    assert {name: tuple(rows[name][count] for count in counted) for name in ("history", "nature", "food")} == {
        "history": (2, 1, 1, 0, 1),
        "nature": (2, 0, 1, 1, 1),
        "food": (2, 0, 0, 2, 0),
    }


def test_people_are_told_it_for_all_cities_together():
    rows = _evidence(SEE, with_tags(SEE, SAID))
    again = [{**row, "city": "d"} for row in rows]
    (history,) = [row for row in evidence({"evidence": rows + again}) if row["attribute"] == "history"]
    assert history == {
        "kind": "attraction", "attribute": "history", "places": 4, "by prose": 2, "by tags": 2, "unknown": 0,
        "meet it": 2,
    }  # fmt: skip


def test_the_whole_data_has_the_map_s_words_in_an_item_of_their_own():
    (item,) = tag_items(told_by_tags(SEE, SAID))
    assert item["Description"] == TAGS_SAY
    first, *lines = item["Content"].removesuffix(". ").split(". ")
    assert first == "name,lat,lon,tag,says"
    assert lines == [
        '"Map\'s, the",42.5,-71.5,key=value,medium nature oriented',
        '"Map\'s, the",42.5,-71.5,key=value,high history oriented',
    ]
    assert "Guide" not in json.dumps(item)
    assert tag_items({}) == []


def test_in_the_whole_data_no_line_of_the_guide_holds_what_a_tag_says():
    (row,) = contexts([], given(SAID)).to_dict("records")
    *guide, said = json.loads(row["content"])
    assert guide == all_data(SEE)
    assert said == tag_items(told_by_tags(SEE, SAID))[0]


@pytest.mark.parametrize(("said", "is_joined"), [(SAID, True), (SAID.head(0), False)])
def test_an_export_that_joins_two_licences_says_so(said, is_joined):
    files = export(given(said))
    assert (LICENCES in files) == is_joined
    levels = [json.loads(line)["history oriented"] for line in files["attractions.jsonl"].splitlines()]
    assert levels == ["low history oriented", "high history oriented" if is_joined else "Not Applicable"]
