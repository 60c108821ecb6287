"""An audit of a GroupTravelBench folder as published: every defect of our list that its files can show.

Works on the tasks as the file holds them. Reading the files is `published_folder.py`, reading free text
`published_messages.py`. Counts come with examples to be looked at; where a file is missing, what it would show is told.
"""

from __future__ import annotations

import re
import statistics
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

from assets.grouptravel.archetypes import CHILD_WITHOUT_TABLE_BELOW
from assets.grouptravel.difficulty import CITIES, DAYS_LEVEL, PEOPLE, difficulty
from assets.grouptravel.facts.distance import DETOUR, distance_km
from assets.grouptravel.published.published_folder import KnownPlaces, PublishedFolder, PublishedTask, read_folder
from assets.grouptravel.published.published_messages import is_softened, revealed
from assets.grouptravel.tools.routes import BETWEEN_CITIES_KMH
from assets.grouptravel.vocabulary import CAR, VOCABULARIES
from assets.grouptravel.wishes.candidates import MAX_TRAVEL_SHARE, WAKING_HOURS
from assets.grouptravel.wishes.conflicts import conflicts
from assets.grouptravel.wishes.messages import MAX_PREFERENCES
from assets.grouptravel.wishes.preferences import Field, Item, items_of
from schemas.stable import canonical_json

EXAMPLES = 5
CHILD_WORDS = re.compile(r"孩|幼儿|儿童|宝宝|child|toddler|kid\b|baby", re.IGNORECASE)
NUMBERS = {
    "一": 1, "两": 2, "二": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7,
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7,
}  # fmt: skip
PAPER_HARD_DAYS = 5
"""Days from which the paper's text calls a task hard (G10)."""

TITLES = {
    "G1": "Whether the sandbox's cache, which the code imports, is there",
    "G2": "One item in tiers that exclude each other",
    "G3": "Wanted places of an unwanted category",
    "G4": "Opening messages that reveal too much, or soften what is strong",
    "G5": "Modes asked for that do not serve the trip",
    "G6": "Children with or without a table, against their age",
    "G7": "Whether split penalties can be dodged",
    "G8": "Whether fairness and completeness reward what they should not",
    "G9": "Tables ask for legs that the paper rules out",
    "G10": "Slips between text, code and data",
    "difficulty": "Difficulty against the fitted formula",
    "conflicts": "What one member wants and another does not",
    "composition": "What the tasks are made of",
    "places": "Wanted places that the list of places does not have",
    "identical": "Tasks that say the same",
    "reading": "Tables that do not read as published",
}

Found = dict[str, Any]
Flaw = tuple[PublishedTask, dict[str, Any]]


def inspect_folder(path: Path) -> dict[str, Found]:
    """Return what `inspect` counts in the folder. Raises SourceError when it is none as published."""
    return inspect(read_folder(path))


def inspect(folder: PublishedFolder) -> dict[str, Found]:
    """Return what was counted, by defect id (G1 to G10) and by what else is worth knowing."""
    tasks, places = folder.tasks, folder.places
    findings: dict[str, Found] = {
        "G1": _not_measured("the released code") if folder.lacks_cache_code is None else
              {"cache_code_missing": folder.lacks_cache_code},
        "G2": _flaws_found(tasks, _exclusive),
        "G3": _categories(tasks, places),
        "G4": _messages(tasks),
        "G5": _reach(tasks, places),
        "G6": _children(tasks),
        "G7": _not_measured("plans: `tripwright score`, variant released against ours"),
        "G8": _not_measured("plans: `tripwright score`, variant released against ours"),
        "G9": _flaws_found(tasks, _cars),
        "G10": {"hard_tasks_by_days": _hard_days(tasks), "hard_below_the_paper_s_days": sum(
            n for days, n in _hard_days(tasks).items() if days != "unknown" and int(days) < PAPER_HARD_DAYS)},
        "difficulty": _flaws_found(tasks, _difficulty),
        "conflicts": _conflicts(tasks),
        "composition": _composition(tasks),
        "places": _unlisted(tasks, places),
        "identical": _identical(tasks),
        "reading": {
            "tasks": len(tasks),
            "problems_in_tables": sum(len(task.problems) for task in tasks),
            "examples": [f"{t.task_id} {p}" for t in tasks for p in t.problems][:EXAMPLES],
        },
    }  # fmt: skip
    return {defect: {"title": TITLES[defect], "measured": True} | values for defect, values in findings.items()}


