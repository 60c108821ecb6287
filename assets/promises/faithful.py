"""Faithful: the published checker on every witness, read back from the exported files."""

from __future__ import annotations

from collections import Counter
from typing import Any

from assets.family import Family, ReleaseTables
from assets.named import load
from assets.release.reading import OpenedRelease

SHOWN = 5


def faithful(family: Family, release: OpenedRelease, tables: ReleaseTables) -> tuple[dict[str, Any], list[str]]:
    """Return how many witnesses the published checker accepts and what it says of the others, and every problem.

    A family without a published checker has no figure, and says so by None.
    """
    if family.published_check is None:
        return {"checked": 0, "accepted": None, "refused_by": {}}, []
    files = load(family.export)(tables)
    exported = {path: data if isinstance(data, bytes) else b"" for path, data in files.items()}
    verdicts: dict[str, dict[str, bool | None]] = load(family.published_check)(exported)
    refused: Counter[str] = Counter()
    problems = []
    accepted = 0
    for task_id, checks in sorted(verdicts.items()):
        failed = sorted(name for name, holds in checks.items() if holds is False)
        refused.update(failed)
        accepted += not failed
        must = failed if family.must_accept is None else [name for name in failed if name in family.must_accept]
        if must:
            problems.append(f"{task_id}: the published checker refuses the exported witness: {', '.join(must)}")
    expected = release.manifest.counts["certified"]
    if len(verdicts) != expected:
        problems.append(f"the published checker was shown {len(verdicts)} exported witnesses, expected {expected}")
    return {"checked": len(verdicts), "accepted": accepted, "refused_by": dict(sorted(refused.items()))}, problems
