"""`tripwright init`: a recipe that can be built as it is written, for a city that only its extract describes."""

from __future__ import annotations

import pytest
from typer.testing import CliRunner

from assets.family import families
from pipelines.cli import app
from pipelines.walk.recipes import load_recipe
from sources.registry import SOURCES


def init(*words):
    return CliRunner().invoke(app, ["init", *map(str, words)])


@pytest.fixture
def extract(tmp_path):
    """Return an extract of an invented village near Monaco, whose header holds a box."""
    path = tmp_path / "village.osm"
    path.write_text(
        '<?xml version="1.0"?>\n<osm version="0.6">\n'
        '<bounds minlat="43.72" minlon="7.40" maxlat="43.75" maxlon="7.44"/>\n'
        '<node id="1" lat="43.73" lon="7.41" version="1"><tag k="name" v="Café"/><tag k="amenity" v="cafe"/></node>\n'
        "</osm>\n"
    )
    return path


def test_an_extract_alone_says_where_the_city_is_and_what_its_country_speaks_and_pays_in(extract, tmp_path):
    assert init("Monaco", "--osm", extract, "--out", tmp_path).exit_code == 0
    loaded = load_recipe(tmp_path / "monaco.toml", families())
    city = loaded.recipe.cities[0]
    assert (city.city_id, city.country, city.time_zone) == ("mc-mc-monaco", "MC", "Europe/Monaco")
    assert (city.currency, city.languages) == ("EUR", ["fr"])
    assert (city.bounds.south, city.bounds.east) == (43.72, 7.44)
    assert city.sources["osm"].files == {"extract": ["village.osm"]}
    assert list(loaded.families) == ["grouptravel"]


def test_every_source_stands_in_the_recipe_bound_or_as_a_comment(extract, tmp_path):
    init("Monaco", "--osm", extract, "--out", tmp_path)
    text = (tmp_path / "monaco.toml").read_text()
    assert [name for name in SOURCES if name != "invented" and f"[cities.sources.{name}]" not in text] == []


def test_without_places_it_asks_for_spatial_tables_only(extract, tmp_path):
    answer = init("Cairns", "--box=-17.1,145.6,-16.7,145.8", "--gtfs", extract, "--out", tmp_path / "c.toml")
    assert answer.exit_code == 0, answer.output
    loaded = load_recipe(tmp_path / "c.toml", families())
    assert loaded.recipe.cities[0].city_id == "au-au-cairns"
    assert (loaded.recipe.spatial is not None, loaded.families) == (True, {})


def test_a_hostile_name_stays_a_name(extract, tmp_path):
    name = 'Monaco"\n[engines]\nreviews = "x"'
    assert init(name, "--osm", extract, "--out", tmp_path / "m.toml").exit_code == 0
    assert load_recipe(tmp_path / "m.toml", families()).recipe.cities[0].name == name


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (["Monaco"], 2, "--osm"),
        (["Monaco", "--box", "1,2,3"], 2, "SOUTH,WEST,NORTH,EAST"),
        (["Monaco", "--box", "9,2,3,4"], 2, "must be below"),
        (["北京", "--box", "39,116,40,117"], 1, "Latin letters"),
        (["Atlantis", "--box", "30,-40,31,-39"], 1, "--country"),
    ],
)
def test_what_cannot_be_written_is_told(words, code, told, tmp_path):
    answer = init(*words, "--out", tmp_path)
    assert (answer.exit_code, list(tmp_path.glob("*.toml*"))) == (code, [])
    assert told in answer.output


def test_a_recipe_is_not_overwritten_unasked(extract, tmp_path):
    init("Monaco", "--osm", extract, "--out", tmp_path)
    before = (tmp_path / "monaco.toml").read_text()
    refused = init("Monaco", "--osm", extract, "--tasks", 9, "--out", tmp_path)
    assert (refused.exit_code, (tmp_path / "monaco.toml").read_text()) == (1, before)
    assert init("Monaco", "--osm", extract, "--tasks", 9, "--out", tmp_path, "--force").exit_code == 0
    assert "easy = 9" in (tmp_path / "monaco.toml").read_text()
