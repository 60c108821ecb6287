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
from warehouse.tables import TableVersion


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
        rows = [
            (table, city_id, version.rows, str(_file(opened, version, table, city_id, folder)))
            for table, city_id, version in built_tables(opened, recipe)
            if version.rows
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


def _file(home: Home, version: TableVersion, table: str, city_id: str, folder: Path | None) -> Path | str:
    """Return where the table is: in the home, or where it was copied to, below `folder`."""
    if folder is None:
        return home.store.folder(version.key) or f"{home.url}/{version.key}"
    path = folder / table / f"{city_id or 'all'}.parquet"
    path.parent.mkdir(parents=True, exist_ok=True)
    home.tables.copy_to(version, path)
    return path
