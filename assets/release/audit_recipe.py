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
from schemas.counts import counted
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
        parsed_recipe = Recipe.model_validate(tomllib.loads(recipe.decode("utf-8-sig")))
        locked = RecipeLock.model_validate_json(lock)
    except (ValidationError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        return [f"its recipe or lock cannot be read: {error}"]
    family = families()[manifest.family]
    if family.name not in parsed_recipe.families:
        others = ", ".join(sorted(parsed_recipe.families)) or "no benchmark"
        return [f"manifest.json: is of {family.name}; its recipe asks for {others}"]
    try:
        expected = _expected(manifest, family, parsed_recipe, locked)
    except ValidationError as error:
        return [f"families.{family.name} of its recipe cannot be read: {error}"]
    strange = {city["city_id"] for city in manifest.missing_cities} - {city.city_id for city in parsed_recipe.cities}
    problems = [f"manifest.json: says that {city_id} is missing, no city of its recipe" for city_id in sorted(strange)]
    return [
        *problems,
        *_lock(manifest, locked),
        *_struck(manifest, family, locked),
        *_otherwise(manifest.model_dump(mode="json"), expected),
    ]


def terms_by_recipe(manifest: Manifest) -> list[str]:
    """Return the inputs that stand under other terms than their source's own: that is the recipe's word alone.

    So is that files are invented, which stand in one line, and that tasks of earlier releases lost their witness: an
    audit has neither those releases nor a solver.
    """
    invented = (manifest.settings.get("invented") or {}).get("providers", ())
    terms_by_role, invented_roles = {}, set[str]()
    for snapshot in manifest.inputs:
        source = SOURCES.get(snapshot.source)
        is_invented = snapshot.licence_id == INVENTED and (source is None or snapshot.source in invented)
        if is_invented and source is not None and source.licence_id != INVENTED:
            invented_roles.add(f"{snapshot.source}.{snapshot.role}")
        elif source is not None and snapshot.licence_id != source.licence_id:
            terms_by_role[f"{snapshot.source}.{snapshot.role}"] = (
                f"{snapshot.licence_id}, the source's own {source.licence_id}"
            )
    lines = [f"{name}: {terms}" for name, terms in sorted(terms_by_role.items())]
    if manifest.retired:
        first = manifest.retired[0]
        tasks = counted(len(manifest.retired), "task")
        lines.append(f"retired: that {tasks} lost a witness, such as {first['task_id']}: {in_short(first['reason'])}")
    by_us = (
        f"{', '.join(sorted(invented_roles))}: invented by tripwright; `--recipe RECIPE --rebuild` writes them again"
    )
    return [*lines, by_us] if invented_roles else lines


def of_recipe(manifest: Manifest) -> str:
    """Return, in words, what a release says that only its recipe and lock bear out."""
    parts = "its name, title, seed, cities, engines, settings and section"
    missing = ", which cities are missing and why" if manifest.missing_cities else ""
    return f"{parts}{missing}, and where and when its {counted(len(manifest.inputs), 'file')} were got"


def own_recipe_otherwise(release: OpenedRelease) -> list[str]:
    """Return what a public edition says otherwise than the recipe and lock that it carries."""
    paths = [release.folder / name for name in (RECIPE, LOCK)]
    lacking = [path.name for path in paths if not path.is_file()]
    if lacking:
        return [f"{', '.join(lacking)}: not in this public edition, which could not be completed without"]
    return recipe_otherwise(release.manifest, paths[0].read_bytes(), paths[1].read_bytes())


def _expected(manifest: Manifest, family: Family, parsed_recipe: Recipe, locked: RecipeLock) -> dict[str, Any]:
    """Return by name what the recipe makes a manifest say; cities that are said to be missing are left out.

    So are those that the family asks nothing of.
    """
    missing = {city["city_id"] for city in manifest.missing_cities}
    cities = [c for c in parsed_recipe.cities if c.city_id not in missing and family.asks_of(c)]
    section = family.section.model_validate(parsed_recipe.families[family.name])
    return {
        "recipe": parsed_recipe.name,
        "title": parsed_recipe.title or f"{family.title}: {parsed_recipe.name}",
        "seed": parsed_recipe.seed,
        "cities": [city.model_dump(mode="json", exclude={"sources"}) for city in cities],
        "engines": parsed_recipe.engines.as_released(),
        "settings": parsed_recipe.model_dump(mode="json", include=SHARED_SECTIONS, exclude_none=True),
        "section": section.model_dump(mode="json"),
        "retired": [r.model_dump(exclude={"family"}) for r in locked.retired if r.family == family.name],
    }


def _struck(manifest: Manifest, family: Family, locked: RecipeLock) -> Iterator[str]:
    """Yield the files of the lock that the release's steps read of its cities, and that are no input of it."""
    steps = all_steps([family])
    needed = needed_steps(steps, [table.table_name() for table in family.released])
    roles_read = {(raw.source, raw.role) for name in needed for raw in steps[name].inputs if isinstance(raw, Raw)}
    cities = {None, *(city["city_id"] for city in manifest.cities)}
    inputs = {(s.source, s.role, s.city_id, s.sha256) for s in manifest.inputs}
    for s in locked.snapshots:
        is_read = (s.source, s.role) in roles_read and s.city_id in cities
        if is_read and (s.source, s.role, s.city_id, s.sha256) not in inputs:
            yield f"manifest.json: has no input {s.source}.{s.role} {s.sha256[:12]}…, which its lock holds"


def _otherwise(stated: Mapping[str, Any], expected: Mapping[str, Any]) -> Iterator[str]:
    for name, value in json.loads(json.dumps(dict(expected))).items():
        if not written_alike(stated[name], value):
            yield f"manifest.json: says {name} {in_short(stated[name])}; its recipe makes it {in_short(value)}"


def _lock(manifest: Manifest, locked: RecipeLock) -> Iterator[str]:
    """Yield which inputs the lock does not hold, or holds under other terms, and whether the lock was edited."""
    if locked.seal != locked.sealed().seal:
        yield "its lock was changed since tripwright wrote it: its seal does not fit what it says"
    locked_entries = {(s.source, s.role, s.city_id, s.sha256): s.model_dump(mode="json") for s in locked.snapshots}
    for snapshot in manifest.inputs:
        name = f"input {snapshot.source}.{snapshot.role} {snapshot.sha256[:12]}…"
        entry = locked_entries.get((snapshot.source, snapshot.role, snapshot.city_id, snapshot.sha256))
        if entry is None:
            yield f"manifest.json: {name} is not in its lock"
            continue
        input_entry = snapshot.model_dump(mode="json")
        differences = [
            f"{key} {in_short(input_entry[key])}; its lock {in_short(entry[key])}"
            for key in entry
            if input_entry[key] != entry[key]
        ]
        if differences:
            yield f"manifest.json: {name}: says {', '.join(differences)}"
