"""Running one cell: its inputs are read by hash, its table and record are kept, whoever runs it and however often."""

from __future__ import annotations

import json
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from assets import accounts
from assets.answers import family_failure
from assets.core.corrections import corrected
from assets.core.worlds import given_tables
from assets.declared import FamilyError
from assets.named import definition, function_of, load
from assets.step import Job, Outcome, Raw, RawFile, Step, Verdict
from pipelines.interrupts import interrupts_raised
from pipelines.walk.asking import MissingAnswers
from pipelines.walk.graph import Cell, Graph
from pipelines.walk.shards import FaultError, LostError, Shard, Sharing, keep_results, kept_results
from pipelines.walk.step_ask import StepAsk
from schemas.errors import ExpectedError
from schemas.generation import Generation
from schemas.recipe import City
from schemas.rejection import Rejection
from schemas.source import SourceError
from schemas.table import Table, TableError
from warehouse.build_records import Accounting, BuiltStep
from warehouse.disk import writing
from warehouse.home import Home
from warehouse.kept_tables import KeptTables
from warehouse.tables import TableVersion

if TYPE_CHECKING:
    import pyarrow as pa

CELLS = "cells"
"""The leases of cells that are being run."""

FIRST_PAUSE_S, LAST_PAUSE_S = 0.05, 2.0
DETAIL_CHARACTERS = 200


@dataclass(frozen=True)
class CellResult:
    """What came of a cell: its record, or why there is none; `is_new` unless it was there already.

    Of a shard it holds the `results`. `is_fault` says that the code failed, and not the data.
    """

    record: BuiltStep | None
    reason: str = ""
    is_new: bool = True
    results: list[Any] | None = None
    is_fault: bool = False


@dataclass(frozen=True)
class _World:
    """What a family made of some versions of its world's tables."""

    family: str
    versions: dict[type[Table], tuple[TableVersion, ...]]
    world: Any


