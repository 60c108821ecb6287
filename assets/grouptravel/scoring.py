"""The published metrics of GroupTravelBench over a set of trials, in three variants. Never imports the solver.

PC, GU, GF and PV are those of `completeness.py`, `utility.py`, `fairness.py` and `validity.py`; what tells the
variants apart is in `variants.py`. Here trials are read, scored, and averaged over trials, then tasks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from typing import TYPE_CHECKING, Any

from assets.grouptravel.asked import request_of
from assets.grouptravel.checks.completeness import completeness
from assets.grouptravel.checks.compromise import Effective, effective_tables
from assets.grouptravel.checks.fairness import group_fairness
from assets.grouptravel.checks.judge import judge_score
from assets.grouptravel.checks.refusals import refusal
from assets.grouptravel.checks.utility import GroupUtility
from assets.grouptravel.checks.validity import Validity, verdict_and_utility
from assets.grouptravel.checks.validity_facts import Facts
from assets.grouptravel.facts.fares import Fares
from assets.grouptravel.facts.pois import Pois
from assets.grouptravel.plan import read_plan
from assets.grouptravel.variants import Variant, variant_of
from assets.grouptravel.vocabulary import EN, Vocabulary
from assets.grouptravel.wishes.preferences import unwrapped

if TYPE_CHECKING:
    import pandas as pd

TOGETHER = "together_bound"
SHARES = {"gu_share": TOGETHER, "gu_share_best": "split_utility", "gu_share_bound": "split_bound"}
"""Shares of what is possible: of the bound together, of the best plan known, of the bound with splits."""

METRICS = ("pc", "pc_precision", "pc_f1", "gu", "gu_per_participant", "gu_per_table", "gf", "pv", *SHARES, "judge")


@dataclass(frozen=True)
class Optima:
    """What plans for a task can reach, per user with a table: the certificate's columns of these names."""

    together_utility: float
    together_bound: float
    split_utility: float
    split_bound: float
    compromise_utility: float
    compromise_bound: float
    compromise_split_utility: float
    compromise_split_bound: float

    def of(self, column: str, *, with_compromise: bool) -> float:
        """Return the column's figure, for a trial in which somebody compromised or nobody did."""
        return getattr(self, f"compromise_{column.removeprefix('together_')}" if with_compromise else column)


@dataclass(frozen=True)
class TaskCase:
    """What a trial is scored against: the task's tables by user (published entries or bare), and the facts."""

    task_id: str
    entries: Mapping[str, Any]
    facts: Facts
    optima: Optima | None = None
    """What is possible, where there is a certificate."""


def score_trial(raw: Any, task: TaskCase, variant: Variant) -> dict[str, Any]:
    """Return the metrics of one trial; None for what cannot be measured. Nothing in a trial is an error.

    A trial is a mapping with any of `plan`, `agent_preference_table`, `effective_preferences` or `conversation_history`
    (from which the effective tables follow), `ratings` and `meta`; or a bare plan. A trial without a plan scores 0 in
    GU, GF and PV, one without the agent's table 0 in PC. Ratings that are none give no rating, and a note.
    """
    trial = raw if isinstance(raw, dict) else {}
    effective = _effective(trial, task, variant)
    tables = {user: entry for user, entry in effective.tables.items() if user in task.entries}
    stated = trial.get("agent_preference_table")
    plan = read_plan(trial.get("plan", trial))
    row: dict[str, Any] = dict.fromkeys(METRICS)
    row |= {
        "has_plan": plan.is_plan,
        "issues": [],
        "notes": list(plan.notes[:20]),
        "compromises": sum(effective.used.values()),
    }
    if isinstance(stated, dict):
        scores = completeness(stated, tables, variant)
        row |= {
            "pc": scores.percent,
            "pc_precision": round(100 * scores.precision, 2),
            "pc_f1": round(100 * scores.f1, 2),
        }
    row["refused"] = refusal(trial.get("plan", trial)) if variant.refuses_as_coded else None
    if plan.is_plan and not row["refused"]:
        verdict, utility = verdict_and_utility(plan, tables, task.facts, variant, task.entries)
        users = {user: scores.total for user, scores in utility.users.items()}
        row |= {
            **_worth(verdict, utility, variant),
            "pv": 100.0 * verdict.is_valid,
            "users": users,
            "split_penalty": utility.penalty,
            "issues": [[i.check, i.kind, i.day, i.user, i.detail] for i in verdict.issues],
        }
        row |= _shares(verdict, utility, task.optima, with_compromise=any(effective.used.values()))
    ratings = trial.get("ratings")
    if isinstance(ratings, list):
        try:
            row["judge"] = judge_score(ratings, trial.get("meta"))
        except ValueError as error:
            row["notes"].append(f"ratings: {error}")
    return row


