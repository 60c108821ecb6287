"""A derivation that knows its value from elsewhere than from rows of the world is found, whatever it is given."""

from __future__ import annotations

import pytest

from assets.promises.traceable import OTHERS_TRIED, run_derivations
from assets.promises.values import said_twice
from assets.tripcraft import derivations
from assets.tripcraft.lineage import RATES
from tests.promises import lying
from tests.promises.tracing import TracingHalf

LIARS = {name: f"tests.promises.lying:{name}" for name in ("expected", "known", "first", "coarse")}
ROUTE = "plan/0/current_city"


@pytest.fixture(scope="module")
def trips(small_world):
    return TracingHalf(small_world.releases["tripcraft"], "tripcraft", LIARS)


@pytest.fixture(scope="module")
def groups(small_world):
    return TracingHalf(small_world.releases["grouptravel"], "grouptravel", LIARS)


def edge_of(gate, field):
    """Return the first task's edge of a field, and the value it is of."""
    edge = next(edge for edge in gate.lineage.edges if edge["field"].startswith(field))
    return edge, gate.lineage.value(gate.lineage.tasks[edge["task_id"]], edge["field"])


def test_one_that_returns_its_expected_value_does_not_look_at_its_cells(trips):
    edge, lying.EXPECTED[0] = edge_of(trips, ROUTE)
    (problem,) = trips.problems(edge["task_id"], {**edge, "by": "expected"})
    assert problem.startswith(f"{edge['task_id']}: {ROUTE} ")
    assert problem.endswith("derivation expected gives the same of other cells: it does not look at them")


def test_one_that_has_a_list_of_cells_and_values_and_fails_on_all_others_does_not_look_at_its_cells(trips):
    edge, value = edge_of(trips, ROUTE)
    task = trips.lineage.tasks[edge["task_id"]]
    cells = [trips.lineage.rows[cell["table"]][cell["row"]][cell["column"]] for cell in edge["cells"]]
    assert value == f"from {cells[0]} to {cells[1]}", task.task_id
    lying.KNOWN[repr(cells)] = value
    (problem,) = trips.problems(edge["task_id"], {**edge, "by": "known"})
    assert problem.endswith("derivation known gives the same of other cells: it does not look at them")


@pytest.mark.parametrize(("alike", "made_up", "is_told"), [(10, "x", False), (21, "", False), (21, "x", True)])
def test_one_that_rounds_looks_at_its_cells_where_some_other_gives_another_value(trips, alike, made_up, is_told):
    assert OTHERS_TRIED < 21
    edge, lying.EXPECTED[0] = edge_of(trips, "plan/1/dinner")
    cell = edge["cells"][0]
    rows = trips.lineage.rows[cell["table"]]
    own = rows[cell["row"]][cell["column"]]
    others = [name for name in dict.fromkeys(row[cell["column"]] for row in rows.values()) if name != own]
    assert len(others) > OTHERS_TRIED
    lying.ALIKE[:] = [own, *others[:alike], f"{own}{made_up}"]
    problems = trips.problems(edge["task_id"], {**edge, "by": "coarse", "cells": [cell]})
    assert len(problems) == is_told
    assert all("derivation coarse gives the same of other cells" in problem for problem in problems)


def test_what_a_derivation_gives_is_data_and_cannot_say_itself_what_it_equals():
    (told, (is_made, _)) = run_derivations([("builtins:sum", [1, 2]), ("tests.promises.lying:equal_to_all", [1])])
    assert told == (True, "3")
    assert not is_made


@pytest.mark.parametrize(
    ("field", "by"),
    [
        ("proof/moves/0/cost", {"tripcraft.seats": {"price"}, "tripcraft.car": {"distance_km", *RATES}}),
        ("proof/stays/0/cost_per_night", {"tripcraft.night": {"price", "max_occupancy"}}),
    ],
)
def test_what_a_way_or_a_night_costs_comes_from_prices(trips, field, by):
    edges = [edge for edge in trips.lineage.edges if edge["field"] == field]
    assert {edge["task_id"] for edge in edges} == set(trips.lineage.tasks)
    for edge in edges:
        assert {cell["column"] for cell in edge["cells"] if cell["table"] != "task"} == by[edge["by"]]
        dear = {**edge, "by": "tripcraft.seats", "cells": [edge["cells"][0], edge["cells"][0]]}
        assert trips.problems(edge["task_id"], dear) != []


@pytest.mark.parametrize(("people", "rooms"), [(1, 1), (2, 1), (3, 2), (7, 4)])
def test_a_night_costs_as_many_rooms_as_the_party_fills_and_a_way_as_many_seats(people, rooms):
    assert derivations.night([50, 2, people]) == 50 * rooms
    assert derivations.seats([50, people]) == 50 * people


def twin(gate):
    """Return an edge of a plan's city, and the cell of the record that holds the same name."""
    edge, value = edge_of(gate, "plan/days/0/city_segments/0/from_city")
    copy = {"table": "task", "row": "", "column": "record/metadata/departure_city"}
    assert gate.lineage.value(gate.lineage.tasks[edge["task_id"]], copy["column"]) == value
    return edge, copy


def test_a_value_that_is_copied_from_elsewhere_in_the_task_comes_from_no_table(groups):
    edge, copy = twin(groups)
    (problem,) = groups.problems(edge["task_id"], {**edge, "cells": [copy]})
    assert problem.endswith("is computed from no cell of a table")


def test_one_that_is_handed_the_value_from_the_task_beside_a_row_does_not_look_at_the_row(groups):
    edge, copy = twin(groups)
    (problem,) = groups.problems(edge["task_id"], {**edge, "by": "first", "cells": [copy, *edge["cells"]]})
    assert problem.endswith("derivation first gives the same of other cells: it does not look at them")
    assert groups.problems(edge["task_id"], {**edge, "by": "first"}) == []


def test_a_value_with_two_edges_is_named(trips):
    edge, _ = edge_of(trips, ROUTE)
    assert said_twice(trips.rows(trips.lineage.edges)) == []
    assert said_twice(trips.rows([*trips.lineage.edges, edge])) == [f"{edge['task_id']}: {ROUTE} has two edges"]


@pytest.mark.parametrize(
    ("spelled", "told"),
    [
        ("days/0", "comes from itself"),
        ("days/00", "does not have"),
        ("days/٠", "does not have"),
        ("days/²", "not have"),
    ],
)
def test_a_value_that_comes_from_itself_is_named_however_its_pointer_is_spelled(groups, spelled, told):
    edge, _ = twin(groups)
    itself = {"table": "task", "row": "", "column": edge["field"].replace("days/0", spelled)}
    problems = groups.problems(edge["task_id"], {**edge, "by": "first", "cells": [itself, *edge["cells"]]})
    assert any(told in problem for problem in problems), problems


@pytest.mark.parametrize("spelled", ["days/00", "days/²"])
def test_an_edge_of_a_value_by_another_spelling_is_of_no_value(groups, spelled):
    edge, _ = twin(groups)
    alias = {**edge, "field": edge["field"].replace("days/0", spelled)}
    assert groups.problems(edge["task_id"], alias) == [
        f"{edge['task_id']}: {alias['field']} the task has no such value"
    ]
