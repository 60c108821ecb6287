"""Shortest orders are recalled by a build where the very same numbers were sought by the same side and user before."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from assets.core import shortest
from assets.core.shortest import shortest_orders
from assets.itinbench.checks import tours
from assets.promises.cells import index_of
from assets.promises.certified import Job, judge, judge_as_published
from assets.promises.gate import gate
from assets.promises.kept_orders import VERDICTS_KEY, KeptOrders
from assets.promises.verdicts import KeptVerdicts
from assets.release.reading import open_release
from warehouse.home import Home
from warehouse.own_key import signature
from warehouse.store import Store

BETWEEN = np.array([[0.0, 1.0, 4.0], [1.0, 0.0, 2.0], [4.0, 2.0, 0.0]])
START = np.array([[1.0, 3.0, 2.0], [2.0, 2.0, 5.0]])
END = np.array([[2.0, 1.0, 2.0], [3.0, 4.0, 1.0]])
ASKED: Any = (BETWEEN, START, END, (1, 2), (1e-9, 0.0))


@pytest.fixture
def orders(tmp_path):
    return KeptOrders(str(tmp_path), "judges", "code")


@pytest.fixture
def sought(monkeypatch):
    """The calls that sought an order, since nothing is known of this process's own."""
    calls, seek = [], shortest._sought
    monkeypatch.setattr(shortest, "_sought", lambda *asked: calls.append(asked) or seek(*asked))
    tours._best_trips.cache_clear()
    yield calls
    tours._best_trips.cache_clear()


def job_of(small_world, orders):
    release = open_release(small_world.releases["itinbench"])
    ids = tuple(release.rows("tasks")["task_id"].to_pylist())
    return Job(release.folder, ids, frozenset(ids), orders), index_of(release).rows


def test_what_was_sought_is_recalled_as_it_was(orders, sought):
    found = shortest_orders(*ASKED)
    for _ in range(2):
        with orders.recall():
            assert [shortest_orders(*ASKED), shortest_orders(*ASKED)] == [found, found]
    assert len(sought) == 2  # one where nobody recalls, one kept


@pytest.mark.parametrize("number", range(len(ASKED)))
def test_an_order_is_recalled_of_the_very_same_numbers_alone(number, orders, sought):
    other = list(ASKED)
    if number < 3:
        other[number] = np.nextafter(ASKED[number], 9.0)
    else:
        other[number] = ((2, 1), (1e-9,))[number - 3]
    with orders.recall():
        shortest_orders(*ASKED)
    with orders.recall():
        shortest_orders(*other)
    assert len(sought) == 2


def test_judges_seek_nothing_twice_and_say_the_same(small_world, orders, sought):
    job, rows = job_of(small_world, orders)
    first = judge(job, rows), judge_as_published(job)
    assert sought
    sought.clear()
    tours._best_trips.cache_clear()
    assert (judge(job, rows), judge_as_published(job)) == first
    assert sought == []


def test_neither_others_nor_other_code_is_believed(small_world, orders, sought):
    judge(*job_of(small_world, orders))
    for stranger in (KeptOrders(orders.home_url, "planners", "code"), KeptOrders(orders.home_url, "judges", "other")):
        sought.clear()
        tours._best_trips.cache_clear()
        judge(*job_of(small_world, stranger))
        assert sought


def test_bytes_that_changed_are_sought_again(orders, sought):
    with orders.recall():
        right = shortest_orders(*ASKED)
    store = Store(orders.home_url)
    (key,) = store.keys(VERDICTS_KEY)
    kept = json.loads(store.read(key))
    store.put(key, json.dumps({name: [[9.0, order] for _, order in trips] for name, trips in kept.items()}).encode())
    with orders.recall():
        assert shortest_orders(*ASKED) == right
    assert len(sought) == 2


def lied(orders):
    """Put half of each length in the place of what a home keeps, signed by whose cache it is now."""
    store = Store(orders.home_url)
    (key,) = store.keys(VERDICTS_KEY)
    trips, folder = json.loads(store.read(key)), key.rpartition("/")[0]
    lie = json.dumps({name: [[length / 2, order] for length, order in found] for name, found in trips.items()}).encode()
    store.delete(key)
    store.put(f"{folder}/{signature(folder, lie)}", lie)
    tours._best_trips.cache_clear()


def test_an_audit_recalls_nothing_so_that_a_written_order_is_found_out(small_world, orders, sought):
    right = judge(*job_of(small_world, orders))
    lied(orders)
    assert any("its optimum" in problem for problem in judge(*job_of(small_world, orders)).problems)
    tours._best_trips.cache_clear()
    assert judge(*job_of(small_world, None)) == right


@pytest.mark.usefixtures("sought")
def test_orders_that_another_user_wrote_are_sought_again(small_world, orders, tmp_path):
    right = judge(*job_of(small_world, orders))
    with pytest.MonkeyPatch.context() as another:
        another.setenv("TRIPWRIGHT_CACHE", str(tmp_path / "another"))
        lied(orders)
    assert judge(*job_of(small_world, orders)) == right


def test_a_gate_keeps_what_its_judges_sought_and_its_next_judges_seek_nothing(small_world, tmp_path):
    snapshots, store = Home(str(small_world.home)).snapshots, Store(str(tmp_path))
    release, orders = open_release(small_world.releases["itinbench"]), KeptOrders(store.url, "judges", "code")
    whole, kept = gate(release, snapshots).as_manifest(), []
    for code in ("code", "changed"):  # of other code, every witness is judged again
        assert gate(release, snapshots, kept=KeptVerdicts(store, code, orders)).as_manifest() == whole
        kept.append(list(store.keys(f"{VERDICTS_KEY}/orders/judges/code")))
    assert kept[0] == kept[1] != []
