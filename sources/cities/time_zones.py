"""Which texts name an IANA time zone."""

from __future__ import annotations

from functools import cache
from zoneinfo import available_timezones


def is_time_zone(text: str) -> bool:
    """Return whether the text names a time zone of the IANA database, such as `Europe/Lisbon`."""
    return text in _zones()


@cache
def _zones() -> frozenset[str]:
    return frozenset(available_timezones())
