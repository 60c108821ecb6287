"""Rows as the core's steps read them."""

from __future__ import annotations

import pandas as pd
import pyarrow as pa

from schemas.nested import stored_values
from schemas.table import Table


def arrow(table: type[Table], rows: pd.DataFrame) -> pa.Table:
    """Return rows of a table, which may lack columns, as Arrow keeps them."""
    return pa.table({c.name: stored_values(c.shape, rows[c.name].tolist()) for c in table.columns() if c.name in rows})
