"""Every family and shared stage there is, and what they make.

A family is found as `assets/<name>/family.py`, a stage's steps as `assets/<name>/steps.py`; nothing else lists them.
"""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil
from collections.abc import Iterable
from functools import cache
from typing import Any

from assets.declared import FamilyError, require_none, shape_problems
from assets.family import Family
from assets.step import Step
from schemas.generation import Generation
from schemas.rejection import Rejection
from schemas.table import Table


def families() -> dict[str, Family]:
    """Return every family there is, by name. Raises FamilyError for a folder that does not declare one as it should."""
    members = (_family(name) for name in _stages())
    return {family.name: family for family in members if family is not None}


def steps() -> tuple[Step, ...]:
    """Return every step of the stages that all families share, those of one table together."""
    stages = (_member(name, "steps", "STEPS") for name in _stages() if _family(name) is None)
    return tuple(step for stage in stages if stage for step in stage)


def all_steps(of: Iterable[Family]) -> dict[str, Step]:
    """Return the shared steps and those of the given families, by name.

    Raises ValueError if two make one table, and FamilyError if a step of a family reads one that none makes.
    """
    by_name: dict[str, Step] = {}
    for step in (*steps(), *(step for family in of for step in family.steps)):
        if step.name in by_name:
            raise ValueError(f"two steps make the table `{step.name}`; a table is made by one step")
        by_name[step.name] = step
    for step in by_name.values():
        for name in (table.table_name() for table in step.tables if table.table_name() not in by_name):
            raise FamilyError(f"the step `{step.name}` of {step.family} reads the table `{name}`, {_made_by(name)}")
    return by_name


def _made_by(name: str) -> str:
    """Return, in words, whose table a recipe lacks that none of its steps makes, and what is expected."""
    makers = [family.name for family in families().values() if any(step.name == name for step in family.steps)]
    if makers:
        return f"which is made where a recipe asks for {makers[0]}; expected [families.{makers[0]}] in the recipe, too"
    return "which no step makes; expected a table of the shared stages, or of a step in `world_steps`"


def all_tables() -> list[type[Table]]:
    """Return every table that any step makes, and those that every release has, by name."""
    step_tables = [step.output for step in all_steps(families().values()).values()]
    return sorted({*step_tables, Rejection, Generation}, key=lambda table: table.table_name())


def stage_steps(stage: str) -> list[str]:
    """Return the names of the tables that a shared stage makes."""
    return [step.name for step in steps() if stage_of(step) == stage]


def stage_of(step: Step) -> str:
    """Return the stage or family that a step is of."""
    return step.family or step.run.split(".")[1]


def _stages() -> list[str]:
    import assets

    return sorted(module.name for module in pkgutil.iter_modules(assets.__path__) if module.ispkg)


@cache
def _family(folder: str) -> Family | None:
    try:
        family = _member(folder, "family", "FAMILY")
    except Exception as error:  # whatever its modules do when they are imported
        raise FamilyError(
            f"assets/{folder}/family.py cannot be read: {type(error).__name__}: {error}. Expected "
            "`FAMILY = Family(…)`, as docs/pages/add-a-family.md says; mend it, or take the folder away"
        ) from error
    if family is not None:
        require_none(
            folder, shape_problems(family, folder) if isinstance(family, Family) else ["`FAMILY` is no Family"]
        )
    return family


def _member(stage: str, module: str, member: str) -> Any:
    name = f"assets.{stage}.{module}"
    if importlib.util.find_spec(name) is None:
        return None
    return getattr(importlib.import_module(name), member)
