"""The sea, against the obvious slow way: each point asks the nearest piece of coast on which side of it it lies."""

from __future__ import annotations

import numpy as np
import pytest
import shapely

from assets.release.basemap.sea import sea

BOX = (0.0, 0.0, 1000.0, 800.0)


def line(*points):
    return np.array(points, dtype=float)


def test_the_water_is_on_the_right_of_the_coast():
    northward = [line((400, -100), (400, 900))]
    assert sea(northward, BOX).equals(shapely.box(400, 0, 1000, 800))
    assert sea([northward[0][::-1]], BOX).equals(shapely.box(0, 0, 400, 800))


def test_an_island_is_land_and_a_lake_drawn_as_coast_is_sea():
    ring = [(300.0, 300.0), (500.0, 300.0), (500.0, 500.0), (300.0, 500.0), (300.0, 300.0)]
    assert sea([line(*ring)], BOX).equals(shapely.difference(shapely.box(*BOX), shapely.Polygon(ring)))
    assert sea([line(*ring[::-1])], BOX).equals(shapely.Polygon(ring))


def test_pieces_are_joined_and_a_loose_end_runs_on_to_the_nearest_side():
    pieces = [line((500, 300), (500, 790)), line((500, 10), (500, 300))]
    assert sea(pieces, BOX).equals(shapely.box(500, 0, 1000, 800))


def test_without_a_coast_there_is_no_sea_and_one_beyond_the_box_is_not_seen():
    assert sea([], BOX).is_empty
    assert sea([line((2000, 0), (2000, 800))], BOX).is_empty


def test_two_coasts_leave_a_strait_between_them():
    assert sea([line((300, -10), (300, 810)), line((600, 810), (600, -10))], BOX).equals(shapely.box(300, 0, 600, 800))


@pytest.mark.parametrize("seed", range(6))
def test_any_bay_cut_anywhere_is_what_its_nearest_coast_says(seed):
    rng = np.random.default_rng(seed)
    x = np.linspace(-200, 1200, 60)
    coast = np.column_stack([x, 400 + 180 * np.sin(x / 170 + seed) + rng.normal(0, 6, len(x))])
    west, south = rng.uniform(0, 300, 2)
    box = (float(west), float(south), float(west + 500), float(south + 420))
    found = sea([coast], box)
    shore = shapely.LineString(coast)
    points = np.column_stack([rng.uniform(box[0], box[2], 300), rng.uniform(box[1], box[3], 300)])
    points = points[shapely.distance(shapely.points(points), shore) > 1]
    is_south = np.interp(points[:, 0], coast[:, 0], coast[:, 1]) > points[:, 1]  # eastward, the right side is south
    assert (shapely.contains(found, shapely.points(points)) == is_south).all()
