"""What measuring leaves in the process that measures ends with the test."""

from __future__ import annotations

from collections.abc import Iterator

import psutil
import pytest

from perf.computed import adopt


@pytest.fixture(autouse=True)
def _adopts_no_longer() -> Iterator[None]:
    """End the adoption of orphans, and let those go that have ended: other tests look at the processes they leave."""
    yield
    adopt(False)
    for child in psutil.Process().children():
        if child.status() == psutil.STATUS_ZOMBIE:
            child.wait()
