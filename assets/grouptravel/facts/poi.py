"""One place of a group's destinations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Poi:
    """A place as preferences and plans see it: its name, type, category, hours (read) and price for one person."""

    place_id: str
    name: str
    poi_type: str
    category: str
    hours: Any = None
    cost: float | None = None
    lat: float | None = None
    lon: float | None = None
    rank: int | None = None

    @property
    def point(self) -> tuple[float, float] | None:
        """Return lat and lon; None where they are not known."""
        return None if self.lat is None or self.lon is None else (self.lat, self.lon)
