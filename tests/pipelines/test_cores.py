"""Cells in processes of their own: the same bytes as one after the other, and a process that dies costs nothing."""

from __future__ import annotations

import os
import pickle
import signal
import threading
from concurrent.futures import CancelledError, ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from types import SimpleNamespace
from typing import ClassVar

import pytest

from assets.families import families
from pipelines.releases import beside
from pipelines.walk import executors, shards
from pipelines.walk import walk as walk_module
from pipelines.walk.build import build
from pipelines.walk.cell import Bench, CellResult
from pipelines.walk.fingerprint import ROOT
from pipelines.walk.jobs import job_of, keep_job, run_here
from pipelines.walk.listener import Listener
from pipelines.walk.recipes import load_recipe
from pipelines.walk.walk import DRIVER, _Round
from schemas.errors import ExpectedError
from schemas.recipe import RecipeLock
from schemas.source import SourceError
from sources.services import osrm_install
from tests.pipelines.conftest import recipe_text
from warehouse.home import Home
from warehouse.store import StoreError

CITIES, TASKS = 2, 2
"""Of `two_towns`."""


@pytest.fixture(autouse=True)
def at_once(monkeypatch):
    monkeypatch.setattr(executors, "STARTS_AFTER_S", 0.0)


def made(home: Path) -> dict[str, bytes]:
    """Return every table and release file of a home."""
    kept = [path for part in ("tables", "releases") for path in (home / part).rglob("*") if path.is_file()]
    names = {path.relative_to(home).as_posix(): path for path in kept}
    return {name: path.read_bytes() for name, path in names.items() if "/record/" not in name}


def test_three_processes_make_the_bytes_of_one_and_share_a_city_s_drafts_though_two_are_killed(
    two_towns, tmp_path, monkeypatch
):
    who, killed = set(), []
    monkeypatch.setattr(shards, "JOBS_A_SHARD", 1)
    monkeypatch.setattr(beside, "FEWEST_TASKS", 0)
    prepared, prepare = [], shards.Sharing.prepare
    monkeypatch.setattr(shards.Sharing, "prepare", lambda sharing: prepared.append(1) or prepare(sharing))

    def kill(event):
        if event.rows:
            who.add(event.worker)
        if event.worker.startswith("process ") and len(killed) < 2:
            pid = int(event.worker.split()[1])
            if pid not in killed:
                killed.append(pid)
                os.kill(pid, signal.SIGKILL)

    built = build(
        Home(str(tmp_path / "home")), two_towns.copied_recipe(tmp_path), workers=3, listener=Listener(report=kill)
    )
    assert len(killed) == 2
    assert built.blocked == []
    assert made(tmp_path / "home") == made(two_towns.home)
    assert len(who - {"", DRIVER}) >= 2
    assert len(prepared) == CITIES  # nothing is known of their plans
    assert DRIVER in who  # it keeps drafts together, and their plans are sought in shards
    assert len(list((tmp_path / "home" / "shards").rglob("*.json"))) == CITIES * TASKS
    again = build(Home(str(tmp_path / "home")), tmp_path / two_towns.recipe.name, workers=2)
    assert (again.steps_run, again.steps_skipped) == (0, built.steps_run + built.steps_skipped)  # kept before a kill


def test_a_cell_whose_processes_die_every_time_is_given_up_and_says_so(monkeypatch):
    monkeypatch.setattr(executors, "run_packed", die)
    running = executors.Cores(None, "", lambda: "", workers=1, memory_mb=1500)  # type: ignore[arg-type]
    running._is_here_busy = True
    made, _ = running.submit(None, 1).result()  # type: ignore[arg-type]
    assert made.record is None
    assert "3 processes that ran it died, perhaps for want of memory" in made.reason
    running.close()


def die(*_):
    os.kill(os.getpid(), signal.SIGKILL)


def test_what_still_runs_is_ended_at_once_and_not_begun_again(monkeypatch, tmp_path):
    """Else Ctrl-C would wait for what nobody keeps."""
    monkeypatch.setattr(executors, "run_packed", takes_minutes)
    running = executors.Cores(None, str(tmp_path), lambda: "", workers=1, memory_mb=1500)  # type: ignore[arg-type]
    running._is_here_busy = True
    done = running.submit(None, 1)  # type: ignore[arg-type]
    assert running._pool is not None
    (process,) = running._pool._processes.values()
    while not list(tmp_path.iterdir()):
        process.join(0.01)
    running.close()
    process.join(60)
    assert not process.is_alive()
    with pytest.raises(CancelledError):
        done.result(timeout=60)
    with pytest.raises(CancelledError):
        running.submit(None, 1).result(timeout=60)  # type: ignore[arg-type]


