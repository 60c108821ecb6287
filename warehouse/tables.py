"""Parquet table versions: named by the sha256 of their bytes; the same rows give the same bytes."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from schemas.release import CANARY
from schemas.table import Table, TableError
from warehouse.disk import discard, writing
from warehouse.owners import part
from warehouse.store import Store, StoreError, sha256_of

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa
    import pyarrow.parquet as pq

ROW_GROUP_ROWS = 65_536
SORT_MEMORY = "400MB"


@dataclass(frozen=True)
class TableVersion:
    """One version of a table: its name, the sha256 of its Parquet bytes, its number of rows."""

    table: str
    sha256: str
    rows: int

    @property
    def key(self) -> str:
        """Return where the store keeps it."""
        return f"tables/{self.table}/{self.sha256}.parquet"


class Tables:
    """The table versions of a store."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._empty: dict[type[Table], TableVersion] = {}

    def write(self, table: type[Table], rows: pd.DataFrame | pa.Table | pa.RecordBatchReader) -> TableVersion:
        """Return the version that holds the rows, sorted by the table's key and validated.

        Raises TableError if the rows do not fit the declaration or the key repeats; nothing is kept then.
        """
        return self._write(table, rows, None)[""]

    def join(self, table: type[Table], versions: Sequence[TableVersion]) -> TableVersion:
        """Return one version with the rows of several, as `write` gives it of all of them. Raises TableError likewise.

        Versions are sorted; where no two overlap, as those of cities, their order is that of their first keys, and
        nothing is sorted again: that would take three times the memory.
        """
        import pyarrow as pa

        parts = [rows for version in versions if (rows := self.read(version)).num_rows]
        spans = sorted(
            (_key_at(table, rows, 0), _key_at(table, rows, rows.num_rows - 1), n) for n, rows in enumerate(parts)
        )
        is_sorted = bool(table.key()) and all(last < first for (_, last, _), (first, _, _) in pairwise(spans))
        rows = pa.concat_tables([parts[n] for _, _, n in spans]) if parts else table.arrow_schema().empty_table()
        return self._write(table, rows, None, is_sorted=is_sorted)[""]

    def write_by_city(
        self, table: type[Table], rows: pd.DataFrame | pa.Table | pa.RecordBatchReader, city_ids: Iterable[str]
    ) -> dict[str, TableVersion]:
        """Return one version a city, an empty one for a city without rows. The table's first key must be `city_id`.

        Raises TableError as `write` does, and for a row of a city that is not asked for.
        """
        return self._write(table, rows, sorted(city_ids))

    def holds(self, version: TableVersion) -> bool:
        """Return whether the version's bytes are here."""
        return self._store.exists(version.key)

    def read(
        self, version: TableVersion, columns: Sequence[str] | None = None, repeated: Sequence[str] = ()
    ) -> pa.Table:
        """Return the version's rows, all their columns or some, verified against its hash.

        Columns of texts that are `repeated` come as Arrow's dictionaries, as Parquet keeps them: that is much quicker.
        Raises StoreError if they have changed.
        """
        with self._file(version, repeated) as file:
            return file.read(list(columns) if columns is not None else None)

    def pieces(self, version: TableVersion, columns: Sequence[str], rows: int) -> Iterator[pa.RecordBatch]:
        """Yield some columns of the rows, at most so many rows at a time. Raises StoreError as `read` does."""
        with self._file(version) as file:
            yield from file.iter_batches(rows, columns=list(columns))

    def count(self, version: TableVersion) -> int:
        """Return how many rows the version's file has, whatever its record says. Raises StoreError as `read` does."""
        with self._file(version) as file:
            return file.metadata.num_rows

    @contextmanager
    def _file(self, version: TableVersion, repeated: Sequence[str] = ()) -> Iterator[pq.ParquetFile]:
        import pyarrow.parquet as pq

        with self._verified_file(version) as path:
            yield pq.ParquetFile(path, read_dictionary=list(repeated))

    @contextmanager
    def _verified_file(self, version: TableVersion) -> Iterator[Path]:
        with self._store.blob(version.key, version.sha256) as (path, actual_sha256):
            if actual_sha256 != version.sha256:
                raise StoreError(
                    f"table `{version.table}` has changed in the store: expected sha256 {version.sha256}, "
                    f"found {actual_sha256}. Delete {path} and build again."
                )
            yield path

    def copy_to(self, version: TableVersion, path: Path) -> None:
        """Copy the version's bytes to a local path, whole or not at all. Raises StoreError as `read` does."""
        with (
            self._verified_file(version) as source,
            writing(f"table `{version.table}`", path.parent, size_bytes=source.stat().st_size),
        ):
            partial = part(path.parent)
            try:
                shutil.copyfile(source, partial)
                partial.replace(path)
            except BaseException:
                discard(partial)
                raise

    def _write(
        self, table: type[Table], rows: Any, city_ids: list[str] | None, *, is_sorted: bool = False
    ) -> dict[str, TableVersion]:
        import pyarrow as pa

        with writing(f"table `{table.table_name()}`", self._store.folder("tables")), ExitStack() as opened:
            streamed = isinstance(rows, pa.RecordBatchReader)
            folder = opened.enter_context(self._store.scratch()) if streamed else None
            chunks = (
                _streamed_chunks(table, rows, folder) if folder else _sorted_chunks(table, rows, is_sorted=is_sorted)
            )
            files: dict[str, _OpenVersion] = {}

            def file_of(part: str) -> _OpenVersion:
                if part not in files:
                    files[part] = _OpenVersion(table, folder / f"{len(files)}.parquet" if folder else None)
                    opened.callback(files[part].close)
                return files[part]

            last_key: tuple[Any, ...] | None = None
            for chunk in chunks:
                last_key = _check_key(table, chunk, last_key)
                table.validate(chunk)
                for part, piece in _by_city(table, chunk, city_ids):
                    file_of(part).append(piece)
            without_rows = [part for part in (city_ids if city_ids is not None else [""]) if part not in files]
            if without_rows and not self._is_known_empty(table):
                file_of(without_rows[0])
            versions = {part: files[part].keep(self._store) for part in sorted(files)}
            for version in versions.values():
                if version.rows == 0:
                    self._empty[table] = version
            for part in without_rows:
                versions[part] = self._empty[table]
            return dict(sorted(versions.items()))

    def _is_known_empty(self, table: type[Table]) -> bool:
        """Return whether the version without rows was written before, and is still here: there is only one."""
        return table in self._empty and self.holds(self._empty[table])


