"""Whatever a planner hands in, scoring never crashes: checks fail, with reasons."""

from __future__ import annotations

import copy

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assets.tripcraft.plan import DAY_KEYS
from assets.tripcraft.scoring import score_plan, summarise
from assets.tripcraft.variants import VARIANTS

FRAGMENTS = [
    "-", ";", ",", "from", "from A to ", "from Harbour to Amble", "Flight Number:", "Taxi", "Self-driving",
    "Table 0, Amble Street, Amble", ", visit from 10:00 to 11:00", "Rest 0 Amble, Amble", "nearest transit:, m",
]  # fmt: skip
scrap = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=40),
    st.sampled_from(FRAGMENTS),
)
junk = st.recursive(
    scrap, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4)
)
days = st.dictionaries(st.sampled_from(["days", "current_city", *DAY_KEYS]), scrap | junk, max_size=10)


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(native=junk | st.lists(days | junk, max_size=8), gold=st.none() | st.lists(days, max_size=4))
def test_any_value_can_be_scored(world, record, native, gold):
    for variant in VARIANTS.values():
        score = score_plan(record(3), native, world, variant=variant, gold=gold)
        assert not score.passes_commonsense
        assert score.delivered == (isinstance(native, list) and len(native) >= 3)
        assert score.delivered or score.problems
        assert summarise([score], variant)["final_pass_rate"] == 0


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(day=st.integers(0, 2), key=st.sampled_from(["current_city", *DAY_KEYS]), value=scrap | junk)
def test_one_spoilt_field_never_crashes_and_every_failure_has_a_reason(world, record, trip, day, key, value):
    plan = copy.deepcopy(trip(record(3)).plan())
    plan[day][key] = value
    score = score_plan(record(3), plan, world)
    for result in {**(score.commonsense or {}), **(score.hard or {})}.values():
        assert result.holds is not False or (result.reasons and all(result.reasons))


def test_every_missing_key_is_named(world, record, trip):
    for key in DAY_KEYS:
        plan = trip(record(3)).plan()
        del plan[1][key]
        score = score_plan(record(3), plan, world)
        assert score.commonsense is not None
        assert f"day 2: `{key}` is missing" in score.commonsense["complete_information"].reasons
        assert score.hard is None


def test_long_texts_are_refused_quickly(world, record, trip):
    plan = trip(record(3)).plan()
    plan[1]["point_of_interest_list"] = "A, nearest transit: " * 100_000
    plan[2]["current_city"] = "from " * 100_000
    score = score_plan(record(3), plan, world)
    assert score.commonsense is not None
    assert any(
        "2000000 characters" in reason or "characters, expected" in reason
        for reason in score.commonsense["poi_list"].reasons
    )


def test_html_in_a_name_stays_text(world, record, trip):
    plan = trip(record(3)).plan()
    plan[1]["dinner"] = "<script>alert(1)</script>, Amble"
    score = score_plan(record(3), plan, world)
    assert score.commonsense is not None
    assert score.commonsense["within_sandbox"].reasons == (
        "day 2: dinner `<script>alert(1)</script>` is no restaurant of `Amble`",
    )  # fmt: skip
