"""A map of one city as a PNG, drawn from our own tables: no tile server, no network, no clock, always the same bytes.

Only drawing belongs here; what is drawn is decided by the caller.
"""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from assets.spatial.projection import mean_position
from schemas.release import CANARY

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WIDTH_IN, BANDS_IN, DPI = 10.0, 0.8, 150
MARGIN = 0.06
TRIMMED = 0.005
"""Share of the places at each edge that may lie outside the frame, so that one outlier does not shrink the town."""

MIN_SPAN_M = 400.0
MAX_NAME = 44
UNKNOWN = "\N{REPLACEMENT CHARACTER}"
UNKNOWN_NOTE = f"{UNKNOWN} stands for a character that this picture's font lacks."
SCALE_STEPS_M = (50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000)

PAPER, STREET, STREET_INK, INK, SOFT_INK = "#f7f5f0", "#ffffff", "#dcd7cb", "#2f2f33", "#77736b"


@dataclass(frozen=True)
class Layer:
    """How one kind of point is drawn, from the bottom up."""

    name: str
    marker: str
    size: float
    colour: str
    edge: str


LAYERS = (
    Layer("stop", ".", 16, "#8f9aa8", "none"),
    Layer("stay", "o", 14, "#4c78a8", "#ffffff"),
    Layer("restaurant", "s", 15, "#e4813a", "#ffffff"),
    Layer("attraction", "^", 30, "#3f8f5b", "#ffffff"),
)
TOUR_COLOUR = "#b3264a"
CLUSTER_COLOURS = ("#d8c7ea", "#c5dbef", "#cfe6c8", "#f3dcb8", "#efc9cd", "#c9e4e2", "#e3dfb5", "#dccdc4")
NOUNS = {"stop": "transit stop", "stay": "stay", "restaurant": "restaurant", "attraction": "attraction"}


def city_map(
    title: str,
    points: pd.DataFrame,
    *,
    clusters: pd.DataFrame | None = None,
    tour: pd.DataFrame | None = None,
    streets: np.ndarray | None = None,
    attribution: str = "",
) -> bytes:
    """Return the PNG of a city's map.

    `points` has kind (`stay`, `restaurant`, `attraction`, `stop`), lat, lon; `clusters` has cluster, lat, lon of its
    places, drawn as tinted areas; `tour` has name, lat, lon in the order of visit; `streets`, shape (n, 4), has lat,
    lon, lat, lon of straight pieces. Text is drawn as written, never interpreted; for a character that the font lacks
    stands a mark that the picture explains. A metre east is as long as one north.
    Raises ValueError if there is not a single point.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    if points.empty:
        raise ValueError(f"there is nothing to draw on the map of {title!r}; expected at least one place or stop")
    frame = _Frame.around(points["lat"].to_numpy(dtype=float), points["lon"].to_numpy(dtype=float))
    height_in = WIDTH_IN * frame.height_m / frame.width_m
    figure = Figure(figsize=(WIDTH_IN, height_in + BANDS_IN), dpi=DPI, facecolor=PAPER)
    FigureCanvasAgg(figure)
    top = bottom = BANDS_IN / 2 / (height_in + BANDS_IN)
    axes = figure.add_axes((0.015, bottom, 0.97, 1 - top - bottom), facecolor=PAPER)
    axes.set(xlim=(0, frame.width_m), ylim=(0, frame.height_m), aspect="equal", xticks=[], yticks=[])
    for spine in axes.spines.values():
        spine.set(color=STREET_INK, linewidth=0.8)
    if streets is not None:
        _draw_streets(axes, frame, streets)
    if clusters is not None and len(clusters):
        _draw_clusters(axes, frame, clusters)
    for layer in LAYERS:
        _draw_points(axes, frame, layer, points[points["kind"] == layer.name])
    texts = [_drawable(title, "bold")]
    if tour is not None and len(tour):
        tour = tour.assign(name=[_shortened(_drawable(str(name))) for name in tour["name"]])
        texts += list(tour["name"])
        _draw_tour(axes, frame, tour)
    _draw_scale_and_north(axes, frame)
    _draw_legend(axes)
    note = " ".join([_drawable(attribution), *([UNKNOWN_NOTE] if UNKNOWN in "".join(texts) else [])])
    figure.text(0.015, 1 - top * 0.5, texts[0], parse_math=False, fontsize=16, color=INK, weight="bold", va="center")
    figure.text(0.015, bottom * 0.5, note, parse_math=False, fontsize=7.5, color=SOFT_INK, va="center")
    image = io.BytesIO()
    figure.savefig(image, format="png", facecolor=PAPER, metadata={"Software": None, "Comment": CANARY})
    return image.getvalue()


@dataclass(frozen=True)
class _Frame:
    """The part of the ground shown, and how degrees become metres from its south-west corner."""

    lat_0: float
    lon_0: float
    west_m: float
    south_m: float
    width_m: float
    height_m: float

    @classmethod
    def around(cls, lat: np.ndarray, lon: np.ndarray) -> _Frame:
        """Return the frame of nearly all the points, between half as high and as high as it is wide."""
        bare = cls(*mean_position(lat, lon), 0.0, 0.0, 0.0, 0.0)
        x, y = bare.metres(lat, lon)
        (west, east), (south, north) = (np.quantile(v, (TRIMMED, 1 - TRIMMED)) for v in (x, y))
        width = max(east - west, MIN_SPAN_M) * (1 + 2 * MARGIN)
        height = max(north - south, MIN_SPAN_M) * (1 + 2 * MARGIN)
        width, height = max(width, height), max(height, 0.6 * width)
        return cls(
            bare.lat_0, bare.lon_0, float((west + east - width) / 2), float((south + north - height) / 2),
            float(width), float(height),
        )  # fmt: skip

    def metres(self, lat: np.ndarray, lon: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return metres east and north of the corner: equirectangular, scaled by the cosine of the middle latitude."""
        metres_per_degree = 111_320.0
        turned = (lon - self.lon_0 + 180) % 360 - 180
        x = turned * metres_per_degree * np.cos(np.radians(self.lat_0)) - self.west_m
        return x, (lat - self.lat_0) * metres_per_degree - self.south_m

    def of(self, rows: pd.DataFrame) -> tuple[np.ndarray, np.ndarray]:
        """Return the metres of a table's lat and lon."""
        return self.metres(rows["lat"].to_numpy(dtype=float), rows["lon"].to_numpy(dtype=float))


