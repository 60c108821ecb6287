"""Files that a build read without a row to show for it: what they are bound as, but of another place or time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from assets.step import Raw, Step
from schemas.counts import counted, listed
from schemas.recipe import RecipeLock
from warehouse.build_records import BuiltStep

SHOWN_REASONS = 3


def unused_files(steps: Iterable[Step], records: Iterable[BuiltStep], lock: RecipeLock) -> list[str]:
    """Return in words, for each step that dropped every row of the files that it read, which files and why.

    A step of which no cell was built is none of them: what blocks it is told elsewhere.
    """
    rows_out: Counter[str] = Counter()
    rejected: dict[str, Counter[str]] = {}
    for record in records:
        rows_out[record.step] += record.accounting.rows_out
        rejected.setdefault(record.step, Counter()).update(record.accounting.rejected)
    notices = []
    for step in steps:
        roles = {(raw.source, raw.role) for raw in step.inputs if isinstance(raw, Raw)}
        files = sorted({s.location for s in lock.snapshots if (s.source, s.role) in roles})
        reasons = rejected.get(step.name, Counter())
        if files and reasons.total() and not rows_out[step.name]:
            why = listed([f"{count:,} {reason}" for reason, count in reasons.most_common(SHOWN_REASONS)])
            notices.append(
                f"{', '.join(files)}: found no row of use to `{step.name}`, of {counted(reasons.total(), 'row')} "
                f"({why}); expected rows of the recipe's cities and dates. Leave out what is not of them"
            )
    return notices
