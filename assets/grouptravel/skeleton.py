"""A skeleton: who travels where, when and from where, before anybody wants anything (published benchmarks, 3.D)."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from assets.grouptravel.archetypes import BY_ID, Archetype
from assets.grouptravel.difficulty import Difficulty


@dataclass(frozen=True)
class Skeleton:
    """One slot's draw. `compromisable` counts members from 1; city ids in the order of the trip."""

    task_id: str
    difficulty: Difficulty
    score: float
    group_id: str
    departure_city_id: str
    city_ids: tuple[str, ...]
    days: int
    date: str
    compromisable: tuple[int, ...]

    @property
    def archetype(self) -> Archetype:
        """Return the kind of group."""
        return BY_ID[self.group_id]

    @property
    def first_date(self) -> dt.date:
        """Return the date of departure."""
        return dt.date.fromisoformat(self.date)

    @property
    def route(self) -> tuple[str, ...]:
        """Return the cities of the whole trip, from the departure city and back to it."""
        return (self.departure_city_id, *self.city_ids, self.departure_city_id)
