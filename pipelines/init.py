"""A first recipe for cities: what is known of them is filled in, what else there is stands in comments."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from assets.family import Family
from pipelines.city_facts import CityFacts
from pipelines.survey import LEVELS, Chosen, Survey, SurveyedCity, trip_constraints
from pipelines.trip_amounts import GUESTS, TripAmounts
from pipelines.walk.recipes import RecipeError
from pipelines.written_recipe import toml, write_whole
from schemas.recipe import slug
from sources.registry import SOURCES

EDGES = ("south", "west", "north", "east")
LONGEST_NAME = 60

INVENTED = [
    "# Fares between cities and the people of the groups have no open source: they are invented, and marked so.",
    "[invented]",
    'providers = ["group"]',
    "scale = 0.3",
    "dirt = false",
    "",
]
SPATIAL = [
    "# Nearest stops, walking times, clusters and a map. With `trip_dates`, also which stops are served then.",
    "# Places off the main part of the network are rejected by name; least_on_network says how many may be.",
    "[spatial]",
    'modes = ["foot"]',
    'router = "graph"  # or "osrm", which is fetched once',
    "# trip_dates = [2026-12-01]",
    "",
]
WRITTEN_BY = "written by `tripwright init`."


def write_recipe(found: Survey, *, out: Path, force: bool, known: Mapping[str, Family]) -> Path:
    """Write a recipe of what was found and return its path; `out` is the file, or the folder that it is put in.

    Raises RecipeError if the file is there and not `force`, or if what was written could not be read back; nothing is
    left behind then.
    """
    path = out / f"{recipe_name(found)}.toml" if out.is_dir() else out
    if path.exists() and not force:
        raise RecipeError(f"{path} is there already; give another --out, or --force to overwrite it")
    write_whole(path, recipe_text(found, path.parent), known)
    return path


def recipe_name(found: Survey) -> str:
    """Return the cities' names as one slug, cut short where there are many."""
    names = [slug(city.facts.name) for city in found.cities]
    whole = "-".join(names)
    return whole if len(whole) <= LONGEST_NAME else f"{names[0][:LONGEST_NAME]}-and-{len(names) - 1}-more"


def recipe_text(found: Survey, folder: Path) -> str:
    """Return the recipe's TOML; files are written relative to `folder`, links in their paths as they are."""
    title = ", ".join(city.facts.name for city in found.cities)
    chosen = {choice.family: choice for choice in found.chosen}
    group, trip = (chosen.get(family, Chosen(family, 0)) for family in ("grouptravel", "tripcraft"))
    bound = {key.partition(".")[0] for city in found.cities for key in city.files} | {
        key.partition(".")[0] for key in found.shared
    }
    lines = [
        f"# {_one_line(title)}: {WRITTEN_BY}",
        "# Change what you like; unknown keys are refused with a hint.",
        f"name = {toml(recipe_name(found))}",
        f"title = {toml(title)}",
        "# What is drawn at random is drawn by the recipe's name and the task's id; `seed = 1` would draw otherwise.",
        "",
        *(INVENTED if group.tasks else []),
        *(SPATIAL if bound else []),
    ]
    for source, roles in _by_source(found.shared).items():
        lines += [f"[sources.{source}]", *_roles(roles, folder), ""]
    for city in found.cities:
        lines += _city_lines(city, folder)
    if group.tasks or trip.tasks:
        lines += ["# Where people set out from: real towns, of which nothing else is read.", ""]
        for neighbour in found.neighbours:
            lines += [*_facts_lines(neighbour), ""]
    if group.tasks:
        lines += [
            f"# {group.tasks} of each difficulty. `tripwright schema` prints every key there is.",
            "[families.grouptravel]",
            f"currency = {toml(found.cities[0].facts.currency)}",
            f"tasks = {_levels(group)}",
            "",
        ]
    if trip.tasks and found.amounts is not None:
        lines += _trip_lines(found.amounts, trip, found.road_groups, trip_constraints(found.cities))
    for choice in found.chosen:
        if not choice.tasks:
            lines += [
                f"# {choice.family} is not built:",
                *(f"#   {_one_line(reason)}" for reason in choice.why_not),
                "#",
            ]
    return "\n".join(lines + _other_sources(bound)) + "\n"


def _levels(choice: Chosen) -> str:
    return f"{{ {', '.join(f'{level} = {choice.tasks if level in choice.levels else 0}' for level in LEVELS)} }}"


