"""Certificates: each task's witness, solved and then checked apart; kept while what it rests on stays the same."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping, Sequence
from itertools import permutations
from typing import TYPE_CHECKING, Any

from assets.step import Outcome
from assets.tripcraft.reference import Reference
from assets.tripcraft.scoring import PlanScore, score_plan
from assets.tripcraft.solver import LONGEST_DRIVE_MIN, Unsolvable, Witness, solve
from assets.tripcraft.tables import Record
from schemas.rejection import Reason
from schemas.stable import canonical_json, content_hash
from schemas.task import Certificate

if TYPE_CHECKING:
    import pandas as pd


def certificates(
    tasks: pd.DataFrame,
    reference: Reference,
    *,
    matrix_s: Mapping[tuple[str, str], float] | None = None,
    longest_drive_min: int = LONGEST_DRIVE_MIN,
    previous: pd.DataFrame | None = None,
) -> Outcome:
    """Return a certificate for every task that has a witness; the others are rejected with the reasons.

    `tasks` has task_id, city_id and record_json. A task whose record and whose part of the reference are as before
    keeps its certificate without being solved again. Facts: `unproven`, the tasks given up before every possibility
    was tried.
    """
    import pandas as pd

    kept = {row["task_id"]: row for row in previous.to_dict("records")} if previous is not None else {}
    ground = Ground(reference, matrix_s or {}, longest_drive_min)
    rows: list[dict[str, Any]] = []
    rejected: list[dict[str, str]] = []
    unproven: list[str] = []
    for task in tasks.sort_values("task_id").to_dict("records"):
        task_id, record = task["task_id"], json.loads(task["record_json"])
        depends_on = ground.depends_on(task_id, record)
        before = kept.get(task_id)
        if before is not None and before["depends_on"] == depends_on:
            rows.append({str(key): value for key, value in before.items()})
            continue
        witness = solve(record, reference, task_id=task_id, matrix_s=matrix_s, longest_drive_min=longest_drive_min)
        if isinstance(witness, Unsolvable):
            rejected.append(_rejection(task_id, witness.reasons))
            unproven += [] if witness.is_proven else [task_id]
            continue
        score = score_plan(record, witness.plan, reference)
        failures = failed_checks(score)
        if failures:
            rejected.append(_rejection(task_id, [f"the checker does not accept the witness: {', '.join(failures)}"]))
            continue
        rows.append(
            {
                "task_id": task_id,
                "city_id": task["city_id"],
                "witness_json": json.dumps(witness.plan, ensure_ascii=False, separators=(",", ":")),
                "values_json": canonical_json(values_of(witness, score, record)),
                "checks_json": canonical_json(checks_of(score)),
                "depends_on": depends_on,
            }
        )
    frame = pd.DataFrame(rows, columns=[column.name for column in Certificate.columns()])
    return Outcome(frame, rejected, rows_in=len(tasks), facts={"unproven": unproven})


def values_of(witness: Witness, score: PlanScore, record: Record) -> dict[str, Any]:
    """Return what is known of a witness: its parts, its remark, its metrics (null where undefined) and its money.

    `ordering` compares a plan with the gold plan, which the witness is: null here.
    """
    cost = score.cost or 0
    return {
        **witness.values,
        "remark": witness.remark,
        "metrics": {name: None if value is None else round(value, 9) for name, value in (score.metrics or {}).items()},
        "cost": cost,
        "budget_slack": record["budget"] - cost,
    }


def checks_of(score: PlanScore) -> list[dict[str, Any]]:
    """Return the seventeen verdicts of the checker; `holds` is null where the record asks for nothing."""
    results = {**(score.commonsense or {}), **(score.hard or {})}
    return [{"check": name, "holds": result.holds} for name, result in results.items()]


def failed_checks(score: PlanScore) -> list[str]:
    """Return the checks that a witness does not pass; empty means certified."""
    if not score.delivered:
        return ["delivery"]
    return score.failed() or ([] if score.hard is not None else ["gate"])


class Ground:
    """What certificates rest on, hashed: the same hash, the same witness."""

    def __init__(self, reference: Reference, matrix_s: Mapping[tuple[str, str], float], longest_drive_min: int) -> None:
        """Keep the reference; each city is hashed once, when it is first needed."""
        self._reference = reference
        self._longest_drive_min = longest_drive_min
        self._cities: dict[str, str] = {}
        self._ways: dict[str, list[tuple[str, float]]] = {}
        for (origin, dest), seconds in sorted(matrix_s.items()):
            self._ways.setdefault(origin, []).append((dest, seconds))

    def depends_on(self, task_id: str, record: Record) -> str:
        """Return the hash of the task's id, its record and the part of the reference that its witness may use."""
        reference = self._reference
        origin, dest = record["origin_city_id"], record["dest_city_id"]
        cities = [dest] if dest is not None else reference.cities_in(record["dest_region"], record["dest_country"])
        legs = [(origin, city, record["dates"][0]) for city in cities]
        legs += [(city, origin, record["dates"][-1]) for city in cities]
        legs += [(a, b, date) for a, b in permutations(cities, 2) for date in record["dates"][2:-1:2]]
        ways = [
            [
                _plain(reference.drive(a, b)),
                [[_plain(same) for same in reference.flight(f.flight_number)] for f in flights],
            ]
            for a, b, date in legs
            for flights in [reference.flights_between(a, b, date)]
        ]
        places = [self._city(city) for city in cities]
        rates = dataclasses.asdict(reference.car_rates)
        ends = [_plain(reference.cities[city]) for city in (origin, *cities)]
        return content_hash([task_id, record, ends, places, ways, rates, self._longest_drive_min, reference.currency])

    def _city(self, city_id: str) -> str:
        if city_id not in self._cities:
            reference = self._reference
            places = [
                *reference.restaurants_in(city_id),
                *reference.attractions_in(city_id),
                *reference.stays_in(city_id),
            ]
            self._cities[city_id] = content_hash(
                [
                    [[_plain(p), _plain(reference.stop(p.place_id)), self._ways.get(p.place_id, [])] for p in places],
                    [_plain(event) for event in reference.events_in(city_id)],
                ]
            )
        return self._cities[city_id]


def _plain(found: Any) -> Any:
    return None if found is None else dataclasses.asdict(found)


def _rejection(task_id: str, reasons: Sequence[str]) -> dict[str, str]:
    return {"row": task_id, "reason": Reason.UNSATISFIABLE.value, "detail": "; ".join(reasons)}
