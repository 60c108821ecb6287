"""Scoring plans against a release: reading them, and handing them to the family's own scorer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from assets.core.opening import why_unplanned
from assets.families import families
from assets.family import Family
from assets.named import load
from assets.release.belonging import require_belonging
from assets.release.difficulty import BASELINE, witness_plans
from assets.release.exporting import release_tables
from assets.release.reading import GOLD, OpenedRelease, ReleaseError
from schemas.counts import counted
from schemas.json_lines import json_lines, lines_told

WITNESS = "witness"


def read_plans(release: OpenedRelease, plans: str) -> list[dict[str, Any]]:
    """Return plans from a JSON lines file, or the release's own for `witness`, or a greedy planner's for `baseline`.

    Each plan of a file is under its task's id. Raises ReleaseError naming every line that is not a JSON object, or that
    is of another set; for a file whose plans are all text; for a family without a greedy planner; and for the witnesses
    of an opened folder, which has none.
    """
    family = families()[release.manifest.family]
    if plans == WITNESS and release.manifest.opened is not None:
        gold_path = release.folder / GOLD
        has = f"; the plans that the folder itself holds are in {gold_path}" if release.manifest.opened.gold else ""
        raise ReleaseError(f"{release.version}: {why_unplanned(family, release_tables(release), WITNESS)}{has}")
    if plans == WITNESS:
        return witness_plans(release_tables(release))
    if plans == BASELINE:
        if BASELINE not in family.baselines:
            raise ReleaseError(f"{family.name} has no baseline planner; give a file of plans, or `{WITNESS}`")
        return _baseline(release, family)
    path = Path(plans)
    if not path.is_file():
        raise ReleaseError(
            f"{plans}: found no file; expected plans, one JSON object a line, or the word `{WITNESS}` or `{BASELINE}`"
        )
    plan_rows: list[dict[str, Any]] = []
    lines: list[int] = []
    problems: list[str] = []
    for line in json_lines(path):
        if line.problem:
            problems.append(f"line {line.number}: {line.problem}")
        else:
            plan_rows.append(line.value)
            lines.append(line.number)
    if problems:
        raise ReleaseError(f"{plans}: {counted(len(problems), 'line')} without a plan:\n{lines_told(problems)}")
    if not plan_rows:
        raise ReleaseError(f"{plans}: found no plan; expected one JSON object a line")
    plan_values = [plan for row in plan_rows if (plan := row.get("plan", row.get("text", row))) is not None]
    if plan_values and all(isinstance(plan, str) for plan in plan_values):
        raise ReleaseError(
            f"{plans}: found plans as text in all {counted(len(plan_values), 'line')} that have one; expected them as "
            f"JSON. Read the texts first: tripwright extract-plans {release.version} TEXTS PLANS"
        )
    return require_belonging(release, plan_rows, plans, lines)


def _baseline(release: OpenedRelease, family: Family) -> list[dict[str, Any]]:
    """Return the greedy planner's plans. Raises ReleaseError where a published folder says too little to plan from."""
    tables = release_tables(release)
    why = why_unplanned(family, tables, BASELINE)
    plans = [] if why else load(family.baselines[BASELINE])(tables)
    if not plans:
        why = why or "its tables hold no way to go, or no place"
        raise ReleaseError(f"{release.version}: the greedy planner finds no plan: {why}. Give a file of plans")
    return plans


def score_release(
    release: OpenedRelease, plans: list[dict[str, Any]], variant: str, embedding: str | None = None
) -> dict[str, Any]:
    """Return {aggregate, plans} of the family's published metrics.

    `embedding` names the model of a metric that compares texts. Raises ReleaseError for an unknown variant, or a model
    that the family has no use for; SourceError for one that is not on this machine.
    """
    family = families()[release.manifest.family]
    if variant not in family.variants:
        raise ReleaseError(f"no variant {variant!r} of {family.name}; expected one of {', '.join(family.variants)}")
    if embedding is None:
        return family.call("score", release_tables(release), plans, variant)
    if not family.takes_embedding:
        raise ReleaseError(f"no metric of {family.name} compares texts; leave the embedding {embedding!r} out")
    from sources.services.embedding import Embedding

    return family.call("score", release_tables(release), plans, variant, embed=Embedding(embedding))
