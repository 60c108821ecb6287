"""Cells in processes of their own: the same bytes as one after the other, and a process that dies costs nothing."""

from __future__ import annotations

import os
import signal
import threading
import time
from pathlib import Path

import pytest

from pipelines.releases import beside
from pipelines.walk import executors, shards
from pipelines.walk.build import build
from pipelines.walk.jobs import job_of, keep_job
from pipelines.walk.recipes import load_recipe
from pipelines.walk.walk import DRIVER
from schemas.recipe import RecipeLock
from schemas.source import SourceError
from tests.pipelines.conftest import recipe_text
from warehouse.home import Home
from warehouse.store import StoreError

CITIES, TASKS = 2, 2


@pytest.fixture(autouse=True)
def at_once(monkeypatch):
    monkeypatch.setattr(executors, "STARTS_AFTER_S", 0.0)


def made(home: Path) -> dict[str, bytes]:
    """Return every table and release file of a home."""
    kept = [path for part in ("tables", "releases") for path in (home / part).rglob("*") if path.is_file()]
    names = {path.relative_to(home).as_posix(): path for path in kept}
    return {name: path.read_bytes() for name, path in names.items() if "/record/" not in name}


@pytest.fixture(scope="module")
def recipe(tmp_path_factory):
    path = tmp_path_factory.mktemp("cores") / "small.toml"
    path.write_text(recipe_text(cities=CITIES, tasks=TASKS).replace("scale = 0.6", "scale = 0.3"), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def one_by_one(recipe):
    home = recipe.parent / "one"
    assert build(Home(str(home)), recipe, workers=1).blocked == []
    return made(home)


def test_three_processes_make_the_bytes_of_one_and_share_a_city_s_drafts(recipe, one_by_one, tmp_path, monkeypatch):
    who = set()
    monkeypatch.setattr(shards, "JOBS_A_SHARD", 1)
    monkeypatch.setattr(beside, "FEWEST_TASKS", 0)
    built = build(Home(str(tmp_path)), recipe, workers=3, report=lambda e: who.add(e.worker) if e.rows else None)
    assert built.blocked == []
    assert made(tmp_path) == one_by_one
    assert len(who - {"", DRIVER}) >= 2
    assert DRIVER in who  # it keeps drafts together, and their plans are sought in shards
    assert len(list((tmp_path / "shards").rglob("*.json"))) == CITIES * TASKS
    again = build(Home(str(tmp_path)), recipe, workers=2)
    assert (again.steps_run, again.steps_skipped) == (0, built.steps_run)


def test_a_process_that_is_killed_costs_nothing(recipe, one_by_one, tmp_path):
    killed = []

    def kill(event):
        if event.worker.startswith("process ") and len(killed) < 2:
            pid = int(event.worker.split()[1])
            if pid not in killed:
                killed.append(pid)
                os.kill(pid, signal.SIGKILL)

    built = build(Home(str(tmp_path)), recipe, workers=2, report=kill)
    assert len(killed) == 2
    assert built.blocked == []
    assert made(tmp_path) == one_by_one


def test_a_cell_whose_processes_die_every_time_is_given_up_and_says_so(monkeypatch):
    monkeypatch.setattr(executors, "run_here", die)
    running = executors.Cores(None, "", lambda: "", workers=1, memory_mb=1500)  # type: ignore[arg-type]
    running._is_here_busy = True
    made, _ = running.submit(None, 1).result()  # type: ignore[arg-type]
    assert made.built is None
    assert "3 processes that ran it died, perhaps for want of memory" in made.reason
    running.close()


def die(*_):
    os.kill(os.getpid(), signal.SIGKILL)


def test_no_more_is_begun_than_memory_allows():
    running = executors.Cores(None, "", lambda: "", workers=4, memory_mb=1500)  # type: ignore[arg-type]
    assert running.room(9000)
    begun = threading.Event()
    running._send = lambda cell, done, tries: begun.set()  # type: ignore[method-assign]
    time.sleep(0.01)
    running.submit(None, 1000)  # type: ignore[arg-type]
    running._is_here_busy = True
    running._first_at = time.monotonic() - 60
    assert (running.room(500), running.room(501)) == (True, False)


@pytest.mark.parametrize("text", ["0", "two", "-1", ""])
def test_a_number_of_workers_that_is_none_is_refused(monkeypatch, text):
    monkeypatch.setenv(executors.WORKERS_VARIABLE, text)
    with pytest.raises(ValueError, match="expected a whole number of cells"):
        executors.workers_here()


@pytest.mark.parametrize("path", sorted((Path(__file__).parents[2] / "recipes").glob("*.toml")), ids=lambda p: p.stem)
def test_a_job_holds_its_recipe_and_lock_and_is_not_believed_once_changed(path, tmp_path):
    from assets.family import families

    home, loaded = Home(str(tmp_path)), load_recipe(path, families())
    lock = RecipeLock(recipe=loaded.recipe.name, snapshots=[]).sealed()
    key = keep_job(home, loaded, lock)
    again, locked = job_of(home, key)
    assert (again.path, again.sections, locked) == (loaded.path, loaded.sections, lock)
    assert again.recipe.model_dump_json() == loaded.recipe.model_dump_json()
    home.store.put(key, home.store.read(key).replace(b'"seed": ', b'"seed": 1'))
    with pytest.raises(StoreError, match="has changed"):
        job_of(home, key)


def test_an_error_of_a_source_is_its_citys_in_another_process_too(tmp_path):
    recipe = tmp_path / "small.toml"
    recipe.write_text(
        recipe_text(cities=CITIES, tasks=TASKS, broken=(1,)).replace("scale = 0.6", "scale = 0.3"), encoding="utf-8"
    )
    built = build(Home(str(tmp_path / "home")), recipe, workers=2)
    (blocked,) = built.blocked
    assert blocked.step == "itinbench_place"
    assert not isinstance(blocked.reason, SourceError)
