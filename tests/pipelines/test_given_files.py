"""A given file is bound to the cities that it tells of; of one that tells of none it is said why."""

from __future__ import annotations

import pytest

from assets.families import families
from pipelines.walk.recipes import load_recipe
from tests.pipelines.spatial import town_feed, zipped
from tests.pipelines.test_init import init, village
from tests.sources.osm_text import osm

LISTINGS = (
    "id,name,host_id,latitude,longitude,room_type,price,minimum_nights,number_of_reviews\n"
    "1,Room,2,43.73,7.41,Private room,90,1,3\n"
)


@pytest.fixture
def extract(tmp_path):
    """Return an extract of an invented village near Monaco."""
    path = tmp_path / "village.osm"
    path.write_text(osm('<bounds minlat="43.72" minlon="7.40" maxlat="43.75" maxlon="7.44"/>', *village()))
    return path


def test_a_given_file_is_bound_by_what_it_holds(extract, tmp_path):
    (tmp_path / "a").write_bytes(zipped(town_feed(43.73, 7.41)))
    (tmp_path / "b").write_text(LISTINGS)
    answer = init("Monaco", "--map", extract, "--with", tmp_path / "a", "--with", tmp_path / "b", "--out", tmp_path)
    assert answer.exit_code == 0, answer.output
    sources = load_recipe(tmp_path / "monaco.toml", families()).recipe.cities[0].sources
    assert {name: binding.files for name, binding in sources.items()} == {
        "osm": {"extract": ["village.osm"]}, "gtfs": {"feed": ["a"]}, "airbnb": {"listings": ["b"]}
    }  # fmt: skip


def test_a_file_of_another_city_is_refused_by_name(extract, tmp_path):
    (tmp_path / "far.zip").write_bytes(zipped(town_feed(-17.0, 145.7)))
    answer = init("Monaco", "--map", extract, "--with", tmp_path / "far.zip", "--out", tmp_path)
    assert answer.exit_code == 1
    assert "far.zip (gtfs.feed) tells of no place in Monaco" in " ".join(answer.output.split())


STOP_WITHOUT_A_DOT = "stop_id,stop_name,stop_lat,stop_lon\nA,Quay,'43,73',7.41\n".replace("'", '"')


@pytest.mark.parametrize(
    ("members", "why"),
    [
        (
            town_feed(7.41, 43.73),
            "2 rows outside every city, such as 7.412, 43.732; Monaco holds 2 of them with latitude and longitude "
            "exchanged); expected a file of it.",
        ),
        (town_feed(43.73, 7.41) | {"stops.txt": "stop_id,stop_name,stop_lat,stop_lon\n"}, "Monaco (it has no rows)"),
        (town_feed(43.73, 7.41) | {"stops.txt": STOP_WITHOUT_A_DOT}, "1 row bad coordinates, such as stop_lat '43,73'"),
        (town_feed(43.73, 7.41, first="2025-01-01"), "1 row bad value, such as service 'DAY', days '1111111', from"),
    ],
    ids=["swapped", "empty", "commas", "dates"],
)
def test_of_a_file_that_tells_of_no_place_it_is_said_what_is_wrong_with_its_rows(extract, tmp_path, members, why):
    (tmp_path / "far.zip").write_bytes(zipped(members))
    answer = init("Monaco", "--map", extract, "--with", tmp_path / "far.zip", "--out", tmp_path)
    assert answer.exit_code == 1
    assert why in " ".join(answer.output.split())


def test_another_file_than_a_map_is_told_for_what_it_is(tmp_path):
    """A change file, taken for a map, was called a history of versions, to be cut."""
    (tmp_path / "changes.osc").write_text('<osmChange version="0.6"><modify></modify></osmChange>')
    (tmp_path / "listings.csv").write_text(LISTINGS)
    for name, what in (
        ("changes.osc", "changes of OpenStreetMap (.osc), which say what became otherwise and not what is there. Get"),
        ("listings.csv", "a file of Airbnb listings: bind it to `listings` of the source `airbnb`."),
    ):
        answer = init("Monaco", "--map", tmp_path / name, "--out", tmp_path)
        assert answer.exit_code == 1
        words = f"{name}: found no map; expected an OpenStreetMap extract (.osm.pbf, .osm, .osm.bz2 or .osm.gz). "
        assert f"{words}It looks like {what}" in " ".join(answer.output.split())
