"""What is known of a city by where it lies: its time zone, currency and languages, as a recipe says them."""

from __future__ import annotations

from collections import Counter

from assets.first_recipe import CityFacts
from pipelines.walk.recipes import RecipeError
from schemas.recipe_values import Box, slug
from schemas.shown import one_line
from sources.cities.territories import territory_at
from sources.cities.zone_cities import zone_cities
from sources.prices.declared_rates import PEGS

ZONE_GRID = 9
"""Of a box around an area, points on each side that are asked for their time zone."""

LONGEST = 200
"""Characters of a place's name; Bangkok's own, in full, has 168."""

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

    A territory that is apart from its zone's country has its own, unless another country is given. The zone is that of
    most of its area, or of its box's middle where no ring is drawn.
    Maps write marks of direction into names, which no recipe holds: they are left out.
    Time zones from tzfpy, countries of zones, currencies and languages from Unicode's CLDR through Babel.
    Raises RecipeError if the name has no sign that an id can hold or is too long, or the country is not known.
    """
    from babel.numbers import get_territory_currencies

    name, region = one_line(name), one_line(region or "")
    for text in (name, region):
        if len(text) > LONGEST:
            raise RecipeError(f"found a name of {len(text)} characters; expected at most {LONGEST}: shorten it")
    if not slug(name):
        raise RecipeError(f"found the name {name!r}; expected letters or digits, which the city's id is made of")
    zone = _zone(box, polygon)
    territory = territory_at(zone, *_middle(box, polygon))
    if territory and country not in (None, territory.country):
        territory = None
    country = country or (territory.country if territory else _country_of(zone))
    currencies = get_territory_currencies(country) if country else []
    if not country:
        raise RecipeError(f"found no country for {name} at {zone}; expected an ISO 3166-1 code: give --country")
    if not currencies:
        raise RecipeError(
            f"found no currency of the country {country!r}; expected the ISO 3166-1 code or the English name of a "
            "country that has one: give another --country"
        )
    if territory:
        money, languages, note = territory.currency, territory.languages, territory.note
    else:
        money, languages, note = _own_money(currencies), _languages_of(country), ""
    return CityFacts(name, region, country, box, zone, money, languages, polygon, note)


def _country_of(zone: str) -> str:
    """Return the country of a time zone, empty where it is of the open sea or of none.

    By CLDR; a zone that is younger than it, by the time zone database, where a city of the zone says.
    """
    from babel.core import get_global

    country = get_global("zone_territories").get(zone)
    country = country or next((city.country for city in zone_cities() if city.time_zone == zone), "")
    return "" if country in NO_COUNTRY else country


def _own_money(currencies: list[str]) -> str:
    """Return the first of a country's currencies, or its own that is worth the same, as in Bhutan, Lesotho, Namibia."""
    return next((currency for currency in currencies if PEGS.get(currency) == (currencies[0], 1.0)), currencies[0])


def _languages_of(country: str) -> tuple[str, ...]:
    """Return a country's languages by CLDR: official ones, else those in fact, else the one that most speak there.

    English where it knows none. No law of the United States, Mexico or Vatican City makes a language official.
    """
    from babel.languages import get_official_languages, get_territory_language_info

    spoken = get_territory_language_info(country)
    most_spoken = sorted(spoken, key=lambda code: (-float(spoken[code]["population_percent"] or 0), code))[:1]
    in_fact = get_official_languages(country, de_facto=True)
    codes = list(get_official_languages(country)) or list(in_fact) or most_spoken or ["en"]
    return tuple(dict.fromkeys(code.partition("_")[0] for code in codes))  # a script is no language


def _middle(box: Box, polygon: tuple[tuple[float, float], ...] | None) -> tuple[float, float]:
    """Return a point of the area in degrees: its box's middle, or another one where its ring bends around that."""
    import shapely

    lat, lon = box.middle
    if polygon is None or box.west > box.east:
        return lat, lon
    area = shapely.Polygon([(east, north) for north, east in polygon])
    inside = shapely.Point(lon, lat) if shapely.intersects_xy(area, lon, lat) else area.representative_point()
    return inside.y, inside.x


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
