"""The licences of a release, computed from the steps that made its rows, narrowed only along what was verified.

A row is under the licences of every file that its step could have read. Narrower, under those of the files that its
pointers name, only where every row of its table was read again from these records (`assets.promises.sources`). That
bears out its sources' own values; what is computed in it stands under those of its step's other inputs, too
(`assets.release.origins`). A task or certificate is under those of every row that its verified lineage names, what
is computed there included, and of every row whose name or place it says, chosen or not: a plan beside the witness names
places, too. A rejection and a model call are under those of every file that its step could have read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from schemas.counts import counted
from schemas.rejection import Rejection
from schemas.release import ColumnsUnder, Manifest
from schemas.source import LICENCES, Sharing, Snapshot
from schemas.table import Column, Table
from schemas.task import Certificate, LineageEdge, Task

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa

    from assets.release.origins import Origins

INVENTED = "LicenseRef-invented"
LICENCE_IDS = tuple(sorted(LICENCES))
BIT = {licence_id: 1 << number for number, licence_id in enumerate(LICENCE_IDS)}
"""A set of licences is an int with a bit for each, so that a table's rows have an array of them."""

COMPUTED = len(LICENCE_IDS)
"""By so many places to the left a licence's bit stands for that of a row's computed columns alone."""

WHOLE = (1 << COMPUTED) - 1
"""The bits of licences that a row is under with all its columns."""


def release_licences(inputs: Iterable[Snapshot]) -> list[dict[str, Any]]:
    """Return one entry per licence among the inputs: its terms, whom to attribute, and which sources are under it."""
    by_id: dict[str, list[Snapshot]] = {}
    for snapshot in inputs:
        by_id.setdefault(snapshot.licence_id, []).append(snapshot)
    entries = []
    for licence_id in sorted(by_id):
        licence = LICENCES[licence_id]
        snapshots = by_id[licence_id]
        entries.append(
            {
                "licence_id": licence_id,
                "title": licence.title,
                "url": licence.url,
                "sharing": licence.sharing.value,
                "share_alike": licence.share_alike,
                "attribution": sorted({s.attribution for s in snapshots if s.attribution}),
                "sources": sorted({s.source for s in snapshots}),
            }
        )
    return entries


def credit(licences: Iterable[dict[str, Any]]) -> str:
    """Return whom to name and under which licence, as a sentence; empty where no licence names anybody.

    That something is invented is told where all is: beside real places, that no place is real would not be true.
    """
    credited = [one for one in licences if one["attribution"]]
    credited = [one for one in credited if one["licence_id"] != INVENTED] or credited
    parts = [f"{', '.join(one['attribution']).rstrip('.')} ({one['title']})" for one in credited]
    return f"{'; '.join(parts)}." if parts else ""


def is_public(licences: Iterable[dict[str, Any]]) -> bool:
    """Return whether every licence lets the rows themselves be shared."""
    return all(entry["sharing"] == Sharing.ROWS.value for entry in licences)


def sharing_problems(manifest: Manifest) -> list[str]:
    """Return what of a release must not be shared, in words: table, columns, rows and licence; none if all may be."""
    if is_public(manifest.licences):
        return []
    if not manifest.columns_under:
        return ["the manifest does not say which rows are under which licence; build again with this tripwright"]
    return not_shareable(manifest.columns_under)


def computed_licence(manifest: Manifest) -> str:
    """Return the one licence that the whole release may be passed on under, or why there is none, as an id.

    One share-alike licence wins over those that only ask for attribution; several of them leave no common one.
    """
    under = {entry.licence_id for entry in manifest.columns_under}
    if sharing_problems(manifest):
        return "LicenseRef-not-for-redistribution"
    alike = sorted(licence_id for licence_id in under if LICENCES[licence_id].share_alike)
    credited = sorted(licence_id for licence_id in under if LICENCES[licence_id].attribution_required)
    if len(alike) == 1:
        return alike[0]
    if alike:
        return "LicenseRef-several-share-alike"
    if len(credited) == 1:
        return credited[0]
    return "LicenseRef-several-with-attribution" if credited else "CC0-1.0"


def forbidden_bits(holds: str) -> int:
    """Return the licences that forbid sharing a column which holds this of its sources (`Column.holds`)."""
    allowed = {"source": (Sharing.ROWS,), "derived": (Sharing.ROWS, Sharing.DERIVED), "ours": tuple(Sharing)}[holds]
    bits = sum(bit for licence_id, bit in BIT.items() if LICENCES[licence_id].sharing not in allowed)
    return bits | bits << COMPUTED if holds == "derived" else bits


