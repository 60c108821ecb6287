"""What a GroupTravelBench release shows on its page: groups and what they say, witness days, the mix of the set."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from assets.direction import isolated
from assets.grouptravel.difficulty import DIFFICULTIES
from assets.grouptravel.facts.pois import TYPE_OF_ACTIVITY
from assets.grouptravel.facts.rows import rows_of
from assets.grouptravel.plan import LEG, LOCAL
from assets.grouptravel.records import people_count
from assets.grouptravel.tables import GroupCity, GroupPoi
from assets.grouptravel.wishes.preferences import items_of
from assets.rows import ReleaseTables
from schemas.counts import in_figures
from schemas.page import Bar, Distribution, FamilyPage, PageDay, PagePlace, PageStop, PageTask, fact, shares

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

TOGETHER_OR_NOT = {
    "together_utility": "If all stay together",
    "split_utility": "If the group may split up",
    "compromise_utility": "If those who may give way do",
    "compromise_split_utility": "If both",
}
"""Utilities of the best plans found, for a user with preferences, and what they are of."""

KINDS = {"attractions": "attraction", "food": "restaurant", "hotels": "stay"}
Named = dict[tuple[str, str, str], tuple[PagePlace, str]]
"""Places, with their categories, by city, type and name, which is how a plan names them."""

WHAT = {"attraction": "Sight", "food": "Meal", "hotel": "Night"}


def page(tables: ReleaseTables, measures: dict[str, Any]) -> FamilyPage:
    """Return the page's rows of a release."""
    currency = tables.section["currency"]
    names = {row["name"]: row["city_id"] for row in tables[GroupCity].to_dict("records")}
    places: list[PagePlace] = []
    by_name: Named = {}
    columns = ("city_id", "place_id", "poi_type", "name", "category", "avg_cost", "is_cost_modelled", "rank",
               "opening_hours", "lat", "lon", "source_rows")  # fmt: skip
    pois = tables[GroupPoi].sort_values(["city_id", "place_id"])
    opens: dict[int, str] = {}  # equal hours are mostly one object, which the frame holds
    for city_id, place_id, kind, name, category, cost, is_modelled, rank, hours, lat, lon, sources in rows_of(
        pois, *columns
    ):
        if id(hours) not in opens:
            opens[id(hours)] = _opens(hours)
        facts = tuple(_facts(kind, category, cost, is_modelled, rank, opens[id(hours)], currency))
        # In a folder that was opened a place may be nowhere.
        at = (math.nan, math.nan) if lat is None or lon is None else (float(lat), float(lon))
        place = PagePlace(place_id, city_id, KINDS[kind], name, *at, facts, tuple(sources))
        places.append(place)
        by_name.setdefault((city_id, kind, name), (place, category))
    certificates = {row["task_id"]: row for row in tables.certificates.to_dict("records")}
    tasks = tables.tasks.sort_values("task_id").to_dict("records")
    return FamilyPage(
        tasks=tuple(_task(row, certificates.get(row["task_id"]), names, by_name, currency) for row in tasks),
        places=tuple(places),
        distributions=tuple(_distributions([row["record"] for row in tasks], measures)),
    )


def _task(
    row: Mapping[Any, Any],
    certificate: Mapping[Any, Any] | None,
    names: dict[str, str],
    by_name: Named,
    currency: str,
) -> PageTask:
    record = row["record"]
    meta = record["metadata"]
    days = certificate["plan"]["days"] if certificate else []
    return PageTask(
        task_id=row["task_id"],
        title=f"{meta['group_name'][:1].upper()}{meta['group_name'][1:]} ({people_count(record)}), {meta['date']}",
        city_ids=tuple(row["city_id"].split("+")),
        difficulty=record["difficulty_type"],
        asks=tuple(_asks(record, currency)),
        messages=tuple(
            (f"{record['user_preferences'][m['role']]['role']} ({m['role']})", m["content"]) for m in row["messages"]
        ),
        days=tuple(_day(day, names, by_name, currency) for day in days),
        scores=tuple(_scores(certificate["proof"], record, currency)) if certificate else (),
    )


def _asks(record: dict[str, Any], currency: str) -> Iterator[tuple[str, str]]:
    """Yield the group, then each member's preferences, the strong ones by name."""
    meta = record["metadata"]
    yield "From", meta["departure_city"]
    yield "Date", record["time"]
    yield "Difficulty score", f"{record['difficulty_score']:g}"
    for user, entry in sorted(record["user_preferences"].items()):
        values_by_wording: dict[str, list[str]] = {}
        for item in items_of(entry["preference"]):
            is_money = item.field.path == ("avg_budget",)
            value = f"{in_figures(item.value)} {currency}" if is_money else str(item.value)
            values_by_wording.setdefault(SAID[item.field.path], []).append(value)
        may = ", may give way" if entry["compromisable"] else ""
        wishes_text = "\n".join(f"{words}: {', '.join(values)}" for words, values in values_by_wording.items())
        yield f"{entry['role']} ({user}{may})", wishes_text


