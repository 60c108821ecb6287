"""Files of which most rows cannot be read: they are not what they claim to be, however few good rows they hold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TypeVar

from schemas.counts import counted
from schemas.rejection import Reason
from schemas.source import SourceError
from sources.formats.unpacking import RawInput

UNREADABLE = frozenset(
    str(reason) for reason in (Reason.BAD_JSON, Reason.MISSING_VALUE, Reason.BAD_VALUE, Reason.BAD_COORDINATES)
)
"""Reasons that say that a row cannot be read; others, such as closed or outside, that it is not wanted."""

FEWEST = 4
"""Of fewer unreadable rows nothing is concluded: a hand-written file of three may hold two that are wrong.

But a file of which no line at all is JSON is another one, however short.
"""

SHOWN_REASONS = 3

T = TypeVar("T")


class Unreadable:
    """The rows of one file that could not be read, among those that end in `rejected` from now on."""

    def __init__(self, file: RawInput, rejected: list[dict[str, str]]) -> None:
        self._file, self._rejected, self._before = file, rejected, len(rejected)
        self.rows = 0
        """How many rows the file had so far, whatever became of them; whoever reads counts them."""

    def count(self, rows: Iterable[T]) -> Iterator[T]:
        """Yield the rows, counted, and those that are rejected while they are read."""
        coming = iter(rows)
        while True:
            before = len(self._rejected)
            row = next(coming, None)
            self.rows += len(self._rejected) - before
            if row is None:
                return
            self.rows += 1
            yield row

    def require_few(self) -> None:
        """Raise SourceError where more than the allowed share of the rows is unreadable, with the commonest reasons."""
        file_mark = f"@{self._file.snapshot.sha256}#"
        bad = [row for row in self._rejected[self._before :] if file_mark in row["row"]]
        require_readable(self._file, self.rows, *reasons_of(bad))


def reasons_of(rejected: Iterable[dict[str, str]]) -> tuple[Counter[str], dict[str, dict[str, str]]]:
    """Return how many rows could not be read for each reason, and the first of each."""
    counts: Counter[str] = Counter()
    examples: dict[str, dict[str, str]] = {}
    for row in rejected:
        if row["reason"] in UNREADABLE:
            counts[row["reason"]] += 1
            examples.setdefault(row["reason"], row)
    return counts, examples


def require_readable(file: RawInput, rows: int, counts: Counter[str], examples: dict[str, dict[str, str]]) -> None:
    """Raise SourceError where the unreadable rows, counted by reason, are more than the allowed share of `rows`."""
    bad = counts.total()
    is_another = 0 < rows == counts[str(Reason.BAD_JSON)]
    if (bad < FEWEST and not is_another) or bad <= file.max_unreadable * rows:
        return
    reasons = "; ".join(
        f"{count:,} {reason}, such as {examples[reason]['row'].partition('#')[2]}: {examples[reason]['detail'][:160]}"
        for reason, count in counts.most_common(SHOWN_REASONS)
    )
    raise SourceError(
        f"{file.snapshot.location}: {bad:,} of {counted(rows, 'row')} cannot be read ({reasons}); expected at most "
        f"{file.max_unreadable:.0%} of a file for the role `{file.snapshot.role}`. Get the file again, bind the "
        "right one, or let the recipe's binding of it say `max_unreadable`."
    )
