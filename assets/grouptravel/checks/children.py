"""What is unreasonable for a small child: to be alone, out late, or at a place of adults (published benchmarks, G9)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from assets.grouptravel.checks.validity_facts import Case, Facts, Issue
from assets.grouptravel.facts.pois import TYPE_OF_ACTIVITY
from assets.grouptravel.plan import LOCAL, Activity, Day
from schemas.clock import clock_face

CHILD_HOURS = (7 * 60, 21 * 60)
"""Minutes of the day between which a small child is at sights and meals [I]."""

_Whereabouts = tuple[str, str, object]


def children(case: Case) -> list[Issue]:
    """Return where a small child is alone, out late, or at a place of adults."""
    if not case.variant.children_are_minded or not case.facts.children:
        return []
    issues = _left_alone(case)
    for day, city, act in case.plan.visits:
        small = [user for user in act.joined_by(case.facts.users) if user in case.facts.children]
        if act.kind not in ("attraction", "food") or not small:
            continue
        if not CHILD_HOURS[0] <= (act.start or 0) <= (act.end or 0) <= CHILD_HOURS[1]:
            when = f"{act.place}, {act.start_text} to {act.end_text}"
            issues += [_issue("child_out_late", day, child, when) for child in small]
        poi = case.facts.pois.find(act.location, city, TYPE_OF_ACTIVITY[act.kind])
        if poi is not None and poi.category in case.facts.vocabulary.adult_only:
            what = f"{act.place} is {poi.category}"
            issues += [_issue("child_at_a_place_of_adults", day, child, what) for child in small]
    return issues


@dataclass(frozen=True)
class _Stay:
    """What a user does for some minutes, and where it is from then on."""

    start: int
    end: int
    during: _Whereabouts | None
    """None of a rest: it is wherever one is."""
    after: _Whereabouts | None


def _left_alone(case: Case) -> list[Issue]:
    """Return the first moment of a day at which no older member is where a child is.

    Members are together in one entry, or between their entries at one place: where the night was, where the last visit
    was or the last move led. Who is in an entry without the child does not mind it.
    """
    facts, issues = case.facts, []
    slept: _Whereabouts = ("night", "", 0)
    for day in case.plan.days:
        stays, begun, slept = _stays(day, facts), slept, _bed(day, facts) or slept
        minutes = sorted({minute for of in stays.values() for stay in of for minute in (stay.start, stay.end)})
        for child in facts.children:
            for minute in minutes:
                where = _at(stays[child], minute, begun)
                others = (user for user in facts.users if user not in facts.children)
                if all(_at(stays[user], minute, begun) != where for user in others):
                    issues.append(
                        _issue(
                            "child_alone",
                            day,
                            child,
                            f"at {clock_face(minute)}: nobody else is {_whereabouts_in_words(where)}",
                        )
                    )
                    break
    return issues


def _stays(day: Day, facts: Facts) -> dict[str, list[_Stay]]:
    """Return what each user does, in the order of the plan, nights aside; without what has no times."""
    stays: dict[str, list[_Stay]] = {user: [] for user in facts.users}
    for number, (city, act) in enumerate(_entries(day)):
        if act.kind == "hotel" or act.start is None or act.end is None or act.is_overnight:
            continue
        together: _Whereabouts = ("entry", act.place, number)
        match act.kind:
            case "attraction" | "food":
                stay = _Stay(act.start, act.end, together, _place(act.location, city, facts))
            case _ if act.kind == LOCAL:
                stay = _Stay(act.start, act.end, together, _place(act.destination, city, facts))
            case _ if not city:
                stay = _Stay(act.start, act.end, together, ("arrival", act.place, number))
            case _:
                stay = _Stay(act.start, act.end, None, None)
        for user in act.joined_by(facts.users):
            stays[user].append(stay)
    return stays


def _at(stays: list[_Stay], minute: int, begun: _Whereabouts) -> _Whereabouts:
    """Return where a user is in the minute that begins: in an entry, or where the last one left it."""
    where = begun
    for stay in stays:
        if stay.start > minute:
            break
        now = stay.during if minute < stay.end else stay.after
        where = where if now is None else now
    return where


def _entries(day: Day) -> Iterator[tuple[str, Activity]]:
    """Yield the day's legs, of no city, and what is done in cities, in the order of the plan."""
    for segment in day.segments:
        if isinstance(segment, Activity):
            yield "", segment
        else:
            yield from ((segment.city, act) for act in segment.activities or ())


def _bed(day: Day, facts: Facts) -> _Whereabouts | None:
    beds = [_place(act.location, city, facts) for city, act in _entries(day) if city and act.kind == "hotel"]
    return beds[-1] if beds else None


def _place(name: str, city: str, facts: Facts) -> _Whereabouts:
    """Return a place of a city; whatever is none that is known, a station say, is one and the same."""
    poi = facts.pois.meant(name, city)
    return ("place", name, poi.place_id) if poi is not None else ("elsewhere", city, 0)


def _whereabouts_in_words(where: _Whereabouts) -> str:
    what, name, _ = where
    return {"entry": f"with it on the way to or at {name}", "night": "where the night was"}.get(what, f"at {name}")


def _issue(kind: str, day: Day, child: str, detail: str) -> Issue:
    return Issue("participants", kind, day.number, child, detail)
