"""`tripwright mend`: an opened folder's tasks as a recipe that builds; what has none is told."""

from __future__ import annotations

import json
import tomllib

import pytest

from assets.family import families
from pipelines.walk.recipes import load_recipe
from tests.published_folders import FOLDERS
from tests.recipes import command


@pytest.fixture(scope="module")
def shelf(tmp_path_factory):
    """Return a home with two small published folders opened, and what `open` said of each by family."""
    place = tmp_path_factory.mktemp("mended")
    opened = {}
    for family in ("itinbench", "tripcraft"):
        folder, _ = FOLDERS[family](place / family)
        queries = folder / "humanQuerys.jsonl"
        if queries.is_file():  # what TOML spells otherwise than JSON
            first, *rest = queries.read_text().splitlines()
            asked = json.loads(first)
            first = json.dumps(asked | {"query": f"{asked['query']} 🏨 \x7f\u0085"})
            queries.write_text("\n".join([first, *rest]) + "\n")
        code, told = command("open", family, folder, home=place / "home")
        assert code == 0, told
        opened[family] = (folder, told)
    return place / "home", opened


def test_the_recipe_asks_what_the_folder_asks_of_its_own_files(shelf, tmp_path):
    home, opened = shelf
    folder, told = opened["itinbench"]
    written = tmp_path / "mended.toml"
    code, said = command("mend", told["version"], written, home=home)
    assert (code, said) == (0, {"recipe": str(written)})
    recipe = tomllib.loads(written.read_text(encoding="utf-8"))
    queries = [json.loads(line)["query"] for line in (folder / "humanQuerys.jsonl").read_text().splitlines()]
    section = recipe["families"]["itinbench"]
    assert [task["query"] for task in section["asked"]] == queries
    assert section["tasks_per_city"] == len(queries)
    for role, path in recipe["sources"]["published"].items():
        assert (tmp_path / path).read_bytes() == (folder / f"{role}.jsonl").read_bytes()
    loaded = load_recipe(written, families())
    assert len(loaded.sections["itinbench"].model_dump()["asked"]) == len(queries)


def test_a_recipe_that_is_there_is_not_written_over(shelf, tmp_path):
    home, opened = shelf
    there = tmp_path / "mine.toml"
    there.write_text("mine")
    code, told = command("mend", opened["itinbench"][1]["version"], there, home=home)
    assert code == 1
    assert "is there already" in told["error"]
    assert there.read_text() == "mine"


def test_a_form_that_says_too_little_is_told_and_nothing_written(shelf, tmp_path):
    home, opened = shelf
    code, told = command("mend", opened["tripcraft"][1]["version"], tmp_path / "t.toml", home=home)
    assert code == 1
    assert "does not say all that a plan needs" in told["error"]
    assert "itinbench" in told["error"]
    assert not (tmp_path / "t.toml").exists()


def test_a_release_of_ours_is_not_mended(small_world, tmp_path):
    code, told = command("mend", small_world.releases["itinbench"], tmp_path / "t.toml", home=small_world.home)
    assert code == 1
    assert "is a release of ours" in told["error"]
