"""A release that a model worded, withheld, and completed elsewhere: from its source files and its recorded calls."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from sources.invented import generate, world_cities
from tests.brains import does_every_job
from tests.model_server import KEY, MODEL, ModelServer
from tests.recipes import city_table, command, hashed_files

CITIES = 1


def recipe_text(url: str) -> str:
    """Return a recipe that binds Yelp's files under Yelp's licence, and lets the model at an address word its tasks."""
    text = 'name = "worded"\nseed = 3\n[sources.yelp]\nbusiness = "yelp/business.json"\nreview = "yelp/review.json"\n'
    text += "".join(city_table(city) for city in world_cities(CITIES, 5))
    text += f'[engines]\nwording = "openai"\n[engines.openai]\nbase_url = "{url}"\nmodel = "{MODEL}"\n'
    return f'{text}api_key_env = "STANDIN_KEY"\n[families.itinbench]\ntasks_per_city = 4\n'


@pytest.fixture
def worded(tmp_path, monkeypatch):
    """Return the folder of a recipe, its home, and the release; the model is gone."""
    monkeypatch.setenv("STANDIN_KEY", KEY)
    generate(tmp_path / "made", providers=["yelp"], cities=CITIES, scale=0.3, seed=5)
    (tmp_path / "made" / "yelp").rename(tmp_path / "yelp")
    with ModelServer(does_every_job) as server:
        (tmp_path / "worded.toml").write_text(recipe_text(server.url), encoding="utf-8")
        code, built = command("build", tmp_path / "worded.toml", "--public", "--withhold", home=tmp_path / "home")
        assert (code, built["blocked"]) == (0, [])
        assert sum(server.paid.values()) > 0
    return tmp_path, built["releases"][0]


def test_whoever_has_the_files_and_the_calls_completes_an_edition_to_equal_bytes(worded):
    folder, release = worded
    elsewhere, mine = folder / "elsewhere", folder / "mine"
    public = shutil.copytree(release["public"], folder / "public")
    for number, path in enumerate(sorted((folder / "yelp").iterdir())):
        (mine / str(number)).mkdir(parents=True)
        shutil.copyfile(path, mine / str(number) / f"other-name-{number}")
    (business,) = (p for p in mine.glob("*/*") if p.read_bytes() == (folder / "yelp" / "business.json").read_bytes())
    whole = business.read_bytes()
    business.write_bytes(whole[:-1] + b" ")
    code, answer = command("complete", public, "--sources", mine, home=elsewhere)
    assert code == 1
    assert answer["error"].startswith("1 source files")
    assert "yelp/business.json (yelp.business" in answer["error"]
    business.write_bytes(whole)
    code, answer = command("complete", public, "--sources", mine, home=elsewhere)
    assert code == 1
    assert "answers of a model are not in this home's ledger" in answer["error"]
    assert not (elsewhere / "releases").exists()
    shutil.copytree(folder / "home" / "ledger", elsewhere / "ledger", dirs_exist_ok=True)
    code, answer = command("complete", public, "--sources", mine, home=elsewhere)
    assert (code, answer.get("version")) == (0, release["version"]), answer
    assert hashed_files(Path(answer["path"])) == hashed_files(Path(release["path"]))


def test_a_release_that_a_model_worded_comes_out_again_from_its_recorded_calls(worded):
    folder, release = worded
    words = ("audit", "--release", release["path"], "--recipe", folder / "worded.toml", "--rebuild")
    code, told = command(*words, home=folder / "home")
    assert (code, told["problems"]) == (0, []), told["problems"]
    (elsewhere := folder / "elsewhere").mkdir()
    shutil.copytree(folder / "home" / "raw", elsewhere / "raw")
    code, told = command(*words, home=elsewhere)
    assert code == 1 and "answers of a model are not in this home's ledger" in told["error"]


def test_an_edition_of_a_recipe_with_a_city_that_nobody_visits_is_completed_to_equal_bytes(tmp_path):
    """A release of fewer cities than its recipe has is made without the others again."""
    generate(tmp_path / "made", providers=["yelp"], cities=2, scale=0.3, seed=5)
    (tmp_path / "made" / "yelp").rename(tmp_path / "yelp")
    here, there = world_cities(2, 5)
    text = 'name = "fewer"\nseed = 3\n[sources.yelp]\nbusiness = "yelp/business.json"\nreview = "yelp/review.json"\n'
    text += city_table(here) + city_table(there, is_visited=False)
    recipe = tmp_path / "fewer.toml"
    recipe.write_text(f"{text}[families.itinbench]\ntasks_per_city = 2\n", encoding="utf-8")
    code, built = command("build", recipe, "--public", "--withhold", home=tmp_path / "home")
    assert code == 0, built
    (release,) = built["releases"]
    code, answer = command("complete", release["public"], "--sources", tmp_path / "yelp", home=tmp_path / "elsewhere")
    assert (code, answer.get("version")) == (0, release["version"]), answer
