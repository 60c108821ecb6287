"""All read: a step that counts the records of raw files as it reads them has counted no fewer than the files have."""

from __future__ import annotations

from typing import Any

from assets.families import all_steps
from assets.family import Family
from assets.promises.sources import missing_file
from assets.promises.whole import needed_steps
from assets.release.reading import OpenedRelease
from assets.step import Raw, RawFile
from schemas.source import Binding
from sources.record_counts import RECORD_COUNTS
from warehouse.snapshots import Snapshots
from warehouse.store import StoreError


def all_read(release: OpenedRelease, family: Family, snapshots: Snapshots) -> tuple[list[str], list[dict[str, Any]]]:
    """Return each step that says it read fewer records than its files have, and each file that is not here to count.

    Held against `RECORD_COUNTS`, of roles that are there. A damaged file is a problem.
    """
    steps = all_steps([family])
    rows_in = {entry["step"]: entry["rows_in"] or 0 for entry in release.manifest.accounting}
    counts: dict[Binding, int] = {}
    problems: list[str] = []
    missing: list[dict[str, Any]] = []
    for name in sorted(needed_steps(steps, [table.table_name() for table in family.released])):
        step = steps[name]
        if step.accounts != "records" or name not in rows_in:
            continue
        roles = {(one.source, one.role) for one in step.inputs if isinstance(one, Raw)} & RECORD_COUNTS.keys()
        files = {one.binding: one for one in release.manifest.inputs if (one.source, one.role) in roles}
        for binding in sorted(files.keys() - counts.keys()):
            snapshot, counts[binding] = files[binding], 0
            try:
                if snapshots.holds(snapshot.sha256):
                    with snapshots.open(snapshot) as path:
                        counts[binding] = RECORD_COUNTS[snapshot.source, snapshot.role](RawFile(snapshot, path))
                else:
                    missing.append(missing_file(snapshot, 0))
            except StoreError as error:
                problems.append(str(error))
        in_files = sum(counts[binding] for binding in files)
        if rows_in[name] < in_files:
            role_names = ", ".join(f"{source}.{role}" for source, role in sorted(roles))
            problems.append(
                f"{name}: says that it read {rows_in[name]:,} records, and its files have at least {in_files:,} "
                f"({role_names}); each must become a row, a part of one, or a rejection"
            )
    return problems, missing
