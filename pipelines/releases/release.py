"""Making a release of one family from what a walk built: its tables, manifest, card and record."""

from __future__ import annotations

import json
import platform
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from assets.family import Family, LazyFrames, ReleaseTables
from assets.language.nearest_query import repetition
from assets.release import card, croissant, licences
from assets.release.diff import Difference
from assets.release.difficulty import BASELINE, difficulty
from assets.release.sides import Side
from assets.release.splits import split_tasks, what_tasks_hold
from pipelines.releases.changes import changes_since
from pipelines.releases.public import Sharing, public_edition, require_shareable
from pipelines.walk.fingerprint import ROOT, Code
from pipelines.walk.recipes import LoadedRecipe
from pipelines.walk.walked import Blocked, Walked, raw_files
from schemas.errors import ExpectedError
from schemas.generation import Generation
from schemas.recipe import City, RecipeLock
from schemas.rejection import Reason, Rejection
from schemas.release import Manifest
from schemas.stable import content_hash
from schemas.table import Table
from schemas.task import NearestQuery
from warehouse.built import BuiltStep
from warehouse.home import Home
from warehouse.releases import ReleaseRef
from warehouse.tables import TableVersion

if TYPE_CHECKING:
    import pandas as pd

    from assets.step import Step


UNANSWERED = (Reason.NO_VALID_ANSWER.value, Reason.NEAR_DUPLICATE.value)
NO_TASK = (Reason.UNSATISFIABLE.value, Reason.WORDING_DISAGREES.value, *UNANSWERED)
SLOTS_SHOWN = 3
"""Slots named in the error of a release that would be too small; all are in the rejections."""

SHARED_SECTIONS = {"invented", "spatial", "splits"}
"""The sections of a recipe that say for every family how it is built; a manifest holds them as they were."""
MAP_NOTICE = "Drawn by tripwright from the release's own tables; its licences are in the manifest."


MOST_UNANSWERED = 0.05
"""Share of the tasks asked for that a release may lack because a model gave them no usable wording; our choice."""


class ReleaseError(ExpectedError):
    """A release would be less than its recipe asks for; says what is missing and why."""


@dataclass(frozen=True)
class Released:
    """One family's release and how many of its tasks are certified."""

    ref: ReleaseRef
    is_new: bool
    tasks: int
    certified: int
    rejected: int
    changes: Difference | None = None  # from the release before, if this call made it
    public: ReleaseRef | None = None  # what may be shared of it: itself, or the edition that lacks the rest


