"""The map is an image of our own data: the same bytes every time, whatever the names say."""

from __future__ import annotations

import io
from dataclasses import replace
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
import shapely
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from PIL import Image

from assets.release.basemap.cut import Basemap, Line, Name
from assets.release.basemap.frame import frame_of
from assets.release.basemap.style import LIGHT
from assets.spatial.map import LAYERS, city_map
from assets.spatial.picture import ATTRIBUTION
from assets.spatial.picture_frame import PictureFrame
from schemas.recipe import City
from schemas.recipe_values import Box
from schemas.release import CANARY

PNG = b"\x89PNG\r\n\x1a\n"
HOSTILE = "$\\frac{x$ <script>\n\u202e\u200b🦆 " + "long " * 40


def points_of(n=12, lat=60.17, lon=24.94):
    kinds = ["stay", "restaurant", "attraction", "stop"]
    rows = [(kinds[i % 4], lat + i / 2000, (lon + i / 1000 + 180) % 360 - 180) for i in range(n)]
    return pd.DataFrame(rows, columns=["kind", "lat", "lon"])


def pixels(png):
    from matplotlib.image import imread

    return imread(io.BytesIO(png))


def count_of(png, colour):
    """Points are drawn a little transparent, so that near enough is the colour."""
    wanted = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return (np.abs(pixels(png)[:, :, :3] - wanted).max(axis=2) < 0.09).sum()


@pytest.fixture(scope="module")
def bare():
    return city_map("x", points_of())


def test_the_same_data_gives_the_same_bytes(bare):
    assert city_map("x", points_of()) == bare
    assert bare.startswith(PNG)


def test_a_picture_has_a_palette_and_says_whose_it_is(bare):
    image = Image.open(io.BytesIO(bare))
    assert (image.mode, image.info["Comment"], round(image.info["dpi"][0])) == ("P", CANARY, 150)


def test_every_kind_is_drawn_in_its_colour(bare):
    colours = {kind: LIGHT[kind] for kind in ("stay", "restaurant", "attraction")}
    stops = points_of().assign(kind="stop")
    empty = city_map("x", stops)
    for colour in colours.values():
        assert count_of(bare, colour) > count_of(empty, colour) + 100


def ground_of(points, areas, lines):
    city = City(city_id="fi-18-x", name="X", country="FI", box=Box(south=60.17, west=24.94, north=60.176, east=24.952))
    frame = frame_of(city)
    moved = {
        layer: [Line(shapely.LineString(np.column_stack(frame.metres(*line.T))), "", 0)]
        for layer, line in lines.items()
    }
    return Basemap(
        frame, (0, 0, frame.width_m, frame.height_m), {layer: [shapely.box(0, 0, 9999, 300)] for layer in areas}, moved
    )


def test_ground_clusters_and_a_tour_show(bare):
    points = points_of()
    street = points[["lon", "lat"]].to_numpy()
    tour = points.head(3).assign(name=["a", "b", "c"])
    ground = ground_of(points, ["sea"], {"motorway": street})
    drawn = city_map("x", points, tour=tour, ground=ground, clusters=points.assign(cluster=0))
    for colour in ("#b3264a", LIGHT["sea"], LIGHT["motorway"], "#8f6bc0"):
        assert count_of(drawn, colour) > count_of(bare, colour) + 100


def test_the_ground_lies_where_the_places_lie():
    """A wide street from one lonely stay to another begins and ends at them."""
    ends = pd.DataFrame([("stay", 60.1701, 24.9401), ("stay", 60.1759, 24.9519)], columns=["kind", "lat", "lon"])
    road = ground_of(ends, [], {"motorway": ends[["lon", "lat"]].to_numpy()})
    bare, drawn = (pixels(city_map("x", ends, ground=g))[:, :, :3] for g in (ground_of(ends, [], {}), road))
    stay = np.array([int(LIGHT["stay"][i : i + 2], 16) for i in (1, 3, 5)]) / 255
    up, across = np.nonzero(np.abs(bare - stay).max(axis=2) < 0.09)
    beyond = up < bare.shape[0] - 110  # not the legend's
    high, wide = np.nonzero(np.abs(drawn - bare).max(axis=2) > 0.1)
    assert abs(high.max() - up[beyond].max()) < 25
    assert abs(wide.max() - across[beyond].max()) < 25
    assert abs(wide.min() - across[beyond].min()) < 25


def test_ground_out_of_the_frame_changes_nothing_but_the_land(bare):
    points = points_of()
    far = np.array([[24.0, 61.0], [24.1, 61.0]])
    empty = city_map("x", points, ground=ground_of(points, [], {}))
    assert city_map("x", points, ground=ground_of(points, [], {"motorway": far})) == empty


