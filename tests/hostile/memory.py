"""The most memory that this process has held."""

from __future__ import annotations

import re
from pathlib import Path


def peak_mb() -> int:
    """Return the largest resident size of this program so far, in MB.

    `getrusage` would not do: what it says of a child begins with the size of the process that started it.
    """
    found = re.search(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text())
    assert found is not None
    return int(found[1]) >> 10