class _OpenVersion:
    """A Parquet file being written in row groups of fixed size, however the rows arrive: to a path, or in memory."""

    def __init__(self, table: type[Table], path: Path | None) -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        self._name, self._path, self._rows = table.table_name(), path, 0
        self._memory = pa.BufferOutputStream()
        self._pending: pa.Table = table.arrow_schema().empty_table()
        self._is_open = True
        schema = table.arrow_schema().with_metadata({"canary": CANARY})
        matrices = [f"{c.name}.list.element" for c in table.columns() if c.item is float]
        layout: dict[str, Any] = {"use_dictionary": _leaves(table), "use_byte_stream_split": matrices}
        self._writer = pq.ParquetWriter(
            path or self._memory, schema, compression="zstd", compression_level=3, **(layout if matrices else {})
        )

    def keep(self, store: Store) -> TableVersion:
        """Return the version, closed and in the store."""
        self.close()
        data = self._memory.getvalue()
        sha256 = sha256_of(self._path) if self._path else hashlib.sha256(data).hexdigest()
        version = TableVersion(self._name, sha256, self._rows)
        if not store.exists(version.key):
            store.put_file(version.key, self._path) if self._path else store.put(version.key, memoryview(data))
        return version

    def append(self, rows: pa.Table) -> None:
        import pyarrow as pa

        self._rows += rows.num_rows
        self._pending = pa.concat_tables([self._pending, rows])
        while self._pending.num_rows >= ROW_GROUP_ROWS:
            self._flush(ROW_GROUP_ROWS)

    def close(self) -> None:
        if self._is_open:
            self._is_open = False
            if self._pending.num_rows:
                self._flush(self._pending.num_rows)
            self._writer.close()

    def _flush(self, count: int) -> None:
        group = self._pending.slice(0, count).combine_chunks()
        self._writer.write_table(group, row_group_size=ROW_GROUP_ROWS)
        self._pending = self._pending.slice(count)


