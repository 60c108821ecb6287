"""The lock beside a recipe: read, sealed against edits by hand, and replaced as a whole."""

from __future__ import annotations

import contextlib
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

from pydantic import ValidationError

from pipelines.walk.recipes import LoadedRecipe, RecipeError
from schemas.counts import counted
from schemas.problems import in_our_words
from schemas.recipe import RecipeLock
from schemas.source import Snapshot
from warehouse.owners import part


def read_lock(path: Path) -> RecipeLock | None:
    """Return a recipe's lock, None if there is none. Raises RecipeError if it is not as tripwright wrote it."""
    if not path.exists():
        return None
    remedy = "Restore it, or delete it and build again to lock the files as they are."
    try:
        lock = RecipeLock.model_validate_json(path.read_bytes())
    except ValidationError as error:
        raise RecipeError(
            f"{path}: not a lock that tripwright wrote ({counted(error.error_count(), 'problem')}, first: "
            f"{in_our_words(error.errors()[0]['msg'])}). {remedy}"
        ) from None
    if lock.seal != lock.sealed().seal:
        raise RecipeError(f"{path}: changed since tripwright wrote it (its seal does not fit what it says). {remedy}")
    return lock


def write_lock(path: Path, lock: RecipeLock, before: RecipeLock | None) -> None:
    """Replace a recipe's lock, as one step; `before` is the lock that it was made from.

    Where another build has changed it since, the two are merged file by file: what this one did not change stays as the
    other left it, and tasks that either retired are retired.
    """
    with folder_held(path.parent):
        now = read_lock(path)
        if now is not None and now != before:
            lock = merged(lock, before, now)
        _replace(path, lock)


def merged(ours: RecipeLock, before: RecipeLock | None, now: RecipeLock) -> RecipeLock:
    """Return our lock with what others changed since `before` and we did not, sealed."""
    was, theirs = ({_key(s): s for s in (lock.snapshots if lock else [])} for lock in (before, now))
    snapshots = [
        theirs[key] if key in theirs and was.get(key) == snapshot else snapshot
        for snapshot in ours.snapshots
        for key in [_key(snapshot)]
    ]
    ids = {task.task_id for task in ours.retired}
    gone = {task.task_id for task in (before.retired if before else [])} - ids
    retired = [*ours.retired, *(t for t in now.retired if t.task_id not in ids | gone)]
    return ours.model_copy(update={"snapshots": snapshots, "retired": retired}).sealed()


def _key(snapshot: Snapshot) -> tuple[str, str, str | None, str]:
    return snapshot.source, snapshot.role, snapshot.city_id, snapshot.location


@contextlib.contextmanager
def folder_held(folder: Path) -> Iterator[None]:
    """Hold a recipe's folder, by a lock that the system lets go when its holder ends, however it ends."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _replace(path: Path, lock: RecipeLock) -> None:
    partial = part(path.parent)
    try:
        with partial.open("w", encoding="utf-8") as file:
            file.write(lock.sealed().model_dump_json(indent=1) + "\n")
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)
    except BaseException as error:
        with contextlib.suppress(OSError):
            partial.unlink()
        if isinstance(error, OSError) and error.filename:
            error.filename = str(path)
        raise


def lock_difference(loaded: LoadedRecipe, before: RecipeLock | None, now: RecipeLock) -> str:
    """Return in words how the inputs differ from the lock, for a build that may not change it."""
    if before is None:
        return f"{loaded.lock_path}: found no lock, and --locked forbids writing one; build once without --locked"
    old, new = ({_key(s): s.sha256 for s in lock.snapshots} for lock in (before, now))
    lines = [f"  - {key[3]}: " + _change(old.get(key), new.get(key)) for key in sorted({*old, *new}, key=str)]
    changed = [line for line in lines if not line.endswith("same")]
    change_lines = "\n".join(changed) or "  - licence, url or date of a file"
    return f"{loaded.lock_path}: inputs differ from the lock, and --locked forbids changing it:\n{change_lines}"


def _change(old: str | None, new: str | None) -> str:
    if old == new:
        return "same"
    if old is None or new is None:
        return "not in the lock" if old is None else "no longer in the recipe"
    return f"locked as {old[:12]}…, found {new[:12]}…"
