"""What a home keeps that no release and no recipe's lock points at, and freeing it.

Kept are: every release, the raw files that releases and locks name, the last records and tables of recipes whose lock
is there, and every answer of a model, which was paid for. Only kinds of files named here are ever freed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError

from assets.promises.verdicts import VERDICTS_KEY
from pipelines.releases.rebuild import REBUILT_KEY
from pipelines.walk.inputs import RECIPES_KEY, noted_lock
from pipelines.walk.jobs import JOBS_KEY
from pipelines.walk.locks import read_lock
from pipelines.walk.shards import SHARDS_KEY
from schemas.recipe import RecipeLock
from warehouse.build_records import BuiltStep
from warehouse.disk import is_full
from warehouse.home import Home
from warehouse.releases import ReleaseRef
from warehouse.snapshots import SEEN
from warehouse.store import StoreError
from warehouse.tables import TableVersion

ROOM_BYTES = 1 << 14
"""Of a lease, and of what is written beside it: a few blocks."""


@dataclass
class Unneeded:
    """Keys that nothing points at, by kind in the order in which they may be deleted, and the locks that were heard."""

    keys: dict[str, list[str]] = field(default_factory=dict)
    size_bytes: dict[str, int] = field(default_factory=dict)
    recipes: list[str] = field(default_factory=list)
    recipes_gone: list[str] = field(default_factory=list)
    deleted: bool = False

    def as_json(self) -> dict[str, Any]:
        """Return what `gc` answers under `--json`."""
        kinds = {kind: {"files": len(keys), "bytes": self.size_bytes[kind]} for kind, keys in self.keys.items()}
        return {
            "deleted": self.deleted,
            "unneeded": kinds,
            "bytes": sum(self.size_bytes.values()),
            "recipes": self.recipes,
            "recipes_gone": self.recipes_gone,
        }


def make_room(home: Home) -> None:
    """Free what any process can do without, where the disk is so full that not even `gc`'s lease can be written.

    The home must not be quiet for that: these are memories, made anew by whoever misses them.
    """
    for key in [SEEN, *home.store.keys(VERDICTS_KEY)] if home.store.is_local else ():
        try:
            with home.store.scratch() as folder:
                (folder / "room").write_bytes(bytes(ROOM_BYTES))
        except OSError as error:
            if not is_full(error):
                raise
            home.store.delete(key)
        else:
            return


def collect_garbage(home: Home, *, delete: bool = False) -> Unneeded:
    """Return what nothing points at, and with `delete` free it.

    The home must be quiet (`Home.quiet`): nothing that a running build needs is freed. Pointers go before what they
    point at, so that a killed run leaves a home that builds. Raises RecipeError if a recipe's lock cannot be read, and
    StoreError if what leads to one, to a record or to raw files is damaged: what is needed is not known then.
    """
    garbage = Unneeded()
    locks = list(_locks(home, garbage))
    releases = list(_releases(home))
    complete_keys = {ref.key for ref in releases}
    raw = {s.sha256 for lock in locks for s in lock.snapshots}
    raw |= {s.sha256 for ref in releases for s in home.releases.manifest(ref).inputs}
    live = {lock.recipe for lock in locks}
    latest = {key: home.store.read(key).decode(errors="replace") for key in home.store.keys("latest")}
    fingerprints = {_fingerprint(home, key, value) for key, value in latest.items() if key.split("/")[1] in live}
    records = {key: home.built.load(key) for key in home.store.keys("built")}
    needed_records = {
        key: built for key, built in records.items() if built is not None and built.fingerprint in fingerprints
    }
    tables = {version.key for built in needed_records.values() for version in _versions(built)}
    garbage.keys = {
        "release pointers": [key for key in home.store.keys("released") if not _leads(home, key, complete_keys)],
        "unfinished releases": list(_unfinished(home, releases)),
        "last records of recipes that are gone": [key for key in latest if key.split("/")[1] not in live],
        "records of steps": sorted(set(records) - set(needed_records)),
        "copies of recipes and locks for cells": list(home.store.keys(JOBS_KEY)),
        "shards of steps": list(home.store.keys(SHARDS_KEY)),
        "verdicts of gates": list(home.store.keys(VERDICTS_KEY)),
        "homes of audits": list(home.store.keys(REBUILT_KEY)),
        "tables": [key for key in home.store.keys("tables") if key not in tables],
        "lists of invented files": [key for key in home.store.keys("invented") if not _is_of(home, key, raw)],
        "answers of addresses": [key for key in home.store.keys("fetched") if _sha256(home, key) not in raw],
        "broken transfers": list(home.store.keys("fetch")),
        "raw files": [key for key in home.store.keys("raw") if key.count("/") == 2 and key.split("/")[2] not in raw],
    }
    garbage.keys = {kind: keys for kind, keys in garbage.keys.items() if keys}
    garbage.size_bytes = {kind: sum(map(home.store.size, keys)) for kind, keys in garbage.keys.items()}
    if delete:
        for keys in garbage.keys.values():
            for key in keys:
                home.store.delete(key)
        garbage.deleted = True
    return garbage


def _locks(home: Home, garbage: Unneeded) -> Iterator[RecipeLock]:
    """Yield the locks of all recipes that were ever built here and are still where they were."""
    for key in home.store.keys(RECIPES_KEY):
        path = noted_lock(home, key)
        if path is None:
            raise _damaged(home, key, "where the lock of a recipe is")
        lock = read_lock(path)
        if lock is None:
            garbage.recipes_gone.append(str(path))
        else:
            garbage.recipes.append(str(path))
            yield lock


def _fingerprint(home: Home, key: str, value: str) -> str:
    if not re.fullmatch("[0-9a-f]{64}", value):
        raise _damaged(home, key, "the fingerprint of a step's last record")
    return value


def _damaged(home: Home, key: str, expected: str) -> StoreError:
    return StoreError(
        f"{home.store.url}/{key}: damaged: expected {expected}. Nothing is freed, for what it leads to may be needed. "
        "Build its recipe again, which writes it anew; if that is gone, delete the file."
    )


def _releases(home: Home) -> Iterator[ReleaseRef]:
    yield from home.releases.find("")


def _leads(home: Home, key: str, releases: set[str]) -> bool:
    """Return whether a pointer is to a release; one that is damaged is not, and a build writes it anew."""
    pointer, *_ = home.store.read(key).decode(errors="replace").split("\n")
    return f"releases/{pointer}" in releases


def _unfinished(home: Home, releases: list[ReleaseRef]) -> Iterator[str]:
    """Yield the files of releases whose manifest was never written: a build was killed."""
    complete_keys = {ref.key for ref in releases}
    complete_keys |= {ref.key for ref in home.opened.find("")}
    for key in (*home.store.keys("releases"), *home.store.keys("opened")):
        parts = key.split("/")
        if len(parts) > 4 and "/".join(parts[:4]) not in complete_keys:
            yield key


def _is_of(home: Home, key: str, raw: set[str]) -> bool:
    """Return whether a list of invented files names needed files only; a damaged one is made anew by who needs it."""
    try:
        return {s.sha256 for s in RecipeLock.model_validate_json(home.store.read(key)).snapshots} <= raw
    except ValidationError:
        return False


def _sha256(home: Home, key: str) -> str | None:
    """Return the hash of what an address gave; None of a damaged record: the address is asked again."""
    try:
        return json.loads(home.store.read(key))["sha256"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return None


def _versions(built: BuiltStep) -> list[TableVersion]:
    """Return every table version that the record of a step names."""
    return [*built.outputs.values(), built.rejections, *([built.generations] if built.generations else [])]
