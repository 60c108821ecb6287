"""Step: one table of the build as plain data: what it reads, the function that makes it, what must hold of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

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
    found: str


Check = Callable[..., Verdict]
"""A named sentence about a step's rows that can be false; its docstring says why it matters."""


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


@dataclass(frozen=True)
class Step:
    """One table of the build.

    `run` takes the inputs in order and, by keyword, the configuration its signature names. `per` says whether it
    runs for each city or once a recipe. A check takes the output rows (and, by keyword, configuration) and returns a
    Verdict; one that does not hold blocks everything that depends on the step, for that city alone. Both get tables
    as pandas frames, or as Arrow keeps them where the parameter is annotated `pa.Table`. A step that may ask a model
    names its job; its keyword `ask` is then an `assets.language.asking.Ask`, None where the recipe says `rules`.
    """

    output: type[Table]
    run: Callable[..., Any]
    inputs: tuple[type[Table] | Raw, ...] = ()
    per: Literal["city", "recipe"] = "city"
    checks: tuple[Check, ...] = ()
    job: Literal["", "reviews", "wording", "preferences"] = ""

    @property
    def name(self) -> str:
        """Return the step's name, which is its table's."""
        return self.output.table_name()
