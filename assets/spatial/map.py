"""A map of one city as a PNG, drawn from our own tables: no tile server, no network, no clock, always the same bytes.

Only drawing belongs here; what is drawn is decided by the caller.
"""

from __future__ import annotations

import io
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from assets.release.basemap.cut import Basemap
from assets.release.basemap.style import AREAS, BUILDING_EDGE_ZOOM, LIGHT, LINES, NAMES, width_px, zoom_of
from assets.spatial.drawable import drawable, notes, shortened
from assets.spatial.label_places import Rectangle, best_place
from assets.spatial.picture_frame import PictureFrame
from schemas.counts import counted
from schemas.release import CANARY

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH_IN, DPI = 10.0, 150
BAND_IN, LEGEND_IN, STOP_IN = 0.4, 0.3, 0.2
"""Heights of what stands above and below the map, where it hides nothing: title and note, legend, a line of stops."""

STOP_COLUMNS = 2
TITLE_CHARACTERS = 55
"""As many as fit in the picture's width at the full size; a longer title is set smaller."""

COLOURS = 256
NOTE_CHARACTERS, NOTE_LINE_IN = 170, 0.13
"""As many as a line of the picture's foot holds, and how high it is."""

TOWNS = ("city", "town", "suburb", "village")
"""Kinds of names that a map shows even where they hide a place."""

SCALE_STEPS_M = (50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000)

PAPER, STREET_INK, INK, SOFT_INK = LIGHT["beyond"], LIGHT["casing"], LIGHT["ink"], LIGHT["ink_soft"]
PIXELS_PER_IN = 100.0
"""Pixels, as the style counts them, in an inch of the picture; a point is 1/72 inch."""


@dataclass(frozen=True)
class Layer:
    """How one kind of point is drawn, from the bottom up: kinds differ by shape and colour."""

    name: str
    marker: str
    size: float
    colour: str
    edge: str


LAYERS = (
    Layer("stop", ".", 16, LIGHT["stop"], "none"),
    Layer("stay", "s", 18, LIGHT["stay"], "#ffffff"),
    Layer("restaurant", "o", 20, LIGHT["restaurant"], "#ffffff"),
    Layer("attraction", "D", 18, LIGHT["attraction"], "#ffffff"),
)
TOUR_COLOUR, STOP_MARK_PT = "#b3264a", 9.75
CLUSTER_COLOURS = ("#8f6bc0", "#4a90c9", "#5aa84f", "#dd9a2e", "#d0606c", "#3fa7a0", "#a99c2d", "#a07358")
NOUNS = {"stop": "transit stop", "stay": "stay", "restaurant": "restaurant", "attraction": "attraction"}