def days_of(task: PublishedTask) -> int | None:
    """Return the task's days, written in words of either language; None if they cannot be read."""
    text = str(task.metadata.get("date", ""))
    match = re.search(r"([一二两三四五六七\d])\s*天", text) or re.search(r"(\w+) days?", text, re.IGNORECASE)
    word = match[1].casefold() if match else ""
    return int(word) if word.isdecimal() else NUMBERS.get(word)


def people_of(task: PublishedTask) -> int:
    """Return how many take part, children without a table included."""
    users = {*task.record["user_preferences"], *(str(child.get("user")) for child in task.children)}
    return len(users)


def _not_measured(needs: str) -> Found:
    return {"measured": False, "needs": needs}


def _flaws_found(tasks: tuple[PublishedTask, ...], flaws: Callable[[PublishedTask], Iterator[dict[str, Any]]]) -> Found:
    """Return how many flaws there are, in how many tasks and tables, and the first few."""
    task_flaws = [(task, flaw) for task in tasks for flaw in flaws(task)]
    return {
        "found": len(task_flaws),
        "tasks": len({task.line for task, _ in task_flaws}),
        "users": len({(task.line, flaw["user"]) for task, flaw in task_flaws if "user" in flaw}),
        "examples": _examples(task_flaws),
    }


def _examples(task_flaws: list[Flaw]) -> list[dict[str, Any]]:
    return [{"task_id": task.task_id, **flaw} for task, flaw in task_flaws[:EXAMPLES]]


def _exclusive(task: PublishedTask) -> Iterator[dict[str, Any]]:
    for user, table in task.tables.items():
        tiers: dict[tuple[str, str, Any], list[Field]] = {}
        for item in items_of(table):
            if item.field.is_list:
                tiers.setdefault((item.city, item.field.path[0], item.value), []).append(item.field)
        for (city, _, value), fields in tiers.items():
            if len({field.path for field in fields}) > 1:
                tier_names = " and ".join(dict.fromkeys(field.path[-1] for field in fields))
                yield {"user": user, "city": city, "item": value, "tiers": tier_names}


def _categories(tasks: tuple[PublishedTask, ...], places: KnownPlaces | None) -> Found:
    categories_by_city = places.categories if places else {}

    def flaws(task: PublishedTask) -> Iterator[dict[str, Any]]:
        for user, table in task.tables.items():
            for city, sights in _sights(table):
                for sight in sights["must_visit"]:
                    kind = categories_by_city.get(city, {}).get(sight, "")
                    for category in sights["category_pref"]["negative"]:
                        if category in sight or category == kind:
                            how = "name" if category in sight else "category"
                            yield {"user": user, "city": city, "wanted": sight, "unwanted": category, "by": how}

    counts = _flaws_found(tasks, flaws)
    by = Counter(flaw["by"] for task in tasks for flaw in flaws(task))
    counts |= {"by_name": by["name"], "by_category": by["category"]}
    if places is None:
        counts["not_measured"] = "categories of places: the folder has no poi2category/all_poi_by_city.json"
    return counts


