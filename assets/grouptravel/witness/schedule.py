"""The visits of a stretch of a day in order: when each begins, so that all are open, in time and within the caps."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from assets.grouptravel.conditions import AT_ONCE_MIN, MEAL_GAP_MIN, MEAL_WINDOWS
from assets.grouptravel.facts.opening import Window
from assets.grouptravel.facts.poi import Poi
from assets.grouptravel.facts.ways import Ways

WALKED_MIN = 20
"""A way that takes no longer on foot is walked; on a longer one people ride [I]."""

WALKED_TO_SAVE_MIN = 45
"""The same for those whose money would not be enough for rides [I]."""

CYCLED_MIN = 45
"""As far as those cycle who have no money at all for rides [I]."""

CHECK_IN = 20 * 60
"""When one goes to a bed at the earliest [I]."""

MIDNIGHT = 24 * 60
"""By which one is in bed."""

MOST_ORDERED = 9
"""Visits of a stretch that are put in order by trying all orders."""

FROM_STATION_MIN = 20
"""A move from the station, of which nothing is known, where time allows; at the least one takes the floor [I]."""

Move = Callable[[Poi, Poi], tuple[str, int]]
"""The mode and minutes from one place to another."""


@dataclass(frozen=True)
class Stop:
    """A place to visit: what for, for how long, when it is open, and at which meal's window if any."""

    poi: Poi
    stay_min: int
    spans: tuple[Window, ...]
    meal: int | None


@dataclass(frozen=True)
class Frame:
    """What the visits of a stretch lie in: from where (None: the station), until when, and to which bed if any."""

    origin: Poi | None
    bed: Poi | None
    opens: int
    closes: int
    active_min: float
    station_min: int = FROM_STATION_MIN
    shunned: frozenset[int] = frozenset()
    """Minutes at which no visit begins or ends if that can be helped, or at all if `is_strict`: those at which another
    team's does, so that something always goes on and a day apart is one split (`as_plan.py`)."""
    is_strict: bool = False
    arrivals_by_place: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """When other teams come to a place, by its id: nobody comes there with them."""
    meals: Window = (0, MIDNIGHT)
    """Between which meals begin and end: far enough from what is eaten in the day's other stretches."""


Timed = tuple[Stop, int, int]
"""A stop, when it begins and when it ends."""

_Label = tuple[int, int, int, tuple[tuple[int, int, int], ...]]
"""Active minutes, the last end, when the next meal can begin, and which stop begins and ends when."""


def walked(ways: Ways) -> Move:
    """Return every move on foot."""
    return lambda one, other: ("walk", ways.minutes("walk", one, other))


def pleasant(ways: Ways, walked_min: int = WALKED_MIN) -> Move:
    """Return moves as people make them: on foot where that is near, else by transit where it runs, else by taxi."""

    def move(one: Poi, other: Poi) -> tuple[str, int]:
        on_foot = ways.minutes("walk", one, other)
        if on_foot <= walked_min and ways.runs("walk", one, other):
            return "walk", on_foot
        mode = "transit" if ways.runs("transit", one, other) else "taxi"
        return mode, ways.minutes(mode, one, other)

    return move


def unpaid(ways: Ways) -> Move:
    """Return moves that cost nothing where any is near enough: on foot, else by bicycle, else as in `pleasant`."""
    paid = pleasant(ways)

    def move(one: Poi, other: Poi) -> tuple[str, int]:
        mode, minutes = paid(one, other)
        cycled = ways.minutes("bicycle", one, other)
        if mode != "walk" and cycled <= CYCLED_MIN and ways.runs("bicycle", one, other):
            return "bicycle", cycled
        return mode, minutes

    return move


def quick(ways: Ways) -> Move:
    """Return the fastest moves, of equally fast ones on foot, then by transit."""

    def move(one: Poi, other: Poi) -> tuple[str, int]:
        modes = [mode for mode in ("walk", "transit", "taxi") if mode == "taxi" or ways.runs(mode, one, other)]
        return min(((mode, ways.minutes(mode, one, other)) for mode in modes), key=lambda way: way[1])

    return move


