"""Making a release of one family from what a walk built: its tables, manifest, card and record."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from assets.core.memory import give_back
from assets.family import Family, ReleaseTables, all_steps
from assets.promises.certified import judge
from assets.promises.gate import GateReport, Judges, gate
from assets.promises.kept import KeptVerdicts
from assets.promises.kept_orders import KeptOrders
from assets.promises.removed import removed_rows
from assets.release import card, croissant, licences
from assets.release.audit_recipe import SHARED_SECTIONS
from assets.release.diff import Difference
from assets.release.difficulty import PASSED, too_easy
from assets.release.measured import UNANSWERED, counted, measured
from assets.release.reading import OpenedRelease, release_problems
from assets.release.sides import Side
from assets.release.splits import split_tasks, what_tasks_hold
from assets.runs.setting import setting_of
from pipelines.releases.beside import KeptTables, beside
from pipelines.releases.changes import changes_since
from pipelines.releases.judging import Candidate, Judging
from pipelines.releases.made import (
    NoTaskError,
    ReleaseError,
    TooFewTasksError,
    accounting,
    advice,
    build_record,
    code_of,
    facts,
    generations,
    inputs_of,
    origins_of,
    scopes,
    whole_reasons,
)
from pipelines.releases.pages import begin_maps, begin_page, write_page
from pipelines.releases.public import Sharing, public_edition, require_shareable
from pipelines.releases.without_solution import maker_code, without_solution
from pipelines.walk.fingerprint import Code
from pipelines.walk.recipes import LoadedRecipe
from pipelines.walk.walked import Blocked, Walked
from schemas.generation import Generation
from schemas.recipe import City, RecipeLock
from schemas.rejection import Reason, Rejection
from schemas.release import ColumnsUnder, Manifest
from schemas.stable import content_hash
from schemas.table import Table
from warehouse.built import BuiltStep
from warehouse.home import Home
from warehouse.releases import ReleaseRef
from warehouse.tables import TableVersion

if TYPE_CHECKING:
    import pyarrow as pa

    from assets.step import Step


NO_TASK = (Reason.UNSATISFIABLE.value, Reason.WORDING_DISAGREES.value, *UNANSWERED)
PROBLEMS_SHOWN = 20
SLOTS_SHOWN = 3
"""Slots named in the error of a release that would be too small; all are in the rejections."""

HERE = Judging()
JUDGES, PLANNERS = "judges", "planners"
"""Who seeks shortest orders in a build; neither recalls what the other found."""

MOST_UNANSWERED = 0.05
"""Share of the tasks asked for that a release may lack because a model gave them no usable wording; our choice."""


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
    tell: Callable[[str], None] = lambda _: None,
    judging: Judging = HERE,
) -> Released:
    """Publish the family's release from the walked steps, without the missing cities, and return it.

    Nothing is published but through the gate (`assets.promises.gate`), which reads the files back. A release made
    before from the same records, recipe, lock and code is not made again unless a file of it is damaged; what cannot
    be drawn is told, and stops nothing.
    Raises ReleaseError if fewer tasks are certified than the recipe asks for, or a promise does not hold, and, where it
    is to be public, if it holds what may not be shared and that is not to be withheld.
    """
    cities = list(loaded.recipe.cities)
    made = [walked.made[s.name, scope] for s in steps for scope in scopes(s, cities) if (s.name, scope) in walked.made]
    inputs = [loaded.recipe.model_dump(mode="json"), lock.model_dump(mode="json"), [b.city_id for b in missing]]
    section_asked = loaded.sections[family.name]
    codes = [release_code(family, code), maker_code(family, section_asked, code)]
    fingerprint = content_hash([family.name, [b.fingerprint for b in made], inputs, *codes])
    before = sound_release(home, fingerprint, tell)
    if before is not None:
        manifest = home.releases.manifest(before)
        require_shareable(manifest, sharing)
        _make_newest(home, before, family, tell)
        write_page(home, before, family, code, tell)
        counts = manifest.counts
        verified = set(manifest.promises.get("verified_tables", ()))
        public = public_edition(home, before, loaded, lock, family, origins_of(home, lock, made), verified, sharing)
        return Released(before, False, counts["tasks"], counts["certified"], counts["rejected"], None, public)
    by_name = {step.name: step for step in steps}
    files: dict[str, tuple[type[Table], TableVersion]] = {}
    for table in family.released:
        versions = dict.fromkeys(walked.version(by_name[table.table_name()], c.city_id) for c in cities)
        files[f"{family.file_of(table)}.parquet"] = (table, home.tables.join(table, list(versions)))
    files["generations.parquet"] = (Generation, generations(home, loaded, made))
    rejections = list(dict.fromkeys(b.rejections for b in made))
    files["rejections.parquet"] = (Rejection, home.tables.join(Rejection, rejections))
    section = loaded.sections[family.name].model_dump(mode="json")
    kept_tables = KeptTables(home.url, family.name, {name: version for name, (_, version) in files.items()}, section)
    tables = kept_tables.read(home, family)
    accounts = accounting(home, steps, made)
    counts = counted(family, tables, accounts)
    _require_all(loaded, family, cities, counts, tables, facts(made))
    manifest = Manifest(
        recipe=loaded.recipe.name,
        family=family.name,
        title=loaded.recipe.title or f"{family.title}: {loaded.recipe.name}",
        seed=loaded.recipe.seed,
        cities=[c.model_dump(mode="json", exclude={"sources"}) for c in cities],
        missing_cities=[{"city_id": b.city_id, "step": b.step, "reason": b.reason} for b in missing],
        inputs=inputs_of(lock, made),
        licences=licences.release_licences(inputs_of(lock, made)),
        engines=loaded.recipe.engines.as_released(),
        settings=loaded.recipe.model_dump(mode="json", include=SHARED_SECTIONS, exclude_none=True),
        section=section,
        choices=[{"choice_id": c.choice_id, "text": c.text} for c in family.choices],
        rules=family.rules,
        counts=counts,
        retired=[r.model_dump(exclude={"family"}) for r in lock.retired if r.family == family.name],
        accounting=accounts,
        measures={},
        files=[],
    )
    files |= _splits(home, loaded, family, tables)
    described = home.releases.described(files)
    manifest.files = described
    tell(f"{family.title}: {counts['certified']} witnesses and every value are tried before the release")
    give_back()  # what the walk's tables took: 250 MB of a thousand cities
    with beside(family, tables, kept_tables, judging.processes, max(s.memory_mb for s in steps), tell) as others:
        by_planners = KeptOrders.of(home.store, PLANNERS, code.hash_of)
        measuring, maps = (
            others.begun(measures_with_orders, facts(made), by_planners),
            begin_maps(others, {c.city_id: c.name for c in cities}),
        )
        extra = without_solution(family, tables, section_asked, loaded.recipe.seed)
        by_judges = KeptOrders.of(home.store, JUDGES, code.hash_of)
        kept = KeptVerdicts(home.store, judging_code(family, code), by_judges)
        candidate = Candidate(manifest, {name: version for name, (_, version) in files.items()}, extra)
        drawing = begin_page(others, candidate, measuring)
        with judging.judges(home, candidate, code) as judges:
            report = _through_the_gate(home, candidate, kept, judging.processes, judges)
        give_back()  # and the gate's
        manifest.promises = report.as_manifest()
        origins = origins_of(home, lock, made)
        manifest.columns_under, card_rows = _columns_under(home, files, origins, report.verified_tables)
        require_shareable(manifest, sharing)
        changes, changes_told = _changes(home, manifest, files, made, tell)
        manifest.measures, manifest.facts = measuring()  # waited for last: what is above does without
        _require_hard(family, manifest.measures, loaded.sections[family.name])
        texts = extra | {
            "README.md": card.dataset_card(
                manifest,
                {file.path: file.rows or 0 for file in described},
                *card_rows,
            ).encode(),
            croissant.FILE_NAME: croissant.croissant(
                manifest, {name: table for name, (table, _) in files.items()}, described
            ),
        }
        record = {"build.json": build_record(made), "CHANGES.md": changes_told, **maps()}
        ref, is_new = home.releases.publish(manifest, files, texts, record, fingerprint)
        give_back()  # and what its texts took: pages are large
        write_page(home, ref, family, code, tell, drawing)
    public = public_edition(home, ref, loaded, lock, family, origins, report.verified_tables, sharing)
    return Released(ref, is_new, counts["tasks"], counts["certified"], counts["rejected"], changes, public)


def _columns_under(
    home: Home,
    files: Mapping[str, tuple[type[Table], TableVersion]],
    origins: licences.Origins,
    verified: Collection[str],
) -> tuple[list[ColumnsUnder], tuple[pa.Table, pa.Table]]:
    """Return which columns of how many rows are under which licence, and the rows of tasks and of certificates.

    What nobody asks for is not held, nor millions of pointers, which are read piece by piece.
    """
    rows, by_pointers = {}, {}
    for name, (table, version) in files.items():
        if table.table_name() in verified:
            pieces = home.tables.pieces(version, ["source_rows"], licences.ROWS_AT_ONCE)
            by_pointers[name] = licences.pointed_licences((piece["source_rows"] for piece in pieces), origins)
        rows[name] = (table, home.tables.read(version, licences.asked_columns(table)))
    under = licences.columns_under(rows, licences.row_licences(rows, origins, by_pointers))
    return under, (rows["tasks.parquet"][1], rows["certificates.parquet"][1])


def measures_with_orders(
    family: Family, tables: ReleaseTables, facts: Mapping[str, Any], orders: KeptOrders
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return what `measured` does, its shortest orders recalled where they were sought before."""
    with orders.recalled():
        return measured(family, tables, facts)


