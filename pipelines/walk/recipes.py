"""Reading a recipe: its file, its families' sections, and the files that it binds."""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError

from assets.family import Family
from schemas.counts import counted
from schemas.errors import ExpectedError
from schemas.problems import problem_told
from schemas.recipe import Recipe, SourceBinding, misfits, values_in
from schemas.source import Source
from sources import registry

OVERRIDES = ".overrides.toml"
"""How the file of people's corrections beside a recipe ends; it is bound without being named."""


class RecipeError(ExpectedError):
    """A recipe cannot be used; the message names the file and every problem found in it."""


@dataclass(frozen=True)
class LoadedRecipe:
    """A recipe with the file it came from and its families' sections as their own types."""

    path: Path
    recipe: Recipe
    families: dict[str, Family]
    sections: dict[str, BaseModel]
    left_out: tuple[str, ...] = ()
    """Cities of the file that are left out because they are blocked."""

    @property
    def lock_path(self) -> Path:
        """Return the lock file beside the recipe."""
        return self.path.with_suffix(".lock.json")


@dataclass(frozen=True)
class BoundFile:
    """One file of one source that a recipe asks for: by a path from the recipe, an address, or both."""

    source: Source
    role: str
    city_id: str | None
    path: str | None
    url: str | None
    binding: SourceBinding

    @property
    def format(self) -> str:
        """Return what the source says of the role's format."""
        return next(file.format for file in self.source.files if file.role == self.role)

    @property
    def place(self) -> tuple[str, str, str | None, str]:
        """Return what finds the file again in a lock, wherever its bytes came from."""
        return self.source.name, self.role, self.city_id, self.path or self.url or ""


def bound_files(recipe: Recipe) -> Iterator[BoundFile]:
    """Yield every file that the recipe binds, in the order of the recipe."""
    for city_id, name, binding in _bindings(recipe):
        for role in binding.roles():
            paths, urls = binding.files.get(role, []), binding.url.get(role, [])
            for n in range(max(len(paths), len(urls))):
                path, url = (locations[n] if locations else None for locations in (paths, urls))
                yield BoundFile(registry.SOURCES[name], role, city_id, path, url, binding)


def load_recipe(path: Path, all_families: Mapping[str, Family]) -> LoadedRecipe:
    """Return the recipe in a TOML file. Raises RecipeError with every problem, where it is, and what was expected."""
    if not path.is_file():
        raise RecipeError(f"{path}: found no recipe; expected a TOML file like recipes/demo.toml.")
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except tomllib.TOMLDecodeError as error:
        raise RecipeError(f"{path}: not a TOML file: {error}") from None
    except UnicodeDecodeError as error:
        raise RecipeError(
            f"{path}: found bytes that are not UTF-8 ({error.reason} at byte {error.start}); expected TOML, which is "
            "in UTF-8. Save it so"
        ) from None
    except RecursionError:
        raise RecipeError(f"{path}: found lists or tables nested too deeply; expected a recipe's few levels.") from None
    overrides = path.with_suffix(OVERRIDES)
    if overrides.is_file() and isinstance(document.setdefault("sources", {}), dict):
        document["sources"].setdefault("corrections", {"overrides": overrides.name})
    problems: list[str] = []
    recipe = _validate(Recipe, document, "", problems)
    sections: dict[str, BaseModel] = {}
    families: dict[str, Family] = {}
    for name, section in values_in(document, "families", dict).items():
        if name not in all_families:
            problems.append(
                f"families.{name}: no such family{_nearest(name, all_families)}; there are {', '.join(all_families)}"
            )
            continue
        families[name] = all_families[name]
        if not isinstance(section, dict):  # told as the recipe's
            continue
        checked = _validate(all_families[name].section, section, f"families.{name}.", problems)
        if checked is not None:
            sections[name] = checked
    problems += _unknown_sources(document)
    if recipe is None:
        problems += [problem for problem in misfits(document) if not any(problem in other for other in problems)]
    if problems or recipe is None:
        raise RecipeError(f"{path}: {counted(len(problems), 'problem')}\n" + "\n".join(f"  - {p}" for p in problems))
    return LoadedRecipe(path, recipe, families, sections)


def recipe_schema(all_families: Mapping[str, Family]) -> dict[str, Any]:
    """Return the JSON Schema of a recipe, each family's section included."""
    schema = Recipe.model_json_schema()
    sections = {
        name: family.section.model_json_schema(ref_template=f"#/$defs/{name}/$defs/{{model}}")
        for name, family in all_families.items()
    }
    schema.setdefault("$defs", {}).update(sections)
    schema["properties"]["families"] = {
        "type": "object",
        "properties": {name: {"$ref": f"#/$defs/{name}"} for name in all_families},
        "additionalProperties": False,
        "description": "Each family's own section: which task sets are built, and how many tasks.",
    }
    return schema


def _validate(model: type[BaseModel], table: Any, prefix: str, problems: list[str]) -> Any:
    try:
        return model.model_validate(table)
    except ValidationError as error:
        for problem in error.errors(include_url=False):
            where = (prefix + ".".join(str(part) for part in problem["loc"])).removesuffix(".")
            if problem["type"] == "extra_forbidden":
                keys = [str(k) for k in _model_keys(model, problem["loc"][:-1])]
                hint = _nearest(str(problem["loc"][-1]), keys)
                problems.append(
                    f"{where}: unknown key{hint}" + (f"; expected one of {', '.join(keys)}" if keys else "")
                )
            else:
                problems.append(problem_told(problem, where or "recipe"))
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


def _nearest(name: str, names: Mapping[str, Any] | list[str]) -> str:
    close = difflib.get_close_matches(name, list(names), n=1)
    return f" (did you mean `{close[0]}`?)" if close else ""


def _bindings(recipe: Recipe) -> Iterator[tuple[str | None, str, SourceBinding]]:
    """Yield (city_id or None, source, binding)."""
    for city_id, sources in ((None, recipe.sources), *((city.city_id, city.sources) for city in recipe.cities)):
        for name, binding in sources.items():
            yield city_id, name, binding


def _given_roles(document: Mapping[str, Any]) -> Iterator[tuple[str, str, list[str]]]:
    """Yield (where in the recipe, source, its roles) as a file gives them, whatever else is wrong with it."""
    parts = [("", document), *((f"cities.{n}.", city) for n, city in enumerate(values_in(document, "cities", list)))]
    for where, part in parts:
        for name, binding in values_in(part, "sources", dict).items() if isinstance(part, dict) else ():
            if isinstance(binding, dict):
                keys = [key for key in binding if key not in SourceBinding.model_fields]
                roles = dict.fromkeys([*values_in(binding, "files", dict), *keys, *values_in(binding, "url", dict)])
                yield f"{where}sources.{name}", name, list(roles)


def _unknown_sources(document: Mapping[str, Any]) -> list[str]:
    problems = []
    for where, name, given_roles in _given_roles(document):
        source = registry.SOURCES.get(name)
        if source is None:
            hint = _nearest(name, registry.SOURCES)
            problems.append(f"{where}: no such source{hint}; `tripwright sources` lists them")
            continue
        roles = [file.role for file in source.files]
        problems += [
            f"{where}.{role}: no such file role{_nearest(role, roles)}; {name} has {', '.join(roles)}"
            for role in given_roles
            if role not in roles
        ]
        problems += [
            f"{where}.{file.role}: missing; {name} needs it ({file.format})"
            for file in source.files
            if file.required and file.role not in given_roles
        ]
    return problems
