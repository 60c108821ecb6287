"""The declared conditions of `ours` on a day: how long a visit lasts, when one eats, how fast one gets about, the caps.

Every user is followed alone, so that a team's day holds what the whole group's does (`conditions.py`).
"""

from __future__ import annotations

from itertools import pairwise

from assets.grouptravel.checks.entries import VISITS, Entry
from assets.grouptravel.checks.utility import GroupUtility
from assets.grouptravel.checks.validity_facts import Case, Issue
from assets.grouptravel.conditions import (
    CHILD_DAY,
    DAY,
    MEAL_GAP_MIN,
    MEAL_WINDOWS,
    TRANSFER_MIN,
    least_stay_min,
    meal_of,
)
from assets.grouptravel.facts.poi import Poi
from assets.grouptravel.facts.pois import TYPE_OF_ACTIVITY
from assets.grouptravel.plan import LOCAL, Activity
from schemas.clock import clock_face

STAYS, MEALS, MOVES, CAPS = "stays", "meals", "moves", "caps"


def stays(case: Case) -> list[Issue]:
    """Return visits that are too short, outside the day, or too near to an arrival or a departure."""
    issues = []
    for entry in case.entries:
        act = entry.act
        if act.kind not in VISITS or act.start is None or act.end is None:
            continue
        kind = TYPE_OF_ACTIVITY[act.kind]
        least = least_stay_min(kind, entry.poi.category if entry.poi else "")
        when = f"{act.location}, {act.start_text} to {act.end_text}"
        if act.end - act.start < least:
            issues.append(Issue(STAYS, "too_short", entry.day.number, "", f"{when}: at least {least} min"))
        joined = act.joined_by(case.facts.users)
        opens, closes = CHILD_DAY if any(user in case.facts.children for user in joined) else DAY
        if not (opens <= act.start and act.end <= closes):
            between = f"between {clock_face(opens)} and {clock_face(closes)}"
            issues.append(Issue(STAYS, "outside_the_day", entry.day.number, "", f"{when}: {between}"))
        if act.start < entry.arrived + TRANSFER_MIN or act.end > entry.leaves - TRANSFER_MIN:
            issues.append(
                Issue(STAYS, "no_time_to_transfer", entry.day.number, "", f"{when}: {TRANSFER_MIN} min of a leg")
            )
    return issues


def meals(case: Case) -> list[Issue]:
    """Return meals that start at no mealtime, and users who eat twice at one or again too soon."""
    issues = []
    for day in case.plan.days:
        eaten: dict[str, dict[int, Activity]] = {user: {} for user in case.facts.users}
        for act in (act for block in day.blocks for act in block.activities or () if act.kind == "food"):
            meal = meal_of(act.start) if act.start is not None else None
            if meal is None:
                times = ", ".join(f"{clock_face(first)}-{clock_face(last)}" for first, last in MEAL_WINDOWS)
                issues.append(
                    Issue(MEALS, "no_mealtime", day.number, "", f"{act.location} at {act.start_text}: {times}")
                )
                continue
            for user in act.joined_by(case.facts.users):
                if meal in eaten[user]:
                    issues.append(Issue(MEALS, "eats_twice", day.number, user, f"{act.location} at {act.start_text}"))
                eaten[user][meal] = act
        for user, had in eaten.items():
            for one, other in pairwise(had[meal] for meal in sorted(had)):
                if one.end is not None and other.start is not None and other.start - one.end < MEAL_GAP_MIN:
                    what = f"{one.location} until {one.end_text}, {other.location} at {other.start_text}"
                    issues.append(Issue(MEALS, "eats_too_soon", day.number, user, f"{what}: {MEAL_GAP_MIN} min apart"))
    return issues


def moves(case: Case) -> list[Issue]:
    """Return moves that are faster than their way or lead nowhere known, and visits that nobody can be in time for."""
    issues = []
    ways, modes = case.facts.pois.ways, {word: key for key, word in case.facts.vocabulary.local_modes.items()}
    slept: dict[str, Poi] = {}
    by_day = [list[Entry]() for _ in case.plan.days]
    for entry in case.entries:
        by_day[entry.position].append(entry)
    for day, entries in zip(case.plan.days, by_day, strict=True):
        whereabouts: dict[str, tuple[Poi, int | None]] = {user: (poi, None) for user, poi in slept.items()}
        slept = {}
        for entry in entries:
            act = entry.act
            if act.kind == LOCAL:
                issues += _move(case, entry, modes)
                continue
            if entry.poi is None or act.start is None:
                continue
            for user in act.joined_by(case.facts.users):
                at = whereabouts.get(user) if entry.arrived < 0 or entry.is_since_arrival(user, whereabouts) else None
                if at is not None and at[1] is not None:
                    least = ways.least(at[0], entry.poi) if at[0] is not entry.poi else 0
                    if act.start - at[1] < least:
                        what = f"{at[0].name} to {entry.poi.name} in {act.start - at[1]} min: at least {least}"
                        issues.append(Issue(MOVES, "too_fast", day.number, user, what))
                whereabouts[user] = (entry.poi, act.end if act.kind != "hotel" else act.start)
                if act.kind == "hotel":
                    slept[user] = entry.poi
    return issues


def _move(case: Case, entry: Entry, modes: dict[str, str]) -> list[Issue]:
    act, city, number = entry.act, entry.city, entry.day.number
    if act.start is None or act.end is None:
        return []
    mode = modes.get(act.mode)
    if mode is None:
        return [Issue(MOVES, "unknown_mode", number, "", f"{act.mode!r:.40}; expected {', '.join(modes)}")]
    one, other = (case.facts.pois.meant(name, city) for name in (act.origin, act.destination))
    issues = []
    for poi, name, may_be_anywhere in (
        (one, act.origin, entry.is_first_since_leg),
        (other, act.destination, entry.is_last_before_leg),
    ):
        if poi is None and not may_be_anywhere:
            issues.append(Issue(MOVES, "unknown_end", number, "", f"{name!r:.60} is no place of {city}"))
    ways = case.facts.pois.ways
    if one and other and one is not other and not ways.runs(mode, one, other):
        what = f"{act.origin} to {act.destination}: no {act.mode} is known to lead there"
        return [*issues, Issue(MOVES, "nothing_runs", number, "", what)]
    least = ways.minutes(mode, one, other) if one and other else ways.floor
    if act.end - act.start < least:
        what = f"{act.origin} to {act.destination} in {act.end - act.start} min by {act.mode}: at least {least}"
        issues.append(Issue(MOVES, "too_fast", number, "", what))
    return issues


def caps(utility: GroupUtility) -> list[Issue]:
    """Return the users whose caps of sights or hours a day the plan exceeds, by their effective tables."""
    return [
        Issue(CAPS, "cap_exceeded", 0, user, "more sights or active hours a day than the table allows")
        for user, user_utility in utility.users.items()
        if user_utility.breakdown["intensity"] < 0
    ]
