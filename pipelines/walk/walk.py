"""The build: every step in order, for each city or once a recipe, unless its fingerprint was built before.

One city's failure is its own: it blocks what depends on it, for that city, and everything else goes on.
"""

from __future__ import annotations

import inspect
import json
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import asdict
from functools import cache
from graphlib import TopologicalSorter
from itertools import groupby
from typing import TYPE_CHECKING, Any, Literal

from pydantic import BaseModel

from assets.core.corrections import corrected
from assets.family import families
from assets.step import Outcome, Raw, RawFile, Requirement, Step, Verdict
from pipelines.walk.asking import Asker, Needed, Planned, Spent, StepAsk
from pipelines.walk.fingerprint import Code
from pipelines.walk.overrides import row_corrections
from pipelines.walk.recipes import LoadedRecipe
from pipelines.walk.walked import Blocked, Event, Walked
from schemas.generation import Generation
from schemas.recipe import City, RecipeLock
from schemas.rejection import Rejection
from schemas.source import MAX_UNREADABLE, Snapshot, SourceError
from schemas.stable import content_hash
from schemas.table import TableError
from sources.services.llm import ModelError
from warehouse.built import Accounting, BuiltStep
from warehouse.home import Home
from warehouse.kept_tables import KeptTables
from warehouse.store import StoreError
from warehouse.tables import Tables, TableVersion

if TYPE_CHECKING:
    import pyarrow as pa

DETAIL_CHARACTERS = 200
DATA_ERRORS = (SourceError, TableError, StoreError, OSError, ModelError)
OVERRIDES = "corrections.overrides"
"""The input of a step whose rows people corrected."""

SUPPLIED = ("previous", "ask")
"""Keywords of a step's function that are no configuration."""


