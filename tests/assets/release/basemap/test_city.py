"""What a city's map is drawn from: what may be shared as a picture, and nothing else."""

from __future__ import annotations

import numpy as np
import pytest

from assets.release.basemap import city as city_module
from assets.release.basemap.city import city_map
from schemas.recipe import City
from schemas.recipe_values import Box
from schemas.source import LICENCES, Sharing, Snapshot
from warehouse.home import Home

TOWN = City(city_id="x", name="X", country="FI", box=Box(south=60.0, west=24.0, north=60.1, east=24.1))
FORBIDDING = next(name for name, one in LICENCES.items() if one.sharing is Sharing.NOTHING)


@pytest.mark.parametrize(("source", "role"), [("osm", "extract"), ("gtfs", "feed")])
def test_a_file_that_nobody_may_share_is_not_even_opened_for_a_map(tmp_path, monkeypatch, source, role):
    opened = []
    monkeypatch.setattr(city_module, "_read", lambda inputs, *_: opened.extend(inputs))
    for licence in (FORBIDDING, "ODbL-1.0"):
        one = Snapshot(source=source, role=role, location="a", sha256="0" * 64, size_bytes=1, licence_id=licence)
        city_map(TOWN, [one], Home(str(tmp_path)).snapshots, np.array([60.05]), np.array([24.05]))
    assert [one.licence_id for one in opened] == ["ODbL-1.0"]
