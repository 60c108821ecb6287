"""`tripwright demo` and `tripwright build`: from a recipe to releases."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from assets.families import families
from assets.release.reading import open_release
from pipelines import console
from pipelines.commands.completions import recipe_files
from pipelines.commands.errors import Stop, errors_told
from pipelines.commands.shared import HomeOption, JsonOption, NoInstallOption, SchedulerOption
from pipelines.gallery_page import KEY, GrowingGallery
from pipelines.orchestrator.report import report_to_dagster
from pipelines.walk.build import BuildResult, build
from pipelines.walk.fingerprint import ROOT
from pipelines.walk.progress import Progress
from pipelines.walk.recipes import load_recipe
from schemas.counts import counted
from warehouse.home import Home
from warehouse.releases import PAGE_FILE

FIRST_LOOK = ROOT / "recipes" / "first-look.toml"
MOST_NAMED = 6
"""Of so many cities each is named in a plan; of more, how many they are."""


def demo(no_install: NoInstallOption = False, home: HomeOption = None, as_json: JsonOption = False) -> None:
    """Build the demonstration: three invented cities, no key; OSRM is fetched once from the package index.

    Example: `tripwright demo`. Shows one small city with a task and its witness plan first, from
    `recipes/first-look.toml`; then builds `recipes/demo.toml`, on a page that grows meanwhile, and prints the releases
    and a task of theirs. A second run rebuilds nothing.
    """
    opened = Home(home)
    recipe = ROOT / "recipes" / "demo.toml"
    is_first = not as_json and not _is_released(opened, recipe)
    if is_first:
        _first_look(opened, home)
    is_watched = is_first and opened.store.folder(KEY) is not None
    built = _build_and_print(opened, recipe, as_json, is_watched=is_watched, no_install=no_install)
    if not as_json and built.releases:
        _show_first(opened, built, "See all of it", home)
    raise Stop(1 if built.blocked else 0)


def _is_released(home: Home, recipe: Path) -> bool:
    """Return whether the home holds a release of a recipe."""
    loaded = load_recipe(recipe, families())
    return any(home.releases.latest(loaded.recipe.name, name) for name in loaded.families)


def _first_look(home: Home, home_name: str | None) -> None:
    """Build the smallest recipe, in this process, which is quickest, and show its task and where its page is."""
    with Progress(_log_of(home, FIRST_LOOK)) as progress, errors_told(False):
        built = build(home, FIRST_LOOK, listener=progress.listener, workers=1)
    if built.releases:
        _show_first(home, built, "See it", home_name)
    console.OUT.print("\nNow the whole demonstration: three cities, three kinds of benchmark; some minutes.")


def _show_first(home: Home, built: BuildResult, what: str, home_name: str | None) -> None:
    """Show a task of the first release, what follows it, and its page; `home_name` is the home that --home named."""
    folder = home.releases.folder(built.releases[0].ref)
    console.show_sample(open_release(folder), home_name)
    page = folder / PAGE_FILE
    console.OUT.print(console.Text(f"{what}: open {page} in a browser"), soft_wrap=True)


def build_command(
    recipe: Annotated[Path, typer.Argument(autocompletion=recipe_files, help="A recipe, such as recipes/demo.toml.")],
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
    public: Annotated[
        bool, typer.Option("--public", help="Refuse to release what a source's licence forbids to share.")
    ] = False,
    withhold: Annotated[
        bool,
        typer.Option("--withhold", help="With --public: also make an edition that has such values as hashes only."),
    ] = False,
    plan: Annotated[
        bool, typer.Option("--plan", help="Only say what would be built first; nothing is built or written.")
    ] = False,
    estimate: Annotated[
        bool,
        typer.Option(
            "--estimate", help="Build what asks no model; say which model calls are left, and what is feasible."
        ),
    ] = False,
    workers: Annotated[
        int | None,
        typer.Option("--workers", min=1, help="Cells that run at once; default $TRIPWRIGHT_WORKERS, else every core."),
    ] = None,
    scheduler: SchedulerOption = None,
    no_install: NoInstallOption = False,
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Build what is stale of a recipe and release its families.

    Examples: `tripwright build recipes/philadelphia.toml` · `tripwright build recipes/demo.toml --public`.

    Exit code 1 if a city is blocked, or if --public is refused; what is built is kept.
    """
    if workers and scheduler:
        raise typer.BadParameter("--workers says how many cores of this machine; a scheduler knows its own workers")
    if withhold and not public:
        raise typer.BadParameter("--withhold says how to make a release public; give it together with --public")
    opened = Home(home)
    if plan or estimate:
        _show_plan(opened, recipe, as_json, estimate, city, family)
        return
    built = _build_and_print(
        opened,
        recipe,
        as_json,
        city_ids=city,
        family_names=family,
        locked=locked,
        allow_missing=allow_missing,
        sharing="withhold" if withhold else "public" if public else "private",
        no_install=no_install,
        workers=workers,
        scheduler=scheduler,
    )
    raise Stop(1 if built.blocked and not allow_missing else 0)


