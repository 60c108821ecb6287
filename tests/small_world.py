"""One small invented recipe of all three families, and running a command: what tests of whole releases share."""

from __future__ import annotations

import json
import re
import shutil
import tomllib
from pathlib import Path
from typing import NamedTuple

from schemas.recipe import RecipeLock
from sources.invented.cities import world_cities
from tests.recipes import city_table

CITIES = 3
PROVIDERS = ("yelp", "group", "gtfs", "airbnb", "tripadvisor", "events", "travelplanner", "openflights", "numbeo")
TASKS = {"itinbench": 6, "tripcraft": 4, "grouptravel": 6}


class SmallWorld(NamedTuple):
    """A built home, its recipe, and the folder of each family's release."""

    home: Path
    recipe: Path
    releases: dict[str, Path]


def small_recipe() -> str:
    """Return a recipe of three invented cities that every family can be built in."""
    text = f'name = "small"\nseed = 3\n\n[invented]\nproviders = {json.dumps(PROVIDERS)}\nscale = 0.4\nseed = 5\n'
    for city in world_cities(CITIES, 5):
        text += city_table(city)
    return text + (
        f"\n[families.itinbench]\ntasks_per_city = {TASKS['itinbench'] // CITIES}\ntasks_without_solution = 2\n"
        'ratings = "rounded"\n'
        f"\n[families.tripcraft]\ntasks = {{ 3 = {TASKS['tripcraft']} }}\n"
        '\n[families.grouptravel]\ncurrency = "USD"\ncities = { 1 = 1 }\n'
        "tasks = { easy = 3, medium = 2, hard = 1 }\ntasks_without_solution = 1\n"
    )


def bound_recipe(world: SmallWorld, folder: Path) -> Path:
    """Write a world's invented files below a folder and return its recipe with them bound, each under its licence."""
    text = world.recipe.read_text(encoding="utf-8")
    providers = tomllib.loads(text)["invented"]["providers"]
    lock = RecipeLock.model_validate_json(world.recipe.with_suffix(".lock.json").read_bytes())
    bound: dict[tuple[str, str], dict[str, list[str]]] = {}
    for snapshot in lock.snapshots:
        if snapshot.source in providers:
            path = folder / snapshot.location.removeprefix("invented:")
            path.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(world.home / "raw" / snapshot.sha256[:2] / snapshot.sha256, path)
            roles = bound.setdefault((snapshot.city_id or "", snapshot.source), {})
            roles.setdefault(snapshot.role, []).append(path.relative_to(folder).as_posix())
    head, *rest = text.split("\n[[cities]]\n")
    text = re.sub(r"\[invented\]\n(?:.+\n)+", "", head)
    text += "".join(_binding(f"sources.{source}", roles) for (city, source), roles in bound.items() if not city)
    for part in rest:
        cities, _, families = part.partition("\n[families.")
        city_id = tomllib.loads(cities)["city_id"]
        text += f"\n[[cities]]\n{cities}"
        text += "".join(
            _binding(f"cities.sources.{source}", roles) for (city, source), roles in bound.items() if city == city_id
        )
        text += f"\n[families.{families}" if families else ""
    recipe = folder / "bound.toml"
    recipe.write_text(text, encoding="utf-8")
    return recipe


def _binding(table: str, roles: dict[str, list[str]]) -> str:
    return f"\n[{table}]\n" + "".join(f"{role} = {json.dumps(paths)}\n" for role, paths in roles.items())
