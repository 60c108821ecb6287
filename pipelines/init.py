"""A first recipe for cities: what is known of them is filled in, what else there is stands in comments."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from assets.family import Family
from assets.first_recipe import CityFacts, FamilyChoice, Survey, SurveyedCity
from assets.named import named_value
from pipelines.survey import without, without_cities
from pipelines.walk.recipes import RecipeError
from pipelines.written_recipe import toml, write_whole
from schemas.counts import counted
from schemas.recipe_values import slug
from schemas.shown import shown
from sources.registry import SOURCES

EDGES = ("south", "west", "north", "east")
HELD = ("attraction", "restaurant", "stay", "stop")
LONGEST_NAME = 60

SPATIAL = [
    "# Nearest stops, walking times, clusters and a map. With `trip_dates`, also which stops are served then.",
    "# Places off the main part of the network are rejected by name; least_on_network says how many may be.",
    "[spatial]",
    'modes = ["foot"]',
    'router = "graph"  # or "osrm", which is fetched once',
]
WRITTEN_BY = "written by `tripwright init`."


def write_recipe(survey: Survey, *, out: Path | None, force: bool, all_families: Mapping[str, Family]) -> Path:
    """Write a recipe of what was found and return its path; `out` is the file, or the folder that it is put in.

    Without it that is `recipes` where the command is run, made if it is not there.

    Raises RecipeError if another is there and not `force`, or if what was written could not be read back; nothing is
    left behind then. One that says the same is as if just written: whoever was interrupted may ask again.
    """
    made_folder(out)
    path = recipe_path(survey, out)
    text = recipe_text(survey, path, all_families)
    require_free(path, force=force or (path.is_file() and path.read_bytes() == text.encode()))
    write_whole(path, text, all_families)
    return path


def recipe_path(survey: Survey, out: Path | None) -> Path:
    """Return where a recipe of the cities is written: `out`, if it is a file's name, or in that folder."""
    return folder_of(out) / f"{recipe_name(survey)}.toml" if out is None or out.is_dir() else out


def without_again(survey: Survey, path: Path, all_families: Mapping[str, Family]) -> Survey:
    """Return the survey without what the recipe at the path says that a build left out, each with the reason there.

    It is the survey as it is where that recipe is another one, or was changed by hand.
    """
    old_text = path.read_bytes().decode(errors="replace") if path.is_file() else ""
    lines, less = old_text.split("\n"), survey

    def why(begins: str) -> str:
        return next((line.removeprefix(begins) for line in lines if line.startswith(begins)), "")

    for choice in survey.choices if old_text else ():
        name = choice.family
        for level in reversed(choice.levels if choice.tasks else ()):
            if reason := why(f"# {name} has no {level} tasks: "):
                less = without(less, name, reason)
        if choice.tasks and f"# {name} is not built:" in lines:
            reason = lines[lines.index(f"# {name} is not built:") + 1].removeprefix("#   ")
            less = without(less, name, reason, is_whole=True)
    reasons = {city.facts.city_id: why(f"# {_one_line(city.facts.name)} is left out: ") for city in survey.cities}
    less = without_cities(less, {city_id: reason for city_id, reason in reasons.items() if reason})
    return less if old_text == recipe_text(less, path, all_families) else survey


def folder_of(out: Path | None) -> Path:
    """Return the folder that a recipe is put in: `out` or its own, or else `recipes` here."""
    if out is None:
        return Path("recipes")
    return out if out.is_dir() else out.parent


def made_folder(out: Path | None) -> Path:
    """Return the same folder; `recipes` is made if it is not there."""
    folder = folder_of(out)
    if out is None:
        folder.mkdir(exist_ok=True)
    return folder


def require_free(path: Path, *, force: bool) -> None:
    """Raise RecipeError of what is no recipe's name, is there already, or has no folder to be written in."""
    if path.suffix != ".toml" and not path.is_dir():
        raise RecipeError(
            f"{shown(str(path))}: expected a name that ends in .toml, or a folder that is there, for --out"
        )
    if not path.parent.is_dir():
        raise RecipeError(f"found no folder {shown(str(path.parent))}; expected --out in one that is there")
    if path.is_file() and not force:
        raise RecipeError(
            f"{path} is there already, and is not what would be written: build it with `tripwright build {path}`, give "
            "another --out, or --force to overwrite it"
        )


def is_written(path: Path) -> bool:
    """Return whether a recipe at the path is one that was written here; what is changed in it is not looked at."""
    return path.is_file() and WRITTEN_BY.encode() in path.read_bytes().split(b"\n", 1)[0]


def recipe_name(survey: Survey) -> str:
    """Return the cities' names as one slug."""
    return slug_of([city.facts.name for city in survey.cities])


