"""All read: a step that counts the records of raw files as it reads them has counted no fewer than the files have."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from assets.family import Family, all_steps
from assets.promises.whole import needed_steps
from assets.release.reading import OpenedRelease
from assets.step import Raw, RawFile
from sources.record_counts import RECORD_COUNTS
from warehouse.snapshots import Snapshots
from warehouse.store import StoreError


def all_read(release: OpenedRelease, family: Family, snapshots: Snapshots) -> Iterator[str]:
    """Yield each step that says it read fewer records than its files have.

    Held against `RECORD_COUNTS`, of roles that are there. A file that is not in the store is told elsewhere
    (`assets.promises.sources`), and of nothing here.
    """
    steps = all_steps([family])
    rows_in = {entry["step"]: entry["rows_in"] for entry in release.manifest.accounting}
    counts: dict[str, int] = {}
    for name in sorted(needed_steps(steps, [table.table_name() for table in family.released])):
        step = steps[name]
        if step.accounts != "records" or name not in rows_in:
            continue
        roles = {(one.source, one.role) for one in step.inputs if isinstance(one, Raw)} & RECORD_COUNTS.keys()
        mine = {one.sha256: one for one in release.manifest.inputs if (one.source, one.role) in roles}
        for sha256 in mine.keys() - counts.keys():
            snapshot = mine[sha256]
            with suppress(StoreError), snapshots.open(snapshot) as path:
                counts[sha256] = RECORD_COUNTS[snapshot.source, snapshot.role](RawFile(snapshot, path))
        in_files = sum(counts.get(sha256, 0) for sha256 in mine)
        roles_text = ", ".join(f"{source}.{role}" for source, role in sorted(roles))
        if (rows_in[name] or 0) < in_files:
            yield (
                f"{name}: says that it read {rows_in[name] or 0:,} records, and its files have at least "
                f"{in_files:,} ({roles_text}); each must become a row, a part of one, or a rejection"
            )
