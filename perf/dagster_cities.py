"""Dagster with PostgreSQL and a home in a bucket: the runs of eight cities at once, asserted by what its GraphQL tells.

    python -m perf.dagster_cities [--cities 8]

Starts a PostgreSQL server, a bucket on loopback, Dagster's web server and its daemon, and over GraphQL launches what
the recipe needs once, then a run of each city, all at once, each in a process of its own. One city's area holds next to
nothing, and one run is killed (kill -9) once it has made its first table. Then the killed city is run again, and a
command builds the recipe, changed, in the same home. Exit 1 with all that GraphQL tells otherwise than it should.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from pipelines.orchestrator.report import ACCOUNTING, SCHEMA
from pipelines.walk.fingerprint import ROOT
from sources.invented.cities import world_cities
from tests.bucket import bucket
from tests.pipelines.conftest import recipe_text
from tests.postgres import postgres
from warehouse.home import Home

LOOKS_EVERY_S = 0.5
DEFINITIONS = "pipelines.orchestrator.definitions"
FIRST, LAST, PLACES = "place", "itinbench_certificate", "itinbench_place"
NEEDS_PLACES = "city_has_places_of_every_kind"
SETTINGS = """
telemetry:
  enabled: false
storage:
  postgres:
    postgres_url:
      env: DAGSTER_POSTGRES_URL
run_monitoring:
  enabled: true
  poll_interval_seconds: 2
  start_timeout_seconds: 600
