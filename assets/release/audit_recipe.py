"""What a release says of its recipe, held against the recipe and lock themselves: names, cities, inputs, licences.

A release's own files bear out neither its title nor under which licence a file was bound; the recipe and its lock do.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import ValidationError

from assets.families import all_steps, families
from assets.family import Family
from assets.promises.whole import needed_steps
from assets.release.audit_differences import written_alike
from assets.release.reading import OpenedRelease
from assets.release.withholding import LOCK, RECIPE
from assets.step import Raw
from schemas.recipe import Recipe, RecipeLock
from schemas.release import Manifest
from schemas.shown import in_short
from sources.registry import SOURCES

INVENTED = "LicenseRef-invented"
SHARED_SECTIONS = {"authors", "invented", "spatial", "splits"}
"""What a recipe says for every family of how it is built and by whom; a manifest holds it as it was."""


def recipe_otherwise(manifest: Manifest, recipe: bytes, lock: bytes) -> list[str]:
    """Return what a manifest says otherwise than the recipe and the lock that it is said to be made of."""
    try:
        asked = Recipe.model_validate(tomllib.loads(recipe.decode()))
        locked = RecipeLock.model_validate_json(lock)
    except (ValidationError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        return [f"its recipe or lock cannot be read: {error}"]
    family = families()[manifest.family]
    if family.name not in asked.families:
        others = ", ".join(sorted(asked.families)) or "no benchmark"
        return [f"manifest.json: is of {family.name}; its recipe asks for {others}"]
    try:
        expected = _expected(manifest, family, asked, locked)
    except ValidationError as error:
        return [f"families.{family.name} of its recipe cannot be read: {error}"]
    strange = {city["city_id"] for city in manifest.missing_cities} - {city.city_id for city in asked.cities}
    problems = [f"manifest.json: says that {city_id} is missing, no city of its recipe" for city_id in sorted(strange)]
    return [
        *problems,
        *_lock(manifest, locked),
        *_struck(manifest, family, locked),
        *_otherwise(manifest.model_dump(mode="json"), expected),
    ]


def terms_by_recipe(manifest: Manifest) -> list[str]:
    """Return the inputs that stand under other terms than their source's own: that is the recipe's word alone.

    So is that files are invented, which stand in one line.
    """
    invented = (manifest.settings.get("invented") or {}).get("providers", ())
    others, written = {}, set[str]()
    for snapshot in manifest.inputs:
        source = SOURCES.get(snapshot.source)
        is_invented = snapshot.licence_id == INVENTED and (source is None or snapshot.source in invented)
        if is_invented and source is not None and source.licence_id != INVENTED:
            written.add(f"{snapshot.source}.{snapshot.role}")
        elif source is not None and snapshot.licence_id != source.licence_id:
            others[f"{snapshot.source}.{snapshot.role}"] = (
                f"{snapshot.licence_id}, the source's own {source.licence_id}"
            )
    lines = [f"{name}: {terms}" for name, terms in sorted(others.items())]
    by_us = f"{', '.join(sorted(written))}: invented by tripwright; `--recipe RECIPE --rebuild` writes them again"
    return [*lines, by_us] if written else lines


def own_recipe_otherwise(release: OpenedRelease) -> list[str]:
    """Return what a public edition says otherwise than the recipe and lock that it carries."""
    paths = [release.folder / name for name in (RECIPE, LOCK)]
    lacking = [path.name for path in paths if not path.is_file()]
    if lacking:
        return [f"{', '.join(lacking)}: not in this public edition, which could not be completed without"]
    return recipe_otherwise(release.manifest, paths[0].read_bytes(), paths[1].read_bytes())


def _expected(manifest: Manifest, family: Family, asked: Recipe, locked: RecipeLock) -> dict[str, Any]:
    """Return by name what the recipe makes a manifest say; cities that are said to be missing are left out.

    So are those that the family asks nothing of.
    """
    missing = {city["city_id"] for city in manifest.missing_cities}
    asked_for = [c for c in asked.cities if c.city_id not in missing and family.asks_of(c)]
    section = family.section.model_validate(asked.families[family.name])
    return {
        "recipe": asked.name,
        "title": asked.title or f"{family.title}: {asked.name}",
        "seed": asked.seed,
        "cities": [city.model_dump(mode="json", exclude={"sources"}) for city in asked_for],
        "engines": asked.engines.as_released(),
        "settings": asked.model_dump(mode="json", include=SHARED_SECTIONS, exclude_none=True),
        "section": section.model_dump(mode="json"),
        "retired": [r.model_dump(exclude={"family"}) for r in locked.retired if r.family == family.name],
    }


def _struck(manifest: Manifest, family: Family, locked: RecipeLock) -> Iterator[str]:
    """Yield the files of the lock that the release's steps read of its cities, and that are no input of it."""
    steps = all_steps([family])
    needed = needed_steps(steps, [table.table_name() for table in family.released])
    read = {(raw.source, raw.role) for name in needed for raw in steps[name].inputs if isinstance(raw, Raw)}
    cities = {None, *(city["city_id"] for city in manifest.cities)}
    given = {(s.source, s.role, s.city_id, s.sha256) for s in manifest.inputs}
    for s in locked.snapshots:
        is_read = (s.source, s.role) in read and s.city_id in cities
        if is_read and (s.source, s.role, s.city_id, s.sha256) not in given:
            yield f"manifest.json: has no input {s.source}.{s.role} {s.sha256[:12]}…, which its lock holds"


def _otherwise(stated: Mapping[str, Any], expected: Mapping[str, Any]) -> Iterator[str]:
    for name, value in json.loads(json.dumps(dict(expected))).items():
        if not written_alike(stated[name], value):
            yield f"manifest.json: says {name} {in_short(stated[name])}; its recipe makes it {in_short(value)}"


def _lock(manifest: Manifest, locked: RecipeLock) -> Iterator[str]:
    """Yield which inputs the lock does not hold, or holds under other terms, and whether the lock was edited."""
    if locked.seal != locked.sealed().seal:
        yield "its lock was changed since tripwright wrote it: its seal does not fit what it says"
    held = {(s.source, s.role, s.city_id, s.sha256): s.model_dump(mode="json") for s in locked.snapshots}
    for snapshot in manifest.inputs:
        name = f"input {snapshot.source}.{snapshot.role} {snapshot.sha256[:12]}…"
        entry = held.get((snapshot.source, snapshot.role, snapshot.city_id, snapshot.sha256))
        if entry is None:
            yield f"manifest.json: {name} is not in its lock"
            continue
        said = snapshot.model_dump(mode="json")
        others = [
            f"{key} {in_short(said[key])}; its lock {in_short(entry[key])}" for key in entry if said[key] != entry[key]
        ]
        if others:
            yield f"manifest.json: {name}: says {', '.join(others)}"