def release(
    home: Home,
    loaded: LoadedRecipe,
    lock: RecipeLock,
    family: Family,
    steps: list[Step],
    walked: Walked,
    missing: list[Blocked],
    code: Code,
    sharing: Sharing = "private",
) -> Released:
    """Publish the family's release from the walked steps, without the missing cities, and return it.

    A release made before from the same records, recipe, lock and code is not made again.
    Raises ReleaseError if fewer tasks are certified than the recipe asks for, and, where it is to be public, if it
    holds what may not be shared and that is not to be withheld.
    """
    left_out = {b.city_id for b in missing}
    cities = [c for c in loaded.recipe.cities if c.city_id not in left_out]
    made = [walked.made[s.name, scope] for s in steps for scope in _scopes(s, cities) if (s.name, scope) in walked.made]
    inputs = [loaded.recipe.model_dump(mode="json"), lock.model_dump(mode="json"), [b.city_id for b in missing]]
    fingerprint = content_hash(
        [family.name, [b.fingerprint for b in made], inputs, code.hash_of(release, family.measures)]
    )
    before = home.releases.made_from(fingerprint)
    if before is not None:
        require_shareable(home.releases.manifest(before), sharing)
        _write_page(home, before)
        counts = home.releases.manifest(before).counts
        public = public_edition(home, before, loaded, lock, family, _origins(home, lock, made), sharing)
        return Released(before, False, counts["tasks"], counts["certified"], counts["rejected"], None, public)
    by_name = {step.name: step for step in steps}
    files: dict[str, tuple[type[Table], TableVersion]] = {}
    released = (family.tasks, family.certificates, family.lineage, *family.context)
    for table in released:
        versions = dict.fromkeys(walked.version(by_name[table.table_name()], c.city_id) for c in cities)
        files[_file_name(family, table)] = (table, _joined(home, table, list(versions)))
    files["generations.parquet"] = (Generation, _generations(home, loaded, made))
    rejections = list(dict.fromkeys(b.rejections for b in made))
    files["rejections.parquet"] = (Rejection, _joined(home, Rejection, rejections))
    frames = LazyFrames(
        {table.table_name(): partial(_frame, home, table, version) for table, version in files.values()}
    )
    tables = ReleaseTables(frames)
    counts = _counts(family, frames, made)
    _require_all(loaded, family, cities, counts, frames)
    manifest = Manifest(
        recipe=loaded.recipe.name,
        family=family.name,
        title=loaded.recipe.title or f"{family.title}: {loaded.recipe.name}",
        seed=loaded.recipe.seed,
        cities=[c.model_dump(mode="json", exclude={"sources"}) for c in cities],
        missing_cities=[{"city_id": b.city_id, "step": b.step, "reason": b.reason} for b in missing],
        inputs=_inputs(lock, made),
        licences=licences.release_licences(_inputs(lock, made)),
        engines=loaded.recipe.engines.as_released(),
        settings=loaded.recipe.model_dump(mode="json", include=SHARED_SECTIONS, exclude_none=True),
        section=loaded.sections[family.name].model_dump(mode="json"),
        choices=[{"choice_id": c.choice_id, "text": c.text} for c in family.choices],
        rules=family.rules,
        counts=counts,
        retired=[r.model_dump(exclude={"family"}) for r in lock.retired if r.family == family.name],
        accounting=_accounting(steps, made),
        measures=family.measures(tables, _facts(made)) | _shared_measures(family, tables),
        files=[],
    )
    files |= _splits(home, loaded, family, tables)
    rows = {name: (table, home.tables.read(version)) for name, (table, version) in files.items()}
    origins = _origins(home, lock, made)
    manifest.columns_under = licences.columns_under(rows, licences.row_licences(rows, origins))
    require_shareable(manifest, sharing)
    described = home.releases.described(files)
    maps = _maps(family, cities, tables)
    texts = {
        "README.md": card.dataset_card(manifest, {file.path: file.rows or 0 for file in described}, maps).encode(),
        croissant.FILE_NAME: croissant.croissant(
            manifest, {name: table for name, (table, _) in files.items()}, described
        ),
        **maps,
    }
    record = {"build.json": _build_record(made)}
    changes, record["CHANGES.md"] = _changes(home, manifest, files, made)
    ref, is_new = home.releases.publish(manifest, files, texts, record, fingerprint)
    _write_page(home, ref)
    public = public_edition(home, ref, loaded, lock, family, origins, sharing)
    return Released(ref, is_new, counts["tasks"], counts["certified"], counts["rejected"], changes, public)


def _origins(home: Home, lock: RecipeLock, made: list[BuiltStep]) -> licences.Origins:
    """Return which raw files each step could have read, through the tables that it read, and what its calls are of."""
    calls: dict[str, set[str]] = {}
    for built in made:
        if built.generations:
            for call in home.tables.read(built.generations)["generation_id"].to_pylist():
                calls.setdefault(call, set()).add(built.step)
    return licences.Origins(_inputs(lock, made), raw_files(made), calls)


def _shared_measures(family: Family, tables: ReleaseTables) -> dict[str, Any]:
    """Return what every family's release is measured for: how hard it is, and how much of it is said twice."""
    nearest = [tables[table] for table in family.context if issubclass(table, NearestQuery)]
    return {
        BASELINE: difficulty(family, tables),
        "similar_queries": [row for frame in nearest for row in repetition(frame)],
    }


def _changes(
    home: Home, manifest: Manifest, files: dict[str, tuple[type[Table], TableVersion]], made: list[BuiltStep]
) -> tuple[Difference | None, bytes]:
    """Return how what is about to be published differs from the last release, and the page that says so."""
    new = Side(
        manifest,
        "this release",
        lambda name: home.tables.read(files[f"{name}.parquet"][1]),
        {name: version.sha256 for name, (_, version) in files.items()},
        _code(made),
    )
    return changes_since(home, home.releases.latest(manifest.recipe, manifest.family), new)


