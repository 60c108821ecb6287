"""What a pool can satisfy, against a matching of every meal, visit and stay to a place of its own."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_bipartite_matching

from assets.itinbench.candidates import Demands
from assets.itinbench.feasible import feasible
from assets.itinbench.repairs.satisfiable import feasibility
from assets.itinbench.repairs.space import SHAPE, VALUES, cell_at, cell_of, record_at
from assets.itinbench.section import ItinbenchSection
from assets.itinbench.tables import Record
from assets.rows import ReleaseTables
from schemas.reviews import RESTAURANT_ATTRIBUTES
from tests.assets.itinbench.town import world_tables

ANY = Record(days=2, price="cheap", orientation="food", cuisine="Thai", restaurant=["flavor"], hotel=["safety"])


def can_be_matched(places: pd.DataFrame, record: Record) -> bool:
    """The slow way: a bipartite matching of every meal, visit and the stay to a place, no place twice."""
    found = {k: set(places["place_id"][Demands(places).matching(k, record)]) for k in set(places["kind"])}
    wanted = ["restaurant"] * 3 * record["days"] + ["attraction"] * 4 * record["days"] + ["stay"]
    ids = sorted(set(places["place_id"]))
    edges = np.array([[i in found.get(kind, ()) for i in ids] for kind in wanted], dtype=int)
    return bool((maximum_bipartite_matching(csr_array(edges), perm_type="column") >= 0).all())


@pytest.mark.parametrize("seed", range(12))
def test_satisfiable_is_what_can_be_matched(seed: int, pool_of: Callable[..., pd.DataFrame]):
    """Few places, many of them in two or three tables: the numbers of each kind alone would often say yes."""
    rng = np.random.default_rng(seed)
    places = []
    for number in range(int(rng.integers(15, 22))):
        for kind in ("restaurant", "attraction", "stay"):
            if rng.random() < {"restaurant": 0.55, "attraction": 0.7, "stay": 0.15}[kind]:
                rated = {"flavor": int(rng.integers(3, 6))} if kind == "restaurant" else {}
                cuisine = {"cuisine_1": "Thai"} if kind == "restaurant" else {}
                price = [None, 1, 2, 2, 3][int(rng.integers(5))] if rng.random() < 0.2 else 2
                places.append({"kind": kind, "place_id": f"x{number}", "price_level": price, **rated, **cuisine})
    pool = pool_of(*places)
    satisfiable = feasibility(pool).satisfiable
    for cell in [cell_of(ANY), *(cell_at(int(flat)) for flat in rng.integers(0, np.prod(SHAPE), 25))]:
        record = record_at(cell, ANY)
        for thai in (record, Record(**{**record, "cuisine": "Thai", "days": 2})):
            assert satisfiable[cell_of(thai)] == can_be_matched(pool, thai), thai


def test_a_place_in_two_tables_serves_once(pool_of: Callable[..., pd.DataFrame]):
    """6 restaurants, 8 attractions and a stay match, but one of them is both: 14 places for 15 things (defect I4)."""
    meals = [{"kind": "restaurant", "place_id": f"r{i}", "cuisine_1": "Thai"} for i in range(6)]
    visits = [{"kind": "attraction", "place_id": f"a{i}"} for i in range(7)]
    both = {"kind": "attraction", "place_id": "r0"}
    stay = {"kind": "stay", "place_id": "s"}
    found = feasibility(pool_of(*meals, *visits, both, stay))
    assert not found.satisfiable[cell_of(ANY)]
    assert found.shortfall(cell_of(ANY)) == "enough of each kind, but too many places are needed for two of them"
    assert feasibility(pool_of(*meals, *visits, {"kind": "attraction", "place_id": "a7"}, stay)).satisfiable[
        cell_of(ANY)
    ]


@pytest.mark.parametrize("kind", ["restaurant", "attraction"])
def test_the_only_stay_is_not_also_eaten_at_or_visited(kind: str, pool_of: Callable[..., pd.DataFrame]):
    """One hotel, which is also the last restaurant or attraction needed; of the other kind there is plenty."""
    counts = {"restaurant": 20, "attraction": 20} | {kind: {"restaurant": 6, "attraction": 8}[kind]}
    places = [{"kind": k, "place_id": f"{k}{i}", "cuisine_1": "Thai"} for k, n in counts.items() for i in range(n)]
    assert feasibility(pool_of(*places, {"kind": "stay", "place_id": "s"})).satisfiable[cell_of(ANY)]
    assert not feasibility(pool_of(*places, {"kind": "stay", "place_id": f"{kind}0"})).satisfiable[cell_of(ANY)]


def test_unknown_prices_and_ratings_meet_nothing(pool_of: Callable[..., pd.DataFrame]):
    meals = [{"kind": "restaurant", "cuisine_2": "Thai"} for _ in range(6)]
    visits = [{"kind": "attraction"} for _ in range(8)]
    assert feasibility(pool_of(*meals, *visits, {"kind": "stay"})).satisfiable[cell_of(ANY)]
    for lacking in ({"price_level": None}, {"safety": None}, {"safety": 3}):
        found = feasibility(pool_of(*meals, *visits, {"kind": "stay"} | lacking))
        assert found.shortfall(cell_of(ANY)) == "0 matching stays, 1 needed"


def test_us_is_any_american_label(pool_of: Callable[..., pd.DataFrame]):
    labels = ("American", "American (New)", "American (Traditional)")
    pool = pool_of(*({"kind": "restaurant", "cuisine_1": label} for label in (*labels, "Thai", "")))
    assert Demands(pool).matching("restaurant", Record(**{**ANY, "cuisine": "US"})).tolist() == [
        True,
        True,
        True,
        False,
        False,
    ]


def test_what_is_feasible_how_often_is_counted_value_by_value(pool_of):
    """Against every record of the space, one by one: no sights of history, and one cuisine."""
    meals = [{"kind": "restaurant", "cuisine_1": "Thai", "service": 4}] * 6
    visits = [{"kind": "attraction", "history": 1, "food": 3}] * 8
    pool = pool_of(*meals, *visits, {"kind": "stay", "safety": 4})
    section = ItinbenchSection(tasks_per_city=1, days={2: 1.0, 3: 1.0}, prices={"cheap": 1.0})
    rows = feasible(ReleaseTables(world_tables(pool)), section)
    satisfiable = feasibility(pool).satisfiable
    records = [
        cell for cell in np.ndindex(SHAPE) if VALUES["days"][cell[0]] in (2, 3) and VALUES["price"][cell[1]] == "cheap"
    ]
    assert rows[0] == {
        "what": "record", "value": "any", "records": len(records),
        "satisfiable": (total := sum(bool(satisfiable[cell]) for cell in records)),
        "share": round(total / len(records), 4),
    }  # fmt: skip
    found = {(row["what"], row["value"]): (row["records"], row["satisfiable"]) for row in rows}
    for axis, field in enumerate(("days", "price", "orientation", "cuisine")):
        for value in VALUES[field]:
            mine = [cell for cell in records if VALUES[field][cell[axis]] == value]
            assert found[field, str(value)] == (len(mine), sum(bool(satisfiable[cell]) for cell in mine)), (
                field,
                value,
            )
    for word in RESTAURANT_ATTRIBUTES:
        mine = [cell for cell in records if word in VALUES["restaurant"][cell[4]]]
        count = sum(bool(satisfiable[cell]) for cell in mine)
        assert found["restaurant_preference", word] == (len(mine), count)
    assert found["cuisine", "Thai"][1] > 0 == found["cuisine", "Greek"][1]
    assert found["orientation", "nature"][1] > 0 == found["orientation", "history"][1]