class Bench:
    """Where cells of one recipe are run: its graph, the home, and tables that several cells read."""

    def __init__(self, home: Home, graph: Graph) -> None:
        self.home, self.graph = home, graph
        self._tables = KeptTables(home.tables)
        self._kept_for: str | None = None
        self._world: _World | None = None
        self._solver: tuple[str, Callable[[Job], Any]] | None = None

    def make(self, cell: Cell | Shard, ask: StepAsk | None = None, share: Sharing | None = None) -> CellResult:
        """Return what comes of a cell: a fault of its step or its data is its own, and is told, never raised.

        Raises MissingAnswers where its calls to a model are only counted, LostError where what does its shards is gone.
        """
        product = f"what step `{cell.step}` makes"
        try:
            with interrupts_raised():
                if isinstance(cell, Shard):
                    return CellResult(None, results=self._results(cell))
                with writing(product, self.home.store.folder(CELLS), tempfile.gettempdir()), self._alone(cell) as built:
                    return CellResult(built, is_new=False) if built else CellResult(self.run(cell, ask, share))
        except (MissingAnswers, LostError):
            raise
        except (FaultError, FamilyError) as error:
            return CellResult(None, str(error), is_fault=True)
        except (ExpectedError, OSError) as error:
            return CellResult(None, str(error))
        except Exception as error:  # the boundary: a step's fault is its city's, and is shown, never swallowed
            if whose := family_failure(error):
                return CellResult(None, whose, is_fault=True)
            where = traceback.format_exception(error)[-2].strip().splitlines()[0]
            text = str(error).splitlines()[0] if str(error) else ""
            return CellResult(None, f"{type(error).__name__}: {text} ({where})", is_fault=True)

    def _results(self, shard: Shard) -> list[Any]:
        """Return what comes of a shard's jobs, from the home if they were done before; what does them is kept."""
        results = kept_results(self.home.store, shard) if shard.jobs else None
        if results is None:
            if self._solver is None or self._solver[0] != shard.cell.fingerprint:
                self._solver = None
                self._solver = (shard.cell.fingerprint, self._solver_of(shard.cell))
            results = [self._solver[1](job) for job in shard.jobs]
            if shard.jobs:
                keep_results(self.home.store, shard, results)
        return results

    def _solver_of(self, cell: Cell) -> Callable[[Job], Any]:
        step, city, cities = self._scope(cell)
        keywords = self.graph.config(step, step.shard, city, cities)
        return load(step.shard)(lambda: self._world_of(step, cell), uses=step.functions, **keywords)

    def run(self, cell: Cell, ask: StepAsk | None = None, share: Sharing | None = None) -> BuiltStep:
        """Run a cell and return its record, which is kept. `ask` answers where the recipe has a model do its job.

        With `share` others do the jobs that its step falls into.

        Raises what the step raises, and TableError for rows that do not fit or do not add up.
        """
        if cell.scope != self._kept_for or not cell.scope:
            self.forget()
        self._solver = None
        self._kept_for = cell.scope
        step, city, cities = self._scope(cell)
        if self._world is not None and self._world.family != step.family:
            self._world = None
        started = time.monotonic()
        with ExitStack() as open_files:
            places = [number for number, step_input in enumerate(step.inputs) if step_input not in step.world]
            arguments = [self._argument(step, cell, number, city, open_files) for number in places]
            rows_or_outcome = _call_step(step, arguments, self._keywords(step, cell, city, cities, ask, share))
            outcome = rows_or_outcome if isinstance(rows_or_outcome, Outcome) else Outcome(rows_or_outcome)
            entries = self.graph.corrections_of(step, city)
            if entries:
                outcome = corrected(step.output, outcome, entries)
            outputs = self._write(step, cell, outcome)
        counts: Counter[str] = Counter()
        rejections = self.home.tables.write(Rejection, _rejections(step, cell.scope, outcome, counts))
        rows_out = sum(version.rows for version in outputs.values())
        accounting = Accounting(outcome.rows_in, rows_out, dict(sorted(counts.items())), outcome.merged)
        problem = accounting.problem()
        if problem:
            raise TableError(f"step `{step.name}` lost rows: {problem}")
        problem = accounts.problem(step.accounts, outcome.rows_in, self._counts(step, cell, outputs))
        if problem:
            raise TableError(f"step `{step.name}` does not account for what it read: {problem}")
        built = BuiltStep(
            step=step.name,
            scope=cell.scope,
            fingerprint=cell.fingerprint,
            code=cell.code,
            keeps=cell.keeps,
            inputs=dict(cell.inputs),
            outputs=outputs,
            rejections=rejections,
            accounting=accounting,
            facts=json.loads(json.dumps(outcome.facts)),  # as they will be read back when the step is kept
            verdicts=self._verdicts(step, city, cities, outputs),
            seconds=round(time.monotonic() - started, 3),
            generations=self._generations(ask, outcome),
        )
        self.home.built.add(built)
        return built

    @contextmanager
    def _alone(self, cell: Cell) -> Iterator[BuiltStep | None]:
        """Hold the cell's lease inside the `with`; yields its record where another process has made it meanwhile.

        Whoever dies holds it for no longer than a lease lasts; then the cell is run by who waited for it.
        """
        name, pause_s = f"{CELLS}/{cell.fingerprint}", FIRST_PAUSE_S
        while not self.home.leases.take(name):
            time.sleep(pause_s)
            pause_s = min(2 * pause_s, LAST_PAUSE_S)
            if (built := self.home.built.find(cell.fingerprint)) is not None:
                yield built
                return
        try:
            yield self.home.built.find(cell.fingerprint)
        finally:
            self.home.leases.give_back(name)

    def forget(self) -> None:
        """Free the memory of the tables that were kept."""
        self._tables.forget()

    def _scope(self, cell: Cell) -> tuple[Step, City | None, list[City]]:
        cities = [self.graph.cities[city_id] for city_id in cell.city_ids]
        return self.graph.step(cell.step), self.graph.cities[cell.scope] if cell.scope else None, cities

    def _keywords(
        self,
        step: Step,
        cell: Cell,
        city: City | None,
        cities: list[City],
        ask: StepAsk | None,
        share: Sharing | None,
    ) -> dict[str, Any]:
        keywords = self.graph.config(step, step.run, city, cities)
        asked_for = definition(step.run).keywords
        if "previous" in asked_for:
            before = self.home.tables.read(cell.previous) if cell.previous else None
            is_alike = before is not None and before.schema.equals(step.output.arrow_schema())
            keywords["previous"] = step.output.frame(before) if is_alike else None
        argument_by_name = {"ask": ask, "step": step, "uses": step.functions, "share": share}
        keywords |= {name: argument_by_name[name] for name in asked_for if name in argument_by_name}
        if "world" in asked_for:
            keywords["world"] = self._world_of(step, cell)
        return keywords

    def _world_of(self, step: Step, cell: Cell) -> Any:
        """Return what the step's family makes of its world's tables, kept while its steps of one scope are run."""
        versions = {table: cell.versions[step.inputs.index(table)] for table in step.world}
        if self._world is None or (self._world.family, self._world.versions) != (step.family, versions):
            self._world = None  # two of them may not fit into memory
            section = self.graph.loaded.sections[step.family]
            tables = given_tables(step.world, [self._of_world(step, *pair) for pair in versions.items()], section)
            self._world = _World(step.family, versions, load(step.uses["world"])(tables))
        return self._world.world

    def _of_world(self, step: Step, table: type[Table], versions: tuple[TableVersion, ...]) -> Any:
        if table not in step.arrow:
            return self._tables.read(table, list(versions), as_arrow=False)
        columns, repeated = table.columns_without_sources(), table.repeated_texts()
        return self._tables.read(table, list(versions), as_arrow=True, columns=columns, repeated=repeated)

    def _argument(self, step: Step, cell: Cell, number: int, city: City | None, files: ExitStack) -> Any:
        step_input = step.inputs[number]
        if isinstance(step_input, Raw):
            snapshots = self.graph.snapshots(step_input, city)
            opened = ((s, files.enter_context(self.home.snapshots.open(s))) for s in snapshots)
            return [RawFile(s, path, self.graph.most_unreadable(s)) for s, path in opened]
        as_arrow = step_input in step.arrow or definition(step.run).reads_arrow(number)
        return self._tables.read(step_input, list(cell.versions[number]), as_arrow=as_arrow)

    def _write(self, step: Step, cell: Cell, outcome: Outcome) -> dict[str, TableVersion]:
        if step.per == "recipe" and step.output.key()[:1] == ("city_id",):
            return self.home.tables.write_by_city(step.output, outcome.rows, cell.city_ids)
        return {cell.scope: self.home.tables.write(step.output, outcome.rows)}

    def _counts(self, step: Step, cell: Cell, outputs: dict[str, TableVersion]) -> accounts.Counts:
        """Return where a step's rows and keys are counted: in the very tables that it read and made."""
        versions_by_table = {name: list(versions) for name, versions in zip(step.inputs, cell.versions, strict=True)}

        def table_of(table: type[Table]) -> pa.Table:
            return self._tables.read(table, versions_by_table[table], as_arrow=True)

        def rows(table: type[Table], kind: str) -> int:
            if not kind:
                return sum(version.rows for version in versions_by_table[table])
            return table_of(table)["kind"].to_pylist().count(kind)

        def keys(table: type[Table] | None, column: str) -> set[str]:
            versions = list(outputs.values())
            arrow_table = self._tables.read(step.output, versions, as_arrow=True) if table is None else table_of(table)
            return set(arrow_table[column].unique().to_pylist())

        slots = None
        if step.accounts == "slots":
            slots = sum(series.count for series in load(step.uses["slots"])(self.graph.loaded.sections[step.family]))
        return accounts.Counts(rows, keys, set(cell.city_ids), slots)

    def _generations(self, ask: StepAsk | None, outcome: Outcome) -> TableVersion | None:
        if ask is None:
            return None
        import pyarrow as pa

        rows = pa.Table.from_pylist(ask.generations(outcome.generations), schema=Generation.arrow_schema())
        return self.home.tables.write(Generation, rows)

    def _verdicts(
        self, step: Step, city: City | None, cities: list[City], outputs: dict[str, TableVersion]
    ) -> list[dict[str, Any]]:
        verdicts = []
        for check in step.checks:
            rows = self._tables.read(step.output, list(outputs.values()), as_arrow=definition(check).reads_arrow(0))
            verdict: Verdict = load(check)(rows, **self.graph.config(step, check, city, cities))
            verdicts.append({"check": function_of(check), "holds": bool(verdict.holds), "found": verdict.finding})
        return verdicts


