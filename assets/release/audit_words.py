"""What is said of how a release's tasks were drawn and worded, and by whom, said again from the tasks themselves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from assets.core.drafting import rests_on
from assets.core.repairs import repairs
from assets.core.slots import slots_of
from assets.core.worlds import world_for, worlds_of
from assets.families import all_steps
from assets.family import Family, Slot
from assets.language.diversity import diversity, texts_of
from assets.named import load
from assets.release.audit_differences import OTHERWISE, different
from assets.release.reading import OpenedRelease
from assets.rows import ReleaseTables
from schemas.counts import counted
from schemas.engines import BY_RULES, JOBS, READING, WORDING
from schemas.pointers import value_at
from schemas.release import Manifest
from schemas.shown import in_short
from schemas.stable import content_hash

WORDS = "query"
"""The field by which repairs name a task's words."""


def labels_otherwise(
    manifest: Manifest, family: Family, tables: ReleaseTables, generations: Iterable[str]
) -> Iterator[str]:
    """Yield what is written on tasks and is not theirs: their slot and level, who worded them, their content's hash.

    So are the city of their certificate, and calls of a model that are not among the release's `generations`.
    """
    tasks = tables.tasks.to_dict("records")
    areas = _areas(family, tables)
    if family.per == "recipe" and len(areas) > 1:
        yield f"tasks.parquet: tasks of one set are named after several areas: {', '.join(sorted(areas))}"
    slots = slots_by_task(manifest, family, tables)
    engine = manifest.engines.get(_wording_job(family), BY_RULES) if family.word_by_model else BY_RULES
    calls, cities = set(generations), dict(zip(tables.tasks["task_id"], tables.tasks["city_id"], strict=True))
    certificates = tables.certificates
    for task_id, city_id in zip(certificates["task_id"], certificates["city_id"], strict=True):
        if cities.get(task_id) != city_id:
            yield f"{task_id}: its certificate is of {city_id[:60]!r}, the task of {cities.get(task_id)}"
    for task in tasks:
        if lacking := sorted({*task["generation_ids"]} - calls):
            yield f"{task['task_id']}: names the call {lacking[0][:60]!r}, which is not among the release's generations"
        slot, hashed = slots.get(task["task_id"]), content_hash([task["query"], task["messages"], task["record"]])
        if slot is None or (slot.number, slot.level) != (task["slot"], task["level"]):
            yield f"{task['task_id']}: slot {task['slot']} of level {task['level']!r} is none that the section asks for"
        if hashed != task["content_hash"]:
            yield f"{task['task_id']}: its content_hash is not that of its words and record"
        if task["engine"] != engine:
            worded = f"{task['task_id']}: was worded by {task['engine'][:60]!r}"
            yield f"{worded}; by the manifest's engines it is worded by {engine[:60]!r}"
        elif task["engine"] != BY_RULES and not len(task["generation_ids"]):
            yield f"{task['task_id']}: was worded by {task['engine'][:60]!r}, and names no call of it"


def _areas(family: Family, tables: ReleaseTables) -> set[str]:
    """Return what the sets of a release's tasks are named after."""
    ids = (
        tables.tasks["city_id"]
        if family.per == "city"
        else [str(task_id).split(".")[1] for task_id in tables.tasks["task_id"]]
    )
    return set(ids)


def slots_by_task(manifest: Manifest, family: Family, tables: ReleaseTables) -> dict[str, Slot]:
    """Return the slots that the section asks for, by task."""
    retired = {entry["task_id"] for entry in manifest.retired}
    series = family.call("slots", family.section.model_validate(manifest.section))
    return {
        slot.task_id: slot
        for area in sorted(_areas(family, tables))
        for slot in slots_of(family.name, area, series, manifest.seed, retired)
    }


def _wording_job(family: Family) -> str:
    """Return as which job a model words the family's tasks."""
    return all_steps([family])[family.tables.task.table_name()].job


def engines_otherwise(release: OpenedRelease, family: Family) -> Iterator[str]:
    """Yield the models that were asked and are no engine of the manifest, and a reader of it that was not asked.

    A reader reads what the job `wording` writes, and no other.
    """
    engines = release.manifest.engines
    models = set(release.rows("generations")["model"].to_pylist())
    for model in sorted(models - set(engines.values())):
        yield f"generations.parquet: asks {model[:60]!r}, which is no engine of the manifest"
    if more := engines.keys() - {*JOBS, READING}:
        yield f"manifest.json: engines: says {', '.join(sorted(more))}, which no build writes: {OTHERWISE}"
    if READING in engines and _wording_job(family) == WORDING and engines[READING] not in models:
        yield f"manifest.json: engines: says that {engines[READING][:60]!r} read queries back, and names no call of it"


def queries_otherwise(manifest: Manifest, family: Family, tables: ReleaseTables) -> Iterator[str]:
    """Yield the tasks that are said to be worded by rules, and that the rules word otherwise.

    Who reads words back finds a wish that is not the record's; of a sentence that no rule writes it may make nothing.
    """
    word, worlds = load(family.word), worlds_of(family, tables)
    for task in tables.tasks.to_dict("records"):
        if task["engine"] != BY_RULES:
            continue
        try:
            wording = word(task["task_id"], task["record"], world_for(worlds, family, task["city_id"]), manifest.seed)
        except Exception as error:  # the family's own function, of a record and a world that may be edited
            yield f"{task['task_id']}: cannot be worded again: {type(error).__name__}: {error}: {OTHERWISE}"
            continue
        if wording.query != task["query"]:
            yield f"{task['task_id']}: the rules word its query otherwise: {in_short(wording.query)}: {OTHERWISE}"
        if [dict(message) for message in wording.messages] != [dict(message) for message in task["messages"]]:
            yield f"{task['task_id']}: the rules word its messages otherwise: {OTHERWISE}"


