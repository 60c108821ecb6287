"""The ledger of model calls: append-only, one record per exact request, shared by every build of a home."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from typing import Any

from warehouse.store import Store, StoreError


class Ledger:
    """Answers by request. A record is a blob of its own: no writer waits, kill -9 loses only the call in flight."""

    def __init__(self, store: Store) -> None:
        self._store = store

    @staticmethod
    def key(request: bytes, revision: str) -> str:
        """Return the key of a call: sha256 over the exact request bytes and the endpoint's model revision."""
        return hashlib.sha256(len(request).to_bytes(8, "big") + request + revision.encode()).hexdigest()

    def find(self, key: str) -> dict[str, Any] | None:
        """Return the recorded call, or None if it was never made."""
        if not self._store.exists(_path(key)):
            return None
        record = json.loads(self._store.read(_path(key)))
        if record.get("key") != key:
            raise StoreError(f"ledger record {key} names another call ({record.get('key')}); delete it and build again")
        return record

    def add(self, key: str, *, request: bytes, answer: str, **facts: Any) -> None:
        """Record an answered call. The first record of a key stays: an answer paid for is never replaced."""
        if self._store.exists(_path(key)):
            return
        record = {"key": key, "request": request.decode(), "answer": answer, **facts}
        self._store.put(_path(key), json.dumps(record, sort_keys=True, ensure_ascii=False).encode())

    def records(self) -> Iterator[dict[str, Any]]:
        """Yield every recorded call, in the order of their keys."""
        for path in self._store.keys("ledger"):
            yield json.loads(self._store.read(path))


def _path(key: str) -> str:
    return f"ledger/{key[:2]}/{key}.json"