def _call_step(step: Step, arguments: list[Any], keywords: dict[str, Any]) -> Any:
    """Return what a step makes of its arguments. Raises SourceError with what is wrong with each of its files.

    A reader ends at the first file that it cannot read. The step is called again without that one, until no other is
    in its way; one that asks a model, or shares its work out, is not. What else ends it then is not told, for without
    a file it lacks something; but for Ctrl-C and what the machine refuses, which the next step would meet too.
    """
    problems: list[SourceError] = []
    while True:
        try:
            with interrupts_raised():
                rows_or_outcome = step.function(*arguments, **keywords)
        except SourceError as error:
            bad = _named_file(str(error), arguments)
            if bad or not problems:
                problems.append(_with_other_role(error, bad, arguments))
            arguments = [_without(bad, argument) for argument in arguments]
            if bad and any(map(_files_in, arguments)) and not keywords.get("ask") and not keywords.get("share"):
                continue
        except (OSError, MemoryError):
            raise
        except Exception:
            if not problems:
                raise
        else:
            if not problems:
                return rows_or_outcome
        raise problems[0] if len(problems) == 1 else SourceError("\n".join(map(str, problems)))


def _with_other_role(error: SourceError, location: str, arguments: list[Any]) -> SourceError:
    """Return the error of a file, and what the file is if it was bound to a role that is not its own."""
    from sources.recognise import other_role

    files = [file for argument in arguments for file in _files_in(argument) if file.snapshot.location == location]
    description = next(filter(None, (other_role(f.path, f.snapshot.source, f.snapshot.role) for f in files)), "")
    return SourceError(f"{error} {description}") if description else error