def _splits(
    home: Home, loaded: LoadedRecipe, family: Family, tables: ReleaseTables
) -> dict[str, tuple[type[Table], TableVersion]]:
    """Return the tasks of each split that the recipe asks for, as `splits/<name>.parquet`."""
    asked = loaded.recipe.splits
    if asked is None:
        return {}
    held = what_tasks_hold(family, tables, asked.apart)
    tasks = tables[family.tasks]
    return {
        f"splits/{name}.parquet": (family.tasks, home.tables.write(family.tasks, tasks[tasks["task_id"].isin(ids)]))
        for name, ids in split_tasks(asked, held, loaded.recipe.seed).items()
    }


def _write_page(home: Home, ref: ReleaseRef) -> None:
    """Write the release's page beside it, unless it is there: also after a build that was killed before it did."""
    key = f"{ref.key}/record/report.html"
    if home.store.exists(key):
        return
    from assets.release.page.render import report
    from assets.release.reading import open_release

    home.store.put(key, report([open_release(home.releases.folder(ref))], home.snapshots).encode())


def _maps(family: Family, cities: list[City], tables: ReleaseTables) -> dict[str, bytes]:
    """Return the map, with one witness tour, of each city that has anything to show, as `maps/<city>.png`."""
    if family.map_of is None:
        return {}
    from assets.spatial.map import city_map

    maps = {}
    for city in cities:
        shown = family.map_of(tables, city.city_id)
        if shown.points.empty:
            continue
        maps[f"maps/{city.city_id}.png"] = city_map(city.name, shown.points, tour=shown.tour, attribution=MAP_NOTICE)
    return maps


def _scopes(step: Step, cities: list[City]) -> list[str]:
    return [""] if step.per == "recipe" else [c.city_id for c in cities]


def _file_name(family: Family, table: type[Table]) -> str:
    """Return the released file's name: the same for every family's tasks, certificates and lineage."""
    named = {family.tasks: "tasks", family.certificates: "certificates", family.lineage: "lineage"}
    return f"{named.get(table, table.table_name())}.parquet"


def _joined(home: Home, table: type[Table], versions: list[TableVersion]) -> TableVersion:
    """Return one version with the rows of several."""
    if len(versions) == 1:
        return versions[0]
    import pyarrow as pa

    rows = [home.tables.read(version) for version in versions]
    return home.tables.write(table, pa.concat_tables(rows) if rows else table.arrow_schema().empty_table())


def _generations(home: Home, loaded: LoadedRecipe, made: list[BuiltStep]) -> TableVersion:
    """Return every model call that the steps' rows rest on. Raises ReleaseError if revisions of a model are mixed."""
    import pyarrow as pa

    parts = [home.tables.read(version) for version in dict.fromkeys(b.generations for b in made) if version]
    rows = {row["generation_id"]: row for part in parts for row in part.to_pylist()}
    revisions = sorted({(row["model"], row["revision"]) for row in rows.values()})
    endpoint = loaded.recipe.engines.openai
    if len(revisions) > len({model for model, _ in revisions}) and not (endpoint and endpoint.allow_mixed_revisions):
        found = ", ".join(f"{revision} of {model}" for model, revision in revisions)
        raise ReleaseError(
            f"the answers come from several revisions of one model: {found}. Set allow_mixed_revisions = true, or "
            "`tripwright ledger --prune REVISION` and build again to have one revision answer everything."
        )
    return home.tables.write(Generation, pa.Table.from_pylist(list(rows.values()), schema=Generation.arrow_schema()))


