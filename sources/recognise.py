"""Which source and role a given file is of, told by what is in it: never by its name, which anybody may choose."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from schemas.counts import listed
from schemas.source import SourceError
from sources.formats.csv_records import OTHER_SEPARATORS
from sources.formats.unpacking import packing
from sources.lookalikes import lookalike_of, nearly
from sources.looks import Look, description, look_at, separator
from sources.registry import SOURCES
from sources.roles import ROLES, Role, alike, is_alike, role_of


@dataclass(frozen=True)
class Recognised:
    """A file with the source and the role that its content is of."""

    path: Path
    source: str
    role: str


def recognised(path: Path) -> Recognised:
    """Return what the file is. Raises SourceError naming what was found, and what there is, if it is of no source.

    Also if it is of one that no recipe is first written of.
    """
    if path.is_dir():
        raise SourceError(f"{path}: found a folder; expected a file. Name each file in it that is to be read.")
    if not path.is_file():
        raise SourceError(f"{path}: found no file; expected one of a source that `tripwright sources` lists.")
    look = look_at(path)
    role = role_of(look)
    if role and not role.by_hand:
        return Recognised(path, role.source, role.role)
    if look.shape.problem:
        raise SourceError(
            f"{path.name}: found a file that is {look.shape.problem}; expected a whole one. "
            "Get it again, or pack it anew."
        )
    by_itself = sorted({role.source for role in ROLES if not role.by_hand})
    expected = f"expected one of {', '.join(by_itself)}"
    if role:
        raise SourceError(
            f"{path.name}: found a file of {SOURCES[role.source].title}; {expected}. Write it into a recipe by hand, "
            f"as {_names(role)} under [sources.{role.source}]."
        )
    if kind := lookalike_of(look):
        raise SourceError(f"{path.name}: found {kind.what}; {expected}. {kind.remedy}.")
    packed_in = packing(look.unpacked) if look.shape.kind != "zip" else None
    if packed_in or any(name.endswith(".zip") for name in look.shape.names):
        what, remedy = packed_in or ("a zip archive of zip archives", "Unpack it (unzip)")
        raise SourceError(
            f"{path.name}: found {what}; expected the files that it holds. {remedy}, and give what comes of it."
        )
    raise SourceError(f"{path.name}: found a file that {description(look)}; {expected}. {_advice(look)}")


def other_role(path: Path, source: str, role: str) -> str:
    """Return in words what a file is that was bound to a role; empty if it is of that role, or nobody knows.

    For whoever could not read it there.
    """
    try:
        look = look_at(path)
    except OSError:
        return ""
    if any(own.fits(look) for own in ROLES if is_alike(own, source, role)):
        return ""
    if fitting := role_of(look):
        of_source = SOURCES[fitting.source].title
        return f"It looks like a file of {of_source}: bind it to {_names(fitting)} of the source `{fitting.source}`."
    kind = lookalike_of(look)
    return f"It looks like {kind.what}. {kind.remedy}." if kind else ""


def _names(role: Role) -> str:
    return listed([f"`{name}`" for name in alike(role)], "or")


def _advice(look: Look) -> str:
    """Return what to do about a file of no source."""
    if mark := separator(look):
        return f"Save it with commas in place of {OTHER_SEPARATORS[mark]}, and numbers with a point before decimals."
    near = nearly(look)
    return f"{near}. " * bool(near) + "`tripwright sources` says what each gives."
