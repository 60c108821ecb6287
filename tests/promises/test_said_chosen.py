"""A value that a source says of a row of the task is not chosen, whatever a family's lineage says of it."""

from __future__ import annotations

import re
from typing import Any

import pytest

from assets.families import families
from assets.promises.cells import CellIndex
from assets.promises.holding import Holding
from assets.promises.said_chosen import FEWEST, SHORTEST, Columns, SaidChosen, columns_of
from assets.promises.values import Edge
from schemas.table import Field, Table
from tests.promises.tracing import TracingHalf

ACTIVITY = "plan.days[].city_segments[].activities[]"
MUST_VISIT = "record.user_preferences[].preference.city_specific_preferences[].attractions.must_visit"

FAMILIES = {
    "itinbench": {"plan.itinerary[].accommodation.name", "plan.itinerary[].lunch.name"},
    "tripcraft": {"plan[].point_of_interest_list"},
    "grouptravel": {MUST_VISIT, *(f"{ACTIVITY}.{field}" for field in ("location", "from", "to"))},
}
"""Of each family fields by which its plans and records name places again."""


LEFT = "which others of the field come from"
"""What is told where some of a field's values keep their edges."""


def said_to_be(kind, edges, rules):
    """Return a release's edges, all but one of each row said to be chosen, or worded, by a rule that is declared."""
    kept, changed = set(), []
    for edge in edges:
        refs = {(cell["table"], cell["row"]) for cell in edge["cells"] if cell["table"] != "task"}
        is_first = bool({(edge["task_id"], *ref) for ref in refs} - kept)
        kept |= {(edge["task_id"], *ref) for ref in refs}
        is_left = edge["kind"] != "cells" or is_first
        changed.append(edge if is_left else {**edge, "kind": kind, "by": min(rules), "cells": []})
    return changed


@pytest.mark.parametrize("kind", ["choice", "words"])
@pytest.mark.parametrize("family", FAMILIES)
def test_names_that_lineage_calls_chosen_but_for_one_of_each_row_are_named(small_world, family, kind):
    half = TracingHalf(small_world.releases[family], family)
    honest = half.problems_of_all(half.lineage.edges)
    found = half.problems_of_all(said_to_be(kind, half.lineage.edges, half.release.manifest.rules))
    assert honest == []
    assert all("are what a source says of rows that their tasks use" in problem or LEFT in problem for problem in found)
    assert FAMILIES[family] <= {problem.partition(":")[0] for problem in found if LEFT not in problem}


class Spot(Table):
    """A place."""

    key_of: str = Field("Which.", key=True, holds="ours")
    name: str = Field("Its name.")
    kind: str = Field("What it is.")
    price: float = Field("What it costs.")
    rank: float = Field("Ours.", holds="ours")


SPOTS = (
    ("Old Mill Museum", "museum", 7.25),
    ("Hav", "café", 3.5),
    ("Riverside Inn", "stay", 80.0),
    ("Zoo", "zoo", 9.9),
    ("Pier Eight", "pier", 12.0),
    ("Dome", "dome", 15.0),
)
ROWS = {
    str(n): {"key_of": str(n), "name": name, "kind": kind, "price": price, "rank": 0.5 + n}
    for n, (name, kind, price) in enumerate(SPOTS)
}
NO_RELEASE: Any = None
INDEX = CellIndex(NO_RELEASE, {"spot": Spot}, {"spot": ROWS}, frozenset())
TRUE = {key: Edge("t", f"record/{key}", "cells", "equal", (("spot", key, "name"),), ()) for key in ROWS}
CHOSEN = Edge("t", "plan", "choice", "a.rule", (), ())


def problems(*leaves, edges=TRUE, said=CHOSEN):
    """Return what is told of one task's values, each given as (pointer, value), all of them `said` to be chosen."""
    chosen = SaidChosen(INDEX, Holding(families()["itinbench"], {}), {})
    chosen.look(edges, [(pointer, value, said) for pointer, value in leaves])
    return chosen.problems()


def test_a_field_of_names_is_told_with_how_many_it_has_and_one_of_them():
    names = ("Old Mill Museum", "Hav", "Riverside Inn", "elsewhere")
    (problem,) = problems(*((f"plan/{n}/at", name) for n, name in enumerate(names)))
    assert problem.startswith("plan/[]/at: 3 of 4 values that are said to be chosen or worded are what a source says")
    assert "plan/0/at = 'Old Mill Museum' (spot/0.name)" in problem


