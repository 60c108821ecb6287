"""What the released evaluator says of plans: our own writing of it, held to its verdicts on 1,496 plans.

It reads published files only and knows neither how tasks are drafted nor how witnesses are found. A check that raises
in the evaluator (a key that the plan lacks, a text that cannot be cut, a drive that no road leads) is no pass here,
with the error's words as its reason; published, it would end the whole run.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from assets.tripcraft.published.commonsense import COMMONSENSE, Trip
from assets.tripcraft.published.folder import published_set
from assets.tripcraft.published.hard import HARD, total_cost
from assets.tripcraft.published.world import World

LEAST_DAYS_DELIVERED = 3
"""A plan is judged if it has more than two days (1.F)."""

NEVER_SURE = ("within_current_city", "room_type")
"""Checks that a sound trip may fail: a day spent in one city (T5), an entire home where a room is asked for (T6)."""

MUST_HOLD = tuple(name for name in (*COMMONSENSE, *HARD) if name not in NEVER_SURE)
"""Checks that no witness of an export may fail; None, where a query asks for nothing, is no failure."""

_RAISED = (KeyError, IndexError, TypeError, ValueError, AttributeError, ArithmeticError)


@dataclass(frozen=True)
class Verdict:
    """One check's verdict: `holds` is None where the query asks for nothing; `crash` says why it raises, if it does."""

    holds: bool | None
    crash: str = ""


def judge(query: Mapping[str, Any], plan: Any, world: World) -> dict[str, Verdict]:
    """Return the seventeen verdicts on a native plan, whatever it is, of the days that the query asks for."""
    trip = Trip(query, plan[: query["days"]] if isinstance(plan, list) else [], world)
    verdicts: dict[str, Verdict] = {}
    for name, check in (*COMMONSENSE.items(), *HARD.items()):
        try:
            verdicts[name] = Verdict(check(trip))
        except _RAISED as error:
            verdicts[name] = Verdict(False, f"{type(error).__name__}: {error}")
    return verdicts


def cost_of(query: Mapping[str, Any], plan: Any, world: World) -> float | None:
    """Return what the evaluator adds up for a plan; None where it raises."""
    try:
        return total_cost(Trip(query, plan[: query["days"]], world))
    except _RAISED:
        return None


def verdicts(files: Mapping[str, bytes]) -> dict[str, dict[str, bool | None]]:
    """Return task_id to check to verdict for every gold plan of an export's files; None: the query asks for nothing.

    Raises SourceError if the files are not a published folder.
    """
    opened = published_set(files)
    return {
        task.task_id: {name: verdict.holds for name, verdict in judge(task.query, task.gold, opened.world).items()}
        for task in opened.tasks.values()
    }
