"""A stop that cannot be where its feed says is dropped and counted; one that something drives to stays."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.rejection import Reason
from sources.gtfs.stop_positions import Legs, misplaced_stops

PORTO = (41.15, -8.61)
TOWN = [(PORTO[0] + north / 500, PORTO[1] + east / 400) for north in range(5) for east in range(4)]


def reasons(stops, legs=()):
    pairs = np.array([(a, b, s) for a, b, s in legs], dtype=np.int64).reshape(-1, 3)
    found = misplaced_stops(np.array(stops, dtype=float).reshape(-1, 2), Legs(*pairs.T))
    return {position: reason for position, (reason, _) in found.items()}


def test_a_stop_with_latitude_and_longitude_exchanged_is_swapped_served_or_not():
    swapped = [*TOWN, (-8.61, 41.151)]
    assert reasons(swapped) == {20: Reason.SWAPPED_COORDINATES}
    assert reasons(swapped, [(0, 20, 120), (20, 1, 120)]) == {20: Reason.SWAPPED_COORDINATES}


def test_a_line_of_swapped_stops_is_swapped_though_its_stops_are_near_each_other():
    swapped = [*TOWN, (-8.61, 41.151), (-8.608, 41.152), (-8.606, 41.153)]
    legs = [(0, 20, 120), (20, 21, 120), (21, 22, 120), (22, 1, 120)]
    assert reasons(swapped, legs)[20] == reasons(swapped, legs)[22] == Reason.SWAPPED_COORDINATES


@pytest.mark.parametrize(
    ("seconds", "dropped"), [(120, {20: Reason.OUT_OF_REACH}), (1500, {20: Reason.OUT_OF_REACH}), (9000, {})]
)
def test_a_far_stop_is_dropped_only_if_no_vehicle_gets_there_in_the_time(seconds, dropped):
    lisbon = (38.72, -9.14)  # 274 km
    assert reasons([*TOWN, lisbon], [(0, 20, seconds), (20, 1, seconds)]) == dropped


def test_one_way_that_can_be_driven_is_enough():
    assert reasons([*TOWN, (38.72, -9.14)], [(0, 20, 60), (20, 1, 9000)]) == {}


def test_its_innocent_neighbours_stay():
    coaches = [PORTO, (40.2, -8.42), (39.4, -8.5), (38.72, -9.14), (37.02, -7.93), (60.0, 25.0)]
    hours = [(0, 1, 4500), (1, 2, 4500), (2, 3, 5400), (3, 4, 9000), (1, 5, 300), (5, 2, 300)]
    assert reasons(coaches, hours) == {5: Reason.OUT_OF_REACH}


def test_a_far_stop_without_any_trip_is_no_business_of_this_rule():
    assert reasons([*TOWN, (38.72, -9.14)]) == {}
    assert reasons([]) == {}


places = st.tuples(st.floats(36, 42), st.floats(26, 45))


@given(st.lists(places, min_size=2, max_size=12, unique=True))
def test_coaches_of_a_country_on_the_diagonal_keep_all_their_stops(towns):
    """In Turkey a stop with its coordinates exchanged may well be near another; who is driven to stays."""
    legs = [(i, i + 1, 8 * 3600) for i in range(len(towns) - 1)]
    assert reasons(towns, legs) == {}


@given(st.permutations(range(21)))
def test_the_order_of_the_stops_does_not_matter(order):
    stops = [*TOWN, (-8.61, 41.151)]
    found = reasons([stops[i] for i in order], [(order.index(0), order.index(20), 60)])
    assert found == {order.index(20): Reason.SWAPPED_COORDINATES}
