"""`tripwright open`: somebody else's published folder as a read-only release."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from assets.families import families
from pipelines import console
from pipelines.commands.errors import errors_told
from pipelines.commands.shared import HomeOption, JsonOption
from pipelines.walk.progress import Progress
from schemas.counts import counted
from schemas.errors import ExpectedError
from warehouse.home import Home


def open_command(
    family: Annotated[str, typer.Argument(help="The benchmark that it is of, such as itinbench.")],
    folder: Annotated[Path, typer.Argument(help="The folder as published; of TripCraft also a .tar.gz of it.")],
    licence: Annotated[
        str | None, typer.Option(help="The licence that its publisher declares; unknown without one.")
    ] = None,
    origin: Annotated[str | None, typer.Option(help="Where it was got, such as its address; kept in words.")] = None,
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Open a published folder as a read-only release, to be scored, inspected, shown and compared by its version.

    Example: `tripwright open itinbench ItinBench/Dataset`. The same files give the same version. Nothing of it is
    certified, and it is never audited, exported or published as ours. A file that is missing or damaged is named, exit
    code 1, and nothing is kept.
    """
    from pipelines.releases.open import open_published

    with Progress() as progress, errors_told(as_json):
        all_families = families()
        if family not in all_families:
            raise ExpectedError(f"no family {family!r}; there are {', '.join(sorted(all_families))}")
        opened = Home(home)
        ref = open_published(opened, all_families[family], folder, licence, origin, progress.waiting)
        path = opened.opened.folder(ref.ref)
    if as_json:
        console.print_json(
            {
                "family": family,
                "version": ref.ref.version,
                "path": str(path),
                "is_new": ref.is_new,
                "tasks": ref.tasks,
                "gold": ref.opened.gold,
                "rows_left_out": ref.left_out,
                "notes": ref.opened.notes,
                "files": ref.opened.files,
                "sha256": ref.opened.sha256,
            }
        )
        return
    tasks, files = counted(ref.tasks, "task"), counted(len(ref.opened.files), "file")
    line = f"{family} {ref.ref.version}: {tasks} of {files}, not certified; {path}"
    console.OUT.print(console.Text(line), soft_wrap=True)
    if ref.left_out:
        line = f"left out, since not of the tables' form: {counted(ref.left_out, 'row')}; rejections.parquet says why"
        console.OUT.print(console.Text(line), soft_wrap=True)
    for note in ref.opened.notes:
        console.OUT.print(console.Text(f"  - {note}"), soft_wrap=True)
