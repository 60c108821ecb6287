"""The independent check of a certificate: every plan by the nine checks, its utility by the scorer, and the bounds.

Nothing here knows how the plans were found.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assets.grouptravel.checks.compromise import Marker, apply
from assets.grouptravel.checks.day_conditions import CAPS
from assets.grouptravel.checks.fairness import group_fairness
from assets.grouptravel.checks.utility import GroupUtility, group_utility
from assets.grouptravel.checks.validity import CHECKS, CONDITIONS, judged
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

    def certificate(self, witness: Any, plans: Mapping[str, Any], utilities: Mapping[str, int]) -> dict[str, Any]:
        """Return {checks, violations, values} of a certificate's plans and of what it says that they reach."""
        entries = self._case.entries
        read = read_plan(witness)
        utility = self.utility(read, entries)
        failed, violations = self._issues(read, entries)
        checks = [{"check": name, "holds": name not in failed} for name in (*CHECKS, *CONDITIONS, CAPS)]
        agrees = read.is_plan and utility.total == utilities["together_utility"] and utility.penalty == 0
        if not agrees:
            stated = utilities["together_utility"]
            violations.append(f"utility is {utility.total}, apart {utility.penalty}, the certificate says {stated}")
        checks.append({"check": UTILITY_AGREES, "holds": agrees})
        for name, column in OTHER_PLANS.items():
            found = self._other(plans.get(name) or {"plan": witness, "compromises": []}, name, utilities[column])
            checks.append({"check": f"{name}_plan_holds", "holds": not found})
            violations += [f"{name}: {violation}" for violation in found]
        disorder = [f"{low} {utilities[low]} > {high} {utilities[high]}" for low, high in ORDER
                    if utilities[low] > utilities[high]]  # fmt: skip
        checks.append({"check": BOUNDS_HOLD, "holds": not disorder})
        return {
            "checks": checks,
            "violations": violations + disorder,
            "values": self._values(utility, utilities),
        }

    def _issues(self, plan: Plan, entries: Mapping[str, Any]) -> tuple[tuple[str, ...], list[str]]:
        verdict, _ = judged(plan, entries, self._case.facts, OURS)
        found = [f"{i.check}: {i.kind} on day {i.day} {i.user} {i.detail}".strip() for i in verdict.issues]
        return verdict.failed, [*found, *plan.notes]

    def _other(self, reached: Mapping[str, Any], name: str, stated: int) -> list[str]:
        """Return what is wrong with another plan: issues, compromises that nobody may make, or another utility."""
        entries, used = dict(self._case.entries), dict.fromkeys(self._case.entries, 0)
        problems = []
        for marker in reached["compromises"]:
            user = marker["user"]
            if not entries.get(user, {}).get("compromisable") and not used.get(user):
                problems.append(f"{user} does not compromise")
                continue
            made = Marker(marker["path"], marker["value"], "")
            entries[user], outcome = apply(entries[user], made, used[user], concessions_only=True)
            used[user] += outcome.applied
            problems += [] if outcome.applied else [f"{user}: {outcome.why}"]
        plan = read_plan(reached["plan"])
        utility = self.utility(plan, entries)
        if utility.total != stated:
            problems.append(f"utility is {utility.total}, the certificate says {stated}")
        if name == "compromise" and utility.penalty:
            problems.append("the group is apart")
        if name == "split" and reached["compromises"]:
            problems.append("somebody compromises")
        return [*problems, *self._issues(plan, entries)[1]]

    def _values(self, utility: GroupUtility, utilities: Mapping[str, int]) -> dict[str, Any]:
        users = {user: found.total for user, found in sorted(utility.users.items())}
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
            "cost": max((found.cost for found in utility.users.values()), default=0.0),
            "conflicts": conflicts(tables),
        }
