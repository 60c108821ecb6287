"""Reading a recipe: its file, its families' sections, and the lock that pins its inputs."""

from __future__ import annotations

import contextlib
import difflib
import os
import tempfile
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ValidationError

from assets.family import Family
from pipelines.fingerprint import Code
from schemas.recipe import City, Recipe, RecipeLock, SourceBinding
from schemas.source import Snapshot, Source, SourceError
from schemas.stable import content_hash
from sources import registry
from sources.invented.source import SOURCE as INVENTED
from warehouse.home import Home

if TYPE_CHECKING:
    from sources.invented import CitySpec


class RecipeError(ValueError):
    """A recipe cannot be used; the message names the file and every problem found in it."""


@dataclass(frozen=True)
class LoadedRecipe:
    """A recipe with the file it came from and its families' sections as their own types."""

    path: Path
    recipe: Recipe
    families: dict[str, Family]
    sections: dict[str, BaseModel]

    @property
    def lock_path(self) -> Path:
        """Return the lock file beside the recipe."""
        return self.path.with_suffix(".lock.json")


def load_recipe(path: Path, known: Mapping[str, Family]) -> LoadedRecipe:
    """Return the recipe in a TOML file. Raises RecipeError with every problem, where it is, and what was expected."""
    if not path.is_file():
        raise RecipeError(f"{path}: found no recipe; expected a TOML file like recipes/demo.toml.")
    try:
        given = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise RecipeError(f"{path}: not a TOML file: {error}") from None
    problems: list[str] = []
    recipe = _checked(Recipe, given, "", problems)
    sections: dict[str, BaseModel] = {}
    families: dict[str, Family] = {}
    for name, section in (recipe.families if recipe else {}).items():
        if name not in known:
            problems.append(f"families.{name}: no such family{_nearest(name, known)}; there are {', '.join(known)}")
            continue
        families[name] = known[name]
        checked = _checked(known[name].section, section, f"families.{name}.", problems)
        if checked is not None:
            sections[name] = checked
    if recipe is not None:
        problems += _unknown_sources(recipe)
    if problems or recipe is None:
        raise RecipeError(f"{path}: {len(problems)} problems\n" + "\n".join(f"  - {p}" for p in problems))
    return LoadedRecipe(path, recipe, families, sections)


def recipe_schema(known: Mapping[str, Family]) -> dict[str, Any]:
    """Return the JSON Schema of a recipe, each family's section included."""
    schema = Recipe.model_json_schema()
    sections = {
        name: family.section.model_json_schema(ref_template=f"#/$defs/{name}/$defs/{{model}}")
        for name, family in known.items()
    }
    schema.setdefault("$defs", {}).update(sections)
    schema["properties"]["families"] = {
        "type": "object",
        "properties": {name: {"$ref": f"#/$defs/{name}"} for name in known},
        "additionalProperties": False,
    }
    return schema


def _checked(model: type[BaseModel], given: Any, prefix: str, problems: list[str]) -> Any:
    try:
        return model.model_validate(given)
    except ValidationError as error:
        for problem in error.errors(include_url=False):
            where = prefix + ".".join(str(part) for part in problem["loc"])
            if problem["type"] == "extra_forbidden":
                keys = [str(k) for k in _model_keys(model, problem["loc"][:-1])]
                hint = _nearest(str(problem["loc"][-1]), keys)
                problems.append(
                    f"{where}: unknown key{hint}" + (f"; expected one of {', '.join(keys)}" if keys else "")
                )
            else:
                found = "" if problem["type"] == "missing" else f", found {str(problem['input'])[:80]!r}"
                problems.append(f"{where or 'recipe'}: {problem['msg']}{found}")
        return None


def _model_keys(model: type[BaseModel], parents: tuple[int | str, ...]) -> list[str]:
    """Return the keys that a model allows at a nested place, following lists, mappings and optional types."""
    import typing

    kind: Any = model
    for parent in parents:
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            field = kind.model_fields.get(str(parent))
            kind = field.annotation if field else None
        else:
            arguments = [a for a in typing.get_args(kind) if a is not type(None)]
            kind = arguments[-1] if arguments else None
        options = [a for a in typing.get_args(kind) if isinstance(a, type) and issubclass(a, BaseModel)]
        if typing.get_origin(kind) not in (list, dict) and len(options) == 1:
            kind = options[0]
    return list(kind.model_fields) if isinstance(kind, type) and issubclass(kind, BaseModel) else []