def _counts(family: Family, frames: Mapping[str, Any], made: list[BuiltStep]) -> dict[str, Any]:
    tasks = frames[family.tasks.table_name()]
    certificates = frames[family.certificates.table_name()]
    own = {step.name for step in family.steps}
    return {
        "tasks": len(tasks),
        "certified": int(tasks["task_id"].isin(certificates["task_id"]).sum()),
        "tasks_by_city": {str(city): int(n) for city, n in tasks["city_id"].value_counts().sort_index().items()},
        "unanswered": sum(
            b.accounting.rejected.get(reason, 0)
            for b in made
            if b.step == family.tasks.table_name()
            for reason in UNANSWERED
        ),
        "rejected": sum(sum(b.accounting.rejected.values()) for b in made if b.step in own),
        "source_rows_rejected": sum(sum(b.accounting.rejected.values()) for b in made if b.step not in own),
    }


def _frame(home: Home, table: type[Table], version: TableVersion) -> pd.DataFrame:
    return table.frame(home.tables.read(version))


def _require_all(
    loaded: LoadedRecipe, family: Family, cities: list[City], counts: dict[str, Any], frames: Mapping[str, Any]
) -> None:
    wanted = family.wanted(loaded.sections[family.name], len(cities))
    if counts["unanswered"] <= MOST_UNANSWERED * wanted:
        wanted -= counts["unanswered"]
    if counts["certified"] < wanted or counts["tasks"] != counts["certified"]:
        unanswered = f" ({counts['unanswered']} got no usable wording of the model)" if counts["unanswered"] else ""
        raise ReleaseError(
            f"{family.name}: the recipe asks for {wanted} tasks, and {counts['certified']} of {counts['tasks']} drafts "
            f"are certified{unanswered}; nothing is released. {_in_the_way(family, frames)}Ask for fewer tasks, or for "
            "what the cities have, or bind more source files."
        )


def _in_the_way(family: Family, frames: Mapping[str, Any]) -> str:
    """Return the first slots for which there is no task, and what stood in their way."""
    rejected = frames[Rejection.table_name()]
    slots = rejected[rejected["step"].isin({s.name for s in family.steps}) & rejected["reason"].isin(NO_TASK)]
    shown = [f"{row['row']}: {row['detail']}" for row in slots.head(SLOTS_SHOWN).to_dict("records")]
    return f"Without a task, among {len(slots)}: {'; '.join(shown)}. " if shown else ""


def _inputs(lock: RecipeLock, made: list[BuiltStep]) -> list[Any]:
    """Return the snapshots that the steps read, in the lock's order."""
    read = {
        (name, sha256)
        for built in made
        for name, value in built.inputs.items()
        if isinstance(value, list)
        for sha256 in value
    }
    return [s for s in lock.snapshots if (f"{s.source}.{s.role}", s.sha256) in read]


def _accounting(steps: list[Step], made: list[BuiltStep]) -> list[dict[str, Any]]:
    entries = []
    for step in steps:
        runs = [b.accounting for b in made if b.step == step.name]
        rejected: dict[str, int] = {}
        for run in runs:
            for reason, count in run.rejected.items():
                rejected[reason] = rejected.get(reason, 0) + count
        counted = [run.rows_in for run in runs if run.rows_in is not None]
        entries.append(
            {
                "step": step.name,
                "rows_in": sum(counted) if counted else None,
                "rows_out": sum(run.rows_out for run in runs),
                "merged": sum(run.merged for run in runs),
                "rejected": dict(sorted(rejected.items())),
            }
        )
    return entries


def _facts(made: list[BuiltStep]) -> dict[str, Any]:
    facts: dict[str, Any] = {}
    for built in made:
        facts.setdefault(built.step, {})[built.scope] = built.facts
    return facts


def _code(made: list[BuiltStep]) -> dict[str, str]:
    return {built.step: built.code for built in sorted(made, key=lambda b: b.step)}


def _build_record(made: list[BuiltStep]) -> bytes:
    """Return what is worth knowing of this very build: the code's revision, the machine, how long each step took."""
    git = subprocess.run(["git", "-C", str(ROOT), "rev-parse", "HEAD"], capture_output=True, text=True, check=False)  # noqa: S603, S607
    record = {
        "code_revision": git.stdout.strip() or None,
        "python": platform.python_version(),
        "system": platform.platform(),
        "code": _code(made),
        "seconds": {f"{b.step}/{b.scope or 'recipe'}": b.seconds for b in made},
    }
    return (json.dumps(record, indent=1) + "\n").encode()
