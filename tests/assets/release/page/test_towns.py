"""The maps of a page's cities."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from assets.release.basemap.city import files_of
from assets.release.page.towns import inputs_of, visited_cities
from schemas.page import FamilyPage, PagePlace
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


def test_visited_are_cities_that_tasks_are_about_or_that_hold_places_and_that_no_recipe_only_sets_out_from():
    """Balzers has no task yet, and a place; nobody goes to Zurich; nothing is known of Sargans."""
    cities = [City.model_construct(city_id=city_id, is_visited=city_id != "ch-zurich")
              for city_id in (ONE, OTHER, "ch-zurich", "ch-sargans")]  # fmt: skip
    task: Any = SimpleNamespace(city_ids=(ONE,))
    places = (PagePlace("1", OTHER, "stay", "A", 47.1, 9.5), PagePlace("2", "ch-zurich", "stay", "B", 47.4, 8.5))
    assert visited_cities(cities, [FamilyPage((task,), places)]) == {ONE, OTHER}
    assert visited_cities(cities[2:], [FamilyPage((), ())]) == {"ch-zurich", "ch-sargans"}, "none would show no map"
