"""Seeded choices among named options, each option racing by its own hash: one changed option changes few choices."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TypeVar

from schemas.stable import stable_hash, stable_hashes

Option = TypeVar("Option")


def ranked(options: Iterable[tuple[str, Option, float]], *seed: str | int) -> list[Option]:
    """Return the options of weight above 0 in a random order: each next one drawn by weight from those left.

    An option is (key, value, weight). Its place depends on the seed, its key and weight alone (Efraimidis and
    Spirakis 2006: the order of -log(u) / weight), so adding or removing one leaves the order of the others.
    """
    running = [option for option in options if option[2] > 0]
    hashes = stable_hashes(seed, (key for key, _, _ in running))
    raced = [
        (-math.log((drawn + 1) / 2**64) / weight, key, value)
        for drawn, (key, value, weight) in zip(hashes, running, strict=True)
    ]
    return [value for _, _, value in sorted(raced, key=lambda entry: entry[:2])]


def uniform_int(low: int, high: int, *seed: str | int) -> int:
    """Return a whole number from low to high, both included."""
    return low + stable_hash(*seed) % (high - low + 1)
