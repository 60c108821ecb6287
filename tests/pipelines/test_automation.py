"""What starts runs by itself: looked at one by one, and together under the real daemon."""

import datetime as dt
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import dagster as dg
import pytest
from typer.testing import CliRunner

from pipelines.cli import app
from pipelines.orchestrator.assets import TripwrightHome
from pipelines.orchestrator.automation import (
    _stale_cities,
    end_orphans,
    expiry_sensor,
    refresh_schedule,
)
from pipelines.orchestrator.definitions import definitions, readable
from pipelines.orchestrator.report import named_recipes
from pipelines.releases.expiring import expiring_feeds
from pipelines.walk.recipes import bound_files, load_recipe
from sources.invented import city_of, generate, world_cities
from tests.recipes import city_table, command
from tests.served import serving
from warehouse.home import Home

ROOT = Path(__file__).resolve().parents[2]
DAEMON_S = 1200
A_DAY = dt.timedelta(days=1)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Return a folder with a recipe of two cities, each with files of its own, built once; not to be changed."""
    folder = tmp_path_factory.mktemp("made")
    files = generate(folder / "world", providers=["osm", "gtfs"], cities=2, scale=0.2, seed=5, dirt=False)
    of = {(role, city_of(path)): path for roles in files.values() for role, paths in roles.items() for path in paths}
    text = 'name = "pair"\n[spatial]\nrouter = "graph"\npool_size = 20\n'
    for city in world_cities(2, 5):
        text += city_table(city)
        for source, role in (("osm", "extract"), ("gtfs", "feed")):
            path = of[role, city["city_id"]].relative_to(folder)
            text += f'[cities.sources.{source}]\n{role} = "{path}"\n'
    (folder / "recipes").mkdir()
    (folder / "recipes" / "pair.toml").write_text(text.replace('"world/', '"../world/'), encoding="utf-8")
    for path in (folder / "world").rglob("*"):
        os.utime(path, (1_700_000_000, 1_700_000_000))
    built = CliRunner().invoke(
        app, ["build", str(folder / "recipes" / "pair.toml"), "--home", str(folder / "home"), "--json"]
    )
    assert json.loads(built.stdout)["blocked"] == []
    return folder


@pytest.fixture
def pair(made, tmp_path):
    """Return a copy of the built folder, and the ids of its cities."""
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    return tmp_path, [city["city_id"] for city in world_cities(2, 5)]


def feed_of(folder: Path, city_id: str) -> Path:
    """Return the feed that the recipe binds to a city."""
    bound = bound_files(loaded(folder).recipe)
    path = next(b.path for b in bound if b.source.name == "gtfs" and b.city_id == city_id)
    return (folder / "recipes" / str(path)).resolve()


def pack_anew(feed: Path) -> None:
    """Rewrite a feed so that its bytes differ and its rows do not."""
    import zipfile

    with zipfile.ZipFile(feed) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(feed, "w", zipfile.ZIP_STORED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    os.utime(feed, (time.time() - 60, time.time() - 60))


def loaded(folder: Path):
    return load_recipe(folder / "recipes" / "pair.toml", {})


def test_only_the_city_whose_file_changed_is_stale(pair):
    folder, (first, second) = pair
    assert _stale_cities(loaded(folder), {})[0] == []
    pack_anew(feed_of(folder, second))
    stale, marks = _stale_cities(loaded(folder), {})
    assert stale == [second]
    assert _stale_cities(loaded(folder), marks)[0] == []
    os.utime(feed_of(folder, first))
    assert _stale_cities(loaded(folder), marks)[0] == []  # it may still be being written


def test_feeds_that_run_out_are_named_from_two_weeks_before(pair):
    folder, cities = pair
    opened = Home(str(folder / "home"))
    found = list(expiring_feeds(opened, loaded(folder), dt.date(2100, 1, 1)))
    assert [city for city, _, _ in found] == cities
    last = found[0][2]
    assert not list(expiring_feeds(opened, loaded(folder), min(f[2] for f in found) - 15 * A_DAY))
    assert list(expiring_feeds(opened, loaded(folder), last - 14 * A_DAY))


def test_whoever_refreshes_is_told_of_feeds_that_run_out(pair, monkeypatch):
    folder, cities = pair
    monkeypatch.setattr("pipelines.releases.expiring.EXPIRES_WITHIN", 40_000 * A_DAY)
    code, answer = command("refresh", folder / "recipes" / "pair.toml", "--due", home=folder / "home")
    last = {city: day for city, _, day in expiring_feeds(Home(str(folder / "home")), loaded(folder), dt.date.max)}
    notices = "\n".join(answer["notices"])
    assert (code, len(cities)) == (0, 2)
    assert all(f"of {city} runs until {last[city]}; put a newer one" in notices for city in cities)


def test_a_run_whose_process_is_gone_is_ended_and_a_living_one_is_not():
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    with dg.DagsterInstance.ephemeral() as instance:
        runs = {pid: _started(instance, pid) for pid in (gone.pid, os.getpid())}
        assert end_orphans(instance) == [runs[gone.pid]]
        found = {run_id: instance.get_run_by_id(run_id) for run_id in runs.values()}
        assert [run.status.value for run in found.values() if run] == ["FAILURE", "STARTED"]


def _started(instance: dg.DagsterInstance, pid: int) -> str:
    from dagster._core.events import EngineEventData

    @dg.job
    def nothing() -> None: ...

    run = instance.create_run_for_job(nothing, status=dg.DagsterRunStatus.STARTED)
    instance.report_engine_event("Started process for run.", run, EngineEventData.in_process(pid))
    return run.run_id


def test_the_schedule_asks_only_what_is_due(pair):
    folder, _ = pair
    with serving(folder / "world") as served:
        recipe = folder / "recipes" / "pair.toml"
        feed = feed_of(folder, world_cities(2, 5)[0]["city_id"]).relative_to((folder / "world").resolve())
        text = recipe.read_text().replace(
            f'feed = "../world/{feed}"\n', f'url = {{ feed = "{served.url(str(feed))}" }}\n'
        )
        recipe.write_text(text)
        defs = definitions({"pair": recipe}, str(folder / "home"))
        schedule = defs.resolve_schedule_def("refresh_what_is_due")

        def asked() -> list[str | None]:
            with dg.build_schedule_context(
                resources={"home": TripwrightHome(url=str(folder / "home"))}, repository_def=defs.get_repository_def()
            ) as context:
                data = schedule.evaluate_tick(context)
            return [request.partition_key for request in data.run_requests or []]

        assert asked() == ["pair"]
        words = ["refresh", str(recipe), "--home", str(folder / "home"), "--json"]
        assert CliRunner().invoke(app, words).exit_code == 0
        assert asked() == []


def test_a_recipe_that_cannot_be_read_holds_up_no_other(pair, monkeypatch, caplog):
    folder, _ = pair
    broken, recipe = folder / "recipes" / "broken.toml", folder / "recipes" / "pair.toml"
    broken.write_text('name = "broken')
    recipe.write_text(
        recipe.read_text()
        .replace('feed = "../', 'url = { feed = "https://nowhere.example/')
        .replace('.zip"', '.zip" }')
    )
    monkeypatch.setenv("TRIPWRIGHT_RECIPES", str(folder / "recipes"))
    assert readable(named_recipes()) == {"pair": recipe}
    assert "broken.toml: not a TOML file" in caplog.text
    # The daemon began while both could be read.
    defs = definitions({"pair": recipe}, str(folder / "home"))
    both = {"broken": broken, "pair": recipe}
    home = TripwrightHome(url=str(folder / "home"))
    schedule = refresh_schedule(both, defs.resolve_job_def("refresh"))
    with dg.build_schedule_context(resources={"home": home}, repository_def=defs.get_repository_def()) as context:
        assert [r.partition_key for r in schedule.evaluate_tick(context).run_requests or []] == ["pair"]
    monkeypatch.setattr("pipelines.releases.expiring.EXPIRES_WITHIN", 40_000 * A_DAY)
    sensor = expiry_sensor(both, defs.resolve_job_def("refresh"))
    with dg.build_sensor_context(resources={"home": home}, repository_def=defs.get_repository_def()) as context:
        assert [r.partition_key for r in sensor.evaluate_tick(context).run_requests or []] == ["pair"]


def test_a_recipe_broken_while_its_city_was_built_is_told_and_not_released(pair):
    folder, (first, _) = pair
    recipe = folder / "recipes" / "pair.toml"
    defs = definitions({"pair": recipe}, str(folder / "home"))
    sensor = defs.resolve_sensor_def("release_when_cities_are_built")

    @dg.job(name="build_city", partitions_def=dg.StaticPartitionsDefinition([f"pair/{first}"]))
    def nothing() -> None: ...

    with dg.DagsterInstance.ephemeral() as instance:
        run = nothing.execute_in_process(instance=instance, partition_key=f"pair/{first}")
        (event,) = instance.all_logs(run.run_id, of_type=dg.DagsterEventType.RUN_SUCCESS)
        assert event.dagster_event is not None
        recipe.write_text('name = "broken')
        with dg.build_run_status_sensor_context(
            sensor.name, event.dagster_event, instance, run.dagster_run, partition_key=f"pair/{first}"
        ) as context:
            skipped = sensor(context)
    assert isinstance(skipped, dg.SkipReason)
    assert "recipe pair is not released; mend it" in str(skipped.skip_message)
    assert "pair.toml: not a TOML file" in str(skipped.skip_message)


def test_the_daemon_builds_the_stale_city_alone_and_ends_orphans(pair, tmp_path):
    folder, (first, second) = pair
    pack_anew(feed_of(folder, second))
    home = tmp_path / "dagster"
    home.mkdir()
    shutil.copy(ROOT / "dagster.yaml", home)
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    settings = {
        **os.environ,
        "DAGSTER_HOME": str(home),
        "TRIPWRIGHT_HOME": str(folder / "home"),
        "TRIPWRIGHT_RECIPES": str(folder / "recipes"),
        "TRIPWRIGHT_AUTOMATION": "on",
    }
    with dg.DagsterInstance.from_config(str(home)) as instance:
        orphan = _started(instance, gone.pid)
        words = [
            str(Path(sys.executable).with_name("dagster-daemon")),
            "run",
            "-m",
            "pipelines.orchestrator.definitions",
        ]
        log = (tmp_path / "daemon.log").open("w")
        daemon = subprocess.Popen(words, cwd=ROOT, env=settings, stdout=log, stderr=subprocess.STDOUT)
        try:
            runs = _finished(instance, daemon)
        finally:
            daemon.send_signal(signal.SIGINT)
            daemon.wait()
        assert [(run.tags["dagster/partition"], run.status.value) for run in runs] == [(f"pair/{second}", "SUCCESS")]
        ended = instance.get_run_by_id(orphan)
        assert ended is not None
        assert ended.status is dg.DagsterRunStatus.FAILURE
    assert first != second


def _finished(instance: dg.DagsterInstance, daemon: subprocess.Popen[bytes]) -> list[dg.DagsterRun]:
    """Return the runs of build_city once there is one and all are finished."""
    until = time.monotonic() + DAEMON_S
    while time.monotonic() < until and daemon.poll() is None:
        runs = list(instance.get_runs(dg.RunsFilter(job_name="build_city")))
        if runs and all(run.is_finished for run in runs):
            return runs
        time.sleep(0.5)
    raise AssertionError(f"no run finished in {DAEMON_S} s")
