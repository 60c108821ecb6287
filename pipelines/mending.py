"""The recipe that rebuilds an opened folder's tasks, as TOML: its cities, its files, and what its tasks ask."""

from __future__ import annotations

import os
from pathlib import Path

from assets.family import families
from assets.release.exporting import release_tables
from assets.release.reading import PUBLISHED, OpenedRelease
from pipelines.written_recipe import toml
from schemas.errors import ExpectedError
from schemas.recipe import Box

CITY_KEYS = ("city_id", "name", "region", "country")


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
        f"name = {toml(name)}",
        f"title = {toml(f'{family.title}, an opened set rebuilt and certified')}",
        f"seed = {seed}",
    ]
    for source, files in sources.items():
        lines += ["", f"[sources.{source}]"]
        lines += [f"{role} = {toml(os.path.relpath(where / file, folder))}" for role, file in files.items()]
    for city in release.manifest.cities:
        lines += ["", "[[cities]]"]
        lines += [f"{key} = {toml(city[key])}" for key in CITY_KEYS]
        lines.append(f"box = {toml({edge: city['box'][edge] for edge in Box.model_fields})}")
    lines += ["", f"[families.{family.name}]"]
    for key, value in section.items():
        if isinstance(value, list):
            lines += [f"{key} = [", *(f"    {toml(item)}," for item in value), "]"]
        else:
            lines.append(f"{key} = {toml(value)}")
    return "\n".join(lines) + "\n"