def _files_in(argument: Any) -> list[RawFile]:
    return [file for file in argument if isinstance(file, RawFile)] if isinstance(argument, list) else []


def _named_file(problem: str, arguments: list[Any]) -> str:
    """Return where the file lies with which a problem's text begins; "" if it begins with none."""
    locations = {file.snapshot.location for argument in arguments for file in _files_in(argument)}
    return max((place for place in locations if problem.startswith(place)), key=len, default="")


def _without(location: str, argument: Any) -> Any:
    files = _files_in(argument)
    return [file for file in files if file.snapshot.location != location] if files else argument


def _rejections(step: Step, scope: str, outcome: Outcome, counts: Counter[str]) -> pa.RecordBatchReader | pa.Table:
    """Return the outcome's rejections as rows of `Rejection`, and count their reasons as they pass."""
    import pyarrow as pa

    rejections = outcome.rejections
    schema = Rejection.arrow_schema()

    def completed(batch: pa.RecordBatch) -> pa.RecordBatch:
        counts.update(batch["reason"].to_pylist())
        details = [detail[:DETAIL_CHARACTERS] for detail in batch["detail"].to_pylist()]
        columns = {"step": [step.name] * len(batch), "city_id": [scope] * len(batch), "detail": details}
        return pa.record_batch([columns[f.name] if f.name in columns else batch[f.name] for f in schema], schema=schema)

    if isinstance(rejections, pa.RecordBatchReader):
        return pa.RecordBatchReader.from_batches(schema, (completed(batch) for batch in rejections))
    rows = rejections.to_dict("list") if not isinstance(rejections, list) else _columns(rejections)
    if not rows["row"]:
        return schema.empty_table()
    return pa.Table.from_batches([completed(pa.record_batch(rows))])


def _columns(rows: list[dict[str, str]]) -> dict[str, list[str]]:
    return {name: [row[name] for row in rows] for name in ("row", "reason", "detail")}
