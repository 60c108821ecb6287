"""A file of which no newer one was had stays as it was, but under the terms that the recipe now says."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from sources.invented import generate, world_cities
from tests.recipes import city_table, command
from tests.served import page, serving

OTHER = 'licence = "CC-BY-4.0"\nattribution = "The town"\n'


def recipe_text(binding: str, terms: str = "") -> str:
    (city,) = world_cities(1, 5)
    sources = f"[sources.yelp]\n{terms}{binding}{city_table(city)}"
    return f'name = "town"\nseed = 3\n{sources}[families.itinbench]\ntasks_per_city = 2\n'


@pytest.fixture(scope="module")
def world(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("world")
    generate(folder, providers=["yelp"], cities=1, scale=0.3, seed=5, dirt=False)
    return folder / "yelp"


@pytest.fixture(scope="module", params=["path", "address"])
def refreshed(request, tmp_path_factory, world):
    """Return a folder with a recipe that was refreshed once, its text under other terms, and its server."""
    folder = tmp_path_factory.mktemp("refreshed")
    shutil.copytree(world, folder / "www")
    with serving(folder / "www") as served:
        base = "www" if request.param == "path" else served.url("").rstrip("/")
        files = f'business = "{base}/business.json"{{}}review = "{base}/review.json"'
        binding = files.format("\n") + "\n" if request.param == "path" else f"url = {{ {files.format(', ')} }}\n"
        (folder / "town.toml").write_text(recipe_text(binding), encoding="utf-8")
        code, answer = command("refresh", folder / "town.toml", home=folder / "home")
        assert (code, answer["blocked"]) == (0, [])
        yield folder, recipe_text(binding, OTHER), served


@pytest.fixture
def town(refreshed, tmp_path):
    """Return a recipe that was refreshed once, a function that writes it under other terms, and its server."""
    folder, other_text, served = refreshed
    shutil.copytree(folder, tmp_path / "town", symlinks=True)
    recipe = tmp_path / "town" / "town.toml"
    served.folder = recipe.parent / "www"
    served.faults.clear()
    return recipe, lambda: recipe.write_text(other_text, encoding="utf-8"), served


def locked_terms(recipe: Path) -> tuple[str, str]:
    snapshots = json.loads(recipe.with_suffix(".lock.json").read_text())["snapshots"]
    snapshot = next(s for s in snapshots if s["role"] == "business")
    return snapshot["licence_id"], snapshot["attribution"]


def gone(path: Path, served) -> None:
    path.unlink()
    served.fault("business.json", page)


def unbuildable(path: Path, served) -> None:
    path.write_text(path.read_text().replace('"latitude":', '"latitude":9'))


@pytest.mark.parametrize("spoil", [gone, unbuildable])
def test_the_last_good_file_of_a_quarantined_source_stays_under_the_terms_of_now(town, spoil):
    recipe, say_otherwise, served = town
    say_otherwise()
    spoil(recipe.parent / "www" / "business.json", served)
    code, answer = command("refresh", recipe, home=recipe.parent / "home")
    assert (code, [news["role"] for news in answer["quarantined"]]) == (1, ["business"])
    if spoil is gone and 'business = "www/' in recipe.read_text():
        assert "is gone; put it back, or bind another in the recipe" in str(answer["quarantined"])
    assert locked_terms(recipe) == ("CC-BY-4.0", "The town")


@pytest.mark.parametrize("words", [["refresh", "--due"], ["build"]])
def test_a_file_that_is_not_read_again_stands_under_the_terms_of_now(town, words):
    recipe, say_otherwise, _ = town
    say_otherwise()
    (recipe.parent / "www" / "business.json").unlink()
    verb, *options = words
    command(verb, recipe, *options, home=recipe.parent / "home")
    assert locked_terms(recipe) == ("CC-BY-4.0", "The town")
