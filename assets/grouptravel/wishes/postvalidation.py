"""Post-validation of preference tables, whoever made them: what is wrong, and the repair that keeps the stronger (3.E).

The twelve rules of 3.C are checked here, again after every inheritance (G2), for names and categories alike (G3).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from assets.grouptravel.archetypes import CHILD_WITHOUT_TABLE_BELOW, Archetype
from assets.grouptravel.facts.kinds import clash, manner
from assets.grouptravel.vocabulary import Vocabulary
from assets.grouptravel.wishes.candidates import CityCandidates, Reach, offers_tastes
from assets.grouptravel.wishes.preferences import (
    FIELDS,
    Field,
    Item,
    Table,
    cities_of,
    empty_table,
    get,
    items_of,
    put,
)
from schemas.counts import counted

MAX_TRIES = 3
"""Times a table is made again before its task is rejected (3.E)."""

CITY_ITEMS = (2, 6)
"""Items of a major category (attractions, or food) in one city, at most four of them places, kinds or dishes (3.C).

Published tables have 4.0 and 3.3 (3.D), so that the paper's two to four cannot be of all attractions' fields.
"""

NO_MODE = (
    "found no mode with services there and back in the time that the trip has for travel, by the clocks of its cities; "
    "bind fares (group) that have, or add a city to set out from"
)
"""A service that lands before it leaves, by the clocks, is read as one of the next day (`GroupFare.arr_time`)."""

RULES = {
    "listed": "Only listed candidates are named: places, categories, modes, hotel types.",
    "item_counts": "Each city has two to six items of attractions, and of food where it offers two tastes in number.",
    "same_cities": "City preferences are a mapping with exactly the trip's cities.",
    "tiers_are_exclusive": "No item is in two tiers of one field group, none wanted of a kind that is not (G2).",
    "category_agrees": "No wanted place is of an unwanted category, by its name, kind, or what holds its kind (G3).",
    "has_negative": "There is at least one thing the user does not want.",
    "food_is_diverse": "Cities do not all have the same wanted dishes where others are listed.",
    "reachable": "A must mode serves the whole trip, a prefer mode a part of it, with time left for the trip (G5).",
    "mode_left": "Some mode that serves the whole trip is not rejected.",
    "budget_covers": "The budget covers fares, lodging and meals.",
    "caps_in_range": "2 to 4 attractions and 6 to 10 active hours a day.",
    "suits_age": "Nobody speaks, for or against, of what they are too young for.",
    "child_role": "A child has a table exactly if it is old enough (G6).",
}
"""The twelve rules that every table holds, as we read 3.C, and that it suits its member's age."""


@dataclass(frozen=True)
class Setting:
    """What one task's tables are judged against: its cities by name, its reach, its words."""

    cities: Mapping[str, CityCandidates]
    reach: Reach
    vocabulary: Vocabulary


@dataclass(frozen=True)
class Problem:
    """One broken rule: where in the table, and what."""

    rule: str
    path: str
    detail: str


def problems(table: Table, setting: Setting) -> list[Problem]:
    """Return every broken rule of one user's table."""
    broken_rules = [*_unlisted(table, setting), *_contradictions(table, setting), *_modes(table, setting)]
    if set(cities_of(table)) != set(setting.cities):
        broken_rules.append(Problem("same_cities", "", f"cities are {', '.join(cities_of(table))}"))
        return broken_rules
    for city in cities_of(table):
        for group in ("attractions", "food"):
            fields = [field for field in FIELDS if field.per_city and field.path[0] == group]
            n = sum(len(get(table, field, city)) for field in fields)
            is_offered = group != "food" or offers_tastes(setting.cities[city])
            if not (CITY_ITEMS[0] if is_offered else 0) <= n <= (CITY_ITEMS[1] if is_offered else 0):
                broken_rules.append(Problem("item_counts", f"{city}.{group}", f"{counted(n, 'item')}"))
    if not any(item.field.sign < 0 for item in items_of(table)):
        broken_rules.append(Problem("has_negative", "", "nothing is unwanted"))
    broken_rules += _monotony(table, setting)
    caps = table["global_constraints"]["intensity"]
    if not (2 <= caps["max_poi_per_day"] <= 4 and 6 <= caps["max_active_hours"] <= 10):
        broken_rules.append(Problem("caps_in_range", "intensity", str(caps)))
    budget = table["global_constraints"]["avg_budget"]
    if setting.reach.floor is None or budget < setting.reach.floor:
        broken_rules.append(Problem("budget_covers", "avg_budget", f"{budget}, needs {setting.reach.floor}"))
    return broken_rules


