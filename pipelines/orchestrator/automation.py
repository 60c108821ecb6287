"""When Dagster builds by itself: schedules that refresh, sensors of changed files, expiring feeds and orphaned runs.

All are off until somebody switches them on in the web UI, or sets $TRIPWRIGHT_AUTOMATION to `on`.
"""

import datetime as dt
import json
import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

import dagster as dg

from assets.families import families
from pipelines.orchestrator.assets import TripwrightHome
from pipelines.releases.expiring import expiring_feeds, expiry_told
from pipelines.walk.inputs import bound_path, checked_at, locked_files
from pipelines.walk.listener import Listener
from pipelines.walk.locks import read_lock
from pipelines.walk.recipes import BoundFile, LoadedRecipe, bound_files, load_recipe
from schemas.counts import counted
from schemas.errors import ExpectedError
from schemas.source import Snapshot
from schemas.stable import content_hash
from warehouse.home import Home
from warehouse.store import sha256_of

T = TypeVar("T")

AUTOMATION_VARIABLE = "TRIPWRIGHT_AUTOMATION"
SETTLED_S = 5.0
"""A file younger than this may still be being written."""

PID = "pid"
IN_PROGRESS = [dg.DagsterRunStatus.QUEUED, dg.DagsterRunStatus.STARTING, dg.DagsterRunStatus.STARTED]


def _is_on() -> bool:
    return os.environ.get(AUTOMATION_VARIABLE) == "on"


def refresh_job(recipes: Mapping[str, Path]) -> dg.JobDefinition:
    """Return the job that refreshes a recipe: what changed is built and released in one run."""

    @dg.op(name="refresh_recipe")
    def refresh_recipe(context: dg.OpExecutionContext, home: TripwrightHome) -> None:
        """Ask a recipe's sources that are due, build what changed, release what differs."""
        from pipelines.orchestrator.report import report_to_dagster
        from pipelines.releases.refresh import refresh

        listener = Listener(say=context.log.info)
        done = refresh(home.open(), recipes[context.partition_key], due_only=True, listener=listener)
        report_to_dagster(home.open(), done.build)
        changed = [news.location for news in done.sources if news.status in ("changed", "new")]
        context.log.info(f"{counted(len(changed), 'source')} changed: {', '.join(changed)}")
        problems = [f"{news.name} {news.location}: {news.detail}" for news in done.quarantined]
        problems += [f"{b.city_id} is blocked at {b.step}: {b.reason}" for b in done.build.blocked]
        if problems:
            raise dg.Failure(description="; ".join(problems), allow_retries=False)

    @dg.job(
        name="refresh",
        partitions_def=dg.StaticPartitionsDefinition(sorted(recipes)),
        executor_def=dg.in_process_executor,
    )
    def refresh() -> None:
        refresh_recipe()

    return refresh


def refresh_schedule(recipes: Mapping[str, Path], job: dg.JobDefinition) -> dg.ScheduleDefinition:
    """Return the schedule that refreshes, every hour, the recipes with an address whose `every_hours` have passed."""

    @dg.schedule(
        name="refresh_what_is_due",
        job=job,
        cron_schedule="17 * * * *",
        default_status=dg.DefaultScheduleStatus.RUNNING if _is_on() else dg.DefaultScheduleStatus.STOPPED,
    )
    def due(context: dg.ScheduleEvaluationContext, home: TripwrightHome) -> Any:
        """Refresh the recipes that have an address whose hours have passed."""
        now = dt.datetime.now(dt.UTC)
        looks = _each(recipes, lambda loaded: _is_due(home.open(), loaded, now), context.log.warning)
        due_names = [name for name, is_due in looks if is_due]
        requests = [dg.RunRequest(partition_key=name, tags={"tripwright/recipe": name}) for name in due_names]
        return requests or dg.SkipReason("no address is due")

    return due


def _loaded(path: Path) -> LoadedRecipe:
    return load_recipe(path, families())


