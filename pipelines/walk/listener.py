"""Who hears how a build gets on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pipelines.walk.walk_report import Event


@dataclass(frozen=True)
class Listener:
    """Who hears how a build gets on; hears nothing where nothing is given."""

    report: Callable[[Event], None] = lambda _: None
    """Of each step, as it is ahead, runs and ends."""
    say: Callable[[str], None] = lambda _: None
    """What there is to say beside, in sentences."""
    waiting: Callable[[], None] = lambda: None
    """That another command holds the home."""
    released: Callable[[], None] = lambda: None
    """After each release."""


NOBODY = Listener()
