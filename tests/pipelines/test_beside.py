"""What is made beside the gate: in other processes or in one, the same; what dies or fails there is no secret."""

from __future__ import annotations

import os
import time

import psutil
import pytest

from assets.family import families
from assets.release.measured import measured
from assets.release.reading import open_release
from pipelines.releases import beside as beside_module
from pipelines.releases.beside import FEWEST_TASKS, KeptTables, beside
from pipelines.releases.pages import begin_maps
from pipelines.releases.public import released_tables
from tests.killing import all_ended
from warehouse.home import Home
from warehouse.tables import TableVersion

FAMILY = families()["itinbench"]


@pytest.fixture(scope="module")
def release(small_world):
    return open_release(small_world.releases[FAMILY.name])


@pytest.fixture
def with_processes(release, small_world, monkeypatch):
    """Return a function from a number of processes to what works beside the gate of a small release."""
    monkeypatch.setattr(beside_module, "FEWEST_TASKS", 0)
    monkeypatch.setattr(beside_module, "free_memory_mb", lambda: 9000)
    declared = released_tables(FAMILY)
    versions = {
        file.path: TableVersion(declared[file.path].table_name(), file.sha256, file.rows)
        for file in release.manifest.files
        if file.path.endswith(".parquet")
    }
    kept = KeptTables(str(small_world.home), FAMILY.name, versions, release.manifest.section)
    tables = kept.read(Home(str(small_world.home)), FAMILY)
    return lambda processes, tell=pytest.fail: beside(FAMILY, tables, kept, processes, 1000, tell)


def test_measures_and_maps_of_other_processes_are_those_that_one_released(with_processes, release):
    assert release.manifest.counts["tasks"] < FEWEST_TASKS
    with with_processes(3) as others:
        assert others.others is not None
        cities = {city["city_id"]: city["name"] for city in release.manifest.cities}
        measuring, maps = others.begun(measured, release.manifest.facts), begin_maps(others, cities)
        assert measuring() == (release.manifest.measures, release.manifest.facts)
        drawn = release.folder / "record" / "maps"
        assert maps() == {f"maps/{path.name}": path.read_bytes() for path in drawn.iterdir()} != {}


def pid_of(family, tables) -> int:
    return os.getpid() if len(tables.tasks) and family.name == FAMILY.name else 0


@pytest.mark.parametrize(
    ("processes", "fewest", "free_mb", "elsewhere"),
    [(2, 0, 1000, True), (1, 0, 1000, False), (2, FEWEST_TASKS, 1000, False), (2, 0, 999, False)],
)
def test_another_process_is_begun_where_there_are_cores_tasks_and_memory(
    with_processes, monkeypatch, processes, fewest, free_mb, elsewhere
):
    monkeypatch.setattr(beside_module, "FEWEST_TASKS", fewest)
    monkeypatch.setattr(beside_module, "free_memory_mb", lambda: free_mb)
    with with_processes(processes) as others:
        assert (others.begun(pid_of)() != os.getpid()) == elsewhere


def killed_elsewhere(family, tables, here: int) -> str:
    if os.getpid() != here:
        os._exit(9)
    return f"{family.name} {len(tables.tasks) > 0}"


def test_the_work_of_a_process_that_died_is_done_here_and_told(with_processes):
    told = []
    with with_processes(2, told.append) as others:
        assert others.begun(killed_elsewhere, os.getpid())() == f"{FAMILY.name} True"
    (text,) = told
    assert text.endswith("died (exit 9): killed_elsewhere is called again here")


def waits(family, tables, path) -> None:
    path.write_text(str(os.getpid()))
    time.sleep(1e6)


def fails(family, tables) -> None:
    raise ValueError(f"{family.name} cannot be measured")


def test_an_error_comes_in_its_own_words_and_ends_what_still_runs(with_processes, tmp_path):
    begun = []
    with pytest.raises(ValueError, match=r"^itinbench cannot be measured$"), with_processes(3) as others:
        others.begun(waits, tmp_path / "pid")
        while not (tmp_path / "pid").exists():
            time.sleep(0.01)
        begun = psutil.Process().children()
        others.begun(fails)()
    assert begun
    assert all_ended(begun)


def test_a_city_that_cannot_be_drawn_is_told_and_stops_nothing(with_processes, release, monkeypatch):
    from assets.spatial import map as map_module

    monkeypatch.setattr(map_module, "city_map", lambda *_, **__: 1 / 0)
    told = []
    with with_processes(1, told.append) as others:
        cities = {city["city_id"]: city["name"] for city in release.manifest.cities}
        assert begin_maps(others, cities)() == {}
    assert told == [f"the map of {city} could not be drawn: ZeroDivisionError: division by zero" for city in cities]
