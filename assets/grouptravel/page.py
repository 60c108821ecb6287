"""What a GroupTravelBench release shows on its page: groups and what they say, witness days, the mix of the set."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from assets.family import ReleaseTables
from assets.grouptravel.difficulty import DIFFICULTIES
from assets.grouptravel.facts.pois import TYPE_OF_ACTIVITY
from assets.grouptravel.plan import LEG, LOCAL
from assets.grouptravel.tables import GroupCity, GroupPoi
from assets.grouptravel.wishes.preferences import items_of
from schemas.page import Bar, Distribution, FamilyPage, PageDay, PagePlace, PageStop, PageTask, shares

PUBLISHED_SIZES = {2: 74, 3: 121, 4: 126, 5: 124, 6: 205}
PUBLISHED_DIFFICULTIES = {"easy": 200, "medium": 250, "hard": 200}
PUBLISHED_TASKS = 650
"""Released tasks by people and by difficulty (3.D)."""

SAID: dict[tuple[str, ...], str] = {
    ("avg_budget",): "budget",
    ("transport", "must"): "must travel by",
    ("transport", "prefer"): "would travel by",
    ("transport", "avoid"): "would rather not travel by",
    ("transport", "reject"): "never travels by",
    ("intensity", "max_poi_per_day"): "sights a day, at most",
    ("intensity", "max_active_hours"): "hours a day, at most",
    ("hotel_preference", "prefer"): "likes stays",
    ("hotel_preference", "avoid"): "dislikes stays",
    ("attractions", "must_visit"): "must see",
    ("attractions", "reject_visit"): "will not see",
    ("attractions", "category_pref", "positive"): "likes sights",
    ("attractions", "category_pref", "negative"): "dislikes sights",
    ("food", "must_eat"): "must eat",
    ("food", "prefer_eat"): "likes to eat",
    ("food", "avoid_eat"): "dislikes to eat",
    ("food", "reject_eat"): "will not eat",
}
"""A preference table's fields in words."""

KINDS = {"attractions": "attraction", "food": "restaurant", "hotels": "stay"}
WHAT = {"attraction": "Sight", "food": "Meal", "hotel": "Night"}


def page(tables: ReleaseTables, measures: dict[str, Any]) -> FamilyPage:
    """Return the page's rows of a release."""
    pois = tables[GroupPoi].sort_values(["city_id", "place_id"]).to_dict("records")
    names = {row["name"]: row["city_id"] for row in tables[GroupCity].to_dict("records")}
    by_name: dict[tuple[str, str, str], Mapping[Any, Any]] = {}
    for row in pois:
        by_name.setdefault((row["city_id"], row["poi_type"], row["name"]), row)
    certificates = {row["task_id"]: row for row in tables.certificates.to_dict("records")}
    tasks = tables.tasks.sort_values("task_id").to_dict("records")
    return FamilyPage(
        tasks=tuple(
            _task(row, certificates.get(row["task_id"]), names, by_name, tables.section["currency"]) for row in tasks
        ),
        places=tuple(
            PagePlace(r["place_id"], r["city_id"], KINDS[r["poi_type"]], r["name"], float(r["lat"]), float(r["lon"]))
            for r in pois
        ),
        distributions=tuple(_distributions([row["record"] for row in tasks], measures)),
    )


def _task(
    row: Mapping[Any, Any],
    certificate: Mapping[Any, Any] | None,
    names: dict[str, str],
    by_name: dict[tuple[str, str, str], Mapping[Any, Any]],
    currency: str,
) -> PageTask:
    record = row["record"]
    meta = record["metadata"]
    days = certificate["plan"]["days"] if certificate else []
    return PageTask(
        task_id=row["task_id"],
        title=f"{meta['group_name'][:1].upper()}{meta['group_name'][1:]} ({_people(record)}), {meta['date']}",
        city_ids=tuple(row["city_id"].split("+")),
        difficulty=record["difficulty_type"],
        asks=tuple(_asks(record, currency)),
        messages=tuple(
            (f"{record['user_preferences'][m['role']]['role']} ({m['role']})", m["content"]) for m in row["messages"]
        ),
        days=tuple(_day(day, names, by_name) for day in days),
        scores=tuple(_scores(certificate["proof"], record)) if certificate else (),
    )


