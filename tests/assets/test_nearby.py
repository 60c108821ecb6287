"""Taking the nearest place that is free, against the obvious slow way."""

from __future__ import annotations

from math import cos, hypot, radians

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from assets.core.nearby import Nearby

POINTS = st.lists(st.tuples(st.integers(-50, 50), st.integers(-50, 50)), max_size=8)


@given(POINTS, st.sets(st.integers(0, 7)))
def test_each_place_taken_is_the_nearest_free_one_that_is_liked_while_there_is_any(points, liked):
    nearby, here, left = Nearby(points), (10.0, 3.0), set(range(len(points)))
    first = np.array([number in liked for number in range(len(points))], dtype=bool)
    for _ in points:
        found = nearby.take(here, first)
        assert found in left
        among = left & liked or left
        apart = {n: hypot(points[n][0] - here[0], (points[n][1] - here[1]) * cos(radians(here[0]))) for n in among}
        assert found in among
        assert apart[found] <= min(apart.values()) + 1e-9
        left.remove(found)
        here = points[found]
    assert nearby.take(here, first) is None


def test_of_equally_near_places_the_first_is_taken():
    assert Nearby([(1.0, 0.0), (-1.0, 0.0), (1.0, 0.0)]).take((0.0, 0.0)) == 0


def test_a_degree_of_longitude_is_short_in_the_north():
    assert Nearby([(60.8, 25.0), (60.0, 26.0)]).take((60.0, 25.0)) == 1