def _each(
    recipes: Mapping[str, Path], look: Callable[[LoadedRecipe], T], warn: Callable[[str], None]
) -> Iterator[tuple[str, T]]:
    """Yield each recipe's name and what a look at it gives; what is wrong with one is told, and holds up no other."""
    for name, path in recipes.items():
        try:
            finding = look(_loaded(path))
        except (ExpectedError, OSError) as error:
            warn(f"recipe {name} is passed over: {error}")
            continue
        yield name, finding


def _is_due(home: Home, loaded: LoadedRecipe, now: dt.datetime) -> bool:
    for bound in bound_files(loaded.recipe):
        last = checked_at(home, bound.url) if bound.url else now
        if last is None or (bound.url and not now - dt.timedelta(hours=bound.binding.every_hours) < last <= now):
            return True
    return False


def changed_file_sensor(recipes: Mapping[str, Path], job: Any) -> dg.SensorDefinition:
    """Return the sensor that builds the cities whose files on disk changed: one, or all that share the file."""

    @dg.sensor(
        name="changed_files",
        job=job,
        minimum_interval_seconds=30,
        default_status=dg.DefaultSensorStatus.RUNNING if _is_on() else dg.DefaultSensorStatus.STOPPED,
    )
    def build_changed(context: dg.SensorEvaluationContext) -> dg.SensorResult:
        """Build the cities whose files changed since the last look, or since they were locked."""
        mark_by_path: dict[str, list[int]] = json.loads(context.cursor) if context.cursor else {}
        requests = []
        for name, (stale, marks) in _each(
            recipes, lambda loaded: _stale_cities(loaded, mark_by_path), context.log.warning
        ):
            mark_by_path.update(marks)
            stamp = content_hash(marks)[:16]
            requests += [
                dg.RunRequest(
                    run_key=f"{name}/{city_id}/{stamp}",
                    partition_key=f"{name}/{city_id}",
                    tags={"tripwright/recipe": name},
                )
                for city_id in stale
            ]
        return dg.SensorResult(run_requests=requests, cursor=json.dumps(mark_by_path))

    return build_changed


def _stale_cities(
    loaded: LoadedRecipe, mark_by_path: Mapping[str, list[int]]
) -> tuple[list[str], dict[str, list[int]]]:
    """Return the cities whose files changed, and the marks (size, time) of all files that are settled."""
    locked = locked_files(read_lock(loaded.lock_path))
    stale: dict[str, None] = {}
    marks = {}
    now = dt.datetime.now(dt.UTC).timestamp()
    for bound in bound_files(loaded.recipe):
        path = bound_path(loaded, bound)
        if path is None or not path.exists():
            continue
        stat = path.stat()
        if abs(now - stat.st_mtime) < SETTLED_S:
            continue
        mark = [stat.st_size, stat.st_mtime_ns]
        marks[str(path)] = mark
        if mark_by_path.get(str(path)) != mark and not _is_locked(path, locked.get(bound.place)):
            stale |= dict.fromkeys(_readers(loaded, bound))
    return list(stale), marks


def _is_locked(path: Path, locked: Snapshot | None) -> bool:
    """Return whether a file is what the lock says; its bytes are read only if size or date leave it open."""
    if locked is None or locked.size_bytes != path.stat().st_size:
        return False
    modified = dt.datetime.fromtimestamp(path.stat().st_mtime, dt.UTC).replace(microsecond=0).isoformat()
    return locked.retrieved_at == modified or locked.sha256 == sha256_of(path)


def _readers(loaded: LoadedRecipe, bound: BoundFile) -> list[str]:
    return [bound.city_id] if bound.city_id else [city.city_id for city in loaded.recipe.cities]


