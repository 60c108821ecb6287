"""The build: every cell after what it reads, unless its fingerprint was built before; many at once where they may be.

One city's failure is its own: it blocks what depends on it, for that city, and everything else goes on.
"""

from __future__ import annotations

import heapq
import threading
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from queue import Empty, SimpleQueue
from typing import Literal

from assets.step import Step
from pipelines.walk.asking import Asker, MissingAnswers
from pipelines.walk.call_costs import Needed, Spent
from pipelines.walk.cell import Bench
from pipelines.walk.executors import Done, Executor, InProcess
from pipelines.walk.fingerprint import Code
from pipelines.walk.graph import Cell, Graph
from pipelines.walk.recipes import LoadedRecipe
from pipelines.walk.shards import Sharing
from pipelines.walk.step_ask import StepAsk
from pipelines.walk.walk_report import Blocked, Event, WalkResult
from schemas.counts import counted
from schemas.recipe import City, RecipeLock
from schemas.rejection import Reason
from warehouse.build_records import BuiltStep
from warehouse.home import Home

LOOKS_EVERY_S = 0.5
"""How often it is asked whether there is room for another cell while others run."""

ASKING, SHARING = "asks a model", "shares its work out"
"""Why a cell stays with the driver."""

DRIVER = "driver"

Start = Callable[[Bench], AbstractContextManager[Executor]]

Rank = tuple[int, int]
"""A cell's place among those that wait; the lowest is begun first."""