def _sights(table: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    for city, wishes in table["city_specific_preferences"].items():
        yield city, wishes["attractions"]


def _messages(tasks: tuple[PublishedTask, ...]) -> Found:
    counts: Counter[int] = Counter()
    many: list[Flaw] = []
    soft: list[Flaw] = []
    silent_users, strangers = 0, 0
    for task in tasks:
        message_by_user = {str(m.get("role")): str(m.get("content", "")) for m in task.record["initial_messages"]
                if isinstance(m, dict)}  # fmt: skip
        silent_users += len(set(task.tables) - set(message_by_user))
        strangers += len(set(message_by_user) - set(task.tables))
        for user, message in message_by_user.items():
            if user not in task.tables:
                continue
            revealed_items = list(revealed(task.tables[user], message))
            counts[len(revealed_items)] += 1
            if len(revealed_items) > MAX_PREFERENCES:
                item_names = ", ".join(str(items[0].value) for items, _ in revealed_items)
                many.append((task, {"user": user, "reveals": len(revealed_items), "which": item_names}))
            soft += [
                (task, {"user": user, "item": _item_text(items[0]), "said": clause})
                for items, clause in revealed_items
                if is_softened(items, clause)
            ]
    return {
        "messages": sum(counts.values()),
        "by_preferences_revealed": {str(n): counts[n] for n in sorted(counts)},
        "more_than_three": len(many),
        "nothing_recognised": counts[0],
        "strong_said_softly": len(soft),
        "tables_without_message": silent_users,
        "messages_without_table": strangers,
        "examples_of_many": _examples(many),
        "examples_of_soft": _examples(soft),
    }


def _item_text(item: Item) -> str:
    return f"{item.field.path[-1]}: {item.value}"


def _reach(tasks: tuple[PublishedTask, ...], places: KnownPlaces | None) -> Found:
    """Count the modes that members must have; and cars that would take more of the trip than it has."""
    modes: Counter[str] = Counter()
    several, refused = [], []
    far: list[Flaw] = []
    measurable = 0
    for task in tasks:
        hours = _drive_hours(task, places)
        days = days_of(task)
        for user, table in task.tables.items():
            transport = table["global_constraints"]["transport"]
            modes.update(transport["must"])
            if len(set(transport["must"])) > 1:
                several.append((task, {"user": user, "must": ", ".join(transport["must"])}))
            every = set(transport["must"]) & set(transport["reject"])
            refused += [(task, {"user": user, "mode": mode}) for mode in sorted(every)]
            if hours is None or days is None or not any(_is_car(mode) for mode in transport["must"]):
                continue
            measurable += 1
            if hours > MAX_TRAVEL_SHARE * WAKING_HOURS * days:
                far.append((task, {"user": user, "drive_h": round(hours, 1), "days": days}))
    return {
        "must_by_mode": dict(sorted(modes.items())),
        "must_several_modes": len(several),
        "must_and_rejected": len(refused),
        "must_drive_too_far": len(far),
        "must_drive_measured": measurable,
        "not_measured": "services on the day, for which the folder has no timetable"
        + ("" if places and places.middles else "; drives, for which its places have no location"),
        "examples": _examples([*far, *refused, *several]),
    }


def _drive_hours(task: PublishedTask, places: KnownPlaces | None) -> float | None:
    """Return the hours by car of the whole round, by the cities' middles; None where one is not known."""
    middles = places.middles if places else {}
    route = [str(task.metadata.get("departure_city")), *task.cities]
    if not task.cities or not all(city in middles for city in route):
        return None
    legs = pairwise([middles[city] for city in (*route, route[0])])
    return sum(distance_km(one, other) for one, other in legs) * DETOUR / BETWEEN_CITIES_KMH


def _is_car(mode: str) -> bool:
    return any(mode == vocabulary.modes[CAR] for vocabulary in VOCABULARIES.values())


def _children(tasks: tuple[PublishedTask, ...]) -> Found:
    skipped: list[Flaw] = []
    too_young: list[Flaw] = []
    roles: Counter[str] = Counter()
    for task in tasks:
        for child in task.children:
            role = str(child.get("role"))
            roles[role] += 1
            if (_oldest(role) or 0) >= CHILD_WITHOUT_TABLE_BELOW:
                skipped.append((task, {"user": str(child.get("user")), "role": role}))
        for user, entry in task.record["user_preferences"].items():
            role = str(entry.get("role")) if isinstance(entry, dict) else ""
            if user in task.tables and CHILD_WORDS.search(role) and not _may_be_old(role):
                too_young.append((task, {"user": user, "role": role}))
    return {
        "children_without_table": sum(roles.values()),
        "roles_without_table": dict(sorted(roles.items())),
        "without_table_but_up_to_eight_or_more": len(skipped),
        "with_table_but_no_age_from_eight": len(too_young),
        "examples": [*_examples(skipped), *_examples(too_young)],
    }


def _ages(role: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", role)]


def _oldest(role: str) -> int | None:
    return max(_ages(role), default=None)


def _may_be_old(role: str) -> bool:
    """Return whether the role says that the child is eight or older."""
    ages = _ages(role)
    return bool(ages) and min(ages) >= CHILD_WITHOUT_TABLE_BELOW


def _cars(task: PublishedTask) -> Iterator[dict[str, Any]]:
    for user, table in task.tables.items():
        for tier in ("must", "prefer"):
            for mode in table["global_constraints"]["transport"][tier]:
                if _is_car(mode):
                    yield {"user": user, "tier": tier, "mode": mode}


def _hard_days(tasks: tuple[PublishedTask, ...]) -> dict[str, int]:
    counts = Counter(str(days_of(task) or "unknown") for task in tasks if task.record.get("difficulty_type") == "hard")
    return dict(sorted(counts.items()))


def _difficulty(task: PublishedTask) -> Iterator[dict[str, Any]]:
    people, days, cities = people_of(task), days_of(task), len(task.cities)
    stated_difficulty = (task.record.get("difficulty_score"), task.record.get("difficulty_type"))
    if people not in PEOPLE or days not in DAYS_LEVEL or cities not in CITIES:
        yield {
            "said": str(stated_difficulty),
            "expected": f"no size of a task: {people} people, {days} days, {cities} cities",
        }
    elif stated_difficulty != difficulty(people, days, cities):
        yield {"said": str(stated_difficulty), "expected": str(difficulty(people, days, cities))}


def _conflicts(tasks: tuple[PublishedTask, ...]) -> Found:
    rows = [(str(task.record.get("difficulty_type")), conflicts(task.tables)) for task in tasks]
    totals = [sum(counts.values()) for _, counts in rows]
    by_level: dict[str, list[int]] = {}
    for (level, _), total in zip(rows, totals, strict=True):
        by_level.setdefault(level, []).append(total)
    by_source: Counter[str] = Counter()
    for _, counts in rows:
        by_source.update(counts)
    return {
        "tasks_with_any": sum(total > 0 for total in totals),
        "mean": round(statistics.mean(totals), 2),
        "by_difficulty": {level: round(statistics.mean(counts), 2) for level, counts in sorted(by_level.items())},
        "by_source": dict(by_source),
    }


def _composition(tasks: tuple[PublishedTask, ...]) -> Found:
    budgets = [t["global_constraints"]["avg_budget"] for task in tasks for t in task.tables.values()]
    fields = Counter(".".join(i.field.path) for task in tasks for t in task.tables.values() for i in items_of(t))
    flags = [
        (bool(entry.get("compromisable")), user in task.pattern)
        for task in tasks
        for user, entry in task.record["user_preferences"].items()
        if isinstance(entry, dict)
    ]
    return {
        "tasks": len(tasks),
        "by_difficulty": dict(sorted(Counter(str(t.record.get("difficulty_type")) for t in tasks).items())),
        "by_people": dict(sorted(Counter(str(people_of(task)) for task in tasks).items())),
        "participants": sum(people_of(task) for task in tasks),
        "tables": sum(len(task.tables) for task in tasks),
        "items": sum(fields.values()),
        "items_by_field": dict(sorted(fields.items())),
        "budget": {
            "least": min(budgets, default=None),
            "median": statistics.median(budgets) if budgets else None,
            "mean": round(statistics.mean(budgets), 2) if budgets else None,
            "most": max(budgets, default=None),
        },
        "compromisable": sum(flag for flag, _ in flags),
        "compromisable_unlike_pattern": sum(flag != listed for flag, listed in flags),
    }


def _unlisted(tasks: tuple[PublishedTask, ...], places: KnownPlaces | None) -> Found:
    if places is None:
        return _not_measured("poi2category/all_poi_by_city.json")

    def flaws(task: PublishedTask) -> Iterator[dict[str, Any]]:
        for user, table in task.tables.items():
            for city, sights in _sights(table):
                for tier in ("must_visit", "reject_visit"):
                    for name in sights[tier]:
                        if name not in places.categories.get(city, {}):
                            yield {"user": user, "city": city, "tier": tier, "place": name}

    listed = {"places": places.places, "sights_of_one_name_and_city": places.duplicates}
    return _flaws_found(tasks, flaws) | listed


def _identical(tasks: tuple[PublishedTask, ...]) -> Found:
    task_ids_by_text: dict[str, list[str]] = {}
    for task in tasks:
        text = canonical_json({key: value for key, value in task.record.items() if key != "task_id"})
        task_ids_by_text.setdefault(text, []).append(task.task_id)
    groups = [ids for ids in task_ids_by_text.values() if len(ids) > 1]
    ids = Counter(task.task_id for task in tasks)
    return {"groups": len(groups), "which": groups[:EXAMPLES], "task_ids_used_twice": sum(n > 1 for n in ids.values())}
