"""Visits at the times that people would choose, as far as those of a schedule leave room.

All as early as it can be is dinner at five, and hours of nothing before bed; as short as it can be is a museum of an
hour between two hours of nothing. What a visit counts for or costs does not hang on these times: they are chosen after
all else.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from assets.grouptravel.conditions import AT_ONCE_MIN, MEAL_GAP_MIN
from assets.grouptravel.facts.kinds import english, manner
from assets.grouptravel.witness.schedule import MIDNIGHT, Frame, Move, Stop, Timed, earliest_times, windows_of

LIKED_MEAL_MIN = (45, 60, 90)
"""How long breakfast, lunch and dinner last where there is time [I]."""

MOST_LIKED_MIN = 150
"""How long a sight is visited at most where there is time: twice as long as the least, up to this [I]."""

SEEN_AT_ONCE = frozenset({"public art", "memorial", "monument", "fountain", "viewpoint"})
"""Kinds of sights that nobody stays longer at than the least: one walks round them [I]."""

MEALS_BEGIN = (8 * 60 + 30, 12 * 60 + 30, 19 * 60)
"""When breakfast, lunch and dinner begin, where that can be [I]."""

SIGHTS_BEGIN = 9 * 60
"""When a day begins whose first visit is a sight [I]."""

ROUND_MIN = 5
"""Times that nothing holds to the minute are multiples of so many [I]."""


def unhurried(timed: Sequence[Timed], frame: Frame, move: Move) -> list[Timed]:
    """Return the visits in the same order and as long as before, each when it was or later.

    Meals begin when people have them, and what lies between is spread. Minutes at which another team's visits begin or
    end, and those at which it comes to the place, are kept clear of.
    """
    later: list[Timed] = []
    for (stop, begin, end), shift in zip(reversed(timed), reversed(_shifts(timed, move)), strict=True):
        stay = end - begin
        latest = min(_latest_open(stop, begin, stay, frame), _latest_before(later, stop, frame, move) - stay)
        moved = _moment(stop, begin, stay, min(begin + shift, latest), latest, frame)
        later.insert(0, (stop, moved, moved + stay))
    return later


def lingering(timed: Sequence[Timed], frame: Frame, move: Move, active_min: float) -> tuple[list[Timed], int]:
    """Return the visits as long as people like, as far as the time idle after them goes, and how much more is active.

    Each begins when it did. `active_min` is how much longer the sights may be together: the caps are on those alone.
    Step by step, so that all get some of what there is. Other teams' minutes are kept clear of as in `unhurried`.
    """
    ends = [end for _, _, end in timed]
    limits = []
    for number, (stop, begin, end) in enumerate(timed):
        until = max(shuts for first, last, shuts in windows_of(stop, frame) if first <= begin <= last)
        most = min(begin + _liked_min(stop, end - begin), until, _latest_before(timed[number + 1 :], stop, frame, move))
        limits.append(max(end, most))
    more, is_going_on = 0, True
    while is_going_on:
        is_going_on = False
        for number, (stop, _, _) in enumerate(timed):
            longer = (ends[number] // ROUND_MIN + 1) * ROUND_MIN
            steps = range(longer, limits[number] + 1, ROUND_MIN)
            to = next((minute for minute in steps if minute not in frame.shunned), None)
            paid = 0 if to is None or stop.meal is not None else to - ends[number]
            if to is not None and more + paid <= active_min:
                ends[number], more, is_going_on = to, more + paid, True
    return [(stop, begin, end) for (stop, begin, _), end in zip(timed, ends, strict=True)], more


def _liked_min(stop: Stop, least_min: int) -> int:
    if stop.meal is not None:
        return LIKED_MEAL_MIN[stop.meal]
    return least_min if english(stop.poi.category) in SEEN_AT_ONCE else min(2 * least_min, MOST_LIKED_MIN)


def idleness(timed: Sequence[Timed]) -> int:
    """Return the squares of the minutes between visits, summed: one long time idle is worse than two short ones."""
    return sum((begin - end) ** 2 for (_, _, end), (_, begin, _) in pairwise(timed))


def in_turn(stops: Sequence[Stop], frame: Frame, move: Move) -> tuple[list[Timed], int] | None:
    """Return the stops in this order, each as early as it can be, and the active minutes; None if they do not fit."""
    timed: list[Timed] = []
    at, free, fed, active = frame.origin, frame.opens, 0, 0
    for stop in stops:
        move_min = move(at, stop.poi)[1] if at is not None else frame.station_min
        earliest = free + move_min if timed else max(frame.opens, move_min if at is not None else 0)
        is_meal = stop.meal is not None
        times = earliest_times(stop, windows_of(stop, frame), max(earliest, fed) if is_meal else earliest, frame)
        if times is None:
            return None
        begin, free = times
        active += move_min + (0 if is_meal else free - begin)
        at, fed = stop.poi, free + MEAL_GAP_MIN if is_meal else fed
        timed.append((stop, begin, free))
    to_bed = move(at, frame.bed)[1] if at is not None and frame.bed is not None else 0
    active += to_bed
    return (timed, active) if active <= frame.active_min and free + to_bed < MIDNIGHT else None


def with_a_sight_elsewhere(timed: Sequence[Timed]) -> Iterator[list[Stop]]:
    """Yield the stops in other orders: in each one sight comes at another place. Nightlife stays where it is."""
    stops = [stop for stop, _, _ in timed]
    for number, stop in enumerate(stops):
        if stop.meal is None and not manner(stop.poi.category).is_after_dark:
            others = [*stops[:number], *stops[number + 1 :]]
            yield from ([*others[:to], stop, *others[to:]] for to in range(len(stops)) if to != number)


def _shifts(timed: Sequence[Timed], move: Move) -> list[int]:
    """Return by how many minutes each visit is wished later: what time there is between two meals is spread evenly."""
    anchors = [
        (number, max(0, MEALS_BEGIN[stop.meal] - begin))
        for number, (stop, begin, _) in enumerate(timed)
        if stop.meal is not None
    ]
    if timed and timed[0][0].meal is None:
        anchors.insert(0, (0, max(0, SIGHTS_BEGIN - timed[0][1])))
    shifts: list[int] = []
    for (one, first), (other, last) in pairwise(anchors):
        (before, _, end), (meal, begin, _) = timed[other - 1], timed[other]
        free = last - first + begin - end - move(before.poi, meal.poi)[1]
        shifts += [max(0, first + free * (number - one) // (other - one)) for number in range(one, other)]
    return shifts + [anchors[-1][1]] * (len(timed) - len(shifts)) if timed else []


def _latest_open(stop: Stop, begin: int, stay: int, frame: Frame) -> int:
    """Return when a visit can begin at the latest, within the hours in which it lies."""
    return max(
        min(last, until - stay)
        for first, last, until in windows_of(stop, frame)
        if first <= begin <= min(last, until - stay)
    )


def _latest_before(later: Sequence[Timed], stop: Stop, frame: Frame, move: Move) -> int:
    """Return when a visit must have ended, for those after it and for bed."""
    if not later:
        return MIDNIGHT - 1 - move(stop.poi, frame.bed)[1] if frame.bed is not None else MIDNIGHT
    following, begin, _ = later[0]
    meal = next((begin - MEAL_GAP_MIN for other, begin, _ in later if other.meal is not None), MIDNIGHT)
    return min(begin - move(stop.poi, following.poi)[1], meal if stop.meal is not None else MIDNIGHT)


def _moment(stop: Stop, begin: int, stay: int, wished: int, latest: int, frame: Frame) -> int:
    """Return the first round minute from the one wished for, else the last before it; `begin` where none is free."""
    arrivals = frame.arrivals_by_place.get(stop.poi.place_id, ())
    up = -(-wished // ROUND_MIN) * ROUND_MIN
    for minute in (*range(up, latest + 1, ROUND_MIN), *range(up - ROUND_MIN, begin, -ROUND_MIN)):
        is_met = any(abs(minute - other) <= AT_ONCE_MIN for other in arrivals)
        if not is_met and not frame.shunned & {minute, minute + stay}:
            return minute
    return begin