def judging_code(family: Family, code: Code) -> str:
    """Return the hash of the code that kept verdicts rest on: what judges, and whatever it asks of the family."""
    setting = setting_of(family.name)
    named = (family.check, family.verify, family.asked, family.uses, family.world, family.part, family.read)
    named += (family.passes, setting.wishes_of, setting.with_wishes)
    return code.hash_of(judge, removed_rows, declaration(family), *(name for name in named if name))


def release_code(family: Family, code: Code) -> str:
    """Return the hash of the code that a release rests on beside its steps': what declares, judges, measures, exports.

    What draws its page is no part of it, nor is what drafts, words, solves and traces: the tables that these made have
    fingerprints of their own. Its tools are, for a reference planner has nothing else.
    """
    setting = setting_of(family.name)
    named = (
        family.measures,
        family.check,
        family.verify,
        family.asked,
        family.uses,
        family.world,
        family.slots,
    )
    judges = (family.read, family.score, family.export, family.published_check, *family.baselines.values())
    judges += (*family.planners.values(), family.passes, family.tools)
    judges += (*setting.planners.values(), setting.careful, setting.outcome)
    steps = all_steps([family])
    sources = (steps[table.table_name()].sources for table in (*family.world_tables, *family.context))
    cells = (*family.derivations.values(), *sources)
    return code.hash_of(release, *(name for name in (declaration(family), *named, *judges, *cells) if name))


