"""What a person reads at the end of a build."""

from __future__ import annotations

from pipelines.console import by_cause
from pipelines.walk.walked import Blocked


def test_a_cause_that_blocks_many_cities_is_one_line():
    many = [Blocked(f"xx-a-{n}", "read", "no file") for n in range(5)]
    rows = by_cause([*many, Blocked("xx-b-one", "map", "in the sea")])
    assert rows == [("xx-a-0, xx-a-1, xx-a-2 and 2 more", "read", "no file"), ("xx-b-one", "map", "in the sea")]
