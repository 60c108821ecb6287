"""Which process something is of, and whether that is gone: told of processes of this system alone.

A home in a folder may be shared by machines, which do not see each other's processes.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import shutil
import time
import uuid
from functools import cache
from pathlib import Path

LEFT_S = 7 * 86_400.0
"""What a process of another system, or of this one before it was started anew, has not touched for so long is taken for
left behind."""


@cache
def place() -> str:
    """Return what processes share that see each other's ids: the running system and its namespace of processes."""
    with contextlib.suppress(OSError):
        boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
        return f"{boot}/{Path('/proc/self/ns/pid').readlink()}"
    return f"unknown/{uuid.uuid4().hex}"


def start_time(pid: int) -> str:
    """Return when a process started, by the system's clock ticks; empty if there is none of this id."""
    with contextlib.suppress(OSError, IndexError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19]
    return ""


def mark() -> str:
    """Return how the name of a file begins that is this process's own: `<id>-<place>-`."""
    return f"{os.getpid()}-{_short(place())}-"


PART = ".part-"
"""How the name of a file or folder begins that is being written beside what people named."""


_PART = re.compile(r"\.part-[1-9][0-9]*-[0-9a-f]{12}-[0-9a-f]{32}")
"""The whole of such a name; other programs' begin alike, and they are not touched (Spark's `.part-00000-….crc`)."""


def part(folder: Path) -> Path:
    """Return a new name of this process's own in a folder that people named, for what is not whole yet.

    What processes that are gone (kill -9) left there under such names is removed.
    """
    with contextlib.suppress(OSError):  # a folder that may be written to but not listed
        for path in list(folder.glob(f"{PART}*")):
            if not _PART.fullmatch(path.name) or not is_left(path):
                continue
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink(missing_ok=True)
    return folder / f"{PART}{mark()}{uuid.uuid4().hex}"


def is_left(path: Path) -> bool:
    """Return whether a marked file's process is gone; of another system's, whether nobody touched it for LEFT_S.

    A file without a mark is nobody's, and is not left.
    """
    pid, _, rest = path.name.removeprefix(PART).partition("-")
    if not pid.isdigit():
        return False
    if rest.partition("-")[0] == _short(place()):
        return not _is_running(int(pid))
    with contextlib.suppress(OSError):
        return time.time() - path.stat().st_mtime > LEFT_S
    return False


def _short(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def _is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
