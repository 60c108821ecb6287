"""Seeded draws that depend on nothing but the task and the options themselves, never on an option's position.

Each option is ranked by a hash of seed, task, attempt, what is drawn, and the option itself: one that comes or goes
changes only the tasks that draw it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from schemas.stable import stable_hash

T = TypeVar("T")


@dataclass(frozen=True)
class Draws:
    """The draws of one attempt at one task."""

    seed: int
    task_id: str
    attempt: int

    def rank(self, what: str, option: str) -> int:
        """Return the option's 64-bit rank in the draw of `what`."""
        return stable_hash(self.seed, self.task_id, self.attempt, what, option)

    def one(self, what: str, options: Iterable[T]) -> T:
        """Return one of the options, each equally likely. Raises ValueError if there is none."""
        return min(options, key=lambda option: self.rank(what, str(option)))

    def order(self, what: str, options: Iterable[T]) -> list[T]:
        """Return the options in a random order, every order equally likely."""
        return sorted(options, key=lambda option: self.rank(what, str(option)))

    def weighted(self, what: str, weights: Mapping[T, float], count: int) -> list[T]:
        """Return `count` distinct options drawn one after another in proportion to their weights.

        The options whose exponential waiting times -ln(u)/w are least: the same law as sequential weighted draws
        without replacement.
        """
        times = {
            option: -math.log((self.rank(what, str(option)) + 1) / 2**64) / weight
            for option, weight in weights.items()
            if weight > 0
        }
        return sorted(times, key=lambda option: (times[option], str(option)))[:count]
