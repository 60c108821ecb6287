"""What is made beside the gate: in other processes or in one, the same; what dies or fails there is no secret."""

from __future__ import annotations

import io
import os
import time
from pathlib import Path
from typing import Any

import numpy as np
import psutil
import pytest
from PIL import Image, ImageColor

from assets.families import families
from assets.release.basemap.style import LIGHT
from assets.release.measures import measures_and_facts
from assets.release.page.render import report
from assets.release.reading import NO_SOLUTION, open_release
from pipelines.releases import beside as beside_module
from pipelines.releases.beside import FEWEST_ROWS, FEWEST_TASKS, YIELDS, Beside, KeptTables, beside
from pipelines.releases.judging import Candidate
from pipelines.releases.pages import begin_maps, begin_page, drawn_maps, write_page
from pipelines.releases.public import released_tables
from pipelines.walk.fingerprint import Code
from schemas.source import SourceError
from tests.killing import all_ended
from warehouse.home import Home
from warehouse.tables import TableVersion

FAMILY = families()["itinbench"]
MOST_NICE = 19


@pytest.fixture(scope="module")
def release(small_world):
    return open_release(small_world.releases[FAMILY.name])


@pytest.fixture
def kept(release, small_world):
    """Return the tables of a small release, as the home keeps them."""
    declared = released_tables(FAMILY)
    versions = {
        file.path: TableVersion(declared[file.path].table_name(), file.sha256, file.rows)
        for file in release.manifest.files
        if file.path.endswith(".parquet")
    }
    return KeptTables(str(small_world.home), FAMILY.name, versions, release.manifest.section)


@pytest.fixture
def with_processes(kept, small_world, monkeypatch):
    """Return a function from a number of processes to what works beside the gate of a small release."""
    monkeypatch.setattr(beside_module, "FEWEST_TASKS", 0)
    monkeypatch.setattr(beside_module, "free_memory_mb", lambda: 9000)
    tables = kept.read(Home(str(small_world.home)), FAMILY)
    return lambda processes, tell=pytest.fail: beside(FAMILY, tables, kept, processes, 1000, tell)


def test_measures_and_maps_of_other_processes_are_those_that_one_released(with_processes, release):
    assert release.manifest.counts["tasks"] < FEWEST_TASKS
    with with_processes(3) as others:
        assert others.others is not None
        measuring, maps = others.begin(measures_and_facts, release.manifest.facts), begin_maps(others, release.manifest)
        assert measuring() == (release.manifest.measures, release.manifest.facts)
        drawn = release.folder / "record" / "maps"
        assert maps() == {f"maps/{path.name}": path.read_bytes() for path in drawn.iterdir()} != {}


@pytest.mark.parametrize("processes", [1, 2])
def test_a_page_drawn_of_a_candidate_by_another_process_is_that_of_the_release(
    with_processes, kept, release, small_world, processes
):
    home = Home(str(small_world.home))
    (ref,) = home.releases.find(release.version)
    unknown: dict[str, Any] = {"measures": {}, "facts": {}, "promises": {}, "columns_under": []}
    texts = {name: (release.folder / name).read_bytes() for name in (NO_SOLUTION,) if (release.folder / name).is_file()}
    with_rows = [file for file in release.manifest.files if file.rows is not None]
    manifest = release.manifest.model_copy(update={**unknown, "files": with_rows})
    home.store.delete(f"{ref.key}/record/report.html")
    with with_processes(processes) as others:
        measuring = others.begin(measures_and_facts, release.manifest.facts)
        drawing = begin_page(others, Candidate(manifest, kept.versions, texts), measuring)
        assert drawing is not None
        write_page(home, ref, FAMILY, Code(), pytest.fail, drawing)
        assert drawing.future is not None
    page = (release.folder / "record" / "report.html").read_bytes()
    assert page == report([release], home.snapshots)


def test_a_page_that_one_process_draws_as_soon_is_not_begun(with_processes, kept, release, monkeypatch):
    monkeypatch.setattr(beside_module, "free_memory_mb", lambda: 0)
    with with_processes(2) as one:
        assert begin_page(one, Candidate(release.manifest, kept.versions), one.begin(measures_and_facts, {})) is None


def given_what_came(family, tables, first: str, came: str) -> tuple[str, str]:
    return first, came


def first_word(family, tables) -> str:
    return family.name


@pytest.mark.parametrize("processes", [1, 2])
def test_a_call_after_another_is_given_what_came_of_it(with_processes, processes):
    with with_processes(processes) as others:
        named = others.begin(first_word)
        assert others.begin(given_what_came, "given", after=named)() == ("given", FAMILY.name)


@pytest.mark.parametrize("after_death", [True, False])
def test_what_was_to_come_of_a_process_that_died_is_made_here_for_what_comes_after(with_processes, after_death):
    told = []
    with with_processes(2, told.append) as others:
        named = others.begin(killed_elsewhere if after_death else first_word, *[os.getpid()] * after_death)
        _, came = others.begin(given_what_came, "given", after=named)()
    assert came == (f"{FAMILY.name} True" if after_death else FAMILY.name)
    assert len(told) == 2 * after_death, told


def pid_of(family, tables) -> int:
    return os.getpid() if len(tables.tasks) and family.name == FAMILY.name else 0


