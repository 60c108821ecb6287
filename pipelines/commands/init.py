"""`tripwright init`: a first recipe for a city."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer
from pydantic import ValidationError

from assets.family import families
from pipelines import console
from pipelines.commands.errors import errors_told
from pipelines.commands.shared import JsonOption
from pipelines.walk.fingerprint import ROOT
from schemas.recipe import Box


def _box(text: str) -> Box:
    try:
        south, west, north, east = (float(edge) for edge in text.split(","))
        return Box(south=south, west=west, north=north, east=east)
    except ValueError as error:
        found = (
            "; ".join(e["msg"].removeprefix("Value error, ") for e in error.errors())
            if isinstance(error, ValidationError)
            else repr(text)
        )
        raise typer.BadParameter(f"found {found}; expected SOUTH,WEST,NORTH,EAST in degrees") from None


def init(
    city: Annotated[str, typer.Argument(metavar="CITY", help="The city's name, such as Monaco.")],
    osm: Annotated[
        Path | None,
        typer.Option("--osm", help="An OpenStreetMap extract (.osm, .osm.bz2, .osm.pbf).", exists=True, dir_okay=False),
    ] = None,
    gtfs: Annotated[
        list[Path] | None, typer.Option("--gtfs", help="A GTFS feed (repeatable).", exists=True, dir_okay=False)
    ] = None,
    airbnb: Annotated[
        Path | None, typer.Option("--airbnb", help="Inside Airbnb's listings.csv.", exists=True, dir_okay=False)
    ] = None,
    box: Annotated[
        Box | None,
        typer.Option("--box", parser=_box, metavar="S,W,N,E", help="The city's box; default: what the extract says."),
    ] = None,
    country: Annotated[str | None, typer.Option("--country", help="ISO 3166-1 code; default: by place.")] = None,
    region: Annotated[str | None, typer.Option("--region", help="State or region; default: the country.")] = None,
    tasks: Annotated[int, typer.Option("--tasks", min=1, help="Tasks of each difficulty.")] = 5,
    out: Annotated[Path | None, typer.Option("--out", help="The recipe to write; default recipes/CITY.toml.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite a recipe that is there.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Write a commented recipe for a city, ready to build; on a terminal, ask for what is missing.

    Examples: `tripwright init Monaco --osm monaco.osm.pbf` ·
    `tripwright init Cairns --box -17.1,145.6,-16.7,145.8 --gtfs cairns_gtfs.zip`.
    """
    from pipelines.init import write_recipe

    if osm is None and box is None and sys.stdin.isatty() and not as_json:
        osm = Path(typer.prompt("OpenStreetMap extract of the city"))
    if osm is None and box is None:
        raise typer.BadParameter("say where the city is: give --osm FILE or --box SOUTH,WEST,NORTH,EAST")
    with errors_told(as_json):
        files = {
            "osm.extract": [osm] if osm else [],
            "gtfs.feed": gtfs or [],
            "airbnb.listings": [airbnb] if airbnb else [],
        }
        written = write_recipe(
            city,
            {role: paths for role, paths in files.items() if paths},
            box=box,
            country=country,
            region=region,
            tasks=tasks,
            out=out or ROOT / "recipes",
            force=force,
            known=families(),
        )
    if as_json:
        console.print_json({"recipe": str(written)})
    else:
        console.OUT.print(f"wrote {written}", soft_wrap=True)
        console.OUT.print(f"next: tripwright build {written}", soft_wrap=True)
