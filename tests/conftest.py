"""Fixtures shared by all tests: the real data and worked cases beside the repository, when they are there."""

from __future__ import annotations

import hashlib
import json
import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from assets.core.garbage import look_seldom
from assets.step import RawFile
from schemas.source import Snapshot
from tests.bucket import Bucket, bucket
from tests.built import built_once
from tests.programs import chromium
from tests.small_world import SmallWorld, small_recipe

# Machines are shared and noisy: no test is timed, not even by hypothesis. CI tries the same examples in every run.
settings.register_profile("untimed", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("untimed")

# One cell after the other: the tests themselves share the cores. What runs on several says so.
os.environ.setdefault("TRIPWRIGHT_WORKERS", "1")

# Who starts tests in the background may have them ignore Ctrl-C, and with them each process that they start: those that
# are sent one would never end.
signal.signal(signal.SIGINT, signal.default_int_handler)

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared"

LONGEST_FIRST = ("perf", "pipelines", "hostile", ".")
"""Folders of tests whose files take minutes: begun last, one of them would keep one worker busy and the others idle."""


def pytest_xdist_auto_num_workers() -> int:
    """Return one worker more than there are cores: a fourth of the time, tests wait for processes that they started."""
    return (os.cpu_count() or 1) + 1


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the folders of the longest files first; within a folder the order stays."""
    place = {Path(__file__).parent / folder: number for number, folder in enumerate(LONGEST_FIRST)}
    items.sort(key=lambda item: place.get(item.path.parent, len(place)))


def pytest_configure() -> None:
    """Look for circles of objects as seldom as every command does, or collecting takes a tenth longer."""
    look_seldom()


def pytest_collection_finish() -> None:
    """Look for none among what was collected, or tests of builds take a twelfth longer."""
    look_seldom()


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Return the folder of real provider files; skips the test where there is none."""
    folder = SHARED / "data"
    if not folder.is_dir():
        pytest.skip("the real files (../shared/data) are not on this machine")
    return folder


@pytest.fixture(scope="session")
def golden_case() -> Callable[[str], dict[str, Any]]:
    """Return a function from a worked case's id to the case; skips the test where there are none."""
    path = SHARED / "golden" / "cases.json"
    if not path.is_file():
        pytest.skip("the worked cases (../shared/golden) are not on this machine")
    cases = {case["id"]: case for case in json.loads(path.read_text(encoding="utf-8"))}
    return cases.__getitem__


@pytest.fixture
def raw_file(tmp_path: Path) -> Callable[..., RawFile]:
    """Return a function from source, role and content (rows of JSON lines, text, bytes, or a file) to a raw file."""

    def make(source: str, role: str, content: list[Any] | str | bytes | Path, city_id: str | None = None) -> RawFile:
        if isinstance(content, list):
            content = "".join(json.dumps(row) + "\n" for row in content)
        data = content.encode() if isinstance(content, str) else content
        if isinstance(data, Path):
            path, data = data, data.read_bytes()
        else:
            path = tmp_path / f"{source}.{role}.{len(list(tmp_path.iterdir()))}"
            path.write_bytes(data)
        sha256 = hashlib.sha256(data).hexdigest()
        snapshot = Snapshot(
            source=source,
            role=role,
            city_id=city_id,
            location=f"{source}/{role}.json",
            sha256=sha256,
            size_bytes=len(data),
            licence_id="LicenseRef-invented",
        )
        return RawFile(snapshot, path)

    return make


@pytest.fixture(scope="session")
def served_bucket() -> Iterator[Bucket]:
    """Return an S3 server on loopback, without faults until a test asks for them."""
    with bucket() as served:
        yield served


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Return headless Chromium for one file of tests."""
    with chromium() as running:
        yield running


@pytest.fixture(scope="session")
def small_world(tmp_path_factory) -> SmallWorld:
    """Return the small recipe of all three families, built once for every worker; a test copies what it changes."""
    folder, built = built_once(tmp_path_factory, "small_world", small_recipe())
    releases = {release["family"]: Path(release["path"]) for release in built["releases"]}
    return SmallWorld(folder / "home", folder / "recipe.toml", releases)
