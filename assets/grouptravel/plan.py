"""Reading a plan in the family's native JSON, whatever a planner wrote: nothing in it is an error, all of it is noted.

{"days": [{"day", "date", "city_segments": [{"type": "intercity_transport", …} | {"city", "activities": […]}]}]}
(3.D, plan schema). What a plan is worth belongs in `utility.py`, whether it holds in `validity.py`.
"""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any, TypeGuard

from schemas.shown import in_few_words

EVERYBODY = "All"
LEG = "intercity_transport"
LOCAL = "intracity_transport"
MINUTES_PER_DAY = 24 * 60

_TIME = re.compile(r"(2[0-3]|[01]?[0-9]):([0-5]?[0-9])")


@dataclass(slots=True, unsafe_hash=True)
class Activity:
    """One entry of a city block, or one leg between cities. Text that is no text is empty.

    Nothing changes one; but plans have hundreds, and a frozen one takes several times as long to make.
    """

    kind: str
    start_text: str
    end_text: str
    location: str = ""
    origin: str = ""
    destination: str = ""
    mode: str = ""
    cost: float | None = None
    participants: tuple[str, ...] | None = None
    """None where the plan gives none, which means everybody; () where it gives an empty or unreadable list."""
    start: int | None = field(init=False, compare=False)
    """In minutes from midnight; None if the text is no time."""
    end: int | None = field(init=False, compare=False)
    _joined: tuple[tuple[str, ...], tuple[str, ...]] | None = field(init=False, compare=False, repr=False, default=None)
    """The users that were asked about last, and who of them takes part."""

    def __post_init__(self) -> None:
        """Read the times: every check asks for them."""
        self.start, self.end = _minutes(self.start_text), _minutes(self.end_text)

    @property
    def place(self) -> str:
        """Return where the activity is, or where it leads to."""
        return self.location or self.destination

    @property
    def is_overnight(self) -> bool:
        """Return whether both times can be read and the end is not after the start."""
        return self.start is not None and self.end is not None and self.end <= self.start

    @property
    def is_timed(self) -> bool:
        """Return whether both times can be read and the end is after the start."""
        return self.start is not None and self.end is not None and self.end > self.start

    def joined_by(self, users: tuple[str, ...]) -> tuple[str, ...]:
        """Return those of the users who take part; who is not listed stays out, no list or "All" means everybody."""
        memo = self._joined
        if memo is None or memo[0] is not users:
            listed = self.participants or (EVERYBODY,)
            joined = users if EVERYBODY in listed else tuple([user for user in users if user in listed])
            self._joined = memo = (users, joined)
        return memo[1]


MOST_PAIRS = 1_000
"""Of activities of a block that share people and overlap, so many are told of; a thousand equal ones have 499,500."""


def _overlapping(acts: Sequence[Activity], users: tuple[str, ...]) -> list[tuple[int, int, list[str]]]:
    """Return the positions of every two activities that overlap and who is in both, in order, at most MOST_PAIRS.

    As many overlap without sharing anybody as there are users, so that few are looked at for each that is told.
    """
    timed = sorted(
        (act.start or 0, act.end or 0, n) for n, act in enumerate(acts) if act.is_timed and act.joined_by(users)
    )
    pairs: list[tuple[int, int, list[str]]] = []
    for k, (_, end, n) in enumerate(timed):
        joined = acts[n].joined_by(users)
        for m in range(k + 1, len(timed)):
            start, _, other = timed[m]
            if start >= end:
                break
            if len(pairs) >= MOST_PAIRS:
                return sorted(pairs)
            if both := [user for user in joined if user in acts[other].joined_by(users)]:
                pairs.append((min(n, other), max(n, other), both))
    return sorted(pairs)


DoubleBooked = tuple[Activity, Activity, list[str]]
"""Two activities, and who is in both."""