def _nearest(name: str, known: Mapping[str, Any] | list[str]) -> str:
    close = difflib.get_close_matches(name, list(known), n=1)
    return f" (did you mean `{close[0]}`?)" if close else ""


def _bindings(recipe: Recipe) -> Iterator[tuple[str, str, str | None, SourceBinding]]:
    """Yield (where in the recipe, source, city_id or None, binding)."""
    for name, binding in recipe.sources.items():
        yield f"sources.{name}", name, None, binding
    for number, city in enumerate(recipe.cities):
        for name, binding in city.sources.items():
            yield f"cities.{number}.sources.{name}", name, city.city_id, binding


def _unknown_sources(recipe: Recipe) -> list[str]:
    problems = []
    for where, name, _, binding in _bindings(recipe):
        source = registry.SOURCES.get(name)
        if source is None:
            hint = _nearest(name, registry.SOURCES)
            problems.append(f"{where}: no such source{hint}; `tripwright sources` lists them")
            continue
        roles = [file.role for file in source.files]
        problems += [
            f"{where}.{role}: no such file role{_nearest(role, roles)}; {name} has {', '.join(roles)}"
            for role in binding.files
            if role not in roles
        ]
        problems += [
            f"{where}.{file.role}: missing; {name} needs it ({file.format})"
            for file in source.files
            if file.required and file.role not in binding.files
        ]
    return problems


def resolve(home: Home, loaded: LoadedRecipe, code: Code, *, locked: bool = False) -> RecipeLock:
    """Return the lock of the recipe's inputs as they are now, all of them kept in the home's raw store.

    Writes the lock beside the recipe if an input changed; with `locked` refuses instead. A file that is gone but whose
    locked bytes are in the store is taken from there. Raises SourceError with every file that cannot be had.
    """
    before = _read_lock(loaded)
    known = {(s.source, s.role, s.city_id, s.location): s for s in before.snapshots} if before else {}
    snapshots: list[Snapshot] = []
    problems: list[str] = []
    for _, name, city_id, binding in _bindings(loaded.recipe):
        source = registry.SOURCES[name]
        for role, paths in binding.files.items():
            for location in paths:
                old = known.get((name, role, city_id, location))
                try:
                    snapshots.append(_snapshot(home, loaded, source, role, city_id, location, binding, old))
                except (SourceError, OSError) as error:
                    problems.append(str(error))
    if problems:
        raise SourceError("\n".join(problems))
    snapshots += _invented(home, loaded.recipe, code)
    lock = RecipeLock(recipe=loaded.recipe.name, snapshots=snapshots)
    if before is None or before != lock:
        if locked:
            raise SourceError(_lock_difference(loaded, before, lock))
        _write_lock(loaded.lock_path, lock)
    return lock


def _snapshot(
    home: Home,
    loaded: LoadedRecipe,
    source: Source,
    role: str,
    city_id: str | None,
    location: str,
    binding: SourceBinding,
    old: Snapshot | None,
) -> Snapshot:
    path = (loaded.path.parent / location).resolve()
    if old is not None and not path.exists() and home.snapshots.holds(old.sha256):
        return old
    sha256, size, modified = home.snapshots.add(path)
    same = old is not None and old.sha256 == sha256
    return Snapshot(
        source=source.name,
        role=role,
        city_id=city_id,
        location=location,
        sha256=sha256,
        size_bytes=size,
        retrieved_at=old.retrieved_at if same and old else modified,
        url=binding.url.get(role) or (old.url if same and old else None),
        etag=old.etag if same and old else None,
        licence_id=binding.licence or source.licence_id,
        attribution=source.attribution if binding.attribution is None else binding.attribution,
    )


