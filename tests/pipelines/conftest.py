"""A small invented recipe for the tests that build from raw files to releases."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from sources.invented.cities import world_cities

SLIVER = "polygon = [[{south}, {west}], [{north}, {east}], [{north}, {sliver}]]"
BOX = "box = {{ south = {south}, west = {west}, north = {north}, east = {east} }}"


def recipe_text(cities: int = 2, tasks: int = 6, broken: tuple[int, ...] = ()) -> str:
    """Return a recipe of invented cities; those in `broken` cover next to nothing of what is written for them."""
    text = 'name = "small"\nseed = 3\n\n[invented]\nproviders = ["yelp"]\nscale = 0.6\nseed = 5\n'
    for number, city in enumerate(world_cities(cities, 5)):
        box = city["box"]
        sliver = box["east"] - (box["east"] - box["west"]) / 1000
        area = (SLIVER if number in broken else BOX).format(**box, sliver=sliver)
        text += (
            f'\n[[cities]]\ncity_id = "{city["city_id"]}"\nname = "{city["name"]}"\n'
            f'region = "{city["region"].upper()}"\ncountry = "{city["country"].upper()}"\n{area}\n'
        )
    return text + f"\n[families.itinbench]\ntasks_per_city = {tasks}\n"


@pytest.fixture
def write_recipe(tmp_path) -> Callable[..., Path]:
    """Return a function that writes a recipe of invented cities and gives its path."""

    def write(**options) -> Path:
        path = tmp_path / "small.toml"
        path.write_text(recipe_text(**options), encoding="utf-8")
        return path

    return write
