"""`tripwright init`: a first recipe for cities."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from pydantic import ValidationError

from assets.families import families
from pipelines import console
from pipelines.commands.errors import errors_told
from pipelines.commands.shared import JsonOption
from schemas.problems import in_our_words
from schemas.recipe_values import Box, slug
from schemas.shown import shown

if TYPE_CHECKING:
    from assets.first_recipe import Survey


WIDER_DEG = 0.03
"""About three kilometres."""

EDGE_DEG = 1e-3
"""About a hundred metres: a map that goes no further than this beyond a city holds nothing of what is around it."""


def _box(text: str) -> Box:
    try:
        south, west, north, east = (float(edge) for edge in text.split(","))
        box = Box(south=south, west=west, north=north, east=east)
    except ValueError as error:
        problem = (
            "; ".join(in_our_words(e["msg"]) for e in error.errors())
            if isinstance(error, ValidationError)
            else repr(text)
        )
        raise typer.BadParameter(f"found {problem}; expected SOUTH,WEST,NORTH,EAST in degrees") from None
    if box.width == 0:
        raise typer.BadParameter(f"found {text!r}, a box without width; expected SOUTH,WEST,NORTH,EAST in degrees")
    return box


CitiesArgument = Annotated[
    list[str], typer.Argument(metavar="CITY", help="The city's name in any language, such as Monaco; or several.")
]
MapOption = Annotated[
    Path | None,
    typer.Option(
        "--map",
        "--osm",
        help="An OpenStreetMap extract of the city or its region; default: asked from OpenStreetMap's public servers.",
        exists=True,
        dir_okay=False,
    ),
]
ServerOption = Annotated[
    str | None, typer.Option("--server", help="Another Overpass server than the public one, to ask for a map.")
]
GeocoderOption = Annotated[
    str | None, typer.Option("--geocoder", help="Another Nominatim server than the public one, to ask where a city is.")
]
WithOption = Annotated[
    list[Path] | None,
    typer.Option("--with", help="Another file; which source it is of is told by its content (repeatable)."),
]
BoxOption = Annotated[
    Box | None,
    typer.Option("--box", parser=_box, metavar="S,W,N,E", help="The city's box; default: what the map says."),
]
CountryOption = Annotated[
    str | None, typer.Option("--country", help="ISO 3166-1 code (XK: Kosovo) or English name; default: by place.")
]
RegionOption = Annotated[str | None, typer.Option("--region", help="State or region; default: none.")]
TasksOption = Annotated[int, typer.Option("--tasks", min=1, help="Tasks of each difficulty at most.")]
OutOption = Annotated[
    Path | None,
    typer.Option(
        "--out", help="The recipe to write, which it is named after, or its folder; default recipes/CITY.toml here."
    ),
]
ForceOption = Annotated[
    bool, typer.Option("--force", help="Overwrite a recipe that is there, and a map asked for before.")
]


def init(
    city: CitiesArgument,
    map_file: MapOption = None,
    given: WithOption = None,
    gtfs: Annotated[
        list[Path] | None, typer.Option("--gtfs", help="A GTFS feed (repeatable).", exists=True, dir_okay=False)
    ] = None,
    airbnb: Annotated[
        Path | None, typer.Option("--airbnb", help="Inside Airbnb's listings.csv.", exists=True, dir_okay=False)
    ] = None,
    box: BoxOption = None,
    country: CountryOption = None,
    region: RegionOption = None,
    tasks: TasksOption = 5,
    out: OutOption = None,
    force: ForceOption = False,
    server: ServerOption = None,
    geocoder: GeocoderOption = None,
    as_json: JsonOption = False,
) -> None:
    """Write a commented recipe for cities, ready to build.

    Examples: `tripwright init Monaco` · `tripwright init Monaco --map monaco.osm.pbf` ·
    `tripwright init Cairns --box -17.1,145.6,-16.7,145.8 --with cairns_gtfs.zip`.

    Without a map or a box, OpenStreetMap's public servers are asked where the city is and for a map of it, which is
    written beside the recipe.
    """
    files = [*(given or []), *(gtfs or []), *([airbnb] if airbnb else [])]
    with errors_told(as_json):
        survey, recipe = surveyed_recipe(
            city,
            map_file,
            files,
            box=box,
            country=country,
            region=region,
            tasks=tasks,
            out=out,
            force=force,
            servers=(server, geocoder),
        )
    summary = told_of(survey)
    if as_json:
        console.print_json({"recipe": str(recipe), **summary})
    else:
        show_survey(summary)
        console.OUT.print(console.Text(f"wrote {recipe}"), soft_wrap=True)
        gives = "" if any(family["tasks_a_level"] for family in summary["families"]) else ", which makes tables alone"
        console.OUT.print(console.Text(f"next: tripwright build {recipe}{gives}"), soft_wrap=True)


def surveyed_recipe(
    names: list[str],
    map_file: Path | None,
    files: list[Path],
    *,
    box: Box | None,
    country: str | None,
    region: str | None,
    tasks: int,
    out: Path | None,
    force: bool,
    servers: tuple[str | None, str | None],
) -> tuple[Survey, Path]:
    """Return what was found of the cities, and the recipe that was written of it.

    `servers` are those that are asked for a map, and where a city is, if neither a map nor a box is given.
    """
    from pipelines.asked_map import MapAsking
    from pipelines.init import folder_of, is_written, recipe_path, require_free, without_again, write_recipe
    from pipelines.survey import survey
    from pipelines.walk.recipes import RecipeError
    from sources.cities.country_names import country_code

    for name in names:
        if not slug(name):
            raise RecipeError(
                f"found {shown(name)!r} among the cities; expected the name of one, with letters or digits"
            )
        if Path(name).suffix and Path(name).is_file():
            raise RecipeError(f"found the file {shown(name)} among the cities; give each file a --with of its own")

    country = country and (country_code(country) or country)
    if out is not None:
        require_free(out, force=force or is_written(out))  # before a large map is read
    all_families = families()
    ask_map = MapAsking(folder_of(out), _say, country, region, force, *servers)
    city_survey = survey(
        names,
        extract=map_file,
        paths=files,
        box=box,
        country=country,
        region=region,
        tasks=tasks,
        all_families=all_families,
        ask_map=ask_map,
    )
    again = city_survey if force else without_again(city_survey, recipe_path(city_survey, out), all_families)
    if again != city_survey:
        _say("what an earlier build left out of this recipe is left out again; --force tries all of it")
    return again, write_recipe(again, out=out, force=force, all_families=all_families)


def _say(text: str) -> None:
    console.ERR.print(console.Text(shown(text)), soft_wrap=True)


def told_of(survey: Survey) -> dict[str, Any]:
    """Return what was found of the cities as `--json` gives it."""
    from sources.registry import SOURCES

    files = [*(city.files for city in survey.cities), survey.shared]
    notes = [note for city in survey.cities for note in (city.note, city.facts.note) if note]
    notes += [f"which stops are served is looked up for {survey.trip_day.text}"] if survey.trip_day else []
    return {
        "cities": [
            {"city_id": city.facts.city_id, "name": city.facts.name, "area": city.found_by, **city.counts}
            for city in survey.cities
        ],
        "families": [
            {
                "family": choice.family,
                "tasks_a_level": choice.tasks,
                "levels": list(choice.levels) if choice.tasks else [],
                "fewer": [{"level": level, "reason": why} for level, why in choice.fewer.items()],
                "lacks": list(choice.why_not),
                "adds": list(choice.adds),
                "invents": list(choice.invents.values()),
            }
            for choice in survey.choices
        ],
        "wider_box": (wider_box := _wider_box(survey)),
        "map_ends": bool(wider_box) and _map_ends(survey),
        "notes": notes,
        "left_out": [{"name": name, "reason": reason} for name, reason in survey.left_out.items()],
        "neighbours": [city.name for city in survey.neighbours],
        "sources": [SOURCES[name].title for name in dict.fromkeys(key.partition(".")[0] for f in files for key in f)],
    }


def _wider_box(survey: Survey) -> str:
    """Return a box of twice the sides around a city whose map carries no family, as --box takes it; else nothing.

    It is wider by at least `WIDER_DEG` on each side.
    """
    if (
        len(survey.cities) > 1
        or "osm.extract" not in survey.cities[0].files
        or any(choice.tasks for choice in survey.choices)
    ):
        return ""
    box = survey.cities[0].facts.box
    above, aside = max((box.north - box.south) / 2, WIDER_DEG), max(box.width / 2, WIDER_DEG)
    west, east = ((edge + 180.0) % 360.0 - 180.0 for edge in (box.west - aside, box.east + aside))
    edges = (max(box.south - above, -90.0), west, min(box.north + above, 90.0), east)
    return ",".join(f"{edge:.3f}" for edge in edges)


def _map_ends(survey: Survey) -> bool:
    """Return whether the map of the first city goes no further than the city."""
    from sources.osm.named_places import header_box
    from sources.osm.outline import extent

    box, extract = survey.cities[0].facts.box, survey.cities[0].files["osm.extract"][0]
    covered = header_box(extract) or extent(extract)
    return covered is None or (
        covered.north - covered.south < box.north - box.south + EDGE_DEG and covered.width < box.width + EDGE_DEG
    )


def show_wider(summary: dict[str, Any]) -> None:
    """Print what to try where a town holds too little for any family."""
    if summary["wider_box"]:
        hint = f"No benchmark can be made of so little. A wider area may hold more: --box={summary['wider_box']}"
        hint += ", of another map, since this one ends where the city does" if summary["map_ends"] else ""
        console.OUT.print(console.Text(hint), soft_wrap=True)


def show_survey(summary: dict[str, Any]) -> None:
    """Print what the files hold of each city, and which families they carry."""
    names = ("attractions", "restaurants", "stays", "stops", "feeds")
    rows = [(city["name"], city["area"], *(city[name] for name in names)) for city in summary["cities"]]
    console.OUT.print(console.grid("What the files hold", ("city", "its area is that of", *names), rows))
    for note in dict.fromkeys(summary["notes"]):
        console.OUT.print(console.Text(f"note: {note}"), soft_wrap=True)
    for choice in summary["families"]:
        if not choice["tasks_a_level"]:
            console.OUT.print(console.Text(f"{choice['family']} is not built: {'; '.join(choice['lacks'])}"))
        for one in choice["fewer"]:
            told_of_it = f"{choice['family']} has no {one['level']} tasks: {one['reason']}"
            console.OUT.print(console.Text(told_of_it), soft_wrap=True)
    show_wider(summary)
