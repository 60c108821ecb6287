"""The public edition of a release that may not be shared whole: its forbidden values as pointers and hashes.

A value is left out where a licence of its row forbids sharing what its column holds. The row stays, with its keys and
source pointers, and with one hash over all values that it lacks. Keys that are values themselves are left out too.
Who lacks the values cannot find them by trying: a row's hash can be computed only from all that the release lacks.
"""

from __future__ import annotations

import datetime as dt
import types
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from assets.release.licences import BIT, forbidden_bits
from schemas.nested import Leaf, without_leaves
from schemas.release import ColumnsUnder, Manifest, Withheld
from schemas.stable import content_hash
from schemas.table import Column, Field, Table

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa

HASH = "withheld_hash"
OF_VALUES = frozenset({"content_hash", "depends_on"})
"""Columns that hash what a task says, and what its plan rests on: of a few names they tell which one it is."""
PICTURES = "record/maps/"
RECIPE, LOCK = "complete/recipe.toml", "complete/recipe.lock.json"
"""What a public edition carries so that it can be completed: the recipe, and the inputs by hash."""


def withheld_rows(
    table: type[Table], rows: pa.Table, licences: np.ndarray
) -> tuple[type[Table], pa.Table, dict[str, int]]:
    """Return the table's public declaration, its rows without the forbidden values, and how many each leaf lacks.

    A row's hash is still over its own values alone: see `sealed_hashes`.

    `licences` are the bits of each row. Where nothing is forbidden, the table and its rows as they are. Of a nested
    column only the leaves are left out that may not be shared. A hash of forbidden values is left out with them.
    """
    import pyarrow as pa

    forbidden: dict[str, np.ndarray] = {}
    leaves: dict[str, list[tuple[Leaf, np.ndarray]]] = {}
    for column, leaf, mask in forbidden_leaves(table, licences):
        leaves.setdefault(column.name, []).append((leaf, mask))
        if not column.shape.is_nested:
            forbidden[column.name] = mask
    if not leaves:
        return table, rows, {}
    values = {name: rows[name].to_pylist() for name in leaves}
    hashes: list[str | None] = []
    for number in range(rows.num_rows):
        lacking = {
            name: _plain(values[name][number])
            for name, leaf_masks in leaves.items()
            if any(m[number] for _, m in leaf_masks)
        }
        hashes.append(content_hash(lacking) if lacking else None)
    public = public_table(table, forbidden)
    shapes = {column.name: column.shape for column in table.columns()}

    def public_column(name: str, kind: pa.DataType) -> pa.Array:
        if name == HASH:
            return pa.array(hashes, pa.string())
        if name in forbidden or name not in leaves:
            return _without(rows[name].combine_chunks(), forbidden.get(name))
        public_values = []
        for number, value in enumerate(values[name]):
            paths = frozenset(leaf.path for leaf, mask in leaves[name] if mask[number])
            public_values.append(without_leaves(shapes[name], value, paths, (name,)) if paths else value)
        return pa.array(public_values, kind)

    schema = public.arrow_schema()
    cells = {leaf.name: int(mask.sum()) for leaf_masks in leaves.values() for leaf, mask in leaf_masks}
    return public, pa.Table.from_arrays([public_column(f.name, f.type) for f in schema], schema=schema), cells


def forbidden_leaves(table: type[Table], licences: np.ndarray) -> Iterator[tuple[Column, Leaf, np.ndarray]]:
    """Yield each leaf that may not be shared in some rows, whose licences are bits, and in which."""
    for column in table.columns():
        for leaf in column.leaves:
            holds = "source" if column.name in OF_VALUES else column.leaf_holds(leaf)
            mask = (licences & forbidden_bits(holds)) != 0
            if mask.any():
                yield column, leaf, mask


