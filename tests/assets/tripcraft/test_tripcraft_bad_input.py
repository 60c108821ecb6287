"""Worlds that lack something: a named refusal for each task that cannot be, and never a task that asks for it."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from assets.tripcraft.section import TripcraftSection
from tests.assets.tripcraft.witnesses import roughly

MEDIUM: Any = {3: {"medium": 6}}
ONLY_EVENTS: Any = {"event": 1.0}


def test_where_no_event_takes_place_on_the_trips_dates_none_is_asked_for(frames, build):
    tables = frames()
    tables["events"] = tables["events"].iloc[:0]
    drafts = roughly(build(tables), TripcraftSection(counts=MEDIUM), 2)
    assert [d.record["constraints"]["event"] for d in drafts if d.record is not None] == [None] * 6


@pytest.mark.parametrize("days", [3, 5])
def test_a_recipe_whose_constraint_no_city_can_meet_has_no_task_and_says_which_it_is(frames, build, days):
    tables = frames()
    tables["events"] = tables["events"].iloc[:0]
    section = TripcraftSection.model_validate(
        {"counts": {days: {"medium": 3}}, "weights_medium": ONLY_EVENTS, "max_attempts": 20}
    )
    drafts = roughly(build(tables), section, 2)
    assert [draft.record for draft in drafts] == [None] * 3
    assert all("event" in draft.obstacles for draft in drafts)


def test_a_party_of_eight_where_no_stay_holds_eight_takes_several_rooms_or_is_not_asked_for(frames, build):
    section = TripcraftSection(counts=MEDIUM, people={8: 1.0}, weights_medium={"cuisine": 1.0}, max_attempts=60)
    tables = frames()
    assert tables["stays"]["max_occupancy"].max() < 8
    reference = build(tables)
    drafts = roughly(reference, section, 2)
    assert [draft.record["people"] for draft in drafts if draft.record is not None] == [8] * 6
    tables["stays"] = tables["stays"].iloc[:0]
    assert [draft.record for draft in roughly(build(tables), section, 2)] == [None] * 6


def test_a_city_without_flights_is_reached_by_road_and_one_without_either_is_never_drawn(frames, build):
    tables = frames()
    ends = ["origin_city_id", "dest_city_id"]
    for name, isolated in (("flights", ["edge", "amble"]), ("city_distances", ["edge"])):
        tables[name] = tables[name][~tables[name][ends].isin(isolated).any(axis=1)]
    section = TripcraftSection(counts={3: {"easy": 12}}, people_easy=2)
    drafts = roughly(build(tables), section, 2)
    used = pd.DataFrame([draft.record for draft in drafts])[["origin_city_id", "dest_city_id"]]
    assert "edge" not in set(used.to_numpy().ravel())
    assert "amble" in set(used.to_numpy().ravel())
