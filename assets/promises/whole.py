"""Whole: rows in, out, merged and rejected, counted again from the tables, whatever a step's record says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Counted:
    """What one run of a step is said to have done, and what its tables hold.

    `rows_in` is None where the step makes rows of its own; `found_in` is counted from what it read, None where that
    cannot be counted.
    """

    step: str
    scope: str
    rows_in: int | None
    rows_out: int
    merged: int
    rejected: Mapping[str, int]
    found_in: int | None
    found_out: int
    found_rejected: Mapping[str, int]


def whole(runs: Iterable[Counted]) -> list[str]:
    """Return every step whose record says otherwise than its tables, or whose rows do not add up."""
    problems = []
    for run in runs:
        where = f"{run.step} {run.scope}".strip()
        if run.rows_out != run.found_out:
            problems.append(f"{where}: its record says {run.rows_out} rows out, its table holds {run.found_out}")
        if Counter(run.rejected) != Counter(run.found_rejected):
            said, found = sum(run.rejected.values()), sum(run.found_rejected.values())
            problems.append(f"{where}: its record says {said} rows rejected, its rejections hold {found}")
        if run.found_in is not None and run.rows_in != run.found_in:
            problems.append(f"{where}: its record says {run.rows_in} rows in, what it read holds {run.found_in}")
        rows_in = run.found_in if run.found_in is not None else run.rows_in
        if rows_in is None:
            continue
        accounted = run.found_out + sum(run.found_rejected.values()) + run.merged
        if rows_in != accounted:
            problems.append(
                f"{where}: {rows_in} rows in, but {run.found_out} out + {sum(run.found_rejected.values())} rejected + "
                f"{run.merged} merged"
            )
    return problems


def rejected_by_reason(rows: Any) -> dict[str, int]:
    """Return how many rows of a table of rejections have each reason."""
    return dict(Counter(rows["reason"].to_pylist()))