def score(trials: Sequence[Any], tasks: Mapping[str, TaskCase], *, variant: str = "ours") -> dict[str, Any]:
    """Return {variant, aggregate, trials}: the metrics of each trial, and their means over trials, then over all tasks.

    A trial names its task by `task_id`; one of no known task is counted and left out. A task without a score counts 0,
    except for the judge, whose failures are dropped (published); in ours a task without a trial counts 0 there too, and
    `trials_rated` says how many ratings the mean is of. In released a failed trial is dropped from its task's mean when
    another has a score; in ours it counts 0.
    """
    reading = variant_of(variant)
    scored: dict[str, list[dict[str, Any]]] = {task_id: [] for task_id in tasks}
    rows, unknown = [], 0
    for position, raw in enumerate(trials, 1):
        task_id = raw.get("task_id") if isinstance(raw, dict) else None
        if not isinstance(task_id, str) or task_id not in tasks:
            unknown += 1
            continue
        row = score_trial(raw, tasks[task_id], reading)
        scored[task_id].append(row)
        rows.append({"task_id": task_id, "trial": position, **row})
    aggregate: dict[str, Any] = {"tasks": len(tasks), "trials": len(rows), "trials_of_no_task": unknown}
    for metric in METRICS:
        # What is possible is not known of every task, nor of any whose plans can reach nothing.
        counted = [task_id for task_id in tasks if metric not in SHARES or _is_known(tasks[task_id].optima, metric)]
        means = [_task_mean([row[metric] for row in scored[task_id]], metric, reading) for task_id in counted]
        task_means = [mean for mean in means if mean is not None]
        aggregate[metric] = round(fsum(task_means) / len(task_means), 2) if task_means else None
    ratings = [row["judge"] for row in rows if row["judge"] is not None]
    if not ratings:
        aggregate["judge"] = None  # of what nobody rated nothing is 0
    elif reading.failed_trials_count:
        aggregate["trials_rated"] = len(ratings)
    return {"variant": variant, "aggregate": aggregate, "trials": rows}


def score_tasks(
    trials: Sequence[Any],
    tasks: pd.DataFrame,
    pois: pd.DataFrame,
    variant: str,
    *,
    fares: pd.DataFrame | None = None,
    calendar: pd.DataFrame | None = None,
    names: Mapping[str, str] | None = None,
    vocabulary: Vocabulary = EN,
) -> dict[str, Any]:
    """Return `score` for a release's tasks, whose records hold what the published ones do (3.D).

    `names` gives each city_id's name in plans and tables. Without fares, prices of legs and services are not checked.
    """
    places, services = Pois.of_frame(pois, names), Fares.of_frame(fares, calendar, names) if fares is not None else None
    cases = {}
    for row in tasks.sort_values("task_id").to_dict("records"):
        record = row["record"]
        cases[row["task_id"]] = task_case(row["task_id"], record, places, services, vocabulary)
    return score(trials, cases, variant=variant)


def task_case(
    task_id: str, record: Mapping[str, Any], pois: Pois, fares: Fares | None, vocabulary: Vocabulary
) -> TaskCase:
    """Return what trials of one published task record are scored against."""
    request = request_of(record)
    facts = Facts(
        request.users, pois, vocabulary, request.departure_city, request.first_date, fares, children=request.children,
        days=request.days, cities=request.cities,
    )  # fmt: skip
    return TaskCase(task_id, record["user_preferences"], facts)


def _worth(verdict: Validity, utility: GroupUtility, variant: Variant) -> dict[str, float]:
    """Return GU by its denominators, and GF; 0 for a plan with a fault where faults void what it lists."""
    if variant.faults_void_worth and not verdict.is_valid:
        return dict.fromkeys(("gu", "gu_per_participant", "gu_per_table", "gf"), 0.0)
    totals = [scores.total for scores in utility.users.values()]
    nobodys = [0] * (utility.participants - len(totals)) if variant.fairness_over_all else []
    return {
        "gu": utility.value,
        "gu_per_participant": utility.per_participant,
        "gu_per_table": utility.per_table,
        "gf": group_fairness([*totals, *nobodys], variant),
    }


def _shares(
    verdict: Validity, utility: GroupUtility, optima: Optima | None, *, with_compromise: bool
) -> dict[str, float | None]:
    """Return what a plan reaches of each figure; of one that the figure is not about, 0.

    Bounds are on valid plans, and the bound together on those that part nobody: a plan apart may be worth more.
    """
    shares: dict[str, float | None] = dict.fromkeys(SHARES)
    for share, column in SHARES.items():
        possible = optima.of(column, with_compromise=with_compromise) if optima else 0
        is_about = verdict.is_valid and not (column == TOGETHER and utility.penalty)
        if possible > 0:
            shares[share] = round(100 * utility.per_table / possible, 2) if is_about else 0.0
    return shares


def _is_known(optima: Optima | None, share: str) -> bool:
    return optima is not None and optima.of(SHARES[share], with_compromise=False) > 0


def _effective(trial: dict[str, Any], task: TaskCase, variant: Variant) -> Effective:
    """Return the tables that a trial's messages leave; published, also tables that it states outright."""
    stated_tables = trial.get("effective_preferences") if not variant.concessions_only else None
    if isinstance(stated_tables, dict):
        entries = {user: stated_tables.get(user, entry) for user, entry in task.entries.items()}
        return Effective({u: e if isinstance(unwrapped(e), dict) else {} for u, e in entries.items()}, (), {})
    history = trial.get("conversation_history")
    messages = history if isinstance(history, list) else ()
    return effective_tables(task.entries, messages, concessions_only=variant.concessions_only)


def _task_mean(values: list[float | None], metric: str, variant: Variant) -> float | None:
    scores = [value for value in values if value is not None]
    if metric == "judge" and not scores and (values or not variant.failed_trials_count):
        return None
    count = len(values) if variant.failed_trials_count and metric != "judge" else len(scores)
    return fsum(scores) / count if count else 0.0