@pytest.mark.parametrize(
    ("field", "values"),
    [
        ("plan/{}/at", ("Old Mill Museum", "Hav", "Old Mill Museum", "Hav")),  # different ones are too few
        ("plan/{}/at", ("Old Mill Museum", "Hav", "Zoo", *"abcdefghijklmnopqrstuvwxyz!")),  # a tenth
        ("plan/{}/kind", ("museum", "café", "stay", "a", "b", "c")),  # half, and no names
        ("record/{}/kind", ("museum", "café", "stay")),  # a record may draw what its plan then takes
        ("plan/{}/cost", (80.0, 12.0, 15.0)),  # whole numbers are equal by chance
        ("plan/{}/rank", (0.5, 1.5, 2.5)),  # ours
        ("plan/{}/at", ("a museum that was old", "Havanna", "an inn by the river")),
    ],
)
def test_what_is_equal_by_chance_is_not_told(field, values):
    assert problems(*((field.format(n), value) for n, value in enumerate(values))) == []


@pytest.mark.parametrize(
    ("field", "values"),
    [
        ("plan/{}/at", ("Old Mill Museum", "Hav", "Zoo", *"abcdefghijklmnopqrstuvwxyz")),  # more than a tenth
        ("plan/{}/kind", ("museum", "café", "stay", "pier", "a", "b", "c")),  # more than half
        ("record/{}/cost", (7.25, 3.5, 9.9, *(n + 0.3125 for n in range(26)))),
        ("record/{}/at", ("Old Mill Museum", "Hav", "Zoo")),
        ("record/{}/cost", (7.25, 3.5, 9.9)),
        ("record/{}/at", ("Old Mill Museum, Town", "Riverside Inn, Town", "Zoo")),
        ("plan/{}/at", ("from the Riverside Inn", "first to the Old Mill Museum, then to bed", "Zoo")),
    ],
)
def test_what_tells_rows_apart_is_told(field, values):
    assert len(problems(*((field.format(n), value) for n, value in enumerate(values)))) == 1


def test_only_rows_that_the_task_names_count_and_values_with_an_edge_to_cells_do_not():
    leaves = [(f"plan/{n}/at", row["name"]) for n, row in enumerate(ROWS.values())]
    assert problems(*leaves) != []
    assert problems(*leaves, edges={"0": TRUE["0"], "1": TRUE["1"]}) == []
    chosen = SaidChosen(INDEX, Holding(families()["itinbench"], {}), {})
    chosen.look(TRUE, [(pointer, value, TRUE["0"]) for pointer, value in leaves])
    assert chosen.problems() == []


def test_words_may_name_a_place_and_say_more_of_it_but_in_a_plan_nothing_is_worded():
    texts = ("to the Old Mill Museum", "May we sleep at the Riverside Inn?", "Pier Eight, please!")
    assert len(texts) == FEWEST
    worded = CHOSEN._replace(kind="words")
    assert problems(*((f"messages/{n}", text) for n, text in enumerate(texts)), said=worded) == []
    assert problems(*((f"messages/{n}", row["name"]) for n, row in enumerate(ROWS.values())), said=worded) != []
    assert problems(*((f"plan/{n}", text) for n, text in enumerate(texts)), said=worded) != []


NAMES, RANKS = ("spot", "name"), ("spot", "rank")


def relabelled(*leaves, columns, edges=TRUE, others=()):
    """Return what is told of values said to be chosen, in fields whose others come from these columns of the rows.

    `others` are values of a second task, which names no row.
    """
    chosen = SaidChosen(INDEX, Holding(families()["itinbench"], {}), {"plan/[]/at": columns})
    chosen.look(edges, [(pointer, value, CHOSEN) for pointer, value in leaves])
    chosen.look({}, [(pointer, value, CHOSEN) for pointer, value in others])
    return chosen.problems()


@pytest.mark.parametrize(
    ("value", "columns", "is_told"),
    [
        ("Hav", Columns({NAMES}, {NAMES}), True),
        ("Hav, Town", Columns(set(), {NAMES}), True),  # derived of it
        ("Hav", Columns({RANKS}, {RANKS}), False),  # of another column
        (2.5, Columns({RANKS}, {RANKS}), True),
        (2.5, Columns(set(), {RANKS}), False),  # a number that is derived is no cell
        ("elsewhere", Columns({NAMES}, {NAMES}), False),
        (True, Columns({RANKS}, {RANKS}), False),
    ],
)
def test_of_a_field_whose_others_come_from_a_column_not_one_value_of_it_is_chosen(value, columns, is_told):
    many = [(f"plan/{n}/at", f"nowhere {n}") for n in range(1, 40)]
    found = relabelled(("plan/0/at", value), *many, columns=columns)
    assert len(found) == is_told
    assert not is_told or found[0].startswith(f"plan/[]/at: plan/0/at = {value!r} is said to be chosen, and spot/")