def _build_and_print(
    home: Home, recipe: Path, as_json: bool, *, is_watched: bool = False, **options: Any
) -> BuildResult:
    """Build a recipe and print what came of it; `is_watched`: the home's gallery shows meanwhile how far it is."""
    with Progress(_log_of(home, recipe)) as progress, errors_told(as_json), contextlib.ExitStack() as ends:
        listener = progress.listener
        if is_watched:
            page = ends.enter_context(GrowingGallery(home, progress))
            listener = replace(listener, report=page, released=page.released)
            console.OUT.print(console.Text(f"Watch it grow: open {page.path} in a browser"), soft_wrap=True)
        built = build(home, recipe, listener=listener, **options)
        reported = report_to_dagster(home, built, progress.say)
    if reported:
        console.ERR.print(f"told Dagster of {counted(reported, 'step')}")
    if as_json:
        console.print_json(built.as_json(home))
    else:
        console.show_built(home, built)
    return built


def _log_of(home: Home, recipe: Path) -> Path | None:
    """Return where the lines of a build are kept: the last of each recipe, in the home; nowhere in a bucket."""
    folder = home.store.folder("logs")
    return folder / f"build-{recipe.stem}.log" if folder is not None else None


def _show_plan(
    home: Home, recipe: Path, as_json: bool, estimate: bool, cities: list[str] | None, families: list[str] | None
) -> None:
    from pipelines.walk.plan import estimate_build, plan_build

    with Progress() as progress, errors_told(as_json):
        if estimate:
            planned = estimate_build(home, recipe, progress.listener, cities, families)
        else:
            planned = plan_build(home, recipe, cities, families)
    if as_json:
        console.print_json(planned.as_json())
    elif planned.stale or planned.feasible:
        console.OUT.print("Would be built, with all that depends on it:")
        console.OUT.print(console.grid("", ("step", "cities"), _by_step(planned.stale)))
        if estimate:
            console.show_feasible(planned.feasible)
            console.show_calls(planned.as_json()["calls"])
        for row in planned.coverage:
            if not row["is_met"]:
                line = f"{row['city_id']}: {row['family']} needs {row['requirement']}: {row['reason']}"
                console.OUT.print(console.Text(line), soft_wrap=True)
    else:
        console.OUT.print("nothing to build")


def _by_step(stale: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return each step and its cities, by name where they are few; a step of the recipe has none."""
    cities: dict[str, list[str]] = {}
    for step, city_id in stale:
        cities.setdefault(step, []).extend([city_id] if city_id else [])
    return [
        (step, ", ".join(city_ids) if len(city_ids) <= MOST_NAMED else f"{len(city_ids)} cities")
        for step, city_ids in cities.items()
    ]
