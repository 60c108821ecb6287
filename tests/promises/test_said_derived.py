"""Values that are declared to be derived only, and say a source's own again, are named; what is computed is not."""

from __future__ import annotations

import pytest

from assets.families import families
from assets.promises.cells import TASK
from assets.promises.holding import Holding
from assets.promises.said_derived import SaidDerived
from assets.promises.values import Edge
from assets.tripcraft.tables import TripcraftRestaurant

NAME, PRICE = "plan/0/dinner", "proof/stays/0/cost_per_night"
DINER = ("tripcraft_restaurant", "us-small/yelp:1", "name")
COST = ("tripcraft_restaurant", "us-small/yelp:1", "avg_cost")


class Declared(Holding):
    """The holding of trips, in which every value of a task is declared to be derived, and every cell a source's."""

    def is_source(self, table, column):
        return table != TASK


@pytest.fixture
def said():
    return SaidDerived(Declared(families()["tripcraft"], {"tripcraft_restaurant": TripcraftRestaurant}))


def edge(field, *cells):
    return Edge("t.1", field, "cells", "by", cells, ())


@pytest.mark.parametrize(
    ("value", "is_told"),
    [
        ("Ahjo, Helsinki", True),
        ("AHJO", True),
        ("Ah\u200bjo", True),
        ("A restaurant", False),
        (4, False),
    ],
)
def test_a_text_that_says_a_sources_text_is_named_however_it_is_set(said, value, is_told):
    said.look(edge(NAME, DINER), value, ["Ahjo"])
    assert [problem.partition(" is declared")[0] for problem in said.problems()] == ["plan[].dinner"] * is_told


def test_a_text_of_two_letters_is_part_of_others_by_chance(said):
    said.look(edge(NAME, DINER), "from Po to Ta", ["Po"])
    assert said.problems() == []


@pytest.mark.parametrize(
    ("given", "is_told"),
    [
        ([(10, [10]), (20, [20]), (30, [30])], True),
        ([(10, [10]), (20, [20]), (20, [20])], False),
        ([(10, [10]), (20, [20]), (30, [30]), (41, [40.6])], False),
    ],
)
def test_numbers_that_are_always_their_one_cells_are_named(said, given, is_told):
    for value, cells in given:
        said.look(edge(PRICE, COST), value, cells)
    assert len(said.problems()) == is_told


def test_a_price_times_a_party_of_one_is_computed(said):
    for price in (10, 20, 30):
        said.look(edge(PRICE, COST, (TASK, "", "record/people")), price, [price, 1])
    assert said.problems() == []
