"""Planned drafts: redrawn until there is a witness, counted by what stood in the way, kept while their ground stays."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pandas as pd
import pytest

from assets.core import drafting
from assets.core.certifying import certificates
from assets.core.wording import tasks
from assets.tripcraft.facts.obstacles import KIND_TEXT, Kind, Obstacle
from assets.tripcraft.family import FAMILY
from assets.tripcraft.section import TripcraftSection
from schemas.rejection import Reason
from tests.arrow import arrow
from tests.assets.tripcraft.witnesses import drafted, roughly, step_of

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


def worded(rows, reference, seed):
    """Return the drafts' tasks, by the family's functions."""
    step, uses = step_of(FAMILY.tables.task)
    return tasks(arrow(step.tables[0], rows), step=step, uses=uses, world=reference, section=SMALL, seed=seed, ask=None)


def certified(task, rows):
    """Return the tasks' certificates."""
    step, uses = step_of(FAMILY.tables.certificate)
    given = (arrow(table, rows) for table, rows in zip(step.tables, (task, rows), strict=True))
    return certificates(*given, step=step, uses=uses, checks=list(FAMILY.checks)).rows


def test_every_draft_has_a_witness_that_the_checker_accepts_and_words_that_say_it(half_closed, build):
    reference, table = build(half_closed), FAMILY.tables.draft
    outcome = drafted(reference, SMALL, 3)
    rows = table.frame(table.validate(table.arrow(outcome.rows)))
    assert (len(rows), outcome.rejections, outcome.rows_in) == (12, [], 12)
    made = worded(rows, reference, 3)
    assert (len(made.rows), len(made.rejections)) == (12, 0)
    assert len(certified(made.rows, rows)) == 12
    for row in rows.to_dict("records"):
        assert not list(FAMILY.call("check", row["record"], row["plan"], reference))
        assert FAMILY.call("verify", row["record"], row["plan"], row["proof"], reference) == []


def test_what_has_no_witness_is_drawn_again_and_counted_by_kind(half_closed, build):
    reference = build(half_closed)
    outcome = drafted(reference, SMALL, 3)
    as_drawn = {draft.task_id: draft for draft in roughly(reference, SMALL, 3)}
    rows = outcome.rows.to_dict("records")
    again = [row for row in rows if row["attempt"] > as_drawn[row["task_id"]].attempt]
    assert again
    redrawn = outcome.facts["redrawn"]
    assert sum(redrawn.values()) == sum(row["attempt"] for row in rows)
    assert redrawn["closed"] >= len(again)
    assert outcome.facts["attempts"] == len(rows) + sum(redrawn.values())
    assert set(redrawn) <= set(get_args(Kind))


def test_planning_is_the_same_every_time(half_closed, build):
    once, twice = (drafted(build(half_closed), SMALL, 3) for _ in range(2))
    pd.testing.assert_frame_equal(once.rows, twice.rows)
    assert once.facts == twice.facts


@pytest.mark.parametrize("variant", ["ours", "released"])
def test_a_recipe_that_no_city_can_meet_names_what_is_missing_and_stops(frames, build, variant):
    tables = frames()
    tables["restaurants"]["opening_hours"] = SHUT
    section = TripcraftSection(counts={3: {"easy": 1}}, variant=variant)
    outcome = drafted(build(tables), section, 1)
    assert outcome.rows.empty and outcome.rows_in == 1
    (rejected,) = outcome.rejections
    assert rejected["reason"] == Reason.UNSATISFIABLE.value
    assert "no choice of places in" in rejected["detail"]
    assert outcome.facts["redrawn"]["closed"] == FAMILY.most_unsolved


def test_a_party_of_eight_where_no_stay_holds_eight_books_rooms_or_is_refused_by_name(frames, build):
    tables = frames()
    tables["stays"]["max_occupancy"] = 3
    section = TripcraftSection(counts={3: {"medium": 1}}, people={8: 1.0}, max_attempts=30)
    (row,) = drafted(build(tables), section, 1).rows.to_dict("records")
    assert row["proof"]["stays"][0]["rooms"] == 3
    released = drafted(build(tables), section.model_copy(update={"variant": "released"}), 1)
    assert released.rows.empty and released.facts["redrawn"] == {"published_minimum": 30}
    (rejected,) = released.rejections
    assert rejected["detail"].startswith("no stays to estimate a budget from")
    tables["stays"]["house_rules"] = [["No pets"]] * len(tables["stays"])
    pets = {"counts": {3: {"medium": 1}}, "people": {8: 1.0}, "max_attempts": 20, "weights_medium": {"house_rule": 1.0}}
    asked = drafted(build(tables), TripcraftSection.model_validate(pets), 1)
    assert asked.facts["redrawn"].keys() <= {"no_stay"}


def test_a_witness_is_kept_while_what_it_rests_on_stays(frames, build, world):
    section = TripcraftSection(counts={3: {"easy": 3}, 7: {"easy": 1}})
    first = drafted(world, section, 3).rows
    marked = first.assign(proof=pd.Series([{**proof, "remark": "kept"} for proof in first["proof"]]))

    def kept(tables):
        rows = drafted(build(tables), section, 3, previous=marked).rows
        return [proof["remark"] == "kept" for proof in rows["proof"]]

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


def test_what_the_core_refuses_drafts_for_is_described_too():
    core = Path(drafting.__file__).parent
    given = {kind for path in core.glob("*.py") for kind in re.findall(r'Refused\([^)*]*?, "(\w+)"', path.read_text())}
    assert {"duplicate", "not_accepted", "too_easy"} <= given <= set(KIND_TEXT)


def test_every_kind_of_obstacle_is_described_and_is_text():
    assert set(KIND_TEXT) == set(get_args(Kind))
    assert all(text.endswith(".") for text in KIND_TEXT.values())
    assert f"{Obstacle('closed', 'shut')}" == "shut" and Obstacle("closed", "shut").kind == "closed"