def declaration(family: Family) -> str:
    """Return the name of the family's declaration: its rules, choices, wishes and what must be accepted."""
    return f"assets.{family.name}.family:FAMILY"


def _make_newest(home: Home, again: ReleaseRef, family: Family, tell: Callable[[str], None]) -> None:
    """Make a release that was made before the newest again: the next one is compared with what stands now."""
    former = home.releases.set_latest(again)
    if former not in ("", again.version):
        tell(f"{family.title}: as in an earlier release; `tripwright diff {former} {again.version}` says what differs")


def sound_release(home: Home, fingerprint: str, tell: Callable[[str], None]) -> ReleaseRef | None:
    """Return the release made before, if all its files are what the manifest says; a damaged one is taken away."""
    before = home.releases.made_from(fingerprint)
    if before is None:
        return None
    problems = release_problems(home.releases.folder(before))
    if not problems:
        return before
    tell(f"release {before.version} was damaged and is made again: {'; '.join(problems[:SLOTS_SHOWN])}")
    home.releases.remove(before)
    return None


def _through_the_gate(
    home: Home, candidate: Candidate, kept: KeptVerdicts, processes: int, judges: Judges | None
) -> GateReport:
    """Return what the gate says of the files, read back from a folder. Raises ReleaseError with what does not hold."""
    manifest = candidate.manifest
    with home.store.scratch() as folder:
        candidate.lay_out(home, folder)
        report = gate(OpenedRelease(folder, manifest, "candidate"), home.snapshots, processes, kept, judges)
    if report.problems or report.unverified:
        problems = [
            *report.problems,
            *(f"could not verify {e['values']} values: {e['what']}: {e['why']}" for e in report.unverified),
        ]
        shown = "\n".join(f"  - {problem}" for problem in problems[:PROBLEMS_SHOWN])
        more = f"\n  - and {len(problems) - PROBLEMS_SHOWN} more" if len(problems) > PROBLEMS_SHOWN else ""
        raise ReleaseError(
            f"{manifest.family}: {len(problems)} promises do not hold; nothing is released:\n{shown}{more}\n"
            "This is a fault of the family's code or of the kept tables: mend it, or build in a new home (--home)."
        )
    return report


