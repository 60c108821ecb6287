"""The independent check of a certificate: every plan by the nine checks, its utility by the scorer, and the bounds.

Nothing here knows how the plans were found.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from assets.family import Violation
from assets.grouptravel.checks.compromise import Marker, apply
from assets.grouptravel.checks.fairness import group_fairness
from assets.grouptravel.checks.utility import GroupUtility, group_utility
from assets.grouptravel.checks.validity import Validity, issues, verdict_and_utility
from assets.grouptravel.facts.world import Part, World
from assets.grouptravel.plan import Plan, read_plan
from assets.grouptravel.scoring import task_case
from assets.grouptravel.variants import OURS
from assets.grouptravel.wishes.conflicts import conflicts

UTILITY_AGREES = "utility_agrees_with_the_solver"
OTHER_PLANS = {
    "split": "split_utility",
    "compromise": "compromise_utility",
    "compromise_split": "compromise_split_utility",
}
"""The plans beside the witness, and the column that says what each reaches."""

BOUNDS_HOLD = "bounds_hold"
ORDER = (
    ("together_utility", "together_bound"),
    ("together_bound", "split_bound"),
    ("compromise_utility", "compromise_bound"),
    ("compromise_bound", "compromise_split_bound"),
    ("together_utility", "split_utility"),
    ("split_utility", "split_bound"),
    ("together_utility", "compromise_utility"),
    ("compromise_utility", "compromise_split_utility"),
    ("split_utility", "compromise_split_utility"),
    ("compromise_split_utility", "compromise_split_bound"),
)
"""Pairs of which the first can never exceed the second: what is allowed more reaches no less."""


def all_plans(witness: Any, proof: Mapping[str, Any]) -> list[Any]:
    """Return a certificate's plans, each once: the witness, and those beside it."""
    other_plans = proof.get("plans") or {}
    plans = [witness]
    for plan in (other_plans[name]["plan"] for name in OTHER_PLANS if other_plans.get(name)):
        plans += [] if plan in plans else [plan]
    return plans


STATEMENTS = {
    True: "optimum: meets the bound on all plans that stay together, without compromise",
    False: "best plan found that stays together, without compromise",
}
"""By whether the plan meets the bound: only then it is called an optimum."""

UTILITIES = tuple(sorted({column for pair in ORDER for column in pair}))
"""Columns of what can be reached."""


