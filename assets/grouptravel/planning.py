"""What the core asks of the solver: a group's best plans, together and apart, and what they rest on."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from assets.family import Refused, Solved
from assets.grouptravel.checks.judging import Judge
from assets.grouptravel.facts.trips import Best, Trip
from assets.grouptravel.facts.world import Part, trip_of
from assets.grouptravel.plan import read_plan
from assets.grouptravel.plausibility import Places, implausible_in
from assets.grouptravel.records import skeleton_of, tables_of
from assets.grouptravel.solver import NoPlanError, problem_of
from assets.grouptravel.solver import solve as best_of
from assets.grouptravel.witness.as_plan import native_plan
from assets.grouptravel.witness.concessions import conceded
from assets.grouptravel.witness.teams import Splits

Reached = dict[str, Any]
"""One plan that reaches something: {plan, compromises, utility, entries}, the last with what is given up."""

ABOVE_ESTIMATE = 2
"""Points above its estimated gain that a division of the group is given a chance of: in 257 searches for 162 groups
none whose estimate was so far below a gain that was found came out better (`perf/README.md`)."""


def solve(task_id: str, record: dict[str, Any], world: Part, _: Any = None) -> Solved | Refused:
    """Return the best plan together as the witness, with the best plans found otherwise and the bounds on them."""
    trip = trip_of(skeleton_of(task_id, record), tables_of(record), world.names)
    try:
        return _Search(task_id, record, trip, world).solved()
    except NoPlanError as error:
        return Refused(str(error), "no_plan")


def depends(task_id: str, record: dict[str, Any], world: Part, _: Any = None) -> Any:
    """Return what could be part of a record's plans: the places that can fill its slots, its beds and its services."""
    trip = trip_of(skeleton_of(task_id, record), tables_of(record), world.names)
    try:
        return problem_of(trip, world.pois, world.fares)
    except NoPlanError as error:
        return str(error)


class _Search:
    """The plans of one task: together and with splits, without compromise and with it."""

    def __init__(self, task_id: str, record: dict[str, Any], trip: Trip, world: Part):
        self._trip, self._world = trip, world
        self._entries = record["user_preferences"]
        self._record, self._places = record, Places(world.pois, world.vocabulary)
        self._judge = Judge(task_id, record, world)
        self._solved: dict[Any, Any] = {}
        self._apart: dict[Any, Reached] = {}
        """By plan together: what giving up nothing comes to is what is found without compromise."""

    def solved(self) -> Solved:
        """Return the witness and what is said of it. Raises NoPlanError."""
        giving = self._best(with_compromise=True)
        keeping = giving
        if giving.given_up or not giving.is_optimal:
            keeping = self._best(giving=giving)
        if keeping.total >= giving.total:  # so that what is best apart is sought once
            giving = replace(keeping, bound=giving.bound)
        together, split, bound = self._optima(keeping, with_compromise=False)
        compromise, compromise_split, compromise_split_bound = self._optima(giving, with_compromise=True)
        together_bound, compromise_bound = keeping.bound, giving.bound
        compromise = max(compromise, together, key=lambda plan: plan["utility"])
        best = max(compromise_split, split, compromise, key=lambda plan: plan["utility"])
        reachable = {
            "together_utility": together["utility"],
            "together_bound": together_bound,
            "split_utility": split["utility"],
            "split_bound": bound,
            "compromise_utility": compromise["utility"],
            "compromise_bound": max(compromise_bound, together_bound),
            "compromise_split_utility": best["utility"],
            "compromise_split_bound": max(compromise_split_bound, compromise_bound, bound),
        }
        plans = {
            "split": _other(split, together),
            "compromise": _other(compromise, together),
            "compromise_split": _other(best, together),
        }
        return Solved(together["plan"], {"reachable": {k: float(v) for k, v in reachable.items()}, "plans": plans})

    def _best(self, *, with_compromise: bool = False, giving: Best | None = None) -> Best:
        """Return the best plan together; without compromise, what is known of plans with it helps."""
        world = self._world
        return best_of(
            self._trip, world.pois, world.fares, world.vocabulary, with_compromise=with_compromise, giving=giving
        )

    def _optima(self, best: Best, *, with_compromise: bool) -> tuple[Reached, Reached, int]:
        """Return the best plan together as one, and from it the best plan found with splits and its bound."""
        world, together = self._world, self._reached(best)
        splits = Splits(
            self._trip, best, world.pois, world.fares, world.vocabulary,
            with_compromise=with_compromise, solved=self._solved,
        )  # fmt: skip
        if splits.plan_key not in self._apart:
            self._apart[splits.plan_key] = self._best_apart(together, splits)
        split_plan = self._apart[splits.plan_key]
        return together, split_plan, splits.bound(split_plan["utility"])

    def _best_apart(self, together: Reached, splits: Splits) -> Reached:
        """Return the best plan found with splits, the one together where none is worth more."""
        best_plan = together
        for division in splits.divisions():
            if together["utility"] + division.gain + ABOVE_ESTIMATE <= best_plan["utility"]:
                continue
            for plan in map(self._reached, splits.plans(division)):
                if plan["utility"] > best_plan["utility"] and not self._issues(plan):
                    best_plan = plan
        return best_plan

    def _reached(self, best: Best) -> Reached:
        """Return the plan with the markers of what is given up for it, and what it is worth by the scorer."""
        plan = native_plan(self._trip, best, self._world.vocabulary, self._world.pois)
        parsed_plan = read_plan(plan)
        utility = self._judge.utility(parsed_plan, self._entries)
        if not best.given_up:
            return {"plan": plan, "compromises": [], "utility": utility.total, "entries": self._entries}
        costs = {user: user_utility.cost for user, user_utility in utility.users.items()}
        effective, markers = conceded(self._entries, best.given_up, costs)
        total = self._judge.utility(parsed_plan, effective).total
        return {"plan": plan, "compromises": markers, "utility": total, "entries": effective}

    def _issues(self, reached: Reached) -> list[str]:
        """Return why a plan apart is none: a team's day, fitted beside another's, may break a cap."""
        strange = implausible_in(self._record, [reached["plan"]], self._places)
        return [*strange, *self._judge.issues(read_plan(reached["plan"]), reached["entries"])]


def _other(plan: Reached, witness: Reached) -> dict[str, Any] | None:
    """Return the plan and its compromises, None where it is the witness with nobody compromising."""
    if plan["plan"] == witness["plan"] and not plan["compromises"]:
        return None
    concessions = [
        {
            "user": marker["user"],
            "path": marker["path"],
            "items": marker["value"] if isinstance(marker["value"], list) else None,
            "number": None if isinstance(marker["value"], list) else float(marker["value"]),
        }
        for marker in plan["compromises"]
    ]
    return {"plan": plan["plan"], "compromises": concessions}
