"""Which raw files the rows of a release come from: those they point to, and what is computed in them was made of.

A row's own values are read again from the records that it points to; what its step computed is not, and may be made of
any input of the step. A row is one of the inputs that its step accounts for its rows by, or is made of some of them,
and says of which by its pointers. Every other input is an ingredient: a price level, ratings, a city's meal. What is
computed in a row that does not point into an ingredient stands under its licences all the same.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from assets.accounts import Keys, Rows
from assets.release.licences import BIT, COMPUTED, union
from assets.step import Raw, Step
from schemas.source import Snapshot
from schemas.table import Table

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa

ROWS_AT_ONCE = 10_000
"""Rows whose pointers are read at once: a row may have thousands."""


@dataclass(frozen=True)
class Ingredients:
    """The raw files (sha256) of each input that a step's rows are not accounted by; none where it has no files.

    Where the step names no such inputs (it counts records), all its inputs are here, and `is_accounted` is false: those
    into which no row of the table points are ingredients then.
    """

    files: tuple[frozenset[str], ...] = ()
    is_accounted: bool = True

    @classmethod
    def of(
        cls, step: Step, by_step: Mapping[str, set[str]], by_role: Mapping[tuple[str, str], set[str]]
    ) -> Ingredients:
        """Return a step's ingredients, by the files that steps could have read, and those of sources' roles."""
        accounts = step.accounts
        tables = accounts.tables if isinstance(accounts, Rows) else accounts.of if isinstance(accounts, Keys) else ()
        of_rows = {table.table_name() for table in tables}
        files_by_input = {
            one if isinstance(one, Raw) else one.table_name(): by_role.get((one.source, one.role), set())
            if isinstance(one, Raw)
            else by_step.get(one.table_name(), set())
            for one in step.inputs
        }
        accounted = set[str]().union(*(files for one, files in files_by_input.items() if one in of_rows))
        others = (frozenset(files - accounted) for one, files in files_by_input.items() if one not in of_rows)
        return cls(tuple(files for files in others if files), bool(of_rows))


class Origins:
    """Which licences the raw files are under, and which raw files each step could have read, by which of its inputs."""

    def __init__(
        self,
        inputs: Iterable[Snapshot],
        read_by_step: Mapping[str, set[str]],
        generation_steps: Mapping[str, set[str]],
        steps: Mapping[str, Step],
    ) -> None:
        """`read_by_step` maps a step to raw files by sha256; `generation_steps` a model call to the steps it is of."""
        self.of_file: dict[str, int] = {}
        by_role: dict[tuple[str, str], set[str]] = {}
        for snapshot in inputs:
            self.of_file[snapshot.sha256] = self.of_file.get(snapshot.sha256, 0) | BIT[snapshot.licence_id]
            by_role.setdefault((snapshot.source, snapshot.role), set()).add(snapshot.sha256)
        self.ingredients = {name: Ingredients.of(step, read_by_step, by_role) for name, step in steps.items()}
        self.of_step = {step: union(self.of_file.get(f, 0) for f in files) for step, files in read_by_step.items()}
        self.of_call = {
            call: union(self.of_step.get(step, 0) for step in steps) for call, steps in generation_steps.items()
        }

    @cached_property
    def everything(self) -> int:
        """Return the licences of all files together."""
        return union(self.of_file.values())


def files_pointed_to(pointers: pa.Array) -> pa.Array:
    """Return the sha256 of the file that each pointer of lists leads to, in order; null where it is no pointer."""
    import pyarrow.compute as pc

    flat = pc.call_function("list_flatten", [pointers])
    return pc.call_function("extract_regex", [flat], pc.ExtractRegexOptions("@(?P<sha256>[0-9a-f]{64})#")).field(0)


def licences_by_pointers(
    files: Mapping[str, tuple[type[Table], pa.Table]], origins: Origins, verified: Collection[str]
) -> dict[str, np.ndarray]:
    """Return the licences of each row's pointers, for the files whose tables are in `verified`."""
    bits_by_file = {}
    for name, (table, rows) in files.items():
        if table.table_name() in verified and "source_rows" in rows.column_names:
            pieces = rows.select(pointed_columns(table, origins)).to_batches(ROWS_AT_ONCE)
            bits_by_file[name] = pointed_licences(pieces, table, origins)
    return bits_by_file


def pointed_columns(table: type[Table], origins: Origins) -> list[str]:
    """Return the columns of a table that `pointed_licences` reads: what is computed only where it may matter."""
    ingredients = origins.ingredients.get(table.table_name())
    return ["source_rows", *(_computed_columns(table) if ingredients and ingredients.files else ())]


def pointed_licences(pieces: Iterable[pa.RecordBatch], table: type[Table], origins: Origins) -> np.ndarray:
    """Return the licences of each row's pointers, and of what is computed in it, piece by piece: there may be millions.

    The pieces have the columns that `pointed_columns` names.
    """
    import numpy as np
    import pyarrow.compute as pc

    ingredients = origins.ingredients.get(table.table_name(), Ingredients())
    of_rows, are_computed = [np.zeros(0, np.int64)], [np.zeros(0, bool)]
    point_into = [np.zeros((len(ingredients.files), 0), bool)]
    for piece in pieces:
        pointers = piece["source_rows"]
        parents = pc.call_function("list_parent_indices", [pointers]).to_numpy(zero_copy_only=False)
        sha256 = files_pointed_to(pointers).dictionary_encode()
        files = sha256.dictionary.to_pylist()
        bits = np.array([*(origins.of_file.get(f, origins.everything) for f in files), origins.everything], np.int64)
        codes = sha256.indices.fill_null(len(files)).to_numpy(zero_copy_only=False)
        of_rows.append(np.zeros(len(pointers), np.int64))
        np.bitwise_or.at(of_rows[-1], parents, bits[codes])
        point_into.append(np.zeros((len(ingredients.files), len(pointers)), bool))
        for number, of_input in enumerate(ingredients.files):
            point_into[-1][number, parents[np.array([*(f in of_input for f in files), False])[codes]]] = True
        are_computed.append(_has_computed(piece))
    row_bits, is_computed = np.concatenate(of_rows), np.concatenate(are_computed)
    for of_input, points in zip(ingredients.files, np.concatenate(point_into, axis=1), strict=True):
        if ingredients.is_accounted or not points.any():
            row_bits[is_computed & ~points] |= union(origins.of_file[f] for f in of_input) << COMPUTED
    return row_bits


def _computed_columns(table: type[Table]) -> list[str]:
    """Return the columns of a table that hold what was computed."""
    return [column.name for column in table.columns() if column.holds == "derived"]


def _has_computed(rows: pa.RecordBatch) -> np.ndarray:
    """Return of each row whether anything stands in a column beside its pointers: no null, no empty list."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    stands = np.zeros(rows.num_rows, dtype=bool)
    for name in set(rows.schema.names) - {"source_rows"}:
        values = rows[name]
        if pa.types.is_list(values.type):
            stands |= pc.call_function("list_value_length", [values]).fill_null(0).to_numpy(zero_copy_only=False) > 0
        else:
            stands |= values.is_valid().to_numpy(zero_copy_only=False)
    return stands
