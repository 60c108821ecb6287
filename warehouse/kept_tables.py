"""Tables read once and kept for as long as several steps read them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from schemas.table import Table
from warehouse.tables import Tables, TableVersion

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

KEPT_BYTES = 16 * 2**20
"""Versions up to this size are kept, as rows and as a frame; a larger one is read again."""


class KeptTables:
    """Reads versions of tables, verified, and keeps the small ones until told to forget them."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._rows: dict[tuple[TableVersion, tuple[str, ...], tuple[str, ...]], pa.Table] = {}
        self._frames: dict[TableVersion, pd.DataFrame] = {}

    def read(
        self,
        table: type[Table],
        versions: list[TableVersion],
        *,
        as_arrow: bool,
        columns: tuple[str, ...] = (),
        repeated: tuple[str, ...] = (),
    ) -> Any:
        """Return the rows of one or more versions together, as Arrow keeps them or as a frame of the caller's own.

        Rows as Arrow keeps them have all columns, or those that are named; of those, texts that are `repeated` come as
        dictionaries.
        Raises StoreError if a version's bytes have changed.
        """
        import pyarrow as pa

        if as_arrow or len(versions) > 1:
            rows = pa.concat_tables([self._rows_of(version, columns, repeated) for version in versions])
            return rows if as_arrow else table.frame(rows)
        (version,) = versions
        frame = self._frames.get(version)
        if frame is None:
            rows = self._rows_of(version)
            frame = table.frame(rows)
            if rows.nbytes <= KEPT_BYTES:
                self._frames[version] = frame
        return frame.copy(deep=False)  # pandas copies what the caller writes to

    def forget(self) -> None:
        """Free the memory."""
        self._rows.clear()
        self._frames.clear()

    def _rows_of(
        self, version: TableVersion, columns: tuple[str, ...] = (), repeated: tuple[str, ...] = ()
    ) -> pa.Table:
        rows = self._rows.get((version, columns, repeated))
        if rows is None:
            rows = self._tables.read(version, columns or None, repeated)
            if rows.nbytes <= KEPT_BYTES:
                self._rows[version, columns, repeated] = rows
        return rows
