"""The commands. Each reads its words, calls one function, and prints the answer; logic lives elsewhere."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from assets.family import families
from assets.release.reading import OpenedRelease, ReleaseError, open_release
from pipelines import console
from pipelines.build import Built, build, built_tables
from pipelines.dagster_report import report_to_dagster
from pipelines.fingerprint import ROOT
from pipelines.recipes import RecipeError
from pipelines.release import ReleaseError as UnreleasableError
from schemas.source import SourceError
from schemas.table import TableError
from warehouse.home import Home
from warehouse.store import StoreError

EXPECTED_ERRORS = (
    RecipeError, SourceError, StoreError, TableError, ReleaseError, UnreleasableError, OSError, ValueError, KeyError,
)  # fmt: skip

app = typer.Typer(
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Builds travel-planning benchmarks for any city: certified, traceable, reproducible.\n\n"
    "Start with `tripwright demo`, then `tripwright build recipes/demo.toml`.",
)

HomeOption = Annotated[
    str | None,
    typer.Option("--home", help="Where everything is kept; default $TRIPWRIGHT_HOME, else .tripwright here."),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object on stdout and nothing else there.")]
ReleaseArgument = Annotated[
    str, typer.Argument(metavar="RELEASE", help="A release's folder or the start of its version.")
]


class _Stop(typer.Exit):
    """Ends a command with an exit code: 1 for data, 2 for usage."""


def _fail(error: Exception, as_json: bool) -> _Stop:
    text = str(error.args[0]) if isinstance(error, KeyError) and error.args else str(error)
    if as_json:
        console.print_json({"error": text})
    console.ERR.print(console.Text(f"error: {text}", style="red"), soft_wrap=True)
    return _Stop(1)


def _release(home: Home, text: str) -> OpenedRelease:
    """Return the release that a path or the start of a version names. Raises ReleaseError if none or several fit."""
    if Path(text).is_dir():
        return open_release(Path(text))
    found = home.releases.find(text) if text and "/" not in text else []
    if len(found) == 1:
        return open_release(home.releases.folder(found[0]))
    if found:
        several = ", ".join(f"{ref.recipe}/{ref.family}/{ref.version}" for ref in found)
        raise ReleaseError(f"{text!r} fits several releases: {several}. Give more of the version.")
    raise ReleaseError(f"no release {text!r} in {home.url}; give a release's folder, or a version that `build` printed")


NoInstallOption = Annotated[bool, typer.Option("--no-install", help="Fail rather than fetch OSRM when it is missing.")]


@app.command()
def demo(no_install: NoInstallOption = False, home: HomeOption = None, as_json: JsonOption = False) -> None:
    """Build the demonstration: three invented cities, no key; OSRM is fetched once from the package index.

    Prints the releases and one task with its witness plan. Runs `recipes/demo.toml`; a second run rebuilds nothing.
    """
    opened = Home(home)
    built = _built(opened, ROOT / "recipes" / "demo.toml", as_json, no_install=no_install)
    if not as_json:
        for released in built.releases:
            console.show_sample(open_release(opened.releases.folder(released.ref)))
    raise _Stop(1 if built.blocked else 0)


@app.command("build")
def build_command(
    recipe: Annotated[Path, typer.Argument(help="A recipe, such as recipes/demo.toml.")],
    city: Annotated[
        list[str] | None, typer.Option("--city", help="Build only this city (repeatable); releases nothing.")
    ] = None,
    family: Annotated[list[str] | None, typer.Option("--family", help="Build only this family (repeatable).")] = None,
    locked: Annotated[
        bool, typer.Option("--locked", help="Refuse if an input differs from the recipe's lock.")
    ] = False,
    allow_missing: Annotated[
        bool, typer.Option("--allow-missing", help="Release without the blocked cities, and say so.")
    ] = False,
    plan: Annotated[bool, typer.Option("--plan", help="Only say what would be built.")] = False,
    no_install: NoInstallOption = False,
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Build what is stale of a recipe and release its families.

    Example: `tripwright build recipes/philadelphia.toml`. Exit code 1 if a city is blocked; what is built is kept.
    """
    opened = Home(home)
    if plan:
        _show_plan(opened, recipe, as_json)
        return
    built = _built(
        opened,
        recipe,
        as_json,
        city_ids=city,
        family_names=family,
        locked=locked,
        allow_missing=allow_missing,
        no_install=no_install,
    )
    raise _Stop(1 if built.blocked and not allow_missing else 0)


