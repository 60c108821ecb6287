"""A city's map is one row with a PNG of what lies in the city; where there is nothing to draw there is none."""

from __future__ import annotations

import base64
import io
from dataclasses import replace
from typing import Any

import matplotlib.image
import numpy as np
import pandas as pd
import pytest

from assets.spatial.picture import picture
from schemas.recipe import City, SpatialSection
from schemas.recipe_values import Box
from schemas.spatial import CityMap

CITY = City(
    city_id="xx-street", name='Street <script>"', country="XX", currency="EUR",
    box=Box(south=-0.01, west=-0.01, north=0.01, east=0.02),
)  # fmt: skip
SPATIAL = SpatialSection(router="graph")
STREET = (
    '<?xml version="1.0"?><osm version="0.6"><node id="1" version="1" lat="0" lon="0"/>'
    '<node id="2" version="1" lat="0.001" lon="0.01"/>'
    '<way id="1" version="1"><nd ref="1"/><nd ref="2"/><tag k="highway" v="residential"/></way></osm>'
)
PLACES = pd.DataFrame(
    [("p1", "stay", 0.0, 0.001), ("p2", "restaurant", 0.001, 0.004), ("p3", "attraction", 0.0, 0.01)],
    columns=["place_id", "kind", "lat", "lon"],
)
STOPS = pd.DataFrame([("s", 0.0005, 0.005)], columns=["stop_id", "lat", "lon"])
CLUSTERS = pd.DataFrame([("p1", 0), ("p2", 0), ("p3", 1)], columns=["place_id", "cluster"])


def drawn(places=PLACES, stops=STOPS, clusters=CLUSTERS, extracts=()) -> list[dict[str, Any]]:
    rows = CityMap.arrow(picture(places, stops, clusters, list(extracts), city=CITY, spatial=SPATIAL))
    return CityMap.validate(rows).to_pylist()


def pixels(row: dict[str, Any]) -> np.ndarray:
    png = base64.b64decode(row["png_base64"], validate=True)
    assert len(png) == row["size_bytes"]
    return matplotlib.image.imread(io.BytesIO(png), format="png")


def test_the_map_is_one_row_whose_png_can_be_read_and_is_the_same_every_time(raw_file):
    extract = raw_file("osm", "extract", STREET)
    (row,) = drawn(extracts=[extract])
    assert row["city_id"] == "xx-street"
    assert pixels(row).shape[1] == 1500
    assert drawn(extracts=[extract]) == [row]


@pytest.mark.parametrize(
    "change",
    [
        {"places": PLACES[:2], "clusters": CLUSTERS[:2]},
        {"stops": STOPS[:0]},
        {"clusters": CLUSTERS.assign(cluster=0)},
        {"places": PLACES.assign(kind="stay")},
    ],
)
def test_places_stops_clusters_and_kinds_can_all_be_seen(change):
    (whole,), (changed,) = drawn(), drawn(**change)
    assert changed["png_base64"] != whole["png_base64"]


def test_streets_are_drawn_where_an_extract_is_bound(raw_file):
    (without,), (with_streets,) = drawn(), drawn(extracts=[raw_file("osm", "extract", STREET)])
    assert with_streets["png_base64"] != without["png_base64"]


def test_stops_and_places_beyond_the_city_do_not_shrink_it():
    far = pd.DataFrame([("t", 40.0, 90.0)], columns=["stop_id", "lat", "lon"])
    assert drawn(stops=pd.concat([STOPS, far])) == drawn()


def test_a_city_of_nothing_has_no_map():
    assert drawn(PLACES[:0], STOPS[:0], CLUSTERS[:0]) == []
    far = pd.DataFrame([("t", 40.0, 90.0)], columns=["stop_id", "lat", "lon"])
    assert drawn(PLACES[:0], far, CLUSTERS[:0]) == []


def test_a_city_of_stops_alone_has_one():
    assert len(drawn(PLACES[:0], STOPS, CLUSTERS[:0])) == 1


def test_a_picture_names_whose_streets_it_shows_and_under_which_licence(raw_file, monkeypatch):
    notices = []
    monkeypatch.setattr(
        "assets.spatial.picture.city_map", lambda *_, attribution, **__: notices.append(attribution) or b"picture"
    )
    extract = raw_file("osm", "extract", STREET)
    named = extract.snapshot.model_copy(
        update={"attribution": "© OpenStreetMap contributors", "licence_id": "ODbL-1.0"}
    )
    drawn(extracts=[replace(extract, snapshot=named)])
    drawn()
    drawn_by = "Drawn by tripwright from its own tables."
    assert notices == [f"{drawn_by} Ground: © OpenStreetMap contributors (Open Database License 1.0).", drawn_by]
