"""The flow of a recipe's releases: which sources, which steps in which order, and where the rows went."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from assets.families import all_steps, families, stage_of
from assets.release.reading import OpenedRelease
from schemas.rejection import REASON_TEXT, Reason
from sources.registry import SOURCES

STAGES = ("clean", "spatial", "reviews")
"""The stages that all families share, in the order of the flow; families come after them."""

INVENTED = "LicenseRef-invented"


def flow(releases: list[OpenedRelease]) -> dict[str, Any]:
    """Return the sources, the stages with their steps and counts, and what each reason of a rejection means.

    A step that several families share is told once.
    """
    steps = all_steps(families().values())
    stages: dict[str, dict[str, Any]] = {}
    for release in releases:
        for entry in release.manifest.accounting:
            step = steps.get(entry["step"])
            stage = stage_of(step) if step else release.manifest.family
            text = (step.output.__doc__ or "").split("\n")[0] if step else ""
            stages.setdefault(stage, {})[entry["step"]] = {**entry, "text": text}
    order = [*[name for name in STAGES if name in stages], *[name for name in stages if name not in STAGES]]
    reasons = {reason for entries in stages.values() for entry in entries.values() for reason in entry["rejected"]}
    titles = {family.name: family.title for family in families().values()}
    return {
        "sources": sources(releases),
        "stages": [
            {
                "name": titles.get(name, name.capitalize()),
                "steps": _with_names(list(stages[name].values()), name if name in titles else ""),
            }
            for name in order
        ],
        "reasons": {reason: REASON_TEXT[Reason(reason)] for reason in sorted(reasons)},
    }


def _with_names(steps: list[dict[str, Any]], family: str) -> list[dict[str, Any]]:
    """Return the steps with a `name`: their table's, without the family's name or its start where that is clear."""
    short = {step["step"]: _without_family(step["step"], family) for step in steps}
    bearers = Counter(short.values())
    return [{**step, "name": name if bearers[name := short[step["step"]]] == 1 else step["step"]} for step in steps]


def _without_family(table: str, family: str) -> str:
    first, _, rest = table.partition("_")
    return rest if rest and family.startswith(first) else table


def sources(releases: Iterable[OpenedRelease]) -> list[dict[str, Any]]:
    """Return one entry for each source: its files, their size, when they were had, and under which licence."""
    snapshots = {(s.source, s.sha256): s for release in releases for s in release.manifest.inputs}
    by_name: dict[str, list[Any]] = {}
    for snapshot in snapshots.values():
        by_name.setdefault(snapshot.source, []).append(snapshot)
    return [
        {
            "name": name,
            "title": SOURCES[name].title if name in SOURCES else name,
            "files": len(files),
            "size_bytes": sum(s.size_bytes for s in files),
            "licences": sorted({s.licence_id for s in files}),
            "retrieved_at": sorted({s.retrieved_at for s in files if s.retrieved_at}),
            "is_invented": all(s.licence_id == INVENTED for s in files),
        }
        for name, files in sorted(by_name.items())
    ]
