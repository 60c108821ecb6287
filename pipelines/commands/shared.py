"""What every command shares: its options, how it names a release, and how it ends."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from assets.release.reading import OpenedRelease, ReleaseError, open_release
from pipelines import console
from pipelines.commands.completions import release_versions
from pipelines.releases.release import ReleaseError as UnreleasableError
from pipelines.walk.recipes import RecipeError
from schemas.source import SourceError
from schemas.table import TableError
from sources.services.llm import ModelError
from warehouse.home import Home
from warehouse.store import StoreError

EXPECTED_ERRORS = (
    RecipeError, SourceError, StoreError, TableError, ReleaseError, UnreleasableError, ModelError, OSError, ValueError,
    KeyError,
)  # fmt: skip

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
NoInstallOption = Annotated[bool, typer.Option("--no-install", help="Fail rather than fetch OSRM when it is missing.")]


class Stop(typer.Exit):
    """Ends a command with an exit code: 1 for data, 2 for usage."""


@contextmanager
def errors_told(as_json: bool) -> Iterator[None]:
    """End the command with exit code 1 and the error's text, if an error that data can cause is raised inside."""
    try:
        yield
    except EXPECTED_ERRORS as error:
        text = str(error.args[0]) if isinstance(error, KeyError) and error.args else str(error)
        if as_json:
            console.print_json({"error": text})
        console.ERR.print(console.Text(f"error: {text}", style="red"), soft_wrap=True)
        raise Stop(1) from None


def find_release(home: Home, text: str) -> OpenedRelease:
    """Return the release that a path or the start of a version names. Raises ReleaseError if none or several fit."""
    if Path(text).is_dir():
        return open_release(Path(text))
    found = [*home.releases.find(text), *home.public.find(text)] if text and "/" not in text else []
    if len(found) == 1:
        return open_release(home.releases.folder(found[0]))
    if found:
        several = ", ".join(f"{ref.recipe}/{ref.family}/{ref.version}" for ref in found)
        raise ReleaseError(f"{text!r} fits several releases: {several}. Give more of the version.")
    raise ReleaseError(f"no release {text!r} in {home.url}; give a release's folder, or a version that `build` printed")
