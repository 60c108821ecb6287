"""A city's basemap as shapes in metres: read, cut to its frame, joined, simplified."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from assets.release.basemap.frame import MERCATOR_M, Frame, frame_of
from assets.release.basemap.sea import sea
from assets.release.basemap.style import least_rank
from assets.step import RawFile
from schemas.recipe import City
from sources.osm.basemap import AREAS, LINES, PLAIN, Label, MapShapes, Shape, read_map
from sources.osm.city_extract import city_extract

SEA = "sea"
AREA_LAYERS = (SEA, *AREAS)

SIMPLER_M = {"building": 0.35, **dict.fromkeys(LINES, 0.6)}
"""Within how many metres outlines are straightened; other areas within `AREA_SIMPLER_M`."""

AREA_SIMPLER_M = 1.0
LEAST_M2 = {"building": 12.0, SEA: 20.0, "water": 10.0}
"""Smaller areas are not drawn; of other layers none under `OTHER_LEAST_M2`."""

OTHER_LEAST_M2 = 60.0
SHORTEST_M = 2.0

NAMES_OF_AREAS = ("lake", "green")
"""Kinds of names that areas have and points have not: they wait until the area can be seen."""

NO_COAST = "The extract holds no coastline: all of it is drawn as land."


@dataclass(frozen=True)
class Line:
    """Lines of one layer, name and form, as one or several pieces in metres."""

    geometry: Any
    name: str
    form: int


@dataclass(frozen=True)
class Name:
    """A label at a point in metres; `rank` from 0 (drawn before others, and farther out) up within its kind."""

    kind: str
    text: str
    x_m: float
    y_m: float
    rank: int
    english: str = ""


@dataclass(frozen=True)
class Basemap:
    """What lies on a city's ground, in metres of its frame, by layer; `covers` is the part that sources tell of."""

    frame: Frame
    covers: tuple[float, float, float, float]
    areas: dict[str, list[Any]] = field(default_factory=dict)
    lines: dict[str, list[Line]] = field(default_factory=dict)
    names: list[Name] = field(default_factory=list)
    notes: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Return whether there is nothing to draw."""
        return not (any(self.areas.values()) or any(self.lines.values()))

    def without_small_buildings(self, least_m2: float) -> Basemap:
        """Return the same with no building under so many square metres, and a note that says so."""
        large_buildings = [shape for shape in self.areas.get("building", ()) if shape.area >= least_m2]
        note = (
            f"Buildings under {least_m2:,.0f} square metres are left out."
            if large_buildings
            else "Buildings are left out."
        )
        return replace(
            self, areas={**self.areas, "building": large_buildings}, notes=(*self.notes, f"{note} {TOO_LARGE}")
        )

    def without_lines(self, layers: tuple[str, ...], what: str) -> Basemap:
        """Return the same without the layers of lines, and a note that says so."""
        other_lines = {layer: lines for layer, lines in self.lines.items() if layer not in layers}
        return replace(self, lines=other_lines, notes=(*self.notes, f"{what} are left out. {TOO_LARGE}"))


TOO_LARGE = "The map would be too large with them."


def basemap_of(extracts: list[RawFile], city: City) -> Basemap:
    """Return the city's basemap from its OpenStreetMap extracts; an empty one where none reaches into its frame."""
    frame = frame_of(city)
    cut = [_cut(read_map(city_extract(extract, frame.bounds)), frame) for extract in extracts]
    cut = [one for one in cut if not one.is_empty]
    if not cut:
        return Basemap(frame, (0.0, 0.0, 0.0, 0.0))
    covers = tuple(f([one.covers[at] for one in cut]) for at, f in enumerate((min, min, max, max)))
    return Basemap(
        frame,
        (covers[0], covers[1], covers[2], covers[3]),
        {layer: [shape for one in cut for shape in one.areas.get(layer, ())] for layer in AREA_LAYERS},
        {layer: [line for one in cut for line in one.lines.get(layer, ())] for layer in LINES},
        list(
            {
                (name.kind, name.text, round(name.x_m), round(name.y_m)): name for one in cut for name in one.names
            }.values()
        ),
        tuple(dict.fromkeys(note for one in cut for note in one.notes)),
    )


def _cut(map_shapes: MapShapes, frame: Frame) -> Basemap:
    if map_shapes.box is None:
        return Basemap(frame, (0.0, 0.0, 0.0, 0.0))
    covers = frame.within(map_shapes.box)
    if covers[0] >= covers[2] or covers[1] >= covers[3]:
        return Basemap(frame, covers)
    coast = [np.column_stack(frame.metres(*np.array(line).T)) for line in map_shapes.coastline]
    water = sea(coast, covers)
    by_layer: dict[str, list[Shape]] = {}
    for shape in map_shapes.shapes:
        by_layer.setdefault(shape.layer, []).append(shape)
    areas = {layer: _areas(layer, by_layer.get(layer, []), frame, covers) for layer in AREAS}
    areas[SEA] = _polygons(SEA, np.array([water], dtype=object))
    lines = {layer: _lines(layer, by_layer.get(layer, []), frame, covers) for layer in LINES}
    notes = () if coast else (NO_COAST,)
    return Basemap(frame, covers, areas, lines, _names(map_shapes.labels, frame, covers), notes)


