"""How a release about to be published differs from the one before; one whose difference has no reason is refused."""

from __future__ import annotations

from collections.abc import Callable

from assets.release.changes import changes_page, first_page, not_compared_page
from assets.release.diff import Difference, difference
from assets.release.reading import open_release, release_problems
from assets.release.sides import Side, opened_side
from schemas.errors import ExpectedError
from warehouse.home import Home
from warehouse.releases import ReleaseRef

SHOWN = 5


class UnexplainedError(ExpectedError):
    """A release differs from the one before while nothing that it is made from does; names what differs."""


def changes_since(
    home: Home, previous: ReleaseRef | None, new: Side, tell: Callable[[str], None]
) -> tuple[Difference | None, bytes]:
    """Return the difference from the previous release, and its page; None if there is no previous release.

    A previous release that is damaged, or was removed, is not compared with, which is told and stands on the page.
    Raises UnexplainedError if a task or row differs without a reason.
    """
    if previous is None:
        return None, first_page(new.manifest.title).encode()
    if not home.releases.is_here(previous):
        tell(f"{new.manifest.family}: {removed(previous)}, so this one is compared with none")
        return None, not_compared_page(new.manifest.title, f"{removed(previous)}.", []).encode()
    problems = release_problems(home.releases.folder(previous))
    if problems:
        tell(f"release {previous.version} is damaged, and this one is not compared with it: {'; '.join(problems)}")
        return None, not_compared_page(new.manifest.title, f"`{previous.version}` is damaged:", problems).encode()
    changes = difference(opened_side(open_release(home.releases.folder(previous))), new)
    if changes.unexplained:
        shown = "\n".join(f"  - {text}" for text in changes.unexplained[:SHOWN])
        raise UnexplainedError(
            f"{new.manifest.family}: {len(changes.unexplained)} differences from release {previous.version} have no "
            f"reason in its sources, recipe, rules, code or models; nothing is released:\n{shown}\n"
            "A step is not a function of its inputs. Build again in a new home (--home) to see which."
        )
    return changes, changes_page(changes, new.manifest.title).encode()


def removed(ref: ReleaseRef) -> str:
    """Return in words that the release made last is not in the home any more."""
    return f"the release before, {ref.version}, is not in this home any more"
