"""A first recipe for a city: what can be known of it is filled in, what else there is stands in comments."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from assets.family import Family
from pipelines.walk.recipes import RecipeError, load_recipe
from schemas.recipe import Box, slug
from sources.osm.town import area_in
from sources.registry import SOURCES

EDGES = ("south", "west", "north", "east")
DIGITS = 4
"""Of degrees: eleven metres, finer than a city's edge is known."""

INVENTED = [
    "# Fares between cities and the people of the groups have no open source: they are invented, and marked so.",
    "[invented]",
    'providers = ["group"]',
    "scale = 0.3",
    "",
]
SPATIAL = [
    "# Nearest stops, walking times by OSRM, clusters and a map. With `trip_dates`, also which stops are served then.",
    "[spatial]",
    'modes = ["foot"]',
    "# trip_dates = [2026-12-01]",
    "",
]


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

    @property
    def city_id(self) -> str:
        """Return `country-region-name`."""
        return "-".join(slug(part) for part in (self.country, self.region, self.name))


def write_recipe(
    name: str,
    files: dict[str, list[Path]],
    *,
    box: Box | None,
    country: str | None,
    region: str | None,
    tasks: int,
    out: Path,
    force: bool,
    known: Mapping[str, Family],
) -> Path:
    """Write a recipe for the named city and return its path; `out` is the file, or the folder that it is put in.

    Without a `box` the extract says where the city is. Raises RecipeError if the file is there and not `force`, or if
    what was written could not be read back; nothing is left behind then.
    """
    if box is None:
        edges = area_in(files["osm.extract"][0], name)
        box = Box(**{edge: round(degrees, DIGITS) for edge, degrees in zip(EDGES, edges, strict=True)})
    facts = city_facts(name, box, country, region)
    path = out / f"{slug(name)}.toml" if out.is_dir() else out
    if path.exists() and not force:
        raise RecipeError(f"{path} is there already; give another --out, or --force to overwrite it")
    draft = path.with_suffix(".toml.new")
    draft.write_text(recipe_text(facts, files, path.parent, tasks), encoding="utf-8")
    try:
        load_recipe(draft, known)
    except RecipeError:
        draft.unlink()
        raise
    draft.replace(path)
    return path


def city_facts(name: str, box: Box, country: str | None, region: str | None) -> CityFacts:
    """Return what is known of a city by where it lies: time zone, and by its country currency and languages.

    Time zones from tzfpy, countries of zones, currencies and languages from Unicode's CLDR through Babel.
    Raises RecipeError if the name has no letter that an id can hold, or the country is not known.
    """
    from babel.core import get_global
    from babel.languages import get_official_languages
    from babel.numbers import get_territory_currencies
    from tzfpy import get_tz

    if not slug(name):
        raise RecipeError(f"found the name {name!r}; expected Latin letters, which the city's id is made of")
    zone = get_tz((box.west + box.east) / 2, (box.south + box.north) / 2) or "UTC"
    country = country or get_global("zone_territories").get(zone)
    currencies = get_territory_currencies(country) if country else []
    if not country or not currencies:
        raise RecipeError(f"found no country for {name} at {zone}; expected an ISO 3166-1 code: give --country")
    languages = tuple(get_official_languages(country)) or ("en",)
    return CityFacts(name, region or country, country, box, zone, currencies[0], languages)


def recipe_text(city: CityFacts, files: dict[str, list[Path]], folder: Path, tasks: int) -> str:
    """Return the recipe's TOML. `files` maps `source.role` to files, written relative to `folder`.

    With OpenStreetMap's places it builds spatial tables and group tasks (fares and people invented); without, it
    says which files would allow what.
    """
    bound: dict[str, dict[str, list[str]]] = {}
    for key, paths in files.items():
        source, role = key.split(".")
        bound.setdefault(source, {})[role] = [os.path.relpath(path.resolve(), folder.resolve()) for path in paths]
    has_places = "osm" in bound
    box = city.box
    edges = ", ".join(f"{edge} = {getattr(box, edge)}" for edge in EDGES)
    lines = [
        f"# {' '.join(city.name.split())}: written by `tripwright init`.",
        "# Change what you like; unknown keys are refused with a hint.",
        f"name = {_toml(slug(city.name))}",
        f"title = {_toml(city.name)}",
        "seed = 1",
        "",
        *(INVENTED if has_places else []),
        *(SPATIAL if bound else []),
        "[[cities]]",
        f"city_id = {_toml(city.city_id)}",
        f"name = {_toml(city.name)}",
        f"region = {_toml(city.region)}",
        f"country = {_toml(city.country)}",
        f"time_zone = {_toml(city.time_zone)}",
        f"currency = {_toml(city.currency)}",
        f"languages = {json.dumps(city.languages)}",
        "# What lies outside is left out. A polygon = [[lat, lon], …] may stand instead.",
        f"box = {{ {edges} }}",
        "",
    ]
    for source, roles in bound.items():
        lines += [f"[cities.sources.{source}]", *[f"{role} = {json.dumps(paths)}" for role, paths in roles.items()], ""]
    if has_places:
        lines += _departure(city)
        lines += [
            f"# {tasks} of each difficulty. `tripwright schema` prints every key there is.",
            "[families.grouptravel]",
            f"currency = {_toml(city.currency)}",
            f"tasks = {{ easy = {tasks}, medium = {tasks}, hard = {tasks} }}",
            "",
        ]
    return "\n".join(lines + _other_sources(bound)) + "\n"


def _departure(city: CityFacts) -> list[str]:
    """Return a second city, of which nothing is mapped: groups need somewhere to set out from."""
    box = city.box
    height = box.north - box.south
    north = box.south - 1 if box.south > -80 else box.north + 1 + height
    return [
        "# Where groups set out from: an invented town a degree away. Replace it by a real neighbour.",
        "[[cities]]",
        f"city_id = {_toml(f'{slug(city.country)}-{slug(city.region)}-elsewhere')}",
        'name = "Elsewhere"',
        f"region = {_toml(city.region)}",
        f"country = {_toml(city.country)}",
        f"time_zone = {_toml(city.time_zone)}",
        f"currency = {_toml(city.currency)}",
        f"box = {{ south = {north - height:.4f}, west = {box.west:.4f}, north = {north:.4f}, east = {box.east:.4f} }}",
        "",
    ]


def _other_sources(bound: dict[str, dict[str, list[str]]]) -> list[str]:
    """Return, as comments, every source that the recipe does not bind, with its files and how to get them."""
    lines = ["# Other sources (`tripwright sources` says more); under a city as here, or shared under [sources.NAME]:"]
    for source in SOURCES.values():
        if source.name in bound or source.name == "invented":
            continue
        lines += ["#", f"# {source.title}: {source.how_to_get}", f"# [cities.sources.{source.name}]"]
        lines += [
            f'# {file.role} = "…"  # {file.format}{"" if file.required else ", may be absent"}' for file in source.files
        ]
    return lines


def _toml(text: str) -> str:
    """Return text as a TOML basic string: JSON's escapes are TOML's, but for DEL."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