def not_shareable(under: Iterable[ColumnsUnder]) -> list[str]:
    """Return, in words, the columns that must not be shared: table, licence, rows and columns; none if all may be."""
    lines = []
    for entry in under:
        bit = BIT[entry.licence_id]
        columns = entry.source if bit & forbidden_bits("source") else []
        columns = columns + (entry.derived if bit & forbidden_bits("derived") else [])
        if columns and entry.rows:
            licence = LICENCES[entry.licence_id]
            lines.append(
                f"{entry.table}: {', '.join(columns)} of {counted(entry.rows, 'row')} are under {licence.licence_id} "
                f"({licence.title}), which lets {_LETS[licence.sharing]} be shared"
            )
    return lines


_LETS = {
    Sharing.ROWS: "everything",
    Sharing.DERIVED: "only what is derived from its rows",
    Sharing.NOTHING: "neither its rows nor what is derived from them",
}


def asked_columns(table: type[Table]) -> list[str]:
    """Return the columns of a table that `row_licences` reads of it: all of tasks, of others keys and names of places.

    The pointers to sources are `by_pointers` there.
    """
    if issubclass(table, (Task, Certificate)):
        return list(table.columns_without_sources())
    if issubclass(table, LineageEdge):
        return ["task_id", "cells"]
    if issubclass(table, Rejection):
        return ["step"]
    return [column.name for column in table.columns() if column.constraint.key or _names_a_place(column)]


def row_licences(
    files: Mapping[str, tuple[type[Table], pa.Table]], origins: Origins, by_pointers: Mapping[str, np.ndarray]
) -> dict[str, np.ndarray]:
    """Return, for each file of a release, the licences (bits) of each of its rows.

    `by_pointers` are those of the files of which every row's pointers were verified. Of other rows `asked_columns` do.
    """
    import numpy as np

    bits_by_file: dict[str, np.ndarray] = {}
    context = {}
    for name, (table, rows) in files.items():
        if name in by_pointers:
            bits_by_file[name] = by_pointers[name]
        elif "generation_id" in table.key():
            calls = [origins.of_call.get(call, origins.everything) for call in rows["generation_id"].to_pylist()]
            bits_by_file[name] = np.array(calls, dtype=np.int64)
        elif issubclass(table, Rejection):
            steps = rows["step"].combine_chunks().dictionary_encode()
            of_step = [origins.of_step.get(step, origins.everything) for step in steps.dictionary.to_pylist()]
            bits_by_file[name] = np.array(of_step, dtype=np.int64)[steps.indices.to_numpy(zero_copy_only=False)]
        else:
            of_step = origins.of_step.get(table.table_name(), origins.everything)
            bits_by_file[name] = np.full(rows.num_rows, of_step, dtype=np.int64)
        if not issubclass(table, (Task, Certificate, LineageEdge)):
            context[table.table_name()] = (table, rows, bits_by_file[name])
    lineage = next((name for name, (table, _) in files.items() if issubclass(table, LineageEdge)), None)
    if lineage is None:
        return bits_by_file
    edges = files[lineage][1]
    of_edge, spelled_out = _of_edges(edges, context)
    by_task: dict[str, int] = {}
    for task_id, bits in zip(edges["task_id"].to_pylist(), of_edge.tolist(), strict=True):
        by_task[task_id] = by_task.get(task_id, 0) | bits
    bits_by_file[lineage] = spelled_out
    for name, (table, rows) in files.items():
        if issubclass(table, (Task, Certificate)):
            calls = rows["generation_ids"].to_pylist() if "generation_ids" in rows.column_names else []
            bits_of_texts = _of_what_is_said(rows, context)
            bits_by_file[name] = (
                np.array([by_task.get(t, origins.everything) for t in rows["task_id"].to_pylist()], np.int64)
                | bits_of_texts
            )
            for number, ids in enumerate(calls):
                bits_by_file[name][number] |= union(origins.of_call.get(call, origins.everything) for call in ids)
    return bits_by_file


def columns_under(
    files: Mapping[str, tuple[type[Table], pa.Table]], bits_by_file: Mapping[str, np.ndarray]
) -> list[ColumnsUnder]:
    """Return, for each file and licence, how many rows are under it and which columns hold what of them."""
    entries = []
    for name in sorted(files):
        columns = files[name][0].columns()
        source, derived = (_leaves_holding(columns, holds) for holds in ("source", "derived"))
        for licence_id, bit in BIT.items():
            is_under = (bits_by_file[name] & bit) != 0
            is_computed_under = ((bits_by_file[name] & bit << COMPUTED) != 0) & ~is_under
            table = name.removesuffix(".parquet")
            for mask, columns_of in ((is_under, source), (is_computed_under, [])):
                rows = int(mask.sum())
                if rows and (columns_of or derived):
                    entries.append(
                        ColumnsUnder(table=table, licence_id=licence_id, rows=rows, source=columns_of, derived=derived)
                    )
    return entries