def slug_of(names: Sequence[str]) -> str:
    """Return names as one slug, cut short where there are many."""
    slugs = [slug(name) for name in names]
    full_slug = "-".join(slugs)
    if len(full_slug) <= LONGEST_NAME:
        return full_slug
    first = slugs[0][:LONGEST_NAME].rstrip("-")
    return first if len(slugs) == 1 else f"{first}-and-{len(slugs) - 1}-more"


def recipe_text(survey: Survey, path: Path, all_families: Mapping[str, Family]) -> str:
    """Return the TOML of the recipe at `path`, named after its file, so that two recipes of a city can share a home.

    Files are written relative to its folder, links in their paths as they are.
    """
    folder = path.parent
    title = ", ".join(city.facts.name for city in survey.cities)
    choices = {choice.family: choice for choice in survey.choices if choice.tasks}
    firsts = {name: named_value(first) for name in choices if (first := all_families[name].first_recipe)}
    bound = {key.partition(".")[0] for city in survey.cities for key in city.files} | {
        key.partition(".")[0] for key in survey.shared
    }
    lines = [
        f"# {_one_line(title)}: {WRITTEN_BY}",
        "# Change what you like; unknown keys are refused with a hint.",
        f"name = {toml(slug_of([path.stem]) or recipe_name(survey))}",
        f"title = {toml(title)}",
        "# What is drawn at random is drawn by the recipe's name and the task's id; `seed = 1` would draw otherwise.",
        "",
        *_invented(choices),
        *(_spatial(survey) if bound else []),
    ]
    for source, roles in _by_source(survey.shared).items():
        lines += [f"[sources.{source}]", *_roles(roles, folder), ""]
    for city in survey.cities:
        lines += _city_lines(city, folder)
    lines += [f"# {_one_line(name)} is left out: {_one_line(why)}" for name, why in sorted(survey.left_out.items())]
    lines += [""] if survey.left_out else []
    if any(first.takes_neighbours for first in firsts.values()):
        lines += ["# Where people set out from: real towns, of which nothing else is read.", ""]
        for neighbour in survey.neighbours:
            lines += [*_facts_lines(neighbour), "is_visited = false", ""]
    for name, first in firsts.items():
        lines += [f"# {name} has no {level} tasks: {_one_line(why)}" for level, why in choices[name].fewer.items()]
        lines += first.section(survey, choices[name])
    for choice in survey.choices:
        if not choice.tasks:
            lines += [
                f"# {choice.family} is not built:",
                *(f"#   {_one_line(reason)}" for reason in choice.why_not),
                "#",
            ]
    return "\n".join(lines + _other_sources(bound)) + "\n"


def _spatial(survey: Survey) -> list[str]:
    """Return the section on space, with the day for which served stops are looked up where a feed runs."""
    day = survey.trip_day
    dates = [f"trip_dates = [{day.date}]  # {day.text}" if day else "# trip_dates = [2026-12-01]"]
    return [*SPATIAL, *dates, ""]


def _invented(choices: Mapping[str, FamilyChoice]) -> list[str]:
    """Return the lines that invent the files of providers which nobody gives away, for the families that need them."""
    providers = {name: description for choice in choices.values() for name, description in choice.invents.items()}
    if not providers:
        return []
    return [
        *(
            f"# Invented, and marked so, since no open source tells it: {providers[name]}."
            for name in sorted(providers)
        ),
        "[invented]",
        f"providers = {toml(sorted(providers))}",
        "scale = 0.3",
        "dirt = false",
        "",
    ]


def _city_lines(city: SurveyedCity, folder: Path) -> list[str]:
    counts = ", ".join(counted(city.counts.get(f"{what}s", 0), what) for what in HELD)
    lines = [f"# {_one_line(city.facts.name)}: {counts}. Its area is that of {city.found_by}."]
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
        *([f"# {city.note}."] if city.note else []),
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
    roles_by_source: dict[str, dict[str, list[Path]]] = {}
    for key, paths in files.items():
        source, _, role = key.partition(".")
        roles_by_source.setdefault(source, {})[role] = paths
    return roles_by_source


def _roles(roles: Mapping[str, list[Path]], folder: Path) -> list[str]:
    """Return a line a role, with paths relative to the recipe's folder; no link in them is followed."""
    base = os.path.abspath(folder)  # noqa: PTH100  # `resolve` would follow links
    relative_paths = {role: [os.path.relpath(os.path.abspath(p), base) for p in paths] for role, paths in roles.items()}  # noqa: PTH100
    return [f"{role} = {toml(paths)}" for role, paths in relative_paths.items()]


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
