"""`tripwright report`: the page of a release, one file that a person opens."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from assets.release.reading import OpenedRelease, ReleaseError
from pipelines import console
from pipelines.commands.completions import release_versions
from pipelines.commands.errors import errors_told
from pipelines.commands.shared import HomeOption, JsonOption, find_whole
from schemas.counts import counted
from warehouse.disk import put_whole
from warehouse.home import Home
from warehouse.releases import PAGE_FILE


def report(
    releases: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="RELEASE",
            help="Folders or versions: families of one recipe.",
            autocompletion=release_versions,
        ),
    ] = None,
    every: Annotated[
        bool, typer.Option("--all", help="The gallery: one page that leads to the newest releases of the home.")
    ] = False,
    out: Annotated[
        Path | None,
        typer.Option("--out", help="Where to write; default record/report.html in a single release, else report.html."),
    ] = None,
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Write the page of a release: flow, maps, distributions, every task with its witness and provenance, licences.

    One file without any outside request; open it in a browser. Every release has its own as `record/report.html`;
    this writes it anew, or one page for several families of one recipe. With --all, a gallery of the home's newest
    releases is written beside them, as releases/gallery.html.

    Examples: `tripwright report 4c1f0a` · `tripwright report 4c1f0a 9b20de --out trips.html` ·
    `tripwright report --all`.
    """
    from assets.release.page.render import report as page_of

    if every == bool(releases):
        raise typer.BadParameter("name releases, or give --all for the gallery of them all")
    opened_home = Home(home)
    if every:
        _gallery(opened_home, out, as_json)
        return
    with errors_told(as_json):
        opened = [find_whole(opened_home, text, "shown") for text in releases or []]
        path = out or (_own_page(opened[0]) if len(opened) == 1 else Path("report.html"))
        page = page_of(opened, opened_home.snapshots)
        path.parent.mkdir(parents=True, exist_ok=True)
        put_whole(path, page, f"the page {path.name}")
    if as_json:
        console.print_json({"path": str(path), "size_bytes": len(page), "releases": [r.version for r in opened]})
    else:
        console.OUT.print(
            console.Text(f"wrote {path} ({console.page_size(len(page))}); open it in a browser"), soft_wrap=True
        )


def _own_page(release: OpenedRelease) -> Path:
    """Return where a release's page is. Raises ReleaseError for a link: what it leads to is none of the release's."""
    path = release.folder / PAGE_FILE
    if path.resolve() != release.folder.resolve() / PAGE_FILE:
        raise ReleaseError(
            f"{path}: found a link that leads to {path.resolve()}; expected the page or nothing, and what a link leads "
            "to is not written over. Remove the link, or say where to write with --out."
        )
    return path


def _gallery(home: Home, out: Path | None, as_json: bool) -> None:
    """Write the gallery beside the releases that it leads to, or where asked."""
    from assets.release.page.gallery import page_of
    from pipelines.gallery_page import KEY, gallery_cards

    with errors_told(as_json):
        versions = [ref.version for ref in home.releases.all_latest()]
        path = out or home.store.folder(KEY)
        if path is None:
            raise typer.BadParameter("this home is no local folder; say where to write with --out")
        page = page_of(gallery_cards(home, path)).encode()
        path.parent.mkdir(parents=True, exist_ok=True)
        put_whole(path, page, f"the gallery {path.name}")
    if as_json:
        console.print_json({"path": str(path), "size_bytes": len(page), "releases": versions})
    else:
        line = f"wrote {path} ({console.page_size(len(page))}), which leads to {counted(len(versions), 'release')}"
        console.OUT.print(console.Text(line), soft_wrap=True)
