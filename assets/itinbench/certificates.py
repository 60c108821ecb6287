"""Certificates: each task's witness, solved and then checked apart; kept while what it rests on stays the same."""

from __future__ import annotations

import json
from typing import Any

import pandas as pd

from assets.itinbench.checks.certify import Checker
from assets.itinbench.solver import Unsolvable, cluster_map, matching, solve_from
from assets.itinbench.tables import ItinbenchCertificate
from assets.step import Outcome
from schemas.rejection import Reason
from schemas.stable import canonical_json, content_hash


def certificates(task: pd.DataFrame, pool: pd.DataFrame, *, previous: pd.DataFrame | None) -> Outcome:
    """Return a certificate for every task that has a witness; the others are rejected with what the checker says.

    A task whose record and matching places are as before keeps its certificate without being solved again.
    """
    kept = {row["task_id"]: row for row in previous.to_dict("records")} if previous is not None else {}
    hashes = _place_hashes(pool)
    checker: Checker | None = None
    rows, rejected, reused = [], [], 0
    for found in task.to_dict("records"):
        record = json.loads(found["record_json"])
        pools = matching(pool, record)
        depends_on = _depends_on(found["task_id"], record, pools, hashes)
        before = kept.get(found["task_id"])
        if before is not None and before["depends_on"] == depends_on:
            rows.append(before)
            reused += 1
            continue
        checker = checker or Checker(pool)
        witness = solve_from(record, pools, task_id=found["task_id"])
        if isinstance(witness, Unsolvable):
            rejected.append(_rejection(found["task_id"], witness.reason))
            continue
        checks = checker.checks(witness.plan, record)
        if not all(check["holds"] for check in checks):
            rejected.append(_rejection(found["task_id"], "; ".join(checker.violations(witness.plan, record))))
            continue
        rows.append(
            {
                "task_id": found["task_id"],
                "city_id": found["city_id"],
                "witness_json": json.dumps(witness.plan, ensure_ascii=False, separators=(",", ":")),
                "values_json": canonical_json(
                    {**witness.values, "clusters": cluster_map(pd.concat(list(pools.values())))}
                ),
                "checks_json": canonical_json(checks),
                "depends_on": depends_on,
            }
        )
    frame = pd.DataFrame(rows, columns=[column.name for column in ItinbenchCertificate.columns()])
    return Outcome(frame, rejected, rows_in=len(task))


def unsolvable(task: pd.DataFrame, places: pd.DataFrame) -> dict[str, str]:
    """Return, for every task of which the places allow no witness, the reason."""
    found = {}
    pools = {str(city_id): pool for city_id, pool in places.groupby("city_id")}
    for row in task.to_dict("records"):
        record, pool = json.loads(row["record_json"]), pools.get(row["city_id"], places.iloc[:0])
        witness = solve_from(record, matching(pool, record), task_id=row["task_id"])
        if isinstance(witness, Unsolvable):
            found[row["task_id"]] = witness.reason
    return found


def _rejection(task_id: str, detail: str) -> dict[str, str]:
    return {"row": task_id, "reason": Reason.UNSATISFIABLE.value, "detail": detail}


def _place_hashes(pool: pd.DataFrame) -> dict[tuple[str, str], str]:
    """Return a hash of every pool row, its provenance left out: the same place read from other bytes is the same."""
    plain = pool.drop(columns="source_rows").astype(object)
    plain = plain.where(plain.notna(), None)
    return {(row["place_id"], row["kind"]): content_hash(row) for row in plain.to_dict("records")}


def _depends_on(task_id: str, record: Any, pools: dict[str, pd.DataFrame], hashes: dict[tuple[str, str], str]) -> str:
    candidates = sorted(
        hashes[place_id, kind]
        for rows in pools.values()
        for place_id, kind in zip(rows["place_id"], rows["kind"], strict=True)
    )
    return content_hash([task_id, record, candidates])
