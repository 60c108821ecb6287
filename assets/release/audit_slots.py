"""The slots of a release's section, held against its tasks: how many there must be, and how each was drawn."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from assets.core.worlds import world_for, worlds_of
from assets.family import Family
from assets.named import load
from assets.release.audit_differences import OTHERWISE
from assets.release.audit_words import slots_by_task
from assets.release.measures import release_counts, tasks_due
from assets.release.reading import OpenedRelease
from assets.rows import ReleaseTables
from schemas.counts import counted
from schemas.release import Manifest
from schemas.shown import in_short


def slots_otherwise(release: OpenedRelease, family: Family, tables: ReleaseTables) -> Iterator[str]:
    """Yield whether a release has fewer tasks than its section asks for, and tasks that no model left without words.

    A build releases nothing then.
    """
    manifest = release.manifest
    counts = release_counts(family, tables, manifest.accounting)
    if counts["unanswered"] and not release.count("generations"):
        unanswered = counted(counts["unanswered"], "task")
        yield f"manifest.json: accounting: {unanswered} got no words of a model, and none was asked"
        counts["unanswered"] = 0
    due = tasks_due(family, family.section.model_validate(manifest.section), len(manifest.cities), counts)
    if counts["certified"] < due:
        yield (
            f"tasks.parquet: holds {counted(counts['certified'], 'certified task')}, and the section asks for {due}; a "
            "build releases nothing then"
        )


def empty_slots_otherwise(release: OpenedRelease, family: Family, tables: ReleaseTables) -> Iterator[str]:
    """Yield the slots without a task of which no rejection says why, and rejections of what is no such slot.

    Why a slot is empty no audit can tell: that a task of a published set could not be mended takes a solver.
    """
    slots, ids = slots_by_task(release.manifest, family, tables), set(tables.tasks["task_id"])
    steps = {family.tables.draft.table_name(), family.tables.task.table_name()}
    dropped = release.rows("rejections", ("step", "row")).to_pylist()
    counts = Counter(row["row"] for row in dropped if row["step"] in steps)
    areas = {slot.area for slot in slots.values()}  # of a city without any task, nothing is known
    for task_id in sorted(slots.keys() - ids - counts.keys()):
        yield f"{task_id}: is a slot without a task, and no rejection says why: {OTHERWISE}"
    for row, count in sorted(counts.items()):
        is_known = row in slots or not areas.intersection(row.split(".")[1:2])
        why = "is a task" if row in ids else "is no slot of the section" if not is_known else ""
        if why or count > 1:
            yield f"rejections.parquet: {row[:80]!r} {why or f'stands there {count} times'}: {OTHERWISE}"


def retired_otherwise(manifest: Manifest, family: Family, tables: ReleaseTables) -> Iterator[str]:
    """Yield what is said to be retired and is no task of the family's, is one of the release, or is said twice.

    That a task was released once, and lost its witness, is the lock's word: it has the tasks of earlier recipes, too.
    """
    ids = set(tables.tasks["task_id"])
    for task_id, count in Counter(entry["task_id"] for entry in manifest.retired).items():
        why = "is a task of the release" if task_id in ids else "stands there twice" if count > 1 else ""
        if not re.fullmatch(rf"{re.escape(family.name)}(\.[a-z0-9+-]+){{1,2}}\.[0-9]{{5,}}", task_id):
            why = f"is named like no task of {family.name}"
        if why:
            yield f"manifest.json: retired: {task_id[:80]!r} {why}: {OTHERWISE}"


def drawn_otherwise(manifest: Manifest, family: Family, tables: ReleaseTables) -> Iterator[str]:
    """Yield the tasks that are said to be drawn otherwise than their slots draw them, by seed and attempt."""
    if family.drawn_again is None:
        return
    section, worlds = family.section.model_validate(manifest.section), worlds_of(family, tables)
    again, slots, drafting = load(family.drawn_again), slots_by_task(manifest, family, tables), dict[str, Any]()
    for task in tables.tasks.to_dict("records"):
        slot = slots.get(task["task_id"])
        if slot is None:
            continue  # told as no slot of the section
        try:
            area = slot.area if family.per == "city" else ""
            if area not in drafting:
                world = world_for(worlds, family, task["city_id"])
                area_slots = [one for one in slots.values() if not area or one.area == area]
                prepare = load(family.prepare) if family.prepare else lambda world, *_: world
                drafting[area] = prepare(world, section, area_slots)
            expected: Mapping[str, Any] = again(slot, task["record"], task["drawn"], drafting[area])
        except Exception as error:  # the family's own functions, of a record that may be edited
            yield f"{task['task_id']}: how it was drawn cannot be told: {type(error).__name__}: {error}: {OTHERWISE}"
            continue
        differences = [
            f"{name} {in_short(task['drawn'].get(name))}, its slot draws {in_short(value)}"
            for name, value in expected.items()
            if task["drawn"].get(name) != value
        ]
        if differences:
            yield f"{task['task_id']}: drawn: says {'; '.join(differences)}: {OTHERWISE}"
