"""`tripwright new`: from a city's name to its releases."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assets.families import families
from assets.named import named_value
from pipelines import console
from pipelines.commands.errors import Stop, errors_told
from pipelines.commands.init import (
    BoxOption,
    CitiesArgument,
    CountryOption,
    ForceOption,
    GeocoderOption,
    MapOption,
    OutOption,
    RegionOption,
    ServerOption,
    TasksOption,
    WithOption,
    show_survey,
    show_wider,
    surveyed_recipe,
    told_of,
)
from pipelines.commands.shared import HomeOption, JsonOption, NoInstallOption
from pipelines.walk.build import BuildResult
from schemas.counts import counted
from warehouse.home import Home

if TYPE_CHECKING:
    from assets.first_recipe import FirstRecipe, Survey
    from assets.release.reading import OpenedRelease
    from pipelines.walk.progress import Progress

INVENTED = "LicenseRef-invented"
LABELS = {"real": "real", "modelled": "modelled", "invented": "invented", "would_add": "would add"}


def new(
    city: CitiesArgument,
    map_file: MapOption = None,
    given: WithOption = None,
    box: BoxOption = None,
    country: CountryOption = None,
    region: RegionOption = None,
    tasks: TasksOption = 5,
    out: OutOption = None,
    force: ForceOption = False,
    server: ServerOption = None,
    geocoder: GeocoderOption = None,
    no_install: NoInstallOption = False,
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Make a benchmark of cities: find them, bind the files, write a recipe, build it, and say what it is made of.

    Examples: `tripwright new Vaduz` · `tripwright new Vaduz --map liechtenstein-latest.osm.pbf` ·
    `tripwright new Porto --map porto.osm.pbf --with stcp.zip --with listings.csv`.

    Without a map or a box, OpenStreetMap's public servers are asked where the city is and for a map of it, which is
    written beside the recipe.

    Exit code 1 if no family could be built of what the files hold; the tables are built all the same. Of several cities
    one that cannot be built is left out, by name and with its reason; then the exit code is 1 too.
    """
    from pipelines.orchestrator.report import report_to_dagster
    from pipelines.walk.progress import Progress

    opened = Home(home)
    with errors_told(as_json):
        survey, recipe = surveyed_recipe(
            city,
            map_file,
            given or [],
            box=box,
            country=country,
            region=region,
            tasks=tasks,
            out=out,
            force=force,
            servers=(server, geocoder),
        )
    if not as_json:
        show_survey(told_of(survey))
        console.OUT.print(console.Text(f"wrote {recipe}"), soft_wrap=True)
    with Progress() as progress, errors_told(as_json):
        built, survey = _build_feasible(survey, recipe, opened, progress, no_install=no_install)
        report_to_dagster(opened, built)
    summary = told_of(survey)
    family_rows = made_of(summary, built, opened, list(_blocked_cities(survey, built).values()))
    if as_json:
        console.print_json({"recipe": str(recipe), **summary, **built.as_json(opened), "made_of": family_rows})
    else:
        console.show_built(opened, built)
        show_made_of(family_rows)
        show_wider(summary)
        for name, why in survey.left_out.items():
            console.OUT.print(console.Text(f"left out: {name}, since {why}"), soft_wrap=True)
    raise Stop(1 if built.blocked or survey.left_out or not built.releases else 0)


def _build_feasible(
    survey: Survey, recipe: Path, home: Home, progress: Progress, *, no_install: bool
) -> tuple[BuildResult, Survey]:
    """Build the recipe, and leave out of it what turns out not to carry it: a level, a whole family, or a city of many.

    Only a build shows how many tasks can be certified. What is left out is told, and the recipe written anew.
    """
    from pipelines.init import write_recipe
    from pipelines.releases.gathering import NoTaskError, ReleaseError, SeveralRefusedError, TooFewTasksError
    from pipelines.survey import without, without_cities
    from pipelines.walk.build import build

    while True:
        try:
            built = build(home, recipe, listener=progress.listener, no_install=no_install)
        except ReleaseError as error:
            refused = error.errors if isinstance(error, SeveralRefusedError) else [error]
            less = [(str(one).partition(":")[0], str(one), isinstance(one, NoTaskError)) for one in refused]
            names = {choice.family for choice in survey.choices if choice.tasks}
            if not all(isinstance(one, TooFewTasksError) for one in refused) or any(f not in names for f, _, _ in less):
                raise
        else:
            less = [blocked for blocked in [_family_blocked(survey, built)] if blocked[0]]
            if cities := {} if less else _cities_blocked(survey, built):
                for city_id, reason in cities.items():
                    progress.say(f"left out: {city_id}, since {reason}")
                survey = without_cities(survey, cities)
                write_recipe(survey, out=recipe, force=True, all_families=families())
                continue
            if not less:
                return built, survey
        for family, reason, is_whole in less:
            why = reason.removeprefix(f"{family}: ")
            progress.say(f"left out: {'all' if is_whole else 'the hardest level'} of {family}, since {why}")
            survey = without(survey, family, why, is_whole=is_whole)
        write_recipe(survey, out=recipe, force=True, all_families=families())


