"""What is known of a city by where it lies: its time zone, currency and languages, as a recipe says them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from assets.step import RawFile
from pipelines.walk.recipes import RecipeError
from schemas.recipe import Box, City, slug
from schemas.source import Snapshot
from warehouse.store import sha256_of


@dataclass(frozen=True)
class CityFacts:
    """What a recipe says of a city."""

    name: str
    region: str
    country: str
    box: Box
    time_zone: str
    currency: str
    languages: tuple[str, ...]
    polygon: tuple[tuple[float, float], ...] | None = None

    @property
    def city_id(self) -> str:
        """Return `country-region-name`, without a region that nobody knows."""
        return "-".join(part for part in map(slug, (self.country, self.region, self.name)) if part)

    def as_city(self) -> City:
        """Return the city as recipes hold it."""
        return City(
            city_id=self.city_id,
            name=self.name,
            region=self.region,
            country=self.country,
            currency=self.currency,
            polygon=list(self.polygon) if self.polygon else None,
            box=None if self.polygon else self.box,
        )


def city_facts(
    name: str,
    box: Box,
    country: str | None,
    region: str | None,
    polygon: tuple[tuple[float, float], ...] | None = None,
) -> CityFacts:
    """Return what is known of a city by where it lies: time zone, and by its country currency and languages.

    Time zones from tzfpy, countries of zones, currencies and languages from Unicode's CLDR through Babel.
    Raises RecipeError if the name has no sign that an id can hold, or the country is not known.
    """
    from babel.core import get_global
    from babel.languages import get_official_languages
    from babel.numbers import get_territory_currencies
    from tzfpy import get_tz

    if not slug(name):
        raise RecipeError(f"found the name {name!r}; expected letters or digits, which the city's id is made of")
    lat, lon = middle(box)
    zone = get_tz(lon, lat) or "UTC"
    country = country or get_global("zone_territories").get(zone)
    currencies = get_territory_currencies(country) if country else []
    if not country or not currencies:
        raise RecipeError(f"found no country for {name} at {zone}; expected an ISO 3166-1 code: give --country")
    languages = tuple(get_official_languages(country)) or ("en",)
    return CityFacts(name, region or "", country, box, zone, currencies[0], languages, polygon)


def middle(box: Box) -> tuple[float, float]:
    """Return latitude and longitude of a box's middle, also over the antimeridian."""
    east = box.east + (360.0 if box.west > box.east else 0.0)
    return (box.south + box.north) / 2, ((box.west + east) / 2 + 180.0) % 360.0 - 180.0


def raw_file(path: Path, source: str, role: str) -> RawFile:
    """Return a file as readers take it."""
    snapshot = Snapshot(
        source=source, role=role, location=path.name, sha256=sha256_of(path), size_bytes=path.stat().st_size,
        licence_id="LicenseRef-unverified",
    )  # fmt: skip
    return RawFile(snapshot, path)
