"""The first task shown is chosen for being good, not for being first; what a map cannot have stops nothing."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from assets.release.page.data import first_task
from assets.release.page.towns import towns
from assets.release.page.ways import ways
from schemas.page import FamilyPage, PageDay, PagePlace, PageStop, PageTask
from schemas.recipe import City
from schemas.recipe_values import Box
from schemas.source import Snapshot
from tests.assets.release.basemap.files import osm
from tests.sources.test_gtfs_shapes import feed
from warehouse.home import Home

CITY = City(
    city_id="us-in-alder", name="Alder", country="US", box=Box(south=40.0, west=-86.0, north=40.02, east=-85.97)
)


def task(task_id: str, *names: str, asks: int = 3, lat: float | None = 40.01) -> PageTask:
    stops = tuple(PageStop("Visit", name, lat=lat, lon=-85.99 + n / 1000) for n, name in enumerate(names))
    demands = tuple((str(n), "x") for n in range(asks))
    return PageTask(task_id, task_id, ("us-in-alder",), asks=demands, days=(PageDay("Day 1", stops),))


@pytest.mark.parametrize(
    "worse",
    [
        task("a", "Café Ida", "Zoo", asks=2),
        task("a", "Café Ida"),
        task("a", "Café Ida", "=1+1;x", asks=9),
        task("a", "Café Ida", "Zoo", asks=9, lat=None),
        task("a", "Café Ida", "Zoo", asks=40),
        PageTask("a", "a", ("us-in-alder",)),
    ],
)
def test_the_better_task_comes_first(worse):
    good = task("b", "Café Ida", "Zoo", asks=3)
    assert first_task([FamilyPage((worse,)), FamilyPage((good,))]) == "b"
    assert first_task([FamilyPage((good, worse))]) == "b"


def test_of_equals_the_one_that_asks_what_was_drawn_comes_first():
    good = task("b", "Café Ida", "Zoo")
    changed = replace(task("a", "Café Ida", "Zoo"), repairs=(("Cuisine", "x was drawn; the city offers y"),))
    assert first_task([FamilyPage((changed, good))]) == "b"


def test_of_no_tasks_none_comes_first():
    assert first_task([FamilyPage(())]) == ""


@pytest.fixture
def kept(tmp_path):
    """Return the raw store, and a function that keeps an extract of the city in it."""
    snapshots = Home(str(tmp_path / "home")).snapshots

    def keep(text: str) -> Snapshot:
        path = Path(tmp_path / "town.osm")
        path.write_text(text)
        sha256, size, _ = snapshots.add(path)
        return Snapshot(
            source="osm", role="extract", location="town.osm", sha256=sha256, size_bytes=size, licence_id="ODbL-1.0"
        )

    return snapshots, keep


STREET = osm({"a": ([(40.0, -86.0), (40.01, -85.99), (40.01, -85.98)], {"highway": "primary"})})
PLACES = (
    PagePlace("p", "us-in-alder", "stay", "A", 40.01, -85.99),
    PagePlace("q", "us-in-alder", "stay", "B", 40.011, -85.98),
)


def test_a_bound_extract_gives_the_streets(kept):
    snapshots, keep = kept
    drawn = towns([CITY], [keep(STREET)], snapshots, [FamilyPage((), PLACES)])
    assert drawn.grounds == {"us-in-alder": {"block": 0, "kind": "osm", "problems": []}}
    assert len(drawn.blocks) == 1


def test_without_an_extract_or_its_bytes_the_places_stand_in_and_it_is_told(kept):
    snapshots, keep = kept
    assert towns([CITY], [], snapshots, [FamilyPage((), PLACES)]).grounds["us-in-alder"]["kind"] == "places"
    gone = keep(STREET).model_copy(update={"sha256": "0" * 64})
    ground = towns([CITY], [gone], snapshots, [FamilyPage((), PLACES)]).grounds["us-in-alder"]
    assert ground["kind"] == "places"
    assert ground["problems"] == ["town.osm is not in this home, or has changed there."]
    assert towns([CITY], [], snapshots, [FamilyPage(())]).grounds == {
        "us-in-alder": {"block": None, "kind": "", "problems": []}
    }


@pytest.mark.parametrize(("licence", "kind"), [("CC-BY-4.0", "transit"), ("LicenseRef-unverified", "places")])
def test_lines_of_transit_stand_in_only_where_their_licence_lets_them(kept, tmp_path, licence, kind):
    snapshots, _ = kept
    path = tmp_path / "feed.zip"
    path.write_bytes(feed("a,40.0,-86.0,1\na,40.02,-85.97,2\n"))
    sha256, size, _ = snapshots.add(path)
    bound = Snapshot(
        source="gtfs", role="feed", location="feed.zip", sha256=sha256, size_bytes=size, licence_id=licence
    )
    drawn = towns([CITY], [bound], snapshots, [FamilyPage((), PLACES)])
    assert drawn.grounds["us-in-alder"]["kind"] == kind


def test_a_damaged_extract_and_a_failing_drawing_stop_nothing(kept, monkeypatch):
    snapshots, keep = kept
    damaged = keep(STREET[:60])
    ground = towns([CITY], [damaged], snapshots, [FamilyPage((), PLACES)]).grounds["us-in-alder"]
    assert ground["kind"] == "places"
    assert "cannot be read" in str(ground["problems"])
    monkeypatch.setattr("assets.release.page.towns.packed_basemap", lambda _: 1 / 0)
    drawn = towns([CITY], [keep(STREET)], snapshots, [FamilyPage((), PLACES)])
    assert drawn.blocks == []
    assert drawn.grounds["us-in-alder"]["problems"] == ["The map of this city could not be drawn: division by zero"]


def test_the_way_from_stop_to_stop_goes_along_the_streets(kept):
    snapshots, keep = kept
    day = PageDay(
        "Day 1",
        tuple(
            PageStop("Visit", n, lat=at[0], lon=at[1])
            for n, at in zip("AB", [(40.0, -86.0), (40.01, -85.98)], strict=True)
        ),
    )
    page = FamilyPage((PageTask("t", "t", ("us-in-alder",), days=(day, PageDay("Day 2", ()))),))
    ((along, none),) = (found["t"] for found in ways([page], [CITY], [keep(STREET)], snapshots))
    (way,) = along
    points = np.cumsum(np.array(way).reshape(-1, 2), axis=0)
    assert points.tolist() == [[4000000, -8600000], [4001000, -8599000], [4001000, -8598000]]
    assert none == []
    ((straight, _),) = (found["t"] for found in ways([page], [CITY], [], snapshots))
    assert straight == [None]
