"""The ledger of model calls: append-only, one record per exact request, shared by every build of a home.

A record is one line of JSON. How lines are kept, on a disk or in an object store, is `ledger_files.py`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

from schemas.stable import call_hash, compact_json
from warehouse.ledger_files import Place, local_lines, remote_lines
from warehouse.store import Store, StoreError

_KEY = re.compile(rb'{"key":"([0-9a-f]{64})"')
"""How a record begins; a line that does not is none: a writer was killed in it, or it was damaged."""


class Ledger:
    """Replies by request. A killed writer loses the call in flight, and no writer ever replaces a record."""

    def __init__(self, store: Store) -> None:
        folder = store.folder("ledger")
        self.is_remote = folder is None
        """Whether adding waits for a network, so that an event loop should leave it to a thread."""
        self._lines = remote_lines(store) if folder is None else local_lines(folder)
        self._places: dict[bytes, Place] = {}

    @staticmethod
    def key(request: bytes, endpoint: str) -> str:
        """Return the key of a call: sha256 over the exact request bytes and the address of the endpoint."""
        return call_hash(request, endpoint)

    def find(self, key: str) -> dict[str, Any] | None:
        """Return the recorded call, or None if it was never made. Sees at once what other builds recorded."""
        if bytes.fromhex(key) not in self._places:
            self.refresh()
        return self.known_call(key)

    def known_call(self, key: str) -> dict[str, Any] | None:
        """Return the recorded call, or None if it was not recorded when this ledger last looked: for many in a row."""
        return self._read_record(key) if bytes.fromhex(key) in self._places else None

    def add(self, /, *, request: bytes, endpoint: str, answer: str, **facts: Any) -> dict[str, Any]:
        """Record an answered call and return the record that stands: the first of a key, whoever wrote it.

        Several threads may add calls of different keys at once. Raises StoreError if it cannot be written; nothing
        recorded before is lost by that.
        """
        key = self.key(request, endpoint)
        record = {"key": key, "request": request.decode(), "endpoint": endpoint, "answer": answer, **facts}
        line = _line(record)
        with self._lines.writing() as is_alone:
            if is_alone:
                self.refresh()
            if bytes.fromhex(key) in self._places:
                return self._read_record(key)
            self._places[bytes.fromhex(key)] = self._lines.append(line)
        return record

    def records(self) -> Iterator[dict[str, Any]]:
        """Yield every recorded call, in the order of their keys."""
        self.refresh()
        for short in sorted(self._places):
            yield self._read_record(short.hex())

    def remove(self, is_unwanted: Callable[[dict[str, Any]], bool]) -> int:
        """Forget the records of which `is_unwanted` holds, and return how many; the others become one file."""
        with self._lines.writing():
            self.refresh()
            records = [self._read_record(short.hex()) for short in sorted(self._places)]
            other_records = [record for record in records if not is_unwanted(record)]
            self._lines.replace_all([_line(record) for record in other_records])
            self._places.clear()
            self.refresh()
        return len(records) - len(other_records)

    def close(self) -> None:
        """Put this process's small files together, where the store keeps a file a record."""
        self._lines.close()

    def refresh(self) -> None:
        """Look for what other builds recorded."""
        for line_start, place in self._lines.new():
            if key := _KEY.match(line_start):
                self._places.setdefault(bytes.fromhex(key[1].decode()), place)

    def _read_record(self, key: str) -> dict[str, Any]:
        line = self._lines.read(self._places[bytes.fromhex(key)])
        record: dict[str, Any] = {}
        try:
            record = json.loads(line)
            record_key = self.key(record["request"].encode(), record["endpoint"])
        except (ValueError, KeyError, TypeError, AttributeError):
            record_key = "unreadable"
        if record_key != key or record.get("key") != key:
            raise StoreError(
                f"ledger record {key} holds another call ({record_key}): the file was changed. "
                "Restore the files of the ledger from a copy, or delete that line, and build again."
            )
        return record


def _line(record: dict[str, Any]) -> bytes:
    """Return a record as it is kept; what UTF-8 does not hold, half of a surrogate pair, stays spelled as in JSON."""
    return compact_json(record).encode("utf-8", "backslashreplace")