def age_problems(table: Table, setting: Setting, age: int) -> list[Problem]:
    """Return what a member of an age would not speak of: kinds and places for which one has to be older."""
    broken_rules = []
    for item in items_of(table):
        if not item.field.is_list or item.city not in setting.cities:
            continue
        categories_by_name = {poi.name: poi.category for poi in setting.cities[item.city].attractions}
        least = manner(categories_by_name.get(item.value) or item.value).least_age
        if age < least:
            broken_rules.append(Problem("suits_age", item.path, f"{item.value!r:.60} at {age}, from {least} on"))
    return broken_rules


def child_problems(archetype: Archetype, ages: Mapping[int, int], with_table: set[int]) -> list[Problem]:
    """Return the members whose age and table do not agree: under eight none, from eight on one (paper; G6)."""
    broken_rules = []
    for user in range(1, len(archetype.roles) + 1):
        age = ages.get(user)
        is_small = archetype.roles[user - 1].is_small_child if age is None else age < CHILD_WITHOUT_TABLE_BELOW
        if is_small == (user in with_table):
            what = "has a table" if is_small else "has none"
            broken_rules.append(Problem("child_role", f"User{user}", f"{archetype.roles[user - 1].en} {what}"))
    return broken_rules


def repaired(table: Table, setting: Setting) -> tuple[Table, int]:
    """Return the table without what contradicts or is not listed, the stronger tier kept, and how many items went.

    Published pass 2. Of two tiers of equal strength the wanted one stays; a category goes before a named place does.
    """
    repaired_table = empty_table(cities_of(table))
    for field in FIELDS:
        if not field.is_list:
            put(repaired_table, field, "", get(table, field))
    order = sorted((f for f in FIELDS if f.is_list), key=lambda f: (-f.weight, -f.sign, FIELDS.index(f)))
    dropped = 0
    for field in order:
        for city in cities_of(table) if field.per_city else ("",):
            for value in get(table, field, city):
                before = get(repaired_table, field, city)
                put(repaired_table, field, city, [*before, value])
                is_wrong = not _is_listed(Item(field, city, value), setting) or _bad_mode(field, value, setting)
                if is_wrong or _contradictions(repaired_table, setting):
                    put(repaired_table, field, city, before)
                    dropped += 1
    return repaired_table, dropped


def _unlisted(table: Table, setting: Setting) -> list[Problem]:
    return [
        Problem("listed", item.path, repr(item.value)[:80])
        for item in items_of(table)
        if item.field.is_list and not _is_listed(item, setting)
    ]


def _is_listed(item: Item, setting: Setting) -> bool:
    group, tier = item.field.path[0], item.field.path[-1]
    city = setting.cities.get(item.city)
    if group == "transport":
        return item.value in setting.vocabulary.modes.values()
    if group == "hotel_preference":
        return any(item.value in listed.hotel_categories for listed in setting.cities.values())
    if city is None:
        return False
    if group == "food":
        return item.value in city.food_categories
    if tier in ("positive", "negative"):
        return item.value in city.attraction_categories
    return any(poi.name == item.value for poi in city.attractions)


