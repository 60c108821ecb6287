"""What a shell offers for a command's arguments: recipes here, releases and task ids in the home."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import typer

from warehouse.home import Home
from warehouse.releases import Releases
from warehouse.store import StoreError

MOST_OFFERED = 200
"""A list longer than this helps nobody; more characters shorten it."""


def recipe_files(incomplete: str) -> list[str]:
    """Return the recipes here that begin so; of files elsewhere the shell knows itself."""
    paths = sorted(str(path) for pattern in ("recipes/*.toml", "*.toml") for path in Path().glob(pattern))
    return [path for path in paths if path.startswith(incomplete) and path != "pyproject.toml"]


def release_versions(ctx: typer.Context, incomplete: str) -> list[tuple[str, str]]:
    """Return the versions in the home that begin so, each with its recipe and family."""
    return [
        (ref.version, f"{ref.recipe}/{ref.family}")
        for shelf in _shelves(ctx)
        for ref in shelf.find(incomplete)[:MOST_OFFERED]
    ]


def task_ids(ctx: typer.Context, incomplete: str) -> list[str]:
    """Return the ids of tasks in the newest releases of the home that begin so."""
    import pyarrow.parquet as pq

    def ids() -> Iterator[str]:
        for shelf in _shelves(ctx)[:1]:
            with suppress(StoreError):  # whoever runs the command is told
                for ref in shelf.all_latest():
                    yield from pq.read_table(shelf.folder(ref) / "tasks.parquet", columns=["task_id"])[
                        "task_id"
                    ].to_pylist()

    return sorted({task_id for task_id in ids() if task_id.startswith(incomplete)})[:MOST_OFFERED]


def _shelves(ctx: typer.Context) -> list[Releases]:
    """Return where releases and public editions are kept; nothing where there is no home to be read."""
    try:
        home = Home(ctx.params.get("home"))
    except StoreError:
        return []
    return [home.releases, home.public, home.opened]