class Walk:
    """One recipe's build in one home."""

    def __init__(
        self,
        home: Home,
        loaded: LoadedRecipe,
        lock: RecipeLock,
        steps: Mapping[str, Step],
        code: Code,
        report: Callable[[Event], None] = lambda _: None,
        *,
        planning: bool = False,
    ) -> None:
        """With `planning`, a step stops before it would ask a model, and `needed` says for what."""
        self._home = home
        self._loaded = loaded
        self.lock = lock
        self._steps = steps
        self._code = code
        self._report = report
        self._tables = KeptTables(home.tables)
        self._corrections = row_corrections(home, lock, steps, {city.city_id for city in loaded.recipe.cities})
        self._askers = {
            name: Asker(home.ledger, endpoint, loaded.path.parent, planning=planning)
            for name in ("openai", "reader")
            if (endpoint := getattr(loaded.recipe.engines, name)) is not None
        }
        self.needed: dict[tuple[str, str], Needed] = {}
        self.walked = Walked()

    @property
    def spent(self) -> Spent | None:
        """Return what was asked of the recipe's models so far, None where it names none."""
        return sum((asker.spent for asker in self._askers.values()), Spent()) if self._askers else None

    def order(self, targets: Iterable[str]) -> list[Step]:
        """Return the targets and everything they need, each after what it reads."""
        needs: dict[str, set[str]] = {}
        pending = list(targets)
        while pending:
            name = pending.pop()
            if name not in needs:
                tables = [i for i in self._step(name).inputs if not isinstance(i, Raw)]
                needs[name] = {table.table_name() for table in tables}
                pending += needs[name]
        sorter = TopologicalSorter({name: sorted(needs[name]) for name in sorted(needs)})
        return [self._steps[name] for name in sorter.static_order()]

    def build(self, targets: Iterable[str], city_ids: Iterable[str] | None = None) -> Walked:
        """Build the targets for the given cities (default all) and return what was made and what is blocked.

        What a step that runs once a recipe reads is built for every city, whichever are asked for.
        """
        before = None
        for step, city in self.visits(targets, city_ids):
            if city is None or city is not before:
                self._tables.forget()
            before = city
            if city is None and not self._is_done(step, "", self._loaded.recipe.cities):
                self._build_once(step)
            elif city is not None and not self._is_done(step, city.city_id, [city]):
                self._build_for(step, city)
        self._tables.forget()
        return self.walked

    def visits(
        self, targets: Iterable[str], city_ids: Iterable[str] | None = None
    ) -> Iterator[tuple[Step, City | None]]:
        """Yield each step and city that a build comes to, in its order; no city for a step that runs once a recipe."""
        every = self._loaded.recipe.cities
        wanted = {city.city_id for city in every} if city_ids is None else set(city_ids)
        order = self.order(targets)
        shared = {s.name for once in order if once.per == "recipe" for s in self.order([once.name])}
        for per, together in groupby(order, key=lambda step: step.per):
            steps = list(together)
            for city in [None] if per == "recipe" else every:  # city by city, so that its tables are read once
                for step in steps:
                    if city is None or step.name in shared or city.city_id in wanted:
                        yield step, city

    def stale(self, targets: Iterable[str]) -> list[tuple[Step, str]]:
        """Return the steps and scopes that a build would run first: those whose inputs are known and not yet built."""
        found: list[tuple[Step, str]] = []
        for step in self.order(targets):
            scopes = [None] if step.per == "recipe" else list(self._loaded.recipe.cities)
            for city in scopes:
                scope = city.city_id if city else ""
                cities = [city] if city else self._open_cities(step)
                try:
                    built = self._home.built.find(self._fingerprint(step, city, cities)[0])
                except KeyError:
                    built = None
                if built is None:
                    found.append((step, scope))
                else:
                    self.walked.made[step.name, scope] = built
        return found

    def _is_done(self, step: Step, scope: str, cities: list[City]) -> bool:
        blocked = all((step.name, city.city_id) in self.walked.blocked for city in cities)
        return blocked or (step.name, scope) in self.walked.made

    def _step(self, name: str) -> Step:
        if name not in self._steps:
            raise KeyError(f"no step makes the table `{name}`; expected one of {', '.join(sorted(self._steps))}")
        return self._steps[name]

    def _inputs(self, step: Step) -> list[Step]:
        return [self._step(i.table_name()) for i in step.inputs if not isinstance(i, Raw)]

    def _open_cities(self, step: Step) -> list[City]:
        """Return the cities that nothing the step reads is blocked for."""
        inputs = self._inputs(step)
        return [
            city
            for city in self._loaded.recipe.cities
            if not any((other.name, city.city_id) in self.walked.blocked for other in inputs)
        ]

    def _build_for(self, step: Step, city: City) -> None:
        cause = next((b for o in self._inputs(step) if (b := self.walked.blocked.get((o.name, city.city_id)))), None)
        if cause is not None:
            self.walked.blocked[step.name, city.city_id] = cause
            return
        reason = self._ensure(step, city, [city])
        if reason:
            self._block(step, [city], reason, scope=city.city_id)

    def _build_once(self, step: Step) -> None:
        open_cities = self._open_cities(step)
        for other in self._inputs(step):
            for city in self._loaded.recipe.cities:
                cause = self.walked.blocked.get((other.name, city.city_id))
                if cause is not None:
                    self.walked.blocked[step.name, city.city_id] = cause
        reason = self._ensure(step, None, open_cities) if open_cities else None
        if reason:
            self._block(step, open_cities, reason, scope="")

    def _block(self, step: Step, cities: list[City], reason: str, *, scope: str) -> None:
        for city in cities:
            self.walked.blocked[step.name, city.city_id] = Blocked(city.city_id, step.name, reason)
        self._report(Event(step.name, scope, "blocked", reason=reason))

    def _ensure(self, step: Step, city: City | None, cities: list[City]) -> str | None:
        """Build the step for a scope unless it is built; return why it cannot be used, or None."""
        scope = city.city_id if city else ""
        fingerprint, inputs = self._fingerprint(step, city, cities)
        built = self._home.built.find(fingerprint)
        if built is not None:
            self.walked.steps_kept += 1
            self._report(_event(built, "kept"))
        else:
            self._report(Event(step.name, scope, "running"))
            try:
                built = self._run(step, city, cities, fingerprint, inputs)
            except DATA_ERRORS as error:
                return str(error)
            except Planned as planned:
                self.needed[step.name, scope] = planned.needed
                return str(planned)
            except Exception as error:  # the boundary: a step's fault is its city's, and is shown, never swallowed
                where = traceback.format_exception(error)[-2].strip().splitlines()[0]
                return f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''} ({where})"
            self.walked.ran.append(built)
            self._report(_event(built, "built"))
        self.walked.made[step.name, scope] = built
        self._home.built.set_latest(self._loaded.recipe.name, built)
        failed = built.failed_checks
        return "; ".join(f"{v['check']}: {v['found']}" for v in failed) if failed else None

    def _fingerprint(self, step: Step, city: City | None, cities: list[City]) -> tuple[str, dict[str, Any]]:
        """Return the hash of everything the step's rows depend on, and the parts of it that are inputs."""
        inputs: dict[str, Any] = {}
        for wanted in step.inputs:
            if isinstance(wanted, Raw):
                inputs[f"{wanted.source}.{wanted.role}"] = [s.sha256 for s in self._snapshots(wanted, city)]
            else:
                name = wanted.table_name()
                versions = {c.city_id: self.walked.version(self._steps[name], c.city_id) for c in cities}
                inputs[name] = {city_id: version.sha256 for city_id, version in versions.items()}
        if self._corrections_of(step, city):
            inputs[OVERRIDES] = [s.sha256 for s in self.lock.snapshots if f"{s.source}.{s.role}" == OVERRIDES]
        scope = city.city_id if city else ""
        config = {name: _plain(value) for name, value in self._config(step.run, city, cities).items()}
        engines = self._loaded.recipe.engines
        endpoint = engines.endpoint(step.job) if step.job else None
        config |= {"ask": endpoint.identity()} if endpoint else {}
        config |= {"reader": engines.reader.identity()} if step.job == "wording" and engines.reader else {}
        shares = {
            self._most_unreadable(s) for raw in step.inputs if isinstance(raw, Raw) for s in self._snapshots(raw, city)
        }
        config |= {"max_unreadable": sorted(shares)} if shares - {MAX_UNREADABLE} else {}
        for check in step.checks:
            config |= {name: _plain(value) for name, value in self._config(check, city, cities).items()}
        return content_hash([step.name, scope, inputs, config, self._code_of(step)]), inputs

    def _corrections_of(self, step: Step, city: City | None) -> list[dict[str, Any]]:
        """Return people's corrections of the rows that the step makes in a scope."""
        made = f"{step.name}/{city.city_id}/" if city else f"{step.name}/"
        return [entry for entry in self._corrections.get(step.name, []) if f"{entry['row']}/".startswith(made)]

    def _code_of(self, step: Step) -> str:
        return self._code.hash_of(step.run, step.output, corrected, Rejection, Tables, *step.checks)

    def _snapshots(self, raw: Raw, city: City | None) -> list[Any]:
        if city is not None:
            return self.lock.of(raw.source, raw.role, city.city_id)
        return [s for s in self.lock.snapshots if s.source == raw.source and s.role == raw.role]

    def _most_unreadable(self, snapshot: Snapshot) -> float:
        """Return what the recipe's binding of a file says of its unreadable rows."""
        recipe = self._loaded.recipe
        own = next((c.sources for c in recipe.cities if c.city_id == snapshot.city_id), recipe.sources)
        binding = own.get(snapshot.source)
        return binding.max_unreadable if binding else MAX_UNREADABLE

    def _config(self, function: Callable[..., Any], city: City | None, cities: list[City]) -> dict[str, Any]:
        """Return what the function's keyword-only parameters name: `city`, `cities`, `seed`, or a family's section."""
        recipe = self._loaded.recipe
        known: dict[str, Any] = {
            "city": city,
            "cities": cities,
            "seed": recipe.seed,
            "engines": recipe.engines,
            "spatial": recipe.spatial,
            "retired": [r.task_id for r in self.lock.retired if city is None or r.city_id == city.city_id],
            **self._loaded.sections,
        }
        names = [p.name for p in _parameters(function).values() if p.kind is p.KEYWORD_ONLY]
        if "requirements" in names:
            known["requirements"] = [need for family in families().values() for need in family.requirements]
        unknown = [name for name in names if name not in known and name not in SUPPLIED]
        if unknown:
            raise TypeError(f"{function.__name__} asks for configuration {unknown}; a recipe has {sorted(known)}")
        return {name: known[name] for name in names if name not in SUPPLIED}

    def _run(
        self, step: Step, city: City | None, cities: list[City], fingerprint: str, inputs: dict[str, Any]
    ) -> BuiltStep:
        scope = city.city_id if city else ""
        started = time.monotonic()
        with ExitStack() as open_files:
            arguments = [self._argument(step, n, city, cities, open_files) for n in range(len(step.inputs))]
            config = self._config(step.run, city, cities)
            if "previous" in _parameters(step.run):
                config["previous"] = self._previous(step, scope)
            ask = self._ask(step)
            if "ask" in _parameters(step.run):
                config["ask"] = ask
            made = step.run(*arguments, **config)
            outcome = made if isinstance(made, Outcome) else Outcome(made)
            entries = self._corrections_of(step, city)
            if entries:
                outcome = corrected(step.output, outcome, entries)
            tables = self._home.tables
            if step.per == "recipe" and step.output.key()[:1] == ("city_id",):
                outputs = tables.write_by_city(step.output, outcome.rows, [c.city_id for c in cities])
            else:
                outputs = {scope: tables.write(step.output, outcome.rows)}
        counts: Counter[str] = Counter()
        rejections = tables.write(Rejection, _rejections(step, scope, outcome, counts))
        rows_out = sum(version.rows for version in outputs.values())
        built = BuiltStep(
            step=step.name,
            scope=scope,
            fingerprint=fingerprint,
            code=self._code_of(step),
            inputs=inputs,
            outputs=outputs,
            rejections=rejections,
            accounting=Accounting(outcome.rows_in, rows_out, dict(sorted(counts.items())), outcome.merged),
            facts=json.loads(json.dumps(outcome.facts)),  # as they will be read back when the step is kept
            verdicts=self._verdicts(step, city, cities, outputs),
            seconds=round(time.monotonic() - started, 3),
            generations=self._generations(ask, outcome),
        )
        problem = built.accounting.problem()
        if problem:
            raise TableError(f"step `{step.name}` lost rows: {problem}")
        self._home.built.add(built)
        return built

    def _argument(self, step: Step, number: int, city: City | None, cities: list[City], files: ExitStack) -> Any:
        wanted = step.inputs[number]
        if isinstance(wanted, Raw):
            snapshots = self._snapshots(wanted, city)
            opened = ((s, files.enter_context(self._home.snapshots.open(s))) for s in snapshots)
            return [RawFile(s, path, self._most_unreadable(s)) for s, path in opened]
        producer = self._steps[wanted.table_name()]
        versions = list({self.walked.version(producer, c.city_id): None for c in cities})
        return self._tables.read(wanted, versions, as_arrow=_reads_arrow(step.run, number))

    def _ask(self, step: Step) -> StepAsk | None:
        """Return the step's access to the model of its job, None where rules do the job."""
        if not step.job or self._loaded.recipe.engines.endpoint(step.job) is None:
            return None
        return self._askers["openai"].for_step(step.job, self._askers.get("reader") if step.job == "wording" else None)

    def _generations(self, ask: StepAsk | None, outcome: Outcome) -> TableVersion | None:
        if ask is None:
            return None
        import pyarrow as pa

        rows = pa.Table.from_pylist(ask.generations(outcome.generations), schema=Generation.arrow_schema())
        return self._home.tables.write(Generation, rows)

    def _previous(self, step: Step, scope: str) -> Any:
        latest = self._home.built.latest(self._loaded.recipe.name, step.name, scope)
        if latest is None or latest.code != self._code_of(step) or scope not in latest.outputs:
            return None
        return step.output.frame(self._home.tables.read(latest.outputs[scope]))

    def _verdicts(
        self, step: Step, city: City | None, cities: list[City], outputs: dict[str, TableVersion]
    ) -> list[dict[str, Any]]:
        if not step.checks:
            return []
        verdicts = []
        for check in step.checks:
            rows = self._tables.read(step.output, list(outputs.values()), as_arrow=_reads_arrow(check, 0))
            verdict: Verdict = check(rows, **self._config(check, city, cities))
            verdicts.append({"check": check.__name__, "holds": bool(verdict.holds), "found": verdict.found})
        return verdicts