def _contradictions(table: Table, setting: Setting) -> list[Problem]:
    """Return items in two tiers of a group, and wanted places of a category that is not wanted."""
    broken_rules = []
    field_by_key: dict[tuple[str, str, str], Field] = {}
    for item in items_of(table):
        if not item.field.is_list:
            continue
        key = (item.city, item.field.path[0], item.value)
        if key in field_by_key:
            broken_rules.append(
                Problem("tiers_are_exclusive", item.path, f"{item.value!r:.80} is also {field_by_key[key].path[-1]}")
            )
        field_by_key.setdefault(key, item.field)
    broken_rules += _of_refused_kinds(table)
    for name in cities_of(table):
        sights = table["city_specific_preferences"][name]["attractions"]
        if not sights["category_pref"]["negative"]:
            continue
        pois_by_name = {poi.name: poi for poi in setting.cities[name].attractions} if name in setting.cities else {}
        for sight in sights["must_visit"]:
            kind = (
                setting.vocabulary.category(pois_by_name[sight].category, "attractions")
                if sight in pois_by_name
                else ""
            )
            for category in sights["category_pref"]["negative"]:
                if clash(category, kind) or category in sight:
                    detail = f"{sight!r:.60} is {category!r:.30}"
                    broken_rules.append(
                        Problem("category_agrees", f"{name}.attractions.category_pref.negative", detail)
                    )
    return broken_rules


def _of_refused_kinds(table: Table) -> list[Problem]:
    """Return kinds of food or sights that are wanted while a kind that holds them, or that they hold, is refused."""
    kind_items = [
        item for item in items_of(table) if item.field.per_city and not item.field.path[-1].endswith("_visit")
    ]
    liked_items = [item for item in kind_items if item.field.sign > 0]
    return [
        Problem("tiers_are_exclusive", item.path, f"{item.value!r:.40} is refused, {other.value!r:.40} wanted")
        for item in kind_items
        for other in liked_items
        if item.field.sign < 0
        and (item.city, item.field.path[0]) == (other.city, other.field.path[0])
        and item.value != other.value
        and clash(item.value, other.value)
    ]


def _modes(table: Table, setting: Setting) -> list[Problem]:
    transport = table["global_constraints"]["transport"]
    broken_rules = []
    for tier in ("must", "prefer"):
        field = next(f for f in FIELDS if f.path == ("transport", tier))
        broken_rules += [
            Problem("reachable", f"transport.{tier}", f"{word!r:.30} does not serve the trip")
            for word in transport[tier]
            if _bad_mode(field, word, setting)
        ]
    words = {setting.vocabulary.modes[key] for key in setting.reach.whole_trip_modes}
    if not words:
        broken_rules.append(Problem("mode_left", "transport.reject", NO_MODE))
    elif not words - set(transport["reject"]):
        broken_rules.append(Problem("mode_left", "transport.reject", "no mode is left that serves the whole trip"))
    return broken_rules


def _bad_mode(field: Field, word: str, setting: Setting) -> bool:
    """Return whether a wanted mode does not serve the trip: the whole of it if a must, something of it if preferred."""
    if field.path[0] != "transport" or field.sign < 0:
        return False
    key = setting.vocabulary.mode_key(word)
    allowed = (
        setting.reach.whole_trip_modes
        if field.path[-1] == "must"
        else (*setting.reach.whole_trip_modes, *setting.reach.part_trip_modes)
    )
    return key not in allowed


def _monotony(table: Table, setting: Setting) -> list[Problem]:
    """Return whether cities that offer other food all get the same wish."""
    wishes = {city: tuple(table["city_specific_preferences"][city]["food"]["must_eat"]) for city in cities_of(table)}
    offered = {dish for city in wishes for dish in setting.cities[city].food_categories}
    if len(wishes) > 1 and len(set(wishes.values())) == 1 and any(wishes.values()) and len(offered) > len(wishes):
        return [Problem("food_is_diverse", "food.must_eat", f"every city has {next(iter(wishes.values()))}")]
    return []
