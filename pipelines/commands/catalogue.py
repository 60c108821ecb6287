"""`tripwright sources`, `schema` and `dictionary`: what there is, printed from its declarations."""

from __future__ import annotations

import typer

from assets.families import families
from pipelines import console
from pipelines.commands.shared import JsonOption
from schemas.counts import counted


def sources(as_json: JsonOption = False) -> None:
    """List every source: what it is, its licence, which files it reads, how to get them.

    Example: `tripwright sources --json`.
    """
    from sources.registry import SOURCES

    columns = ("source", "title", "licence_id", "files", "how_to_get")
    rows = [
        (s.name, s.title, s.licence_id, ", ".join(f.role + ("" if f.required else "?") for f in s.files), s.how_to_get)
        for s in SOURCES.values()
    ]
    if as_json:
        console.print_json({"sources": [dict(zip(columns, row, strict=True)) for row in rows]})
    else:
        console.OUT.print(f"{counted(len(rows), 'source')}; ? marks a file that may be absent\n")
        for name, title, licence, files, how in rows:
            console.show_entry(name, title, {"licence": licence, "files": files, "to get": how})


def schema() -> None:
    """Print the JSON Schema of a recipe, for editors that complete and check TOML.

    Example: `tripwright schema > recipe.schema.json`.
    """
    from pipelines.walk.recipes import recipe_schema

    console.print_json(recipe_schema(families()))


def dictionary() -> None:
    """Print the data dictionary: every table and column, with type, unit and constraint, in Markdown.

    Example: `tripwright dictionary > dictionary.md`.
    """
    from assets.families import all_tables

    typer.echo("# Data dictionary\n")
    for table in all_tables():
        typer.echo(table.dictionary_page())
