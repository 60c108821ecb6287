"""Drafts shared out in shards of slots: the bytes of one process, whoever finds a plan, and no plan sought twice."""

from __future__ import annotations

import shutil
from concurrent.futures import Future

import pytest

from assets.core.worlds import given_tables
from assets.families import all_steps, families
from assets.step import Job
from pipelines.walk import cell as cell_module
from pipelines.walk import shards
from pipelines.walk.cell import Bench, CellResult
from pipelines.walk.executors import Done
from pipelines.walk.fingerprint import Code
from pipelines.walk.graph import Cell, Graph
from pipelines.walk.inputs import known_lock
from pipelines.walk.recipes import load_recipe
from pipelines.walk.shards import Shard, Sharing
from pipelines.walk.walk import Walk
from tests.small_world import TASKS
from warehouse.home import Home


class Others:
    """Others that do shards, each on a bench of its own; the last given is the first done."""

    workers = 3

    def __init__(self, home: Home, graph: Graph, fault: str = "") -> None:
        self._home, self._graph, self._fault = home, graph, fault
        self.given: list[tuple[Shard, Done]] = []
        self.done = 0
        self.alone_for = 0

    @property
    def has_others(self) -> bool:
        self.alone_for -= 1
        return self.alone_for < 0

    def expect(self, cells: int) -> None:
        pytest.fail("a cell's shards are no cells that wait")

    def room(self, memory_mb: int) -> bool:
        is_free = len(self.given) < self.workers
        if not is_free:
            for shard, done in reversed(self.given):
                bench = Bench(self._home, self._graph)
                done.set_result((CellResult(None, self._fault) if self._fault else bench.make(shard), "other"))
            self.done += len(self.given)
            self.given = []
        return is_free

    def submit(self, cell: Cell | Shard, memory_mb: int) -> Done:
        assert isinstance(cell, Shard)
        done: Done = Future()
        self.given.append((cell, done))
        if len(self.given) == self.workers:
            self.room(memory_mb)
        return done


@pytest.fixture
def town(small_world, tmp_path, monkeypatch):
    """Return a copy of the small world's home, and its cells as they were built."""
    monkeypatch.setattr(shards, "JOBS_A_SHARD", 1)
    shutil.copytree(small_world.home, tmp_path / "home")
    home, loaded = Home(str(tmp_path / "home")), load_recipe(small_world.recipe, families())
    lock = known_lock(home, loaded, Code())
    assert lock is not None
    walk = Walk(home, loaded, lock, all_steps(loaded.families.values()), Code())
    drafts = [f"{name}_draft" for name in TASKS]
    assert walk.stale(drafts) == []
    return home, walk


def cell_of(walk, family, made="draft"):
    step = walk.graph.step(f"{family}_{made}")
    city = next(iter(walk.graph.cities.values())) if step.per == "city" else None
    cities = [city] if city else list(walk.graph.cities.values())
    cell = walk.graph.cell(step, city, cities, walk.walked.version, Code())
    return cell, walk.walked.records[step.name, cell.scope]


@pytest.mark.parametrize("family", sorted(TASKS))
def test_shards_find_the_bytes_of_one_process_and_seek_nothing_twice(town, family, monkeypatch):
    home, walk = town
    cell, built = cell_of(walk, family)
    others = Others(home, walk.graph)
    others.workers = 1  # each is done at once
    shared = Bench(home, walk.graph).run(cell, share=Sharing(others, cell, 1))
    assert shared == built
    kept = list(home.store.keys("shards"))
    assert len(kept) == others.done >= built.accounting.rows_out
    monkeypatch.setattr(Bench, "_solver_of", None)  # nothing may be sought again
    assert Bench(home, walk.graph).run(cell, share=Sharing(others, cell, 1)) == built
    assert list(home.store.keys("shards")) == kept


def test_the_steps_of_a_family_have_one_world_which_goes_with_the_first_cell_of_another(town, monkeypatch):
    (home, walk), family = town, "tripcraft"
    bench, worlds = Bench(home, walk.graph), []

    def given(tables, rows, section):
        worlds.append([table.table_name() for table in tables])
        return given_tables(tables, rows, section)

    monkeypatch.setattr(cell_module, "given_tables", given)
    assert walk.stale([f"{family}_lineage", "place"]) == []
    for made in ("draft", "task", "certificate", "lineage"):
        cell, built = cell_of(walk, family, made)
        assert bench.run(cell) == built
    assert worlds == [[table.table_name() for table in families()[family].world_tables]]
    bench.run(walk.graph.cell(walk.graph.step("place"), *_town(walk), walk.walked.version, Code()))
    bench.run(cell)
    assert len(worlds) == 2


