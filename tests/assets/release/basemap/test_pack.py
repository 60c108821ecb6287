"""The packed form, read back by another hand: every shape where it was, and never more bytes than allowed."""

from __future__ import annotations

import gzip
import json

import numpy as np
import pytest
import shapely

from assets.release.basemap import pack as module
from assets.release.basemap.cut import Basemap, Line, Name
from assets.release.basemap.frame import Frame
from assets.release.basemap.pack import UNIT_M, packed_basemap

FRAME = Frame(-86.0, 40.0, -85.96, 40.02)


def numbers(run: bytes) -> list[int]:
    found, value, weight = [], 0, 1
    for byte in run:
        value += (byte & 127) * weight
        weight *= 128
        if byte < 128:
            found.append(value)
            value, weight = 0, 1
    return found


def read(packed: bytes):
    """Return the header, and by layer (name, form, rings in metres), as pack.py's docstring tells the format."""
    data = gzip.decompress(packed)
    length = int.from_bytes(data[:4], "little")
    header = json.loads(data[4 : 4 + length])
    at, layers = 4 + length, {}
    for entry in header["layers"]:
        shape = iter(numbers(data[at : at + entry["structure"]]))
        at += entry["structure"]
        steps = [-(n + 1) // 2 if n % 2 else n // 2 for n in numbers(data[at : at + entry["points"]])]
        at += entry["points"]
        points = iter((np.cumsum(np.array(steps).reshape(-1, 2), axis=0) * UNIT_M).tolist())
        for _ in range(entry["features"]):
            name, form, parts = next(shape), next(shape), next(shape)
            rings = [[next(points) for _ in range(size)] for size in [next(shape) for _ in range(parts)]]
            layers.setdefault(entry["layer"], []).append(((["", *header["names"]])[name], form, rings))
    assert at == len(data)
    return header, layers


def test_every_shape_is_read_back_within_half_a_unit():
    lake = shapely.box(10, 20, 300, 400).difference(shapely.box(100, 100, 150, 150))
    far = shapely.LineString([(3000.1, 2000.2), (0, 0), (2999.9, 1)])
    basemap = Basemap(
        FRAME,
        (0, 0, 3400, 2200),
        {"water": [lake]},
        {"primary": [Line(far, "Ünter </script>", 1), Line(shapely.LineString([(5, 5), (9, 9)]), "", 0)]},
        [Name("town", "A", 12.4, 9.9, 0)],
        ("a note",),
    )
    header, layers = read(packed_basemap(basemap)[0])
    ((name, form, rings),) = layers["water"]
    assert (name, form) == ("", 0)
    drawn = shapely.Polygon(rings[0], rings[1:])
    assert drawn.symmetric_difference(lake).area < 1
    (first, second) = layers["primary"]
    assert first[:2] == ("Ünter </script>", 1)
    assert np.abs(np.array(first[2][0]) - shapely.get_coordinates(far)).max() <= UNIT_M / 2 + 1e-9
    assert second == ("", 0, [[[5, 5], [9, 9]]])
    assert header["labels"] == [["town", "A", 50, 40, 0]]
    assert header["notes"] == ["a note"]
    assert header["origin"] == pytest.approx(FRAME.origin, abs=0.001)
    assert header["size"][0] * UNIT_M == pytest.approx(FRAME.width_m, abs=UNIT_M)


def test_what_is_thinner_than_the_grid_is_left_out():
    sliver = shapely.Polygon([(0, 0), (100, 0.01), (100, 0.02)])
    _, layers = read(packed_basemap(Basemap(FRAME, (0, 0, 9, 9), {"water": [sliver]}))[0])
    assert layers == {}


def test_the_same_map_is_the_same_bytes():
    basemap = Basemap(FRAME, (0, 0, 9, 9), {"park": [shapely.box(0, 0, 100, 100)]})
    assert packed_basemap(basemap)[0] == packed_basemap(basemap)[0]


def test_what_is_too_large_loses_small_buildings_then_paths_and_says_so(monkeypatch):
    rng = np.random.default_rng(1)
    corners = rng.uniform(0, 2000, (400, 2))
    small = [shapely.box(x, y, x + 5, y + 5) for x, y in corners]
    large = [shapely.box(x, y, x + 20, y + 20) for x, y in corners[:40]]
    paths = [Line(shapely.LineString(rng.uniform(0, 2000, (20, 2))), "", 0) for _ in range(60)]
    basemap = Basemap(FRAME, (0, 0, 9, 9), {"building": small + large}, {"path": paths, "primary": paths[:2]})
    whole = len(packed_basemap(basemap)[0])
    monkeypatch.setattr(module, "MAX_BYTES", whole - 500)
    packed, kept = packed_basemap(basemap)
    header, layers = read(packed)
    assert len(packed) <= whole - 500
    assert len(layers["building"]) == 40
    assert len(layers["path"]) == 60
    assert header["notes"] == ["Buildings under 40 square metres are left out. The map would be too large with them."]
    assert kept.notes == tuple(header["notes"])
    monkeypatch.setattr(module, "MAX_BYTES", 1500)
    _, layers = read(packed_basemap(basemap)[0])
    assert sorted(layers) == ["primary"]