def sealed_hashes(tables: Mapping[str, pa.Table]) -> dict[str, pa.Table]:
    """Return an edition's tables, by name, with the hash of each row that lacks values sealed.

    The hash of one row's values alone tells them to whoever tries them all where they are few, such as a city's tier or
    a day's weather, and equal rows by equal hashes. A sealed one is over the hashes of all rows of all tables, and over
    its table and place.
    """
    import pyarrow as pa

    hashes = {name: rows[HASH].to_pylist() for name, rows in tables.items() if HASH in rows.column_names}
    of_all = content_hash(hashes)
    sealed = dict(tables)
    for name, of_rows in hashes.items():
        values = [one and content_hash([of_all, name, number, one]) for number, one in enumerate(of_rows)]
        place = tables[name].schema.get_field_index(HASH)
        sealed[name] = tables[name].set_column(place, tables[name].schema.field(HASH), pa.array(values, pa.string()))
    return sealed


def still_held(table: type[Table], rows: pa.Table, licences: np.ndarray) -> dict[str, int]:
    """Return, by leaf, how many rows of a table hold a value there that their licences (bits) forbid to share."""
    counts: dict[str, int] = {}
    for column in table.columns():
        for leaf in column.leaves:
            mask = (licences & forbidden_bits(column.leaf_holds(leaf))) != 0
            if not mask.any() or column.name not in rows.column_names:
                continue
            values = (v for v, is_forbidden in zip(rows[column.name].to_pylist(), mask, strict=True) if is_forbidden)
            count = sum(not lacks(column, leaf, value) for value in values)
            counts |= {leaf.name: count} if count else {}
    return counts


def lacks(column: Column, leaf: Leaf, value: Any) -> bool:
    """Return whether a column's value has nothing at the leaf."""
    return value == without_leaves(column.shape, value, frozenset({leaf.path}), (column.name,))


def withheld_manifest(
    manifest: Manifest, version: str, cells: dict[str, dict[str, int]], left_out: list[str]
) -> Manifest:
    """Return the public edition's manifest, its files not yet filled in."""
    withheld = Withheld(
        completes_to=version,
        files={file.path: file.sha256 for file in manifest.files},
        cells=cells,
        left_out=left_out,
    )
    return manifest.model_copy(
        update={"withheld": withheld, "files": [], "columns_under": what_is_left(manifest.columns_under)}
    )


def what_is_left(entries: Iterable[ColumnsUnder]) -> list[ColumnsUnder]:
    """Return a release's entries without the columns that its edition withholds; those that become alike are one."""
    left: dict[tuple[str, str, bool], ColumnsUnder] = {}
    for entry in entries:
        bit = BIT[entry.licence_id]
        source = [] if bit & forbidden_bits("source") else entry.source
        derived = [] if bit & forbidden_bits("derived") else entry.derived
        if source or derived:
            public = entry.model_copy(update={"source": source, "derived": derived})
            rows = public.rows + (left[public.key].rows if public.key in left else 0)
            left[public.key] = public.model_copy(update={"rows": rows})
    return [*left.values()]


def _without(values: pa.Array, mask: np.ndarray | None) -> pa.Array:
    import pyarrow as pa
    import pyarrow.compute as pc

    return (
        values if mask is None else pc.call_function("if_else", [pa.array(mask), pa.scalar(None, values.type), values])
    )


def public_table(table: type[Table], lacking: Collection[str]) -> type[Table]:
    """Return the table's declaration with a column for the hash, and null allowed where values are left out."""
    columns_by_name: dict[str, Any] = {c.name: c for c in table.columns()}
    body: dict[str, Any] = {name: columns_by_name[name].constraint for name in lacking}
    hints: dict[str, Any] = {}
    for name in lacking:
        column = columns_by_name[name]
        kind = types.GenericAlias(list, column.item) if column.item else column.type
        hints[name] = kind | None
    body[HASH] = Field(
        "sha256 over the values left out of the row and all others that the release lacks; null if the row lacks none.",
        holds="ours",
    )
    hints[HASH] = str | None
    public = type(table.__name__, (table,), {**body, "__annotations__": hints, "__module__": __name__})
    public.__doc__ = table.__doc__
    return public


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_plain(inner) for inner in value]
    return value.isoformat() if isinstance(value, dt.date) else value
