"""Certificates: each task's best plans, solved and then judged apart; kept while what they rest on stays the same."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import pandas as pd

from assets.core.processes import each
from assets.grouptravel.checks.judging import Judge
from assets.grouptravel.drafting import read_draft
from assets.grouptravel.facts.trips import Best, Trip
from assets.grouptravel.facts.world import Part, World
from assets.grouptravel.plan import read_plan
from assets.grouptravel.solver import NoPlanError, problem_of, solve
from assets.grouptravel.tables import GroupCertificate
from assets.grouptravel.vocabulary import VOCABULARIES
from assets.grouptravel.witness.as_plan import native_plan
from assets.grouptravel.witness.concessions import conceded
from assets.grouptravel.witness.teams import Splits
from assets.step import Outcome
from schemas.rejection import Reason
from schemas.stable import canonical_json, content_hash

Reached = dict[str, Any]
"""One plan that reaches something: {plan, compromises, utility}."""


def certificates(
    task: pd.DataFrame,
    draft: pd.DataFrame,
    city: pd.DataFrame,
    poi: pd.DataFrame,
    fare: pd.DataFrame,
    calendar: pd.DataFrame,
    *,
    previous: pd.DataFrame | None,
) -> Outcome:
    """Return a certificate for every task whose plans pass all nine checks and are worth what they are said to be.

    The others are rejected with what is wrong. A task is not solved again while its record and what could be part of
    its plan are as before: the places that can fill its slots, its beds and its services.
    """
    kept = {row["task_id"]: row for row in previous.to_dict("records")} if previous is not None else {}
    drawn = {row["task_id"]: row for row in draft.to_dict("records")}
    jobs: list[_Job] = []
    world: World | None = None
    for found in task.sort_values("task_id").to_dict("records"):
        row = drawn[found["task_id"]]
        skeleton, extra = read_draft(row)
        world = world or World(city, poi, fare, calendar, VOCABULARIES[extra["language"]])
        record = json.loads(found["record_json"])
        tables = {int(user[4:]): entry["preference"] for user, entry in record["user_preferences"].items()}
        trip = world.trip(skeleton, tables)
        described = [found["content_hash"], row["skeleton_json"]]
        before = kept.get(found["task_id"])
        jobs.append(_Job(found["task_id"], found["city_id"], described, record, trip, world.part(trip), before))
    made = each(_certified, jobs)
    rows = [row for row in made if isinstance(row, dict)]
    rejected = [_rejection(job.task_id, why) for job, why in zip(jobs, made, strict=True) if isinstance(why, str)]
    frame = pd.DataFrame(rows, columns=[column.name for column in GroupCertificate.columns()])
    return Outcome(frame, rejected, rows_in=len(task))


@dataclass(frozen=True)
class _Job:
    """One task to certify, with all that its certificate can depend on; `before` is the one it had."""

    task_id: str
    city_id: str
    described: list[str]
    record: dict[str, Any]
    trip: Trip
    world: Part
    before: dict[Any, Any] | None


def _certified(job: _Job) -> dict[Any, Any] | str:
    """Return the task's row of certificates, as it was if nothing changed; or why it has none."""
    world = job.world
    try:
        problem = problem_of(job.trip, world.pois, world.fares, world.vocabulary)
        depends_on = content_hash([*job.described, problem])
        if job.before is not None and job.before["depends_on"] == depends_on:
            return job.before
        made = _Certifier(job.task_id, job.record, job.trip, world).certificate()
    except NoPlanError as error:
        return str(error)
    wrong = [check["check"] for check in made["checks"] if not check["holds"]]
    if wrong:
        return "; ".join([*wrong, *made["violations"]])
    return {
        "task_id": job.task_id,
        "city_id": job.city_id,
        "witness_json": _as_text(made["witness"]),
        "values_json": canonical_json(made["values"]),
        "checks_json": canonical_json(made["checks"]),
        "depends_on": depends_on,
        **made["utilities"],
        "plans_json": _as_text(made["plans"]),
    }


class _Certifier:
    """The plans of one task: together and with splits, without compromise and with it."""

    def __init__(self, task_id: str, record: dict[str, Any], trip: Trip, world: Part):
        self._trip, self._world = trip, world
        self._entries = record["user_preferences"]
        self._judge = Judge(task_id, record, world)
        self._solved: dict[Any, int] = {}

    def certificate(self) -> dict[str, Any]:
        """Return {witness, plans, utilities, checks, violations, values}. Raises NoPlanError."""
        together, together_bound, split, bound = self._optima(with_compromise=False)
        compromise, compromise_bound, compromise_split, compromise_split_bound = self._optima(with_compromise=True)
        compromise = max(compromise, together, key=lambda plan: plan["utility"])
        best = max(compromise_split, split, compromise, key=lambda plan: plan["utility"])
        utilities = {
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
        judged = self._judge.certificate(together["plan"], plans, utilities)
        return {"witness": together["plan"], "plans": plans, "utilities": utilities, **judged}

    def _optima(self, *, with_compromise: bool) -> tuple[Reached, int, Reached, int]:
        """Return the best plan together and its bound, and the best plan found with splits and its bound."""
        world = self._world
        best = solve(self._trip, world.pois, world.fares, world.vocabulary, with_compromise=with_compromise)
        together = self._reached(best)
        splits = Splits(
            self._trip, best, world.pois, world.fares, world.vocabulary,
            with_compromise=with_compromise, solved=self._solved,
        )  # fmt: skip
        found = max([together, *map(self._reached, splits.plans())], key=lambda plan: plan["utility"])
        return together, best.bound, found, splits.bound(found["utility"])

    def _reached(self, best: Best) -> Reached:
        """Return the plan with the markers of what is given up for it, and what it is worth by the scorer."""
        plan = native_plan(self._trip, best, self._world.vocabulary)
        read = read_plan(plan)
        utility = self._judge.utility(read, self._entries)
        if not best.given_up:
            return {"plan": plan, "compromises": [], "utility": utility.total}
        costs = {user: found.cost for user, found in utility.users.items()}
        effective, markers = conceded(self._entries, best.given_up, costs)
        return {"plan": plan, "compromises": markers, "utility": self._judge.utility(read, effective).total}


def _other(plan: Reached, witness: Reached) -> dict[str, Any] | None:
    """Return the plan and its compromises, None where it is the witness with nobody compromising."""
    if plan["plan"] == witness["plan"] and not plan["compromises"]:
        return None
    return {"plan": plan["plan"], "compromises": plan["compromises"]}


def _rejection(task_id: str, detail: str) -> dict[str, str]:
    return {"row": task_id, "reason": Reason.UNSATISFIABLE.value, "detail": detail}


def _as_text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
