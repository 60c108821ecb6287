"""Step: one table of the build as plain data: what it reads, the function that makes it, what must hold of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from assets.accounts import Accounts
from assets.answers import giving
from assets.named import function_of, load, module_of
from schemas.source import MAX_UNREADABLE, Snapshot
from schemas.table import Table

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa


@dataclass(frozen=True)
class Raw:
    """A step's input that is not a table: every file bound to one role of one source."""

    source: str
    role: str


@dataclass(frozen=True)
class RawFile:
    """One raw file as a step gets it: what the lock says of it, and where its verified bytes can be read.

    More than `max_unreadable` of its rows that cannot be read make it a failed file.
    """

    snapshot: Snapshot
    path: Path
    max_unreadable: float = MAX_UNREADABLE


def distinct_files(files: Iterable[RawFile]) -> list[RawFile]:
    """Return the files, of those with the same bytes one: a file may be bound for several cities."""
    return list({file.snapshot.sha256: file for file in files}.values())


@dataclass
class Outcome:
    """What a step made: its rows, the rows it dropped and why, and facts worth keeping with them.

    `rejections` are mappings with `row`, `reason` and `detail`, or an Arrow stream of them where they may not fit in
    memory; `merged` counts input rows that became part of another; `rows_in` is the number of input rows the
    accounting starts from, None where the step makes rows of its own. `generations` names the model calls that the
    rows rest on.
    """

    rows: pd.DataFrame | pa.Table | pa.RecordBatchReader
    rejections: list[dict[str, str]] | pd.DataFrame | pa.RecordBatchReader = field(default_factory=list)
    merged: int = 0
    rows_in: int | None = None
    facts: dict[str, Any] = field(default_factory=dict)
    generations: Iterable[str] = ()


@dataclass(frozen=True)
class Verdict:
    """The answer of a check: whether its sentence holds, and what was found."""

    holds: bool
    finding: str


@dataclass(frozen=True)
class Job:
    """One piece of a step's work that needs none of the others: what it asks, as JSON, and its `arguments`."""

    about: Any
    arguments: Any


@dataclass(frozen=True)
class Requirement:
    """One thing a family needs of every city: how much of what, and what would give it.

    `requirement` names what is counted (`assets.spatial.coverage`); `every` is as many as the recipe asks for, such as
    its trip dates.
    """

    family: str
    requirement: str
    needed: int | Literal["every"]
    noun: str
    remedy: str


class _Nobodys:
    """What is not to be found in any record."""


NOBODYS = _Nobodys()
"""Stands for a value that no record tells, but a declared rule or model: the release counts such cells by column."""


@dataclass(frozen=True)
class Step:
    """One table of the build.

    `run` names the function that makes it as `module:function`, loaded when it is run; a step's fingerprint is that
    function's import closure. It takes the inputs in order and, by keyword, the configuration its signature names.
    `per` says whether it runs for each city or once a recipe. A check, named alike, is a sentence about the rows that
    can be false: it takes them (and, by keyword, configuration) and returns a Verdict; one that does not hold blocks
    everything that depends on the step, for that city alone. Both get tables as pandas frames, or as Arrow keeps them
    where the parameter is annotated `pa.Table`. A step that may ask a model names its job; its keyword `ask` is then
    an `assets.language.asking.Ask`, None where the recipe says `rules`. `memory_mb` is what one run needs at most: so
    many run at once as the machine's memory allows.

    A step that the core makes of a family's functions says which family, and which of them it `uses`, by the names
    under which `run` finds them in its keyword `uses`; `settings` are further keywords, `arrow` the inputs that it
    takes as Arrow keeps them. The `world` tables among its inputs are no arguments: its keyword `world` is what the
    family makes of them, once in a process for all steps that read the same. `accounts` says what its rows are held
    against (`assets.accounts`): no step of the build goes without.
    `sources` names what a row must be by its source records, (row, parsed records) → by column, the values it may have,
    or NOBODYS where no record tells one; a column that it does not name is as one of the records has it. Of the row it
    sees the columns alone that hold no source's value.
    A step whose work falls into jobs names how one is done in `shard`: (read, `section`, `uses`) → (Job) → JSON;
    `read` gives the world. Its keyword `share` is then (jobs, how one is done here, how many at most) → results in
    their order, None where everything is done here. A result must depend on nothing but the inputs and what its job is
    about.
    """

    output: type[Table]
    run: str
    inputs: tuple[type[Table] | Raw, ...] = ()
    per: Literal["city", "recipe"] = "city"
    checks: tuple[str, ...] = ()
    job: Literal["", "reviews", "wording", "preferences"] = ""
    family: str = ""
    uses: Mapping[str, str] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)
    world: tuple[type[Table], ...] = ()
    arrow: tuple[type[Table], ...] = ()
    accounts: Accounts = ""
    sources: str = ""
    memory_mb: int = 1000
    shard: str = ""

    def __post_init__(self) -> None:
        for name in (self.run, *self.checks, *self.uses.values(), *filter(None, [self.sources, self.shard])):
            module_of(name)

    @property
    def tables(self) -> tuple[type[Table], ...]:
        """Return the inputs that are tables, in order."""
        return tuple(table for table in self.inputs if not isinstance(table, Raw))

    @property
    def functions(self) -> dict[str, Callable[..., Any]]:
        """Return the family's functions that the step uses, whose answers are held against the contract."""
        return {name: giving(name, function) for name, function in self.uses.items()}

    @property
    def name(self) -> str:
        """Return the step's name, which is its table's."""
        return self.output.table_name()

    @cached_property
    def function(self) -> Callable[..., Any]:
        """Return the function that makes the table, its module imported now."""
        return load(self.run)

    @property
    def check_names(self) -> tuple[str, ...]:
        """Return the names of the checks, without their modules."""
        return tuple(function_of(check) for check in self.checks)