def _leaves_holding(columns: Iterable[Column], holds: str) -> list[str]:
    return [leaf.name for column in columns for leaf in column.leaves if column.leaf_holds(leaf) == holds]


def _of_edges(
    edges: pa.Table, context: Mapping[str, tuple[type[Table], pa.Table, np.ndarray]]
) -> tuple[np.ndarray, np.ndarray]:
    """Return the licences of the rows that each edge of the lineage names, 0 where it names none.

    And the same only where a row's key, which the edge spells out, is made of the source's own values.
    """
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    cells = edges["cells"].to_pylist()
    refs_by_table: dict[str, set[str]] = {}
    for edge_cells in cells:
        for cell in edge_cells:
            refs_by_table.setdefault(cell["table"], set()).add(f"{cell['table']}/{cell['row']}")
    of_ref: dict[str, int] = {}
    of_values: dict[str, int] = {}
    for table, rows, row_bits in context.values():
        edge_refs = refs_by_table.get(table.table_name())
        if not edge_refs or not rows.num_rows or not table.key():
            continue
        refs = table.refs(rows)
        is_named = pc.call_function("is_in", [refs], pc.SetLookupOptions(pa.array(sorted(edge_refs), pa.string())))
        named_refs, bits = refs.filter(is_named).to_pylist(), row_bits[is_named.to_numpy()]
        of_ref |= dict(zip(named_refs, _of_all_columns(bits).tolist(), strict=True))
        if any(c.constraint.key and c.holds == "source" for c in table.columns()):
            of_values |= dict(zip(named_refs, (bits & WHOLE).tolist(), strict=True))
    arrays = [
        np.array(
            [union(bits_by_ref.get(f"{c['table']}/{c['row']}", 0) for c in edge_cells) for edge_cells in cells],
            dtype=np.int64,
        )
        for bits_by_ref in (of_ref, of_values)
    ]
    return arrays[0], arrays[1]


def _of_what_is_said(rows: pa.Table, context: Mapping[str, tuple[type[Table], pa.Table, np.ndarray]]) -> np.ndarray:
    """Return the licences of the rows whose name or place each row says, wherever in it a text is one of them."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    texts_and_rows: list[tuple[pa.Array, np.ndarray]] = []
    for name in rows.column_names:
        if name not in ("task_id", "city_id"):
            texts_and_rows += _texts(rows[name].combine_chunks(), np.arange(rows.num_rows))
    text_lookup = pc.SetLookupOptions(pa.chunked_array([texts for texts, _ in texts_and_rows], pa.string()).unique())
    of_text: dict[str, int] = {}
    for table, others, bits in context.values():
        for column in table.columns():
            if not _names_a_place(column):
                continue
            is_said = pc.call_function("is_in", [others[column.name]], text_lookup)
            texts_and_licences = zip(
                others[column.name].filter(is_said).to_pylist(),
                _of_all_columns(bits[is_said.to_numpy()]).tolist(),
                strict=True,
            )
            for text, licences in texts_and_licences:
                of_text[text] = of_text.get(text, 0) | licences
    name_lookup = pc.SetLookupOptions(pa.array(list(of_text), pa.string()))
    bits = np.array([*of_text.values(), 0], np.int64)
    row_bits = np.zeros(rows.num_rows, np.int64)
    for texts, of_row in texts_and_rows:
        which = pc.call_function("index_in", [texts], name_lookup).fill_null(len(of_text))
        np.bitwise_or.at(row_bits, of_row, bits[which.to_numpy()])
    return row_bits


def _of_all_columns(bits: np.ndarray) -> np.ndarray:
    """Return each row's licences, those of its computed columns as those of the row."""
    return (bits | bits >> COMPUTED) & WHOLE


def _names_a_place(column: Column) -> bool:
    return column.name == "place_id" or ("name" in column.name and column.holds == "source")


def _texts(values: pa.Array, of_row: np.ndarray) -> Iterator[tuple[pa.Array, np.ndarray]]:
    """Yield every array of texts in an array of nested values, and of which row each text is."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if pa.types.is_string(values.type):
        yield values, of_row
    elif pa.types.is_struct(values.type):
        for inner in values.flatten():
            yield from _texts(inner, of_row)
    elif pa.types.is_list(values.type):
        yield from _texts(values.flatten(), of_row[pc.call_function("list_parent_indices", [values]).to_numpy()])


def union(bits: Iterable[int]) -> int:
    """Return the bits of all sets of licences together."""
    union = 0
    for bit in bits:
        union |= bit
    return union
