"""The lock beside a recipe: read, sealed against edits by hand, and replaced as a whole."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path

from pydantic import ValidationError

from pipelines.walk.recipes import LoadedRecipe, RecipeError
from schemas.recipe import RecipeLock


def read_lock(path: Path) -> RecipeLock | None:
    """Return a recipe's lock, None if there is none. Raises RecipeError if it is not as tripwright wrote it."""
    if not path.exists():
        return None
    remedy = "Restore it, or delete it and build again to lock the files as they are."
    try:
        lock = RecipeLock.model_validate_json(path.read_bytes())
    except ValidationError as error:
        raise RecipeError(
            f"{path}: not a lock that tripwright wrote ({error.error_count()} problems, first: "
            f"{error.errors()[0]['msg']}). {remedy}"
        ) from None
    if lock.seal != lock.sealed().seal:
        raise RecipeError(f"{path}: changed since tripwright wrote it (its seal does not fit what it says). {remedy}")
    return lock


def write_lock(path: Path, lock: RecipeLock) -> None:
    """Replace a recipe's lock, as one step."""
    with tempfile.NamedTemporaryFile("w", dir=path.parent, prefix=".lock-", delete=False, encoding="utf-8") as file:
        try:
            file.write(lock.sealed().model_dump_json(indent=1) + "\n")
            file.flush()
            os.fsync(file.fileno())
            Path(file.name).chmod(0o644)
            Path(file.name).replace(path)
        except OSError:
            with contextlib.suppress(OSError):
                Path(file.name).unlink()
            raise


def lock_difference(loaded: LoadedRecipe, before: RecipeLock | None, now: RecipeLock) -> str:
    """Return in words how the inputs differ from the lock, for a build that may not change it."""
    if before is None:
        return f"{loaded.lock_path}: found no lock, and --locked forbids writing one; build once without --locked"
    old = {(s.source, s.role, s.city_id, s.location): s.sha256 for s in before.snapshots}
    new = {(s.source, s.role, s.city_id, s.location): s.sha256 for s in now.snapshots}
    lines = [f"  - {key[3]}: " + _change(old.get(key), new.get(key)) for key in sorted({*old, *new}, key=str)]
    changed = [line for line in lines if not line.endswith("same")]
    shown = "\n".join(changed) or "  - licence, url or date of a file"
    return f"{loaded.lock_path}: inputs differ from the lock, and --locked forbids changing it:\n{shown}"


def _change(old: str | None, new: str | None) -> str:
    if old == new:
        return "same"
    if old is None or new is None:
        return "not in the lock" if old is None else "no longer in the recipe"
    return f"locked as {old[:12]}…, found {new[:12]}…"
