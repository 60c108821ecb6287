"""Where a name stands on a picture: beside its point, on no other name, and over as few places as may be."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

Rectangle = tuple[float, float, float, float]
"""West, south, east and north in the picture's metres."""


def best_place(
    point: tuple[float, float],
    half: tuple[float, float],
    size: tuple[float, float],
    obstacles: Sequence[Rectangle],
    places: np.ndarray,
) -> tuple[Rectangle, int] | None:
    """Return where a name of half a width and height stands best, and how many places it hides there; None: nowhere.

    It may stand on its point, above, below, right or left of it, inside a picture of that size and on none of the
    `obstacles`. `places`, shape (n, 2), are what it may hide; of equal positions the first is taken.
    """
    (x, y), (wide, high) = point, half
    aside = ((0, 0), (0, 2 * high), (0, -2 * high), (wide + high, 0), (-wide - high, 0))
    boxes = [(x + e - wide, y + n - high, x + e + wide, y + n + high) for e, n in aside]
    free = [box for box in boxes if _is_inside(box, size) and not any(_overlap(box, other) for other in obstacles)]
    return min(((box, _hidden_count(box, places)) for box in free), key=lambda candidate: candidate[1], default=None)


def _is_inside(box: Rectangle, size: tuple[float, float]) -> bool:
    return box[0] > 0 and box[1] > 0 and box[2] < size[0] and box[3] < size[1]


def _overlap(one: Rectangle, other: Rectangle) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _hidden_count(box: Rectangle, places: np.ndarray) -> int:
    x, y = places[:, 0], places[:, 1]
    return int(((box[0] < x) & (x < box[2]) & (box[1] < y) & (y < box[3])).sum())