def takes_minutes(folder, *_):
    (Path(folder) / "begun").touch()
    threading.Event().wait(120)


class Packed:
    """Notes the thread that it is pickled in."""

    threads: ClassVar[list[int]] = []

    def __reduce__(self):
        self.threads.append(threading.get_ident())
        return Packed, ()


def test_what_is_sent_is_packed_before_its_sender_goes_on(monkeypatch):
    """A shard shares its world with the cell that draws the next: packed later, it may change while it is read."""
    monkeypatch.setattr(executors, "run_packed", pong)
    running = executors.Cores(None, "", lambda: "", workers=1, memory_mb=1500)  # type: ignore[arg-type]
    running._is_here_busy = True
    assert running.submit(Packed(), 1).result() == "pong"  # type: ignore[arg-type]
    assert Packed.threads == [threading.get_ident()]
    running.close()


def pong(*_):
    return "pong"


def test_no_more_is_begun_than_memory_allows():
    running = executors.Cores(None, "", lambda: "", workers=4, memory_mb=1500)  # type: ignore[arg-type]
    assert running.room(9000)
    running._send = lambda packed, done, tries: None  # type: ignore[method-assign]
    running._is_here_busy = True
    running.submit(None, 1000)  # type: ignore[arg-type]
    wait_for_others(running)
    assert (running.room(500), running.room(501)) == (True, False)


def wait_for_others(running):
    """Wait until other processes can begin a cell, which has them started."""
    running.has_others  # noqa: B018  (asked, it has them started)
    assert running._starting is not None
    running._starting.join()
    assert running.has_others


@pytest.mark.parametrize(("previous", "times"), [(None, 1), ("table", 0)])
def test_others_make_ready_only_for_plans_of_which_none_is_known(monkeypatch, previous, times):
    ready = []
    monkeypatch.setattr(walk_module, "Sharing", lambda *_: SimpleNamespace(prepare=lambda: ready.append(1)))
    waiting = object.__new__(_Round)
    waiting._visits = [(SimpleNamespace(name="draft", memory_mb=1), None)]  # type: ignore[list-item]
    waiting._walk = SimpleNamespace(begun=lambda _: None, ask=lambda _: None)  # type: ignore[assignment]
    waiting._executor, waiting._bench = SimpleNamespace(workers=1), SimpleNamespace(make=lambda *_: "made")  # type: ignore[assignment]
    waiting._sharing, waiting._running, waiting._came = {"draft"}, {}, SimpleQueue()
    waiting._run_here(0, SimpleNamespace(previous=previous))  # type: ignore[arg-type]
    assert waiting._came.get_nowait()[1].result()[0] == "made"
    assert len(ready) == times


@pytest.mark.parametrize(("workers", "begun"), [(2, ["b", "a", "own of town"]), (1, ["a", "b", "own of town"])])
def test_with_several_workers_a_recipe_s_cells_are_begun_before_those_of_cities_and_the_longest_chain_first(
    workers, begun
):
    reads = {"a": [], "b": [], "of town": ["a"], "more of town": ["of town"], "own of town": [], "after b": ["b"]}
    reads["last"] = ["more of town", "own of town", "after b"]
    steps = {name: SimpleNamespace(name=name, per="city" if "of" in name else "recipe", shard="") for name in reads}
    graph = SimpleNamespace(inputs=lambda step: [steps[name] for name in reads[step.name]], cities={"town": None})
    visits = [(step, SimpleNamespace(city_id="town") if step.per == "city" else None) for step in steps.values()]
    waiting = _Round(SimpleNamespace(graph=graph), visits, SimpleNamespace(workers=workers), None)  # type: ignore[arg-type]
    at_first = [number for number, waits in enumerate(waiting._waits) if not waits]
    assert [visits[number][0].name for number in sorted(at_first, key=waiting._rank)] == begun


def test_others_are_started_before_their_time_where_many_cells_wait(monkeypatch):
    monkeypatch.setattr(executors, "STARTS_AFTER_S", 1e6)
    running = executors.Cores(None, "", lambda: "", workers=2, memory_mb=9000)  # type: ignore[arg-type]
    sent = []
    running._send = lambda packed, done, tries: sent.append(pickle.loads(packed))  # type: ignore[method-assign]
    running._is_here_busy = True
    running._running = 1
    running.expect(executors.MANY_CELLS - 1)
    assert (running.has_others, running.room(1), running._starting) == (False, False, None)
    running.expect(executors.MANY_CELLS)
    running.expect(1)  # what is started stays
    wait_for_others(running)
    assert running.room(1)
    running._is_here_busy = False
    running.submit("cell", 1)  # type: ignore[arg-type]
    assert sent == ["cell"]


