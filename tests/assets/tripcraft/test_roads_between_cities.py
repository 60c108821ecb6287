"""Which cities a road joins where the way between them is only estimated."""

from __future__ import annotations

import pandas as pd
import pytest

from assets.tripcraft.facts.world import city_distances
from assets.tripcraft.section import TripcraftSection

PAIRS = [("a", "b"), ("a", "c"), ("b", "c")]


def joined(groups, *, is_estimate=True):
    """Return the pairs of cities that a recipe with these groups has a way by car between."""
    way = {"mode": "car", "time_s": 3600.0, "distance_m": 70_000.0, "is_estimate": is_estimate}
    distance = pd.DataFrame([{"origin_city_id": a, "destination_city_id": b} | way for a, b in PAIRS])
    given = {} if groups is None else {"road_groups": groups}
    found = city_distances(distance, section=TripcraftSection.model_validate({"counts": {"3": {"easy": 1}}, **given}))
    return [*zip(found["origin_city_id"], found["dest_city_id"], strict=True)]


@pytest.mark.parametrize(
    ("groups", "pairs"),
    [
        (None, PAIRS),
        ([], []),
        ([["a", "b"]], [("a", "b")]),
        ([["a"], ["b", "c"]], [("b", "c")]),
        ([["a", "b"], ["a", "c"]], [("a", "b"), ("a", "c")]),
    ],
)
def test_an_estimate_leads_only_between_two_of_one_group(groups, pairs):
    assert joined(groups) == pairs


def test_a_measured_way_is_a_way_whatever_the_groups():
    assert joined([], is_estimate=False) == PAIRS
