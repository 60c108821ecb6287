"""Whole: rows in, out, merged and rejected, counted again from the release's tables, whatever a step's record says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from assets.family import Family, all_steps
from assets.release.reading import OpenedRelease


def whole(release: OpenedRelease, family: Family) -> list[str]:
    """Return every step whose accounting says otherwise than the tables, or whose rows do not add up."""
    rejected: dict[str, Counter[str]] = {}
    rows = release.rows("rejections")
    for step, reason in zip(rows["step"].to_pylist(), rows["reason"].to_pylist(), strict=True):
        rejected.setdefault(step, Counter())[reason] += 1
    files = {f.path.removesuffix(".parquet") for f in release.manifest.files}
    out = {
        table.table_name(): release.rows(file).num_rows
        for table in family.released
        if (file := family.file_of(table)) in files
    }
    steps = all_steps([family])
    said = {entry["step"]: entry for entry in release.manifest.accounting}
    problems = [f"{step}: has rejections, and is not accounted for" for step in sorted(set(rejected) - set(said))]
    for name, entry in said.items():
        problems += _of_step(entry, rejected.get(name, Counter()), out.get(name))
        reads = steps[name].accounts if name in steps else ""
        if isinstance(reads, type) and reads.table_name() in said and entry["rows_in"] is not None:
            given = said[reads.table_name()]["rows_out"]
            if entry["rows_in"] != given:
                problems.append(f"{name}: {entry['rows_in']} rows in, but {reads.table_name()} has {given} rows")
    return problems


def _of_step(entry: Mapping[str, Any], rejected: Counter[str], rows: int | None) -> Iterable[str]:
    step = entry["step"]
    if dict(rejected) != dict(entry["rejected"]):
        said = sum(entry["rejected"].values())
        yield f"{step}: is said to reject {said} rows, the rejections hold {sum(rejected.values())} of it"
    if rows is not None and rows != entry["rows_out"]:
        yield f"{step}: is said to make {entry['rows_out']} rows, its table holds {rows}"
    made = entry["rows_out"] if rows is None else rows
    if entry["rows_in"] is not None and entry["rows_in"] != made + sum(rejected.values()) + entry["merged"]:
        yield (
            f"{step}: {entry['rows_in']} rows in, but {made} out + {sum(rejected.values())} rejected + "
            f"{entry['merged']} merged"
        )
