"""`tripwright export`: a release in its family's published on-disk shape."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pipelines import console
from pipelines.commands.errors import errors_told
from pipelines.commands.shared import HomeOption, JsonOption, ReleaseArgument, find_release
from warehouse.home import Home


def export(
    release: ReleaseArgument,
    folder: Annotated[Path, typer.Argument(help="Where to write; must be empty or absent.")],
    format_: Annotated[str, typer.Option("--format", help="The family's name; must be the release's own.")],
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Write a release in its family's published on-disk shape, which the original harness reads unchanged.

    Example: `tripwright export 4c1f0a ItinBench/ --format itinbench`.
    """
    from assets.release.exporting import export_release

    with errors_told(as_json):
        written = export_release(find_release(Home(home), release), format_, folder)
    if as_json:
        console.print_json({"folder": str(folder), "files": written})
    else:
        console.OUT.print(console.grid(f"Written to {folder}", ("file", "bytes"), sorted(written.items())))
