"""Builds and audits on workers that share no disk: what one process makes and finds, and nothing of audits stays.

Whoever kills a worker does it in the one cluster that all tests here use: to start a worker costs more than its work.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import nullcontext
from importlib.util import find_spec
from pathlib import Path
from runpy import run_path
from typing import Any

import pytest

from assets.promises import gate
from assets.promises.certified import Job
from assets.promises.executed_code import ran
from assets.release.reading import ReleaseError, open_release
from pipelines.releases import judging
from pipelines.releases.judging import Published, judged_there
from pipelines.walk import cluster, shards
from pipelines.walk.build import build
from pipelines.walk.fingerprint import Code
from pipelines.walk.listener import Listener
from tests.dask import Dask, dask_cluster
from tests.promises.editing import edited
from tests.recipes import command, hashed_files
from warehouse.home import Home

WORKERS = 2
JUDGES = {
    "judge",
    "judge_scores",
    "judge_fields",
    "judge_checks",
    "judge_as_published",
    "removed_rows",
    "renamed_places",
    "hold_no_solution",
}


@pytest.fixture(scope="module")
def dask(tmp_path_factory, served_bucket) -> Iterator[Dask]:
    """Return a scheduler and its workers, each with a cache of its own; whoever kills one replaces it, but the last."""
    with dask_cluster(tmp_path_factory.mktemp("dask"), WORKERS) as started:
        yield started


@pytest.fixture
def judged(monkeypatch) -> list[str]:
    """Share out every few tasks; return which functions were given to a cluster's workers."""
    monkeypatch.setattr(gate, "FEWEST_TASKS_A_JOB", 1)
    submit, called = judging.OnCluster.submit, []

    def counts(self: Any, function: Any, *given: Any) -> Any:
        called.append(function.__name__)
        return submit(self, function, *given)

    monkeypatch.setattr(judging.OnCluster, "submit", counts)
    return called


def put_into(url: str, home: Path, *shelves: str) -> Home:
    """Return the home at a bucket's address, with some shelves of a folder's."""
    opened = Home(url)
    for shelf in shelves:
        for path in (path for path in (home / shelf).rglob("*") if path.is_file()):
            opened.store.put(path.relative_to(home).as_posix(), path.read_bytes())
    return opened


