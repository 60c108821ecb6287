"""What a pool can satisfy, against a matching of every meal, visit and stay to a place of its own."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_bipartite_matching

from assets.itinbench.candidates import Demands
from assets.itinbench.repairs.satisfiable import feasibility
from assets.itinbench.repairs.space import SHAPE, cell_at, cell_of, record_at
from assets.itinbench.tables import Record

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