def _trip_lines(
    amounts: TripAmounts, trip: Chosen, road_groups: list[list[str]], constraints: dict[str, int]
) -> list[str]:
    currency = toml(amounts.currency)
    weights = f"{{ {', '.join(f'{name} = 1.0' for name in constraints)} }}"
    asked = {name: f"{{ medium = 1, hard = {count} }}" for name, count in constraints.items()}
    limits = [
        "# What the city's files tell of: a trip asks for what is eaten and seen there, and for nothing else.",
        f"constraints = {{ medium = 1, hard = {len(constraints)} }}",
        f"weights_medium = {weights}",
        f"weights_hard = {weights}",
        *([f"cuisines_asked = {asked['cuisine']}"] if "cuisine" in asked else []),
        *([f"categories_asked = {asked['attraction']}"] if "attraction" in asked else []),
    ]
    return [
        f"# Modelled: {amounts.basis}. Of a room for two in a mapped hotel, a night; an inexpensive meal; a kilometre.",
        "[families.tripcraft]",
        f"counts = {{ 3 = {_levels(trip)} }}",
        *(limits if len(trip.levels) > 1 and constraints else []),
        f"currency = {currency}",
        f"nights = {{ low = {amounts.night_low}, high = {amounts.night_high}, currency = {currency}, "
        f"max_occupancy = {GUESTS} }}",
        f"reference_meal = {{ amount = {amounts.meal}, currency = {currency} }}",
        f"car_rates = {{ self_driving_per_km = {amounts.fuel_per_km}, self_driving_seats = 5, "
        f"taxi_per_km = {amounts.taxi_per_km}, taxi_seats = 4, currency = {currency} }}",
        "# Ways by road are estimated from the geodesic, which knows no sea: only these cities are joined.",
        f"road_groups = {toml(road_groups)}",
        "",
    ]


def _city_lines(city: SurveyedCity, folder: Path) -> list[str]:
    counts = {what: city.counts.get(what, 0) for what in ("attractions", "restaurants", "stays", "stops")}
    held = ", ".join(f"{count} {what}" for what, count in counts.items())
    lines = [f"# {_one_line(city.facts.name)}: {held}. Its area is that of {city.found_by}."]
    lines += [*_facts_lines(city.facts), ""]
    for source, roles in _by_source(city.files).items():
        lines += [f"[cities.sources.{source}]", *_roles(roles, folder), ""]
    return lines


def _facts_lines(city: CityFacts) -> list[str]:
    if city.polygon:
        corners = ", ".join(f"[{lat}, {lon}]" for lat, lon in city.polygon)
        area = ["# What lies outside is left out. A box = { south, west, north, east } may stand instead.",
                f"polygon = [{corners}]"]  # fmt: skip
    else:
        edges = ", ".join(f"{edge} = {getattr(city.box, edge)}" for edge in EDGES)
        area = ["# What lies outside is left out. A polygon = [[lat, lon], …] may stand instead.",
                f"box = {{ {edges} }}"]  # fmt: skip
    return [
        "[[cities]]",
        f"city_id = {toml(city.city_id)}",
        f"name = {toml(city.name)}",
        *([f"region = {toml(city.region)}"] if city.region else []),
        f"country = {toml(city.country)}",
        f"time_zone = {toml(city.time_zone)}",
        f"currency = {toml(city.currency)}",
        f"languages = {toml(city.languages)}",
        *area,
    ]


def _by_source(files: Mapping[str, list[Path]]) -> dict[str, dict[str, list[Path]]]:
    found: dict[str, dict[str, list[Path]]] = {}
    for key, paths in files.items():
        source, _, role = key.partition(".")
        found.setdefault(source, {})[role] = paths
    return found


def _roles(roles: Mapping[str, list[Path]], folder: Path) -> list[str]:
    """Return a line a role, with paths relative to the recipe's folder; no link in them is followed."""
    base = os.path.abspath(folder)  # noqa: PTH100  # `resolve` would follow links
    written = {role: [os.path.relpath(os.path.abspath(p), base) for p in paths] for role, paths in roles.items()}  # noqa: PTH100
    return [f"{role} = {toml(paths)}" for role, paths in written.items()]


def _other_sources(bound: set[str]) -> list[str]:
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


def _one_line(text: str) -> str:
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())
