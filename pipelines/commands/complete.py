"""`tripwright complete`: the whole release from a public edition and the same source files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pipelines import console
from pipelines.commands.errors import errors_told
from pipelines.commands.shared import HomeOption, JsonOption, NoInstallOption, ReleaseArgument, find_release
from pipelines.walk.progress import Progress
from warehouse.home import Home


def complete_command(
    release: ReleaseArgument,
    sources: Annotated[
        Path | None,
        typer.Option("--sources", help="A folder that holds the source files, under whatever names, at any depth."),
    ] = None,
    no_install: NoInstallOption = False,
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Put back what a public edition leaves out, from the same source files: equal to the whole release in every byte.

    Example: `tripwright complete philadelphia-public/ --sources ~/yelp/`. The edition holds the recipe and the hashes
    of its source files; those that the home's raw store has need no folder. Exit code 1, and every missing file named,
    if they are not all there.
    """
    from pipelines.releases.complete import complete

    opened = Home(home)
    with Progress() as progress, errors_told(as_json):
        edition = find_release(opened, release)
        done = complete(
            opened,
            edition,
            sources,
            no_install=no_install,
            listener=progress.listener,
        )
        folder = opened.releases.folder(done.ref)
    if as_json:
        console.print_json({"version": done.ref.version, "path": str(folder), "tasks": done.tasks})
    else:
        console.OUT.print(
            console.Text(f"{folder}: complete, and equal to release {done.ref.version} in every byte"), soft_wrap=True
        )
