"""Planned drafts: redrawn until there is a witness, counted by what stood in the way, kept while their ground stays."""

from __future__ import annotations

import json
from collections import Counter
from typing import get_args

import pandas as pd
import pytest
from assets.tripcraft.certificates import certificates
from assets.tripcraft.planned import planned
from assets.tripcraft.tasks import tasks

from assets.tripcraft.draft import MOST_UNPLANNED, draft_records
from assets.tripcraft.facts.obstacles import KIND_TEXT, Kind, Obstacle
from assets.tripcraft.section import TripcraftSection
from assets.tripcraft.tables import TripcraftDraft
from schemas.rejection import Reason

SMALL = TripcraftSection(counts={3: {"easy": 2, "medium": 3, "hard": 3}, 5: {"medium": 2}, 7: {"hard": 2}})
SHUT = "Mo-Su off"


@pytest.fixture
def half_closed(frames):
    """Return tables in which most sights and many restaurants of every city are closed, so that many drafts fail."""
    tables = frames()
    sights, meals = tables["attractions"], tables["restaurants"]
    sights["opening_hours"] = [None if i % 8 < 3 else SHUT for i in range(len(sights))]
    meals["opening_hours"] = [None if i % 12 < 10 else SHUT for i in range(len(meals))]
    return tables


def test_every_draft_has_a_witness_that_the_checker_accepts_and_words_that_say_it(half_closed, build):
    reference = build(half_closed)
    outcome = planned(reference, SMALL, seed=3)
    rows = TripcraftDraft.frame(TripcraftDraft.validate(TripcraftDraft.arrow(outcome.rows)))
    assert (len(rows), outcome.rejections, outcome.rows_in) == (12, [], 12)
    worded = tasks(rows, reference, seed=3)
    assert (len(worded.rows), len(worded.rejections)) == (12, 0)
    assert len(certificates(worded.rows, rows, reference).rows) == 12


def test_what_has_no_witness_is_drawn_again_and_counted_by_kind(half_closed, build):
    reference = build(half_closed)
    outcome = planned(reference, SMALL, seed=3)
    roughly = {d.slot.task_id: d for d in draft_records(reference, SMALL, seed=3)}
    again = [row for row in outcome.rows.to_dict("records") if row["attempts"] > roughly[row["task_id"]].attempts]
    assert again
    counted = Counter()
    for row in outcome.rows.to_dict("records"):
        redrawn = json.loads(row["redrawn_json"])
        assert sum(redrawn.values()) == row["attempts"] - 1
        counted.update(redrawn)
    assert outcome.facts["redrawn"] == dict(sorted(counted.items())) and counted["closed"] >= len(again)
    assert outcome.facts["attempts"] == len(outcome.rows) + counted.total()
    assert set(counted) <= set(get_args(Kind))


def test_planning_is_the_same_every_time(half_closed, build):
    once, twice = (planned(build(half_closed), SMALL, seed=3) for _ in range(2))
    pd.testing.assert_frame_equal(once.rows, twice.rows)
    assert once.facts == twice.facts


@pytest.mark.parametrize("variant", ["ours", "released"])
def test_a_recipe_that_no_city_can_meet_names_what_is_missing_and_stops(frames, build, variant):
    tables = frames()
    tables["restaurants"]["opening_hours"] = SHUT
    section = TripcraftSection(counts={3: {"easy": 1}}, variant=variant)
    outcome = planned(build(tables), section, seed=1)
    assert outcome.rows.empty and outcome.rows_in == 1
    (rejected,) = pd.DataFrame(outcome.rejections).to_dict("records")
    assert rejected["reason"] == Reason.UNSATISFIABLE.value
    assert "no choice of places in" in rejected["detail"]
    assert outcome.facts["redrawn"]["closed"] == MOST_UNPLANNED


def test_a_party_of_eight_where_no_stay_holds_eight_books_rooms_or_is_refused_by_name(frames, build):
    tables = frames()
    tables["stays"]["max_occupancy"] = 3
    section = TripcraftSection(counts={3: {"medium": 1}}, people={8: 1.0}, max_attempts=30)
    (row,) = planned(build(tables), section, seed=1).rows.to_dict("records")
    assert json.loads(row["values_json"])["stays"][0]["rooms"] == 3
    released = planned(build(tables), section.model_copy(update={"variant": "released"}), seed=1)
    assert released.rows.empty and released.facts["redrawn"] == {"published_minimum": 30}
    assert pd.DataFrame(released.rejections)["detail"].str.startswith("no stays to estimate a budget from").all()
    tables["stays"]["house_rules"] = [["No pets"]] * len(tables["stays"])
    pets = {"counts": {3: {"medium": 1}}, "people": {8: 1.0}, "max_attempts": 20, "weights_medium": {"house_rule": 1.0}}
    asked = planned(build(tables), TripcraftSection.model_validate(pets), seed=1)
    assert asked.facts["redrawn"].keys() <= {"no_stay"}


def test_a_witness_is_kept_while_what_it_rests_on_stays(frames, build, world):
    section = TripcraftSection(counts={3: {"easy": 3}, 7: {"easy": 1}})
    first = planned(world, section, seed=3).rows
    mark = [json.dumps({**json.loads(text), "remark": "kept"}) for text in first["values_json"]]
    marked = first.assign(values_json=mark)

    def kept(tables):
        rows = planned(build(tables), section, seed=3, previous=marked).rows
        return [json.loads(text)["remark"] == "kept" for text in rows["values_json"]]

    assert kept(frames()) == [True] * 4
    other = frames()
    other["restaurants"].loc[other["restaurants"]["city_id"] == "dunmere", "rating"] = 1.0
    leads = ["dunmere" in where for where in first["city_id"]]
    assert kept(other) == [not through for through in leads] and any(leads) and not all(leads)
    routed = pd.DataFrame({"city_id": ["dunmere"], "place_id": ["dunmere-r00"], "times_s": [[0.0]], "router": ["r"]})
    assert kept(frames() | {"town_ways": routed}) == [not through for through in leads]
    cheaper = frames()
    cheaper["flights"]["price"] -= 1
    assert kept(cheaper) == [False] * 4


def test_every_kind_of_obstacle_is_described_and_is_text():
    assert set(KIND_TEXT) == set(get_args(Kind))
    assert all(text.endswith(".") for text in KIND_TEXT.values())
    assert f"{Obstacle('closed', 'shut')}" == "shut" and Obstacle("closed", "shut").kind == "closed"
