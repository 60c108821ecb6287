"""A source's next file beside the last good one: what is worse enters no lock unless a person accepts it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from pipelines.walk.recipes import BoundFile, LoadedRecipe, RecipeError, bound_files
from schemas.source import Snapshot, SourceError
from sources.formats.shape import Shape, shape_of, worse
from sources.formats.signature import FIRST_BYTES, signature_problem
from warehouse.home import Home


def require_no_worse(home: Home, bound: BoundFile, old: Snapshot | None, accepted: frozenset[str], path: Path) -> None:
    """Raise SourceError if the file is not one of its kind, or worse than the last one and its role not accepted."""
    role = f"{bound.source.name}.{bound.role}"
    with path.open("rb") as file:
        problem = signature_problem(file.read(FIRST_BYTES), bound.path or bound.url or "", bound.format)
    shape = shape_of(path)
    problem = problem or shape.problem
    if not problem and old is not None and role not in accepted:
        problem = worse(_shape_of(home, old, shape), shape)
        problem += f". Accept it with --accept {role}" if problem else ""
    if problem:
        raise SourceError(f"{bound.path or bound.url}: {problem}")


def accepted_roles(loaded: LoadedRecipe, accept: Iterable[str]) -> frozenset[str]:
    """Return the roles that a person accepts. Raises RecipeError for one of which the recipe binds no file."""
    roles = {f"{bound.source.name}.{bound.role}" for bound in bound_files(loaded.recipe)}
    unknown = sorted(set(accept) - roles)
    if unknown:
        raise RecipeError(f"--accept {unknown[0]}: the recipe binds no such file; it binds {', '.join(sorted(roles))}")
    return frozenset(accept)


def _shape_of(home: Home, old: Snapshot, new: Shape) -> Shape:
    """Return the shape of the last good file; where its bytes are not here, only its size is known."""
    if not home.snapshots.holds(old.sha256):
        return Shape(new.kind, frozenset(), old.size_bytes)
    with home.snapshots.open(old) as path:
        return shape_of(path)
