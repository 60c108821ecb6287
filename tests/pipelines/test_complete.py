"""A release that a model worded, withheld, and completed elsewhere: from its source files and its recorded calls."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from assets.release.reading import open_release
from sources.invented import generate, world_cities
from tests.brains import does_every_job
from tests.model_server import KEY, MODEL, ModelServer
from tests.recipes import city_table, command, hashed_files


def recipe_text(url: str) -> str:
    """Return a recipe that binds Yelp's files under Yelp's licence, and lets the model at an address word its tasks."""
    text = 'name = "worded"\nseed = 3\n[sources.yelp]\nbusiness = "yelp/business.json"\nreview = "yelp/review.json"\n'
    text += "".join(city_table(city) for city in world_cities(1, 5))
    text += f'[engines]\nwording = "openai"\n[engines.openai]\nbase_url = "{url}"\nmodel = "{MODEL}"\n'
    return f'{text}api_key_env = "STANDIN_KEY"\n[families.itinbench]\ntasks_per_city = 2\n'


@pytest.fixture(scope="module")
def worded(tmp_path_factory):
    """Return the folder of a recipe, its home, and the release; the model is gone. Not to be changed."""
    folder = tmp_path_factory.mktemp("worded")
    generate(folder / "made", providers=["yelp"], cities=1, scale=0.3, seed=5)
    (folder / "made" / "yelp").rename(folder / "yelp")
    with pytest.MonkeyPatch.context() as patched, ModelServer(does_every_job) as server:
        patched.setenv("STANDIN_KEY", KEY)
        (folder / "worded.toml").write_text(recipe_text(server.url), encoding="utf-8")
        code, built = command("build", folder / "worded.toml", "--public", "--withhold", home=folder / "home")
        assert (code, built["blocked"]) == (0, [])
        assert sum(server.paid.values()) > 0
    return folder, built["releases"][0]


def test_whoever_has_the_files_and_the_calls_completes_an_edition_to_equal_bytes(worded, tmp_path):
    folder, release = worded
    elsewhere, mine = tmp_path / "elsewhere", tmp_path / "mine"
    public = shutil.copytree(release["public"], tmp_path / "public")
    for number, path in enumerate(sorted((folder / "yelp").iterdir())):
        (mine / str(number)).mkdir(parents=True)
        shutil.copyfile(path, mine / str(number) / f"other-name-{number}")
    (business,) = (p for p in mine.glob("*/*") if p.read_bytes() == (folder / "yelp" / "business.json").read_bytes())
    whole = business.read_bytes()
    business.write_bytes(whole[:-1] + b" ")
    code, answer = command("complete", public, "--sources", mine, home=elsewhere)
    assert code == 1
    assert answer["error"].startswith("1 source file is not below")
    assert "yelp/business.json (yelp.business" in answer["error"]
    assert "has that name" not in answer["error"]
    (mine / "business.json").write_bytes(b"{}")
    code, answer = command("complete", public, "--sources", mine, home=elsewhere)
    assert answer["error"].endswith(f"; {mine / 'business.json'} has that name and other bytes (2)")
    business.write_bytes(whole)
    code, answer = command("complete", public, "--sources", mine, home=elsewhere)
    assert code == 1
    assert "answers of a model are not in this home's ledger" in answer["error"]
    assert not (elsewhere / "releases").exists()
    shutil.copytree(folder / "home" / "ledger", elsewhere / "ledger", dirs_exist_ok=True)
    code, answer = command("complete", public, "--sources", mine, home=elsewhere)
    assert (code, answer.get("version")) == (0, release["version"]), answer
    assert hashed_files(Path(answer["path"])) == hashed_files(Path(release["path"]))


def test_a_release_that_a_model_worded_comes_out_again_from_its_recorded_calls(worded, tmp_path):
    folder, release = worded
    words = ("audit", "--release", release["path"], "--recipe", folder / "worded.toml", "--rebuild")
    code, told = command(*words, home=folder / "home")
    assert (code, told["problems"]) == (0, []), told["problems"]
    (elsewhere := tmp_path / "elsewhere").mkdir()
    shutil.copytree(folder / "home" / "raw", elsewhere / "raw")
    code, told = command(*words, home=elsewhere)
    assert code == 1 and "answers of a model are not in this home's ledger" in told["error"]


def test_an_edition_of_a_recipe_with_a_city_that_nobody_visits_is_completed_to_equal_bytes(tmp_path):
    """A release of fewer cities than its recipe has is made without the others again, from what it rests on alone."""
    generate(tmp_path / "made", providers=["yelp", "numbeo"], cities=2, scale=0.2, seed=5)
    for provider in ("yelp", "numbeo"):
        (tmp_path / "made" / provider).rename(tmp_path / provider)
    here, there = world_cities(2, 5)
    text = 'name = "fewer"\nseed = 3\n[sources.yelp]\nbusiness = "yelp/business.json"\nreview = "yelp/review.json"\n'
    text += '[sources.numbeo]\nprices = ["numbeo/indices.json", "numbeo/meals.csv"]\n'
    text += city_table(here) + city_table(there, is_visited=False)
    recipe = tmp_path / "fewer.toml"
    recipe.write_text(f'{text}[families.itinbench]\ntasks_per_city = 1\nratings = "rounded"\n', encoding="utf-8")
    code, built = command("build", recipe, "--public", "--withhold", home=tmp_path / "home")
    assert code == 0, built
    (release,) = built["releases"]
    assert [city["city_id"] for city in open_release(Path(release["path"])).manifest.cities] == [here["city_id"]]
    words = ("audit", "--release", release["path"], "--recipe", recipe)
    code, told = command(*words, home=tmp_path / "home")
    assert (code, told["problems"]) == (0, []), told
    assert "numbeo/indices.json" in (Path(release["public"]) / "complete" / "recipe.lock.json").read_text()
    code, answer = command("complete", release["public"], "--sources", tmp_path / "yelp", home=tmp_path / "elsewhere")
    assert (code, answer.get("version")) == (0, release["version"]), answer
