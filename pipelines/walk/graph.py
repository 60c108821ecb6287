"""What a build is made of: cells (a step for the recipe or for a city), their order, inputs and fingerprints."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import cached_property, partial
from graphlib import TopologicalSorter
from itertools import groupby
from typing import Any

from pydantic import BaseModel

from assets.core.corrections import corrected
from assets.core.slots import area_of
from assets.families import families
from assets.named import definition
from assets.step import Raw, Requirement, Step
from pipelines.walk.fingerprint import Code
from pipelines.walk.overrides import row_corrections
from pipelines.walk.recipes import LoadedRecipe
from schemas.recipe import City, RecipeLock
from schemas.rejection import Rejection
from schemas.source import MAX_UNREADABLE, Snapshot
from schemas.stable import content_hash
from warehouse.home import Home
from warehouse.tables import Tables, TableVersion

OVERRIDES = "corrections.overrides"
"""The input of a step whose rows people corrected."""

SOLVING = ("solve", "check", "verify", "prove", "depends", "part", "world")
"""Functions of a family that decide what plan a record has."""

SUPPLIED = ("previous", "ask", "step", "uses", "share", "world")
"""Keywords of a step's function that are no configuration."""

VersionOf = Callable[[Step, str], TableVersion]
"""Returns the version of a step's table that a city reads. Raises KeyError where none is built."""


@dataclass(frozen=True)
class Cell:
    """One step for one scope (a city, or "" for the recipe), its inputs by hash: plain data that runs anywhere.

    `versions` are the table versions of each input in the step's order, empty for raw files; `city_ids` the cities
    that it is made for. `keeps` is the hash of the code that decides whether a row of an earlier run may be kept.
    """

    step: str
    scope: str
    city_ids: tuple[str, ...]
    fingerprint: str
    code: str
    inputs: Mapping[str, Any]
    versions: tuple[tuple[TableVersion, ...], ...]
    keeps: str = ""
    previous: TableVersion | None = None


