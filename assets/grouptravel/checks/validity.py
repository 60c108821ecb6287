"""Plan validity: the nine checks, each a list of issues; a plan is valid if there are none (3.F, PV).

Here is what a plan must be in itself: cities, nights, times, places, people. What it must be against the facts
(opening hours, prices, timetables, distances) is `validity_facts.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from assets.grouptravel.checks.children import children
from assets.grouptravel.checks.day_conditions import CAPS, MEALS, MOVES, STAYS, caps, meals, moves, stays
from assets.grouptravel.checks.trip_conditions import NIGHTS, PLACES, TRIP, nights, places, trip
from assets.grouptravel.checks.utility import GroupUtility, group_utility
from assets.grouptravel.checks.validity_facts import Case, Facts, Issue, costs, opening_hours, services
from assets.grouptravel.plan import EVERYBODY, LOCAL, Activity, Block, Day, Plan
from assets.grouptravel.variants import Variant

ARRIVED = "(arrival)"
"""The position of who has just come to a city: somewhere from which only local transport leads on."""

MISSING, MISMATCH = "missing_intracity_transport", "intracity_transport_origin_mismatch"

PLACED = ("attraction", "food", "hotel")


@dataclass(frozen=True)
class Validity:
    """The verdict on one plan: every issue found, by the check that found it."""

    issues: tuple[Issue, ...]

    @property
    def is_valid(self) -> bool:
        """Return PV: whether no check found anything."""
        return not self.issues

    @property
    def failed(self) -> tuple[str, ...]:
        """Return the names of the checks that found something, in their order."""
        checks = {issue.check for issue in self.issues}
        return tuple(name for name in (*CHECKS, *CONDITIONS, CAPS) if name in checks)


def validity(plan: Plan, facts: Facts, variant: Variant) -> Validity:
    """Return every issue of the plan by the nine checks. One without days has none: ask `Plan.is_plan` first."""
    return Validity(tuple(issues(plan, facts, variant)))


def verdict_and_utility(
    plan: Plan,
    tables: Mapping[str, Any],
    facts: Facts,
    variant: Variant,
    original_entries: Mapping[str, Any] | None = None,
) -> tuple[Validity, GroupUtility]:
    """Return the verdict on a plan and what it is worth by the effective tables; in ours caps are conditions too.

    `original_entries` are the tables before anybody compromised (`group_utility`).
    """
    utility = group_utility(plan, tables, facts.users, facts.pois, variant, original_entries)
    return Validity(tuple(issues(plan, facts, variant, lambda: utility))), utility


def issues(
    plan: Plan, facts: Facts, variant: Variant, utility: Callable[[], GroupUtility] | None = None
) -> Iterator[Issue]:
    """Yield every issue, one check after the other: who asks for the first alone has no more looked for.

    `utility` says what the plan is worth; in ours the caps are judged by it, last.
    """
    case = Case(plan, facts, variant)
    checks = {**CHECKS, **CONDITIONS} if variant.conditions_hold else CHECKS
    for check in checks.values():
        yield from check(case)
    if variant.conditions_hold and utility is not None:
        yield from caps(utility())


def intercity(case: Case) -> list[Issue]:
    """Check 1: a change of city has a leg; in paper and ours so have the way there and the way home (G9)."""
    is_same_city = case.facts.vocabulary.same_city
    if case.variant.home_legs:
        return [*_whole_route(case.plan, case.facts), *services(case)]
    issues: list[Issue] = []
    for day in case.plan.days:
        at: str | None = None
        for segment in day.segments:
            if isinstance(segment, Activity):
                at = segment.destination
            elif segment.city:
                if at is not None and not is_same_city(at, segment.city):
                    issues.append(_issue("missing_intercity_transport", day, f"{at} to {segment.city}"))
                at = segment.city
    for before, day in zip(case.plan.days, case.plan.days[1:], strict=False):
        last, first = _cities(before)[-1:], _cities(day)[:1]
        begins_with_leg = bool(day.segments) and isinstance(day.segments[0], Activity)
        if last and first and last[0] and first[0] and not is_same_city(last[0], first[0]) and not begins_with_leg:
            issues.append(_issue("missing_intercity_transport", day, f"overnight {last[0]} to {first[0]}"))
    return issues


def hotels(case: Case) -> list[Issue]:
    """Check 2: every day but the last ends, in its last city block, with a hotel; in paper and ours with one (G9)."""
    issues = []
    for day in case.plan.days[:-1]:
        last = day.blocks[-1].activities if day.blocks else None
        if not last or last[-1].kind != "hotel":
            has_one = any(act.kind == "hotel" for block in day.blocks for act in block.activities or ())
            kind = "hotel_not_last_activity" if last and has_one else "missing_hotel"
            issues.append(_issue(kind, day, "no hotel ends the day", check="hotels"))
    if case.variant.hotels_once:
        for day in case.plan.days:
            booked = {act.location for block in day.blocks for act in block.activities or () if act.kind == "hotel"}
            if len(booked) > 1:
                issues.append(_issue("hotel_double_booked", day, ", ".join(sorted(booked)), check="hotels"))
    return issues


def times(case: Case) -> list[Issue]:
    """Check 3: times can be read and end after they start; hotels are exempt, legs may run over midnight."""
    issues = []
    for day in case.plan.days:
        acts = [act for block in day.blocks for act in block.activities or () if act.kind != "hotel"]
        for act in (*day.legs, *acts):
            if act.start is None or act.end is None:
                issues.append(
                    _issue("invalid_time_format", day, f"{act.start_text!r} to {act.end_text!r}", check="times")
                )
            elif act.is_overnight and act not in day.legs:
                issues.append(_issue("invalid_time_range", day, f"{act.start_text} to {act.end_text}", check="times"))
    return issues


def overlaps(case: Case) -> list[Issue]:
    """Check 4: nobody is in two activities of a city block at once; hotels are exempt."""
    issues = []
    for day in case.plan.days:
        for block in day.blocks:
            booked = block.double_booked(case.facts.users)
            for user in case.facts.users if booked else ():
                issues += [
                    _issue("time_overlap", day, f"{a.place} and {b.place}", user, check="overlaps")
                    for a, b, both in booked
                    if user in both
                ]
    return issues


def continuity(case: Case) -> list[Issue]:
    """Check 6: each user's places are joined by local transport, by exact text; an arrival is left by transport.

    Places are forgotten overnight, as published; in ours a day begins at the night's hotel.
    """
    issues: list[Issue] = []
    slept: dict[str, str] = {}
    for day in case.plan.days:
        at = dict(slept) if case.variant.nights_are_connected else {}
        for segment in day.segments:
            if isinstance(segment, Activity):
                at = dict.fromkeys(case.facts.users, ARRIVED)
                continue
            for act in segment.activities or ():
                if act.kind == "rest":
                    continue
                begins, ends = _ends(act)
                for user in act.joined_by(case.facts.users):
                    last_place = at.get(user)
                    if last_place == ARRIVED:
                        if act.kind != LOCAL:
                            issues.append(_moved(MISSING, day, last_place, begins, user))
                    elif last_place and begins and last_place != begins:
                        kind = MISMATCH if act.kind == LOCAL else MISSING
                        issues.append(_moved(kind, day, last_place, begins, user))
                    at[user] = ends or last_place or ""
        slept = {user: place for user, place in at.items() if place and place != ARRIVED}
    return issues


def timeline(case: Case) -> list[Issue]:
    """Check 7: in the order of the plan, nobody begins a thing before the last one ended, over the whole day."""
    issues = []
    everybody = set(case.facts.users)
    for day in case.plan.days:
        entries = [
            (act, everybody if act in day.legs else set(act.joined_by(case.facts.users))) for act in _entries(day)
        ]
        for user in case.facts.users:
            ended, what = None, ""
            for act in (act for act, people in entries if user in people):
                if ended is not None and act.start is not None and act.start < ended:
                    issues.append(
                        _issue("timeline_order_violation", day, f"{act.place} begins in {what}", user, "timeline")
                    )
                ends_later = act.end is not None and (act.start is None or act.end >= act.start)
                if act.kind != "hotel" and ends_later:
                    ended, what = act.end, act.place or act.kind
    return issues


def participants(case: Case) -> list[Issue]:
    """Check 9: participants, where given, are a list of known users or "All", and not empty.

    Published, hotels are exempt. In paper and ours nobody takes a small child where it should not be.
    """
    issues = children(case)
    valid_names = {*case.facts.users, EVERYBODY}
    for day, _, act in case.plan.visits:
        if act.participants is None or (act.kind == "hotel" and not case.variant.conditions_hold):
            continue
        if not act.participants:
            issues.append(_issue("invalid_participants", day, f"nobody at {act.place}", check="participants"))
        strangers = [name for name in act.participants if name not in valid_names]
        issues += [
            _issue("invalid_participants", day, f"{name!r} is no user", check="participants") for name in strangers
        ]
    return issues


CHECKS: dict[str, Callable[[Case], list[Issue]]] = {
    "intercity": intercity,
    "hotels": hotels,
    "times": times,
    "overlaps": overlaps,
    "opening_hours": opening_hours,
    "continuity": continuity,
    "timeline": timeline,
    "costs": costs,
    "participants": participants,
}
"""The nine checks by name, in the published order."""

CONDITIONS: dict[str, Callable[[Case], list[Issue]]] = {
    TRIP: trip,
    NIGHTS: nights,
    PLACES: places,
    STAYS: stays,
    MEALS: meals,
    MOVES: moves,
}
"""The declared conditions of ours, beside the caps, which need the users' tables (`verdict_and_utility`)."""