@pytest.mark.parametrize(("waiting", "here"), [(executors.MOST_CELLS_HERE, 1), (executors.MOST_CELLS_HERE + 1, 0)])
def test_where_very_many_cells_wait_none_runs_in_the_driver(monkeypatch, waiting, here):
    ready = threading.Event()
    monkeypatch.setattr(executors, "_get_ready", ready.wait)
    running = executors.Cores(None, "", lambda: "", workers=2, memory_mb=9000)  # type: ignore[arg-type]
    sent, ran = [], []
    running._send = lambda packed, done, tries: sent.append(pickle.loads(packed))  # type: ignore[method-assign]
    running._run_here = lambda cell, done: ran.append(cell)  # type: ignore[method-assign]
    running.expect(waiting)
    running.expect(1)  # of the last ones it is the same build
    running.submit("cell", 1)  # type: ignore[arg-type]
    ready.set()
    assert (len(ran), len(sent)) == (here, 1 - here)


@pytest.mark.parametrize("text", ["0", "two", "-1", ""])
def test_a_number_of_workers_that_is_none_is_refused(monkeypatch, text):
    monkeypatch.setenv(executors.WORKERS_VARIABLE, text)
    with pytest.raises(ExpectedError, match="expected a whole number of cells"):
        executors.workers_here()


@pytest.mark.parametrize("path", sorted((Path(__file__).parents[2] / "recipes").glob("*.toml")), ids=lambda p: p.stem)
def test_a_job_holds_its_recipe_and_lock_and_is_not_believed_once_changed(path, tmp_path):
    home, loaded = Home(str(tmp_path)), load_recipe(path, families())
    lock = RecipeLock(recipe=loaded.recipe.name, snapshots=[]).sealed()
    key = keep_job(home, loaded, lock)
    again = job_of(home, key)
    assert (again.loaded.path, again.loaded.sections, again.lock) == (loaded.path, loaded.sections, lock)
    assert again.loaded.recipe.model_dump_json() == loaded.recipe.model_dump_json()
    home.store.put(key, home.store.read(key).replace(b'"seed": ', b'"seed": 1'))
    with pytest.raises(StoreError, match="has changed"):
        job_of(home, key)


@pytest.mark.parametrize("no_install", [False, True])
def test_who_runs_a_job_on_another_machine_fetches_the_router_that_it_needs(
    monkeypatch, raw_file, tmp_path, no_install
):
    monkeypatch.setenv("TRIPWRIGHT_CACHE", str(tmp_path / "cache"))
    fetched = []
    monkeypatch.setattr(osrm_install, "install_osrm", fetched.append)
    monkeypatch.setattr(Bench, "make", lambda *_: CellResult(None, "begun"))
    home, loaded = Home(str(tmp_path / "home")), load_recipe(ROOT / "recipes" / "demo.toml", families())
    lock = RecipeLock(recipe=loaded.recipe.name, snapshots=[raw_file("osm", "extract", "map").snapshot]).sealed()
    key = keep_job(home, loaded, lock, no_install=no_install)
    made, _ = run_here(home.url, key, None)  # type: ignore[arg-type]
    assert fetched == ([] if no_install else [tmp_path / "cache"])
    assert made.reason.startswith("OSRM" if no_install else "begun")


def test_threads_of_a_worker_share_no_bench_and_each_keeps_its_own(monkeypatch, tmp_path):
    """A worker that Dask gave several threads had one cell's shards solved by another's solver, or by none."""
    at_once = threading.Barrier(2)

    def made(bench: Bench, *_: object) -> CellResult:
        at_once.wait(timeout=60)
        return CellResult(None, str(id(bench)))

    monkeypatch.setattr(Bench, "make", made)
    home, loaded = Home(str(tmp_path)), load_recipe(ROOT / "recipes" / "first-look.toml", families())
    key = keep_job(home, loaded, RecipeLock(recipe=loaded.recipe.name, snapshots=[]).sealed())

    def benches(_: int) -> list[str]:
        return [run_here(home.url, key, None)[0].reason for _ in range(2)]  # type: ignore[arg-type]

    with ThreadPoolExecutor(2) as threads:
        (first, first_again), (second, second_again) = threads.map(benches, range(2))
    assert (first, second) == (first_again, second_again)
    assert first != second


def test_an_error_of_a_source_is_its_citys_in_another_process_too(tmp_path):
    recipe = tmp_path / "small.toml"
    recipe.write_text(recipe_text(cities=CITIES, tasks=TASKS, broken=(1,)), encoding="utf-8")
    built = build(Home(str(tmp_path / "home")), recipe, workers=2)
    (blocked,) = built.blocked
    assert blocked.step == "itinbench_place"
    assert not isinstance(blocked.reason, SourceError)
