"""`tripwright audit`: from a task, or every task of a release, to the source bytes."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from assets.release.reading import OpenedRelease, ReleaseError, open_release
from pipelines import console
from pipelines.audit_page import show_task
from pipelines.commands.completions import release_versions, task_ids
from pipelines.commands.errors import Stop, errors_told
from pipelines.commands.shared import HomeOption, JsonOption, NoInstallOption, SchedulerOption, find_release
from pipelines.walk.recipes import RecipeError
from schemas.counts import counted
from warehouse.disk import put_whole
from warehouse.home import Home

if TYPE_CHECKING:
    from assets.release.audit import AuditReport


def audit(
    task: Annotated[str | None, typer.Argument(metavar="TASK_ID", help="A task's id.", autocompletion=task_ids)] = None,
    release: Annotated[
        str | None, typer.Option("--release", help="A release's folder or version.", autocompletion=release_versions)
    ] = None,
    prov: Annotated[
        Path | None, typer.Option("--prov", help="Also write the provenance to this file, as W3C PROV-JSON.")
    ] = None,
    recipe: Annotated[
        Path | None,
        typer.Option("--recipe", help="With --release: also hold what it says against this recipe and its lock."),
    ] = None,
    rebuild: Annotated[
        bool,
        typer.Option(
            "--rebuild",
            help="With --recipe: also build the release again from the raw files, and compare. Of an opened folder: "
            "open its files again.",
        ),
    ] = False,
    scheduler: SchedulerOption = None,
    no_install: NoInstallOption = False,
    details: Annotated[
        bool, typer.Option("--details", help="Of a task, also every value, row and source record, as a tree.")
    ] = False,
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Follow a task, or every task of a release, to the source bytes.

    Examples: `tripwright audit itinbench.us-pa-philadelphia.00003` · `tripwright audit --release 4c1f0a` ·
    `tripwright audit --release copied/4c1f0a --home copied/home`.

    It needs the release's folder and the raw files (`raw/` of the home) alone. Exit code 0 only if every value was
    verified; 1 if anything does not resolve or could not be verified, such as where a raw file may not be shared.
    A release's title, the names of its cities and the terms of its files are its recipe's word: `--recipe` compares.
    What was computed before there was a release (ratings, prices, what was rejected) is computed again by `--rebuild`,
    which takes as long as the build did.
    """
    from assets.core.published_set import ASKED_OF
    from assets.release.audit import audit_release
    from assets.release.audit_asked import asked_otherwise, believed_set
    from assets.release.audit_recipe import of_recipe, recipe_otherwise
    from pipelines.releases.judging import Judging, Published
    from pipelines.releases.reopened import opened_set
    from pipelines.walk.fingerprint import Code

    if task is None and release is None:
        raise typer.BadParameter("give a TASK_ID, or --release with a release's folder or version")
    if task is not None and (recipe is not None or rebuild):
        option = "--recipe" if recipe is not None else "--rebuild"
        raise typer.BadParameter(f"{option} belongs to the audit of a whole release; give --release without a TASK_ID")
    if details and task is None:
        raise typer.BadParameter("--details belongs to the audit of a task; give a TASK_ID")
    if scheduler is not None and (task is not None or (rebuild and recipe is None)):
        raise typer.BadParameter("--scheduler belongs to the audit of a whole release of ours: --release, or --recipe")
    opened_home = Home(home)
    with errors_told(as_json):
        opened = find_release(opened_home, release) if release else _release_of(opened_home, str(task))
        if prov is not None:
            from assets.release.prov import prov_json

            put_whole(prov, prov_json(opened, [task] if task else None), f"the provenance {prov.name}")
        if task is not None:
            again = [
                part for name, value in (("--release", release), ("--home", home)) if value for part in (name, value)
            ]
            raise Stop(_task_audited(opened, opened_home, task, again, details=details, as_json=as_json))
        if rebuild and recipe is None:
            raise Stop(_reopened(opened, as_json=as_json))
        with Judging(scheduler=scheduler).judges(opened_home, Published.of(opened_home, opened), Code()) as judges:
            report = audit_release(opened, opened_home.snapshots, judges=judges)
        if (asked_of := opened.manifest.section.get(ASKED_OF)) is not None:
            try:
                published_set = opened_set(opened_home, asked_of["sha256"])
            except ReleaseError as error:
                published_set = None
                report.problems.append(f"section: `asked_of`: {error}")
            if published_set is not None:
                report.problems += asked_otherwise(opened.manifest.section, published_set)
            else:
                report.terms_by_recipe.append(believed_set(opened.manifest))
        if recipe is not None:
            report.problems += recipe_otherwise(opened.manifest, *_recipe_and_lock(recipe))
        if recipe is not None and rebuild:
            report.problems += _rebuilt(opened, opened_home, recipe, no_install=no_install, scheduler=scheduler)
    believed = None if recipe is not None else of_recipe(opened.manifest)
    if as_json:
        console.print_json({"release": opened.version, **report.as_json(), "believed_of_recipe": believed})
    else:
        _show_report(opened, report, believed, rebuilt=rebuild)
    raise Stop(0 if report.holds else 1)