def _draw_streets(axes: Axes, frame: _Frame, streets: np.ndarray) -> None:
    from matplotlib.collections import LineCollection

    x1, y1 = frame.metres(streets[:, 0], streets[:, 1])
    x2, y2 = frame.metres(streets[:, 2], streets[:, 3])
    seen = (np.minimum(x1, x2) < frame.width_m) & (np.maximum(x1, x2) > 0)
    seen &= (np.minimum(y1, y2) < frame.height_m) & (np.maximum(y1, y2) > 0)
    lines = np.stack([np.column_stack([x1, y1]), np.column_stack([x2, y2])], axis=1)[seen]
    axes.add_collection(LineCollection(list(lines), colors=STREET_INK, linewidths=0.7, capstyle="round", zorder=1))


def _draw_clusters(axes: Axes, frame: _Frame, clusters: pd.DataFrame) -> None:
    """Tint the hull of each cluster, widened so that a cluster of one or two places shows too."""
    import shapely
    from matplotlib.patches import Polygon

    widened = frame.width_m / 120
    for cluster, rows in clusters.groupby("cluster", sort=True):
        hull = shapely.MultiPoint(np.column_stack(frame.of(rows))).convex_hull.buffer(widened)
        colour = CLUSTER_COLOURS[int(str(cluster)) % len(CLUSTER_COLOURS)]
        outline = shapely.get_coordinates(hull)
        axes.add_patch(Polygon(outline, facecolor=colour, edgecolor="#ffffff", linewidth=0.8, alpha=0.55, zorder=2))
    count = clusters["cluster"].nunique()
    axes.scatter([], [], marker="h", s=60, c=CLUSTER_COLOURS[0], edgecolors=SOFT_INK, label=_counted(count, "cluster"))


