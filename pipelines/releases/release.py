"""Making a release of one family: put together, measured, through the gate, published with its card and record."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from assets.core.memory import give_back
from assets.core.published_set import ASKED_OF
from assets.family import Family
from assets.language.nearest_query import repeating
from assets.promises.gate import GateReport, gate
from assets.promises.kept_orders import KeptOrders
from assets.promises.verdicts import KeptVerdicts
from assets.release import card, croissant, licences
from assets.release.audit_asked import asked_otherwise
from assets.release.diff import Difference
from assets.release.difficulty import PASSED, too_easy
from assets.release.measures import measures_and_facts
from assets.release.origins import ROWS_AT_ONCE, Origins, pointed_columns, pointed_licences
from assets.release.reading import OpenedRelease, release_problems
from assets.release.sides import UNPUBLISHED, Side
from assets.rows import ReleaseTables
from pipelines.releases.assembly import assemble
from pipelines.releases.beside import beside
from pipelines.releases.changes import changes_since
from pipelines.releases.codes import judging_code, release_code
from pipelines.releases.gathering import (
    ReleaseError,
    build_record,
    code_of,
    facts,
    origins_of,
    scopes,
)
from pipelines.releases.judging import Candidate, Judging
from pipelines.releases.pages import begin_maps, begin_page, write_page
from pipelines.releases.public import Sharing, public_edition, require_shareable
from pipelines.releases.reopened import opened_set
from pipelines.releases.without_solution import maker_code, without_solution
from pipelines.walk.fingerprint import Code
from pipelines.walk.recipe_walk import RecipeWalk, family_targets
from schemas.counts import counted
from schemas.release import ColumnsUnder, Manifest
from schemas.stable import content_hash
from schemas.table import Table
from warehouse.build_records import BuiltStep
from warehouse.home import Home
from warehouse.releases import ReleaseRef
from warehouse.tables import TableVersion

if TYPE_CHECKING:
    import pyarrow as pa


PROBLEMS_SHOWN = 20
DAMAGED_SHOWN = 3

HERE = Judging()
JUDGES, PLANNERS = "judges", "planners"
"""Who seeks shortest orders in a build; neither recalls what the other found."""


@dataclass(frozen=True)
class Released:
    """One family's release, how many of its tasks are certified, and rows rejected on the way, sources' and its own."""

    ref: ReleaseRef
    is_new: bool
    tasks: int
    certified: int
    rejected: int
    changes: Difference | None = None  # from the release before, if this call made it
    public: ReleaseRef | None = None  # what may be shared of it: itself, or the edition that lacks the rest
    repeats: tuple[str, ...] = ()  # in words, how many of its queries repeat others, if any do


def release(
    home: Home,
    walked: RecipeWalk,
    family: Family,
    code: Code,
    sharing: Sharing = "private",
    tell: Callable[[str], None] = lambda _: None,
    judging: Judging = HERE,
) -> Released:
    """Publish the family's release from a walked recipe, without the cities left out, and return it.

    Nothing is published but through the gate (`assets.promises.gate`), which reads the files back. A release made
    before from the same records, recipe, lock and code is not made again unless a file of it is damaged; what cannot
    be drawn is told, and stops nothing.
    Raises ReleaseError if fewer tasks are certified than the recipe asks for, or a promise does not hold, and, where it
    is to be public, if it holds what may not be shared and that is not to be withheld.
    """
    loaded, lock, built = walked.loaded, walked.lock, walked.walk.walked.records
    steps, cities = walked.walk.order(family_targets(family)), list(loaded.recipe.cities)
    built_steps = [built[s.name, scope] for s in steps for scope in scopes(s, cities) if (s.name, scope) in built]
    left_out = [blocked.city_id for blocked in walked.left_out]
    inputs = [loaded.recipe.model_dump(mode="json"), lock.model_dump(mode="json"), left_out]
    section_asked = loaded.sections[family.name]
    codes = [release_code(family, code), maker_code(family, section_asked, code)]
    fingerprint = content_hash([family.name, [b.fingerprint for b in built_steps], inputs, *codes])
    before = sound_release(home, fingerprint, loaded.recipe.name, family.name, tell)
    if before is not None:
        manifest = home.releases.manifest(before)
        require_shareable(manifest, sharing)
        _make_newest(home, before, family, tell)
        write_page(home, before, family, code, tell)
        verified = set(manifest.promises.get("verified_tables", ()))
        public = public_edition(
            home, before, loaded, lock, family, origins_of(home, lock, family, built_steps), verified, sharing
        )
        return released_of(before, manifest, public)
    _require_asked(home, family, section_asked)
    draft = assemble(home, walked, family, steps, built_steps)
    manifest, files, counts = draft.manifest, draft.files, draft.manifest.counts
    origins = origins_of(home, lock, family, built_steps)
    tell(f"{family.title}: {counts['certified']} witnesses and every value are tried before the release")
    if left_out := counts.get("left_out"):
        tell(f"{family.title}: the recipe leaves out {counted(left_out, 'task')} of the published set that it asks")
    give_back()  # what the walk's tables took: 250 MB of a thousand cities
    with beside(
        family, draft.tables, draft.kept_tables, judging.processes, max(s.memory_mb for s in steps), tell
    ) as others:
        by_planners = KeptOrders.of(home.store, PLANNERS, code.hash_of)
        measuring = others.begin(measures_with_orders, facts(built_steps), by_planners)
        maps = begin_maps(others, manifest)
        extra = without_solution(family, draft.tables, section_asked, loaded.recipe.seed)
        candidate = Candidate(manifest, {name: version for name, (_, version) in files.items()}, extra)
        drawing = begin_page(others, candidate, measuring)
        report = _through_the_gate(home, family, candidate, code, judging)
        give_back()  # and the gate's
        manifest.promises = report.as_manifest()
        manifest.columns_under, card_rows = _columns_under(home, files, origins, report.verified_tables)
        require_shareable(manifest, sharing)
        changes, changes_told = _changes(home, manifest, files, extra, built_steps, tell)
        manifest.measures, manifest.facts = measuring()  # waited for last: what is above does without
        _require_hard(family, manifest.measures, section_asked)
        rows_of = {file.path: file.rows or 0 for file in manifest.files}
        tables = {name: table for name, (table, _) in files.items()}
        texts = extra | {
            "README.md": card.dataset_card(manifest, rows_of, *card_rows).encode(),
            croissant.FILE_NAME: croissant.croissant(manifest, tables, manifest.files),
        }
        record = {"build.json": build_record(built_steps), "CHANGES.md": changes_told, **maps()}
        ref, is_new = home.releases.publish(manifest, files, texts, record, fingerprint)
        give_back()  # and what its texts took: pages are large
        write_page(home, ref, family, code, tell, drawing)
    public = public_edition(home, ref, loaded, lock, family, origins, report.verified_tables, sharing)
    return released_of(ref, manifest, public, changes, is_new=is_new)


def released_of(
    ref: ReleaseRef,
    manifest: Manifest,
    public: ReleaseRef | None,
    changes: Difference | None = None,
    *,
    is_new: bool = False,
) -> Released:
    """Return what a build says of a release, by its manifest."""
    counts, repeats = manifest.counts, tuple(repeating(manifest.measures["similar_queries"]))
    rejected = counts["rejected"] + counts["source_rows_rejected"]
    return Released(ref, is_new, counts["tasks"], counts["certified"], rejected, changes, public, repeats)


def _columns_under(
    home: Home,
    files: Mapping[str, tuple[type[Table], TableVersion]],
    origins: Origins,
    verified: Collection[str],
) -> tuple[list[ColumnsUnder], tuple[pa.Table, pa.Table]]:
    """Return which columns of how many rows are under which licence, and the rows of tasks and of certificates.

    What nobody asks for is not held, nor millions of pointers, which are read piece by piece.
    """
    rows, by_pointers = {}, {}
    for name, (table, version) in files.items():
        if table.table_name() in verified:
            pieces = home.tables.pieces(version, pointed_columns(table, origins), ROWS_AT_ONCE)
            by_pointers[name] = pointed_licences(pieces, table, origins)
        rows[name] = (table, home.tables.read(version, licences.asked_columns(table)))
    under = licences.columns_under(rows, licences.row_licences(rows, origins, by_pointers))
    return under, (rows["tasks.parquet"][1], rows["certificates.parquet"][1])


def measures_with_orders(
    family: Family, tables: ReleaseTables, facts: Mapping[str, Any], orders: KeptOrders
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return what `measures_and_facts` does, its shortest orders recalled where they were sought before."""
    with orders.recall():
        return measures_and_facts(family, tables, facts)


