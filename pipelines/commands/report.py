"""`tripwright report`: the page of a release, one file that a person opens."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pipelines import console
from pipelines.commands.completions import release_versions
from pipelines.commands.errors import errors_told
from pipelines.commands.shared import HomeOption, JsonOption, find_release
from warehouse.home import Home


def report(
    releases: Annotated[
        list[str],
        typer.Argument(
            metavar="RELEASE...",
            help="Folders or versions: families of one recipe.",
            autocompletion=release_versions,
        ),
    ],
    out: Annotated[
        Path | None,
        typer.Option("--out", help="Where to write; default record/report.html in a single release, else report.html."),
    ] = None,
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Write the page of a release: flow, maps, distributions, every task with its witness and provenance, licences.

    One file without any outside request; open it in a browser. Every release has its own as `record/report.html`;
    this writes it anew, or one page for several families of one recipe.

    Examples: `tripwright report 4c1f0a` · `tripwright report 4c1f0a 9b20de --out trips.html`.
    """
    from assets.release.page.render import report as page_of

    opened_home = Home(home)
    with errors_told(as_json):
        opened = [find_release(opened_home, text) for text in releases]
        path = out or (opened[0].folder / "record" / "report.html" if len(opened) == 1 else Path("report.html"))
        page = page_of(opened, opened_home.snapshots).encode()
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(page)
    if as_json:
        console.print_json({"path": str(path), "size_bytes": len(page), "releases": [r.version for r in opened]})
    else:
        console.OUT.print(
            console.Text(f"wrote {path} ({console.page_size(len(page))}); open it in a browser"), soft_wrap=True
        )
