"""Plans of thousands of entries at once: what is found in them is what the slow way finds, and it is found at once."""

from __future__ import annotations

from itertools import combinations
from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st

from assets.grouptravel.checks.completeness import completeness
from assets.grouptravel.checks.splits import _chains
from assets.grouptravel.plan import MOST_PAIRS, Activity, Block
from assets.grouptravel.scoring import TaskCase, score_trial
from assets.grouptravel.variants import OURS, VARIANTS
from schemas.clock import clock_face
from tests.assets.grouptravel.weekend import FACTS, USERS, acts, at, good_plan, table

times = st.integers(8 * 60, 9 * 60).map(clock_face) | st.sampled_from(["", "25:00"])
people = st.none() | st.lists(st.sampled_from([*USERS, "All", "User9"]), max_size=3).map(tuple)
activities = st.lists(
    st.builds(Activity, st.sampled_from(["food", "rest", "hotel"]), times, times, participants=people), max_size=12
)


def overlap(one: Activity, other: Activity) -> bool:
    """Return whether two activities overlap; what has no times, or runs over midnight, overlaps nothing (published)."""
    starts, ends = (one.start, other.start), (one.end, other.end)
    if None in (*starts, *ends) or any(end <= start for start, end in zip(starts, ends, strict=True)):  # type: ignore[operator]
        return False
    return one.start < other.end and other.start < one.end  # type: ignore[operator]


@given(activities)
@example([Activity("food", "08:00", "08:01", participants=("User1",))] * 2)
def test_who_is_elsewhere_is_in_two_that_overlap(given_acts):
    pairs = [
        (one, other, [user for user in one.joined_by(USERS) if user in other.joined_by(USERS)])
        for one, other in combinations([act for act in given_acts if act.kind != "hotel"], 2)
        if overlap(one, other)
    ]
    pairs = [pair for pair in pairs if pair[2]]
    block = Block("Oulu", tuple(given_acts))
    assert block.double_booked(USERS) == pairs
    slow = {(id(act), user) for one, other, both in pairs for act in (one, other) for user in both}
    assert {(id(act), user) for act, user in block.elsewhere(USERS)} == slow


@given(activities)
def test_chains_are_what_overlaps_through_others(given_acts):
    groups: list[set[int]] = []
    for n, act in enumerate(given_acts):
        touched = [group for group in groups if any(overlap(act, given_acts[m]) for m in group)]
        groups = [group for group in groups if group not in touched] + [{n}.union(*touched)]
    number = {id(act): n for n, act in enumerate(given_acts)}
    chains = {frozenset(number[id(act)] for act in chain) for chain in _chains(given_acts)}
    assert chains == {frozenset(group) for group in groups}


def test_a_plan_of_a_thousand_meals_at_once_is_told_in_part():
    plan: dict[str, Any] = good_plan()
    acts(plan)[:0] = [at("food", "12:00", "13:00", "Spice Pot", avg_cost=80) for _ in range(1_000)]
    case = TaskCase("t1", {user: {"role": "friend", "preference": table()} for user in USERS}, FACTS)
    for variant in VARIANTS.values():
        row = score_trial({"plan": plan}, case, variant)
        told = [issue for issue in row["issues"] if issue[0] == "overlaps"]
        assert (row["pv"], len(told)) == (0.0, MOST_PAIRS * len(USERS))


def test_a_table_of_very_many_wishes_is_compared_at_once():
    stated = table(must_eat=[f"dish {n}" for n in range(50_000)] + ["noodles", "noodles", 1, [1], [1]])
    counts = completeness({"User1": stated}, {"User1": table(must_eat=["noodles"])}, OURS)
    assert (counts.collected, counts.right, counts.stated) == (1, 1, 50_003)
