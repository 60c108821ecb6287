"""Workers that are not there, die, go away or run other code; what they build is in `test_cluster_audit.py`."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from concurrent.futures import Future
from logging.handlers import QueueHandler
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import pytest
from distributed.comm.core import CommClosedError

from pipelines.walk import cluster
from pipelines.walk.build import build
from pipelines.walk.fingerprint import ROOT, Code
from pipelines.walk.jobs import run_here
from tests.dask import Dask, dask_cluster
from warehouse.home import Home


@pytest.fixture(scope="module")
def dask(tmp_path_factory) -> Iterator[Dask]:
    """Return a scheduler and its worker; the last test that has them kills the scheduler."""
    with dask_cluster(tmp_path_factory.mktemp("dask"), 1) as started:
        yield started


def test_a_scheduler_that_is_not_there_is_an_error_that_says_how_to_start_one(one_town, tmp_path, monkeypatch):
    monkeypatch.setattr(cluster, "ANSWERS_WITHIN_S", 1)
    with pytest.raises(cluster.ClusterError, match=r"found no Dask scheduler.*dask scheduler"):
        build(Home(str(tmp_path / "home")), one_town.copied_recipe(tmp_path), scheduler="tcp://127.0.0.1:9")


@pytest.mark.parametrize("address", ["foo", "tcp://host:port", "carrier://host:1"])
def test_an_address_of_no_scheduler_is_refused_before_a_client_is_made(address, tmp_path, monkeypatch):
    monkeypatch.setattr("distributed.Client", None)
    with (
        pytest.raises(cluster.ClusterError, match="found no Dask scheduler"),
        cluster.cluster(address, str(tmp_path), lambda: "", Code()),
    ):
        pass


def test_a_scheduler_that_went_away_is_an_error_that_says_what_is_kept():
    class Gone:
        status = "closed"

        def get_executor(self, **_: Any) -> Any:
            return self

        def nthreads(self) -> Any:
            raise OSError("Timed out trying to connect")

        def submit(self, *_: Any) -> Any:
            raise RuntimeError("cannot schedule new futures after shutdown")

    gone = cluster.Cluster(Gone(), "", lambda: "jobs/none.json", {})
    for ask in (lambda: gone.workers, lambda: gone.submit(None, 1)):  # type: ignore[arg-type]
        with pytest.raises(cluster.ClusterError, match=r"went away.*what was built is kept"):
            ask()


def test_a_call_gives_what_its_function_does_and_says_if_its_workers_died_or_the_scheduler_went_away():
    class Answers:
        status, sent = "running", []

        def get_executor(self, **_: Any) -> Any:
            return self

        def submit(self, *given: Any) -> Any:
            self.sent.append((given, Future()))
            return self.sent[-1][1]

    client = Answers()
    running = cluster.Cluster(client, "", lambda: "", {"a": "1"})
    sound, killed, gone, failed, without_code = (running.call(int, "7") for _ in range(5))
    (given, first), *others = client.sent
    assert given == (cluster.called_there, cluster._digest({"a": "1"}), int, "7")
    first.set_result(7)
    others[0][1].set_exception(type("KilledWorker", (Exception,), {})())  # Dask's, by its name
    others[1][1].cancel()
    others[2][1].set_exception(KeyError("a judge's own"))
    others[3][1].set_exception(ModuleNotFoundError("No module named 'pipelines'"))
    assert sound.result() == 7
    with pytest.raises(cluster.ClusterError, match=r"while int ran: 10 workers that ran it died"):
        killed.result()
    with pytest.raises(cluster.ClusterError, match=r"the scheduler went away while int ran"):
        gone.result()
    with pytest.raises(KeyError, match="a judge's own"):
        failed.result()
    with pytest.raises(cluster.ClusterError, match=r"a worker joined that cannot import .*No module named 'pipelines'"):
        without_code.result()


def test_workers_with_other_code_or_libraries_are_refused_by_name():
    mine = {"assets.family": "aaa", "numpy": "numpy==2.3.0", "pipelines": "x"}
    same, other = dict(mine), {"assets.family": "bbb", "pipelines": "x"}
    cluster._require_same("tcp://x", mine, {"tcp://a": same})
    with pytest.raises(cluster.ClusterError) as error:
        cluster._require_same("tcp://x", mine, {"tcp://a": same, "tcp://b": other})
    text = str(error.value)
    assert "1 of 2 workers run other code or libraries" in text
    assert "tcp://b: assets.family: bbb, here aaa; numpy: absent, here numpy==2.3.0" in text
    assert "tcp://a" not in text
    with pytest.raises(cluster.ClusterError, match="has no worker"):
        cluster._require_same("tcp://x", mine, {})


def test_a_worker_that_joined_later_with_other_code_runs_nothing(tmp_path):
    with pytest.raises(cluster.ClusterError, match="joined with other code"):
        cluster.run_there(str(tmp_path), "jobs/none.json", None, "another digest")  # type: ignore[arg-type]


def test_the_state_of_all_code_names_modules_and_the_versions_of_libraries():
    state = cluster.here()
    assert {"pipelines.walk.walk", "assets.spatial.clusters"} <= state.keys()
    assert state["pandas"].startswith("pandas==")
    assert state["pipelines.walk.walk"] != state["pipelines.walk.cell"]
    assert Path(ROOT, "pipelines", "walk", "walk.py").is_file()


def test_of_a_build_that_ends_while_workers_answer_no_traceback_is_told(dask, tmp_path):
    told = SimpleQueue[logging.LogRecord]()
    handler, loggers = QueueHandler(told), [logging.getLogger(name) for name in ("distributed", "tornado.application")]
    for logger in loggers:
        logger.addHandler(handler)
    try:
        for _ in range(3):
            with (
                pytest.raises(KeyError, match="the build's own"),
                cluster.cluster(dask.address, str(tmp_path), str, Code()) as workers,
            ):
                for _ in range(300):
                    workers.call(time.sleep, 0)
                time.sleep(0.2)
                raise KeyError("the build's own")
    finally:
        for logger in loggers:
            logger.removeHandler(handler)
    assert [told.get().getMessage() for _ in range(told.qsize())] == []


def test_a_worker_that_lacks_the_code_is_refused_by_name(tmp_path):
    (tmp_path / "other" / "pipelines").mkdir(parents=True)
    (tmp_path / "other" / "pipelines" / "__init__.py").touch()
    with dask_cluster(tmp_path / "dask", 0) as dask:
        dask.start_worker(code=tmp_path / "other")
        with (
            pytest.raises(
                cluster.ClusterError, match=r"(?s)1 of 1 workers .*tcp://.*cannot import the driver's code.*uv sync"
            ),
            cluster.cluster(dask.address, str(tmp_path), str, Code()),
        ):
            pass


def test_of_a_scheduler_that_is_killed_one_line_is_said_and_no_traceback(dask, tmp_path):
    client, told = logging.getLogger("distributed.client"), SimpleQueue[logging.LogRecord]()
    handler = QueueHandler(told)
    client.addHandler(handler)
    try:
        with cluster.cluster(dask.address, str(tmp_path), str, Code()) as workers:
            asked = workers.call(time.sleep, 30)
            time.sleep(1)
            assert dask.scheduler is not None
            dask.scheduler.kill()
            with pytest.raises(cluster.ClusterError, match="went away while sleep ran"):
                asked.result(timeout=60)
    finally:
        client.removeHandler(handler)
    assert told.empty()


def test_a_worker_that_dies_while_it_is_asked_for_its_code_ends_no_build():
    class Asked:
        def nthreads(self) -> dict[str, int]:
            return {"tcp://a": 1, "tcp://b": 1}

        def run(self, *_: Any, on_error: str) -> dict[str, Any]:
            assert on_error == "return"
            return {"tcp://a": {"numpy": "numpy==2.3.0"}, "tcp://b": CommClosedError("Stream is closed")}

    assert cluster._code_states(Asked()) == {"tcp://a": {"numpy": "numpy==2.3.0"}}


def test_a_worker_that_cannot_use_the_home_is_named(tmp_path):
    def refuse() -> None:
        raise OSError("s3://home: Unable to locate credentials")

    def without_its_job() -> None:
        run_here(str(tmp_path / "not mounted"), f"jobs/{'0' * 64}.json", None)  # type: ignore[arg-type]

    for function, problem in ((refuse, "Unable to locate credentials"), (without_its_job, "holds no `jobs/")):
        with pytest.raises(
            cluster.ClusterError, match=rf"worker \S+ \d+ cannot use what the driver can: .*{problem}.*same path"
        ):
            cluster.called_there(cluster._own_digest(), function)
