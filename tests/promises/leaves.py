"""Every leaf of a manifest changed alone, and which of these changes nobody names."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from assets.release.reading import OpenedRelease, ReleaseError, unverified_release
from schemas.release import Manifest
from warehouse.releases import manifest_bytes

DEEPEST = 3
"""What lies deeper is changed with what holds it: an audit compares all of that at once."""


def nodes(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], Any]]:
    """Yield what a manifest says, and where: what holds something and what it holds."""
    if path:
        yield path, value
    if len(path) == DEEPEST:
        return
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, held in inner:
        yield from nodes(held, (*path, key))


def others(value: Any) -> Iterator[Any]:
    """Yield what says something else than a value: another, one of another type, one more, one less."""
    if isinstance(value, bool):
        yield from (not value, int(value))
    elif isinstance(value, int | float):
        yield from (value + 1, float(value) if isinstance(value, int) else value * (1 + 1e-9))
    elif isinstance(value, list):
        yield from ([*value, value[0] if value else "x"], value[1:])
    elif isinstance(value, dict):
        yield from (value | {"more": None}, dict([*value.items()][1:]))
    else:
        yield "x" if value is None else f"{value}x"


def edits(manifest: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield manifests in which one thing is otherwise, and its name; of the items of a list, and of cities, one.

    Each is otherwise in one way, the next one in another: each edit is an audit, and what compares them is the same.
    """
    cities, tried = {city["city_id"] for city in manifest["cities"]}, set()
    for path, value in nodes(manifest):
        name = "/".join("*" if isinstance(key, int) or key in cities else key for key in path)
        if name in tried:
            continue
        ways = [*others(value)]
        changed = copy.deepcopy(manifest)
        inner: Any = changed
        for key in path[:-1]:
            inner = inner[key]
        inner[path[-1]] = ways[len(tried) % len(ways)]
        tried.add(name)
        yield name, changed


def unnamed(
    folder: Path, believed: tuple[str, ...], problems: Callable[[OpenedRelease, str], Iterable[Iterable[str]]]
) -> list[str]:
    """Return the leaves of which a change is not among `problems`, of the release so changed and the leaf's name.

    What no manifest can say is named when it is opened; what begins with `believed` is not tried.
    """
    honest = (folder / "manifest.json").read_bytes()
    leaves = set[str]()
    for leaf, changed in edits(json.loads(honest)):
        if leaf.startswith(believed):
            continue
        try:
            data = manifest_bytes(Manifest.model_validate(changed))
            (folder / "manifest.json").write_bytes(data)
            release = unverified_release(folder)
        except (ValidationError, ReleaseError):
            continue
        if data != honest and not any(True for some in problems(release, leaf) for _ in some):
            leaves.add(leaf)
    (folder / "manifest.json").write_bytes(honest)
    return sorted(leaves)