def _invented(home: Home, recipe: Recipe, code: Code) -> list[Snapshot]:
    """Return the snapshots of the recipe's invented world, writing it unless its bytes are here already."""
    if recipe.invented is None:
        return []
    from sources import invented
    from sources.invented.generate import TRUTH_FILE
    from sources.invented.world import TRIP_DATES

    wanted = [
        [c.model_dump(mode="json", exclude={"sources"}) for c in recipe.cities],
        recipe.invented.model_dump(mode="json"),
    ]
    key = f"invented/{content_hash([wanted, code.hash_of(invented.generate)])}.json"
    if home.store.exists(key):
        snapshots = RecipeLock.model_validate_json(home.store.read(key)).snapshots
        if all(home.snapshots.holds(s.sha256) for s in snapshots):
            return snapshots
    snapshots = []
    with home.store.scratch() as folder:
        files = invented.generate(
            folder,
            providers=recipe.invented.providers,
            cities=[_spec(city) for city in recipe.cities],
            scale=recipe.invented.scale,
            seed=recipe.invented.seed,
            dirt=recipe.invented.dirt,
            dates=recipe.invented.dates or TRIP_DATES,
        )
        files = {**files, INVENTED.name: {"truth": [folder / TRUTH_FILE]}}
        for provider, role, path in _flat(files):
            sha256, size, _ = home.snapshots.add(path)
            snapshots.append(
                Snapshot(
                    source=provider,
                    role=role,
                    city_id=invented.city_of(path),
                    location=f"invented:{path.relative_to(folder).as_posix()}",
                    sha256=sha256,
                    size_bytes=size,
                    licence_id=INVENTED.licence_id,
                    attribution=INVENTED.attribution,
                )
            )
    home.store.put(key, RecipeLock(recipe=recipe.name, snapshots=snapshots).model_dump_json().encode())
    return snapshots


def _flat(files: Mapping[str, Mapping[str, list[Path]]]) -> Iterator[tuple[str, str, Path]]:
    for provider, roles in files.items():
        for role, paths in roles.items():
            for path in paths:
                yield provider, role, path


def _spec(city: City) -> CitySpec:
    """Return the city as the invented world fills it: its name and zone, the box around its area."""
    from sources.invented import Box, CitySpec

    box = city.bounds
    return CitySpec(
        name=city.name,
        region=city.region,
        country=city.country,
        lat=(box.south + box.north) / 2,
        lon=(box.west + box.east) / 2,
        box=Box(box.south, box.west, box.north, box.east),
        time_zone=city.time_zone,
        currency=city.currency,
        languages=tuple(city.languages),
        given_id=city.city_id,
    )


def _read_lock(loaded: LoadedRecipe) -> RecipeLock | None:
    if not loaded.lock_path.exists():
        return None
    try:
        return RecipeLock.model_validate_json(loaded.lock_path.read_bytes())
    except ValidationError as error:
        raise RecipeError(
            f"{loaded.lock_path}: not a lock that tripwright wrote ({error.error_count()} problems, first: "
            f"{error.errors()[0]['msg']}). Delete it and build again to lock the files as they are."
        ) from None


def _write_lock(path: Path, lock: RecipeLock) -> None:
    with tempfile.NamedTemporaryFile("w", dir=path.parent, prefix=".lock-", delete=False, encoding="utf-8") as file:
        file.write(lock.model_dump_json(indent=1) + "\n")
    try:
        Path(file.name).chmod(0o644)
        os.replace(file.name, path)  # noqa: PTH105
    except OSError:
        with contextlib.suppress(OSError):
            Path(file.name).unlink()
        raise


def _lock_difference(loaded: LoadedRecipe, before: RecipeLock | None, now: RecipeLock) -> str:
    if before is None:
        return f"{loaded.lock_path}: found no lock, and --locked forbids writing one; build once without --locked"
    old = {(s.source, s.role, s.city_id, s.location): s.sha256 for s in before.snapshots}
    new = {(s.source, s.role, s.city_id, s.location): s.sha256 for s in now.snapshots}
    lines = [f"  - {key[3]}: " + _change(old.get(key), new.get(key)) for key in sorted({*old, *new}, key=str)]
    changed = [line for line in lines if not line.endswith("same")]
    shown = "\n".join(changed) or "  - licence, url or date of a file"
    return f"{loaded.lock_path}: inputs differ from the lock, and --locked forbids changing it:\n{shown}"


def _change(old: str | None, new: str | None) -> str:
    if old == new:
        return "same"
    if old is None or new is None:
        return "not in the lock" if old is None else "no longer in the recipe"
    return f"locked as {old[:12]}…, found {new[:12]}…"
