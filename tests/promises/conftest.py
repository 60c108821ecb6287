"""What several files of tests edit or look at: the small world's ItinBench release, and the raw files of its home."""

from __future__ import annotations

import pytest

from assets.release.reading import OpenedRelease, open_release
from tests.small_world import SmallWorld
from warehouse.home import Home
from warehouse.snapshots import Snapshots


@pytest.fixture(scope="module")
def release(small_world: SmallWorld) -> OpenedRelease:
    """Return the small world's ItinBench release."""
    return open_release(small_world.releases["itinbench"])


@pytest.fixture(scope="module")
def snapshots(small_world: SmallWorld) -> Snapshots:
    """Return the raw files of the small world's home."""
    return Home(str(small_world.home)).snapshots