def release_sensor(recipes: Mapping[str, Path], build_city: Any, release: Any) -> dg.SensorDefinition:
    """Return the sensor that releases a recipe when the last of its cities' runs has succeeded."""

    @dg.run_status_sensor(
        name="release_when_cities_are_built",
        run_status=dg.DagsterRunStatus.SUCCESS,
        monitored_jobs=[build_city],
        request_job=release,
        minimum_interval_seconds=10,
        default_status=dg.DefaultSensorStatus.RUNNING if _is_on() else dg.DefaultSensorStatus.STOPPED,
    )
    def release_when_built(context: dg.RunStatusSensorContext) -> Any:
        """Release a recipe once none of its cities is being built."""
        name = (context.partition_key or "").partition("/")[0]
        try:
            releases_any = name in recipes and bool(_loaded(recipes[name]).families)
        except (ExpectedError, OSError) as error:
            return dg.SkipReason(f"recipe {name} is not released; mend it, then release it: {error}")
        if not releases_any:
            return dg.SkipReason(f"recipe {name} releases nothing")
        running = context.instance.get_runs(
            dg.RunsFilter(job_name="build_city", statuses=IN_PROGRESS, tags={"tripwright/recipe": name})
        )
        if running:
            return dg.SkipReason(f"{counted(len(running), 'city', 'cities')} of {name} are being built")
        return dg.RunRequest(partition_key=name, run_key=context.dagster_run.run_id, tags={"tripwright/recipe": name})

    return release_when_built


def expiry_sensor(recipes: Mapping[str, Path], job: dg.JobDefinition) -> dg.SensorDefinition:
    """Return the sensor that refreshes, once a day, a recipe of which a feed's last day of service is near or past."""

    @dg.sensor(
        name="expiring_feeds",
        job=job,
        minimum_interval_seconds=3600,
        default_status=dg.DefaultSensorStatus.RUNNING if _is_on() else dg.DefaultSensorStatus.STOPPED,
    )
    def expiring(context: dg.SensorEvaluationContext, home: TripwrightHome) -> Any:
        """Refresh recipes with an address of a feed that runs out within two weeks."""
        today = dt.datetime.now(dt.UTC).date()
        requests = []

        def look(loaded: LoadedRecipe) -> tuple[list[tuple[str, str, dt.date]], bool]:
            has_address = any(bound.url for bound in bound_files(loaded.recipe) if bound.source.name == "gtfs")
            return list(expiring_feeds(home.open(), loaded, today)), has_address

        for name, (feeds, has_address) in _each(recipes, look, context.log.warning):
            for city_id, feed, last in feeds:
                context.log.warning(f"{name}: {expiry_told(city_id, feed, last)}")
            if feeds and has_address:
                requests.append(
                    dg.RunRequest(run_key=f"{name}/{today}", partition_key=name, tags={"tripwright/recipe": name})
                )
        return requests or dg.SkipReason("no feed with an address runs out")

    return expiring


def orphan_sensor() -> dg.SensorDefinition:
    """Return the sensor that ends runs whose process on this machine is gone: killed, or lost with a reboot."""

    @dg.sensor(
        name="orphaned_runs",
        minimum_interval_seconds=30,
        default_status=dg.DefaultSensorStatus.RUNNING if _is_on() else dg.DefaultSensorStatus.STOPPED,
    )
    def orphaned(context: dg.SensorEvaluationContext) -> Any:
        """Mark runs as failed whose process is gone."""
        ended = end_orphans(context.instance)
        return dg.SkipReason(f"{counted(len(ended), 'run')} ended" if ended else "every run has its process")

    return orphaned


def end_orphans(instance: dg.DagsterInstance) -> list[str]:
    """Mark as failed every started run whose process is gone, and return their ids."""
    ended = []
    for run in instance.get_runs(dg.RunsFilter(statuses=[dg.DagsterRunStatus.STARTED])):
        pid = _pid(instance, run.run_id)
        if pid is not None and not Path(f"/proc/{pid}").exists():
            instance.report_run_failed(run, f"its process {pid} is gone; run it again to go on from what it built")
            ended.append(run.run_id)
    return ended


def _pid(instance: dg.DagsterInstance, run_id: str) -> int | None:
    """Return the process that executes a run, as Dagster noted it."""
    for entry in instance.all_logs(run_id, of_type=dg.DagsterEventType.ENGINE_EVENT):
        metadata = entry.dagster_event.engine_event_data.metadata if entry.dagster_event else {}
        if PID in metadata:
            return int(str(metadata[PID].value))
    return None
