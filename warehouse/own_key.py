"""A key that this user has on this machine: by it what was written into a home here is told from what others wrote.

It guards against whoever else can write in the home. Its own user could change the code as well.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
import stat
import uuid
from contextlib import suppress
from pathlib import Path

from warehouse.cache import cache_folder

KEY_FILE = "key"
"""Below the user's cache; to lose it costs time, since what was signed by it is then made again."""

KEY_BYTES = 32


def signature(name: str, data: bytes) -> str | None:
    """Return this user's signature of bytes that a home keeps under a name; None where no key can be kept."""
    key = _own_key(cache_folder() / KEY_FILE)
    return hmac.new(key, name.encode() + b"\0" + data, hashlib.sha256).hexdigest() if key is not None else None


def is_signed(name: str, data: bytes, stated: bytes) -> bool:
    """Return whether this user signed these bytes under this name."""
    expected = signature(name, data)
    return expected is not None and hmac.compare_digest(expected.encode(), stated)


def _own_key(path: Path) -> bytes | None:
    """Return the key in a file, made where there is none; None if it is not this user's alone, or cannot be kept."""
    with suppress(OSError):
        if not path.exists():
            _make(path)
        with os.fdopen(os.open(path, os.O_RDONLY | os.O_NOFOLLOW), "rb") as file:
            state = os.fstat(file.fileno())
            is_ours = state.st_uid == os.getuid() and not stat.S_IMODE(state.st_mode) & 0o077
            key = file.read(KEY_BYTES + 1)
        return key if is_ours and len(key) == KEY_BYTES else None
    return None


def _make(path: Path) -> None:
    """Write a new key, whole or not at all; one that another process wrote meanwhile stays."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f"{path.name}.{os.getpid()}-{uuid.uuid4().hex[:8]}.part")
    try:
        with os.fdopen(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(secrets.token_bytes(KEY_BYTES))
        with suppress(FileExistsError):
            os.link(partial, path)
    finally:
        partial.unlink(missing_ok=True)
