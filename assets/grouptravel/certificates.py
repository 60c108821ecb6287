"""Certificates: each task's best plan, solved and then judged apart; kept while what it rests on stays the same."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import pandas as pd

from assets.grouptravel.conflicts import conflicts
from assets.grouptravel.drafting import read_draft
from assets.grouptravel.fairness import group_fairness
from assets.grouptravel.plan import read_plan
from assets.grouptravel.scoring import task_case
from assets.grouptravel.solver import NoPlanError, solve
from assets.grouptravel.tables import GroupCertificate
from assets.grouptravel.utility import group_utility
from assets.grouptravel.validity import CHECKS, validity
from assets.grouptravel.variants import OURS
from assets.grouptravel.vocabulary import VOCABULARIES
from assets.grouptravel.witness import native_plan
from assets.grouptravel.world import World
from assets.step import Outcome
from schemas.rejection import Reason
from schemas.stable import canonical_json, content_hash

UTILITY_AGREES = "utility_is_the_solver_s"


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
    """Return a certificate for every task whose best plan passes all nine checks and is worth what the solver says.

    The others are rejected with what is wrong. A task is not solved again while its record, the places of its cities
    and the services between them are as before.
    """
    kept = {row["task_id"]: row for row in previous.to_dict("records")} if previous is not None else {}
    drawn = {row["task_id"]: row for row in draft.to_dict("records")}
    hashes = _Hashes(poi, fare, city)
    world: World | None = None
    rows, rejected = [], []
    for found in task.sort_values("task_id").to_dict("records"):
        skeleton, extra = read_draft(drawn[found["task_id"]])
        depends_on = content_hash([found["content_hash"], drawn[found["task_id"]]["skeleton_json"],
                                   hashes.of(skeleton.route)])  # fmt: skip
        before = kept.get(found["task_id"])
        if before is not None and before["depends_on"] == depends_on:
            rows.append(before)
            continue
        world = world or World(city, poi, fare, calendar, VOCABULARIES[extra["language"]])
        record = json.loads(found["record_json"])
        tables = {int(user[4:]): entry["preference"] for user, entry in record["user_preferences"].items()}
        trip = world.trip(skeleton, tables)
        try:
            best = solve(trip, world.pois, world.fares, world.vocabulary)
        except NoPlanError as error:
            rejected.append(_rejection(found["task_id"], str(error)))
            continue
        plan = native_plan(trip, best, world.vocabulary)
        judged = judge(plan, found["task_id"], record, world, best.total)
        wrong = [check for check in judged["checks"] if not check["holds"]]
        if wrong:
            rejected.append(_rejection(found["task_id"], "; ".join([c["check"] for c in wrong] + judged["violations"])))
            continue
        rows.append(
            {
                "task_id": found["task_id"],
                "city_id": found["city_id"],
                "witness_json": json.dumps(plan, ensure_ascii=False, separators=(",", ":"), allow_nan=False),
                "values_json": canonical_json(judged["values"]),
                "checks_json": canonical_json(judged["checks"]),
                "depends_on": depends_on,
            }
        )
    frame = pd.DataFrame(rows, columns=[column.name for column in GroupCertificate.columns()])
    return Outcome(frame, rejected, rows_in=len(task))


def judge(plan: Any, task_id: str, record: dict[str, Any], world: World, total: int) -> dict[str, Any]:
    """Return {checks, violations, values} of a plan by `ours`: nine checks, and whether its utility is `total`."""
    case = task_case(task_id, record, world.pois, world.fares, world.vocabulary)
    read = read_plan(plan)
    verdict = validity(read, case.facts, OURS)
    utility = group_utility(read, case.entries, case.facts.users, world.pois, OURS)
    violations = [f"{i.check}: {i.kind} on day {i.day} {i.user} {i.detail}".strip() for i in verdict.issues]
    violations += list(read.notes)
    if utility.total != total:
        violations.append(f"utility is {utility.total}, the certificate says {total}")
    checks = [{"check": name, "holds": name not in verdict.failed} for name in CHECKS]
    checks.append({"check": UTILITY_AGREES, "holds": utility.total == total and read.is_plan})
    tables = {user: entry["preference"] for user, entry in record["user_preferences"].items()}
    users = {user: found.total for user, found in sorted(utility.users.items())}
    values = {
        "utility": {
            "total": utility.total,
            "per_participant": utility.per_participant,
            "per_table": utility.per_table,
            "users": users,
            "statement": "proven greatest of all plans that stay together, without compromise",
        },
        "fairness": group_fairness(list(users.values()), OURS),
        "cost": max((found.cost for found in utility.users.values()), default=0.0),
        "conflicts": conflicts(tables),
    }
    return {"checks": checks, "violations": violations, "values": values}


def _rejection(task_id: str, detail: str) -> dict[str, str]:
    return {"row": task_id, "reason": Reason.UNSATISFIABLE.value, "detail": detail}


class _Hashes:
    """Hashes of what tasks rest on: each city and its places, the services of each leg; not where rows come from."""

    def __init__(self, poi: pd.DataFrame, fare: pd.DataFrame, city: pd.DataFrame):
        self._cities = {row["city_id"]: content_hash(row) for row in city.to_dict("records")}
        self._pois = _grouped(poi, ["city_id"])
        self._fares = _grouped(fare, ["origin_city_id", "dest_city_id"])

    def of(self, route: tuple[str, ...]) -> list[str]:
        """Return the hashes of a route's cities and legs."""
        found = [self._cities[key] for key in route] + [self._pois.get((key,), "") for key in route[1:-1]]
        return found + [self._fares.get(leg, "") for leg in pairwise(route)]


def _grouped(rows: pd.DataFrame, by: list[str]) -> dict[tuple[str, ...], str]:
    plain = rows.drop(columns="source_rows").astype(object)
    plain = plain.where(plain.notna(), None)
    entries: dict[tuple[str, ...], list[str]] = {}
    for row in plain.to_dict("records"):
        values = {key: list(map(int, value)) if key == "weekdays" else value for key, value in row.items()}
        entries.setdefault(tuple(str(row[key]) for key in by), []).append(canonical_json(values))
    return {key: content_hash(sorted(texts)) for key, texts in entries.items()}
