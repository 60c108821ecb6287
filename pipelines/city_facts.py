"""What is known of a city by where it lies: its time zone, currency and languages, as a recipe says them."""

from __future__ import annotations

from collections import Counter

from assets.first_recipe import CityFacts
from pipelines.walk.recipes import RecipeError
from schemas.recipe import SLUG_LENGTH, Box, slug
from schemas.shown import one_line
from sources.cities.zone_cities import zone_cities

ZONE_GRID = 9
"""Of a box around an area, points on each side that are asked for their time zone."""

NO_COUNTRY = ("ZZ", "001")
"""CLDR's codes of no territory and of the whole world."""


def city_facts(
    name: str,
    box: Box,
    country: str | None,
    region: str | None,
    polygon: tuple[tuple[float, float], ...] | None = None,
) -> CityFacts:
    """Return what is known of a city by where it lies: time zone, and by its country currency and languages.

    The zone is that of most of its area, or of its box's middle where no ring is drawn.
    Maps write marks of direction into names, which no recipe holds: they are left out.
    Time zones from tzfpy, countries of zones, currencies and languages from Unicode's CLDR through Babel.
    Raises RecipeError if the name has no sign that an id can hold or is too long, or the country is not known.
    """
    from babel.languages import get_official_languages
    from babel.numbers import get_territory_currencies

    name, region = one_line(name), one_line(region or "")
    if not slug(name):
        raise RecipeError(f"found the name {name!r}; expected letters or digits, which the city's id is made of")
    zone = _zone(box, polygon)
    country = country or _country_of(zone)
    currencies = get_territory_currencies(country) if country else []
    if not country:
        raise RecipeError(f"found no country for {name} at {zone}; expected an ISO 3166-1 code: give --country")
    if not currencies:
        raise RecipeError(
            f"found no currency of the country {country!r}; expected the ISO 3166-1 code of a country that has one: "
            "give another --country"
        )
    languages = tuple(get_official_languages(country)) or ("en",)
    facts = CityFacts(name, region, country, box, zone, currencies[0], languages, polygon)
    if len(facts.city_id) > SLUG_LENGTH:
        raise RecipeError(
            f"found a name, with its country and region, of {len(facts.city_id)} characters; expected at most "
            f"{SLUG_LENGTH}, which the city's id may have: shorten it"
        )
    return facts


def _country_of(zone: str) -> str:
    """Return the country of a time zone, empty where it is of the open sea or of none.

    By CLDR; a zone that is younger than it, by the time zone database, where a city of the zone says.
    """
    from babel.core import get_global

    country = get_global("zone_territories").get(zone)
    country = country or next((city.country for city in zone_cities() if city.time_zone == zone), "")
    return "" if country in NO_COUNTRY else country


def _zone(box: Box, polygon: tuple[tuple[float, float], ...] | None) -> str:
    """Return the time zone in which most of the area lies: the middle of a bent one may lie in another country."""
    import numpy as np
    import shapely
    from tzfpy import get_tz

    lat, lon = box.middle
    middle = get_tz(lon, lat) or "UTC"
    if polygon is None:
        return middle
    area = shapely.Polygon(polygon)
    sides = np.linspace(box.south, box.north, ZONE_GRID), np.linspace(box.west, box.east, ZONE_GRID)
    y, x = (side.ravel() for side in np.meshgrid(*sides))
    inside = shapely.intersects_xy(area, y, x)
    zones = Counter(get_tz(east, north) for north, east in zip(y[inside], x[inside], strict=True))
    return (zones.most_common(1)[0][0] if zones else "") or middle
