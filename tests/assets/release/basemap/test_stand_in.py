"""Where no street map is bound: the ground around the places, and transit's lines; unknown ground stays unknown."""

from __future__ import annotations

import numpy as np
import pytest
import shapely

from assets.release.basemap.stand_in import AROUND_M, stand_in
from assets.release.basemap.style import AREAS, DARK, LIGHT, LINES, NAMES, STREET_NAMES, width_px, zoom_of
from schemas.recipe import City
from schemas.recipe_values import Box
from sources.osm import basemap as osm

CITY = City(
    city_id="us-in-alder", name="Alder", country="US", box=Box(south=40.0, west=-86.0, north=40.02, east=-85.97)
)


def test_the_ground_reaches_around_the_places_and_no_farther():
    found = stand_in(CITY, np.array([40.005, 40.015]), np.array([-85.99, -85.975]), [])
    assert len(found.areas["built"]) == 2
    for shape in found.areas["built"]:
        assert shape.area == pytest.approx(np.pi * AROUND_M**2, rel=0.06)
    assert found.lines == {}


def test_transit_lines_are_drawn_where_they_run_and_cut_at_the_frame():
    line = np.array([[-87.0, 40.01], [-85.0, 40.01]])
    found = stand_in(CITY, np.array([]), np.array([]), [line])
    ((drawn,),) = found.lines.values()
    assert drawn.geometry.length == pytest.approx(found.frame.width_m, rel=0.001)
    assert shapely.get_coordinates(drawn.geometry)[0, 0] == pytest.approx(0, abs=0.01)


def test_without_places_and_lines_there_is_nothing():
    assert stand_in(CITY, np.array([]), np.array([]), []).is_empty


def test_everything_that_is_read_has_a_look_in_light_and_dark():
    assert set(osm.AREAS) | {"sea"} == set(AREAS)
    assert set(osm.LINES) | {"transit"} == set(LINES)
    assert set(osm.LABELS) == set(NAMES)
    assert set(STREET_NAMES) <= set(LINES)
    assert set(LIGHT) == set(DARK)
    inks = {rule["ink"] for rule in NAMES.values()} | {rule["casing"] for rule in LINES.values() if "casing" in rule}
    assert {*AREAS, *LINES, *inks} <= set(LIGHT)


def test_a_line_is_as_wide_as_declared_at_its_zooms_and_wider_nearer():
    for layer, rule in LINES.items():
        near, wide = rule["width"][2], rule["width"][3]
        assert width_px(layer, near) == pytest.approx(wide)
        assert width_px(layer, near + 1) > wide
    assert zoom_of(156_543.033928 / 2**14) == pytest.approx(14)
