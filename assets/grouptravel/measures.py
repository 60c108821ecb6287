"""What a release of GroupTravelBench prints of itself, beside what the published benchmark has of it (3.D)."""

from __future__ import annotations

import statistics
from collections import Counter
from typing import Any

from assets.family import CityPicture
from assets.grouptravel.checks.judging import all_plans
from assets.grouptravel.difficulty import DIFFICULTIES
from assets.grouptravel.facts.checks import cities_of_one_price
from assets.grouptravel.facts.of_release import pois_of
from assets.grouptravel.gaps import gaps
from assets.grouptravel.plausibility import IMPLAUSIBLE_TASKS, Places, implausible_in
from assets.grouptravel.records import people_count
from assets.grouptravel.tables import GroupCity, GroupPoi
from assets.grouptravel.vocabulary import VOCABULARIES
from assets.grouptravel.wishes.conflicts import conflicts
from assets.grouptravel.wishes.preferences import FIELDS, Field, items_of
from assets.rows import ReleaseTables

PUBLISHED_ITEMS = {
    "budget": 2748, "intensity": 5496, "transport": 6768, "hotel": 8210, "visits": 10200, "categories": 11655,
    "food": 17921,
}  # fmt: skip
PUBLISHED_USERS = 2748
PUBLISHED_BUDGET = {"least": 550, "greatest": 10500, "mean": 3265, "median": 3000}
PUBLISHED_SHARE_IN_CONFLICT, PUBLISHED_CONFLICTS = 503 / 650, 7.52
"""Counted on the 650 released tasks (published benchmarks, 3.D)."""

PUBLISHED_SIZES = {2: 74, 3: 121, 4: 126, 5: 124, 6: 205}
"""Released tasks by people (3.D)."""

PUBLISHED_TASKS, PUBLISHED_PARTICIPANTS = 650, 2865

_PART = {
    "avg_budget": "budget", "intensity": "intensity", "transport": "transport", "hotel_preference": "hotel",
    "food": "food",
}  # fmt: skip


KINDS = {"attractions": "attraction", "food": "restaurant", "hotels": "stay"}
"""What the release's map calls the types of places."""


def city_picture(tables: ReleaseTables, city_id: str) -> CityPicture:
    """Return the city's places, and the tour of the first day that a witness plan spends there from its first place."""
    city_places = tables[GroupPoi][tables[GroupPoi]["city_id"] == city_id]
    points = city_places.assign(kind=city_places["poi_type"].map(KINDS))[["kind", "lat", "lon"]]
    cities = tables[GroupCity]
    name = cities.loc[cities["city_id"] == city_id, "name"].iloc[0]
    by_name = city_places.sort_values("place_id").drop_duplicates("name").set_index("name")
    stops: list[str] = []
    for plan in tables.certificates.sort_values("task_id")["plan"]:
        blocks = [s for day in plan["days"] for s in day["city_segments"] if s.get("city") == name]
        visits = [act["location"] for act in max(blocks, key=lambda b: len(b["activities"]))["activities"]
                  if "location" in act] if blocks else []  # fmt: skip
        if visits:
            stops = visits
            break
    tour = by_name.loc[stops, ["lat", "lon"]].reset_index().rename(columns={"index": "name"})
    return CityPicture(points, tour[["name", "lat", "lon"]])


def measures(tables: ReleaseTables, facts: dict[str, Any]) -> dict[str, Any]:
    """Return the release's statistics: each a list of rows, or a single figure."""
    records = tables.tasks.sort_values("task_id")["record"].tolist()
    values = tables.certificates.sort_values("task_id")["proof"].tolist()
    preference_tables = [entry["preference"] for record in records for entry in record["user_preferences"].values()]
    budgets = [table["global_constraints"]["avg_budget"] for table in preference_tables]
    sizes = Counter(people_count(record) for record in records)
    places = Places(pois_of(tables), VOCABULARIES[tables.section["language"]])
    return {
        "beside_the_paper": _beside(records, preference_tables, budgets, sizes),
        "group_sizes": _task_counts("people", [people_count(record) for record in records]),
        "by_difficulty": _by_difficulty(records),
        "conflicts": _conflicts(records),
        "preferences_per_user": _items(preference_tables),
        "preferences_per_user_and_tier": _tiers(preference_tables),
        "budgets": [
            {"figure": "least", "published": PUBLISHED_BUDGET["least"], "here": min(budgets, default=0)},
            {"figure": "greatest", "published": PUBLISHED_BUDGET["greatest"], "here": max(budgets, default=0)},
            {"figure": "mean", "published": PUBLISHED_BUDGET["mean"], "here": round(_mean(budgets))},
            {"figure": "median", "published": PUBLISHED_BUDGET["median"], "here": statistics.median(budgets or [0])},
        ],
        "shape_of_trips": _trips(records),
        "budgets_and_costs": _costs(records, values),
        "must_visits": _must_visits(records, places),
        "implausible": _implausible(records, tables, places),
        "gaps_to_the_bounds": gaps([value["reachable"] for value in values]),
        "possible_utility_per_user": _possible(values),
        "drawing": [
            {"figure": name, "count": count}
            for name, count in sorted(_facts_of_step(facts, "grouptravel_draft").items())
        ],
        "places": [
            {"figure": name, "count": count}
            for name, count in sorted(_facts_of_step(facts, GroupPoi.table_name()).items())
        ],
    }


