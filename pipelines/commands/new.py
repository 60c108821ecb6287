"""`tripwright new`: from a city's name to its releases."""

from __future__ import annotations

from typing import Any

import typer

from pipelines import console
from pipelines.commands.init import (
    BoxOption,
    CitiesArgument,
    CountryOption,
    ForceOption,
    MapOption,
    OutOption,
    RegionOption,
    TasksOption,
    WithOption,
    show_survey,
    written_recipe,
)
from pipelines.commands.shared import HomeOption, JsonOption, NoInstallOption, Stop, errors_told
from pipelines.walk.build import Built
from warehouse.home import Home

MODELLED = {
    "grouptravel": "prices of meals and nights that no source tells; ways between cities",
    "tripcraft": "nights, meals and ways between cities that no source prices",
    "itinbench": "nothing",
}
INVENTED = {
    "grouptravel": "fares between cities, the people of the groups, the usual weather",
    "tripcraft": "nothing",
    "itinbench": "nothing",
}
"""Of what each family is made in a recipe that `new` writes, beside what the bound files say."""

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
    no_install: NoInstallOption = False,
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Make a benchmark of cities: find them, bind the files, write a recipe, build it, and say what it is made of.

    Examples: `tripwright new Vaduz --map liechtenstein-latest.osm.pbf` ·
    `tripwright new Porto --map porto.osm.pbf --with stcp.zip --with listings.csv`.

    Exit code 1 if no family could be built of what the files hold; the tables are built all the same.
    """
    from pipelines.orchestrator.report import report_to_dagster
    from pipelines.walk.build import build
    from pipelines.walk.progress import Progress

    if map_file is None and box is None:
        raise typer.BadParameter(
            "say where the city is: give --map FILE with an OpenStreetMap extract, or --box SOUTH,WEST,NORTH,EAST. "
            "`tripwright extract` downloads one"
        )
    opened = Home(home)
    with errors_told(as_json):
        recipe, told = written_recipe(
            city, map_file, given or [], box=box, country=country, region=region, tasks=tasks, out=out, force=force
        )
    if not as_json:
        show_survey(told)
        console.OUT.print(console.Text(f"wrote {recipe}"), soft_wrap=True)
    with Progress() as progress, errors_told(as_json):
        built = build(
            opened, recipe, report=progress, waiting=progress.waiting, say=progress.say, no_install=no_install
        )
        report_to_dagster(opened, built)
    made = made_of(told, built)
    if as_json:
        console.print_json({"recipe": str(recipe), **told, **built.as_json(opened), "made_of": made})
    else:
        console.show_built(opened, built)
        show_made_of(made)
    raise Stop(1 if built.blocked or not built.releases else 0)


def show_made_of(made: list[dict[str, Any]]) -> None:
    """Print what each family is made of."""
    console.OUT.print(console.Text("What the benchmark is made of", style="italic"))
    for row in made:
        head = f"{row['family']}: {row['tasks']} tasks, {row['certified']} certified"
        console.OUT.print(console.Text(head, style="bold"), soft_wrap=True)
        for name in ("real", "modelled", "invented", "would_add"):
            if row[name]:
                console.OUT.print(console.Text(f"  {LABELS[name]}: {row[name]}"), soft_wrap=True)


def made_of(told: dict[str, Any], built: Built) -> list[dict[str, Any]]:
    """Return for each family: tasks, certified, and in words what is real, modelled, invented and missing."""
    released = {r.ref.family: r for r in built.releases}
    real = ", ".join(told["sources"])
    rows = []
    for choice in told["families"]:
        family = choice["family"]
        release = released.get(family)
        rows.append(
            {
                "family": family,
                "tasks": release.tasks if release else 0,
                "certified": release.certified if release else 0,
                "real": real if release else "",
                "modelled": MODELLED.get(family, "") if release else "",
                "invented": INVENTED.get(family, "") if release else "",
                "would_add": "; ".join(choice["lacks"] or choice["adds"]),
            }
        )
    return rows