def remembered(move: Move) -> Move:
    """Return the same moves, each found out once."""
    moves_by_pair: dict[tuple[str, str], tuple[str, int]] = {}

    def again(one: Poi, other: Poi) -> tuple[str, int]:
        key = (one.place_id, other.place_id)
        if key not in moves_by_pair:
            moves_by_pair[key] = move(one, other)
        return moves_by_pair[key]

    return again


def ordered(stops: Sequence[Stop], frame: Frame, move: Move) -> tuple[list[Timed], int] | None:
    """Return the stops in an order in which all fit, with their begins and the active minutes; None if there is none.

    Of all orders the one that is least active, then ends first. Each visit begins as early as it can: `leisure.py`
    moves it later.
    """
    if not stops:
        return [], to_bed_min(frame, move)
    if len(stops) > MOST_ORDERED:
        return None
    n = len(stops)
    windows = [windows_of(stop, frame) for stop in stops]
    if not all(windows):
        return None
    latest = [max(last for _, last, _ in of) for of in windows]
    ways = [[move(one.poi, other.poi)[1] if one is not other else 0 for other in stops] for one in stops]
    # The first comes from elsewhere; before each other one lies at least the shortest way to it.
    shortest = [min((ways[one][to] for one in range(n) if one != to), default=0) for to in range(n)]
    active_min = [stop.stay_min if stop.meal is None else 0 for stop in stops]
    between = sum(shortest) - max(shortest)
    if frame.opens + sum(stop.stay_min for stop in stops) + between > frame.closes:
        return None
    if sum(active_min) + between > frame.active_min:
        return None
    home = [move(stop.poi, frame.bed)[1] if frame.bed is not None else 0 for stop in stops]
    # Labels by what has been visited and where one is last: (active, end, begins so far), none worse than another.
    labels: list[dict[int, list[_Label]]] = [{} for _ in range(1 << n)]
    for first, stop in enumerate(stops):
        move_min = move(frame.origin, stop.poi)[1] if frame.origin is not None else frame.station_min
        times = earliest_times(
            stop, windows[first], max(frame.opens, move_min if frame.origin is not None else 0), frame
        )
        if times is not None:
            active = move_min + (times[1] - times[0] if stop.meal is None else 0)
            fed = times[1] + MEAL_GAP_MIN if stop.meal is not None else 0
            labels[1 << first][first] = [(active, times[1], fed, ((first, *times),))]
    for mask in range(1, (1 << n) - 1):
        if not labels[mask]:
            continue
        stops_left = [to for to in range(n) if not mask >> to & 1]
        # Who ends later, or has been more active, cannot visit what is left.
        last_end = min(
            *(latest[to] - shortest[to] for to in stops_left),
            frame.closes - sum(shortest[to] + stops[to].stay_min for to in stops_left),
        )
        most_active = frame.active_min - sum(shortest[to] + active_min[to] for to in stops_left)
        for last, stop_labels in sorted(labels[mask].items()):
            for active, end, fed, begins in stop_labels:
                if end > last_end or active > most_active:
                    continue
                for to in stops_left:
                    move_min = ways[last][to]
                    is_meal = stops[to].meal is not None
                    times = earliest_times(
                        stops[to], windows[to], max(end + move_min, fed) if is_meal else end + move_min, frame
                    )
                    if times is None:
                        continue
                    spent = active + move_min + (times[1] - times[0] if active_min[to] else 0)
                    again = times[1] + MEAL_GAP_MIN if is_meal else fed
                    _keep(labels[mask | 1 << to].setdefault(to, []), (spent, times[1], again, (*begins, (to, *times))))
    best: _Label | None = None
    for last, stop_labels in labels[-1].items():
        to_bed = home[last]
        for active, end, fed, begins in stop_labels:
            label = (active + to_bed, end, fed, begins)
            is_in_time = end + to_bed < MIDNIGHT
            if is_in_time and label[0] <= frame.active_min and (best is None or label < best):
                best = label
    if best is None:
        return None
    return [(stops[number], begin, end) for number, begin, end in best[3]], best[0]