def _people(record: dict[str, Any]) -> int:
    children = {child["user"] for child in record["metadata"]["child_members"]}
    return len(children | set(record["user_preferences"]))


def _asks(record: dict[str, Any], currency: str) -> Iterator[tuple[str, str]]:
    """Yield the group, then each member's preferences, the strong ones by name."""
    meta = record["metadata"]
    yield "From", meta["departure_city"]
    yield "Date", record["time"]
    yield "Difficulty score", f"{record['difficulty_score']:g}"
    for user, entry in sorted(record["user_preferences"].items()):
        held: dict[str, list[str]] = {}
        for item in items_of(entry["preference"]):
            unit = f" {currency}" if item.field.path == ("avg_budget",) else ""
            held.setdefault(SAID[item.field.path], []).append(f"{item.value}{unit}")
        may = ", may give way" if entry["compromisable"] else ""
        said = "\n".join(f"{words}: {', '.join(values)}" for words, values in held.items())
        yield f"{entry['role']} ({user}{may})", said


def _day(day: dict[str, Any], names: dict[str, str], by_name: dict[tuple[str, str, str], Mapping[Any, Any]]) -> PageDay:
    stops: list[PageStop] = []
    ways: list[str] = [day["date"]]
    for segment in day["city_segments"]:
        if segment.get("type") == LEG:
            way = f"{segment['transport_mode']}, {segment['from_city']} → {segment['to_city']}"
            ways.append(f"{way}, {segment['start_time']}–{segment['end_time']}, {segment['avg_cost']:g} each")
            continue
        city_id = names[segment["city"]]
        stops += [_stop(activity, city_id, by_name) for activity in segment["activities"] if activity["type"] != LOCAL]
    return PageDay(f"Day {day['day']}", tuple(stops), " · ".join(ways))


def _stop(activity: dict[str, Any], city_id: str, by_name: dict[tuple[str, str, str], Mapping[Any, Any]]) -> PageStop:
    place = by_name[city_id, TYPE_OF_ACTIVITY[activity["type"]], activity["location"]]
    cost = f"{activity['avg_cost']:g} each" if "avg_cost" in activity else ""
    when = f"{activity['start_time']}–{activity['end_time']}"
    note = ", ".join(filter(None, (place["category"], cost)))
    return PageStop(WHAT[activity["type"]], activity["location"], when, note, float(place["lat"]), float(place["lon"]))


def _scores(values: dict[str, Any], record: dict[str, Any]) -> Iterator[tuple[str, str]]:
    utility = values["utility"]
    yield "Group utility, for a user with a table", f"{utility['per_table']:g}"
    yield "Group utility, for a participant", f"{utility['per_participant']:g}"
    yield "How sure", utility["statement"]
    yield "Fairness", f"{values['fairness']:g}"
    yield "Cost, each", f"{values['cost']:g}"
    for user, points in sorted(utility["users"].items()):
        yield f"Utility of {record['user_preferences'][user]['role']} ({user})", f"{points:g}"


def _distributions(records: list[dict[str, Any]], measures: dict[str, Any]) -> Iterator[Distribution]:
    sizes = Counter(_people(record) for record in records)
    released = f"the {PUBLISHED_TASKS} released tasks of GroupTravelBench"
    yield shares(
        "People in the group",
        {str(size): sizes[size] for size in PUBLISHED_SIZES},
        {str(size): count / PUBLISHED_TASKS for size, count in PUBLISHED_SIZES.items()},
        released,
    )
    levels = Counter(record["difficulty_type"] for record in records)
    yield shares(
        "Difficulty",
        {level: levels[level] for level in DIFFICULTIES},
        {level: PUBLISHED_DIFFICULTIES[level] / PUBLISHED_TASKS for level in DIFFICULTIES},
        released,
    )
    items = tuple(Bar(row["of"], row["here"], row["published"]) for row in measures.get("preferences_per_user", []))
    yield Distribution("Preferences a user has", "a user", items, released)
    conflicts = tuple(
        Bar(row["difficulty"], row["mean"], published)
        for published in [r["mean"] for r in measures.get("conflicts", []) if r["difficulty"] == "published"]
        for row in measures["conflicts"]
        if row["difficulty"] == "all"
    )
    if conflicts:
        yield Distribution("Conflicts in a task, mean", "a task", conflicts, released)
