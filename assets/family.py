"""What a benchmark family must provide. A family is found as `assets/<name>/family.py`; nothing else lists them."""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from assets.core.tools import Tool
from assets.step import Requirement, Step
from schemas.generation import Generation
from schemas.page import FamilyPage
from schemas.rejection import Rejection
from schemas.table import Table
from schemas.task import Certificate, LineageEdge, Task

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Choice:
    """A decision of ours where the publication is silent, declared in every release's manifest."""

    choice_id: str
    text: str


class LazyFrames(Mapping[str, "pd.DataFrame"]):
    """Tables by name, each read when it is first asked for: a family seldom needs its largest ones."""

    def __init__(self, readers: Mapping[str, Callable[[], pd.DataFrame]]) -> None:
        self._readers = readers
        self._read: dict[str, pd.DataFrame] = {}

    def __getitem__(self, name: str) -> pd.DataFrame:
        if name not in self._read:
            self._read[name] = self._readers[name]()
        return self._read[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._readers)

    def __len__(self) -> int:
        return len(self._readers)


@dataclass(frozen=True, eq=False)
class ReleaseTables:
    """The rows of one release as its family reads them: tables by name, as frames; and its recipe's section."""

    tables: Mapping[str, pd.DataFrame]
    section: Mapping[str, Any] = field(default_factory=dict)

    def __getitem__(self, table: type[Table]) -> pd.DataFrame:
        return self.tables[table.table_name()]


@dataclass(frozen=True)
class CityPicture:
    """What a release's map of one city shows: `points` (kind, lat, lon) and one witness `tour` (name, lat, lon)."""

    points: pd.DataFrame
    tour: pd.DataFrame


@dataclass(frozen=True)
class Family:
    """One benchmark: its recipe section, its steps, the tables it releases, and how it is measured and exported.

    `wanted` gives the number of tasks that the section asks of so many cities. `measures` returns the statistics that
    the release prints, from its tables and the facts of its steps (by step, then city). `export` returns the published
    on-disk shape as relative path to bytes, or to the pieces of a file too large to be held. `score` takes
    tables, plans and a variant (and, where `takes_embedding`, the keyword `embed`: texts to vectors) and returns the
    published metrics of plans under a variant. `inspect` audits somebody else's folder and returns findings by defect
    id. `baseline` returns a greedy planner's plans, as `score` takes them. `recheck` runs the independent checker on
    every witness and returns violations by task. `rules` describes every rule that lineage names. `map_of` gives what
    the release's map of a city shows. `page` gives what the release's page shows, from its tables and its measures.
    `tools` are what a planner may call over a release's tables.
    `unsolvable` takes tasks of an earlier release, with its tables, the tables of now and the recipe's section; it
    returns, by task_id, why a task has no witness any more.
    """

    name: str
    title: str
    section: type[BaseModel]
    steps: tuple[Step, ...]
    tasks: type[Task]
    certificates: type[Certificate]
    lineage: type[LineageEdge]
    context: tuple[type[Table], ...]
    wanted: Callable[[Any, int], int]
    measures: Callable[[ReleaseTables, dict[str, Any]], dict[str, Any]]
    export: Callable[[ReleaseTables], Mapping[str, bytes | Iterable[bytes]]]
    score: Callable[..., dict[str, Any]]
    recheck: Callable[[ReleaseTables], dict[str, list[str]]]
    rules: dict[str, str]
    takes_embedding: bool = False
    baseline: Callable[[ReleaseTables], list[dict[str, Any]]] | None = None
    map_of: Callable[[ReleaseTables, str], CityPicture] | None = None
    page: Callable[[ReleaseTables, dict[str, Any]], FamilyPage] | None = None
    tools: Callable[[ReleaseTables], list[Tool]] | None = None
    unsolvable: Callable[[ReleaseTables, ReleaseTables, Any], dict[str, str]] | None = None
    variants: tuple[str, ...] = ("ours", "paper", "released")
    inspect: dict[str, Callable[[Path], dict[str, Any]]] = field(default_factory=dict)
    choices: tuple[Choice, ...] = ()
    requirements: tuple[Requirement, ...] = ()


def families() -> dict[str, Family]:
    """Return every family there is, by name."""
    found = (_member(name, "family", "FAMILY") for name in _stages())
    return {family.name: family for family in found if family is not None}


def steps() -> tuple[Step, ...]:
    """Return every step of the stages that all families share, those of one table together."""
    found = (_member(name, "steps", "STEPS") for name in _stages() if _member(name, "family", "FAMILY") is None)
    return tuple(step for stage in found if stage for step in stage)


def all_steps(of: Iterable[Family]) -> dict[str, Step]:
    """Return the shared steps and those of the given families, by name. Raises ValueError if two make one table."""
    by_name: dict[str, Step] = {}
    for step in (*steps(), *(step for family in of for step in family.steps)):
        if step.name in by_name:
            raise ValueError(f"two steps make the table `{step.name}`; a table is made by one step")
        by_name[step.name] = step
    return by_name


def all_tables() -> list[type[Table]]:
    """Return every table that any step makes, and those that every release has, by name."""
    made = [step.output for step in all_steps(families().values()).values()]
    return sorted({*made, Rejection, Generation}, key=lambda table: table.table_name())


def stage_steps(stage: str) -> list[str]:
    """Return the names of the tables that a shared stage makes."""
    return [step.name for step in _member(stage, "steps", "STEPS") or ()]


def stage_of(step: Step) -> str:
    """Return the stage or family that lists a step."""
    return _stages_by_table()[step.name]


@cache
def _stages_by_table() -> dict[str, str]:
    by_table = {step.name: family.name for family in families().values() for step in family.steps}
    shared = [name for name in _stages() if _member(name, "family", "FAMILY") is None]
    return by_table | {table: stage for stage in shared for table in stage_steps(stage)}


def _stages() -> list[str]:
    import assets

    return sorted(module.name for module in pkgutil.iter_modules(assets.__path__) if module.ispkg)


def _member(stage: str, module: str, member: str) -> Any:
    name = f"assets.{stage}.{module}"
    if importlib.util.find_spec(name) is None:
        return None
    return getattr(importlib.import_module(name), member)