def _day(day: dict[str, Any], names: dict[str, str], by_name: Named, currency: str) -> PageDay:
    stops: list[PageStop] = []
    ways: list[str] = [day["date"]]
    for segment in day["city_segments"]:
        if segment.get("type") == LEG:
            way = f"{segment['transport_mode']}, {isolated(segment['from_city'])} → {isolated(segment['to_city'])}"
            price = f"{in_figures(segment['avg_cost'])} {currency} each"
            ways.append(f"{way}, {segment['start_time']}–{segment['end_time']}, {price}")
            continue
        city_id = names[segment["city"]]
        activities = [activity for activity in segment["activities"] if activity["type"] != LOCAL]
        stops += [_stop(activity, city_id, by_name, currency) for activity in activities]
    return PageDay(f"Day {day['day']}", tuple(stops), " · ".join(ways))


def _stop(activity: dict[str, Any], city_id: str, by_name: Named, currency: str) -> PageStop:
    place, category = by_name[city_id, TYPE_OF_ACTIVITY[activity["type"]], activity["location"]]
    cost = f"{in_figures(activity['avg_cost'])} {currency} each" if "avg_cost" in activity else ""
    when = f"{activity['start_time']}–{activity['end_time']}"
    note = ", ".join(filter(None, (category, cost)))
    what = WHAT[activity["type"]]
    return PageStop(what, activity["location"], when, note, place.lat, place.lon, place_id=place.place_id)


def _facts(
    kind: str, category: str, cost: Any, is_modelled: bool, rank: Any, opens: str, currency: str
) -> Iterator[tuple[str, str]]:
    """Yield what is known of a place; a price or hours of a declared model say so."""
    yield from fact("Category", category)
    of = {"food": "a meal, a person", "hotels": "a night, a person"}.get(kind, "a person")
    yield from fact("Price", cost, f"{currency} {of}{', modelled' if is_modelled else ''}")
    yield from fact("Known", None if rank is None else f"number {rank:g} of its kind in the city")
    yield from fact("Hours", opens)


def _opens(hours: Mapping[str, Any] | None) -> str:
    """Return opening hours in words, and that they are modelled where they are."""
    return ", ".join(filter(None, (hours_in_words(hours), (hours or {}).get("basis"))))


WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")


def hours_in_words(hours: Mapping[str, Any] | None) -> str:
    """Return opening hours of the published structure in words: `Mon–Thu 10:00–22:00`; empty if unknown."""
    if hours is None:
        return ""
    if hours.get("always_open"):
        return "always open"
    phrases = []
    for rule in hours.get("rules", []):
        windows = ", ".join(f"{window['open']}–{window['close']}" for window in rule["time_windows"])
        dates = rule.get("date_range")
        season = f" ({dates['start']} to {dates['end']})" if dates else ""
        phrases.append(f"{_days_in_words(sorted(rule['weekdays']))} {windows}{season}")
    return "; ".join(phrases)


def _days_in_words(days: list[int]) -> str:
    """Return weekdays, 1 for Monday, with runs of three and more as first and last."""
    runs: list[list[int]] = []
    for day in days:
        if runs and day == runs[-1][-1] + 1:
            runs[-1].append(day)
        else:
            runs.append([day])
    names = [[WEEKDAYS[day - 1] for day in run] for run in runs]
    return ", ".join(f"{run[0]}–{run[-1]}" if len(run) > 2 else ", ".join(run) for run in names)


def _scores(values: dict[str, Any], record: dict[str, Any], currency: str) -> Iterator[tuple[str, str]]:
    utility = values["utility"]
    yield "Group utility, a user with preferences", _points(utility["per_table"])
    yield "Group utility, a participant", _points(utility["per_participant"])
    yield "How sure", utility["statement"]
    plans = values.get("per_table", {})
    for key, words in TOGETHER_OR_NOT.items():
        if plans.get(key) is not None:
            bound = plans.get(f"{key.removesuffix('_utility')}_bound")
            yield words, _points(plans[key]) + (f", at most {bound:g}" if bound is not None else "")
    yield "Fairness", f"{values['fairness']:g} of 100"
    yield "Cost, each", f"{in_figures(values['cost'])} {currency}"
    for user, points in sorted(utility["users"].items()):
        yield f"Utility of {record['user_preferences'][user]['role']} ({user})", _points(points)


def _points(value: float) -> str:
    return f"{value:g} {'point' if value == 1 else 'points'}"


def _distributions(records: list[dict[str, Any]], measures: dict[str, Any]) -> Iterator[Distribution]:
    sizes = Counter(people_count(record) for record in records)
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
