"""The home: one folder or bucket that keeps everything a build makes, with a format version and a lock."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from filelock import FileLock, Timeout

from warehouse.built import BuiltSteps
from warehouse.ledger import Ledger
from warehouse.releases import Releases
from warehouse.snapshots import Snapshots
from warehouse.store import Store, StoreError
from warehouse.tables import Tables

HOME_VARIABLE = "TRIPWRIGHT_HOME"
DEFAULT_HOME = ".tripwright"
FORMAT_KEY = "format.json"
HOME_FORMAT = 1


class Home:
    """What tripwright keeps: `raw/ tables/ built/ ledger/ releases/` in one store."""

    def __init__(self, url: str | None = None) -> None:
        """Open the home at `url`, else at $TRIPWRIGHT_HOME, else `.tripwright` here.

        Raises StoreError if the home was written in a format this version does not read.
        """
        self.url = url or os.environ.get(HOME_VARIABLE) or DEFAULT_HOME
        self.store = Store(self.url)
        folder = self.store.folder("raw")
        if folder is not None and folder.parent.exists() and not folder.parent.is_dir():
            raise StoreError(f"the home {self.url} is a file; expected a folder. Name another with --home.")
        if self.store.exists(FORMAT_KEY):
            found = self._format()
            if found != HOME_FORMAT:
                raise StoreError(
                    f"the home {self.url} has format {found or 'that nobody can read'}; this tripwright reads format "
                    f"{HOME_FORMAT}. "
                    f"Use another home (--home or ${HOME_VARIABLE}) or the tripwright that made it."
                )
        self.snapshots = Snapshots(self.store)
        self.tables = Tables(self.store)
        self.built = BuiltSteps(self.store)
        self.ledger = Ledger(self.store)
        self.releases = Releases(self.store, self.tables)
        self.public = Releases(self.store, self.tables, "public")

    def _format(self) -> object:
        """Return the format that the home says it has; None where its file says nothing that can be read."""
        try:
            held = json.loads(self.store.read(FORMAT_KEY))
        except (ValueError, RecursionError) as error:
            if isinstance(error, StoreError):
                raise
            return None
        return held.get("format") if isinstance(held, dict) else None

    @contextmanager
    def building(self, waiting: Callable[[], None] = lambda: None) -> Iterator[None]:
        """Hold the home's build lock; call `waiting` once if another build holds it now.

        The lock dies with its process, so a killed build never leaves a home locked.
        """
        folder = self.store.folder("lock")
        if folder is None:
            raise StoreError(
                f"the home {self.url} is not a local folder; builds in an object store are not supported yet"
            )
        folder.parent.mkdir(parents=True, exist_ok=True)
        lock = FileLock(folder)
        try:
            lock.acquire(timeout=0)
        except Timeout:
            waiting()
            lock.acquire()
        try:
            if not self.store.exists(FORMAT_KEY):
                self.store.put(FORMAT_KEY, json.dumps({"format": HOME_FORMAT}).encode())
            self.store.sweep_scratch()
            yield
        finally:
            lock.release()
