"""`tripwright extract`: the street map of one city of a recipe, from a public server."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from assets.families import families
from pipelines import console
from pipelines.commands.completions import recipe_files
from pipelines.commands.errors import errors_told
from pipelines.commands.shared import JsonOption


def extract(
    recipe: Annotated[
        Path,
        typer.Argument(autocompletion=recipe_files, help="A recipe that names the city, such as recipes/monaco.toml."),
    ],
    city_id: Annotated[str, typer.Argument(metavar="CITY", help="The city's id, such as mc-mc-monaco.")],
    file: Annotated[Path, typer.Argument(help="Where to write it; the name ends in .osm.pbf or .osm.")],
    server: Annotated[str | None, typer.Option("--server", help="Another Overpass server than the public one.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Download a city's streets, places and stops from OpenStreetMap into a file that a recipe can bind.

    Asks an Overpass server by osmnx for the box around the city's area and 5 km more; no key is needed. A build never
    asks it.

    Example: `tripwright extract recipes/monaco.toml mc-mc-monaco monaco.osm.pbf`.
    """
    from pipelines.walk.recipes import RecipeError, load_recipe
    from sources.osm.extract import SOURCE
    from sources.services.overpass import PUBLIC_ENDPOINT, download_extract
    from warehouse.store import sha256_of

    with errors_told(as_json):
        loaded = load_recipe(recipe, families())
        cities_by_id = {city.city_id: city for city in loaded.recipe.cities}
        if city_id not in cities_by_id:
            raise RecipeError(f"{recipe}: no city {city_id}; the recipe has {', '.join(cities_by_id)}")
        elements = download_extract([cities_by_id[city_id].bounds], file, endpoint=server or PUBLIC_ENDPOINT)
        size_bytes, sha256 = file.stat().st_size, sha256_of(file)
    if as_json:
        summary = {"city_id": city_id, "path": str(file), "elements": elements, "size_bytes": size_bytes}
        console.print_json(summary | {"sha256": sha256, "licence_id": SOURCE.licence_id})
        return
    console.OUT.print(console.Text(f"{file}: {elements:,} elements, {size_bytes:,} bytes, sha256 {sha256}"))
    console.OUT.print(console.Text(f"{SOURCE.attribution}, {SOURCE.licence_id}. Bind it under the city:"))
    console.OUT.print(console.Text(f'\n[cities.sources.osm]\nextract = "{file}"'))