def without_a_day(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the certificates, the first with a plan that the checker refuses."""
    return [{**row, "plan": {**row["plan"], "itinerary": []}} if n == 0 else row for n, row in enumerate(rows)]


def test_workers_make_the_bytes_of_one_process_though_one_is_killed(
    one_town, dask, served_bucket, judged, tmp_path, monkeypatch
):
    recipe, (killed, _) = one_town.copied_recipe(tmp_path), dask.workers
    monkeypatch.setattr(shards, "JOBS_A_SHARD", 1)
    monkeypatch.setenv("TRIPWRIGHT_CACHE", str(tmp_path / "driver"))
    bucket = Home(served_bucket.home())
    who: set[str] = set()

    def kill_one(event: Any) -> None:
        who.add(event.worker) if event.status == "built" else None
        if len(who) == WORKERS and killed.poll() is None:
            killed.kill()

    shared = build(bucket, recipe, scheduler=dask.address, listener=Listener(report=kill_one))
    assert shared.blocked == []
    assert len(who) >= WORKERS and all(who)
    assert killed.wait() < 0
    (release,) = shared.releases
    assert hashed_files(bucket.releases.folder(release.ref)) == hashed_files(one_town.release) != {}
    assert set(bucket.store.keys("tables")) == set(Home(str(one_town.home)).store.keys("tables"))
    assert judged.count("judge") >= WORKERS and set(judged) == JUDGES
    assert len(list(bucket.store.keys("shards"))) == 2  # of the city's drafts, two slots
    again = build(bucket, recipe, scheduler=dask.address)
    assert (again.steps_run, again.steps_skipped) == (0, one_town.built["steps_run"])
    dask.workers.remove(killed)
    dask.start_worker()


def test_what_a_killed_audit_left_is_freed(tmp_path):
    home = Home(str(tmp_path))
    Home(f"{tmp_path}/rebuilt/0a").store.put("tables/stop/1.parquet", b"rows")
    code, told = command("gc", "--delete", home=tmp_path)
    assert (code, told["unneeded"]) == (0, {"homes of audits": {"files": 1, "bytes": 4}})
    assert not list(home.store.keys("rebuilt"))


def test_workers_with_other_code_are_refused_by_name(one_town, dask, monkeypatch):
    everything = Code.everything
    monkeypatch.setattr(Code, "everything", lambda self: {**everything(self), "pipelines.cli": "edited"})
    words = ("audit", "--release", one_town.release, "--scheduler", dask.address)
    code, told = command(*words, home=one_town.home)
    assert code == 1
    assert "run other code or libraries than this driver" in told["error"] and "pipelines.cli: " in told["error"]
    assert "  - tcp://127.0.0.1:" in told["error"]


def test_workers_find_in_an_edited_release_what_one_process_finds_and_build_it_again_though_one_is_killed(
    one_town, dask, served_bucket, judged, tmp_path, monkeypatch
):
    monkeypatch.setenv("TRIPWRIGHT_CACHE", str(tmp_path / "driver"))
    folder = edited(one_town.release, tmp_path, {"certificates": without_a_day})
    version = open_release(folder).version
    shutil.copytree(folder, tmp_path / one_town.release.parent.relative_to(one_town.home) / version)
    url = served_bucket.home()
    put_into(url, one_town.home, "raw")
    home = put_into(url, tmp_path, "releases")
    words = ("audit", "--release", version, "--recipe", one_town.recipe, "--rebuild")
    code, told = alone = command(*words, home=home.url)
    assert (code, judged) == (1, [])
    assert any("the witness is not accepted" in problem for problem in told["problems"])
    made_otherwise = [problem for problem in told["problems"] if "comes out otherwise" in problem]
    assert [problem.partition(" in ")[0] for problem in made_otherwise] == ["certificates.parquet: comes out otherwise"]
    keys = {*home.store.all_keys(), "format.json"}
    cached = set((tmp_path / "driver" / "stores").glob("*/*"))

    call, (killed, _) = cluster.Cluster.call, dask.workers

    def kills(self: Any, *given: Any) -> Any:
        future = call(self, *given)
        if len(judged) == len(JUDGES) and killed.poll() is None:
            killed.kill()
        return future

    submit, cells = cluster.Cluster.submit, []
    monkeypatch.setattr(cluster.Cluster, "submit", lambda *given: (cells.append(given[1]), submit(*given))[1])
    monkeypatch.setattr(cluster.Cluster, "call", kills)
    assert command(*words, "--scheduler", dask.address, home=home.url) == alone
    assert killed.wait(timeout=60) < 0
    assert cells and judged.count("judge") == 2 * WORKERS  # of the release, and of what is built again
    assert set(judged) == JUDGES
    assert set(home.store.all_keys()) == keys  # nothing is kept that another audit could recall
    assert set((tmp_path / "driver" / "stores").glob("*/*")) == cached != set()


def test_a_scheduler_that_is_not_there_is_an_error(one_town, monkeypatch):
    monkeypatch.setattr(cluster, "ANSWERS_WITHIN_S", 1)
    words = ("audit", "--release", one_town.release, "--scheduler", "tcp://127.0.0.1:9")
    code, told = command(*words, home=one_town.home)
    assert code == 1 and "found no Dask scheduler" in told["error"]


@pytest.mark.parametrize("words", [("a.task",), ("--release", "folder", "--rebuild")])
def test_a_scheduler_for_a_task_or_an_opened_folder_is_refused(words, tmp_path):
    code, told = command("audit", *words, "--scheduler", "tcp://127.0.0.1:9", home=tmp_path)
    assert code == 2 and "--scheduler belongs to the audit of a whole release" in told["error"]


def test_a_worker_that_cannot_read_a_release_or_reads_other_bytes_says_so(one_town, tmp_path):
    home, elsewhere = Home(str(tmp_path / "home")), tmp_path / "elsewhere"
    release = open_release(Path(shutil.copytree(one_town.release, elsewhere)))
    published = Published.of(home, release)
    published.lay_out(home, tmp_path / "laid")
    assert open_release(tmp_path / "laid").manifest == release.manifest
    tasks = elsewhere / "tasks.parquet"
    tasks.write_bytes(tasks.read_bytes() + b" ")
    with pytest.raises(ReleaseError, match=r"tasks\.parquet: a worker read other bytes"):
        published.lay_out(home, tmp_path / "laid")
    shutil.rmtree(elsewhere)
    with pytest.raises(ReleaseError, match=r"a worker found no .* there; expected a release of"):
        published.lay_out(home, tmp_path / "laid")


def looks_at_what_it_ran(job: Job) -> list[str]:
    """Run a solver's file as something else, and return what is noted of it."""
    spec = find_spec("assets.itinbench.solver")
    assert spec is not None and spec.origin is not None
    run_path(spec.origin)
    return ran([spec.name])


def test_a_worker_s_judge_is_watched(one_town, tmp_path):
    published = Published.of(Home(str(tmp_path / "home")), open_release(one_town.release))
    told = judged_there(str(tmp_path / "home"), published, looks_at_what_it_ran, Job(Path(), (), frozenset()))
    assert told == ["assets.itinbench.solver under another name"]


def test_workers_started_in_another_folder_are_told_the_whole_path_of_a_home(one_town, monkeypatch):
    told = []
    monkeypatch.setattr(cluster, "cluster", lambda _, home, *__: told.append(home) or nullcontext(None))
    monkeypatch.chdir(one_town.home.parent)
    home, candidate = Home(one_town.home.name), Published.of(Home(), open_release(one_town.release))
    with judging.Judging(scheduler="tcp://here:1").judges(home, candidate, Code()) as judges:
        assert isinstance(judges, judging.OnCluster) and judges.home_url == str(one_town.home)
    assert told == [str(one_town.home)]
