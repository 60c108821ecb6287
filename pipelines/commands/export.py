"""`tripwright export`: a release in its family's published on-disk shape."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from pipelines import console
from pipelines.commands.errors import errors_told
from pipelines.commands.shared import HomeOption, JsonOption, ReleaseArgument, find_whole
from warehouse.home import Home


def export(
    release: ReleaseArgument,
    folder: Annotated[Path, typer.Argument(help="Where to write; must be empty or absent.")],
    format_: Annotated[str, typer.Option("--format", help="The family's name; must be the release's own.")],
    safe_csv: Annotated[
        bool,
        typer.Option(
            "--safe-csv", help="Write an apostrophe before cells of CSV that a spreadsheet takes for formulas."
        ),
    ] = False,
    layout: Annotated[
        Literal["files", "upstream"],
        typer.Option("--layout", help="upstream: the published repository's own tree, with a README."),
    ] = "files",
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Write a release in its family's published on-disk shape, which the original harness reads unchanged.

    Example: `tripwright export 4c1f0a ItinBench/ --format itinbench`.

    With `--layout upstream` files stand under the published repository's own names and folders; the README beside them
    says which command runs its evaluation there, and serves paths that its scripts have written into them.

    Cells of CSV that begin with = + - or @ keep the published bytes, and are counted; a spreadsheet runs them as
    formulas. With --safe-csv it does not, and the files are no longer the published ones to the byte. Numbers stay.
    """
    from assets.release.exporting import export_release

    with errors_told(as_json):
        exported = export_release(
            find_whole(Home(home), release, "exported"),
            format_,
            folder,
            is_safe=safe_csv,
            is_upstream=layout == "upstream",
        )
    if as_json:
        cells = {"formula_cells": exported.formula_cells, "safe_csv": exported.is_safe}
        answer = {"folder": str(folder), "files": exported.sizes, **cells, "judged_anew": exported.is_judged_anew}
        console.print_json(answer)
        return
    sizes = [(path, f"{size:,}") for path, size in sorted(exported.sizes.items())]
    console.OUT.print(console.grid(f"Written to {folder}", ("file", "bytes"), sizes))
    if exported.is_judged_anew:
        text = "The release does not say that these files were judged when it was made; they were judged now, and hold"
        console.OUT.print(console.Text(text), soft_wrap=True)
    if exported.formula_cells:
        state = "have an apostrophe before them" if exported.is_safe else "are as published; --safe-csv makes them text"
        text = f"{exported.formula_cells:,} cells of CSV that a spreadsheet takes for formulas {state}"
        console.OUT.print(console.Text(text), soft_wrap=True)
