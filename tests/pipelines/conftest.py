"""Small invented recipes for the tests that build from raw files to releases."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from sources.invented import generate
from sources.invented.cities import world_cities
from tests.built import BuiltHome, built_once
from tests.pipelines import served_town
from tests.pipelines.groups import recipe_text as groups_recipe
from tests.recipes import city_table, command
from tests.served import Served, serving


def recipe_text(cities: int = 2, tasks: int = 6, broken: tuple[int, ...] = ()) -> str:
    """Return a recipe of invented cities; those in `broken` cover next to nothing of what is written for them."""
    text = 'name = "small"\nseed = 3\n\n[invented]\nproviders = ["yelp"]\nscale = 0.25\nseed = 5\n'
    for number, city in enumerate(world_cities(cities, 5)):
        text += city_table(city, **sliver_of(city["box"])) if number in broken else city_table(city)
    return text + f'\n[families.itinbench]\ntasks_per_city = {tasks}\nratings = "rounded"\n'


def sliver_of(box: dict[str, float]) -> dict[str, Any]:
    """Return the keys of an area within the same bounds that covers next to nothing of them."""
    south, west, north, east = box["south"], box["west"], box["north"], box["east"]
    return {"box": None, "polygon": [[south, west], [north, east], [north, east - (east - west) / 1000]]}


@pytest.fixture
def write_recipe(tmp_path) -> Callable[..., Path]:
    """Return a function that writes a recipe of invented cities and gives its path."""

    def write(**options) -> Path:
        path = tmp_path / "small.toml"
        path.write_text(recipe_text(**options), encoding="utf-8")
        return path

    return write


def towns(folders: pytest.TempPathFactory, name: str, cities: int) -> BuiltHome:
    """Return invented cities with two tasks each, built once under a name for every worker."""
    folder, built = built_once(folders, name, recipe_text(cities=cities, tasks=2))
    return BuiltHome(folder / "home", folder / "recipe.toml", built)


@pytest.fixture(scope="session")
def one_town(tmp_path_factory) -> BuiltHome:
    """Return one invented city with two tasks, built once for every worker; a test copies what it changes."""
    return towns(tmp_path_factory, "one_town", cities=1)


@pytest.fixture(scope="session")
def two_towns(tmp_path_factory) -> BuiltHome:
    """Return two invented cities with two tasks each, built once for every worker; a test copies what it changes."""
    return towns(tmp_path_factory, "two_towns", cities=2)


@pytest.fixture(scope="session")
def listed_groups(tmp_path_factory) -> BuiltHome:
    """Return the Chinese groups of invented lists of places, built once for every worker."""
    folder, built = built_once(tmp_path_factory, "listed_groups", groups_recipe("lists", "zh"))
    return BuiltHome(folder / "home", folder / "recipe.toml", built)


@pytest.fixture(scope="session")
def refreshed_town(tmp_path_factory) -> Iterator[tuple[Served, Path, dict[str, Any]]]:
    """Return a server of a town's Yelp files, a folder with its recipe refreshed once, and the command's answer."""
    folder = tmp_path_factory.mktemp("refreshed")
    generate(folder / "world", providers=["yelp"], cities=served_town.CITIES, scale=0.3, seed=5, dirt=False)
    with serving(folder / "world" / "yelp") as served:
        kept = folder / "kept"
        kept.mkdir()
        text = served_town.recipe_text(served.url("").rstrip("/"))
        (kept / "town.toml").write_text(text, encoding="utf-8")
        code, answer = command("refresh", kept / "town.toml", home=kept / "home")
        assert (code, served_town.statuses(answer)) == (0, {"yelp.business": "new", "yelp.review": "new"})
        yield served, kept, answer


@pytest.fixture
def town(tmp_path, refreshed_town) -> Iterator[tuple[Served, Path, Callable[..., tuple[int, dict[str, Any]]]]]:
    """Return a server of files of the test's own, a recipe refreshed once, and a function that refreshes it again."""
    served, kept, _ = refreshed_town
    shutil.copytree(served.folder, tmp_path / "www")
    shutil.copytree(kept, tmp_path, dirs_exist_ok=True)
    given, served.folder = served.folder, tmp_path / "www"
    served.asked.clear()
    served.faults.clear()
    recipe = tmp_path / "town.toml"
    yield served, recipe, lambda *words: command("refresh", recipe, *words, home=tmp_path / "home")
    served.folder = given


@pytest.fixture
def first_version(refreshed_town) -> str:
    """Return the version of the release that the town's first refresh made."""
    return refreshed_town[2]["releases"][0]["version"]
