"""A large CSV file as columns of text, read by Arrow; what that may read otherwise than Python's `csv` is not read.

Both know a quote only where a cell begins, take a doubled one for a quote and what stands after a closing one for text
of the cell, and pass empty lines. What else they do otherwise is an error to Arrow: rows of another width than the
header's. Between two blocks Arrow loses line ends of a quote that is never closed: the file is one block. Text that is
not UTF-8 is looked for here, since Arrow reads the columns that are asked for alone.
"""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow as pa


def text_columns(data: bytes, columns: tuple[str, ...]) -> pa.Table | None:
    """Return the columns of CSV with a header in one line, every cell a text; of columns of one name the first.

    None where the file is no such CSV, lacks a column, or must be read row by row to say what is wrong with it.
    """
    import pyarrow as pa
    from pyarrow import csv as arrow_csv

    try:
        _require_utf8(data)
        reader = csv.reader(io.TextIOWrapper(io.BytesIO(data), "utf-8-sig", newline=""))
        header = next(reader, [])
        if reader.line_num != 1 or not set(columns) <= set(header):
            return None
        names = {str(header.index(column)): column for column in columns}
        table = arrow_csv.read_csv(
            pa.BufferReader(data),
            read_options=arrow_csv.ReadOptions(
                use_threads=False, block_size=len(data), skip_rows=1, column_names=[*map(str, range(len(header)))]
            ),
            parse_options=arrow_csv.ParseOptions(newlines_in_values=True),
            convert_options=arrow_csv.ConvertOptions(
                include_columns=list(names), column_types=dict.fromkeys(names, pa.string()), strings_can_be_null=False
            ),
        )
    except (pa.ArrowInvalid, csv.Error):
        return None
    return table.rename_columns(list(names.values()))


def _require_utf8(data: bytes) -> None:
    """Raise ArrowInvalid for what is not UTF-8."""
    import numpy as np
    import pyarrow as pa

    ends = pa.py_buffer(np.array([0, len(data)], dtype=np.int64))
    pa.Array.from_buffers(pa.large_string(), 1, [None, ends, pa.py_buffer(data)]).validate(full=True)