def city_map(
    title: str,
    points: pd.DataFrame,
    *,
    clusters: pd.DataFrame | None = None,
    tour: pd.DataFrame | None = None,
    ground: Basemap | None = None,
    attribution: str = "",
) -> bytes:
    """Return the PNG of a city's map.

    `points` has kind (`stay`, `restaurant`, `attraction`, `stop`), lat, lon; `clusters` has cluster, lat, lon of its
    places, drawn as a ring in the cluster's colour; `tour` has name, lat, lon in the order of visit; `ground` is what
    lies under them. Text is drawn as written, never interpreted; letters that the picture cannot draw are written in
    Latin ones, or in English where the ground's names tell it, and for any other character that the font lacks stands a
    mark; the picture says so. A metre east is as long as one north.
    Raises ValueError if there is not a single point.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    if points.empty:
        raise ValueError(f"there is nothing to draw on the map of {title!r}; expected at least one place or stop")
    frame = PictureFrame.around(points, points[:0] if tour is None else tour)
    height_in = WIDTH_IN * frame.height_m / frame.width_m
    stops_in = 0.0 if tour is None else STOP_IN * -(-len(tour.drop_duplicates(["lat", "lon"])) // STOP_COLUMNS)
    english = {} if ground is None else {name.text: name.english for name in ground.names}
    texts, names_to_write = [drawable(title, "bold", english.get(title, ""))], [title]
    names_to_write += [] if ground is None else [name.text for name in ground.names]
    if tour is not None:
        names_to_write += [str(name) for name in tour["name"]]
        tour = tour.assign(name=[shortened(drawable(str(name))) for name in tour["name"]])
        texts += list(tour["name"])
    note = textwrap.wrap(" ".join([drawable(attribution), *notes(names_to_write, texts)]), NOTE_CHARACTERS)
    foot_in = max(BAND_IN, BAND_IN / 4 + NOTE_LINE_IN * len(note))
    below_in = foot_in + stops_in + LEGEND_IN
    whole_in = BAND_IN + height_in + below_in
    figure = Figure(figsize=(WIDTH_IN, whole_in), dpi=DPI, facecolor=PAPER)
    canvas = FigureCanvasAgg(figure)
    axes = figure.add_axes((0.015, below_in / whole_in, 0.97, height_in / whole_in), facecolor=PAPER)
    axes.set(xlim=(0, frame.width_m), ylim=(0, frame.height_m), aspect="equal", xticks=[], yticks=[])
    for spine in axes.spines.values():
        spine.set(color=STREET_INK, linewidth=0.8)
    if ground is not None:
        visible_points = np.column_stack(frame.of(points[points["kind"] != "stop"]))
        stops = []
        if tour is not None and len(tour):
            stops, visible_points = _stop_boxes(frame, tour), np.vstack([visible_points, _along(frame, tour)])
        _draw_ground(axes, frame, ground, visible_points, stops)
    if clusters is not None and len(clusters):
        _draw_clusters(axes, frame, clusters)
    for layer in LAYERS:
        _draw_points(axes, frame, layer, points[points["kind"] == layer.name])
    if tour is not None and len(tour):
        names = _draw_tour(axes, frame, tour)
        _list_stops(figure, names, (foot_in + stops_in) / whole_in, STOP_IN / whole_in)
    _draw_scale_and_north(axes, frame)
    _draw_legend(axes, (foot_in + stops_in + LEGEND_IN / 2) / whole_in)
    size_pt = 16 * min(1.0, TITLE_CHARACTERS / max(len(texts[0]), 1))
    head, foot = 1 - BAND_IN / 2 / whole_in, foot_in / 2 / whole_in
    figure.text(0.015, head, texts[0], parse_math=False, fontsize=size_pt, color=INK, weight="bold", va="center")
    figure.text(0.015, foot, "\n".join(note), parse_math=False, fontsize=7.5, color=SOFT_INK, va="center")
    canvas.draw()
    return _png(canvas.buffer_rgba())


def _png(pixels: Any) -> bytes:
    """Return an opaque picture as a PNG of as many colours as a palette has: a third as large, packed in half the time.

    No colour of the cities looked at was off by more than 15 of 255 steps (`perf/README.md`).
    """
    from PIL.Image import Dither, Quantize, fromarray
    from PIL.PngImagePlugin import PngInfo

    comment, packed = PngInfo(), io.BytesIO()
    comment.add_text("Comment", CANARY)
    drawn = fromarray(np.asarray(pixels)).convert("RGB")
    drawn.quantize(COLOURS, Quantize.FASTOCTREE, dither=Dither.NONE).save(
        packed, "PNG", dpi=(DPI, DPI), pnginfo=comment
    )
    return packed.getvalue()


def _draw_ground(
    axes: Axes, frame: PictureFrame, ground: Basemap, places: np.ndarray, obstacles: Sequence[Rectangle]
) -> None:
    """Draw areas, lines and names as the page does at the zoom of this picture; `places`, shape (n, 2), in metres.

    No name stands on one of the `obstacles`, and only a town's on a place or the tour's way.
    """
    import shapely

    def in_picture(shapes: list[Any]) -> np.ndarray:
        """Return the shapes that reach into the picture, in its metres."""
        inside = shapely.transform(np.array(shapes, dtype=object), lambda at: frame.from_ground(at, ground))
        return inside[shapely.intersects(inside, shapely.box(0, 0, frame.width_m, frame.height_m))]

    zoom = zoom_of(frame.width_m / (WIDTH_IN * PIXELS_PER_IN) / ground.frame.scale)
    _fill(axes, in_picture([shapely.box(*ground.covers)]), LIGHT["land"], 0.0)
    for number, (layer, from_zoom) in enumerate(AREAS.items(), start=1):
        if zoom >= from_zoom and ground.areas.get(layer):
            edge = LIGHT["building_edge"] if layer == "building" and zoom >= BUILDING_EDGE_ZOOM else "none"
            _fill(axes, in_picture(ground.areas[layer]), LIGHT[layer], number / 100, edge)
    for number, (layer, rule) in enumerate(LINES.items()):
        lines = ground.lines.get(layer)
        if not lines or zoom < rule["from"]:
            continue
        for form, above in ((1, 0.3), (0, 0.5), (3, 0.5), (2, 0.7)):
            shapes = [line.geometry for line in lines if line.form == form]
            if not shapes:
                continue
            width = max(0.3, width_px(layer, zoom)) * 72 / PIXELS_PER_IN
            cased = "casing" in rule and zoom >= rule["casing_from"]
            colour = LIGHT["tunnel"] if form == 1 and cased else LIGHT[layer]
            dash = (0, tuple(part * 0.6 for part in rule["dash"])) if "dash" in rule else "solid"
            drawn = in_picture(shapes)
            if cased:
                _stroke(axes, drawn, LIGHT[rule["casing"]], width + 1.0, "solid", above + number / 1000)
            _stroke(axes, drawn, colour, width, dash, above + 0.1 + number / 1000)
    _draw_names(axes, frame, ground, zoom, places, obstacles)


def _fill(axes: Axes, shapes: np.ndarray, colour: str, level: float, edge: str = "none") -> None:
    """Fill polygons, with their holes, in one path."""
    import shapely
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    rings = shapely.get_rings(shapes)
    if len(rings):
        path = Path.make_compound_path(*[Path(shapely.get_coordinates(ring), closed=True) for ring in rings])
        axes.add_patch(PathPatch(path, facecolor=colour, edgecolor=edge, linewidth=0.3, zorder=level))


def _stroke(axes: Axes, shapes: np.ndarray, colour: str, width_pt: float, dash: Any, level: float) -> None:
    import shapely
    from matplotlib.collections import LineCollection

    lines = [shapely.get_coordinates(shape) for shape in shapes]
    axes.add_collection(
        LineCollection(
            lines, colors=colour, linewidths=width_pt, linestyles=[dash], capstyle="round", joinstyle="round",
            zorder=level,
        )
    )  # fmt: skip


def _draw_names(
    axes: Axes, frame: PictureFrame, ground: Basemap, zoom: float, places: np.ndarray, obstacles: Sequence[Rectangle]
) -> None:
    """Write names, the important ones first, each where no other stands yet and it hides no place.

    Beside its point a name may stand above, below, right or left of it. A town's stands where it hides the fewest.
    What is mapped in several parts, as a river's reaches are, is named once.
    """
    from matplotlib.patheffects import withStroke

    drawn_names: set[tuple[str, str]] = set()
    boxes = [_scale_box(frame), _north_box(frame), *obstacles]
    metres_per_pt = frame.width_m / (WIDTH_IN * 72)
    halo = [withStroke(linewidth=2.2, foreground=LIGHT["halo"])]
    order = list(NAMES)
    for name in sorted(ground.names, key=lambda one: (order.index(one.kind), one.rank)):
        rule = NAMES[name.kind]
        if not rule["from"] <= zoom <= rule["to"] or name.rank >= 6 * 4 ** max(0.0, zoom - rule["from"]):
            continue
        if (name.kind, name.text) in drawn_names:
            continue
        ((x, y),) = frame.from_ground(np.array([[name.x_m, name.y_m]]), ground)
        size_pt = rule["size"] * 72 / PIXELS_PER_IN
        text = shortened(drawable(name.text, english=name.english))
        wide, high = len(text) * size_pt * 0.34 * metres_per_pt, size_pt * 0.8 * metres_per_pt
        placement = best_place((x, y), (wide, high), (frame.width_m, frame.height_m), boxes, places)
        if placement is not None and (not placement[1] or name.kind in TOWNS):
            box, _ = placement
            boxes.append(box)
            drawn_names.add((name.kind, name.text))
            x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
            axes.text(
                x, y, text, parse_math=False, fontsize=size_pt, color=LIGHT[rule["ink"]], ha="center", va="center",
                weight="bold" if rule["weight"] >= 600 else "normal",
                style="italic" if rule.get("italic") else "normal",
                path_effects=halo, zorder=7,
            )  # fmt: skip


def _draw_clusters(axes: Axes, frame: PictureFrame, clusters: pd.DataFrame) -> None:
    """Draw a ring in its cluster's colour around each place: areas would hide the town."""
    crowd = float(np.clip((600 / len(clusters)) ** 0.5, 0.3, 1.0))
    for cluster, rows in clusters.groupby("cluster", sort=True):
        x, y = frame.of(rows)
        colour = CLUSTER_COLOURS[int(str(cluster)) % len(CLUSTER_COLOURS)]
        axes.scatter(x, y, s=70 * crowd, c=colour, edgecolors="none", zorder=2.5)
    label = f"ring: {counted(clusters['cluster'].nunique(), 'cluster')}"
    axes.scatter([], [], s=70, c=CLUSTER_COLOURS[0], edgecolors="none", label=label)