def repairs_otherwise(manifest: Manifest, family: Family, tables: ReleaseTables) -> Iterator[str]:
    """Yield the tasks that are said to be repaired or kept otherwise than their records and words show.

    A published set's tasks are in the section; what a slot of any other draws, the family draws again.
    """
    if family.drawn_from is None:
        return
    section, worlds = family.section.model_validate(manifest.section), worlds_of(family, tables)
    from_draw, slots = load(family.drawn_from), slots_by_task(manifest, family, tables)
    for task in tables.tasks.to_dict("records"):
        task_id, record, stated = task["task_id"], task["record"], [dict(one) for one in task["repairs"]]
        slot = slots.get(task_id)
        if slot is None:
            continue  # told as no slot of the section
        try:
            drawn = from_draw(slot, task["drawn"], world_for(worlds, family, task["city_id"]), section)
        except Exception as error:  # the family's own function, of a record that may be edited
            yield f"{task_id}: what its repairs changed cannot be told: {type(error).__name__}: {error}: {OTHERWISE}"
            continue
        fields, query = drawn or ({}, None)
        differing = repairs(fields, {name: value_at(record, name) for name in fields})
        worded = [one for one in stated if one["field"] == WORDS and one["before"] == query != task["query"]]
        if [*differing, *worded] != stated or (query not in (None, task["query"]) and not worded):
            yield f"{task_id}: its repairs are not what tells it from what was drawn: {OTHERWISE}"
        elif drawn and ((edits := task["drawn"]["edits"]) < len(differing) or (edits and not differing)):
            yield (
                f"{task_id}: says {counted(edits, 'edit')}, found {counted(len(differing), 'field')} edited: "
                f"{OTHERWISE}"
            )


def rests_otherwise(manifest: Manifest, family: Family, tables: ReleaseTables) -> Iterator[str]:
    """Yield the certificates that say of what their plan rests on another hash than the release's tables give.

    By that hash a later build keeps a plan, and two releases say that nothing behind one has changed.
    """
    uses = {name: load(function_name) for name in ("depends", "part") if (function_name := getattr(family, name))}
    section, worlds = family.section.model_validate(manifest.section), worlds_of(family, tables)
    stated = dict(zip(tables.certificates["task_id"], tables.certificates["depends_on"], strict=True))
    for task in tables.tasks.to_dict("records"):
        task_id, record = task["task_id"], task["record"]
        try:
            world = world_for(worlds, family, task["city_id"])
            world = uses["part"](record, world) if "part" in uses else world
            recount = rests_on(uses, task_id, record, world, section)
        except Exception as error:  # the family's own functions, as above
            yield f"{task_id}: what its plan rests on cannot be told: {type(error).__name__}: {error}: {OTHERWISE}"
            continue
        if stated.get(task_id, recount) != recount:
            yield f"{task_id}: its certificate's depends_on is not the hash of what its plan rests on: {OTHERWISE}"


def diversity_otherwise(manifest: Manifest, family: Family, tables: ReleaseTables) -> Iterator[str]:
    """Yield what wording is said to have counted and the tasks' own words do not bear out."""
    step, tasks = family.tables.task.table_name(), tables.tasks.sort_values("task_id")
    stated_by_scope = manifest.facts.get(step, {})
    if not isinstance(stated_by_scope, dict) or not all(
        isinstance(stated, dict) for stated in stated_by_scope.values()
    ):
        yield f"manifest.json: facts of {step}: expected what was counted by scope and name: {OTHERWISE}"
        return
    for scope, stated in stated_by_scope.items():
        scope_tasks = tasks[tasks["city_id"] == scope] if scope else tasks
        task_facts = {"diversity": diversity(texts_of(scope_tasks.to_dict("records")))}
        yield from different(f"facts of {step} {scope}".rstrip(), stated, task_facts)


def draws_otherwise(release: OpenedRelease, family: Family) -> Iterator[str]:
    """Yield whether drafting is said to have drawn otherwise than its tasks show: each draw is one, or was refused."""
    step, worded = family.tables.draft.table_name(), family.tables.task.table_name()
    stated_by_scope = release.manifest.facts.get(step, {})
    try:
        draw_count = sum(counted["attempts"] - sum(counted["redrawn"].values()) for counted in stated_by_scope.values())
    except (AttributeError, KeyError, TypeError) as error:
        yield f"manifest.json: facts of {step}: expected attempts and redrawn by scope, found {error!r}: {OTHERWISE}"
        return
    drafts = release.rows("tasks").num_rows + release.rows("rejections")["step"].to_pylist().count(worded)
    if stated_by_scope and draw_count != drafts:
        yield (
            f"manifest.json: facts of {step}: says that {draw_count} draws were no refusal, found "
            f"{counted(drafts, 'draft')}, each a task or rejected when it was worded: {OTHERWISE}"
        )
