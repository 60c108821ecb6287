"""The maps of a page's cities."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from assets.release.basemap.city import files_of
from assets.release.page.towns import inputs_of
from schemas.recipe import City
from schemas.source import Snapshot

ONE, OTHER = "li-vaduz", "li-balzers"


def bound(city_id: str) -> Snapshot:
    return Snapshot(source="osm", role="extract", city_id=city_id, location="li.pbf", sha256="a" * 64, size_bytes=1,
                    licence_id="ODbL-1.0")  # fmt: skip


def city(city_id: str) -> City:
    return City.model_construct(city_id=city_id)


def test_one_map_that_several_cities_bind_is_each_one_s():
    releases: Any = [SimpleNamespace(manifest=SimpleNamespace(inputs=[bound(ONE), bound(OTHER)]))] * 2
    inputs = inputs_of(releases)
    assert inputs == [bound(ONE), bound(OTHER)]
    assert [files_of(inputs, "osm", "extract", city(one)) for one in (ONE, OTHER)] == [[bound(ONE)], [bound(OTHER)]]
