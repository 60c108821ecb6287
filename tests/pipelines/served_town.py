"""A town whose files a web server has, refreshed once: what tests of refreshing start from."""

from __future__ import annotations

import json
from pathlib import Path

from sources.invented import world_cities
from tests.recipes import city_table

CITIES = 1


def recipe_text(url: str, **binding: str) -> str:
    keys = "".join(f"{key} = {value}\n" for key, value in {"max_size_mb": 16, **binding}.items())
    text = f'name = "town"\nseed = 3\n[sources.yelp]\n{keys}'
    text += f'url = {{ business = "{url}/business.json", review = "{url}/review.json" }}\n'
    for city in world_cities(CITIES, 5):
        text += city_table(city)
    return text + "[families.itinbench]\ntasks_per_city = 5\n"


def statuses(answer: dict) -> dict[str, str]:
    return {f"{news['source']}.{news['role']}": news["status"] for news in answer["sources"]}


def locked(recipe: Path) -> dict[str, dict]:
    lock = json.loads(recipe.with_suffix(".lock.json").read_text())
    return {f"{s['source']}.{s['role']}": s for s in lock["snapshots"]}


def releases(recipe: Path) -> list[Path]:
    return sorted((recipe.parent / "home" / "releases").glob("*/*/*/manifest.json"))


def close_a_restaurant(folder: Path) -> str:
    """Close the first restaurant for good, and return its id."""
    path = folder / "business.json"
    lines = path.read_text().splitlines()
    n = next(n for n, line in enumerate(lines) if '"is_open":1' in line and "Restaurants" in line)
    lines[n] = lines[n].replace('"is_open":1', '"is_open":0')
    path.write_text("\n".join(lines) + "\n")
    return json.loads(lines[n])["business_id"]