def _require_hard(family: Family, measured: dict[str, Any], section: Any) -> None:
    """Raise ReleaseError if the greedy planner passes more tasks of a level than the recipe allows."""
    problems = too_easy(measured[PASSED], family.call("slots", section))
    if problems:
        raise ReleaseError(
            f"{family.name}: nothing is released, since it is easier than the recipe asks:\n"
            + "\n".join(f"  - {problem}" for problem in problems)
            + "\nAsk for more tasks, so that fewer slots stay empty, or raise `baseline_at_most`."
        )


def _changes(
    home: Home,
    manifest: Manifest,
    files: dict[str, tuple[type[Table], TableVersion]],
    made: list[BuiltStep],
    tell: Callable[[str], None],
) -> tuple[Difference | None, bytes]:
    """Return how what is about to be published differs from the last release, and the page that says so."""
    new = Side(
        manifest,
        "this release",
        lambda name: home.tables.read(files[f"{name}.parquet"][1]),
        {name: version.sha256 for name, (_, version) in files.items()},
        code_of(made),
    )
    return changes_since(home, home.releases.latest(manifest.recipe, manifest.family), new, tell)


def _splits(
    home: Home, loaded: LoadedRecipe, family: Family, tables: ReleaseTables
) -> dict[str, tuple[type[Table], TableVersion]]:
    """Return the tasks of each split that the recipe asks for, as `splits/<name>.parquet`."""
    asked = loaded.recipe.splits
    if asked is None:
        return {}
    held = what_tasks_hold(family, tables, asked.apart)
    tasks, table = tables.tasks, family.tables.task
    return {
        f"splits/{name}.parquet": (table, home.tables.write(table, tasks[tasks["task_id"].isin(ids)]))
        for name, ids in split_tasks(asked, held, loaded.recipe.seed).items()
    }


def _require_all(
    loaded: LoadedRecipe,
    family: Family,
    cities: list[City],
    counts: dict[str, Any],
    tables: ReleaseTables,
    facts: dict[str, Any],
) -> None:
    section = loaded.sections[family.name]
    quota = sum(series.count for series in family.call("slots", section))
    quota *= len(cities) if family.per == "city" else 1
    if getattr(section, "asked", None) and counts["certified"]:  # of a published set alone, a task may be retired
        quota -= counts["retired"]
    if counts["unanswered"] <= MOST_UNANSWERED * quota:
        quota -= counts["unanswered"]
    if counts["certified"] < quota or counts["tasks"] != counts["certified"]:
        unanswered = f" ({counts['unanswered']} got no usable wording of the model)" if counts["unanswered"] else ""
        error = TooFewTasksError if counts["certified"] else NoTaskError
        raise error(
            f"{family.name}: the recipe asks for {quota} tasks, and {counts['certified']} of {counts['tasks']} drafts "
            f"are certified{unanswered}; nothing is released. {_in_the_way(family, tables)}{advice(counts)}"
            f"{_lacking(family, cities, tables, facts)}"
        )


def _lacking(family: Family, cities: list[City], tables: ReleaseTables, facts: dict[str, Any]) -> str:
    """Return what each city lacks that is travelled to, a line for each, those that lack the same together."""
    if family.lacking is None:
        return ""
    visited = {city.city_id for city in cities if city.is_visited}
    cities_of: dict[str, list[str]] = {}
    for city_id, lines in family.call("lacking", tables, facts).items():
        if city_id in visited:
            cities_of.setdefault("; ".join(lines), []).append(city_id)
    shown = [f"\n  - {', '.join(cities)}: {lines}" for lines, cities in cities_of.items()]
    return f"\nWhat cities lack:{''.join(shown)}" if shown else ""


def _in_the_way(family: Family, tables: ReleaseTables) -> str:
    """Return the first slots for which there is no task, and what stood in their way."""
    rejected = tables.tables["rejections"]
    slots = rejected[rejected["step"].isin({s.name for s in family.steps}) & rejected["reason"].isin(NO_TASK)]
    shown = [f"{row['row']}: {whole_reasons(row['detail'])}" for row in slots.head(SLOTS_SHOWN).to_dict("records")]
    return f"Without a task, among {len(slots)}: {'; '.join(shown)}. " if shown else ""