@pytest.fixture
def names_drawn(monkeypatch):
    """Return what draws a map with names at its stays, and gives how many of these a name hides, if it is written."""
    from assets.spatial import map as module

    def drawn(kind, text, stays, tour=None):
        ground = ground_of(stays, [], {})
        x, y = ground.frame.metres(stays["lon"].to_numpy(), stays["lat"].to_numpy())
        at = [Name(kind, text, x[len(x) // 2], y[len(x) // 2], 0)]
        found, real = [], module.best_place
        monkeypatch.setattr(module, "best_place", lambda *given: found.append(real(*given)) or found[-1])
        written = []
        text_of = Axes.text
        monkeypatch.setattr(Axes, "text", lambda s, *a, **k: written.append(a[:3]) or text_of(s, *a, **k))
        city_map("x", stays, ground=replace(ground, names=at), tour=tour)
        (best,) = found
        return {text: best[1]} if text in [one for _, _, one in written] else {}

    return drawn


def test_a_name_stands_beside_the_place_that_it_would_hide(names_drawn):
    assert names_drawn("green", "Park", points_of(40).assign(kind="stay")) == {"Park": 0}


def test_a_name_without_room_is_left_out_but_a_town_s_hides_as_few_as_may_be(names_drawn):
    rows = [("stay", 60.17 + i / 1500, 24.94 + j / 750) for i in range(60) for j in range(60)]
    crowd = pd.DataFrame(rows, columns=["kind", "lat", "lon"])
    assert names_drawn("station", "A name", crowd.iloc[[0, 1830, -1]]) == {"A name": 0}
    assert names_drawn("station", "A name", crowd) == {}
    assert names_drawn("suburb", "A name", crowd)["A name"] > 0


def test_a_name_stands_on_no_stop_of_a_tour_and_only_a_town_s_on_its_way(names_drawn):
    ends = pd.DataFrame(
        [("stay", 60.17, 24.94), ("stay", 60.18, 24.96), ("stay", 60.19, 24.98)], columns=["kind", "lat", "lon"]
    )
    to_and_fro = [(60.18 + north / 4000, 24.94 if north % 2 else 24.98) for north in range(-40, 41)]
    tour = pd.DataFrame(to_and_fro, columns=["lat", "lon"]).assign(name="A stop")
    assert names_drawn("station", "A name", ends) == {"A name": 0}
    assert names_drawn("station", "A name", ends, tour) == {}
    assert names_drawn("suburb", "A name", ends, tour)["A name"] > 0
    middle = pd.DataFrame([("A stop", 60.18 + n / 4000, 24.96) for n in range(-8, 9)], columns=["name", "lat", "lon"])
    assert names_drawn("suburb", "A name", ends, middle) == {}


def test_what_is_mapped_in_parts_is_named_once(monkeypatch):
    points = points_of()
    ground = ground_of(points, [], {})
    wide, high = ground.frame.width_m, ground.frame.height_m
    at = [(wide * x / 8, high * y / 8) for x in range(1, 8) for y in range(1, 8)]
    names = [Name(kind, "Long Pond", x, y, 0) for kind in ("lake", "green") for x, y in at]
    written, text_of = [], Axes.text
    monkeypatch.setattr(Axes, "text", lambda s, *a, **k: written.append(a[2]) or text_of(s, *a, **k))
    city_map("x", points, ground=replace(ground, names=names))
    assert written.count("Long Pond") == 2


def test_names_are_drawn_as_written_and_never_interpreted():
    points = points_of()
    tour = points.head(2).assign(name=[HOSTILE, HOSTILE])
    assert city_map(HOSTILE, points, tour=tour, attribution=HOSTILE).startswith(PNG)


@pytest.mark.parametrize(
    ("name", "latin"),
    [("東京", "DongJing"), ("キマ", "kima"), ("مكة", "mkh"), ("Москва", "Москва"), ("Åbo", "Åbo"), ("「花」", "[Hua]")],
)
def test_letters_that_cannot_be_drawn_are_written_in_latin_ones_and_that_is_said(name, latin, monkeypatch):
    from assets.spatial import drawable as module

    assert module.drawable(name) == latin
    points = points_of()
    drawn = city_map(name, points)
    monkeypatch.setattr(module, "needs_latin", lambda c: False)
    assert (drawn != city_map(latin, points)) is (name != latin)  # the foot says so


def test_a_name_that_cannot_be_drawn_is_in_english_where_the_map_tells_it(monkeypatch):
    points = points_of()
    ground = ground_of(points, [], {})
    middle = ground.frame.width_m / 2, ground.frame.height_m / 2
    names = [Name("station", "東京", *middle, 0, "Tokyo"), Name("lake", "Lac", middle[0], middle[1] / 2, 0, "Lake")]
    written, text_of = [], Axes.text
    monkeypatch.setattr(Axes, "text", lambda s, *a, **k: written.append(a[2]) or text_of(s, *a, **k))
    titles, title_of = [], Figure.text
    monkeypatch.setattr(Figure, "text", lambda s, *a, **k: titles.append(a[2]) or title_of(s, *a, **k))
    city_map("東京", points, ground=replace(ground, names=names))
    assert {"Tokyo", "Lac"} <= set(written) and "DongJing" not in written
    assert titles[0] == "Tokyo"


@pytest.mark.parametrize("name", ["京", "京🦆"])
def test_the_foot_of_a_picture_lies_inside_it(name, monkeypatch):
    drawn, text_of = [], Figure.text
    monkeypatch.setattr(Figure, "text", lambda s, *a, **k: drawn.append(text_of(s, *a, **k)) or drawn[-1])
    city_map(name, points_of(), attribution=ATTRIBUTION)
    box, page = drawn[1].get_window_extent(), drawn[1].figure.bbox
    assert (box.x0 > 0, box.y0 > 0, box.x1 < page.x1) == (True, True, True)
    assert box.y1 < page.y1 * 0.1


def test_characters_that_the_font_lacks_are_marked_and_the_mark_is_explained():
    name, points = "🦆🦆", points_of()
    drawn = city_map(name, points, tour=points.head(2).assign(name=["a", name]))
    assert drawn == city_map("\ufffd\ufffd", points, tour=points.head(2).assign(name=["a", "\ufffd\ufffd"]))
    foot = slice(-40, None)
    assert (pixels(drawn)[foot] != pixels(city_map("x", points))[foot]).any()


def test_a_town_on_the_antimeridian_is_one_town():
    shape = pixels(city_map("Taveuni", points_of(lat=-16.8, lon=179.995))).shape
    assert shape == pixels(city_map("Elsewhere", points_of(lat=-16.8, lon=20.0))).shape


def test_one_outlier_does_not_shrink_the_town():
    town = points_of(300)
    stray = pd.DataFrame([("stay", 61.5, 24.94)], columns=["kind", "lat", "lon"])
    assert pixels(city_map("x", pd.concat([town, stray]))).shape == pytest.approx(
        pixels(city_map("x", town)).shape, rel=0.05
    )


def test_a_tour_is_shown_whole_wherever_it_goes():
    """Of a town of many places the frame leaves out those far from all others, but no stop."""
    town, stops = points_of(600), points_of(2)
    far = pd.DataFrame({"lat": [60.9], "lon": [24.9]})
    tour = pd.concat([stops, far]).assign(name=["a", "b", "far"])
    frame = PictureFrame.around(town, tour)
    for at, size in zip(frame.of(tour), (frame.width_m, frame.height_m), strict=True):
        assert (at > size * 0.02).all() and (at < size * 0.98).all()
    assert PictureFrame.around(pd.concat([town, far]), stops).height_m < frame.height_m / 2


def test_one_place_alone_can_be_drawn():
    assert city_map("x", points_of(1)).startswith(PNG)


def test_nothing_cannot_be_drawn():
    with pytest.raises(ValueError, match="there is nothing to draw on the map of 'Nowhere'"):
        city_map("Nowhere", points_of(0))


def test_the_legend_counts_in_words_and_names_nothing_that_is_not_there(monkeypatch):
    from assets.spatial import map as module

    told = []
    monkeypatch.setattr(module, "_draw_legend", lambda axes, _: told.extend(axes.get_legend_handles_labels()[1]))
    points = pd.DataFrame({"kind": ["restaurant", "stop", "stop"], "lat": [1.0, 1.001, 1.002], "lon": [1.0, 1.0, 1.0]})
    module.city_map("Town", points, clusters=pd.DataFrame({"cluster": [], "lat": [], "lon": []}))
    assert told == ["2 transit stops", "1 restaurant"]
    told.clear()
    module.city_map("Town", points, clusters=pd.DataFrame({"cluster": [0, 0], "lat": [1.0, 1.001], "lon": [1.0, 1.0]}))
    assert "ring: 1 cluster" in told


@pytest.mark.parametrize(("stops", "credits"), [(1, 0), (6, 1), (15, 9)])
def test_nothing_that_explains_a_map_hides_a_part_of_it(stops, credits, monkeypatch):
    """The list of a tour's stops hid the stop in its corner, a foot of five lines the last stops of the list."""
    axes, texts, text_of = [], [], Figure.text
    monkeypatch.setattr(Figure, "text", lambda s, *a, **k: texts.append(text_of(s, *a, **k)) or texts[-1])
    add_axes = Figure.add_axes
    monkeypatch.setattr(Figure, "add_axes", lambda s, *a, **k: axes.append(add_axes(s, *a, **k)) or axes[-1])
    tour = points_of(stops)[["lat", "lon"]].assign(name=[f"Stop {n}" for n in range(stops)])
    city_map(
        "A name of so many letters that no line of the picture holds them all at its full size",
        points_of(),
        tour=tour,
        attribution="Those who are to be named (Creative Commons Attribution-ShareAlike 4.0); " * credits,
    )
    (shown,) = axes
    boxes = [text.get_window_extent() for text in texts] + [shown.get_legend().get_window_extent()]
    page = shown.figure.bbox
    assert [text.get_text() for text in texts[:stops]] == [f"{n + 1}  Stop {n}" for n in range(stops)]
    for box in boxes:
        assert not box.overlaps(shown.get_window_extent())
        assert (box.x0 > 0, box.y0 > 0, box.x1 < page.x1, box.y1 < page.y1) == (True, True, True, True)
    assert not any(one.overlaps(other) for one, other in combinations(boxes, 2))


def test_kinds_of_points_differ_by_shape():
    assert len({layer.marker for layer in LAYERS}) == len(LAYERS)
