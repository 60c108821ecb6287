"""What a plan in the making is made of: the stretches of its days, each a part, and what they leave of one another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from assets.grouptravel.conditions import MEAL_GAP_MIN
from assets.grouptravel.witness.schedule import MIDNIGHT, Frame, Move, Stop, Timed
from assets.grouptravel.witness.stretches import Stretch
from assets.grouptravel.witness.worth import Option

Purse = Literal["full", "short", "empty"]
"""How much money is left for moves."""


@dataclass(frozen=True)
class Beside:
    """Which of a day's teams it is, and by day the minutes at which another team's visits begin and end.

    `is_strict` where a visit is not worth the split that one of the same minutes would be. `arrivals_by_day` is when,
    by day and place, the teams before come there.
    """

    team: int = 0
    shunned: Mapping[int, frozenset[int]] = field(default_factory=dict)
    is_strict: bool = False
    arrivals_by_day: Mapping[int, Mapping[str, tuple[int, ...]]] = field(default_factory=dict)


@dataclass
class Part:
    """One stretch in the making."""

    stretch: Stretch
    frame: Frame
    visits: list[tuple[Option, Stop]]
    timed: list[Timed]
    move: Move
    active: int = 0
    has_lost: bool = False


def frame_beside(part: Part, parts: Sequence[Part]) -> Frame:
    """Return the part's frame with what the day's other stretches leave of its active hours and mealtimes."""
    others = [p for p in parts if p is not part and p.stretch.day == part.stretch.day]
    if not others:
        return part.frame
    eaten = [(begin, end) for other in others for stop, begin, end in other.timed if stop.meal is not None]
    first = max((end + MEAL_GAP_MIN for begin, end in eaten if begin < part.stretch.opens), default=0)
    last = min((begin - MEAL_GAP_MIN for begin, _ in eaten if begin > part.stretch.opens), default=MIDNIGHT)
    active_min = part.frame.active_min - sum(other.active for other in others)
    return replace(part.frame, active_min=active_min, meals=(first, last))


def sights_on(day: int, parts: Sequence[Part]) -> int:
    """Return how many sights the parts of a day have."""
    return sum(stop.meal is None for part in parts if part.stretch.day == day for _, stop in part.visits)