def _projected(shapes: list[Shape], frame: Frame, covers: tuple[float, float, float, float]) -> tuple[Any, np.ndarray]:
    """Return the shapes in metres that reach into the box, and which they were."""
    import shapely

    geometries = np.array([shape.geometry for shape in shapes], dtype=object)
    metres = shapely.transform(geometries, lambda at: np.column_stack(frame.metres(at[:, 0], at[:, 1])))
    numbers = np.flatnonzero(shapely.intersects(metres, shapely.box(*covers)))
    return metres[numbers], numbers


def _areas(layer: str, shapes: list[Shape], frame: Frame, covers: tuple[float, float, float, float]) -> list[Any]:
    import shapely

    if not shapes:
        return []
    metres, _ = _projected(shapes, frame, covers)
    is_inside = shapely.within(metres, shapely.box(*covers))
    metres[~is_inside] = shapely.intersection(shapely.make_valid(metres[~is_inside]), shapely.box(*covers))
    return _polygons(layer, metres)


def _polygons(layer: str, shapes: np.ndarray) -> list[Any]:
    """Return single polygons, straightened, none too small to see, the largest first."""
    import shapely

    least = LEAST_M2.get(layer, OTHER_LEAST_M2)
    parts = shapely.get_parts(shapely.simplify(shapes, SIMPLER_M.get(layer, AREA_SIMPLER_M)))
    parts = shapely.get_parts(parts)  # of a collection in a collection
    parts = parts[(shapely.get_type_id(parts) == 3) & (shapely.area(parts) >= least)]
    return list(parts[np.argsort(-shapely.area(parts), kind="stable")])


def _lines(layer: str, shapes: list[Shape], frame: Frame, covers: tuple[float, float, float, float]) -> list[Line]:
    """Return the layer's lines, those of one name and form joined where they meet: or a name would not fit."""
    import shapely

    if not shapes:
        return []
    metres, numbers = _projected(shapes, frame, covers)
    groups: dict[tuple[str, int], list[Any]] = {}
    for at, geometry in zip(numbers, metres, strict=True):
        groups.setdefault((shapes[at].name, shapes[at].form), []).append(geometry)
    box = shapely.box(*covers)
    lines = []
    for (name, form), pieces in groups.items():
        merged = shapely.line_merge(shapely.MultiLineString(pieces))
        cut = merged if shapely.within(merged, box) else shapely.intersection(merged, box)
        simpler = shapely.get_parts(shapely.simplify(cut, SIMPLER_M[layer]))
        kept_parts = [p for p in simpler if p.geom_type == "LineString" and p.length >= SHORTEST_M]
        lines += [Line(part, name, form) for part in kept_parts]
    return lines


def _names(labels: list[Label], frame: Frame, covers: tuple[float, float, float, float]) -> list[Name]:
    """Return the labels inside the box; of a kind the largest first, and of one name in one place only one."""
    entries_by_name: dict[tuple[str, str], list[tuple[Label, float, float]]] = {}
    for label in labels:
        x, y = (float(v) for v in frame.metres(np.array(label.lon), np.array(label.lat)))
        if covers[0] <= x <= covers[2] and covers[1] <= y <= covers[3]:
            entries_by_name.setdefault((label.kind, label.name), []).append((label, x, y))
    once: dict[str, list[tuple[Label, float, float]]] = {}
    for (kind, _), labels_of_name in entries_by_name.items():
        apart: list[tuple[Label, float, float]] = []
        for one in sorted(labels_of_name, key=lambda entry: -entry[0].size):
            if all(abs(one[1] - other[1]) + abs(one[2] - other[2]) > 400 for other in apart):
                apart.append(one)
        once.setdefault(kind, []).extend(apart)
    names = []
    for kind, entries in once.items():
        entries.sort(key=lambda entry: (-entry[0].size, entry[0].name, entry[1], entry[2]))
        for number, (label, x, y) in enumerate(entries):
            rank = max(number, least_rank(kind, _side_m(label))) if kind in NAMES_OF_AREAS else number
            names.append(Name(kind, label.name, x, y, rank, label.english))
    return names


def _side_m(label: Label) -> float:
    """Return the side of a square as large as an area that has a label, in metres of web Mercator."""
    return math.radians(math.sqrt(label.size / math.cos(math.radians(label.lat)))) * MERCATOR_M


def plain_lines(lines: list[np.ndarray], frame: Frame) -> list[Line]:
    """Return lines of longitudes and latitudes, shape (n, 2), as nameless ones in the frame's metres."""
    import shapely

    box = shapely.box(0, 0, frame.width_m, frame.height_m)
    drawn = [shapely.LineString(np.column_stack(frame.metres(line[:, 0], line[:, 1]))) for line in lines]
    parts = shapely.get_parts(shapely.intersection(shapely.simplify(np.array(drawn, dtype=object), 3.0), box))
    return [Line(p, "", PLAIN) for p in parts if p.geom_type == "LineString" and p.length >= SHORTEST_M]