def _town(walk):
    city = next(iter(walk.graph.cities.values()))
    return city, [city]


def test_what_comes_last_first_stays_in_its_place_and_the_first_jobs_are_done_alone(town):
    home, walk = town
    cell, built = cell_of(walk, "tripcraft")
    others = Others(home, walk.graph)
    others.alone_for, others.workers = 2, 2
    assert Bench(home, walk.graph).run(cell, share=Sharing(others, cell, 1)) == built
    assert others.done == len(list(home.store.keys("shards"))) == TASKS["tripcraft"] - 2


def test_the_first_shard_is_given_away_before_the_last_job_is_made(town):
    home, walk = town
    cell, _ = cell_of(walk, "itinbench")
    others, made, at_submit = Others(home, walk.graph), [], []
    others.workers = 2

    def jobs():
        for number in range(6):
            made.append(number)
            yield Job([number], (number,))

    def submit(shard, memory_mb):
        at_submit.append(len(made))
        done: Done = Future()
        done.set_result((CellResult(None, results=[job.arguments[0] for job in shard.jobs]), "other"))
        return done

    others.submit = submit  # type: ignore[method-assign]
    assert Sharing(others, cell, 1)(jobs(), lambda job: pytest.fail(str(job)), 6) == [0, 1, 2, 3, 4, 5]
    assert at_submit[0] < 6
    assert at_submit == sorted(at_submit)


def test_shards_become_smaller_towards_the_end_so_that_none_works_long_alone(town, monkeypatch):
    home, walk = town
    cell, _ = cell_of(walk, "itinbench")
    monkeypatch.setattr(shards, "JOBS_A_SHARD", 6)
    others, sizes = Others(home, walk.graph), []
    others.workers = 2

    def submit(shard, memory_mb):
        sizes.append(len(shard.jobs))
        done: Done = Future()
        done.set_result((CellResult(None, results=[job.about for job in shard.jobs]), "other"))
        return done

    others.submit = submit  # type: ignore[method-assign]
    jobs = [Job([number], ()) for number in range(30)]
    assert Sharing(others, cell, 1)(iter(jobs), lambda job: pytest.fail(str(job)), 30) == [job.about for job in jobs]
    assert sizes == [6, 6, 5, 4, 3, 2, 1, 1, 1, 1]


def test_others_make_ready_before_they_are_given_jobs_and_keep_nothing_of_it(town, monkeypatch):
    home, walk = town
    cell, _ = cell_of(walk, "itinbench")
    others = Others(home, walk.graph)
    sharing = Sharing(others, cell, 1)
    others.alone_for = 1
    sharing.prepare()
    assert others.given == []  # nobody else is there yet
    sharing.prepare()
    assert others.done == others.workers
    assert list(home.store.keys("shards")) == []
    bench, ready = Bench(home, walk.graph), []
    monkeypatch.setattr(Bench, "_solver_of", lambda *_: ready.append(1) or (lambda job: job.about))
    assert bench.make(Shard(cell, ())).results == []
    assert bench.make(Shard(cell, (Job(["one"], ()),))).results == [["one"]]
    assert ready == [1]


def test_results_that_were_damaged_are_sought_again(town):
    home, walk = town
    cell, built = cell_of(walk, "tripcraft")
    others = Others(home, walk.graph)
    others.workers = 1
    Bench(home, walk.graph).run(cell, share=Sharing(others, cell, 1))
    whole = {key: home.store.read(key) for key in home.store.keys("shards")}
    assert len(whole) == TASKS["tripcraft"]
    edited = [content.replace(b'"plan"', b'"plum"', 1) for content in whole.values()]
    assert not set(edited) & set(whole.values())
    for left in ((b"", b"{", b"[]", b'{"seal": "x", "results": []}'), edited):
        for key, content in zip(whole, left, strict=True):
            home.store.put(key, content)
        assert Bench(home, walk.graph).run(cell, share=Sharing(others, cell, 1)) == built
        assert {key: home.store.read(key) for key in whole} == whole


def test_a_shard_whose_processes_died_blocks_its_cell_and_says_so(town):
    home, walk = town
    cell, built = cell_of(walk, "itinbench")
    home.store.delete(f"built/{cell.fingerprint[:2]}/{cell.fingerprint}.json")
    others = Others(home, walk.graph, fault="3 processes that ran it died")
    others.workers = 1
    made = Bench(home, walk.graph).make(cell, share=Sharing(others, cell, 1))
    assert (made.record, made.reason) == (None, "3 processes that ran it died")
    assert built.step == "itinbench_draft"
