"""What a step's rows are held against: rows of its inputs, expected keys, or what it counts itself as it reads.

A step says it once; the build counts when it has run, and the gate and the audit count again from a release's tables.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from schemas.counts import counted
from schemas.table import Table

SHOWN = 3


@dataclass(frozen=True)
class Rows:
    """Every row of the tables (those of a `kind`, where it says one) becomes a row, a part of one, or is rejected.

    With `of_one`, every row of one of the tables: of whichever the recipe chooses.
    """

    tables: tuple[type[Table], ...]
    kind: str = ""
    of_one: bool = False


@dataclass(frozen=True)
class Keys:
    """Rows of its own, whose `column` holds keys of the tables' `of_column` alone; with `each`, every one of them.

    Without tables, the keys are the recipe's cities. An empty text is no key.
    """

    column: str
    of: tuple[type[Table], ...] = ()
    of_column: str = ""
    each: bool = False


@dataclass(frozen=True)
class Own:
    """Rows of its own that stand for many at once, with no key of an input: what they are made of, in words."""

    made_of: str


Accounts = Rows | Keys | Own | Literal["", "records", "slots"]
"""`records` are those of raw files, or of whichever input a recipe chooses: the step counts them as it reads."""


@dataclass(frozen=True)
class Counts:
    """Where rows and keys are counted; each may answer None for what is not at hand.

    `rows` gives how many rows a table has (of a kind), `keys` the values of a table's column (None: the step's own
    table), `cities` and `slots` what the recipe says.
    """

    rows: Callable[[type[Table], str], int | None]
    keys: Callable[[type[Table] | None, str], set[str] | None]
    cities: set[str]
    slots: int | None = None


def problem(accounts: Accounts, rows_in: int | None, counts: Counts) -> str | None:
    """Return what of a step's rows in, or of its keys, is not what it says it accounts for; None if all is."""
    if isinstance(accounts, Rows):
        row_counts = [counts.rows(table, accounts.kind) for table in accounts.tables]
        if accounts.of_one and rows_in in row_counts:
            return None
        expected_count = None if None in row_counts else sum(n for n in row_counts if n is not None)
        names = " and ".join(table.table_name() for table in accounts.tables)
        if accounts.of_one and expected_count is not None and rows_in is not None:
            return f"{counted(rows_in, 'row')} in, but {names} have {' and '.join(map(str, row_counts))} rows"
        return _other(rows_in, expected_count, f"{names} have{f' of {accounts.kind}' if accounts.kind else ''}")
    if isinstance(accounts, Keys):
        return _of_keys(accounts, counts)
    if accounts == "slots":
        return _other(rows_in, counts.slots, "the recipe's section has as slots")
    return _other(rows_in, rows_in, "it counted") if accounts == "records" else None


def _other(rows_in: int | None, expected_count: int | None, what: str) -> str | None:
    if rows_in is None:
        return "says nothing of how many rows went in"
    return (
        f"{counted(rows_in, 'row')} in, but {what} {counted(expected_count, 'row')}"
        if expected_count is not None and expected_count != rows_in
        else None
    )


def _of_keys(accounts: Keys, counts: Counts) -> str | None:
    output_keys = counts.keys(None, accounts.column)
    expected = set(counts.cities) if not accounts.of else set()
    for table in accounts.of:
        table_keys = counts.keys(table, accounts.of_column or accounts.column)
        if table_keys is None:
            return None
        expected |= table_keys
    if output_keys is None:
        return None
    what = " and ".join(table.table_name() for table in accounts.of) or "the recipe's cities"
    unknown, lacking = sorted(output_keys - expected - {""}), sorted(expected - output_keys) if accounts.each else []
    if unknown:
        return f"{accounts.column} {', '.join(unknown[:SHOWN])} ({len(unknown)} in all) not among {what}"
    if lacking:
        return f"no row for {accounts.column} {', '.join(lacking[:SHOWN])} ({len(lacking)} in all) of {what}"
    return None