class Judge:
    """Judges plans for one task, by `ours`."""

    def __init__(self, task_id: str, record: dict[str, Any], world: World | Part):
        self._record, self._world = record, world
        self._case = task_case(task_id, record, world.pois, world.fares, world.vocabulary)

    def utility(self, plan: Plan, entries: Mapping[str, Any]) -> GroupUtility:
        """Return what the plan is worth by the tables of `entries`."""
        return group_utility(plan, entries, self._case.facts.users, self._world.pois, OURS)

    def violations(self, plan: Any) -> Iterator[Violation]:
        """Yield every break of the nine checks and the declared conditions, and why a plan is none."""
        parsed_plan = read_plan(plan)
        if not parsed_plan.is_plan:
            yield Violation("is_a_plan", "; ".join(parsed_plan.notes) or "the first day is empty")
            return
        for issue in issues(parsed_plan, self._case.facts, OURS, lambda: self.utility(parsed_plan, self._case.entries)):
            yield Violation(issue.check, issue.in_words)
        yield from (Violation("is_a_plan", note) for note in parsed_plan.notes)

    def disagreements(self, witness: Any, proof: Mapping[str, Any]) -> list[Violation]:
        """Return what a proof says of the witness, the other plans and the bounds that is not so."""
        reachable, plans = proof["reachable"], proof["plans"]
        utility = self.utility(read_plan(witness), self._case.entries)
        violations = []
        if utility.total != reachable["together_utility"] or utility.penalty:
            stated = reachable["together_utility"]
            detail = f"utility is {utility.total}, apart {utility.penalty}, the proof says {stated}"
            violations.append(Violation(UTILITY_AGREES, detail))
        witness_plan = {"plan": witness, "compromises": []}
        # Whether it is valid `violations` says.
        others = [(witness_plan, _Other(utility.total, (), bool(utility.penalty)))]
        for name, column in OTHER_PLANS.items():
            reached = plans.get(name) or witness_plan
            other = next((other for one, other in others if one == reached), None)
            if other is None:  # else one plan is the best of two ways
                other = self._other(reached)
                others.append((reached, other))
            wrong = [*other.problems]
            if other.utility != reachable[column]:
                wrong.append(f"utility is {other.utility}, the certificate says {reachable[column]}")
            if name == "compromise" and other.is_apart:
                wrong.append("the group is apart")
            if name == "split" and reached["compromises"]:
                wrong.append("somebody compromises")
            violations += [Violation(f"{name}_plan_holds", text) for text in wrong]
        violations += [
            Violation(BOUNDS_HOLD, f"{low} {reachable[low]} > {high} {reachable[high]}")
            for low, high in ORDER
            if reachable[low] > reachable[high]
        ]
        stated = {name: value for name, value in proof.items() if name not in ("reachable", "plans")}
        measured = self._values(utility, reachable)
        return violations + [
            Violation(UTILITY_AGREES, f"{name} is said to be {stated.get(name)!r:.80}, found {value!r:.80}")
            for name, value in measured.items()
            if stated.get(name) != value
        ]

    def values(self, witness: Any, reachable: Mapping[str, float]) -> dict[str, Any]:
        """Return what the witness is worth, beside what can be reached."""
        return self._values(self.utility(read_plan(witness), self._case.entries), reachable)

    def issues(self, plan: Plan, entries: Mapping[str, Any]) -> list[str]:
        """Return what is wrong with a plan by the tables of `entries`."""
        verdict, _ = verdict_and_utility(plan, entries, self._case.facts, OURS)
        return _issues_in_words(verdict, plan)

    def _other(self, reached: Mapping[str, Any]) -> _Other:
        """Return what another plan is worth, and what is wrong with it: issues, compromises that nobody may make."""
        entries, used = dict(self._case.entries), dict.fromkeys(self._case.entries, 0)
        problems = []
        for marker in reached["compromises"]:
            user = marker["user"]
            if not entries.get(user, {}).get("compromisable") and not used.get(user):
                problems.append(f"{user} does not compromise")
                continue
            value = marker["items"] if marker["items"] is not None else _number(marker["number"])
            concession = Marker(marker["path"], value, "")
            entries[user], outcome = apply(entries[user], concession, used[user], concessions_only=True)
            used[user] += outcome.applied
            problems += [] if outcome.applied else [f"{user}: {outcome.why}"]
        plan = read_plan(reached["plan"])
        verdict, utility = verdict_and_utility(plan, entries, self._case.facts, OURS, self._case.entries)
        return _Other(utility.total, (*problems, *_issues_in_words(verdict, plan)), bool(utility.penalty))

    def _values(self, utility: GroupUtility, utilities: Mapping[str, float]) -> dict[str, Any]:
        users = {user: float(user_utility.total) for user, user_utility in sorted(utility.users.items())}
        people = max(1, len(users))
        tables = {user: entry["preference"] for user, entry in self._record["user_preferences"].items()}
        return {
            "utility": {
                "total": utility.total,
                "per_participant": utility.per_participant,
                "per_table": utility.per_table,
                "users": users,
                "statement": STATEMENTS[utilities["together_utility"] == utilities["together_bound"]],
            },
            "per_table": {column: round(total / people, 2) for column, total in utilities.items()},
            "fairness": group_fairness(list(users.values()), OURS),
            "cost": max((user_utility.cost for user_utility in utility.users.values()), default=0.0),
            "conflicts": conflicts(tables),
        }


@dataclass(frozen=True)
class _Other:
    """What is found of a plan beside the witness."""

    utility: float
    problems: tuple[str, ...]
    is_apart: bool


def _issues_in_words(verdict: Validity, plan: Plan) -> list[str]:
    """Return every issue of a verdict in words, and what of the plan could not be read."""
    return [*(f"{issue.check}: {issue.in_words}" for issue in verdict.issues), *plan.notes]


def _number(value: float) -> int | float:
    """Return a cap as tables write it: whole where it is whole."""
    return int(value) if float(value).is_integer() else value