"""
LAUNCH = """mutation($p: ExecutionParams!) { launchRun(executionParams: $p) { __typename
  ... on LaunchRunSuccess { run { runId } } ... on PythonError { message } } }"""
STATUS = "query($id: ID!) { runOrError(runId: $id) { ... on Run { status startTime endTime } } }"
EVENTS = """query($id: ID!) { logsForRun(runId: $id) { ... on EventConnection { events { __typename
  ... on MessageEvent { message } ... on MaterializationEvent { assetKey { path } }
  ... on ExecutionStepFailureEvent { stepKey error { message } failureMetadata { description } } } } } }"""
MADE = """query($k: AssetKeyInput!, $p: [String!]) { assetNodeOrError(assetKey: $k) { ... on AssetNode {
  assetMaterializations(partitions: $p) { partition runId tags { key value } } } } }"""
CHECKED = """query($k: AssetKeyInput!, $c: String!, $p: String) {
  assetCheckExecutions(assetKey: $k, checkName: $c, limit: 20, partition: $p) { status runId } }"""


class Wrong(list[str]):
    """What was told otherwise than it should be."""

    def unless(self, holds: bool, text: str) -> None:
        """Note the text unless it holds."""
        print(f"{'as it should be' if holds else 'WRONG'}: {text}", flush=True)
        if not holds:
            self.append(text)


class GraphQl:
    """Dagster's GraphQL at an address."""

    def __init__(self, address: str) -> None:
        self._address = f"{address}/graphql"
        selected = self("{ repositoriesOrError { ... on RepositoryConnection { nodes { name location { name } } } } }")
        (node,) = selected["repositoriesOrError"]["nodes"]
        self._repository = {"repositoryName": node["name"], "repositoryLocationName": node["location"]["name"]}

    def __call__(self, query: str, **given: Any) -> dict[str, Any]:
        """Return the data that answers a query. Raises AssertionError with what it says is wrong with it."""
        body = json.dumps({"query": query, "variables": given}).encode()
        request = urllib.request.Request(self._address, body, {"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request) as answer:
                said = json.load(answer)
        except urllib.error.HTTPError as error:
            said = json.load(error)
        assert not said.get("errors"), said["errors"]
        return said["data"]

    def launch(self, job: str, partition: str) -> str:
        """Return the id of a run that was launched."""
        params = {
            "selector": {**self._repository, "jobName": job},
            "mode": "default",
            "runConfigData": {"execution": {"config": {"in_process": {}}}},
            "executionMetadata": {"tags": [{"key": "dagster/partition", "value": partition}]},
        }
        launched = self(LAUNCH, p=params)["launchRun"]
        assert launched["__typename"] == "LaunchRunSuccess", launched
        return launched["run"]["runId"]

    def run(self, run_id: str) -> dict[str, Any]:
        """Return a run's status, start and end."""
        return self(STATUS, id=run_id)["runOrError"]

    def ended(self, run_ids: list[str]) -> dict[str, dict[str, Any]]:
        """Return the runs, once all have ended."""
        return {run_id: _until(lambda run_id=run_id: self._if_ended(run_id)) for run_id in run_ids}

    def events(self, run_id: str) -> list[dict[str, Any]]:
        """Return a run's events."""
        return self(EVENTS, id=run_id)["logsForRun"]["events"]

    def made(self, asset: str, partition: str) -> list[tuple[str, str]]:
        """Return (run, data version) of an asset's materializations of a partition, the newest first."""
        node = self(MADE, k={"path": [asset]}, p=[partition])["assetNodeOrError"]
        return [
            (one["runId"], {tag["key"]: tag["value"] for tag in one["tags"]}.get("dagster/data_version", ""))
            for one in node["assetMaterializations"]
        ]

    def checks(self, asset: str, check: str, partition: str) -> list[tuple[str, str]]:
        """Return (run, status) of a check's executions of a partition, the newest first."""
        found = self(CHECKED, k={"path": [asset]}, c=check, p=partition)["assetCheckExecutions"]
        return [(one["runId"], one["status"]) for one in found]

    def _if_ended(self, run_id: str) -> dict[str, Any] | None:
        found = self.run(run_id)
        return found if found["status"] in ("SUCCESS", "FAILURE", "CANCELED") else None


def _until(look: Callable[[], Any]) -> Any:
    """Return what is looked for, as soon as it is there."""
    while not (found := look()):
        time.sleep(LOOKS_EVERY_S)
    return found


@contextmanager
def dagster(folder: Path) -> Iterator[str]:
    """Yield the address of Dagster's web server; its daemon runs too."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    address = f"http://127.0.0.1:{port}"
    programs = Path(sys.executable).parent
    with (folder / "dagster.log").open("w") as log:
        started = [
            subprocess.Popen([programs / name, *words, "-m", DEFINITIONS], cwd=ROOT, stdout=log, stderr=log)
            for name, words in (
                ("dagster-webserver", ("-h", "127.0.0.1", "-p", str(port))),
                ("dagster-daemon", ("run",)),
            )
        ]
        try:
            _until(lambda: _answers(address, started, folder / "dagster.log"))
            yield address
        finally:
            for process in started:
                process.send_signal(signal.SIGINT)
            for process in started:
                process.wait()


def _answers(address: str, started: list[subprocess.Popen[bytes]], log: Path) -> bool:
    assert all(process.poll() is None for process in started), log.read_text()[-3000:]
    try:
        with urllib.request.urlopen(f"{address}/server_info"):
            return True
    except OSError:
        return False


def kill_once_begun(graphql: GraphQl, run_id: str) -> None:
    """Kill a run's process as soon as it has made its first table."""

    def begun() -> list[str]:
        events = graphql.events(run_id)
        assert not any(event["__typename"] in ("RunSuccessEvent", "RunFailureEvent") for event in events), events
        if not any(event["__typename"] == "MaterializationEvent" for event in events):
            return []
        return [pid for event in events for pid in re.findall(r"pid: (\d+)", event.get("message", ""))]

    os.kill(int(_until(begun)[0]), signal.SIGKILL)


def trial(graphql: GraphQl, home: Home, recipe: Path, city_ids: list[str], wrong: Wrong) -> None:
    """Run the cities and note what GraphQL tells otherwise than it should."""
    partitions = [f"small/{city_id}" for city_id in city_ids]
    once = graphql.launch("build_recipe", "small")
    wrong.unless(graphql.ended([once])[once]["status"] == "SUCCESS", "what the recipe needs once is built")
    runs = {partition: graphql.launch("build_city", partition) for partition in partitions}
    broken, killed, *good = partitions
    kill_once_begun(graphql, runs[killed])
    ended = graphql.ended(list(runs.values()))
    times = [(ended[runs[one]]["startTime"], ended[runs[one]]["endTime"]) for one in good]
    overlap = sum(start < min(end for _, end in times) for start, _ in times)
    wrong.unless(overlap > 1 or len(good) < 2, f"{overlap} of {len(good)} good runs had begun before the first ended")
    for partition, run_id in runs.items():
        status = "FAILURE" if partition in (broken, killed) else "SUCCESS"
        wrong.unless(ended[run_id]["status"] == status, f"the run of {partition} is {status}")
    pids = {re.findall(r"pid: (\d+)", e["message"])[0] for run_id in runs.values() for e in graphql.events(run_id)
            if re.search(r"Started process for run \(pid: \d+\)", e.get("message") or "")}  # fmt: skip
    wrong.unless(len(pids) == len(partitions), f"{len(pids)} runs had a process of their own")
    for partition in good:
        told_as_built(graphql, home, partition, runs[partition], wrong)
    wrong.unless(graphql.made(LAST, broken) == [], f"{LAST} of {broken} is not made")
    failed = [status for run_id, status in graphql.checks(PLACES, NEEDS_PLACES, broken) if run_id == runs[broken]]
    wrong.unless(failed == ["FAILED"], f"{NEEDS_PLACES} of {broken} is told to fail")
    wrong.unless(graphql.made(LAST, killed) == [], f"{LAST} of {killed}, whose run was killed, is not made")
    again = graphql.launch("build_city", killed)
    wrong.unless(graphql.ended([again])[again]["status"] == "SUCCESS", f"{killed} is built when run again")
    told_as_built(graphql, home, killed, again, wrong)

    before = {partition: graphql.made(LAST, partition) for partition in (*good, killed)}
    recipe.write_text(recipe.read_text().replace("tasks_per_city = 1", "tasks_per_city = 2"))
    words = ["build", str(recipe), "--home", home.url, "--json"]
    told = subprocess.run([sys.executable, "-m", "pipelines.cli", *words], cwd=ROOT, capture_output=True, text=True)
    blocked = [one["city_id"] for one in json.loads(told.stdout)["blocked"]]
    wrong.unless(blocked == [broken.partition("/")[2]], "the command's build is blocked for the broken city alone")
    for partition, made in before.items():
        now = graphql.made(LAST, partition)
        wrong.unless(now[1:] == made and now[0][1] != made[0][1], f"the command's {LAST} of {partition} is told, once")
        told_as_built(graphql, home, partition, now[0][0], wrong)


def told_as_built(graphql: GraphQl, home: Home, partition: str, run_id: str, wrong: Wrong) -> None:
    """Note what of a city's first and last table is told otherwise than the home's records say."""
    recipe, _, city_id = partition.partition("/")
    for asset in (FIRST, LAST):
        built = home.built.latest(recipe, asset, city_id)
        assert built is not None
        made = graphql.made(asset, partition)
        version = built.outputs[city_id].sha256
        wrong.unless(bool(made) and made[0][1] == version, f"{asset} of {partition} has the data version of its bytes")
        for check in (SCHEMA, ACCOUNTING):
            (last, *_) = graphql.checks(asset, check, partition) or [("", "")]
            wrong.unless(last[1] == "SUCCEEDED", f"{check} of {asset}, {partition}, is told to hold")
    wrong.unless(graphql.made(LAST, partition)[0][0] == run_id, f"{LAST} of {partition} is told of its run")


def main() -> int:
    """Run the trial; return 1 where something is told wrongly."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cities", type=int, default=8)
    count, started, wrong = parser.parse_args().cities, time.monotonic(), Wrong()
    with ExitStack() as opened:
        folder = Path(opened.enter_context(tempfile.TemporaryDirectory()))
        served, database = opened.enter_context(bucket()), opened.enter_context(postgres())
        (folder / "dagster").mkdir()
        (folder / "recipes").mkdir()
        (folder / "dagster" / "dagster.yaml").write_text(SETTINGS)
        recipe = folder / "recipes" / "small.toml"
        recipe.write_text(recipe_text(cities=count, tasks=1, broken=(0,)))
        home = Home(served.home())
        os.environ |= {
            "DAGSTER_HOME": str(folder / "dagster"), "DAGSTER_POSTGRES_URL": database, "TRIPWRIGHT_HOME": home.url,
            "TRIPWRIGHT_RECIPES": str(recipe.parent), "TRIPWRIGHT_CACHE": str(folder / "cache"),
            "TRIPWRIGHT_WORKERS": "1",
        }  # fmt: skip
        city_ids = [city["city_id"] for city in world_cities(count, 5)]
        with dagster(folder) as address:
            trial(GraphQl(address), home, recipe, city_ids, wrong)
    took_s, load = time.monotonic() - started, os.getloadavg()[2]
    print(f"{count} cities: {len(wrong)} wrong; {took_s:.0f} s, load average {load:.0f}", *wrong, sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
