"""Elements of an OpenStreetMap extract with their tags and a place on the map: nodes, ways, and areas of either.

What tags mean belongs in `osm_tags.py`; which table an element goes to, in `osm.py`; the street graph elsewhere.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from schemas.source import SourceError
from sources.formats.unpacking import RawInput
from sources.osm import pbf
from sources.osm.blocks import is_in_order, rewritten
from sources.osm.file import osm_format, unreadable

if TYPE_CHECKING:
    import osmium.io
    import osmium.osm
    from shapely.geometry.base import BaseGeometry

_NAMES = {"n": "node", "w": "way", "r": "relation"}


@dataclass(frozen=True)
class Element:
    """One element: `node/123`, `way/5` or `relation/7`, its tags, and its shape in degrees (x longitude, y latitude).

    The shape is the whole area where one can be built; a way or relation cut off at the extract's edge has the part
    that is there, and one of which nothing is there has None.
    """

    native_id: str
    tags: dict[str, str]
    shape: BaseGeometry | None
    is_area: bool

    def point(self) -> tuple[float, float] | None:
        """Return lat and lon of the node, or of a point on or inside the shape, rounded to OpenStreetMap's 7 digits."""
        if self.shape is None or self.shape.is_empty:
            return None
        point = self.shape.representative_point()
        return round(point.y, 7), round(point.x, 7)


def read_elements(
    file: RawInput,
    keys: tuple[str, ...],
    is_wanted: Callable[[dict[str, str]], bool],
    only: frozenset[str] | None = None,
) -> list[Element]:
    """Return every element that has one of the keys and whose tags are wanted: nodes, ways, relations, each by id.

    With `only`, no others than those of these ids.

    Reads .osm.pbf, .osm, .osm.bz2 and .osm.gz, told apart by their bytes. Raises SourceError for anything else, for
    a damaged extract, and for one that holds a history of versions.
    """
    import osmium.filter
    import osmium.geom
    import osmium.osm
    import shapely

    elements: dict[str, Element] = {}
    cut_off: dict[str, tuple[dict[str, str], list[tuple[str, int]]]] = {}
    factory = osmium.geom.WKBFactory()
    with readable(file) as source:
        has_key = osmium.filter.KeyFilter(*keys)
        for item in osmium.FileProcessor(source).with_areas(has_key).with_filter(osmium.filter.KeyFilter(*keys)):
            native_id = f"{_NAMES.get(item.type_str())}/{item.id}"
            if isinstance(item, osmium.osm.Area):
                native_id = f"{'way' if item.from_way() else 'relation'}/{item.orig_id()}"
            if only is not None and native_id not in only:
                continue
            tags = dict(item.tags)
            if not is_wanted(tags):
                continue
            if isinstance(item, osmium.osm.Area):
                if item.num_rings()[0]:
                    shape = shapely.from_wkb(factory.create_multipolygon(item))
                    elements[native_id] = Element(native_id, tags, shape, True)
            elif isinstance(item, osmium.osm.Node):
                elements[native_id] = Element(native_id, tags, _part([_position(item.location)]), False)
            elif isinstance(item, osmium.osm.Way):
                line = [_position(node.location) for node in item.nodes]
                elements.setdefault(native_id, Element(native_id, tags, _part(line), False))
            elif isinstance(item, osmium.osm.Relation):
                cut_off[native_id] = tags, [(member.type, member.ref) for member in item.members]
        cut_off = {native_id: relation for native_id, relation in cut_off.items() if native_id not in elements}
        lines = _members(source, {member for _, members in cut_off.values() for member in members})
    for native_id, (tags, members) in cut_off.items():
        positions = [position for member in members for position in lines.get(member, [])]
        elements[native_id] = Element(native_id, tags, _part(positions), False)
    return sorted(elements.values(), key=_type_and_number)


