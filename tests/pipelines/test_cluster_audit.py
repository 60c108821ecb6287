"""Audits on workers that share no disk: what they find is what one process finds, and nothing of theirs stays."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

from assets.promises import gate
from assets.release.reading import ReleaseError, open_release
from pipelines.releases import judging
from pipelines.releases.judging import Published
from pipelines.walk import cluster
from pipelines.walk.fingerprint import Code
from tests.dask import Dask, dask_cluster
from tests.promises.editing import edited
from tests.recipes import command
from warehouse.home import Home

WORKERS = 2
JUDGES = {"judge", "judge_fields", "judge_as_published", "removed_rows", "hold_no_solution"}


@pytest.fixture(scope="module")
def dask(tmp_path_factory, served_bucket) -> Iterator[Dask]:
    """Return a scheduler and its workers, each with a cache of its own; a test replaces what it kills."""
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


def test_an_audit_of_a_bucket_says_the_same_on_workers_though_one_is_killed(
    one_town, dask, served_bucket, judged, tmp_path, monkeypatch
):
    monkeypatch.setenv("TRIPWRIGHT_CACHE", str(tmp_path / "driver"))
    home = put_into(served_bucket.home(), one_town.home, "raw", "releases")
    version = one_town.release.name
    keys = set(home.store.all_keys())
    alone = command("audit", "--release", version, home=home.url)
    assert (alone[0], alone[1]["problems"], judged) == (0, [], [])

    call = cluster.Cluster.call

    def kills(self: Any, *given: Any) -> Any:
        future = call(self, *given)
        if len(judged) == len(JUDGES) and dask.workers[0].poll() is None:
            dask.workers[0].kill()
        return future

    monkeypatch.setattr(cluster.Cluster, "call", kills)
    words = ("audit", "--release", version, "--scheduler", dask.address)
    assert command(*words, home=home.url) == alone
    assert judged.count("judge") == WORKERS and set(judged) == JUDGES
    assert set(home.store.all_keys()) == keys  # nothing is kept that another audit could recall
    assert dask.workers[0].wait(timeout=60) < 0
    dask.workers.pop(0)
    dask.start_worker()


def test_workers_find_in_an_edited_folder_what_one_process_finds(one_town, dask, judged, tmp_path):
    release = edited(one_town.release, tmp_path, {"certificates": without_a_day})
    alone = command("audit", "--release", release, home=one_town.home)
    assert alone[0] == 1 and any("the witness is not accepted" in problem for problem in alone[1]["problems"])
    words = ("audit", "--release", release, "--scheduler", dask.address)
    assert command(*words, home=one_town.home) == alone
    assert judged.count("judge") == WORKERS


def test_workers_build_a_release_again_in_a_part_of_the_home_that_is_gone_afterwards(
    one_town, dask, served_bucket, judged, tmp_path, monkeypatch
):
    monkeypatch.setenv("TRIPWRIGHT_CACHE", str(tmp_path / "driver"))
    home = put_into(served_bucket.home(), one_town.home, "raw")
    keys = {*home.store.all_keys(), "format.json"}
    submit, cells = cluster.Cluster.submit, []
    monkeypatch.setattr(cluster.Cluster, "submit", lambda *given: (cells.append(given[1]), submit(*given))[1])
    words = ("audit", "--release", one_town.release, "--recipe", one_town.recipe, "--rebuild")
    code, told = command(*words, "--scheduler", dask.address, home=home.url)
    assert (code, told["problems"]) == (0, [])
    assert cells and judged.count("judge") == 2 * WORKERS  # of the release, and of what is built again
    assert set(home.store.all_keys()) == keys
    assert {path.name for path in (tmp_path / "driver" / "stores").glob("*/*")} <= {"tmp", "raw"}


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


def test_workers_started_in_another_folder_are_told_the_whole_path_of_a_home(one_town, monkeypatch):
    told = []
    monkeypatch.setattr(cluster, "cluster", lambda _, home, *__: told.append(home) or nullcontext(None))
    monkeypatch.chdir(one_town.home.parent)
    home, candidate = Home(one_town.home.name), Published.of(Home(), open_release(one_town.release))
    with judging.Judging(scheduler="tcp://here:1").judges(home, candidate, Code()) as judges:
        assert isinstance(judges, judging.OnCluster) and judges.home_url == str(one_town.home)
    assert told == [str(one_town.home)]
