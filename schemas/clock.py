"""Times of day: minutes since midnight, and their text `HH:MM`."""

from __future__ import annotations

MINUTES_A_DAY = 24 * 60


def clock(minute: int) -> str:
    """Return minutes since midnight as `HH:MM`; the end of a day is `24:00`, and what is after it goes on counting."""
    return f"{minute // 60:02d}:{minute % 60:02d}"


def clock_face(minute: int) -> str:
    """Return minutes since midnight as `HH:MM` on a 24-hour face, where the end of a day is `00:00`."""
    return clock(minute % MINUTES_A_DAY)


def minutes(time: str) -> int:
    """Return the minutes since midnight of an `HH:MM` time. Raises ValueError for what is none."""
    hours, mins = time.split(":")
    return int(hours) * 60 + int(mins)