@cache
def _parameters(function: Callable[..., Any]) -> Mapping[str, inspect.Parameter]:
    return inspect.signature(function).parameters


def _reads_arrow(function: Callable[..., Any], number: int) -> bool:
    """Return whether the function asks for its number-th table as Arrow keeps it, instead of as a frame."""
    return "pa.Table" in str(list(_parameters(function).values())[number].annotation)


def _event(built: BuiltStep, status: Literal["built", "kept"]) -> Event:
    rejected = sum(built.accounting.rejected.values())
    return Event(built.step, built.scope, status, built.seconds, built.accounting.rows_out, rejected)


def _rejections(step: Step, scope: str, outcome: Outcome, counts: Counter[str]) -> pa.RecordBatchReader | pa.Table:
    """Return the outcome's rejections as rows of `Rejection`, and count their reasons as they pass."""
    import pyarrow as pa

    given = outcome.rejections
    schema = Rejection.arrow_schema()

    def completed(batch: pa.RecordBatch) -> pa.RecordBatch:
        counts.update(batch["reason"].to_pylist())
        details = [detail[:DETAIL_CHARACTERS] for detail in batch["detail"].to_pylist()]
        columns = {"step": [step.name] * len(batch), "city_id": [scope] * len(batch), "detail": details}
        return pa.record_batch([columns[f.name] if f.name in columns else batch[f.name] for f in schema], schema=schema)

    if isinstance(given, pa.RecordBatchReader):
        return pa.RecordBatchReader.from_batches(schema, (completed(batch) for batch in given))
    rows = given.to_dict("list") if not isinstance(given, list) else _columns(given)
    if not rows["row"]:
        return schema.empty_table()
    return pa.Table.from_batches([completed(pa.record_batch(rows))])


def _columns(rows: list[dict[str, str]]) -> dict[str, list[str]]:
    return {name: [row[name] for row in rows] for name in ("row", "reason", "detail")}


def _plain(value: Any) -> Any:
    """Return a configuration value as plain data; a city without its files, which are inputs of their own."""
    if isinstance(value, City):
        return value.model_dump(mode="json", exclude={"sources"})
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json")
    if isinstance(value, Requirement):
        return asdict(value)
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return value