def to_bed_min(frame: Frame, move: Move) -> int:
    """Return how long who visits nothing is on the way to bed: it counts as active."""
    if frame.bed is None or frame.bed is frame.origin:
        return 0
    return move(frame.origin, frame.bed)[1] if frame.origin is not None else frame.station_min


def eased(schedule: tuple[list[Timed], int], frame: Frame, move: Move, pleasant: Move) -> tuple[Move, int]:
    """Return the moves of a stretch in order, pleasant wherever time and caps leave room, and the active minutes then.

    Nobody takes a taxi round the corner at noon because time is short in the evening.
    """
    timed, active = schedule
    changed: dict[tuple[str, str], tuple[str, int]] = {}
    at, free = frame.origin, 0
    visits = [(stop.poi, begin, end) for stop, begin, end in timed]
    for to, begin, end in [*visits, *([(frame.bed, MIDNIGHT - 1, MIDNIGHT)] if frame.bed is not None else [])]:
        if at is not None and at is not to:
            slow = pleasant(at, to)
            more = slow[1] - move(at, to)[1]
            if slow[1] <= begin - free and active + more <= frame.active_min:
                changed[at.place_id, to.place_id] = slow
                active += more
        at, free = to, end
    return lambda one, other: changed.get((one.place_id, other.place_id)) or move(one, other), active


_Window = tuple[int, int, int]
"""The first and the last minute at which a visit can begin, and until when it can last."""


def windows_of(stop: Stop, frame: Frame) -> list[_Window]:
    """Return when a visit can be, in the order of the place's hours."""
    first, last = MEAL_WINDOWS[stop.meal] if stop.meal is not None else (0, frame.closes)
    earliest, latest = frame.meals if stop.meal is not None else (0, frame.closes)
    windows = []
    for opens, shuts in stop.spans:
        until = min(shuts, frame.closes, latest)
        begins = max(opens, first, earliest), min(last, until - stop.stay_min)
        if begins[0] <= begins[1]:
            windows.append((*begins, until))
    return windows


def earliest_times(stop: Stop, windows: Sequence[_Window], earliest: int, frame: Frame) -> tuple[int, int] | None:
    """Return when the visit begins and ends, as early as it can from `earliest`; None if it cannot."""
    arrivals = frame.arrivals_by_place.get(stop.poi.place_id, ()) if frame.arrivals_by_place else ()
    is_free = not frame.shunned and not arrivals
    for first, last, until in windows:
        begin: int | None = max(earliest, first)
        if begin > last:
            continue
        if is_free:
            return begin, begin + stop.stay_min
        begin = _begin(begin, last, frame.shunned, arrivals)
        if begin is not None:
            end = first_beside(range(begin + stop.stay_min, until + 1), frame.shunned)
            if not frame.is_strict or not frame.shunned & {begin, end}:
                return begin, end
    return None


def _begin(first: int, last: int, shunned: frozenset[int], arrivals: Sequence[int]) -> int | None:
    """Return the first minute at which nobody is met, one that is not shunned if there is any; None if none is."""
    fallback, minute = None, first
    while minute <= last:
        clash = next((other for other in arrivals if abs(minute - other) <= AT_ONCE_MIN), None)
        if clash is not None:
            minute = clash + AT_ONCE_MIN + 1
        elif minute in shunned:
            fallback = minute if fallback is None else fallback
            minute += 1
        else:
            return minute
    return fallback


def first_beside(minutes: Sequence[int], shunned: frozenset[int]) -> int:
    """Return the first of the minutes that is not shunned; the first of all where each is."""
    return next((minute for minute in minutes if minute not in shunned), minutes[0])


def _keep(labels: list[_Label], label: _Label) -> None:
    active, end, fed, _ = label
    for other in labels:
        if other[0] <= active and other[1] <= end and other[2] <= fed:
            return
    labels[:] = [other for other in labels if other[0] < active or other[1] < end or other[2] < fed]
    labels.append(label)
