"""Which texts name an IANA time zone: by the package `tzdata`, so that no machine knows others than the next."""

from __future__ import annotations

from functools import cache
from importlib.resources import files


def is_time_zone(text: str) -> bool:
    """Return whether the text names a time zone of the IANA database, such as `Europe/Lisbon`."""
    return text in _zones()


@cache
def _zones() -> frozenset[str]:
    return frozenset(files("tzdata").joinpath("zones").read_text(encoding="utf-8").split())
