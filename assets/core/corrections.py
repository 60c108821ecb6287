"""People's corrections applied to a table's rows, whatever step made them."""

from __future__ import annotations

from typing import Any

from assets.step import Outcome
from schemas.corrections import DROP, PROVENANCE
from schemas.rejection import Reason
from schemas.source import SourceError
from schemas.table import Table


def corrected(table: type[Table], outcome: Outcome, entries: list[dict[str, Any]]) -> Outcome:
    """Return what a step made, its rows as people corrected them.

    `entries` are those of `sources.corrections.overrides` for rows of this table. A corrected row points to its
    correction before its sources; one that was taken out is rejected with who, when and why. Raises SourceError if a
    correction names a row that was not made.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    outcome_rows: Any = outcome.rows
    rows = table.arrow(outcome_rows.read_all() if isinstance(outcome_rows, pa.RecordBatchReader) else outcome_rows)
    entries_by_row: dict[str, list[dict[str, Any]]] = {}
    for entry in entries:
        entries_by_row.setdefault(entry["row"], []).append(entry)
    refs = table.refs(rows)
    is_named = pc.call_function("is_in", [refs], pc.SetLookupOptions(pa.array(list(entries_by_row), pa.string())))
    row_by_ref = dict(zip(refs.filter(is_named).to_pylist(), rows.filter(is_named).to_pylist(), strict=True))
    missing = sorted(set(entries_by_row) - set(row_by_ref))
    if missing:
        raise SourceError(f"the overrides correct rows that are not there: {', '.join(missing)}")
    corrected_rows, rejected = [], []
    for ref, row in row_by_ref.items():
        drop = next((entry for entry in entries_by_row[ref] if entry["field"] == DROP), None)
        if drop is not None:
            detail = f"{drop['who']}, {drop['made_on']}: {drop['why']}"
            rejected.append({"row": ref, "reason": Reason.WITHDRAWN.value, "detail": detail})
            continue
        for entry in entries_by_row[ref]:
            row[entry["field"]] = entry["value"]
            row[PROVENANCE] = [entry["pointer"], *row[PROVENANCE]]
        corrected_rows.append(row)
    others = rows.filter(pc.call_function("invert", [is_named]))
    outcome.rows = pa.concat_tables([others, pa.Table.from_pylist(corrected_rows, schema=table.arrow_schema())])
    outcome.rejections = _with(outcome.rejections, rejected)
    return outcome


def _with(former: Any, rejected: list[dict[str, str]]) -> Any:
    """Return the rejections of a step, in whichever form it gave them, and some more."""
    import pandas as pd
    import pyarrow as pa

    if not rejected:
        return former
    if isinstance(former, pa.RecordBatchReader):
        former = former.read_all().to_pylist()
    if isinstance(former, pd.DataFrame):
        former = former.to_dict("records")
    return [*former, *rejected]
