"""Slots: where a set's tasks stand. A retired task's slot stays empty, and another is taken behind the last."""

from __future__ import annotations

from collections.abc import Callable, Collection
from itertools import count


def slot_numbers(wanted: int, task_id_of: Callable[[int], str], retired: Collection[str]) -> list[int]:
    """Return the numbers of so many slots: 0, 1, 2, …, and for one whose task is retired the next number after all."""
    spare = (number for number in count(wanted) if task_id_of(number) not in retired)
    return [number if task_id_of(number) not in retired else next(spare) for number in range(wanted)]
