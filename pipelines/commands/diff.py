"""`tripwright diff`: how two releases differ, and why."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from assets.release.changes import changes_page
from pipelines import console
from pipelines.commands.completions import release_versions
from pipelines.commands.errors import errors_told
from pipelines.commands.shared import HomeOption, JsonOption, find_release
from warehouse.home import Home


def _release(which: str, metavar: str) -> Any:
    text = f"The {which} release's folder or the start of its version."
    return typer.Argument(metavar=metavar, help=text, autocompletion=release_versions)


def diff(
    old: Annotated[str, _release("earlier", "OLD")],
    new: Annotated[str, _release("later", "NEW")],
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Say which tasks and rows differ between two releases of one recipe and family, field by field, and why.

    Each changed task names the rows, recipe keys, rules, code or model behind it. Exit code 1 if a release cannot be
    read or the two are not comparable; a difference is no error.

    Example: `tripwright diff 4c1f0a 9be2d1`.
    """
    from assets.release.diff import difference
    from assets.release.sides import opened_side

    opened = Home(home)
    with errors_told(as_json):
        sides = [opened_side(find_release(opened, text)) for text in (old, new)]
        changes = difference(*sides)
    if as_json:
        console.print_json(changes.as_json())
    else:
        typer.echo(changes_page(changes, sides[1].manifest.title))
