"""The gallery of a home as a file: written once, or again and again while a build goes on."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from assets.release.reading import open_release
from pipelines.walk.progress import Progress
from pipelines.walk.walk_report import Event
from warehouse.home import Home
from warehouse.releases import PAGE_FILE

if TYPE_CHECKING:
    from assets.release.page.gallery import Cards

KEY = "releases/gallery.html"
EVERY_S = 2.0
"""How often the page is written anew while steps are built; our choice: the page opens itself again every 3 s."""


def gallery_cards(home: Home, page: Path) -> Cards:
    """Return the cards of the home's newest releases; `page` is where they will be, which their links set out from."""
    from assets.release.page.gallery import cards

    releases = [open_release(home.releases.folder(ref)) for ref in home.releases.all_latest()]
    pages = [(one.folder / PAGE_FILE).resolve() for one in releases]
    addresses = [Path(os.path.relpath(one, page.resolve().parent)).as_posix() for one in pages]
    return cards(zip(addresses, releases, strict=True), home.snapshots)


class GrowingGallery:
    """The gallery of a home that opens itself again while a build goes on; it takes the build's events.

    What is shown is right at every moment: a new page takes the place of the old one as one step. However the build
    ends, the last page says that nothing is being built.
    """

    def __init__(self, home: Home, progress: Progress, clock: Callable[[], float] = time.monotonic) -> None:
        """Show a local home's releases and how far `progress` has come; `clock` gives seconds."""
        folder = home.store.folder(KEY)
        if folder is None:
            raise ValueError("a gallery grows in a local home only")
        self.path = folder
        self._home, self._progress, self._clock = home, progress, clock
        self._written_at = clock()
        self._cards = gallery_cards(home, folder)

    def __enter__(self) -> GrowingGallery:
        self._write("it begins")
        return self

    def __exit__(self, *_: object) -> None:
        self.released()
        self._write("")

    def __call__(self, event: Event) -> None:
        """Pass an event on, and write the page if it is older than EVERY_S."""
        self._progress(event)
        if self._clock() - self._written_at >= EVERY_S:
            self._write(self._progress.remaining_text() or event.step)

    def released(self) -> None:
        """Show the releases that there are now."""
        self._cards = gallery_cards(self._home, self.path)
        self._write("releases are made")

    def _write(self, running: str) -> None:
        from assets.release.page.gallery import page_of

        self._written_at = self._clock()
        self._home.store.put(KEY, page_of(self._cards, running).encode(), synced=False)
