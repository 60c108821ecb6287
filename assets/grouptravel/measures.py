"""What a release of GroupTravelBench prints of itself, beside what the published benchmark has of it (3.D)."""

from __future__ import annotations

import json
import statistics
from collections import Counter
from typing import Any

from assets.family import ReleaseTables
from assets.grouptravel.conflicts import conflicts
from assets.grouptravel.difficulty import DIFFICULTIES
from assets.grouptravel.preferences import items_of
from assets.grouptravel.tables import GroupCertificate, GroupDraft, GroupPoi, GroupTask

PUBLISHED_ITEMS = {
    "budget": 2748, "intensity": 5496, "transport": 6768, "hotel": 8210, "visits": 10200, "categories": 11655,
    "food": 17921,
}  # fmt: skip
PUBLISHED_USERS = 2748
PUBLISHED_BUDGET = {"least": 550, "greatest": 10500, "mean": 3265, "median": 3000}
PUBLISHED_SHARE_IN_CONFLICT, PUBLISHED_CONFLICTS = 503 / 650, 7.52
"""Counted on the 650 released tasks (benchmarks 3.D)."""

_PART = {
    "avg_budget": "budget", "intensity": "intensity", "transport": "transport", "hotel_preference": "hotel",
    "food": "food",
}  # fmt: skip


def measures(tables: ReleaseTables, facts: dict[str, Any]) -> dict[str, Any]:
    """Return the release's statistics: each a list of rows, or a single figure."""
    records = [json.loads(text) for text in tables[GroupTask].sort_values("task_id")["record_json"]]
    values = [json.loads(text) for text in tables[GroupCertificate]["values_json"]]
    given = [entry["preference"] for record in records for entry in record["user_preferences"].values()]
    budgets = [table["global_constraints"]["avg_budget"] for table in given]
    return {
        "group_sizes": _counted("people", [_people(record) for record in records]),
        "conflicts": _conflicts(records),
        "preferences_per_user": _items(given),
        "budgets": [
            {"figure": "least", "published": PUBLISHED_BUDGET["least"], "here": min(budgets, default=0)},
            {"figure": "greatest", "published": PUBLISHED_BUDGET["greatest"], "here": max(budgets, default=0)},
            {"figure": "mean", "published": PUBLISHED_BUDGET["mean"], "here": round(_mean(budgets))},
            {"figure": "median", "published": PUBLISHED_BUDGET["median"], "here": statistics.median(budgets or [0])},
        ],
        "greatest_utility_per_user": [
            {"figure": name, "here": round(found, 2)}
            for name, found in (
                ("least", min((v["utility"]["per_table"] for v in values), default=0)),
                ("mean", _mean([v["utility"]["per_table"] for v in values])),
                ("greatest", max((v["utility"]["per_table"] for v in values), default=0)),
            )
        ],
        "drawing": [
            {"figure": name, "count": count} for name, count in sorted(_own(facts, GroupDraft.table_name()).items())
        ],
        "places": [
            {"figure": name, "count": count} for name, count in sorted(_own(facts, GroupPoi.table_name()).items())
        ],
    }


def _own(facts: dict[str, Any], step: str) -> dict[str, Any]:
    return facts.get(step, {}).get("", {})


def _people(record: dict[str, Any]) -> int:
    children = {child["user"] for child in record["metadata"]["child_members"]}
    return len(children | set(record["user_preferences"]))


def _counted(what: str, found: list[int]) -> list[dict[str, Any]]:
    return [{what: value, "tasks": count} for value, count in sorted(Counter(found).items())]


def _conflicts(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return conflicts a task by difficulty and over all: what was counted, and the release's figure over all."""
    by_level: dict[str, list[dict[str, int]]] = {level: [] for level in DIFFICULTIES}
    for record in records:
        tables = {user: entry["preference"] for user, entry in record["user_preferences"].items()}
        by_level[record["difficulty_type"]].append(conflicts(tables))
    rows = []
    for level, found in [*by_level.items(), ("all", [one for some in by_level.values() for one in some])]:
        if found:
            rows.append(
                {
                    "difficulty": level,
                    "tasks": len(found),
                    "share_with_any": round(_mean([any(one.values()) for one in found]), 3),
                    "mean": round(_mean([sum(one.values()) for one in found]), 2),
                    **{source: round(_mean([one[source] for one in found]), 2) for source in found[0]},
                }
            )
    published = {"difficulty": "published", "tasks": 650, "share_with_any": round(PUBLISHED_SHARE_IN_CONFLICT, 3)}
    return [*rows, {**published, "mean": PUBLISHED_CONFLICTS}]


def _items(given: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the preferences a user has of each kind, here and as published."""
    counts: Counter[str] = Counter()
    for table in given:
        for item in items_of(table):
            path = item.field.path
            part = "categories" if "category_pref" in path else "visits" if path[0] == "attractions" else _PART[path[0]]
            counts[part] += 1
    users = max(1, len(given))
    return [
        {"of": part, "published": round(count / PUBLISHED_USERS, 2), "here": round(counts[part] / users, 2)}
        for part, count in PUBLISHED_ITEMS.items()
    ]


def _mean(values: list[Any]) -> float:
    return sum(values) / len(values) if values else 0.0