def element_records(file: RawInput, native_ids: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Return the elements named as the extract holds them; one that it does not hold is left out.

    A record is the element's tags, and, under names that no tag has, where it is in degrees: `@lat` and `@lon` of a
    node, `@nodes` of a way (lat, lon of each that is there), `@members` of a relation (`way/7`).
    """
    import osmium.filter
    import osmium.osm

    id_set = set(native_ids)
    records: dict[str, dict[str, Any]] = {}
    with readable(file) as source:
        numbers = [int(native_id.partition("/")[2]) for native_id in id_set]
        for item in osmium.FileProcessor(source).with_locations().with_filter(osmium.filter.IdFilter(numbers)):
            native_id = f"{_NAMES[item.type_str()]}/{item.id}"
            if native_id not in id_set:
                continue
            where: dict[str, Any] = {}
            if isinstance(item, osmium.osm.Node):
                where = {"@lat": item.location.lat, "@lon": item.location.lon} if item.location.valid() else {}
            elif isinstance(item, osmium.osm.Way):
                positions = [node.location for node in item.nodes]
                where = {"@nodes": [[at.lat, at.lon] for at in positions if at.valid()]}
            elif isinstance(item, osmium.osm.Relation):
                where = {"@members": [f"{_NAMES[member.type]}/{member.ref}" for member in item.members]}
            records[native_id] = {**dict(item.tags), **where}
    return records


def _members(source: osmium.io.File, members: set[tuple[str, int]]) -> dict[tuple[str, int], list[tuple[float, float]]]:
    """Return the positions of the nodes and of the ways' nodes that the extract holds."""
    import osmium.filter
    import osmium.osm

    positions_by_member: dict[tuple[str, int], list[tuple[float, float]]] = {}
    if not members:
        return positions_by_member
    nodes, ways = ([number for letter, number in sorted(members) if letter == kind] for kind in "nw")
    processor = (
        osmium.FileProcessor(source, osmium.osm.NODE | osmium.osm.WAY)
        .with_locations()
        .with_filter(osmium.filter.IdFilter(nodes).enable_for(osmium.osm.NODE))
        .with_filter(osmium.filter.IdFilter(ways).enable_for(osmium.osm.WAY))
    )
    for item in processor:
        if isinstance(item, osmium.osm.Way):
            positions = [_position(node.location) for node in item.nodes]
        elif isinstance(item, osmium.osm.Node):
            positions = [_position(item.location)]
        else:
            continue
        positions_by_member[item.type_str(), item.id] = [position for position in positions if position is not None]
    return positions_by_member


def _position(location: osmium.osm.Location) -> tuple[float, float] | None:
    return (location.lon, location.lat) if location.valid() else None


def _part(positions: Sequence[tuple[float, float] | None]) -> BaseGeometry | None:
    """Return the points that are there, or None. A point among them stands for the element."""
    import shapely

    points = [position for position in positions if position is not None]
    return shapely.MultiPoint(points) if points else None


def _type_and_number(element: Element) -> tuple[int, int]:
    kind, _, number = element.native_id.partition("/")
    return list(_NAMES.values()).index(kind), int(number)


@contextmanager
def readable(file: RawInput) -> Iterator[osmium.io.File]:
    """Yield the extract as osmium reads it, a sorted copy where it is not in order (as Overpass answers).

    Raises SourceError in the reader's words where it cannot be read.
    """
    import osmium.io

    name = file.snapshot.location
    form = osm_format(file.path, name)
    try:
        source = osmium.io.File(file.path, form)
        with osmium.io.Reader(source) as reader:
            has_history = reader.header().has_multiple_object_versions
        if has_history:
            raise SourceError(
                f"{name}: found a history of versions; expected one state. Cut one with osmium time-filter."
            )
        if _is_in_order(file.path, form, file.path.stat().st_mtime_ns):
            yield source
            return
        with tempfile.TemporaryDirectory(prefix="tripwright-") as work:
            yield osmium.io.File(rewritten(file.path, Path(work) / "sorted.osm.pbf", is_sorted=False), "pbf")
    except (RuntimeError, osmium.InvalidLocationError, UnicodeDecodeError, OverflowError, ValueError) as error:
        if isinstance(error, SourceError):
            raise
        raise unreadable(name, error) from None


@lru_cache(maxsize=64)
def _is_in_order(path: Path, form: str, _written_ns: int) -> bool:
    """Return whether nodes come before ways before relations, each once and by ascending id: by the header, or all."""
    import osmium.io

    source = osmium.io.File(path, form)
    with osmium.io.Reader(source) as reader:
        if reader.header().get("sorting") == "Type_then_ID":
            return True
    if form == "osm.pbf":
        with suppress(pbf.CompressionError, pbf.DamagedError):  # what only osmium reads, or tells of
            return is_in_order(path)
    kinds = list(_NAMES)
    places = ((kinds.index(item.type_str()), item.id) for item in osmium.FileProcessor(source))
    return all(before < after for before, after in pairwise(places))