@pytest.mark.parametrize(
    ("processes", "fewest_tasks", "fewest_rows", "free_mb", "elsewhere"),
    [
        (2, 0, FEWEST_ROWS, 1000, True),
        (1, 0, FEWEST_ROWS, 1000, True),
        (2, FEWEST_TASKS, 1, 1000, True),
        (2, FEWEST_TASKS, FEWEST_ROWS, 1000, False),
        (2, 0, FEWEST_ROWS, 999, False),
    ],
)
def test_another_process_is_begun_where_there_are_tasks_or_rows_and_memory(
    with_processes, monkeypatch, processes, fewest_tasks, fewest_rows, free_mb, elsewhere
):
    monkeypatch.setattr(beside_module, "FEWEST_TASKS", fewest_tasks)
    monkeypatch.setattr(beside_module, "FEWEST_ROWS", fewest_rows)
    monkeypatch.setattr(beside_module, "free_memory_mb", lambda: free_mb)
    with with_processes(processes) as others:
        assert (others.begin(pid_of)() != os.getpid()) == elsewhere


def noted(family, tables, path: Path) -> str:
    path.touch()
    return family.name


def test_where_one_process_computes_another_begins_a_call_when_it_is_waited_for(with_processes, tmp_path):
    with with_processes(1) as others:
        later, first = others.begin(noted, tmp_path / "later"), others.begin(noted, tmp_path / "first")
        first()
        assert [path.name for path in tmp_path.iterdir()] == ["first"]
        later()
        assert (tmp_path / "later").exists()


def niceness(family, tables) -> int:
    return os.nice(0)


def test_what_yields_has_the_time_that_the_others_leave(with_processes):
    with with_processes(2) as others:
        assert others.begin(niceness)() == os.nice(0)
        assert others.begin(niceness, yields=True)() == min(MOST_NICE, os.nice(0) + YIELDS)
    with with_processes(1) as one:
        before = os.nice(0)
        assert one.begin(niceness, yields=True)() == before


def test_maps_are_for_all_processes_and_yield_to_what_measures(with_processes, release, monkeypatch):
    sent = []
    monkeypatch.setattr(Beside, "begin", lambda *told, yields=False: sent.append((told[-1], yields)))
    with with_processes(2) as others:
        begin_maps(others, release.manifest.model_copy(update={"cities": ["a", "b", "c"]}))
    assert sent == [(["a", "c"], True), (["b"], True)]


def killed_elsewhere(family, tables, here: int) -> str:
    if os.getpid() != here:
        os._exit(9)
    return f"{family.name} {len(tables.tasks) > 0}"


def test_the_work_of_a_process_that_died_is_done_here_and_told(with_processes):
    told = []
    with with_processes(2, told.append) as others:
        assert others.begin(killed_elsewhere, os.getpid())() == f"{FAMILY.name} True"
    (text,) = told
    assert text.endswith("died (exit 9): killed_elsewhere is called again here")


def waits(family, tables, path) -> None:
    (path.parent / "whole").write_text(str(os.getpid()))
    (path.parent / "whole").replace(path)
    time.sleep(1e6)


def fails(family, tables) -> None:
    raise ValueError(f"{family.name} cannot be measured")


def test_an_error_comes_in_its_own_words_and_ends_what_still_runs(with_processes, tmp_path):
    path, begun = tmp_path / "pid", []
    path.touch()
    with pytest.raises(ValueError, match=r"^itinbench cannot be measured\b") as raised, with_processes(3) as others:
        others.begin(waits, path)
        while not path.read_text():
            time.sleep(0.01)
        begun.append(psutil.Process(int(path.read_text())))
        others.begin(fails)()
    assert str(raised.value) == "itinbench cannot be measured"
    assert begun
    assert all_ended(begun)


def too_far_north(*_, **__):
    raise SourceError("the city lies too far north")


@pytest.mark.parametrize(
    ("drawing", "why"),
    [(lambda *_, **__: 1 / 0, "ZeroDivisionError: division by zero"), (too_far_north, "the city lies too far north")],
)
def test_a_city_that_cannot_be_drawn_is_told_and_stops_nothing(with_processes, release, monkeypatch, drawing, why):
    from assets.spatial import map as map_module

    monkeypatch.setattr(map_module, "city_map", drawing)
    monkeypatch.setattr(beside_module, "free_memory_mb", lambda: 0)
    told = []
    with with_processes(1, told.append) as others:
        cities = [city["city_id"] for city in release.manifest.cities]
        assert begin_maps(others, release.manifest)() == {}
    assert told == [f"the map of {city} could not be drawn: {why}" for city in cities]


def test_a_city_lies_on_ground_and_a_file_of_it_that_is_not_there_is_told(kept, release, small_world):
    tables = kept.read(Home(str(small_world.home)), FAMILY)
    city = next(
        one for one in release.manifest.cities if (release.folder / f"record/maps/{one['city_id']}.png").is_file()
    )
    by_transit = open_release(small_world.releases["tripcraft"]).manifest.inputs
    feeds = [one for one in by_transit if one.source == "gtfs" and one.city_id == city["city_id"]]
    lost = [one.model_copy(update={"sha256": "0" * 64}) for one in feeds]
    (images, none), (_, problems) = (
        drawn_maps(
            FAMILY, tables, str(small_world.home), release.manifest.model_copy(update={"inputs": inputs}), [city]
        )
        for inputs in (feeds, lost)
    )
    assert not none
    assert len(problems) == len(lost) > 0
    assert all("is not in this home, or has changed there" in problem for problem in problems)
    pixels = np.asarray(Image.open(io.BytesIO(images[f"maps/{city['city_id']}.png"])).convert("RGB")).astype(int)
    is_land = np.abs(pixels - np.array(ImageColor.getrgb(LIGHT["land"]))).max(axis=2) <= 4
    assert is_land.mean() > 0.1
