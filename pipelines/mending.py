"""The recipe that rebuilds an opened folder's tasks, as TOML: its cities, its files, and what its tasks ask."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from assets.core.published_set import ASKED_OF
from assets.families import families
from assets.release.exporting import release_tables
from assets.release.reading import PUBLISHED, OpenedRelease
from pipelines.walk.recipes import load_recipe
from pipelines.written_recipe import document
from schemas.errors import ExpectedError
from schemas.recipe import SourceBinding
from schemas.recipe_values import Box

CITY_KEYS = ("city_id", "name", "region", "country")


def mending_recipe(release: OpenedRelease, name: str, folder: Path, seed: int, world: Path | None = None) -> str:
    """Return the recipe as TOML, its paths relative to the `folder` that it will stand in.

    Cities and files are the opened folder's own, or those of the recipe `world`. Raises ExpectedError for a release of
    ours, and without such a recipe for a family whose published form says too little to plan from.
    """
    family = families()[release.manifest.family]
    if release.manifest.opened is None:
        raise ExpectedError(f"{release.version} is a release of ours; its tasks are certified. Open a published folder")
    if family.mend is None:
        raise ExpectedError(
            f"{family.name}: the tasks of an opened folder cannot be rebuilt: its form does not say all that a plan "
            "needs. Of these families they can: " + ", ".join(sorted(n for n, f in families().items() if f.mend))
        )
    section, sources = family.call("mend", release_tables(release))
    section[ASKED_OF] = {"sha256": release.manifest.opened.sha256, "tasks": release.manifest.counts["tasks"]}
    if world is None and not sources:
        raise ExpectedError(
            f"{family.name}: a published folder does not say where every place lies, so that no plan can be timed "
            "there. Name a recipe that binds its cities' places: --world RECIPE"
        )
    base = _world_of(world, folder, family.name) if world is not None else _own_world(release, sources, folder)
    world_section = base.pop("families", {}).get(family.name, {})
    merged_section = {key: value for key, value in {**world_section, **section}.items() if value is not None}
    first = {"name": name, "title": f"{family.title}, an opened set rebuilt and certified", "seed": seed}
    return (
        f"# The tasks of the opened folder {release.version}: kept where its places satisfy them, mended where not.\n"
        if world is None
        else f"# The tasks of the opened folder {release.version}, in the world of {world.name}: kept where that meets "
        "them, mended where not.\n"
    ) + document({**base, **first, "families": {family.name: merged_section}})


def _own_world(release: OpenedRelease, sources: Mapping[str, Mapping[str, str]], folder: Path) -> dict[str, Any]:
    """Return the opened folder's files and cities as a recipe's tables."""
    where = release.folder / PUBLISHED
    bound = {s: {r: os.path.relpath(where / f, folder) for r, f in files.items()} for s, files in sources.items()}
    cities = [
        {key: city[key] for key in CITY_KEYS} | {"box": {edge: city["box"][edge] for edge in Box.model_fields}}
        for city in release.manifest.cities
    ]
    return {"sources": bound, "cities": cities}


def _world_of(path: Path, folder: Path, family: str) -> dict[str, Any]:
    """Return a recipe's tables, its paths relative to the folder. Raises ExpectedError if it lacks the family."""
    loaded = load_recipe(path, families())
    if family not in loaded.families:
        raise ExpectedError(f"{path}: found no [families.{family}]; expected a recipe whose world its tasks can be in")
    tables = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    for bindings in (tables.get("sources", {}), *(city.get("sources", {}) for city in tables.get("cities", ()))):
        for source, binding in bindings.items():
            bindings[source] = _relative_to(binding, path.parent, folder)
    return tables


def _relative_to(binding: Mapping[str, Any], was: Path, folder: Path) -> dict[str, Any]:
    """Return a binding with its paths relative to another folder."""

    def relative(paths: Any) -> Any:
        if isinstance(paths, str):
            return os.path.relpath((was / paths).resolve(), folder)
        return [relative(path) for path in paths]

    new_binding = {
        key: value if key in SourceBinding.model_fields else relative(value) for key, value in binding.items()
    }
    return new_binding | (
        {"files": {r: relative(p) for r, p in binding["files"].items()}} if "files" in binding else {}
    )
