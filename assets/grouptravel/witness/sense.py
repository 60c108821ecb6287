"""What people would laugh at in a plan, and how it is done away with where the plan is worth as much without it.

A wish for pubs, or for theatres, is met again with each of them, so that the best plans go from one to the next; and
any table counts at any meal, so that breakfast is sushi on a day whose dinner is pancakes. Both are equal to other
plans by all that is counted: visits are exchanged between meals and days, and what is too much for one evening gives
way to another sight of the same worth.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations_with_replacement, islice

from assets.grouptravel.facts.kinds import english, manner
from assets.grouptravel.witness.parts import Part, sights_on
from assets.grouptravel.witness.schedule import Stop
from assets.grouptravel.witness.stretches import fit
from assets.grouptravel.witness.worth import Option

Placed = tuple[Option, Stop]

Change = Callable[[Sequence[tuple[Part, list[Placed]]]], bool]
"""Gives parts other visits, if that can be, and returns whether they have them."""

Alike = Callable[[Part, Option], Iterator[Placed]]
"""Yields what a stretch could hold instead of an option, worth the same."""

FOR_BREAKFAST = frozenset({"brunch", "cafe", "bakery", "pancakes", "tea", "juice"})
BEFORE_NOON = frozenset({*FOR_BREAKFAST, "sandwiches", "deli", "desserts", "dim sum", "local food", "restaurant"})
"""Kinds of places where people breakfast, and those where they may: elsewhere nobody does [I]."""

NO_DINNER = frozenset({*FOR_BREAKFAST, "desserts", "ice cream"})

SHOWS = frozenset({"theatre", "concert hall", "cinema"})
"""Kinds of sights at which one sits through an evening."""

NIGHT_OUT = 3
"""What a day's second place of nightlife counts against a plan, and its second show, where a breakfast at a grill
counts 2 [I]; a third counts twice as much again, so that four on two days are two on each."""

MOST_TRIED = 40
"""Exchanges of a plan, and places for one visit, that are tried and do not fit."""


def folly(stops: Iterable[Stop]) -> int:
    """Return how much of a day people would laugh at: a second bar or show, breakfast at a grill, dinner of cakes."""
    listed = list(stops)
    counts = (sum(map(is_out, listed)) for is_out in (is_nightlife, is_show))
    return NIGHT_OUT * sum(n * (n - 1) // 2 for n in counts) + sum(map(_misfit, listed))


def is_nightlife(stop: Stop) -> bool:
    """Return whether a visit is to nightlife."""
    return stop.meal is None and manner(stop.poi.category).is_after_dark


def is_show(stop: Stop) -> bool:
    """Return whether a visit is to a play, a concert or a film."""
    return stop.meal is None and english(stop.poi.category) in SHOWS


def share_sights(part: Part, parts: Sequence[Part], change: Change) -> None:
    """Give a day without a sight some of the city's other days', so that nobody spends it on meals alone."""
    if sights_on(part.stretch.day, parts):
        return
    others = [p for p in parts if p.stretch.nth == part.stretch.nth and p is not part]
    for other in sorted(others, key=lambda p: -sights_on(p.stretch.day, parts)):
        for option, stop in reversed(other.visits):
            more = sights_on(other.stretch.day, parts) - sights_on(part.stretch.day, parts)
            moved = _instead(part, option, stop, None) if stop.meal is None and more > 1 else None
            if moved is not None:
                change([(other, _visits_without(other, stop)), (part, [*part.visits, moved])])


def settle(parts: Sequence[Part], change: Change, alike: Alike) -> None:
    """Exchange visits of one city while less is left to laugh at, then replace what is too much for an evening."""
    refused: set[tuple[str, str]] = set()
    while len(refused) < MOST_TRIED:
        pair, changes = next(_exchanges(parts, refused), (None, []))
        if pair is None:
            break
        if not change(changes):
            refused.add(pair)
    for part in parts:
        for option, stop in [visit for visit in reversed(part.visits) if is_nightlife(visit[1]) or is_show(visit[1])]:
            before = _folly_left([(part, part.visits)])
            others = ([*_visits_without(part, stop), visit] for visit in (alike(part, option) if before else ()))
            milder = (visits for visits in others if _folly_left([(part, visits)]) < before)
            any(change([(part, visits)]) for visits in islice(milder, MOST_TRIED))


def _exchanges(
    parts: Sequence[Part], refused: set[tuple[str, str]]
) -> Iterator[tuple[tuple[str, str], list[tuple[Part, list[Placed]]]]]:
    """Yield exchanges of two visits, by their places, that leave less to laugh at and that both places' hours allow."""
    for one, other in combinations_with_replacement(parts, 2):
        before = _folly_left([(part, part.visits) for part in ([one] if one is other else [one, other])])
        if one.stretch.nth != other.stretch.nth or not before:
            continue
        for first in one.visits:
            for second in other.visits:
                pair = (first[1].poi.place_id, second[1].poi.place_id)
                changes = [] if pair in refused else _exchange(one, other, first, second)
                if changes and _folly_left(changes) < before:
                    yield pair, changes


def _exchange(one: Part, other: Part, first: Placed, second: Placed) -> list[tuple[Part, list[Placed]]]:
    """Return what the parts hold after the exchange; nothing where it changes nothing, or a place is shut."""
    is_same = one is other and (first[1].meal is None or first[1].meal == second[1].meal)
    if is_same or (first[1].meal is None) != (second[1].meal is None):
        return []
    visit, counterpart = _instead(one, *second, first[1].meal), _instead(other, *first, second[1].meal)
    if visit is None or counterpart is None:
        return []
    if one is other:
        return [(one, [*(v for v in one.visits if v[1] is not first[1] and v[1] is not second[1]), visit, counterpart])]
    return [(one, [*_visits_without(one, first[1]), visit]), (other, [*_visits_without(other, second[1]), counterpart])]


def _instead(part: Part, option: Option, stop: Stop, meal: int | None) -> Placed | None:
    """Return a visit in another stretch, at another meal; None where the place is not open then."""
    if fit(option, part.stretch, meal) is None:
        return None
    return option, replace(stop, spans=option.spans[part.stretch.day], meal=meal)


def _folly_left(changes: Sequence[tuple[Part, list[Placed]]]) -> int:
    return sum(folly(stop for _, stop in visits) for _, visits in changes)


def _visits_without(part: Part, stop: Stop) -> list[Placed]:
    return [visit for visit in part.visits if visit[1] is not stop]


def _misfit(stop: Stop) -> int:
    kind = english(stop.poi.category)
    if stop.meal == 0:
        return 0 if kind in FOR_BREAKFAST else 1 if kind in BEFORE_NOON else 2
    return int(stop.meal == 2 and kind in NO_DINNER)
