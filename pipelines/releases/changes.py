"""How a release about to be published differs from the one before; one whose difference has no reason is refused."""

from __future__ import annotations

from collections.abc import Callable

from assets.release.changes import changes_page, first_page, not_compared_page
from assets.release.diff import Difference, difference
from assets.release.reading import open_release, release_problems
from assets.release.sides import Side, opened_side
from schemas.counts import counted
from schemas.errors import ExpectedError
from schemas.release import Manifest
from warehouse.home import Home
from warehouse.releases import ReleaseRef

SHOWN = 5


class UnexplainedError(ExpectedError):
    """A release differs from the one before while nothing that it is made from does; names what differs."""


def changes_since(
    home: Home, previous: ReleaseRef | None, new: Side, tell: Callable[[str], None]
) -> tuple[Difference | None, bytes]:
    """Return the difference from the previous release, and its page; None if there is no previous release.

    A previous release that is damaged or gone is not compared with, which is told and stands on the page.
    Raises UnexplainedError if a task or row differs without a reason.
    """
    if previous is None:
        why = _newest_gone(home, new.manifest)
        for line in why:
            tell(f"{new.manifest.family}: {line}, so this release is compared with none")
        return None, (not_compared_page(new.manifest.title, why) if why else first_page(new.manifest.title)).encode()
    problems = release_problems(home.releases.folder(previous))
    if problems:
        tell(f"release {previous.version} is damaged, and this one is not compared with it: {'; '.join(problems)}")
        why = [f"release {previous.version} is damaged: {problem}" for problem in problems]
        return None, not_compared_page(new.manifest.title, why).encode()
    changes = difference(opened_side(open_release(home.releases.folder(previous))), new)
    if changes.unexplained:
        lines = "\n".join(f"  - {text}" for text in changes.unexplained[:SHOWN])
        raise UnexplainedError(
            f"{new.manifest.family}: {counted(len(changes.unexplained), 'difference')} from release {previous.version} "
            f"without a reason in its sources, recipe, rules, code or models; nothing is released:\n{lines}\n"
            "A step is not a function of its inputs. Build again in a new home (--home) to see which."
        )
    return changes, changes_page(changes, new.manifest.title).encode()


def _newest_gone(home: Home, manifest: Manifest) -> list[str]:
    """Return why the newest release, which there was, is not here; nothing if this is the first of its recipe."""
    newest = home.releases.latest_version(manifest.recipe, manifest.family)
    others = home.releases.versions(manifest.recipe, manifest.family)
    others_text = f"; of others there are {', '.join(others[:SHOWN])}" if others else ""
    if newest is not None:
        return [f"release {newest}, the newest one before, is gone from this home{others_text}"]
    return [f"this home does not say which release was the newest one before{others_text}"] if others else []
