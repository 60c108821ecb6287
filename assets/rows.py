"""The rows that a family's functions are given: tables by name, each read when it is first asked for."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from schemas.table import Table

if TYPE_CHECKING:
    import pandas as pd


class LazyFrames(Mapping[str, "pd.DataFrame"]):
    """Tables by name, each read when it is first asked for: a family seldom needs its largest ones."""

    def __init__(self, readers: Mapping[str, Callable[[], Any]]) -> None:
        self._readers = readers
        self._frames: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._frames:
            self._frames[name] = self._readers[name]()
        return self._frames[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._readers)

    def __len__(self) -> int:
        return len(self._readers)


class LazyFiles(Mapping[str, bytes]):
    """Files by relative path, each read when it is asked for, and not kept."""

    def __init__(self, paths: Mapping[str, Path]) -> None:
        self._paths = paths

    def __getitem__(self, name: str) -> bytes:
        return self._paths[name].read_bytes()

    def __iter__(self) -> Iterator[str]:
        return iter(self._paths)

    def __len__(self) -> int:
        return len(self._paths)


@dataclass(frozen=True, eq=False)
class ReleaseTables:
    """The rows that a family reads: tables by name, as frames, or as Arrow where it says so; and its section."""

    tables: Mapping[str, Any]
    section: Mapping[str, Any] = field(default_factory=dict)
    published: Mapping[str, bytes] | None = None
    """Of a published folder that was opened, its files as they were found, by relative path; None where it is ours."""

    product_by_maker: dict[Any, tuple[list[Any], Any]] = field(default_factory=dict, repr=False)
    """What was made of rows, by what made it, with the tables it was made of."""

    def __getitem__(self, table: type[Table]) -> Any:
        """Return a table's rows. Raises KeyError saying which tables there are, for one that is not among them."""
        name = table.table_name()
        if name not in list(self.tables):  # asking a lazy mapping would read it
            raise KeyError(f"found no table {name}, only {', '.join(self.tables)}; a family declares what it reads")
        return self.tables[name]

    def once(self, make: Callable[[ReleaseTables], Any], *of: type[Table]) -> Any:
        """Return what `make` gives for these tables, made once for the same rows of the tables it is made `of`."""
        frames = [self[table] for table in of]
        if make not in self.product_by_maker or any(
            a is not b for a, b in zip(self.product_by_maker[make][0], frames, strict=True)
        ):
            self.product_by_maker[make] = frames, make(self)
        return self.product_by_maker[make][1]

    def only(self, task_ids: Collection[str]) -> ReleaseTables:
        """Return the tables with these tasks and their certificates alone."""
        some = {n: (rows := self.tables[n])[rows["task_id"].isin(task_ids)] for n in ("tasks", "certificates")}
        other_tables = {name: partial(self.tables.__getitem__, name) for name in self.tables if name not in some}
        return replace(self, tables=LazyFrames(other_tables | {name: partial(some.__getitem__, name) for name in some}))

    @property
    def tasks(self) -> pd.DataFrame:
        """Return the release's tasks, by id."""
        return self.tables["tasks"]

    @property
    def certificates(self) -> pd.DataFrame:
        """Return the release's certificates, by task."""
        return self.tables["certificates"]

    @property
    def numbers(self) -> dict[int, list[str]]:
        """Return the tasks that a number, as published plans give it, may mean: the folder's own, or places by id."""
        tasks = self.tasks.sort_values("task_id")
        task_numbers = tasks["slot"].tolist() if self.published is not None else range(1, len(tasks) + 1)
        ids_by_number: dict[int, list[str]] = {}
        for number, task_id in zip(task_numbers, tasks["task_id"].tolist(), strict=True):
            ids_by_number.setdefault(int(number), []).append(str(task_id))
        return ids_by_number