def in_process(bench: Bench) -> AbstractContextManager[Executor]:
    """Return what runs each cell at once, in this process."""
    return nullcontext(InProcess(bench))


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
        start: Start = in_process,
    ) -> None:
        """`start` gives where cells run. With `planning`, a step stops before it would ask a model: see `needed`."""
        self._home, self._loaded, self.lock, self._code = home, loaded, lock, code
        self.graph = Graph(home, loaded, lock, steps)
        self._report, self._start = report, start
        self._askers = {
            name: Asker(home.ledger, endpoint, loaded.path.parent, planning=planning)
            for name in ("openai", "reader")
            if (endpoint := getattr(loaded.recipe.engines, name)) is not None
        }
        self.needed: dict[tuple[str, str], Needed] = {}
        self.walked = WalkResult()

    @property
    def spent(self) -> Spent | None:
        """Return what was asked of the recipe's models so far, None where it names none."""
        return sum((asker.spent for asker in self._askers.values()), Spent()) if self._askers else None

    def order(self, targets: Iterable[str]) -> list[Step]:
        """Return the targets and everything they need, each after what it reads."""
        return self.graph.order(targets)

    def build(self, targets: Iterable[str], city_ids: Iterable[str] | None = None) -> WalkResult:
        """Build the targets for the given cities (default all) and return what was made and what is blocked.

        What a step that runs once a recipe reads is built for every city, whichever are asked for.
        """
        visits = [
            (step, city)
            for step, city in self.graph.visits(targets, city_ids)
            if not self._is_done(step, [city] if city else list(self.graph.cities.values()))
        ]
        bench = Bench(self._home, self.graph)
        with self._start(bench) as executor:
            _Round(self, visits, executor, bench).go()
        self.walked.in_order([(step.name, city.city_id if city else "") for step, city in visits])
        return self.walked

    def stale(self, targets: Iterable[str]) -> list[tuple[Step, str]]:
        """Return the steps and scopes that a build would run first: those whose inputs are known and not yet built."""
        stale_steps: list[tuple[Step, str]] = []
        for step in self.order(targets):
            for city in [None] if step.per == "recipe" else self.graph.cities.values():
                scope = city.city_id if city else ""
                cities = [city] if city else self._open_cities(step)
                try:
                    built = self._home.built.find(self._cell(step, city, cities).fingerprint)
                except KeyError:
                    built = None
                if built is None:
                    stale_steps.append((step, scope))
                else:
                    self.walked.records[step.name, scope] = built
        return stale_steps

    def _cell(self, step: Step, city: City | None, cities: list[City]) -> Cell:
        return self.graph.cell(step, city, cities, self.walked.version, self._code)

    def _is_done(self, step: Step, cities: list[City]) -> bool:
        scope = cities[0].city_id if step.per == "city" else ""
        blocked = all((step.name, city.city_id) in self.walked.blocked for city in cities)
        return blocked or (step.name, scope) in self.walked.records

    def _open_cities(self, step: Step) -> list[City]:
        """Return the cities that nothing the step reads is blocked for."""
        inputs = self.graph.inputs(step)
        blocked = self.walked.blocked
        return [
            city
            for city in self.graph.cities.values()
            if not any((other.name, city.city_id) in blocked for other in inputs)
        ]

    def prepared(self, step: Step, city: City | None) -> Cell | None:
        """Return the cell that is to be run now; None where it was built before, or where its inputs are blocked."""
        cities = [city] if city else self._open_cities(step)
        for other in self.graph.inputs(step):
            for one in [city] if city else self.graph.cities.values():
                if causes := self.walked.blocked.get((other.name, one.city_id)):
                    before = self.walked.blocked.get((step.name, one.city_id), ())
                    self.walked.blocked[step.name, one.city_id] = tuple(dict.fromkeys((*before, *causes)))
        if not city and not any(one.is_visited for one in cities):
            self._block_with_the_others(step, cities)
        if all((step.name, one.city_id) in self.walked.blocked for one in cities):
            return None
        cell = self._cell(step, city, cities)
        damaged = len(self._home.built.damaged)
        built = self._home.built.find(cell.fingerprint)
        if len(self._home.built.damaged) > damaged:
            reason = f"its record {self._home.built.damaged[-1]} was damaged; it is built again"
            self._report(Event(step.name, cell.scope, "damaged", reason=reason))
        if built is not None:
            self.keep(cell, built, "kept")
            return None
        latest = self._home.built.latest(self._loaded.recipe.name, step.name, cell.scope)
        if latest is None or latest.keeps != cell.keeps or cell.scope not in latest.outputs:
            return cell
        return replace(cell, previous=latest.outputs[cell.scope])

    def _block_with_the_others(self, step: Step, cities: list[City]) -> None:
        """Block the cities that people only set out from for what blocks all that they travel to, if that is so."""
        scopes = ((step.name, city_id) for city_id in self.graph.cities)
        causes = tuple(dict.fromkeys(cause for scope in scopes for cause in self.walked.blocked.get(scope, ())))
        if causes:
            self.walked.blocked.update({(step.name, city.city_id): causes for city in cities})

    def begun(self, cell: Cell) -> None:
        """Report that a cell is being run."""
        self._report(Event(cell.step, cell.scope, "running"))

    def keep(self, cell: Cell, built: BuiltStep, status: Literal["built", "kept"], worker: str = "") -> None:
        """Note what came of a cell, and block what its checks block."""
        if status == "built":
            self.walked.ran.append(built)
        else:
            self.walked.steps_kept += 1
        counts = built.accounting
        rejected = sum(counts.rejected.values())
        reason = ""
        if not counts.rows_out and [*counts.rejected] == [Reason.OUTSIDE_EVERY_CITY]:
            where = "the city" if built.scope else "a city of the recipe"
            reason = f"none of {counted(rejected, 'row')} lies in {where}; is the file another city's?"
        self._report(
            Event(built.step, built.scope, status, built.seconds, counts.rows_out, rejected, reason, worker=worker)
        )
        self.walked.records[cell.step, cell.scope] = built
        self._home.built.set_latest(self._loaded.recipe.name, built)
        if built.failed_checks:
            self.block(cell, built.failure)

    def block(self, cell: Cell, reason: str, *, is_fault: bool = False) -> None:
        """Note that the cities of a cell cannot go on."""
        for city_id in cell.city_ids:
            self.walked.blocked[cell.step, city_id] = (Blocked(city_id, cell.step, reason, is_fault),)
        self._report(Event(cell.step, cell.scope, "blocked", reason=reason))

    def ask(self, step: Step) -> StepAsk | None:
        """Return the step's access to the model of its job, None where rules do the job."""
        if not self.graph.asks_a_model(step):
            return None
        return self._askers["openai"].for_step(step.job, self._askers.get("reader") if step.job == "wording" else None)