def test_what_tasks_choose_that_name_no_such_row_is_chosen():
    leaf, columns = ("plan/0/at", "Zoo"), Columns({NAMES}, {NAMES})
    assert relabelled(leaf, columns=columns) != []
    assert relabelled(leaf, columns=columns, others=[leaf]) == []
    assert relabelled(leaf, columns=columns, edges={"0": TRUE["0"]}) == []


def test_columns_are_those_of_the_edges_by_the_field_of_the_value():
    joined = Edge("t", "plan/7/at", "cells", "join", (("spot", "1", "name"), ("task", "record", "days")), ())
    equal = Edge("t", "plan/2/at", "cells", "equal", (("spot", "1", "rank"),), ())
    found = columns_of([joined, equal, CHOSEN._replace(field="plan/3/at")], Holding(families()["itinbench"], {}))
    assert found == {"plan/[]/at": Columns({RANKS}, {NAMES, RANKS})}


PRICES = ("cost", "duration")
"""Numbers may be computed."""


@pytest.mark.parametrize("kind", ["choice", "words"])
@pytest.mark.parametrize("family", FAMILIES)
def test_one_value_that_lineage_calls_chosen_is_found(small_world, family, kind):
    half = TracingHalf(small_world.releases[family], family)
    columns: dict[str, int] = {}
    for number, edge in enumerate(half.lineage.edges):
        name = re.sub(r"/\d+(?=/|$)", "/[]", edge["field"])
        if edge["kind"] == "cells" and name.startswith("plan/") and not name.endswith(PRICES):
            columns.setdefault(name, number)  # the first of each field
    assert len(columns) > 3
    rule = min(half.release.manifest.rules)
    for number in columns.values():
        changed = [*half.lineage.edges]
        changed[number] = {**changed[number], "kind": kind, "by": rule, "cells": []}
        found = half.problems_of_all(changed)
        assert any(LEFT in problem for problem in found), changed[number]


@pytest.mark.parametrize("family", FAMILIES)
def test_a_field_that_lineage_calls_chosen_as_a_whole_is_counted_as_chosen(small_world, family):
    half = TracingHalf(small_world.releases[family], family)
    honest, rule = half.traced(half.lineage.edges), min(half.release.manifest.rules)
    stated = half.release.manifest.promises["fields"]
    assert stated == {name: dict(counts) for name, counts in honest.fields.items()}
    assert sum(sum(counts.values()) for counts in stated.values()) == honest.values
    holding = Holding(half.family, {})
    name = min(name for name, counts in stated.items() if name.startswith("plan") and "equal" in counts)
    changed = [
        {**edge, "kind": "choice", "by": rule, "cells": []} if holding.field_of(edge["field"]) == name else edge
        for edge in half.lineage.edges
    ]
    assert half.traced(changed).fields == {**honest.fields, name: {"chosen": sum(stated[name].values())}}


def test_what_holds_leaves_is_named_like_them():
    holding = Holding(families()["grouptravel"], {})
    assert holding.field_of("record/user_preferences/User1/preference") == "record.user_preferences[].preference"
    assert holding.field_of("proof/plans") == "proof.plans"


def test_a_field_is_what_the_tables_declare_whatever_its_keys_and_numbers():
    holding = Holding(families()["grouptravel"], {})
    preference = "record/user_preferences/{}/preference/city_specific_preferences/{}/attractions/must_visit/{}"
    assert {holding.field_of(preference.format(*of)) for of in (("User1", "Oslo", 0), ("User2", "7", 12))} == {
        MUST_VISIT
    }
    assert holding.field_of("plan/3/nowhere") == "plan/[]/nowhere"


def test_short_names_inside_longer_texts_are_not_looked_for():
    assert all(len(text) < SHORTEST for text in ("Hav", "Zoo"))
    assert problems(("plan/0/at", "Hav, X"), ("plan/1/at", "Zoo, X"), ("plan/2/at", "Hav, Y")) == []
