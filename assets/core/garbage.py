"""How often Python looks for reference cycles to free: seldom, since a build makes rows and keeps them."""

from __future__ import annotations

import gc

OBJECTS = 100_000
"""New objects after which is looked; after Python's own 700 a build looks at all its rows over and over."""


def look_seldom() -> None:
    """Have this process look for reference cycles seldom, and never among what it has imported."""
    gc.freeze()
    gc.set_threshold(OBJECTS, 20, 20)