def _beside(
    records: list[dict[str, Any]], preference_tables: list[dict[str, Any]], budgets: list[int], sizes: Counter[int]
) -> list[dict[str, Any]]:
    """Return every figure that the publication has of its 650 tasks, the release's, and the difference."""
    tasks, conflict_rows = max(1, len(records)), _conflicts(records)
    overall = next((row for row in conflict_rows if row["difficulty"] == "all"), {"share_with_any": 0.0, "mean": 0.0})
    rows = [(f"share of tasks with {n} people", published / PUBLISHED_TASKS, sizes[n] / tasks)
            for n, published in PUBLISHED_SIZES.items()]  # fmt: skip
    rows += [("tables a task", PUBLISHED_USERS / PUBLISHED_TASKS, len(preference_tables) / tasks)]
    rows += [(f"{row['of']} a user", row["published"], row["here"]) for row in _items(preference_tables)]
    rows += [
        ("share of tasks with a conflict", PUBLISHED_SHARE_IN_CONFLICT, overall["share_with_any"]),
        ("conflicts a task", PUBLISHED_CONFLICTS, overall["mean"]),
        ("greatest budget over the median", PUBLISHED_BUDGET["greatest"] / PUBLISHED_BUDGET["median"],
         max(budgets, default=0) / max(1, statistics.median(budgets or [0]))),
        ("mean budget over the median", PUBLISHED_BUDGET["mean"] / PUBLISHED_BUDGET["median"],
         _mean(budgets) / max(1, statistics.median(budgets or [0]))),
    ]  # fmt: skip
    return [
        {"figure": name, "published": round(published, 3), "here": round(release_figure, 3),
         "difference": round(release_figure - published, 3)}
        for name, published, release_figure in rows
    ]  # fmt: skip


def _implausible(records: list[dict[str, Any]], tables: ReleaseTables, places: Places) -> list[dict[str, Any]]:
    """Return what nobody would do, and how often it is found: 0 each, since tasks and cities of it are blocked."""
    counts: Counter[str] = Counter(cities_of_one_price=len(cities_of_one_price(tables[GroupPoi])))
    certificates = tables.certificates.sort_values("task_id")
    for record, plan, proof in zip(records, certificates["plan"], certificates["proof"], strict=True):
        counts += implausible_in(record, all_plans(plan, proof), places)
    says = {**IMPLAUSIBLE_TASKS, "cities_of_one_price": "All of a city's modelled meals, ten or more, cost the same."}
    return [{"what": name, "found": counts[name], "says": says[name]} for name in says]


PUBLISHED_DAYS = (2, 7)
PUBLISHED_CITIES = (1, 3)
"""Least and greatest of the published tasks (3.D); how many have each is not published."""