def _make_newest(home: Home, again: ReleaseRef, family: Family, tell: Callable[[str], None]) -> None:
    """Make a release that was made before the newest again: the next one is compared with what stands now."""
    former = home.releases.latest(again.recipe, again.family)
    home.releases.set_latest(again)
    if former is not None and former != again:
        tell(
            f"{family.title}: as in an earlier release; `tripwright diff {former.version} {again.version}` says what "
            "differs"
        )


def sound_release(
    home: Home, fingerprint: str, recipe: str, family: str, tell: Callable[[str], None]
) -> ReleaseRef | None:
    """Return the release that this user made before, if all its files are what the manifest says.

    A damaged one is taken away; one that another user made, or somebody on another machine, is tried again.
    """
    before = home.releases.made_from(fingerprint, recipe, family)
    if before is None:
        return None
    problems = release_problems(home.releases.folder(before))
    if not problems and home.releases.is_made_here(fingerprint):
        return before
    if not problems:
        tell(f"release {before.version} was made by another user or on another machine, and is tried again here")
        return None
    tell(f"release {before.version} was damaged and is made again: {'; '.join(problems[:DAMAGED_SHOWN])}")
    home.releases.remove(before)
    return None


def _through_the_gate(home: Home, family: Family, candidate: Candidate, code: Code, judging: Judging) -> GateReport:
    """Return what the gate says of the files, read back from a folder. Raises ReleaseError with what does not hold."""
    manifest = candidate.manifest
    by_judges = KeptOrders.of(home.store, JUDGES, code.hash_of)
    verdicts = KeptVerdicts(home.store, judging_code(family, code), by_judges)
    with judging.judges(home, candidate, code) as judges, home.store.scratch() as folder:
        candidate.lay_out(home, folder)
        opened = OpenedRelease(folder, manifest, "candidate")
        report = gate(opened, home.snapshots, judging.processes, verdicts, judges)
    if report.problems or report.unverified:
        problems = [
            *report.problems,
            *(f"could not verify {e['values']} values: {e['what']}: {e['why']}" for e in report.unverified),
        ]
        problem_lines = "\n".join(f"  - {problem}" for problem in problems[:PROBLEMS_SHOWN])
        more = f"\n  - and {len(problems) - PROBLEMS_SHOWN} more" if len(problems) > PROBLEMS_SHOWN else ""
        raise ReleaseError(
            f"{manifest.family}: {len(problems)} promises do not hold; nothing is released:\n{problem_lines}{more}\n"
            "This is a fault of the family's code or of the kept tables: mend it, or build in a new home (--home)."
        )
    return report


