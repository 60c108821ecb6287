"""Where values of a group's task come from: every field that is told is one of the task, whatever cities are called."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from assets.grouptravel.lineage import _record
from schemas.pointers import value_at


@pytest.mark.parametrize("city", ["Biel/Bienne", "A~B", "Vaduz"])
def test_a_wish_is_traced_in_a_city_whose_name_has_signs_of_a_pointer(city):
    wishes = {city: {"attractions": {"must_visit": ["Ring"], "reject_visit": []}}}
    record = {
        **dict.fromkeys(("time", "context", "difficulty_score", "difficulty_type", "departure_city_id", "days"), ""),
        "metadata": dict.fromkeys(("departure_city", "group_name", "group_tags", "child_members"), ""),
        "city_ids": [],
        "user_preferences": {
            "User1": {"role": "", "compromisable": "", "preference": {"city_specific_preferences": wishes}}
        },
    }
    task: Any = SimpleNamespace(record=record, generation_ids=[], drawn={"profiles": {"User1": "p"}})
    rows: Any = SimpleNamespace(poi=lambda *_: "osm:node/1")
    told = {origin.field: value_at({"record": record}, origin.field) for origin in _record(task, rows)}
    assert "Ring" in told.values()
