"""A source's next file beside the last good one: what is worse enters no lock by itself."""

from __future__ import annotations

from pathlib import Path

from pipelines.walk.recipes import BoundFile
from schemas.source import Snapshot
from sources.formats.shape import Shape, shape_of, worse
from sources.formats.signature import FIRST_BYTES, signature_problem
from warehouse.home import Home


def why_unusable(bound: BoundFile, path: Path) -> str:
    """Return why the file is not one of its kind, or not whole; "" if it is both."""
    with path.open("rb") as file:
        problem = signature_problem(file.read(FIRST_BYTES), bound.path or bound.url or "", bound.format)
    return problem or shape_of(path).problem


def why_worse(home: Home, old: Snapshot, path: Path) -> str:
    """Return why the file is worse than the last good one; "" if it is not.

    Where the last one's bytes are not here, only its size is known.
    """
    shape = shape_of(path)
    if not home.snapshots.holds(old.sha256):
        return worse(Shape(shape.kind, frozenset(), old.size_bytes), shape)
    with home.snapshots.open(old) as before:
        return worse(shape_of(before), shape)