@dataclass(frozen=True)
class Block:
    """What is done in one city; `activities` is None where the plan names a city and no list of activities."""

    city: str
    activities: tuple[Activity, ...] | None
    _booked: tuple[tuple[str, ...], list[DoubleBooked]] | None = field(
        init=False, compare=False, repr=False, default=None
    )
    """The users that were asked about last, and where some of them are in two activities."""

    def double_booked(self, users: tuple[str, ...]) -> list[DoubleBooked]:
        """Return every two activities that overlap and share users, with those; hotels are exempt.

        Of more than MOST_PAIRS some: `elsewhere` leaves none out.
        """
        if self._booked is None or self._booked[0] is not users:
            acts = self._activities_but_hotels
            overlaps = [(acts[n], acts[other], both) for n, other, both in _overlapping(acts, users)]
            object.__setattr__(self, "_booked", (users, overlaps))
            return overlaps
        return self._booked[1]

    def elsewhere(self, users: tuple[str, ...]) -> Iterator[tuple[Activity, str]]:
        """Yield each activity with each user who is in another at the same time, however many there are."""
        for user in users if self.double_booked(users) else ():
            timed = sorted(
                (
                    (act.start or 0, act.end or 0, act)
                    for act in self._activities_but_hotels
                    if act.is_timed and user in act.joined_by(users)
                ),
                key=lambda one: one[:2],
            )
            latest = -1
            starts = [start for start, _, _ in timed]
            for (start, end, act), next_start in zip(
                timed, [*starts[1:], math.inf], strict=False
            ):  # who is in nothing has no start
                if start < latest or next_start < end:
                    yield act, user
                latest = max(latest, end)

    @property
    def _activities_but_hotels(self) -> list[Activity]:
        return [act for act in self.activities or () if act.kind != "hotel"]


@dataclass(frozen=True)
class Day:
    """One day of a plan; `number` is what the plan says, else its position from 1."""

    number: int
    date: str
    segments: tuple[Activity | Block, ...]

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        """Return the day's city blocks that have a list of activities."""
        return tuple(s for s in self.segments if isinstance(s, Block) and s.activities is not None)

    @cached_property
    def legs(self) -> tuple[Activity, ...]:
        """Return the day's legs between cities."""
        return tuple(s for s in self.segments if isinstance(s, Activity))


@dataclass(frozen=True)
class Plan:
    """A plan as read, and a note for everything in it that is not what the format says."""

    days: tuple[Day, ...]
    notes: tuple[str, ...] = ()

    @property
    def is_plan(self) -> bool:
        """Return whether there is a first day with something in it: what the published gate asks of a plan."""
        return bool(self.days) and bool(self.days[0].segments)

    @cached_property
    def visits(self) -> tuple[tuple[Day, str, Activity], ...]:
        """Return every activity inside a city with its day and city, in the order of the plan."""
        return tuple(
            (day, block.city, act) for day in self.days for block in day.blocks for act in block.activities or ()
        )

    @cached_property
    def legs(self) -> tuple[tuple[Day, Activity], ...]:
        """Return every leg between cities with its day, in the order of the plan."""
        return tuple((day, leg) for day in self.days for leg in day.legs)


def minutes(text: Any) -> int | None:
    """Return a time H:MM or HH:MM in minutes from midnight; None for anything else."""
    return _minutes(text) if isinstance(text, str) else None


@lru_cache(maxsize=4096)
def _minutes(text: str) -> int | None:
    match = _TIME.fullmatch(text)
    return int(match[1]) * 60 + int(match[2]) if match else None


def read_plan(raw: Any) -> Plan:
    """Return the plan, or one without days where `raw` is no plan. A wrapper {"plan": …} is looked into."""
    notes: list[str] = []
    if isinstance(raw, dict) and "days" not in raw and isinstance(raw.get("plan"), dict):
        raw = raw["plan"]
    days = raw.get("days") if isinstance(raw, dict) else None
    if not isinstance(days, list):
        return Plan((), (f"no plan: days is {in_few_words(days)}, expected a list",))
    parsed_days = [_day(entry, position, notes) for position, entry in enumerate(days, 1)]
    return Plan(tuple(parsed_days), tuple(notes))


