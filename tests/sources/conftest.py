"""Fixtures for readers: bytes written to a file, as a reader gets it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from schemas.recipe import City
from schemas.recipe_values import Box
from schemas.source import MAX_UNREADABLE, Snapshot
from sources.osm.town import TownMap
from tests.sources.osm_text import osm


@dataclass(frozen=True)
class Given:
    """A raw file as a step hands it to a reader."""

    snapshot: Snapshot
    path: Path
    max_unreadable: float = MAX_UNREADABLE


def given_file(path: Path, source: str, role: str, location: str | None = None) -> Given:
    """Return an existing file with the snapshot that a lock would hold."""
    content = path.read_bytes()
    return Given(
        Snapshot(
            source=source,
            role=role,
            location=location or path.name,
            sha256=hashlib.sha256(content).hexdigest(),
            size_bytes=len(content),
            licence_id="LicenseRef-unverified",
        ),
        path,
    )


@pytest.fixture
def given_bytes(tmp_path: Path) -> Callable[..., Given]:
    """Return a function from bytes (or text), source and role to a raw file whose path says nothing of its format."""

    def write(content: bytes | str, source: str, role: str, location: str = "file") -> Given:
        data = content.encode() if isinstance(content, str) else content
        path = tmp_path / hashlib.sha256(data).hexdigest()
        path.write_bytes(data)
        return given_file(path, source, role, location)

    return write


@pytest.fixture(scope="session")
def given_path() -> Callable[..., Given]:
    """Return a function from an existing path, source and role to a raw file."""
    return given_file


@pytest.fixture(scope="session")
def everywhere() -> City:
    """Return a city whose box is the globe."""
    return City(
        city_id="xx-everywhere", name="Everywhere", country="XX", currency="EUR",
        box=Box(south=-90, west=-180, north=90, east=180),
    )  # fmt: skip


@pytest.fixture
def town_map(tmp_path) -> Callable[..., TownMap]:
    """Return a function from OSM XML elements to the map of them, as a town is looked for in it."""

    def read(*elements: str) -> TownMap:
        path = tmp_path / "map.osm"
        path.write_text(osm(*elements))
        return TownMap(path)

    return read
