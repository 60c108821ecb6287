"""What every command shares: its options, and how it names a release."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from assets.release.reading import OpenedRelease, ReleaseError, open_release, require_values
from pipelines.commands.completions import release_versions
from warehouse.home import Home

HomeOption = Annotated[
    str | None,
    typer.Option("--home", help="Where everything is kept; default $TRIPWRIGHT_HOME, else .tripwright here."),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object on stdout and nothing else there.")]
ReleaseArgument = Annotated[
    str,
    typer.Argument(
        metavar="RELEASE", help="A release's folder or the start of its version.", autocompletion=release_versions
    ),
]
SchedulerOption = Annotated[
    str | None, typer.Option("--scheduler", help="Run on a Dask cluster's workers, such as tcp://host:8786.")
]
NoInstallOption = Annotated[bool, typer.Option("--no-install", help="Fail rather than fetch OSRM when it is missing.")]


def find_release(home: Home, text: str) -> OpenedRelease:
    """Return the release that a path or the start of a version names. Raises ReleaseError if none or several fit."""
    if Path(text).is_dir():
        return open_release(Path(text))
    shelves = (home.releases, home.public, home.opened) if text and "/" not in text else ()
    refs = [ref for shelf in shelves for ref in shelf.find(text)]
    if len(refs) == 1:
        return open_release(home.releases.folder(refs[0]))
    if refs:
        several = ", ".join(f"{ref.recipe}/{ref.family}/{ref.version}" for ref in refs)
        raise ReleaseError(f"{text!r} fits several releases: {several}. Give more of the version, or its folder.")
    raise ReleaseError(
        f"no release {text!r} in {home.url}; give a release's folder, or a version that `build` or `open` printed"
    )


def find_whole(home: Home, text: str, done: str) -> OpenedRelease:
    """Return the release that a path or a version names, with all its values; `done` says what is done with it.

    Raises ReleaseError if none or several fit, or if it is a public edition that lacks them.
    """
    release = find_release(home, text)
    require_values(release, done)
    return release
