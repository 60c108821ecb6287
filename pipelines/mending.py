"""The recipe that rebuilds an opened folder's tasks, as TOML: its cities, its files, and what its tasks ask."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from assets.family import families
from assets.release.exporting import release_tables
from assets.release.reading import PUBLISHED, OpenedRelease
from schemas.errors import ExpectedError

CITY_KEYS = ("city_id", "name", "region", "country", "box")


def mending_recipe(release: OpenedRelease, name: str, folder: Path, seed: int) -> str:
    """Return the recipe as TOML, its paths relative to the `folder` that it will stand in.

    Raises ExpectedError for a release of ours, and for a family whose published form says too little to plan from.
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
    where = release.folder / PUBLISHED
    lines = [
        f"# The tasks of the opened folder {release.version}: kept where its places satisfy them, mended where not.",
        f"name = {_toml(name)}",
        f"title = {_toml(f'{family.title}, an opened set rebuilt and certified')}",
        f"seed = {seed}",
    ]
    for source, files in sources.items():
        lines += ["", f"[sources.{source}]"]
        lines += [f"{role} = {_toml(os.path.relpath(where / file, folder))}" for role, file in files.items()]
    for city in release.manifest.cities:
        lines += ["", "[[cities]]"]
        lines += [f"{key} = {_toml(_wide(city[key]) if key == 'box' else city[key])}" for key in CITY_KEYS]
    lines += ["", f"[families.{family.name}]"]
    for key, value in section.items():
        if isinstance(value, list):
            lines += [f"{key} = [", *(f"    {_toml(item)}," for item in value), "]"]
        else:
            lines.append(f"{key} = {_toml(value)}")
    return "\n".join(lines) + "\n"


def _wide(box: Mapping[str, float]) -> dict[str, float]:
    """Return the box of an opened city, whose edges are its outermost places."""
    return {edge: box[edge] for edge in ("south", "west", "north", "east")}


def _toml(value: Any) -> str:
    """Return a value as TOML: JSON's texts, numbers and lists, and tables on one line."""
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{key} = {_toml(item)}" for key, item in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return json.dumps(value).replace("\x7f", "\\u007f")
