"""A recipe of groups in three invented near towns."""

from __future__ import annotations

from sources.invented.cities import Box, CitySpec, world_cities
from tests.recipes import city_table

NAMES = ("Homely", "Nearby", "Yonder")


def recipe_text(places: str, language: str = "en") -> str:
    """Return a recipe of three near towns, whose groups use their own places (of Yelp) or the lists of places."""
    providers = '["yelp", "group"]' if places == "own" else '["group"]'
    text = f'name = "groups"\nseed = 3\n\n[invented]\nproviders = {providers}\nscale = 0.2\nseed = 5\n'
    towns = [
        CitySpec(
            name, "in", "us", south + 0.05, -86.35, Box(south, -86.4, south + 0.1, -86.3), "America/New_York", "USD"
        )
        for name, south in zip(NAMES, (40.0, 40.3, 40.6), strict=True)
    ]
    for city in world_cities(towns, 5):
        text += city_table(city)
    return text + (
        f'\n[families.grouptravel]\nplaces = "{places}"\ncurrency = "USD"\nlanguage = "{language}"\n'
        "cities = { 1 = 1, 2 = 1 }\nholiday_factor = 1.5\nseason = { 12 = 1.2 }\n"
        "tasks = { easy = 3, medium = 2, hard = 1 }\n"
    )