def _leaves(table: type[Table]) -> list[str]:
    """Return Parquet's names of the columns whose values repeat: all but lists of floats, which are matrices."""
    return [f"{c.name}.list.element" if c.item else c.name for c in table.columns() if c.item is not float]


def _key_at(table: type[Table], rows: pa.Table, number: int) -> tuple[Any, ...]:
    return tuple(rows[name][number].as_py() for name in table.key())


def _sorted_chunks(table: type[Table], rows: pd.DataFrame | pa.Table, *, is_sorted: bool) -> Iterator[pa.Table]:
    """Yield the rows in the order of the table's key, with the declared types."""
    key, ordered = table.key(), table.arrow(rows)
    if key and ordered.num_rows and not is_sorted:
        ordered = ordered.sort_by([(name, "ascending") for name in key])
    for start in range(0, ordered.num_rows, ROW_GROUP_ROWS):
        yield ordered.slice(start, ROW_GROUP_ROWS)


def _streamed_chunks(table: type[Table], rows: pa.RecordBatchReader, folder: Path) -> Iterator[pa.Table]:
    """Yield the rows of a stream that may not fit in memory in the same order: DuckDB sorts, spilling to the folder."""
    import duckdb
    import pyarrow as pa

    config: dict[str, str | bool | int | float | list[str]] = {
        "memory_limit": SORT_MEMORY,
        "temp_directory": str(folder / "sort"),
        "threads": "2",
    }
    with duckdb.connect(config=config) as connection:
        connection.execute("SET enable_progress_bar = false")  # it is drawn on stdout, where answers are printed
        relation = connection.from_arrow(rows).order(", ".join(f'"{name}"' for name in table.key()))
        for batch in relation.to_arrow_reader(ROW_GROUP_ROWS):
            yield table.arrow(pa.Table.from_batches([batch]))


def _check_key(table: type[Table], chunk: pa.Table, last: tuple[Any, ...] | None) -> tuple[Any, ...] | None:
    """Return the chunk's last key. Raises TableError if a key repeats in the chunk or from the chunk before."""
    import pyarrow as pa
    import pyarrow.compute as pc

    names = table.key()
    if not names or not chunk.num_rows:
        return last
    keys = chunk.select(list(names))
    first = tuple(keys.slice(0, 1).to_pylist()[0].values())
    repeated = [first] if first == last else []
    if chunk.num_rows > 1:
        equal: Any = pa.scalar(True)
        for name in names:
            column = keys[name].combine_chunks()
            equal_in_column = pc.call_function("equal", [column.slice(0, len(column) - 1), column.slice(1)])
            equal = pc.call_function("and", [equal, equal_in_column])
        repeated += [tuple(row.values()) for row in keys.slice(1).filter(equal).slice(0, 3).to_pylist()]
    if repeated:
        examples = ", ".join(repr(k) for k in repeated[:3])
        raise TableError(f"table `{table.table_name()}`: key ({', '.join(names)}) repeats: {examples}")
    return tuple(keys.slice(chunk.num_rows - 1, 1).to_pylist()[0].values())


def _by_city(table: type[Table], chunk: pa.Table, city_ids: list[str] | None) -> Iterator[tuple[str, pa.Table]]:
    """Yield each city's run of rows in a chunk that is sorted by city."""
    import pyarrow.compute as pc

    if city_ids is None:
        yield "", chunk
        return
    for city_id in chunk["city_id"].unique().to_pylist():
        if city_id not in city_ids:
            raise TableError(
                f"table `{table.table_name()}`: found rows of city `{city_id}`, which the recipe does not name"
            )
        yield city_id, chunk.filter(pc.field("city_id") == city_id)
