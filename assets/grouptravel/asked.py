"""What a published task record asks for, beside its preferences: where from and to, when, how long, and for whom."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from assets.grouptravel.vocabulary import VOCABULARIES, Vocabulary, duration_text

LONGEST_DAYS = 9
"""Days of a trip that are looked for in a record's words."""


@dataclass(frozen=True)
class GroupRequest:
    """A record's trip. `days` is None where its words name no known length; `users` are in order of their number."""

    departure_city: str
    cities: tuple[str, ...]
    first_date: dt.date
    days: int | None
    vocabulary: Vocabulary
    users: tuple[str, ...]
    children: tuple[str, ...]
    """Users without a table."""

    @property
    def route(self) -> tuple[str, ...]:
        """Return the cities of the whole trip, from the departure city and back to it."""
        return (self.departure_city, *self.cities, self.departure_city)

    @property
    def dates(self) -> tuple[dt.date, ...]:
        """Return the trip's dates; none where its length is not known."""
        return tuple(self.first_date + dt.timedelta(days=day) for day in range(self.days or 0))


def request_of(record: Mapping[str, Any]) -> GroupRequest:
    """Return what the record asks for. Raises KeyError or ValueError where it is no published record."""
    metadata, entries = record["metadata"], record["user_preferences"]
    words = ((vocabulary, n) for vocabulary in VOCABULARIES.values() for n in range(2, LONGEST_DAYS + 1))
    length = next(((v, n) for v, n in words if duration_text(v, n) == metadata.get("date")), None)
    users = sorted({*entries, *(child["user"] for child in metadata["child_members"])}, key=user_number)
    departure_city, cities = metadata["departure_city"], metadata["cities"]
    if isinstance(cities, str) or not all(isinstance(city, str) for city in (departure_city, *cities)):
        raise ValueError(f"found departure_city {departure_city!r:.40} and cities {cities!r:.40}, expected names")
    first_date = dt.date.fromisoformat(record["time"])
    if dt.date.max - first_date < dt.timedelta(days=LONGEST_DAYS):
        raise ValueError(f"no trip begins on {first_date}: the calendar ends")
    return GroupRequest(
        departure_city=departure_city,
        cities=tuple(cities),
        first_date=first_date,
        days=length[1] if length else None,
        vocabulary=length[0] if length else VOCABULARIES["en"],
        users=tuple(users),
        children=tuple(user for user in users if user not in entries),
    )


def user_number(user: str) -> tuple[int, str]:
    """Return what users are sorted by: the number in their name, so that `User10` comes after `User9`."""
    digits = "".join(character for character in user if character.isdecimal())
    return int(digits) if digits else 0, user