class Graph:
    """The cells of one recipe with its lock."""

    def __init__(self, home: Home, loaded: LoadedRecipe, lock: RecipeLock, steps: Mapping[str, Step]) -> None:
        self.loaded, self.lock, self.steps = loaded, lock, steps
        self.cities = {city.city_id: city for city in loaded.recipe.cities}
        self._corrections = row_corrections(home, lock, steps, set(self.cities))
        self._plain: dict[str, Any] = {}

    def step(self, name: str) -> Step:
        """Return the step that makes a table. Raises KeyError naming the steps there are."""
        if name not in self.steps:
            raise KeyError(f"no step makes the table `{name}`; expected one of {', '.join(sorted(self.steps))}")
        return self.steps[name]

    def inputs(self, step: Step) -> list[Step]:
        """Return the steps whose tables a step reads."""
        return [self.step(i.table_name()) for i in step.inputs if not isinstance(i, Raw)]

    def order(self, targets: Iterable[str]) -> list[Step]:
        """Return the targets and everything they need, each after what it reads."""
        needs: dict[str, set[str]] = {}
        pending = list(targets)
        while pending:
            name = pending.pop()
            if name not in needs:
                needs[name] = {other.name for other in self.inputs(self.step(name))}
                pending += needs[name]
        sorter = TopologicalSorter({name: sorted(needs[name]) for name in sorted(needs)})
        return [self.steps[name] for name in sorter.static_order()]

    def visits(
        self, targets: Iterable[str], city_ids: Iterable[str] | None = None
    ) -> Iterator[tuple[Step, City | None]]:
        """Yield each step and city that a build comes to, in its order; no city for a step that runs once a recipe.

        What a step that runs once a recipe reads is visited for every city, whichever are asked for.
        """
        chosen_ids = set(self.cities) if city_ids is None else set(city_ids)
        order = self.order(targets)
        shared = {s.name for once in order if once.per == "recipe" for s in self.order([once.name])}
        for per, together in groupby(order, key=lambda step: step.per):
            steps = list(together)
            for city in [None] if per == "recipe" else self.cities.values():  # city by city: its tables are read once
                for step in steps:
                    if city is None or step.name in shared or (city.city_id in chosen_ids and is_made_of(step, city)):
                        yield step, city

    def cell(self, step: Step, city: City | None, cities: list[City], version_of: VersionOf, code: Code) -> Cell:
        """Return the cell of a step for a city, or for the recipe's `cities` that nothing blocks.

        Raises KeyError where an input is not built.
        """
        inputs: dict[str, Any] = {}
        versions: list[tuple[TableVersion, ...]] = []
        for step_input in step.inputs:
            if isinstance(step_input, Raw):
                inputs[f"{step_input.source}.{step_input.role}"] = [s.sha256 for s in self.snapshots(step_input, city)]
                versions.append(())
            else:
                name = step_input.table_name()
                versions_by_city = {c.city_id: version_of(self.steps[name], c.city_id) for c in cities}
                inputs[name] = {city_id: version.sha256 for city_id, version in versions_by_city.items()}
                versions.append(tuple(dict.fromkeys(versions_by_city.values())))
        if self.corrections_of(step, city):
            inputs[OVERRIDES] = [s.sha256 for s in self.lock.snapshots if f"{s.source}.{s.role}" == OVERRIDES]
        scope, code_hash = city.city_id if city else "", code_of(code, step)
        config = self._configured(step, city, cities)
        fingerprint = content_hash([step.name, str(step.output.arrow_schema()), scope, inputs, config, code_hash])
        of_cities, keeps = tuple(c.city_id for c in cities), solving_code(code, step)
        return Cell(step.name, scope, of_cities, fingerprint, code_hash, inputs, tuple(versions), keeps)

    def _configured(self, step: Step, city: City | None, cities: list[City]) -> dict[str, Any]:
        """Return the configuration that a step and its checks read, as plain data, and who answers it."""
        config: dict[str, Any] = {}
        for function in (step.run, *step.checks):
            config |= {name: self._as_plain(v) for name, v in self.config(step, function, city, cities).items()}
        config |= {"section": self._as_plain(self.loaded.sections[step.family])} if step.world else {}
        engines = self.loaded.recipe.engines
        endpoint = engines.endpoint(step.job) if step.job else None
        config |= {"ask": endpoint.identity()} if endpoint else {}
        config |= {"reader": engines.reader.identity()} if step.job == "wording" and engines.reader else {}
        raws = [step_input for step_input in step.inputs if isinstance(step_input, Raw)]
        shares = {self.most_unreadable(snapshot) for raw in raws for snapshot in self.snapshots(raw, city)}
        config |= {"max_unreadable": sorted(shares)} if shares - {MAX_UNREADABLE} else {}
        return config

    def config(self, step: Step, function: str, city: City | None, cities: list[City]) -> dict[str, Any]:
        """Return what a named function's keyword-only parameters name: `city`, `seed`, a family's section."""
        recipe = self.loaded.recipe
        getters: dict[str, Callable[[], Any]] = {
            "city": lambda: city,
            "cities": lambda: cities,
            "seed": lambda: recipe.seed,
            "engines": lambda: recipe.engines,
            "spatial": lambda: recipe.spatial,
            "retired": lambda: [r.task_id for r in self.lock.retired if city is None or r.city_id == city.city_id],
            "requirements": lambda: self._requirements,
            "area": lambda: city.city_id if city else area_of((*self.cities, *self.loaded.left_out), recipe.name),
            "section": lambda: self.loaded.sections[step.family],
            **{name: partial(step.settings.__getitem__, name) for name in step.settings},
        }
        names = [name for name in definition(function).keywords if name not in SUPPLIED]
        unknown = [name for name in names if name not in getters and name not in self.loaded.sections]
        if unknown:
            expected = sorted([*getters, *self.loaded.sections])
            raise TypeError(f"{function} asks for configuration {unknown}; a recipe has {expected}")
        return {name: getters[name]() if name in getters else self.loaded.sections[name] for name in names}

    def snapshots(self, raw: Raw, city: City | None) -> list[Snapshot]:
        """Return the files bound to a role, in the lock's order: a city's own and those shared, or all of them."""
        bound = self._bound.get((raw.source, raw.role), {})
        of = bound.values() if city is None else [bound.get(None, {}), bound.get(city.city_id, {})]
        places = {place: snapshot for snapshots in of for place, snapshot in snapshots.items()}
        return [places[place] for place in sorted(places)]

    def most_unreadable(self, snapshot: Snapshot) -> float:
        """Return how many of a file's rows may be unreadable, as the recipe's binding of it says."""
        city = self.cities.get(snapshot.city_id or "")
        binding = (city or self.loaded.recipe).sources.get(snapshot.source)
        return binding.max_unreadable if binding else MAX_UNREADABLE

    def corrections_of(self, step: Step, city: City | None) -> list[dict[str, Any]]:
        """Return people's corrections of the rows that the step makes in a scope."""
        row_prefix = f"{step.name}/{city.city_id}/" if city else f"{step.name}/"
        return [entry for entry in self._corrections.get(step.name, []) if f"{entry['row']}/".startswith(row_prefix)]

    def asks_a_model(self, step: Step) -> bool:
        """Return whether the recipe has a model do the step's job."""
        return bool(step.job) and self.loaded.recipe.engines.endpoint(step.job) is not None

    @cached_property
    def _requirements(self) -> list[Requirement]:
        return [need for family in families().values() for need in family.requirements]

    @cached_property
    def _bound(self) -> dict[tuple[str, str], dict[str | None, dict[int, Snapshot]]]:
        """Return the files of each role by city, None for those that all share, each with its place in the lock."""
        bound: dict[tuple[str, str], dict[str | None, dict[int, Snapshot]]] = {}
        for place, snapshot in enumerate(self.lock.snapshots):
            of_role = bound.setdefault((snapshot.source, snapshot.role), {})
            of_role.setdefault(snapshot.city_id, {})[place] = snapshot
        return bound

    def _as_plain(self, value: Any) -> Any:
        """Return a configuration value as plain data; a city without its files, which are inputs of their own."""
        if isinstance(value, City):
            if value.city_id not in self._plain:
                self._plain[value.city_id] = value.model_dump(mode="json", exclude={"sources"})
            return self._plain[value.city_id]
        if isinstance(value, BaseModel):
            return value.model_dump(mode="json")
        if isinstance(value, Requirement):
            return asdict(value)
        if isinstance(value, list):
            return [self._as_plain(item) for item in value]
        return value


def is_made_of(step: Step, city: City) -> bool:
    """Return whether a step runs for a city: one of a family of one city a task, only where people travel to it."""
    return not step.family or families()[step.family].asks_of(city)


def code_of(code: Code, step: Step) -> str:
    """Return the hash of all code that decides a step's rows."""
    return code.hash_of(step.run, step.output, corrected, Rejection, Tables, *step.checks, *step.uses.values())


def solving_code(code: Code, step: Step) -> str:
    """Return the hash of the code by which a step finds and proves plans; of all its code where it finds none.

    While it stays, a plan is kept whose record rests on the same: a changed word or draw seeks no plan again.
    """
    solving = [step.uses[name] for name in SOLVING if name in step.uses]
    return code.hash_of(step.run, step.output, *solving) if "solve" in step.uses else code_of(code, step)
