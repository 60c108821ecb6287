"""The difficulty of a task by its size: people, days, cities (published benchmarks, 3.D, fitted on released tasks)."""

from __future__ import annotations

from typing import Literal

Difficulty = Literal["easy", "medium", "hard"]
DIFFICULTIES: tuple[Difficulty, ...] = ("easy", "medium", "hard")

DAYS_LEVEL = {2: 1, 3: 2, 4: 3, 5: 4, 6: 5, 7: 5}
PEOPLE = (2, 3, 4, 5, 6)
CITIES = (1, 2, 3)


def difficulty(people: int, days: int, cities: int) -> tuple[float, Difficulty]:
    """Return the score 0.5 f_N + 0.3 f_D + 0.2 f_C, to one decimal, and its label: easy to 2.8, hard from 4.2.

    f_N = N - 1 with children counted, f_C = 2C - 1. Raises ValueError outside 2-6 people, 2-7 days, 1-3 cities.
    """
    if people not in PEOPLE or days not in DAYS_LEVEL or cities not in CITIES:
        raise ValueError(f"{people} people, {days} days, {cities} cities: expected 2 to 6, 2 to 7 and 1 to 3")
    tenths = 5 * (people - 1) + 3 * DAYS_LEVEL[days] + 2 * (2 * cities - 1)
    return tenths / 10, "easy" if tenths <= 28 else "hard" if tenths >= 42 else "medium"