def _day(entry: Any, position: int, notes: list[str]) -> Day:
    if not isinstance(entry, dict):
        notes.append(f"day {position} is {in_few_words(entry)}, expected an object")
        return Day(position, "", ())
    number = entry.get("day")
    if not isinstance(number, int) or isinstance(number, bool):
        notes.append(f"day {position}: day is {in_few_words(number)}, expected a number")
        number = position
    segments = entry.get("city_segments")
    if not isinstance(segments, list):
        notes.append(f"day {position}: city_segments is {in_few_words(segments)}, expected a list")
        segments = []
    parsed_segments = [_segment(item, f"day {position} segment {n}", notes) for n, item in enumerate(segments, 1)]
    return Day(number, _text(entry, "date"), tuple(s for s in parsed_segments if s is not None))


def _segment(item: Any, where: str, notes: list[str]) -> Activity | Block | None:
    if not isinstance(item, dict):
        notes.append(f"{where} is {in_few_words(item)}, expected an object")
        return None
    if item.get("type") == LEG:
        return _activity(item, where, notes)
    if "activities" not in item:
        notes.append(f"{where} is neither a leg nor a list of activities")
        return Block(_text(item, "city"), None) if "city" in item else None
    listed = item["activities"]
    if not isinstance(listed, list):
        notes.append(f"{where}: activities is {in_few_words(listed)}, expected a list")
        listed = []
    acts = []
    for number, entry in enumerate(listed, 1):
        if isinstance(entry, dict):
            acts.append(_activity(entry, f"{where} activity {number}", notes))
        else:
            notes.append(f"{where} activity {number} is {in_few_words(entry)}, expected an object")
    return Block(_text(item, "city"), tuple(acts))


def _activity(entry: dict[str, Any], where: str, notes: list[str]) -> Activity:
    is_leg = entry.get("type") == LEG
    people = entry.get("participants")
    participants: tuple[str, ...] | None = None
    if people is not None and not is_leg:
        if not isinstance(people, list):
            notes.append(f"{where}: participants is {in_few_words(people)}, expected a list")
        participants = (
            tuple(p if isinstance(p, str) else repr(p)[:40] for p in people)
            if isinstance(people, list)
            # A bare text names nobody (released code): quoted, it equals no user.
            else ((repr(people)[:40],) if isinstance(people, str) else ())
        )
    return Activity(
        kind=_text(entry, "type"),
        start_text=_text(entry, "start_time"),
        end_text=_text(entry, "end_time"),
        location=_text(entry, "location"),
        origin=_text(entry, "from_city" if is_leg else "from"),
        destination=_text(entry, "to_city" if is_leg else "to"),
        mode=_text(entry, "transport_mode"),
        cost=_cost(entry.get("avg_cost"), where, notes),
        participants=participants,
    )


def _cost(value: Any, where: str, notes: list[str]) -> float | None:
    """Return the cost; None where there is none or it is no finite number (a number written as text counts)."""
    if value is None:
        return None
    if isinstance(value, (int, float, str)) and not isinstance(value, bool):
        try:
            cost = float(value)
        except (ValueError, OverflowError):
            cost = math.nan
        if math.isfinite(cost):
            return cost
    notes.append(f"{where}: avg_cost is {in_few_words(value)}, expected a number")
    return None


def is_finite_number(value: Any) -> TypeGuard[float]:
    """Return whether a value is a number, neither infinite nor a whole one that is larger than any float."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return is_number and -sys.float_info.max <= value <= sys.float_info.max


def _text(entry: dict[str, Any], key: str) -> str:
    value = entry.get(key)
    return value if isinstance(value, str) else ""
