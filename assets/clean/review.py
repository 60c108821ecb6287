"""Reviews of the recipe's places that somebody found useful, streamed: no row, kept or dropped, need fit in memory.

How a review file is read belongs in `sources/yelp/reviews.py`.
"""

from __future__ import annotations

import shutil
import tempfile
import weakref
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from assets.step import Outcome, RawFile
from schemas.rejection import Reason
from schemas.reviews import Review
from sources.yelp.reviews import MEMORY_LIMIT, read_reviews

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa
    import pyarrow.parquet as pq

_REPEATED = """
SELECT source_row, kept_row FROM (
  SELECT source_row, position, first_value(source_row) OVER same AS kept_row, row_number() OVER same AS copy
  FROM read_parquet($path)
  WINDOW same AS (PARTITION BY city_id, place_id, review_id ORDER BY position)
) WHERE copy > 1 ORDER BY position
"""


def reviews(files: list[RawFile], place: pd.DataFrame) -> Outcome:
    """Return the useful reviews of the places, and every other row with the reason why it was dropped.

    Of reviews with one id the first stays. Rows and rejections are streams over a scratch folder, which goes when
    both are done. Raises SourceError for a file that is not a Yelp review file.
    """
    spill = _Spill()
    rows_in, position = 0, 0
    with (
        spill.writer("kept", _kept_schema()) as kept_writer,
        spill.writer("dropped", _dropped_schema()) as dropped_writer,
    ):
        for file in {f.snapshot.sha256: f for f in files}.values():
            for block in read_reviews(file, _yelp_businesses(place)):
                rows_in += block.rows
                kept_writer.write_table(_numbered(block.reviews, position))
                position += block.reviews.num_rows
                dropped_writer.write_table(block.rejections.cast(_dropped_schema()))
    repeated = spill.first_by_repeat()
    return Outcome(spill.reviews(repeated), spill.rejections(repeated), rows_in=rows_in)


class _Spill:
    """A scratch folder with what a pass over the files kept and dropped; it goes with the last stream that reads it."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="tripwright-reviews-"))
        weakref.finalize(self, shutil.rmtree, self.folder, ignore_errors=True)

    def writer(self, name: str, schema: pa.Schema) -> pq.ParquetWriter:
        import pyarrow.parquet as pq

        return pq.ParquetWriter(self.folder / name, schema, compression="snappy")

    def first_by_repeat(self) -> dict[str, str]:
        """Return the pointer of each kept row whose review was kept before, with the pointer of the first."""
        import duckdb

        sort = str(self.folder / "sort")
        with duckdb.connect(config={"memory_limit": MEMORY_LIMIT, "temp_directory": sort}) as connection:
            connection.execute("SET enable_progress_bar = false")  # it is drawn on stdout, where answers are printed
            path = {"path": str(self.folder / "kept")}
            return dict(connection.sql(_REPEATED, params=path).fetchall())

    def reviews(self, repeated: dict[str, str]) -> pa.RecordBatchReader:
        import pyarrow as pa
        import pyarrow.compute as pc

        names = Review.arrow_schema().names
        gone = pa.array(list(repeated), pa.string())

        def batches() -> Iterator[pa.RecordBatch]:
            for batch in self._batches("kept"):
                is_gone = pc.call_function("is_in", [batch["source_row"]], pc.SetLookupOptions(gone))
                yield batch.filter(pc.call_function("invert", [is_gone])).select(names)

        return pa.RecordBatchReader.from_batches(Review.arrow_schema(), batches())

    def rejections(self, repeated: dict[str, str]) -> pa.RecordBatchReader:
        import pyarrow as pa

        schema = _dropped_schema()

        def batches() -> Iterator[pa.RecordBatch]:
            yield from self._batches("dropped")
            copies = [
                {"row": row, "reason": str(Reason.DUPLICATE), "detail": f"the review of {first}"}
                for row, first in repeated.items()
            ]
            yield pa.RecordBatch.from_pylist(copies, schema=schema)

        return pa.RecordBatchReader.from_batches(schema, batches())

    def _batches(self, name: str) -> Iterator[pa.RecordBatch]:
        import pyarrow.parquet as pq

        with pq.ParquetFile(self.folder / name) as file:
            yield from file.iter_batches()


def _yelp_businesses(place: pd.DataFrame) -> pa.Table:
    """Return the places that Yelp knows, by Yelp's id."""
    import pyarrow as pa

    of_yelp = place[place["place_id"].str.startswith("yelp:")]
    columns = {
        "native_id": of_yelp["place_id"].str.removeprefix("yelp:").tolist(),
        "city_id": of_yelp["city_id"].tolist(),
        "place_id": of_yelp["place_id"].tolist(),
    }
    return pa.table(columns, schema=pa.schema([(name, pa.string()) for name in columns]))


def _numbered(rows: pa.Table, position: int) -> pa.Table:
    """Return the rows with their position among all kept rows, in the scratch file's types."""
    import pyarrow as pa

    positions = pa.array(range(position, position + rows.num_rows), pa.int64())
    return rows.append_column("position", positions).select(_kept_schema().names).cast(_kept_schema())


def _kept_schema() -> pa.Schema:
    import pyarrow as pa

    return Review.arrow_schema().append(pa.field("position", pa.int64()))


def _dropped_schema() -> pa.Schema:
    import pyarrow as pa

    return pa.schema([("row", pa.string()), ("reason", pa.string()), ("detail", pa.string())])
