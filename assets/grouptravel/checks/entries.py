"""What a plan does inside cities, entry by entry, each between the day's arrival before it and the leg after it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from assets.grouptravel.facts.poi import Poi
from assets.grouptravel.facts.pois import TYPE_OF_ACTIVITY, Pois
from assets.grouptravel.plan import LOCAL, Activity, Day, Plan

VISITS = ("attraction", "food")

NEVER = 10**6


@dataclass(frozen=True)
class Entry:
    """An activity in its day: where it is, when the group arrived before it, and when it leaves after it.

    `arrived` is far below 0 where no leg of the day comes before, `leaves` far above where none comes after.
    """

    position: int
    day: Day
    city: str
    act: Activity
    poi: Poi | None
    arrived: int
    leaves: int
    is_first_since_leg: bool
    is_last_before_leg: bool

    def is_since_arrival(self, user: str, whereabouts: dict[str, tuple[Poi, int | None]]) -> bool:
        """Return whether the user has been somewhere since the day's arrival before this."""
        at = whereabouts.get(user)
        return at is not None and at[1] is not None and at[1] >= self.arrived


def entries_of(plan: Plan, users: tuple[str, ...], pois: Pois) -> Iterator[Entry]:
    """Yield every activity inside a city, in the order of the plan."""
    for position, day in enumerate(plan.days):
        arrived, stretch = -NEVER, list[tuple[str, Activity]]()
        for segment in day.segments:
            if isinstance(segment, Activity):
                leaves = segment.start if segment.start is not None else -NEVER
                yield from _between(arrived, leaves, stretch, position, day, users, pois)
                arrived, stretch = (segment.end if segment.end is not None else NEVER), []
            else:
                stretch += [(segment.city, act) for act in segment.activities or ()]
        yield from _between(arrived, NEVER, stretch, position, day, users, pois)


def _between(
    arrived: int,
    leaves: int,
    stretch: list[tuple[str, Activity]],
    position: int,
    day: Day,
    users: tuple[str, ...],
    pois: Pois,
) -> Iterator[Entry]:
    """Yield what is done between two legs, or a leg and the day's end."""
    firsts = _new_to_all(stretch, users) if arrived > -NEVER else ()
    lasts = {len(stretch) - 1 - n for n in _new_to_all(stretch[::-1], users)} if leaves < NEVER else ()
    for number, (city, act) in enumerate(stretch):
        meant = pois.meant(act.location, city)
        poi = meant if meant is not None and meant.poi_type == TYPE_OF_ACTIVITY.get(act.kind) else None
        yield Entry(position, day, city, act, poi, arrived, leaves, number in firsts, number in lasts)


def _new_to_all(stretch: list[tuple[str, Activity]], users: tuple[str, ...]) -> set[int]:
    """Return the positions of what nobody comes to who was somewhere in the stretch before."""
    positions, been = set[int](), set[str]()
    for number, (_, act) in enumerate(stretch):
        joined = act.joined_by(users) if act.kind in (*VISITS, "hotel", LOCAL) else ()
        if been.isdisjoint(joined):
            positions.add(number)
        been.update(joined)
    return positions