def _draw_points(axes: Axes, frame: PictureFrame, layer: Layer, rows: pd.DataFrame) -> None:
    if rows.empty:
        return
    x, y = frame.of(rows)
    crowd = float(np.clip((600 / len(rows)) ** 0.5, 0.25, 1.0))
    axes.scatter(
        x, y, s=layer.size * crowd, c=layer.colour, marker=layer.marker, edgecolors=layer.edge,
        linewidths=0.4 * crowd, alpha=0.9, zorder=3 + LAYERS.index(layer),
        label=counted(len(rows), NOUNS[layer.name]),
    )  # fmt: skip


def _draw_tour(axes: Axes, frame: PictureFrame, tour: pd.DataFrame) -> list[str]:
    """Draw the way and number its places by first visit; return their names in that order."""
    from matplotlib.patheffects import withStroke

    x, y = frame.of(tour)
    halo = [withStroke(linewidth=4.5, foreground="#ffffff")]
    axes.plot(x, y, color=TOUR_COLOUR, linewidth=2.0, zorder=8, path_effects=halo, label="a witness tour")
    places = tour.assign(x=x, y=y).drop_duplicates(["lat", "lon"])
    axes.scatter(
        places["x"], places["y"], s=STOP_MARK_PT**2, c=TOUR_COLOUR, edgecolors="#ffffff", linewidths=1.0, zorder=9
    )
    numbers = [str(i + 1) for i in range(len(places))]
    for number, east, north in zip(numbers, places["x"], places["y"], strict=True):
        axes.text(
            east, north, number, fontsize=6.5, color="#ffffff", weight="bold", ha="center", va="center_baseline",
            zorder=10,
        )  # fmt: skip
    return [str(name) for name in places["name"]]


