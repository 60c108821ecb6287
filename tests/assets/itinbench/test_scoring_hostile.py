"""Plans that are none: each scores nothing, says why, and is no error."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assets.itinbench.checks.matching import VARIANTS
from assets.itinbench.scoring import score
from tests.assets.itinbench.town import RECORD, town, witness

DAY_SLOTS = ("morning_attractions", "afternoon_attractions", "night_attractions")

HOSTILE = [
    None,
    7,
    "a plan",
    [],
    {},
    {"task_id": "t1"},
    {"task_id": "t1", "plan": None},
    {"task_id": "t1", "plan": []},
    {"task_id": "t1", "plan": {"itinerary": "day one"}},
    {"task_id": "t1", "plan": {"itinerary": [None, 3, "x", {}]}},
    {"task_id": ["t1"]},
    {"task_id": True, "index": None},
    {
        "task_id": "t1",
        "plan": {"itinerary": [{"breakfast": "Amis", "morning_attractions": "Zoo", "accommodation": ["x"]}]},
    },
    {
        "task_id": "t1",
        "plan": {"itinerary": [{"breakfast": {"name": 3, "address": []}, "night_attractions": [None, 1]}]},
    },
    {
        "task_id": "t1",
        "plan": {"itinerary": [{"lunch": {"name": "x" * 100_000, "address": "\x00\u202e<script>" * 999}}]},
    },
]


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("plan", HOSTILE, ids=range(len(HOSTILE)))
def test_a_hostile_plan_is_missing_not_an_error(plan, variant):
    scores = score([plan, witness() | {"task_id": "t2"}], {"t1": RECORD, "t2": RECORD}, town(), variant=variant)
    row = scores.rows.iloc[0]
    assert (row["mi"], row["macro"], row["valid"]) == (True, False, False)
    assert row["problems"]
    assert scores.aggregate["vr"] == 50


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["name", "address", "itinerary", "plan", "lunch", *DAY_SLOTS]), inner, max_size=4
        )
    ),
    max_leaves=15,
)


@settings(max_examples=50, deadline=None)
@given(json_values, st.sampled_from(VARIANTS), st.data())
def test_nothing_in_a_plan_is_an_error(value, variant, data):
    plan = witness()
    slot = data.draw(st.sampled_from(["breakfast", "lunch", "accommodation", *DAY_SLOTS, None]))
    if slot is None:
        plan["plan"] = value
    else:
        plan["plan"]["itinerary"][0][slot] = value
    found = score([plan], {"t1": RECORD}, town(), variant=variant)
    json.dumps(found.aggregate, allow_nan=False)
