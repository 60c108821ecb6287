"""Which way round a day's tour goes: no shorter one way than the other, but a museum is no place for the night.

The published tables say nothing of hours or kinds; what a place's name says is all there is to go by.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

AFTER_DARK = re.compile(
    r"\b(?:after hours|bar|beer|breweries|brewery|cinema|comedy|ghosts?|haunted|jazz|night|nightlife|opera|orchestra"
    r"|theat(?:er|re)|twilight|wine|winery)\b",
    re.IGNORECASE,
)
"""Words in names of places and tours for the evening [I]."""

BY_DAY = re.compile(
    r"\b(?:academy|aquarium|arboretum|bakery|burial|cemetery|courthouse|galler(?:ies|y)|gardens?|gift shop|grave|green"
    r"|library|memorial|museums?|nature|parks?|playground|preserve|school|trail|wildlife|zoo)\b",
    re.IGNORECASE,
)
"""Words in names of places that are shut, or dark, at night [I]."""


def by_daylight(days: Sequence[tuple[int, ...]], names: Sequence[str]) -> list[tuple[int, ...]]:
    """Return the tours, each the other way round where its ends suit morning and night better; `names` by number."""
    return [max(day, day[::-1], key=lambda way: _suits(names[way[0]], names[way[-1]])) for day in days]


def _suits(morning: str, night: str) -> int:
    """Return how well two places suit the two ends of a day."""
    return _darkness(night) - _darkness(morning)


def _darkness(name: str) -> int:
    return 1 if AFTER_DARK.search(name) else -1 if BY_DAY.search(name) else 0