def _built(home: Home, recipe: Path, as_json: bool, **options: Any) -> Built:
    with console.Progress() as progress:
        try:
            built = build(home, recipe, report=progress, waiting=progress.waiting, say=progress.say, **options)
            reported = report_to_dagster(built.recipe, built.city_ids, built.ran)
        except EXPECTED_ERRORS as error:
            raise _fail(error, as_json) from None
    if reported:
        console.ERR.print(f"told the Dagster instance of $DAGSTER_HOME: {reported} events")
    if as_json:
        console.print_json(built.as_json(home))
    else:
        console.show_built(home, built)
    return built


def _show_plan(home: Home, recipe: Path, as_json: bool) -> None:
    from pipelines.build import plan_build

    try:
        stale = plan_build(home, recipe)
    except EXPECTED_ERRORS as error:
        raise _fail(error, as_json) from None
    if as_json:
        console.print_json({"stale": [{"step": step, "scope": scope} for step, scope in stale]})
    elif stale:
        console.OUT.print(console.grid("Would be built, with all that depends on it", ("step", "city"), stale))
    else:
        console.OUT.print("nothing to build")


@app.command()
def audit(
    task: Annotated[str | None, typer.Argument(metavar="[TASK_ID]", help="A task's id.")] = None,
    release: Annotated[str | None, typer.Option("--release", help="A release's folder or version.")] = None,
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Follow a task, or every task of a release, to the source bytes; exit 1 if anything does not resolve.

    Examples: `tripwright audit itinbench.us-pa-philadelphia.00003` · `tripwright audit --release 4c1f0a`.
    """
    from assets.release.audit import audit_release, task_tree

    if task is None and release is None:
        raise typer.BadParameter("give a TASK_ID, or --release with a release's folder or version")
    opened_home = Home(home)
    try:
        opened = _release(opened_home, release) if release else _release_of(opened_home, str(task))
        if task is not None:
            tree = task_tree(opened, opened_home.snapshots, task)
            console.print_json(tree) if as_json else console.show_tree(tree)
            raise _Stop(1 if _has_problem(tree) else 0)
        report = audit_release(opened, opened_home.snapshots)
    except EXPECTED_ERRORS as error:
        raise _fail(error, as_json) from None
    if as_json:
        console.print_json({"release": opened.version, **report.as_json()})
    else:
        for problem in report.problems:
            console.OUT.print(console.Text(f"✗ {problem}", style="red"), soft_wrap=True)
        console.OUT.print(console.Text(console.audit_line(opened, report)), soft_wrap=True)
    raise _Stop(0 if report.holds else 1)


def _release_of(home: Home, task_id: str) -> OpenedRelease:
    """Return the newest release that holds a task. Raises ReleaseError if none does."""
    for recipe_family in home.releases.all_latest():
        opened = open_release(home.releases.folder(recipe_family))
        if task_id in set(opened.table("tasks")["task_id"]):
            return opened
    raise ReleaseError(
        f"no release in {home.url} holds the task {task_id!r}; build its recipe, or name it with --release"
    )


def _has_problem(tree: dict[str, Any]) -> bool:
    return any("problem" in source for row in tree["rows"].values() for source in row["source_rows"])


@app.command()
def tables(
    recipe: Annotated[Path, typer.Argument(help="A recipe that was built.")],
    folder: Annotated[Path | None, typer.Argument(help="Copies the tables here as Parquet, a folder each.")] = None,
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """List the tables that a recipe's builds made, with their rows and files; or copy them out.

    Examples: `tripwright tables recipes/porto.toml` · `tripwright tables recipes/porto.toml porto/`.
    """
    opened = Home(home)
    try:
        found = [(t, city, v) for t, city, v in built_tables(opened, recipe) if v.rows]
        if folder is not None:
            for table, city_id, version in found:
                path = folder / table / f"{city_id or 'all'}.parquet"
                path.parent.mkdir(parents=True, exist_ok=True)
                opened.tables.copy_to(version, path)
    except EXPECTED_ERRORS as error:
        raise _fail(error, as_json) from None
    rows = [(table, city_id, version.rows, str(opened.store.folder(version.key))) for table, city_id, version in found]
    if as_json:
        columns = ("table", "city_id", "rows", "path")
        console.print_json({"tables": [dict(zip(columns, row, strict=True)) for row in rows]})
    else:
        console.OUT.print(console.grid("Tables", ("table", "city", "rows", "file"), rows))


@app.command()
def export(
    release: ReleaseArgument,
    folder: Annotated[Path, typer.Argument(help="Where to write; must be empty or absent.")],
    format_: Annotated[str, typer.Option("--format", help="The family's name; must be the release's own.")],
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Write a release in its family's published on-disk shape, which the original harness reads unchanged.

    Example: `tripwright export 4c1f0a ItinBench/ --format itinbench`.
    """
    from assets.release.exporting import export_release

    try:
        written = export_release(_release(Home(home), release), format_, folder)
    except EXPECTED_ERRORS as error:
        raise _fail(error, as_json) from None
    if as_json:
        console.print_json({"folder": str(folder), "files": written})
    else:
        console.OUT.print(console.grid(f"Written to {folder}", ("file", "bytes"), sorted(written.items())))


@app.command()
def score(
    release: ReleaseArgument,
    plans: Annotated[str, typer.Argument(help="A JSON lines file of plans, or `witness` for the release's own.")],
    variant: Annotated[
        str, typer.Option(help="ours, paper (as its equations say) or released (as its code does).")
    ] = "ours",
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Score a planner's output with the family's published metrics.

    Examples: `tripwright score 4c1f0a witness` · `tripwright score 4c1f0a plans.jsonl --variant released`.
    """
    from assets.release.scoring import read_plans, score_release

    try:
        opened = _release(Home(home), release)
        scores = score_release(opened, read_plans(opened, plans), variant)
    except EXPECTED_ERRORS as error:
        raise _fail(error, as_json) from None
    if as_json:
        console.print_json(scores)
    else:
        console.show_measures(f"{opened.manifest.family} {opened.version}, variant {variant}", scores["aggregate"])


@app.command()
def inspect(
    benchmark: Annotated[str, typer.Argument(help="Which published benchmark it is, such as itinbench.")],
    folder: Annotated[Path, typer.Argument(help="The folder as published.")],
    as_json: JsonOption = False,
) -> None:
    """Audit somebody else's published benchmark: every measurable defect, by its id.

    Example: `tripwright inspect itinbench ItinBench/data`.
    """
    known = {name: run for family in families().values() for name, run in family.inspect.items()}
    try:
        if benchmark not in known:
            raise ValueError(f"no benchmark {benchmark!r} to inspect; there are {', '.join(sorted(known))}")
        findings = known[benchmark](folder)
    except EXPECTED_ERRORS as error:
        raise _fail(error, as_json) from None
    if as_json:
        console.print_json(findings)
    else:
        for defect_id, finding in findings.items():
            console.show_measures(defect_id, finding)


@app.command()
def doctor(
    install: Annotated[
        bool, typer.Option("--install-osrm", help="Fetch the pinned OSRM from the package index.")
    ] = False,
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Say what this machine has, what is missing, and the one command that mends it."""
    from pipelines.doctor import diagnose
    from sources.osrm_install import default_cache_dir, install_osrm

    if install:
        try:
            install_osrm(default_cache_dir())
        except EXPECTED_ERRORS as error:
            raise _fail(error, as_json) from None
    findings = diagnose(home)
    if as_json:
        console.print_json({"findings": [f.__dict__ for f in findings]})
    else:
        rows = [("ok" if f.ok else "missing", f.what, f.found, "" if f.ok else f.remedy) for f in findings]
        console.OUT.print(console.grid("This machine", ("", "what", "found", "what to do"), rows))
    raise _Stop(0 if all(f.ok for f in findings) else 1)


@app.command()
def sources(as_json: JsonOption = False) -> None:
    """List every source: what it is, its licence, which files it reads, how to get them."""
    from sources.registry import SOURCES

    rows = [
        (s.name, s.title, s.licence_id, ", ".join(f.role + ("" if f.required else "?") for f in s.files), s.how_to_get)
        for s in SOURCES.values()
    ]
    if as_json:
        columns = ("source", "title", "licence_id", "files", "how_to_get")
        console.print_json({"sources": [dict(zip(columns, row, strict=True)) for row in rows]})
    else:
        console.OUT.print(
            console.grid(
                "Sources (? marks a file that may be absent)",
                ("source", "title", "licence", "files", "how to get them"),
                rows,
            )
        )


@app.command()
def schema() -> None:
    """Print the JSON Schema of a recipe, for editors that complete and check TOML."""
    from pipelines.recipes import recipe_schema

    console.print_json(recipe_schema(families()))


@app.command()
def dictionary() -> None:
    """Print the data dictionary: every table and column, with type, unit and constraint, in Markdown."""
    from assets.family import all_tables

    typer.echo("# Data dictionary\n")
    for table in all_tables():
        typer.echo(table.dictionary_page())


def main() -> None:
    """Run the command line."""
    app()


if __name__ == "__main__":
    main()
