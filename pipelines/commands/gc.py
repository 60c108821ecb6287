"""`tripwright gc`: freeing what nothing needs any more."""

from __future__ import annotations

import shlex
from typing import Annotated

import typer

from pipelines import console
from pipelines.commands.errors import errors_told
from pipelines.commands.shared import HomeOption, JsonOption
from pipelines.walk.progress import Progress
from warehouse.home import Home


def gc(
    delete: Annotated[
        bool, typer.Option("--delete", help="Free it; without this, only say what would be freed.")
    ] = False,
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Say what the home keeps that no release and no recipe's lock points at; with `--delete`, free it.

    Waits for a running build. Releases, the raw files behind them and the answers of models are never freed. A recipe
    whose lock is no longer where it was built from counts as gone: what only it needs is freed.

    Examples: `tripwright gc` · `tripwright gc --delete`.
    """
    from pipelines.housekeeping import collect_garbage, make_room

    opened = Home(home)
    with Progress() as progress, errors_told(as_json):
        if delete:
            make_room(opened)
        with opened.quiet(progress.waiting):
            garbage = collect_garbage(opened, delete=delete)
    if as_json:
        console.print_json(garbage.as_json())
        return
    for path in garbage.recipes_gone:
        console.OUT.print(console.Text(f"gone: {path}; what only that recipe needs is not kept"), soft_wrap=True)
    rows = [(kind, f"{len(keys):,}", f"{garbage.size_bytes[kind] / 1e6:,.1f}") for kind, keys in garbage.keys.items()]
    if not rows:
        console.OUT.print("nothing to free")
        return
    console.OUT.print(console.grid("Freed" if delete else "Would be freed", ("what", "files", "MB"), rows))
    if not delete:
        again = shlex.join(["tripwright", "gc", "--delete", *(["--home", home] if home else [])])
        console.OUT.print(console.Text(f"Nothing was freed; do it with: {again}"), soft_wrap=True)
