"""A file of which a build can use no row is named, with what its rows were dropped for."""

from __future__ import annotations

from tests.pipelines.spatial import town_box, town_extract
from tests.recipes import command

TOWN = """name = "town"
[spatial]
modes = ["foot"]
router = "graph"
[[cities]]
city_id = "xx-a-town"
name = "Town"
country = "XX"
{}
[cities.sources.osm]
extract = "town.osm"
[cities.sources.airbnb]
listings = "{}"
licence = "CC-BY-4.0"
"""
HEADER = "id,name,host_id,latitude,longitude,room_type,price,minimum_nights\n"


def notices(folder, *rows):
    (folder / "town.osm").write_text(town_extract(48.0, 2.0))
    (folder / "listings.csv").write_text(HEADER + "".join(rows))
    (folder / "town.toml").write_text(TOWN.format(town_box(48.0, 2.0, 0.012), "listings.csv"))
    code, answer = command("build", folder / "town.toml", home=folder / "home")
    assert code == 0, answer
    return answer.get("notices", [])


def test_a_file_of_another_place_is_named_with_why_no_row_of_it_is_used(tmp_path):
    """Flights of Omaha were given for Monaco, and nothing was said but `flight: 0 rows`."""
    far = [f"{n},Room,2,41.1,-8.6,Private room,90,1\n" for n in range(3)]
    assert notices(tmp_path, *far, "9,Room,2,x,y,Private room,90,1\n") == [
        "listings.csv: found no row of use to `stay`, of 4 rows (3 outside_every_city and 1 bad_value); expected "
        "rows of the recipe's cities and dates. Leave out what is not of them"
    ]


def test_a_file_of_which_one_row_is_used_is_not(tmp_path):
    assert notices(tmp_path, "1,Room,2,48.005,2.005,Private room,90,1\n", "2,R,2,41.1,-8.6,Private room,90,1\n") == []