def _trips(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return how many tasks have each length and each number of cities; published are the least and greatest alone."""
    rows = []
    for what, span, sizes in (
        ("days", PUBLISHED_DAYS, [record["days"] for record in records]),
        ("cities", PUBLISHED_CITIES, [len(record["metadata"]["cities"]) for record in records]),
    ):
        counts = Counter(sizes)
        rows += [
            {"of": what, "number": n, "tasks": counts[n], "published": f"{span[0]} to {span[1]}"}
            for n in range(span[0], span[1] + 1)
        ]
    return rows


BINDS = 0.85
"""A budget binds where the best plan costs so much of it."""


def _costs(records: list[dict[str, Any]], values: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return what the witness costs of the tightest budget: least, median, greatest, and in how many tasks it binds.

    Nothing of it is published: the published tasks have no plans.
    """
    shares = []
    for record, value in zip(records, values, strict=True):
        budgets = [e["preference"]["global_constraints"]["avg_budget"] for e in record["user_preferences"].values()]
        stated_budgets = [budget for budget in budgets if budget]
        shares += [value["cost"] / min(stated_budgets)] if stated_budgets else []
    return [
        {"figure": "witness's cost of the tightest budget, least", "here": round(min(shares, default=0.0), 3)},
        {"figure": "witness's cost of the tightest budget, median",
         "here": round(statistics.median(shares or [0.0]), 3)},
        {"figure": "witness's cost of the tightest budget, greatest", "here": round(max(shares, default=0.0), 3)},
        {"figure": f"tasks in which it is {BINDS:.0%} or more",
         "here": round(_mean([share >= BINDS for share in shares]), 3)},
    ]  # fmt: skip


def _must_visits(records: list[dict[str, Any]], places: Places) -> list[dict[str, Any]]:
    """Return how many must-visits are of each kind, the most first; the published ones' kinds are not told apart."""
    counts: Counter[str] = Counter()
    for record in records:
        for entry in record["user_preferences"].values():
            for city, city_wishes in entry["preference"]["city_specific_preferences"].items():
                counts.update(
                    places.category(city, "attractions", name) for name in city_wishes["attractions"]["must_visit"]
                )
    return [
        {"kind": kind, "must_visits": count} for kind, count in sorted(counts.items(), key=lambda kv: (-kv[1], kv[0]))
    ]


def _facts_of_step(facts: dict[str, Any], step: str) -> dict[str, Any]:
    return facts.get(step, {}).get("", {})


def _possible(values: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return, over the tasks, the least, mean and greatest of what a user with a table can reach on average."""
    columns = sorted({column for value in values for column in value["per_table"]})
    rows = []
    for column in columns:
        utilities = [value["per_table"][column] for value in values]
        rows.append(
            {"of": column, "least": min(utilities), "mean": round(_mean(utilities), 2), "greatest": max(utilities)}
        )
    return rows


def _task_counts(what: str, numbers: list[int]) -> list[dict[str, Any]]:
    return [{what: value, "tasks": count} for value, count in sorted(Counter(numbers).items())]


def _conflicts(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return conflicts a task by difficulty and over all: what was counted, and the release's figure over all."""
    by_level: dict[str, list[dict[str, int]]] = {level: [] for level in DIFFICULTIES}
    for record in records:
        tables = {user: entry["preference"] for user, entry in record["user_preferences"].items()}
        by_level[record["difficulty_type"]].append(conflicts(tables))
    rows = []
    for level, counts in [*by_level.items(), ("all", [one for some in by_level.values() for one in some])]:
        if counts:
            rows.append(
                {
                    "difficulty": level,
                    "tasks": len(counts),
                    "share_with_any": round(_mean([any(one.values()) for one in counts]), 3),
                    "mean": round(_mean([sum(one.values()) for one in counts]), 2),
                    **{source: round(_mean([one[source] for one in counts]), 2) for source in counts[0]},
                }
            )
    published = {
        "difficulty": "published",
        "tasks": PUBLISHED_TASKS,
        "share_with_any": round(PUBLISHED_SHARE_IN_CONFLICT, 3),
    }
    return [*rows, {**published, "mean": PUBLISHED_CONFLICTS}]


def _by_difficulty(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return sizes, preferences and budgets of each difficulty and of all; the publication has them of all alone.

    Users are the members with a table; `preferences` are atomic ones, of a user on average.
    """
    rows = []
    for level in (*DIFFICULTIES, "all"):
        level_records = [record for record in records if level in (record["difficulty_type"], "all")]
        if not level_records:
            continue
        tables = [entry["preference"] for record in level_records for entry in record["user_preferences"].values()]
        budgets = [table["global_constraints"]["avg_budget"] for table in tables]
        rows.append(
            {
                "difficulty": level,
                "tasks": len(level_records),
                "people": round(_mean([people_count(record) for record in level_records]), 2),
                "users": round(len(tables) / len(level_records), 2),
                "preferences": round(_mean([sum(1 for _ in items_of(table)) for table in tables]), 2),
                "budget_mean": round(_mean(budgets)),
                "budget_median": statistics.median(budgets),
            }
        )
    published = {
        "difficulty": "published",
        "tasks": PUBLISHED_TASKS,
        "people": round(PUBLISHED_PARTICIPANTS / PUBLISHED_TASKS, 2),
        "users": round(PUBLISHED_USERS / PUBLISHED_TASKS, 2),
        "preferences": round(sum(PUBLISHED_ITEMS.values()) / PUBLISHED_USERS, 2),
        "budget_mean": PUBLISHED_BUDGET["mean"],
        "budget_median": PUBLISHED_BUDGET["median"],
    }
    return [*rows, published]


def _tiers(preference_tables: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the preferences a user has in each tier of each kind; the publication has totals of kinds alone."""
    counts = Counter(item.field for table in preference_tables for item in items_of(table))
    return [
        {"of": _kind(field), "tier": ".".join(field.path[1:]) or field.path[0], "weight": field.weight,
         "here": round(counts[field] / max(1, len(preference_tables)), 2)}
        for field in FIELDS
    ]  # fmt: skip


def _kind(field: Field) -> str:
    path = field.path
    return "categories" if "category_pref" in path else "visits" if path[0] == "attractions" else _PART[path[0]]


def _items(preference_tables: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the preferences a user has of each kind, here and as published."""
    counts: Counter[str] = Counter()
    for table in preference_tables:
        for item in items_of(table):
            counts[_kind(item.field)] += 1
    users = max(1, len(preference_tables))
    return [
        {"of": part, "published": round(count / PUBLISHED_USERS, 2), "here": round(counts[part] / users, 2)}
        for part, count in PUBLISHED_ITEMS.items()
    ]


def _mean(values: list[Any]) -> float:
    return sum(values) / len(values) if values else 0.0