def _require_asked(home: Home, family: Family, section: Any) -> None:
    """Raise ReleaseError if a published set that is opened in the home does not ask what the recipe says it asks."""
    section_keys = section.model_dump(mode="json")
    asked_of = section_keys.get(ASKED_OF)
    published_set = opened_set(home, asked_of["sha256"]) if asked_of is not None else None
    if published_set is None:
        return
    if problems := asked_otherwise(section_keys, published_set):
        raise ReleaseError(
            f"{family.name}: nothing is released, since its recipe asks otherwise than the published set:\n"
            + "\n".join(f"  - {problem}" for problem in problems)
            + "\nWrite it anew with `tripwright mend`; tasks may be taken out of `asked`, and are then counted."
        )


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
    extra: Mapping[str, bytes],
    built_steps: list[BuiltStep],
    tell: Callable[[str], None],
) -> tuple[Difference | None, bytes]:
    """Return how what is about to be published differs from the last release, and the page that says so."""
    new = Side(
        manifest,
        UNPUBLISHED,
        lambda name: home.tables.read(files[f"{name}.parquet"][1]),
        {name: version.sha256 for name, (_, version) in files.items()}
        | {name: hashlib.sha256(data).hexdigest() for name, data in extra.items()},
        code_of(built_steps),
    )
    return changes_since(home, home.releases.latest(manifest.recipe, manifest.family), new, tell)