def _draw_points(axes: Axes, frame: _Frame, layer: Layer, rows: pd.DataFrame) -> None:
    if rows.empty:
        return
    x, y = frame.of(rows)
    crowd = float(np.clip((600 / len(rows)) ** 0.5, 0.25, 1.0))
    axes.scatter(
        x, y, s=layer.size * crowd, c=layer.colour, marker=layer.marker, edgecolors=layer.edge,
        linewidths=0.4 * crowd, alpha=0.9, zorder=3 + LAYERS.index(layer), label=_counted(len(rows), NOUNS[layer.name]),
    )  # fmt: skip


def _draw_tour(axes: Axes, frame: _Frame, tour: pd.DataFrame) -> None:
    """Draw the way and number its places by first visit; their names stand in a list, where none hides another."""
    from matplotlib.patheffects import withStroke

    x, y = frame.of(tour)
    halo = [withStroke(linewidth=4.5, foreground="#ffffff")]
    axes.plot(x, y, color=TOUR_COLOUR, linewidth=2.0, zorder=8, path_effects=halo, label="a witness tour")
    places = tour.assign(x=x, y=y).drop_duplicates(["lat", "lon"])
    axes.scatter(places["x"], places["y"], s=95, c=TOUR_COLOUR, edgecolors="#ffffff", linewidths=1.0, zorder=9)
    numbers = [str(i + 1) for i in range(len(places))]
    for number, east, north in zip(numbers, places["x"], places["y"], strict=True):
        axes.text(
            east, north, number, fontsize=6.5, color="#ffffff", weight="bold", ha="center", va="center_baseline",
            zorder=10,
        )  # fmt: skip
    listed = "\n".join(f"{n}  {name}" for n, name in zip(numbers, places["name"], strict=True))
    axes.text(
        0.012, 0.02, listed, parse_math=False,
        transform=axes.transAxes, fontsize=8.5, color=INK, va="bottom", linespacing=1.5, zorder=13,
        bbox={"boxstyle": "round,pad=0.6", "facecolor": "#ffffff", "edgecolor": STREET_INK, "alpha": 0.93},
    )  # fmt: skip


def _counted(count: int, noun: str) -> str:
    """Return the count with its noun, of which every plural here ends in s."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def _shortened(name: str) -> str:
    return name if len(name) <= MAX_NAME else name[: MAX_NAME - 1] + "…"


def _drawable(text: str, weight: str = "normal") -> str:
    """Return the text on one line, with UNKNOWN for each character that the font of this weight has no glyph for."""
    from matplotlib.font_manager import FontProperties, findfont, get_font

    font = get_font(findfont(FontProperties(weight=weight)))
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return "".join(c if font.get_char_index(ord(c)) else UNKNOWN for c in line)


def _draw_scale_and_north(axes: Axes, frame: _Frame) -> None:
    length = max([s for s in SCALE_STEPS_M if s <= frame.width_m / 4] or [SCALE_STEPS_M[0]])
    right, low = frame.width_m * 0.97, frame.width_m * 0.025
    axes.plot([right - length, right], [low, low], color=INK, linewidth=2.2, solid_capstyle="butt", zorder=12)
    label = f"{length} m" if length < 1000 else f"{length // 1000} km"
    axes.text(right - length / 2, low * 1.35, label, fontsize=8.5, color=INK, ha="center", va="bottom", zorder=12)
    tip = frame.height_m - frame.width_m * 0.03
    axes.annotate(
        "N", xy=(right, tip), xytext=(right, tip - frame.width_m * 0.05), fontsize=10, color=INK, ha="center",
        va="center", arrowprops={"arrowstyle": "-|>", "color": INK, "linewidth": 1.4}, zorder=12,
    )  # fmt: skip


def _draw_legend(axes: Axes) -> None:
    from matplotlib.collections import PathCollection

    legend = axes.legend(
        loc="upper left", fontsize=8.5, frameon=True, framealpha=0.93, edgecolor=STREET_INK, facecolor="#ffffff",
        borderpad=0.8, labelspacing=0.6, labelcolor=INK,
    )  # fmt: skip
    legend.set_zorder(13)
    for handle in legend.legend_handles:
        if isinstance(handle, PathCollection):
            handle.set_sizes([38.0])
