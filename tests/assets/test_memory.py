"""What was freed is returned to the system, though something small was made after it."""

from __future__ import annotations

import subprocess
import sys

import pytest

FREED_MB = 100
TRY = f"""
from pathlib import Path
from assets.core.memory import give_back

def held_mb():
    return int(Path("/proc/self/statm").read_text().split()[1]) >> 8  # of pages of 4 KiB

made = [bytes(1024) for _ in range({FREED_MB} * 1024)]
last = made.pop()  # above the others in the heap, which cannot shrink while it is there
import pyarrow
del made
before = held_mb()
give_back()
print(before - held_mb())
"""


@pytest.mark.skipif(sys.platform != "linux", reason="malloc_trim is glibc's")
def test_what_was_freed_is_returned_though_something_made_after_it_stays():
    done = subprocess.run([sys.executable, "-c", TRY], capture_output=True, text=True, check=True)
    assert int(done.stdout) > FREED_MB / 2
