"""Recipes that commands write: TOML that says what it was given, in a file that is whole or not there."""

from __future__ import annotations

import math
import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assets.families import families
from assets.first_recipe import FamilyChoice, Survey, SurveyedCity
from pipelines.city_facts import city_facts
from pipelines.init import without_again, write_recipe
from pipelines.survey import without, without_cities
from pipelines.walk.recipes import RecipeError
from pipelines.written_recipe import toml, write_whole
from schemas.recipe_values import Box
from tests.pipelines.conftest import recipe_text

TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
VALUES = st.recursive(
    TEXTS | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)


@pytest.mark.parametrize(
    "text", ["🏨 Zoë's", "\x7f\x00\x1b[2J", '"""\\\n\r\t', "\u2028\u202e\x85", "é\U0010ffff", "\\ud83d"]
)
def test_emoji_and_control_characters_are_read_back(text):
    written = f"a = {toml(text)}\nb = {toml({text: [text, {'c': text}]})}"
    assert tomllib.loads(written) == {"a": text, "b": {text: [text, {"c": text}]}}
    assert "\n" not in toml(text) and "\x7f" not in toml(text)


@given(VALUES)
def test_every_value_is_read_back(value):
    assert tomllib.loads(f"a = {toml(value)}") == {"a": value}


@pytest.mark.parametrize("number", [math.inf, -math.inf, math.nan])
def test_numbers_that_json_has_no_word_for_are_toml_s(number):
    assert repr(tomllib.loads(f"a = {toml(number)}")["a"]) == repr(number)


def test_a_name_in_another_encoding_is_refused_with_what_to_do():
    with pytest.raises(RecipeError, match=r"found 'caf\\\\udce9\.pbf', which is no text in UTF-8.*Rename"):
        toml("caf\udce9.pbf")


def test_a_recipe_that_cannot_be_read_back_leaves_the_one_before(tmp_path):
    path = tmp_path / "r.toml"
    write_whole(path, recipe_text(cities=1), families())
    before = path.read_bytes()
    with pytest.raises(RecipeError):
        write_whole(path, "name = 7\n", families())
    assert (path.read_bytes(), list(tmp_path.iterdir())) == (before, [path])


def test_an_interrupted_recipe_leaves_the_one_before(tmp_path, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    path = tmp_path / "r.toml"
    write_whole(path, recipe_text(cities=1), families())
    before = path.read_bytes()
    monkeypatch.setattr("pipelines.written_recipe.load_recipe", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_whole(path, recipe_text(cities=2), families())
    assert (path.read_bytes(), list(tmp_path.iterdir())) == (before, [path])


def test_a_recipe_whose_disk_is_full_leaves_nothing_behind(tmp_path, monkeypatch):
    def full(self, data):
        with self.open("wb") as file:
            file.write(data[:40])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pathlib.Path.write_bytes", full)
    with pytest.raises(OSError, match=r"the recipe r\.toml was being written"):
        write_whole(tmp_path / "r.toml", recipe_text(cities=1), families())
    assert list(tmp_path.iterdir()) == []


def test_what_a_build_left_out_of_a_recipe_is_left_out_again_with_its_reason_unless_the_recipe_was_changed(tmp_path):
    cities = [SurveyedCity(city_facts(name, Box(south=47.1, west=west, north=47.2, east=west + 0.1), None, None), "")
              for name, west in (("Vaduz", 9.5), ("Schaan", 9.7))]  # fmt: skip
    for city in cities:
        city.counts |= {"cuisines": 9, "categories": 9}
    found = Survey(cities, [], {}, [FamilyChoice("grouptravel", 3), FamilyChoice("tripcraft", 3)])
    less = without(found, "tripcraft", "0 of 9 drafts\nare certified", is_whole=True)
    for level in ("hard", "medium"):
        less = without(less, "grouptravel", f"too few {level} ones")
    less = without_cities(less, {cities[1].facts.city_id: "no streets"})
    path = write_recipe(less, out=tmp_path / "x.toml", force=False, all_families=families())
    again = without_again(found, path, families())
    assert again.left_out == {"Schaan": "no streets"}
    groups, trips = again.choices
    assert (groups.levels, groups.fewer) == (("easy",), {"hard": "too few hard ones", "medium": "too few medium ones"})
    assert (trips.tasks, trips.why_not) == (0, ("0 of 9 drafts are certified",))
    assert write_recipe(again, out=path, force=False, all_families=families()) == path, "it is as if just written"
    path.write_text(f"{path.read_text()}# mine\n")
    assert without_again(found, path, families()) is found
    assert without_again(found, tmp_path / "none.toml", families()) is found