def _task_audited(
    opened: OpenedRelease, home: Home, task_id: str, again: list[str], *, details: bool, as_json: bool
) -> int:
    """Show where a task's values come from; return the exit code. `again` are the options that ask for it once more."""
    from assets.release.tree import task_tree

    _require_task(opened, task_id)
    tree = task_tree(opened, home.snapshots, task_id)
    if as_json:
        console.print_json(tree)
    else:
        if details:
            console.show_tree(tree)
        show_task(tree, None if details else shlex.join(["tripwright", "audit", task_id, *again, "--details"]))
    return 1 if _has_problem(tree) else 0


def _show_report(opened: OpenedRelease, report: AuditReport, believed: str | None, *, rebuilt: bool) -> None:
    """Print what of a release does not hold, what is believed, and the line that sums it up.

    `believed` is what its recipe would bear out; None where that was compared.
    """
    for problem in report.problems:
        console.OUT.print(console.Text(f"✗ {problem}", style="red"), soft_wrap=True)
    for entry in report.unverified:
        line = f"? could not verify {counted(entry['values'], 'value')}: {entry['what']}: {entry['why']}"
        console.OUT.print(console.Text(line, style="yellow"), soft_wrap=True)
    if report.gate.computed and not rebuilt:
        line = "; ".join(f"{table}: {', '.join(columns)}" for table, columns in report.gate.computed.items())
        line = f"? believed of the build; `--recipe RECIPE --rebuild` computes it again: {line}"
        console.OUT.print(console.Text(line, style="yellow"), soft_wrap=True)
    if believed is not None:
        line = f"? believed of the recipe; `--recipe RECIPE` compares: {believed}"
        console.OUT.print(console.Text(line, style="yellow"), soft_wrap=True)
    for terms in report.terms_by_recipe:
        console.OUT.print(console.Text(f"? believed of the recipe: {terms}", style="yellow"), soft_wrap=True)
    console.OUT.print(console.Text(console.audit_line(opened, report)), soft_wrap=True)
    if rebuilt and report.holds:
        line = "Built again from its raw files in an empty home, it is equal in every byte."
        console.OUT.print(line, soft_wrap=True)


def _rebuilt(opened: OpenedRelease, home: Home, recipe: Path, **how: Any) -> list[str]:
    """Return what of a release comes out otherwise when it is built again, with the build's progress shown."""
    from pipelines.releases.rebuild import rebuilt_otherwise
    from pipelines.walk.progress import Progress

    with Progress() as progress:
        return rebuilt_otherwise(opened, home, recipe, listener=progress.listener, **how)


def _reopened(opened: OpenedRelease, *, as_json: bool) -> int:
    """Say what of an opened folder's release its files do not give again; return the exit code."""
    from pipelines.releases.reopened import reopened_otherwise

    problems = reopened_otherwise(opened)
    if as_json:
        console.print_json({"release": opened.version, "holds": not problems, "problems": problems})
        return int(bool(problems))
    for problem in problems:
        console.OUT.print(console.Text(f"✗ {problem}", style="red"), soft_wrap=True)
    if not problems:
        console.OUT.print(f"{opened.version}: what the folder's own files give; nothing of it was certified")
    return int(bool(problems))


def _recipe_and_lock(path: Path) -> tuple[bytes, bytes]:
    """Return the bytes of a recipe and of its lock. Raises RecipeError naming the one that is not there."""
    lock = path.with_suffix(".lock.json")
    lacking = [str(one) for one in (path, lock) if not one.is_file()]
    if lacking:
        raise RecipeError(f"found no {' and no '.join(lacking)}; expected a recipe that was built, its lock beside it")
    return path.read_bytes(), lock.read_bytes()


def _release_of(home: Home, task_id: str) -> OpenedRelease:
    """Return the newest release that holds a task. Raises ReleaseError if none does."""
    for recipe_family in home.releases.all_latest():
        opened = open_release(home.releases.folder(recipe_family))
        if task_id in set(opened.table("tasks")["task_id"]):
            return opened
    try:
        find_release(home, task_id)
    except ReleaseError:
        raise ReleaseError(
            f"no release in {home.url} holds the task {task_id!r}; build its recipe, or name it with --release"
        ) from None
    raise ReleaseError(f"{task_id!r} is a release and no task; audit it with --release {shlex.quote(task_id)}")


def _require_task(opened: OpenedRelease, task_id: str) -> None:
    """Raise ReleaseError where the release has no such task, or where its values are withheld."""
    task_ids = opened.table("tasks")["task_id"]
    if task_id not in set(task_ids):
        close = ", ".join(task_ids.head(3))
        raise ReleaseError(f"no task {task_id!r} in release {opened.version}; its tasks are named like {close}")
    if opened.manifest.withheld is not None:
        raise ReleaseError(
            f"{task_id}: its values are withheld in this public edition; `tripwright complete` puts them back for "
            "whoever has the source files"
        )


def _has_problem(tree: dict[str, Any]) -> bool:
    sources = (source for row in tree["rows"].values() for source in row["source_rows"])
    return bool(tree["problems"]) or any("problem" in source for source in sources)
