"""What lays bytes under paths. Nothing here knows keys.

Each can put what is absent and swap what is known, so that no writer replaces what it has not seen.
"""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

Tagged = tuple[bytes, str]
"""Bytes, and what tells them from every other state of the same path."""


class Backend(Protocol):
    """Bytes under paths. A missing path raises FileNotFoundError."""

    root: str
    is_local: bool

    def exists(self, path: str) -> bool:
        """Return whether there are bytes."""
        ...

    def read(self, path: str) -> Tagged:
        """Return the bytes and their tag."""
        ...

    def put(self, path: str, data: bytes | memoryview, synced: bool) -> None:
        """Replace what is there, as one step."""
        ...

    def put_new(self, path: str, data: bytes) -> bool:
        """Put the bytes unless there are any; return whether they were put."""
        ...

    def swap(self, path: str, data: bytes, tag: str) -> bool:
        """Replace the bytes that have this tag; return False, and change nothing, if others are there.

        A bucket's answer may be lost, and others may have swapped since: then False is returned of what was done. What
        is swapped must bear being done twice.
        """
        ...

    def put_file(self, path: str, file: Path) -> None:
        """Move a finished local file there, as one step."""
        ...

    def get_file(self, path: str, file: Path) -> None:
        """Copy the bytes to a local file."""
        ...

    def delete(self, path: str) -> None:
        """Remove the bytes, if there are any."""
        ...

    def size(self, path: str) -> int:
        """Return how many bytes there are."""
        ...

    def find(self, folder: str) -> list[str]:
        """Return every path below a folder, in order. Raises OSError where it cannot be listed."""
        ...
