"""Named places and boundaries of an OpenStreetMap extract, as its elements tell them.

Which of them is meant by a name, and where it ends, is told in `town.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from schemas.recipe_values import Box
from sources.osm.file import osm_format, unreadable
from sources.osm.outline import boxed

TOWNS_M = {"city": 8_000.0, "town": 4_000.0, "municipality": 4_000.0, "village": 2_000.0, "hamlet": 1_000.0}
DISTRICTS_M = {"borough": 4_000.0, "suburb": 2_000.0, "quarter": 1_500.0, "neighbourhood": 1_000.0}
RADIUS_M = TOWNS_M | DISTRICTS_M
"""How far a place that is only a node reaches, by its kind: a choice of ours, larger places first, towns before their
districts."""

OUTLINED = {"place": (*TOWNS_M, "island"), "boundary": ("administrative", "census", "ceremonial", "local_authority")}
"""Tags of areas that count where there is neither a boundary of a known level nor a node."""

PLACE = 0
"""Stands for the admin_level of an outlined place, which has none."""

TOWN_LEVELS = (8, 7, 6, 9, 5, 4, 10, 3, 2, 11, 12)
"""Values of admin_level, the likeliest to be a town first (OpenStreetMap wiki, Tag:boundary=administrative)."""

NAME_KEY = re.compile(r"((alt|int|loc|nat|official|reg|short)_)?name(:(?!etymology|pronunciation|signed).+)?")
FORMER_KEY = re.compile(r"old_name(:.+)?")
"""Keys whose values are names that a place has, in any language, and that it had (OpenStreetMap wiki, Key:name)."""


@dataclass(frozen=True)
class PlaceNode:
    """A place that the map has as a point: its names by tag, its kind, where it is, and its inhabitants if tagged."""

    native_id: str
    names: Mapping[str, str]
    kind: str
    lat: float
    lon: float
    population: int | None

    @property
    def name(self) -> str:
        """Return what its people call it."""
        return self.names["name"]


@dataclass(frozen=True)
class Boundary:
    """An outline that the map has: of an administrative area, or of a place; `level` is PLACE of the latter.

    `has_holes`: it encloses what is not its own, as Rome does the Vatican.
    """

    native_id: str
    names: Mapping[str, str]
    level: int
    way_ids: tuple[int, ...]
    has_holes: bool


def named_places(extract: Path) -> Iterator[PlaceNode | Boundary]:
    """Yield the extract's towns, districts and boundaries that have a name. Raises SourceError if it cannot be read."""
    import osmium
    import osmium.filter
    import osmium.io
    import osmium.osm

    form = osm_format(extract)
    try:
        file = osmium.io.File(str(extract), form)
        for item in osmium.FileProcessor(file).with_filter(osmium.filter.KeyFilter("place", "boundary")):
            tags = dict(item.tags)
            names = {k: v for k, v in tags.items() if NAME_KEY.fullmatch(k) or FORMER_KEY.fullmatch(k)}
            if not tags.get("name", "").strip():
                continue
            if isinstance(item, osmium.osm.Node) and tags.get("place") in RADIUS_M and item.location.valid():
                people = tags.get("population", "").replace(" ", "").replace(",", "")
                count = int(people) if people.isascii() and people.isdecimal() and len(people) < 10 else None
                yield PlaceNode(f"node/{item.id}", names, tags["place"], item.location.lat, item.location.lon, count)
            elif (ways := _outline(item)) and (level := _level(tags)) is not None:
                kind = "way" if isinstance(item, osmium.osm.Way) else "relation"
                yield Boundary(f"{kind}/{item.id}", names, level, ways, _has_holes(item))
    except (RuntimeError, ValueError, osmium.InvalidLocationError) as error:
        raise unreadable(extract.name, error) from None


def _level(tags: Mapping[str, str]) -> int | None:
    """Return the level of what tags say is a boundary, PLACE for the outline of a place, None for anything else."""
    level = tags.get("admin_level", "") if tags.get("boundary") == "administrative" else ""
    if level.isdecimal() and int(level) in TOWN_LEVELS:
        return int(level)
    return PLACE if any(tags.get(key) in values for key, values in OUTLINED.items()) else None


def _outline(item: Any) -> tuple[int, ...]:
    """Return the ways that a relation or a closed way is bounded by; none of a node or an open way."""
    import osmium.osm

    if isinstance(item, osmium.osm.Way):
        return (item.id,) if item.is_closed() else ()
    members = item.members if isinstance(item, osmium.osm.Relation) else ()
    return tuple(member.ref for member in members if member.type == "w" and member.role in ("outer", ""))


def _has_holes(item: Any) -> bool:
    import osmium.osm

    return isinstance(item, osmium.osm.Relation) and any(member.role == "inner" for member in item.members)


def header_box(extract: Path) -> Box | None:
    """Return the box in the extract's header; None if there is none or the header cannot be read."""
    import osmium
    import osmium.io

    try:
        with osmium.io.Reader(osmium.io.File(str(extract), osm_format(extract))) as reader:
            box = reader.header().box()
    except (RuntimeError, ValueError, osmium.InvalidLocationError):
        return None
    if not box.valid():
        return None
    low, high = box.bottom_left, box.top_right
    return boxed(low.lat, low.lon, high.lat, high.lon)
