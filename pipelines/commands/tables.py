"""`tripwright tables`: what a recipe's builds made, listed or copied out."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pipelines import console
from pipelines.commands.completions import recipe_files
from pipelines.commands.errors import errors_told
from pipelines.commands.shared import HomeOption, JsonOption
from pipelines.walk.build import built_tables
from schemas.counts import counted
from warehouse.home import Home


def tables(
    recipe: Annotated[Path, typer.Argument(autocompletion=recipe_files, help="A recipe that was built.")],
    folder: Annotated[Path | None, typer.Argument(help="Copies the tables here as Parquet, a folder each.")] = None,
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """List the tables that a recipe's builds made, with their rows and files; or copy them out.

    Examples: `tripwright tables recipes/porto.toml` · `tripwright tables recipes/porto.toml porto/`.
    """
    opened = Home(home)
    with errors_told(as_json):
        versions = [(t, city, v) for t, city, v in built_tables(opened, recipe) if v.rows]
        if folder is not None:
            for table, city_id, version in versions:
                path = folder / table / f"{city_id or 'all'}.parquet"
                path.parent.mkdir(parents=True, exist_ok=True)
                opened.tables.copy_to(version, path)
    rows = [
        (table, city_id, version.rows, str(opened.store.folder(version.key))) for table, city_id, version in versions
    ]
    if as_json:
        columns = ("table", "city_id", "rows", "path")
        console.print_json({"tables": [dict(zip(columns, row, strict=True)) for row in rows]})
    else:
        for table, city_id, count, path in rows:
            name = f"{table} {city_id or 'of all cities'}"
            console.OUT.print(console.Text(f"{name}: {counted(count, 'row')}"), soft_wrap=True)
            console.OUT.print(console.Text(f"  {path}"), soft_wrap=True)
        if not rows:
            line = f"{opened.url} holds no table of it yet; build it first: tripwright build {recipe}"
            console.OUT.print(console.Text(line), soft_wrap=True)
