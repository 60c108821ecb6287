"""Released tasks that a change of the sources left without a witness, found before the next release is made."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from assets.core.worlds import world_for, worlds_of
from assets.family import Family, Refused
from assets.release.exporting import release_tables
from assets.release.reading import open_release
from assets.rows import ReleaseTables
from pipelines.releases.gathering import ReleaseError
from schemas.recipe import RecipeLock, RetiredTask
from schemas.table import Table
from warehouse.home import Home
from warehouse.releases import ReleaseRef

if TYPE_CHECKING:
    import pandas as pd

    from pipelines.walk.recipe_walk import RecipeWalk

MOST_ROUNDS = 5


def retire(home: Home, walked: RecipeWalk, walk_by: Callable[[RecipeLock], RecipeWalk]) -> RecipeWalk:
    """Return the walk by a lock that retires the released tasks that lost their witness; the same walk if none did.

    Another task is drawn for each, in a slot that no task had. Raises ReleaseError if that does not settle.
    """
    for _ in range(MOST_ROUNDS):
        lost = _newly_unsolvable(home, walked)
        if not lost:
            return walked
        retired = [*walked.lock.retired, *lost]
        walked = walk_by(walked.lock.model_copy(update={"retired": retired}).sealed())
    name = walked.loaded.recipe.name
    raise ReleaseError(f"{name}: tasks still lose their witness after {MOST_ROUNDS} rounds of retiring")


def _newly_unsolvable(home: Home, walked: RecipeWalk) -> list[RetiredTask]:
    """Return the tasks of the last releases that the walk did not make again and that cannot be solved any more.

    A task whose content changed while the old one could still be solved is not among them: the difference shows it.
    """
    retired_tasks: list[RetiredTask] = []
    for family in walked.target_families:
        before = home.releases.latest(walked.loaded.recipe.name, family.name)
        if before is not None:
            retired_tasks += _tasks_to_retire(home, walked, family, before)
    return retired_tasks


def _tasks_to_retire(home: Home, walked: RecipeWalk, family: Family, before: ReleaseRef) -> list[RetiredTask]:
    now = _tables(home, walked, family, (family.tables.task, family.tables.certificate))
    if now is None:
        return []
    certified = set(now.certificates["task_id"])
    certified_hashes = {t: h for t, h in _hashes(now.tasks).items() if t in certified}
    released = open_release(home.releases.folder(before))
    stamps = released.rows("tasks").select(["task_id", "content_hash"]).to_pylist()
    retired_ids = {retired.task_id for retired in walked.lock.retired}
    gone = {r["task_id"] for r in stamps if certified_hashes.get(r["task_id"]) != r["content_hash"]} - retired_ids
    world = _tables(home, walked, family, family.world_tables)
    if not gone or world is None:
        return []
    tasks = release_tables(released).tasks
    section = walked.loaded.sections[family.name]
    worlds = worlds_of(family, world)
    reasons = {}
    for row in tasks[tasks["task_id"].isin(gone)].to_dict("records"):
        reason = _unsolvable(family, row, worlds, section)
        if reason:
            reasons[row["task_id"]] = reason
    where = dict(zip(tasks["task_id"], tasks["city_id"], strict=True))
    return [
        RetiredTask(task_id=task_id, family=family.name, city_id=where[task_id], reason=reason)
        for task_id, reason in sorted(reasons.items())
    ]


def _unsolvable(family: Family, task: dict[Any, Any], worlds: Any, section: Any) -> str:
    """Return why a task of an earlier release has no witness in the world of now; empty if it has one."""
    try:
        world = world_for(worlds, family, task["city_id"])
        part = family.call("part", task["record"], world) if family.part else world
        solved = family.call("solve", task["task_id"], task["record"], part, section)
    except KeyError as error:
        return f"what it names is no longer there: {error}"
    return solved.detail if isinstance(solved, Refused) else ""


def _hashes(tasks: pd.DataFrame) -> dict[str, str]:
    return dict(zip(tasks["task_id"], tasks["content_hash"], strict=True))


def _tables(home: Home, walked: RecipeWalk, family: Family, tables: tuple[type[Table], ...]) -> ReleaseTables | None:
    """Return tables as the walk left them, over all cities; None if a city is blocked: nothing is released then."""
    import pyarrow as pa

    walk_record = walked.walk.walked
    by_name = {step.output: step for step in walked.walk.order([table.table_name() for table in tables])}
    frames = {}
    for table in tables:
        step = by_name[table]
        if any((step.name, city.city_id) in walk_record.blocked for city in walked.loaded.recipe.cities):
            return None
        versions = dict.fromkeys(walk_record.version(step, city.city_id) for city in walked.loaded.recipe.cities)
        frames[family.file_of(table)] = table.frame(pa.concat_tables([home.tables.read(v) for v in versions]))
    return ReleaseTables(frames, walked.loaded.sections[family.name].model_dump(mode="json"))
