"""The files of a release as they are written: what is listed beyond what a release has, and tables that are otherwise.

The same rows give the same bytes, so that a table is written again and compared: a column too many, a wider type, rows
in another order, a note in the metadata or statistics that lie are none of them a difference in the rows that are read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from assets.release.croissant import FILE_NAME
from assets.release.reading import NO_SOLUTION, OpenedRelease
from assets.release.withholding import LOCK, RECIPE
from schemas.counts import counted
from schemas.nested import Shape
from schemas.release import CANARY, RELEASE_FORMAT, ReleasedFile
from schemas.table import Table, TableError
from warehouse.releases import MANIFEST, manifest_bytes
from warehouse.store import Store
from warehouse.tables import Tables

if TYPE_CHECKING:
    import pyarrow as pa

SHOWN = 120
"""Characters of a column's type that are shown; of a nested one it has many."""


@dataclass
class FilesFound:
    """What is wrong with a release's files: `broken` ones cannot be read as declared, the `others` can."""

    broken: list[str] = field(default_factory=list)
    others: list[str] = field(default_factory=list)


def files_otherwise(release: OpenedRelease, tables: Mapping[str, type[Table]]) -> FilesFound:
    """Return how the files are otherwise than tripwright writes them; `tables` declares each Parquet file, by path."""
    flaws = FilesFound(others=[*_manifest(release), *_listed(release, tables)])
    described = {file.path: file for file in release.manifest.files}
    with TemporaryDirectory(prefix="tripwright-") as folder:
        scratch_tables = Tables(Store(folder))
        for path, table in tables.items():
            if path not in described:
                flaws.broken.append(f"{path}: not among the files; expected it in every release of this kind")
                continue
            rows = release.rows(path.removesuffix(".parquet"))
            problem = _misshapen(table, rows) or (
                unfit_values(table, rows) if release.manifest.withheld is None else ""
            )
            if not problem:
                try:
                    flaws.others += _file_flaws(described[path], table, rows, scratch_tables)
                except TableError as error:
                    problem = str(error)
            flaws.broken += [f"{path}: {problem}"] if problem else []
    return flaws


def _manifest(release: OpenedRelease) -> Iterator[str]:
    manifest = release.manifest
    if (release.folder / MANIFEST).read_bytes() != manifest_bytes(manifest):
        yield f"{MANIFEST}: is written otherwise than tripwright writes what it says: a key may stand there twice"
    if (manifest.format, manifest.canary) != (RELEASE_FORMAT, CANARY):
        yield f"{MANIFEST}: its format or its canary is not the releases' own"


def _listed(release: OpenedRelease, tables: Mapping[str, type[Table]]) -> Iterator[str]:
    """Yield the files that no release of the kind holds, which nothing vouches for, and what is said amiss of one."""
    is_whole = release.manifest.withheld is None
    texts = {"README.md", FILE_NAME, *(() if is_whole else (RECIPE, LOCK))}
    texts |= {NO_SOLUTION} if is_whole else set()  # how many it holds is judged where it is read
    for file in release.manifest.files:
        if file.path not in tables and file.path not in texts:
            yield f"{file.path}: listed in the manifest; no release of {release.manifest.family} holds such a file"
        size = (release.folder / file.path).stat().st_size
        if file.size_bytes != size:
            yield f"{file.path}: the manifest says {counted(file.size_bytes, 'byte')}, found {size:,}"
        if file.path not in tables and (file.rows, file.columns) != (None, None):
            yield f"{file.path}: the manifest describes rows or columns of it; expected them of tables alone"


def _misshapen(table: type[Table], rows: pa.Table) -> str:
    """Return in which columns rows are otherwise than declared; empty if in none."""
    declared, rows_schema = table.arrow_schema(), rows.schema
    columns_otherwise = []
    for name in dict.fromkeys([*rows_schema.names, *declared.names]):
        found_types, expected_types = (
            [schema.field(n).type for n in schema.get_all_field_indices(name)] for schema in (rows_schema, declared)
        )
        if found_types != expected_types:  # what the items of lists are called is no part of a type
            types_in_words = (
                " and ".join(str(kind)[:SHOWN] for kind in kinds) or "not there"
                for kinds in (found_types, expected_types)
            )
            columns_otherwise.append(f"{name} is {next(types_in_words)}, expected {next(types_in_words)}")
    if columns_otherwise:
        return f"its columns are otherwise than declared: {'; '.join(columns_otherwise)}"
    return "" if rows_schema.names == declared.names else "its columns stand in another order than declared"


def unfit_values(table: type[Table], rows: pa.Table) -> str:
    """Return what lists and nested values hold otherwise than declared, which no type of a column tells.

    Not asked of a public edition, which has null in the place of what it withholds.
    """
    columns = ((column.shape, rows[column.name].combine_chunks(), column.name) for column in table.columns())
    return "; ".join(
        text for shape, values, name in columns if shape.item or shape.keys for text in _unfit_in(shape, values, name)
    )


def _unfit_in(shape: Shape, values: pa.Array, where: str) -> Iterator[str]:
    """Yield what of Arrow's values is not as the shape declares, which their type cannot tell; `where` names them.

    That is null where no null may be, and a key that stands twice in one map, of which readers take either.
    """
    import pyarrow.compute as pc

    if values.null_count and not shape.nullable:
        yield f"{where} is null {counted(values.null_count, 'time')}, expected {shape.name}"
    if shape.kind == "struct":
        for key, key_values in zip(shape.keys, values.drop_null().flatten(), strict=True):
            key_shape = key.shape if key.required else replace(key.shape, nullable=True)
            yield from _unfit_in(key_shape, key_values, f"{where}.{key.name}")
    elif shape.item is not None:
        items = values.flatten()
        if shape.kind == "map":
            keys, items = items.flatten()
            yield from _unfit_in(Shape("scalar", type=str), keys, f"a key of {where}")
            if twice := _twice(pc.call_function("list_parent_indices", [values]), keys):
                yield f"{where} has the key {twice!r:.60} twice"
        yield from _unfit_in(shape.item, items, f"{where}[]")


def _twice(maps: pa.Array, keys: pa.Array) -> str | None:
    """Return a key that stands twice in one map, None if none does; `maps` says of each key in which it stands."""
    import pyarrow as pa

    counted = pa.table({"map": maps, "key": keys}).group_by(["map", "key"]).aggregate([([], "count_all")])
    return next((row["key"] for row in counted.to_pylist() if row["count_all"] > 1), None)


def _file_flaws(file: ReleasedFile, table: type[Table], rows: pa.Table, scratch_tables: Tables) -> Iterator[str]:
    """Yield how a file is otherwise than its rows are written and described. Raises TableError as `Tables.write`."""
    version = scratch_tables.write(table, rows)
    if version.sha256 != file.sha256:
        yield (
            f"{file.path}: is not the file that its rows make: their order, metadata or statistics are others; edited, "
            "or written by another version of pyarrow"
        )
    columns = {column.name: str(column.type) for column in table.arrow_schema()}
    if (file.rows, file.columns) != (version.rows, columns):
        yield f"{file.path}: the manifest describes other rows or columns than it has"
