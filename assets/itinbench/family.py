"""ItinBench as a family: its section, steps and tables, and how it is measured, exported, scored and inspected."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from assets.core.tools import Tool
from assets.family import Choice, CityPicture, Family, ReleaseTables
from assets.itinbench.lineage_rules import RULES
from assets.itinbench.section import ItinbenchSection
from assets.itinbench.steps import STEPS
from assets.itinbench.tables import (
    ItinbenchCertificate,
    ItinbenchContext,
    ItinbenchDraft,
    ItinbenchLineage,
    ItinbenchNearestQuery,
    ItinbenchPlace,
    ItinbenchTask,
)
from assets.step import Requirement
from schemas.page import FamilyPage
from schemas.reviews import RatingQuality


def _measures(tables: ReleaseTables, facts: dict[str, Any]) -> dict[str, Any]:
    from assets.itinbench.measures import measures

    return measures(tables, facts)


def _export(tables: ReleaseTables) -> dict[str, bytes]:
    from assets.itinbench.export import export

    return export(tables[ItinbenchPlace], tables[ItinbenchTask], tables[ItinbenchContext])


def _score(tables: ReleaseTables, plans: list[dict[str, Any]], variant: str) -> dict[str, Any]:
    from assets.itinbench.scoring import score_tasks

    return score_tasks(plans, tables[ItinbenchTask], tables[ItinbenchPlace], variant)


def _baseline(tables: ReleaseTables) -> list[dict[str, Any]]:
    from assets.itinbench.baseline import plans

    return plans(tables)


def _recheck(tables: ReleaseTables) -> dict[str, list[str]]:
    from assets.itinbench.checks.certify import Checker

    tasks, pools = tables[ItinbenchTask], tables[ItinbenchPlace]
    records = {row["task_id"]: json.loads(row["record_json"]) for row in tasks.to_dict("records")}
    checkers = {city_id: Checker(pool) for city_id, pool in pools.groupby("city_id")}
    return {
        row["task_id"]: checkers[row["city_id"]].violations(json.loads(row["witness_json"]), records[row["task_id"]])
        for row in tables[ItinbenchCertificate].to_dict("records")
    }


def _unsolvable(old: ReleaseTables, now: ReleaseTables, _: Any) -> dict[str, str]:
    from assets.itinbench.certificates import unsolvable

    return unsolvable(old[ItinbenchTask], now[ItinbenchPlace])


def _map_of(tables: ReleaseTables, city_id: str) -> CityPicture:
    from assets.itinbench.measures import city_picture

    return city_picture(tables, city_id)


def _inspect(folder: Path) -> dict[str, Any]:
    from assets.itinbench.inspect import inspect_folder

    return inspect_folder(folder)


def _page(tables: ReleaseTables, measures: dict[str, Any]) -> FamilyPage:
    from assets.itinbench.page import page

    return page(tables, measures)


def _tools(tables: ReleaseTables) -> list[Tool]:
    from assets.itinbench.tools import tools

    return tools(tables)


FAMILY = Family(
    name="itinbench",
    title="ItinBench",
    section=ItinbenchSection,
    steps=STEPS,
    tasks=ItinbenchTask,
    certificates=ItinbenchCertificate,
    lineage=ItinbenchLineage,
    context=(ItinbenchPlace, ItinbenchDraft, ItinbenchContext, ItinbenchNearestQuery, RatingQuality),
    wanted=lambda section, cities: section.tasks_per_city * cities,
    measures=_measures,
    export=_export,
    score=_score,
    baseline=_baseline,
    recheck=_recheck,
    tools=_tools,
    unsolvable=_unsolvable,
    rules=RULES,
    page=_page,
    map_of=_map_of,
    inspect={"itinbench": _inspect},
    requirements=tuple(
        Requirement(
            "itinbench", f"rated_{kind}s", needed, f"rated {kind}s", "bind reviews (yelp), or a published table"
        )
        for kind, needed in (("stay", 1), ("restaurant", 6), ("attraction", 8))
    ),
    choices=(
        Choice("kind_precedence", "A business listed in several tables is one place of one kind (defect I4)."),
        Choice("clusters", "k-means on projected metres with k = max(1, n // 5); published: on degrees, k = n // 5."),
        Choice(
            "repair",
            "A draw that the city cannot satisfy is repaired by a change of which no edit could be undone, with the "
            "fewest edits possible or one more, chosen by weights that keep the published variety.",
        ),
        Choice("strict", "Certified means distinct places that meet every preference, not three quarters of them."),
    ),
)
