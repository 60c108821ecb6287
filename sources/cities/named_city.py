"""Which of a recipe's cities an address without coordinates means: never by a bare name (defect T13)."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache

from schemas.recipe import City
from schemas.recipe_values import slug
from schemas.rejection import Reason
from sources.cities.country_names import country_code
from sources.formats.jsonl import RowError


def named_city(name: str, region: str, country: str, cities: list[City]) -> City:
    """Return the one city of that name and region; letters' case, accents and punctuation do not matter.

    The region may be left out only where the city has none, or where the country is given and no other city of the
    recipe in it bears the name. A country, if given, must be the city's. Raises RowError otherwise.
    """
    full_name = ", ".join(part for part in (name, region, country) if part)
    namesakes = [city for city in cities if _key(city.name) == _key(name)]
    if country:
        code = country_code(country)
        if code is None:
            raise RowError(Reason.BAD_VALUE, f"country: found {country!r}, expected a country's name or ISO code")
        namesakes = [city for city in namesakes if city.country == code]
    if region:
        namesakes = [city for city in namesakes if _key(city.region) in (_key(region), "")]
    elif not country:
        namesakes = [city for city in namesakes if not city.region]
    if len(namesakes) > 1:
        raise RowError(Reason.AMBIGUOUS_NAME, f"{full_name}: could be {', '.join(city.city_id for city in namesakes)}")
    if not namesakes:
        raise RowError(Reason.OUTSIDE_EVERY_CITY, f"{full_name}: no city of the recipe by name, region and country")
    return namesakes[0]


def city_finder(cities: list[City]) -> Callable[[str, str, str], City]:
    """Return `named_city` for these cities, which looks each address up once: files name few cities in many rows."""

    @cache
    def find(name: str, region: str, country: str) -> City:
        return named_city(name, region, country, cities)

    return find


@lru_cache(maxsize=4096)
def _key(text: str) -> str:
    return slug(text) or " ".join(text.split()).casefold()
