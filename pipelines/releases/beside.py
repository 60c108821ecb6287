"""What is made of a release beside its gate: in other processes of this machine, where there is work enough.

What goes to them is names: the tables are in the home, and each process reads those that it needs. How the work is
shared out changes no byte. Where one process computes at a time, another makes it after the gate: what the building
process holds of its walk and its gate, and what measuring takes, fit into one only of small releases.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, Generic, TypeVar

from assets.core.own_processes import OwnProcesses
from assets.families import families
from assets.family import Family
from assets.release.exporting import released_tables
from assets.rows import LazyFrames, ReleaseTables
from pipelines.releases.gathering import rows_as_read
from pipelines.walk.executors import free_memory_mb
from warehouse.home import Home
from warehouse.tables import TableVersion

YIELDS = 5
"""How much nicer (nice(2)) than the others is a process for whose result nothing waits: it has what they leave."""

FEWEST_TASKS, FEWEST_ROWS = 200, 100_000
"""A release of fewer tasks and rows is made by one process: another takes two seconds to start and to read them."""

Result = TypeVar("Result")


@dataclass(frozen=True)
class KeptTables:
    """The tables of what is to be a release, by names that mean the same to every process that can read the home."""

    home_url: str
    family: str
    versions: Mapping[str, TableVersion]
    """By the released file's name."""
    section: Mapping[str, Any]

    def read(self, home: Home, family: Family) -> ReleaseTables:
        """Return the tables as the family reads them, each when it is first asked for."""
        declared = released_tables(family)
        frames = {
            name.removesuffix(".parquet"): partial(rows_as_read, home, family, declared[name], version)
            for name, version in self.versions.items()
        }
        return ReleaseTables(LazyFrames(frames), self.section)


@dataclass
class PendingCall(Generic[Result]):
    """A call in another process, sent there at the latest when its result is asked for; or made here, by then."""

    here: Callable[[], Result]
    send: Callable[[], Future[Result]] | None
    name: str
    tell: Callable[[str], None]

    @cached_property
    def future(self) -> Future[Result] | None:
        """Return the call, sent once; None where it is made here."""
        return self.send() if self.send is not None else None

    def __call__(self) -> Result:
        """Return the result; raises what the call does. What a process that died was to do is done here, and told."""
        if self.future is None:
            return self.here()
        try:
            return self.future.result()
        except ChildProcessError as error:
            self.tell(f"{error}: {self.name} is called again here")
            return self.here()


@dataclass(frozen=True)
class Beside:
    """Has functions of a family and its tables called: in other processes, or here when the result is asked for."""

    family: Family
    tables: ReleaseTables
    kept_tables: KeptTables
    tell: Callable[[str], None]
    others: OwnProcesses | None
    processes: int
    """How many calls compute at once."""
    at_once: bool = False
    """Whether calls are sent when they are begun, and not when they are waited for."""

    def begin(
        self,
        function: Callable[..., Result],
        *arguments: Any,
        after: PendingCall[Any] | None = None,
        yields: bool = False,
    ) -> PendingCall[Result]:
        """Return what gives `function(family, tables, *arguments)`.

        With `after`, the result of that call is the last argument. What `yields` has the time that the others leave.
        """

        def here() -> Result:
            return function(self.family, self.tables, *arguments, *([after()] if after is not None else []))

        def send(others: OwnProcesses) -> Future[Result]:
            runner = _call_nicely if yields and self.at_once else _call
            return others.submit(runner, function, self.kept_tables, *arguments, after=after.future if after else None)

        begun = PendingCall(here, partial(send, self.others) if self.others else None, function.__name__, self.tell)
        if self.at_once:
            _ = begun.future
        return begun


@contextmanager
def beside(
    family: Family,
    tables: ReleaseTables,
    kept_tables: KeptTables,
    processes: int,
    memory_mb: int,
    tell: Callable[[str], None],
) -> Iterator[Beside]:
    """Yield what works beside the gate: processes, each of which needs so much memory, as have room.

    They are twice as many as compute at once, since some yield to the others; one, where one computes. None where tasks
    and rows are few, or where no memory is left. They end with the `with`.
    """
    most = min(2 * processes if processes > 1 else 1, free_memory_mb() // memory_mb)
    rows = sum(version.rows for version in kept_tables.versions.values())
    if most < 1 or (len(tables.tasks) < FEWEST_TASKS and rows < FEWEST_ROWS):
        yield Beside(family, tables, kept_tables, tell, None, 1)
        return
    with OwnProcesses(most) as others:
        yield Beside(family, tables, kept_tables, tell, others, min(processes, most), at_once=processes > 1)


def _call(function: Callable[..., Result], kept_tables: KeptTables, *arguments: Any) -> Result:
    family = families()[kept_tables.family]
    return function(family, kept_tables.read(Home(kept_tables.home_url), family), *arguments)


def _call_nicely(function: Callable[..., Result], kept_tables: KeptTables, *arguments: Any) -> Result:
    """Call it in what time others leave; whatever this process is given later yields too."""
    os.nice(YIELDS)
    return _call(function, kept_tables, *arguments)
