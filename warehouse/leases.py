"""Leases: a name held by one process for a while, renewed as long as it lives, free again once it does not.

On the same machine a dead holder is seen at once, whatever the clock says. Another machine's lease says until when it
holds; should that be far off, for its clock is ahead or was set back, it holds until it was seen not to be renewed for
as long as a lease lasts. Leases save work and keep `gc` from builds; that bytes are right never rests on one.
"""

from __future__ import annotations

import contextlib
import json
import os
import threading
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from warehouse.owners import place, start_time
from warehouse.store import Store, StoreError

LEASES_KEY = "leases"
LASTS_S = 60.0
"""How long a lease holds that is not renewed; one that is alive is renewed three times as often."""

ASKS_EVERY_S = 0.2


class Leases:
    """The leases of a store."""

    def __init__(self, store: Store, lasts_s: float = LASTS_S) -> None:
        self._store, self._lasts_s = store, lasts_s
        self._token_by_key: dict[str, str] = {}
        self._last_tag_by_key: dict[str, tuple[str, float]] = {}
        self._lock = threading.Lock()
        self._keeper: threading.Thread | None = None

    def take(self, name: str) -> bool:
        """Take a name if nobody holds it, and renew it until it is given back; return whether it was taken."""
        key, token = f"{LEASES_KEY}/{name}", uuid.uuid4().hex
        if not self._store.put_new(key, self._body(token)):
            before = self._read_lease(key)
            if before is None:
                return self.take(name)
            holder, tag = before
            if self._holds(key, holder, tag) or not self._store.swap(key, self._body(token), tag):
                return False
        with self._lock:
            self._token_by_key[key] = token
            if self._keeper is None:
                self._keeper = threading.Thread(target=self._keep, daemon=True)
                self._keeper.start()
        return True

    def give_back(self, name: str) -> None:
        """Free a name that this process holds."""
        key = f"{LEASES_KEY}/{name}"
        with self._lock:
            token = self._token_by_key.pop(key, None)
        lease = self._read_lease(key)
        if token is not None and lease is not None and lease[0].get("token") == token:
            self._store.delete(key)

    def is_held(self, name: str) -> bool:
        """Return whether a process that lives, as far as can be told, holds a name."""
        lease = self._read_lease(key := f"{LEASES_KEY}/{name}")
        return lease is not None and self._holds(key, *lease)

    def names_held(self, prefix: str) -> list[str]:
        """Return the names below a prefix that are held, and clear away those of the dead."""
        names = []
        for key in list(self._store.keys(f"{LEASES_KEY}/{prefix}")):
            lease = self._read_lease(key)
            if lease is not None and self._holds(key, *lease):
                names.append(key.removeprefix(f"{LEASES_KEY}/"))
            elif lease is not None:
                self._store.delete(key)
        return names

    @contextmanager
    def holding(self, name: str) -> Iterator[bool]:
        """Hold a name inside the `with`, if it can be had; yields whether it could."""
        is_taken = self.take(name)
        try:
            yield is_taken
        finally:
            if is_taken:
                self.give_back(name)

    @contextmanager
    def alone(self, name: str) -> Iterator[None]:
        """Hold a name inside the `with`; waits for whoever holds it."""
        while not self.take(name):
            time.sleep(ASKS_EVERY_S)
        try:
            yield
        finally:
            self.give_back(name)

    def _keep(self) -> None:
        """Renew what is held, for as long as this process lives."""
        while True:
            time.sleep(self._lasts_s / 3)
            with self._lock:
                token_by_key = dict(self._token_by_key)
                if not token_by_key:
                    self._keeper = None
                    return
            for key, token in token_by_key.items():
                with contextlib.suppress(OSError, StoreError):  # a bucket that does not answer is asked again
                    lease = self._read_lease(key)
                    if lease is not None and lease[0].get("token") == token and key in self._token_by_key:
                        self._store.swap(key, self._body(token), lease[1])

    def _read_lease(self, key: str) -> tuple[dict[str, Any], str] | None:
        """Return what a lease says and its tag, None if there is none; one that is torn is nobody's."""
        try:
            data, tag = self._store.read_tagged(key)
        except StoreError:
            return None
        try:
            record = json.loads(data)
        except ValueError:
            record = {}
        return (record if isinstance(record, dict) else {}), tag

    def _holds(self, key: str, record: dict[str, Any], tag: str) -> bool:
        """Return whether a lease holds: its process is not known to be gone, and it is renewed as far as can be told.

        That it is renewed is told by this process's own steady clock: its tag was not the same for `lasts_s`.
        """
        until = record.get("until")
        if not isinstance(until, int | float):
            return False
        if record.get("place") == place() and isinstance(record.get("pid"), int):
            if record.get("started") != start_time(record["pid"]):
                return False
        elif until < time.time():
            return False
        seen_tag, since_s = self._last_tag_by_key.get(key, ("", 0.0))
        if seen_tag != tag:
            since_s = time.monotonic()
            self._last_tag_by_key[key] = (tag, since_s)
        return time.monotonic() - since_s <= self._lasts_s

    def _body(self, token: str) -> bytes:
        pid = os.getpid()
        record = {"token": token, "until": time.time() + self._lasts_s, "place": place(), "pid": pid}
        return json.dumps({**record, "started": start_time(pid)}).encode()
