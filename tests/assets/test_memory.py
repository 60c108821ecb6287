"""What was freed is returned to the system, Arrow's and Python's, though something small was made after it."""

from __future__ import annotations

import subprocess
import sys

import pytest

FREED_MB = 100
TRY = """
import resource
from pathlib import Path
import pyarrow as pa
from assets.core.memory import give_back

def held_mb():
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize() >> 20

made = [{one} for _ in range({count})]
last = made.pop()  # above the others, which keeps a heap from shrinking by itself
del made
before = held_mb()
give_back()
print(before - held_mb())
"""


@pytest.mark.parametrize(("one", "bytes_of_one"), [("bytes(1024)", 1024), ("pa.array(range(1000))", 8000)])
def test_what_was_freed_is_returned_though_something_made_after_it_stays(one, bytes_of_one):
    text = TRY.format(one=one, count=(FREED_MB << 20) // bytes_of_one)
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True)
    assert int(done.stdout) > FREED_MB / 2