def _list_stops(figure: Figure, names: list[str], top: float, line: float) -> None:
    """Write the numbered names below the map, in columns; `top` and `line` are shares of the picture's height."""
    lines = -(-len(names) // STOP_COLUMNS)
    for at, name in enumerate(names):
        column, row = divmod(at, lines)
        figure.text(
            0.02 + column / STOP_COLUMNS, top - (row + 0.5) * line, f"{at + 1}  {name}", parse_math=False,
            fontsize=8.5, color=INK, va="center",
        )  # fmt: skip


def _stop_boxes(frame: PictureFrame, tour: pd.DataFrame) -> list[Rectangle]:
    """Return what the marks of a tour's stops hide, with as much around it as a name needs to be read."""
    half = STOP_MARK_PT * frame.width_m / (WIDTH_IN * 72)
    return [(x - half, y - half, x + half, y + half) for x, y in zip(*frame.of(tour), strict=True)]


def _along(frame: PictureFrame, tour: pd.DataFrame) -> np.ndarray:
    """Return points of a tour's way, shape (n, 2), in metres, as far apart as a stop's mark is wide."""
    x, y = frame.of(tour)
    far = np.concatenate([[0.0], np.hypot(np.diff(x), np.diff(y)).cumsum()])
    at = np.arange(0.0, far[-1], STOP_MARK_PT * frame.width_m / (WIDTH_IN * 72))
    return np.column_stack([np.interp(at, far, x), np.interp(at, far, y)])


def _scale_box(frame: PictureFrame) -> Rectangle:
    """Return where the scale stands, down to the picture's edge: it is as long as the step that it tells."""
    length = max([s for s in SCALE_STEPS_M if s <= frame.width_m / 4] or [SCALE_STEPS_M[0]])
    right, low = frame.width_m * 0.97, frame.width_m * 0.025
    return (right - length, 0.0, right, low * 2.2)


def _north_box(frame: PictureFrame) -> Rectangle:
    right = frame.width_m * 0.97
    return (right - frame.width_m * 0.02, frame.height_m - frame.width_m * 0.1, frame.width_m, frame.height_m)


def _draw_scale_and_north(axes: Axes, frame: PictureFrame) -> None:
    left, _, right, _ = _scale_box(frame)
    low, length = frame.width_m * 0.025, round(right - left)
    axes.plot([right - length, right], [low, low], color=INK, linewidth=2.2, solid_capstyle="butt", zorder=12)
    label = f"{length} m" if length < 1000 else f"{length // 1000} km"
    axes.text(right - length / 2, low * 1.35, label, fontsize=8.5, color=INK, ha="center", va="bottom", zorder=12)
    tip = frame.height_m - frame.width_m * 0.03
    axes.annotate(
        "N", xy=(right, tip), xytext=(right, tip - frame.width_m * 0.05), fontsize=10, color=INK, ha="center",
        va="center", arrowprops={"arrowstyle": "-|>", "color": INK, "linewidth": 1.4}, zorder=12,
    )  # fmt: skip


def _draw_legend(axes: Axes, middle: float) -> None:
    """Write what each mark stands for in a row below the map; `middle` is a share of the picture's height."""
    from matplotlib.collections import PathCollection

    legend = axes.legend(
        loc="center left", bbox_to_anchor=(0.01, middle), bbox_transform=axes.figure.transFigure, ncols=6,
        fontsize=8.5, frameon=False, borderpad=0, columnspacing=1.8, handletextpad=0.5, labelcolor=INK,
    )  # fmt: skip
    for handle in legend.legend_handles:
        if isinstance(handle, PathCollection):
            handle.set_sizes([38.0])