def _whole_route(plan: Plan, facts: Facts) -> list[Issue]:
    """Return where the plan leaves the route that leads from the departure city through its cities and home."""
    is_same_city, home, issues = facts.vocabulary.same_city, facts.departure_city, []
    at = home
    for day in plan.days:
        for segment in day.segments:
            arrives = segment.origin if isinstance(segment, Activity) else segment.city
            if not arrives and isinstance(segment, Block):
                continue
            if at is None and isinstance(segment, Block):
                issues.append(_issue("missing_intercity_transport", day, f"no way to {arrives}"))
            elif at is not None and not is_same_city(at, arrives):
                kind = "intercity_origin_mismatch" if isinstance(segment, Activity) else "missing_intercity_transport"
                issues.append(_issue(kind, day, f"{at} to {arrives}"))
            home = home or arrives
            at = segment.destination if isinstance(segment, Activity) else segment.city
    if plan.days and at is not None and home is not None and not is_same_city(at, home):
        issues.append(_issue("missing_intercity_transport", plan.days[-1], f"no way home from {at} to {home}"))
    return issues


def _cities(day: Day) -> list[str]:
    names = [segment.destination if isinstance(segment, Activity) else segment.city for segment in day.segments]
    return [city for city in names if city]


def _entries(day: Day) -> list[Activity]:
    entries: list[Activity] = []
    for segment in day.segments:
        entries += [segment] if isinstance(segment, Activity) else segment.activities or ()
    return entries


def _ends(act: Activity) -> tuple[str, str]:
    """Return where an activity begins and where it leaves one; empty for what is nowhere."""
    if act.kind == LOCAL:
        return act.origin, act.destination
    return (act.location, act.location) if act.kind in PLACED else ("", "")


def _moved(kind: str, day: Day, last_place: str, begins: str, user: str) -> Issue:
    return _issue(kind, day, f"{last_place} to {begins or 'nowhere'}", user, "continuity")


def _issue(kind: str, day: Day, detail: str, user: str = "", check: str = "intercity") -> Issue:
    return Issue(check, kind, day.number, user, detail)
