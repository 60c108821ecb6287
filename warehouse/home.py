"""The home: one folder or bucket that keeps everything a build makes; any number of builds and readers share it."""

from __future__ import annotations

import json
import os
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from warehouse.build_records import BuiltSteps
from warehouse.leases import ASKS_EVERY_S, Leases
from warehouse.ledger import Ledger
from warehouse.releases import Releases
from warehouse.snapshots import Snapshots
from warehouse.store import Store, StoreError
from warehouse.tables import Tables

HOME_VARIABLE = "TRIPWRIGHT_HOME"
DEFAULT_HOME = ".tripwright"
FORMAT_KEY = "format.json"
HOME_FORMAT = 1
BUILDS, QUIET = "builds", "gc"
"""The leases of builds, which do not mind each other, and of the one that minds all of them."""


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
            number = self._format()
            if number != HOME_FORMAT:
                raise StoreError(
                    f"the home {self.url} has format {number or 'that nobody can read'}; this tripwright reads format "
                    f"{HOME_FORMAT}. "
                    f"Use another home (--home or ${HOME_VARIABLE}) or the tripwright that made it."
                )
        self.snapshots = Snapshots(self.store)
        self.tables = Tables(self.store)
        self.built = BuiltSteps(self.store)
        self.leases = Leases(self.store)
        self.ledger = Ledger(self.store)
        self.releases = Releases(self.store, self.tables)
        self.public = Releases(self.store, self.tables, "public")
        self.opened = Releases(self.store, self.tables, "opened")

    def _format(self) -> object:
        """Return the format that the home says it has; None where its file says nothing that can be read."""
        try:
            format_record = json.loads(self.store.read(FORMAT_KEY))
        except (ValueError, RecursionError) as error:
            if isinstance(error, StoreError):
                raise
            return None
        return format_record.get("format") if isinstance(format_record, dict) else None

    @contextmanager
    def building(self, waiting: Callable[[], None] = lambda: None) -> Iterator[None]:
        """Hold off `gc`; calls `waiting` once if one is freeing what nothing needs, and waits for it.

        Builds do not wait for each other. A killed one holds nothing off for longer than a lease lasts.
        """
        name, is_told = f"{BUILDS}/{uuid.uuid4().hex}", False
        while True:
            self.leases.take(name)
            if not self.leases.is_held(QUIET):
                break
            self.leases.give_back(name)
            if not is_told:
                waiting()
            is_told = True
            time.sleep(ASKS_EVERY_S)
        try:
            if not self.store.exists(FORMAT_KEY):
                self.store.put_new(FORMAT_KEY, json.dumps({"format": HOME_FORMAT}).encode())
            self.store.sweep_scratch()
            yield
        finally:
            self.leases.give_back(name)

    @contextmanager
    def quiet(self, waiting: Callable[[], None] = lambda: None) -> Iterator[None]:
        """Hold off every build, once those that run are done; calls `waiting` once if there are any."""
        is_told = False
        while not self.leases.take(QUIET):
            if not is_told:
                waiting()
            is_told = True
            time.sleep(ASKS_EVERY_S)
        try:
            while self.leases.names_held(BUILDS):
                if not is_told:
                    waiting()
                is_told = True
                time.sleep(ASKS_EVERY_S)
            self.store.sweep_scratch()
            yield
        finally:
            self.leases.give_back(QUIET)