class _Round:
    """One walk over cells that are not done: what waits for what, what may be begun, and what runs."""

    def __init__(self, walk: Walk, visits: list[tuple[Step, City | None]], executor: Executor, bench: Bench) -> None:
        self._walk, self._visits, self._executor, self._bench = walk, visits, executor, bench
        self._due: list[tuple[Rank, int, Cell]] = []
        self._kept_here: dict[str, list[tuple[Rank, int, Cell]]] = {ASKING: [], SHARING: []}
        self._busy: set[str] = set()
        steps = {step.name: step for step, _ in visits}
        self._sharing = {name for name, step in steps.items() if step.shard and self._scopes(step) < executor.workers}
        self._running: dict[int, Cell] = {}
        self._came: SimpleQueue[tuple[int, Done]] = SimpleQueue()
        numbers = {(step.name, city.city_id if city else ""): n for n, (step, city) in enumerate(visits)}
        self._waits = [0] * len(visits)
        self._then: list[list[int]] = [[] for _ in visits]
        for number, (step, city) in enumerate(visits):
            for other in walk.graph.inputs(step):
                scopes = [""] if other.per == "recipe" else [city.city_id] if city else list(walk.graph.cities)
                for before in (numbers[other.name, scope] for scope in scopes if (other.name, scope) in numbers):
                    self._waits[number] += 1
                    self._then[before].append(number)
        self._behind = [0] * len(visits)
        for number in reversed(range(len(visits))):  # a visit comes after what it reads
            later = self._then[number]
            self._behind[number] = max((self._behind[n] + (visits[n][1] is None) for n in later), default=0)

    def go(self) -> None:
        """Run every cell that can be run. Raises what a future raises that is no fault of a cell."""
        ready = [number for number, waits in enumerate(self._waits) if not waits]
        while ready or self._due or any(self._kept_here.values()) or self._running:
            while ready:
                number = heapq.heappop(ready)
                cell = self._walk.prepared(*self._visits[number])
                if cell is None:
                    self._release(number, ready)
                else:
                    heapq.heappush(
                        self._kept_here.get(self._kind(number), self._due), (self._rank(number), number, cell)
                    )
            self._begin()
            if self._running:
                try:
                    number, done = self._came.get(timeout=LOOKS_EVERY_S if self._due else None)
                except Empty:
                    continue
                self._settle(number, done)
                self._release(number, ready)

    def _kind(self, number: int) -> str:
        """Return why a cell stays with the driver: it asks a model, or shares its work out; else nothing.

        What is made for many cities is not shared out: its cells are shards enough.
        """
        step, _ = self._visits[number]
        if self._walk.graph.asks_a_model(step):
            return ASKING
        return SHARING if step.name in self._sharing else ""

    def _rank(self, number: int) -> Rank:
        """Return a cell's rank: one that runs once a recipe before any city's, which can be begun beside each other.

        Of these the one first behind which most others stand in a row. One after the other, all take as long in any
        order.
        """
        _, city = self._visits[number]
        return (0 if city or self._executor.workers == 1 else -1 - self._behind[number], number)

    def _scopes(self, step: Step) -> int:
        return 1 if step.per == "recipe" else len(self._walk.graph.cities)

    def _begin(self) -> None:
        """Begin the first cells for which there is room, and of those that stay with the driver one of each kind."""
        for kind, kept_here in self._kept_here.items():
            if kept_here and kind not in self._busy and (self._executor.workers > 1 or not self._running):
                rank, number, cell = heapq.heappop(kept_here)
                if not self._due or rank < self._due[0][0] or self._executor.workers > 1:
                    self._busy.add(kind)
                    self._run_here(number, cell)
                else:
                    heapq.heappush(kept_here, (rank, number, cell))
        waiting_cells = []
        self._executor.expect(len(self._due))
        while self._due:
            rank, number, cell = heapq.heappop(self._due)
            memory_mb = self._visits[number][0].memory_mb
            if not self._executor.room(memory_mb):
                waiting_cells.append((rank, number, cell))
                if len(waiting_cells) > self._executor.workers:
                    break
                continue
            self._walk.begun(cell)
            self._running[number] = cell
            self._watch(number, self._executor.submit(cell, memory_mb))
            if self._executor.workers == 1:
                break
        for entry in waiting_cells:
            heapq.heappush(self._due, entry)

    def _run_here(self, number: int, cell: Cell) -> None:
        step = self._visits[number][0]
        self._walk.begun(cell)
        self._running[number] = cell
        done: Done = Future()
        bench = self._bench if self._executor.workers == 1 else Bench(self._bench.home, self._bench.graph)

        def run() -> None:
            share = Sharing(self._executor, cell, step.memory_mb) if step.name in self._sharing else None
            try:
                if share and cell.previous is None:  # else most plans may be known
                    share.prepare()
                outcome = bench.make(cell, self._walk.ask(step), share)
            except BaseException as error:
                done.set_exception(error)
            else:
                done.set_result((outcome, DRIVER if share else ""))

        self._watch(number, done)
        if self._executor.workers == 1:
            run()
        else:
            threading.Thread(target=run, daemon=True).start()

    def _watch(self, number: int, done: Done) -> None:
        done.add_done_callback(lambda future: self._came.put((number, future)))

    def _settle(self, number: int, done: Done) -> None:
        cell = self._running.pop(number)
        self._busy.discard(self._kind(number))
        try:
            outcome, worker = done.result()
        except MissingAnswers as planned:
            self._walk.needed[cell.step, cell.scope] = planned.needed
            self._walk.block(cell, str(planned))
            return
        if outcome.record is None:
            self._walk.block(cell, outcome.reason, is_fault=outcome.is_fault)
        else:
            self._walk.keep(cell, outcome.record, "built" if outcome.is_new else "kept", worker)

    def _release(self, number: int, ready: list[int]) -> None:
        for later in self._then[number]:
            self._waits[later] -= 1
            if not self._waits[later]:
                heapq.heappush(ready, later)