def show_made_of(rows: list[dict[str, Any]]) -> None:
    """Print what each family is made of."""
    console.OUT.print(console.Text("What the benchmark is made of", style="italic"))
    for row in rows:
        head = f"{row['family']}: {counted(row['tasks'], 'task')}, {row['certified']} certified"
        console.OUT.print(console.Text(head, style="bold"), soft_wrap=True)
        for one in row["fewer"]:
            left_out = f"  left out: {one['level']} tasks, since {one['reason']}"
            console.OUT.print(console.Text(left_out), soft_wrap=True)
        for name in ("real", "modelled", "invented", "would_add"):
            label = LABELS[name] if row["tasks"] or name != "would_add" else "lacks"
            if row[name]:
                console.OUT.print(console.Text(f"  {label}: {row[name]}"), soft_wrap=True)
        if evidence := row["evidence"]:
            title = "Of how many places the files tell what it asks, and how many meet it"
            console.OUT.print(console.grid(title, list(evidence[0]), [list(one.values()) for one in evidence]))


def made_of(
    summary: dict[str, Any], built: BuildResult, home: Home, blocked: Sequence[str] = ()
) -> list[dict[str, Any]]:
    """Return for each family: tasks, certified, in words what is real, modelled, invented and missing, and evidence.

    `blocked` says why cities are; of a family without a release that, and what else it lacks, is what is missing.
    """
    from assets.release.reading import unverified_release

    released = {r.ref.family: r for r in built.releases}
    all_families = families()
    rows = []
    for choice in summary["families"]:
        family = choice["family"]
        release = released.get(family)
        opened = unverified_release(home.releases.folder(release.ref)) if release else None
        first_recipe = all_families[family].first_recipe
        first: FirstRecipe | None = named_value(first_recipe) if first_recipe and release else None
        rows.append(
            {
                "family": family,
                "tasks": release.tasks if release else 0,
                "certified": release.certified if release else 0,
                "fewer": choice["fewer"] if release else [],
                "real": ", ".join(real_sources(opened)) if opened else "",
                "modelled": first.modelled if first else "",
                "invented": "; ".join([*choice["invents"], first.invented]) if first else "",
                "would_add": "; ".join([*([] if release else blocked), *choice["lacks"]] or choice["adds"]),
                "evidence": first.evidence(opened.manifest.measures) if first and opened else [],
            }
        )
    return rows


def real_sources(release: OpenedRelease) -> list[str]:
    """Return the titles of the sources that rows of a release point to, in the order of their list; not invented ones.

    A source is named where a row comes from it, not where a step could have read it.
    """
    import pyarrow.parquet as pq

    from assets.release.origins import files_pointed_to
    from sources.registry import SOURCES

    real = {s.sha256: s.source for s in release.manifest.inputs if s.licence_id != INVENTED}
    source_names: set[str] = set()
    for name in release.tables():
        path = release.folder / f"{name}.parquet"
        if "source_rows" in pq.read_schema(path).names:
            pointers = pq.read_table(path, columns=["source_rows"])["source_rows"].combine_chunks()
            hashes = files_pointed_to(pointers).unique().to_pylist()
            source_names |= {real[sha256] for sha256 in hashes if sha256 in real}
    return [source.title for name, source in SOURCES.items() if name in source_names]


def _cities_blocked(survey: Survey, built: BuildResult) -> dict[str, str]:
    """Return by its id why each city cannot be built that files are to blame for; empty if that would leave none."""
    ids = {city.facts.city_id for city in survey.cities}
    why = {one.city_id: one.reason for one in built.blocked if one.city_id in ids and not one.is_fault}
    return why if len(why) < len(ids) else {}


def _blocked_cities(survey: Survey, built: BuildResult) -> dict[str, str]:
    """Return by its id why each of the cities is blocked by what its files hold, at a step of no family."""
    ids = {city.facts.city_id for city in survey.cities}
    family_steps = {step.name for family in families().values() for step in family.steps}
    blocked = [one for one in built.blocked if one.city_id in ids and not one.is_fault and one.step not in family_steps]
    return {one.city_id: one.reason for one in blocked}


def _family_blocked(survey: Survey, built: BuildResult) -> tuple[str, str, bool]:
    """Return a family that is asked for and of which a step of its own is blocked, why, and that all of it is.

    A fault of ours is nothing that the cities lack: it stays blocked, and ends the command with an error. Where all
    cities are blocked before, a family is only blocked for want of them.
    """
    family_by_step = {step.name: name for name, family in families().items() for step in family.steps}
    family_names = {choice.family for choice in survey.choices if choice.tasks}
    if survey.cities and len(_blocked_cities(survey, built)) == len(survey.cities):
        return "", "", False
    for blocked in built.blocked:
        family = family_by_step.get(blocked.step, "")
        if family in family_names and not blocked.is_fault:
            return family, blocked.reason, True
    return "", "", False
