"""What was built from what: the record of each step that ran, found again by its fingerprint."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import asdict, dataclass, field
from typing import Any

from schemas.counts import counted
from warehouse.store import Store
from warehouse.tables import TableVersion


@dataclass(frozen=True)
class Accounting:
    """The row accounting of a step: rows in = rows out + rejected + merged."""

    rows_in: int | None
    rows_out: int
    rejected: dict[str, int]
    merged: int

    def problem(self) -> str | None:
        """Return what does not add up, or None; a step that makes rows of its own (`rows_in` None) adds nothing up."""
        dropped = sum(self.rejected.values())
        if self.rows_in is None or self.rows_in == self.rows_out + dropped + self.merged:
            return None
        return f"{counted(self.rows_in, 'row')} in, but {self.rows_out} out + {dropped} rejected + {self.merged} merged"


@dataclass(frozen=True)
class BuiltStep:
    """One run of a step: what it was made from, what it made, what was dropped and found.

    `outputs` holds a table version for each city, or under "" for a step whose table is not split by city;
    `generations` the model calls that they rest on, None where no model was asked; `keeps` is the hash of the code by
    which its rows may be kept when it runs again.
    """

    step: str
    scope: str
    fingerprint: str
    code: str
    inputs: dict[str, Any]
    outputs: dict[str, TableVersion]
    rejections: TableVersion
    accounting: Accounting
    facts: dict[str, Any]
    verdicts: list[dict[str, Any]]
    seconds: float = field(compare=False)
    generations: TableVersion | None = None
    keeps: str = ""

    @property
    def failed_checks(self) -> list[dict[str, Any]]:
        """Return the verdicts that do not hold."""
        return [verdict for verdict in self.verdicts if not verdict["holds"]]

    @property
    def failure(self) -> str:
        """Return what the failed checks found, and why the step left rows out, which may be why; "" if all hold."""
        findings = "; ".join(f"{verdict['check']}: {verdict['found']}" for verdict in self.failed_checks)
        rejected, rows_in = self.accounting.rejected, self.accounting.rows_in
        if not findings or not rejected:
            return findings
        reasons = ", ".join(f"{count:,} as {reason}" for reason, count in sorted(rejected.items()))
        subject = f"Of {counted(rows_in, 'row')} that {self.step} read, it" if rows_in is not None else self.step
        return f"{findings.removesuffix('.')}. {subject} left out {reasons}."


class BuiltSteps:
    """The records of a store, by fingerprint, and the newest of each step and scope of a recipe.

    A record carries the hash of what it says. One that is torn or was changed is as if never made, so that its step
    runs again; `damaged` names those that were met.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self.damaged: list[str] = []

    def find(self, fingerprint: str) -> BuiltStep | None:
        """Return the record of the run with this fingerprint, if it and all it made are still here."""
        key = _record(fingerprint)
        data = self._store.read_if_there(key)
        if data is None:
            return None
        built = _record_in(data)
        if built is None or built.fingerprint != fingerprint:
            self.damaged.append(key)
            return None
        beside = [v for v in (built.rejections, built.generations) if v is not None]
        is_complete = all(self._store.exists(v.key) for v in [*built.outputs.values(), *beside])
        return built if is_complete else None

    def load(self, key: str) -> BuiltStep | None:
        """Return the record under a key, None if there is none or it is not as it was written."""
        data = self._store.read_if_there(key)
        return _record_in(data) if data is not None else None

    def add(self, built: BuiltStep) -> None:
        """Keep a record, the order of its facts included, unless there is one that says the same.

        Its tables must already be in the store.
        """
        fields = json.loads(json.dumps(asdict(built)))
        data = json.dumps({"seal": seal_of(fields), "record": fields}).encode()
        key = _record(built.fingerprint)
        if not self._store.put_new(key, data) and not self._is_as_good(key, built):
            self._store.put(key, data, synced=False)

    def _is_as_good(self, key: str, built: BuiltStep) -> bool:
        """Return whether the record that is there says the same: another process ran the same cell."""
        before = self.load(key)
        return before is not None and before.outputs == built.outputs and before.rejections == built.rejections

    def latest(self, recipe: str, step: str, scope: str) -> BuiltStep | None:
        """Return the last record that a recipe's step left for a scope, whatever its fingerprint."""
        key = _latest(recipe, step, scope)
        fingerprint = (self._store.read_if_there(key) or b"").decode(errors="replace")
        return self.find(fingerprint) if re.fullmatch("[0-9a-f]{64}", fingerprint) else None

    def set_latest(self, recipe: str, built: BuiltStep) -> None:
        """Note the record as the newest of its step and scope."""
        key, fingerprint = _latest(recipe, built.step, built.scope), built.fingerprint.encode()
        if self._store.read_if_there(key) != fingerprint:
            self._store.put(key, fingerprint, synced=False)


def _record(fingerprint: str) -> str:
    return f"built/{fingerprint[:2]}/{fingerprint}.json"


def _latest(recipe: str, step: str, scope: str) -> str:
    return f"latest/{recipe}/{step}/{scope or 'recipe'}"


def _record_in(data: bytes) -> BuiltStep | None:
    try:
        sealed = json.loads(data)
        seal, fields = sealed["seal"], sealed["record"]
        return _step(fields) if seal == seal_of(fields) else None
    except (ValueError, KeyError, TypeError):
        return None


def seal_of(content: Any) -> str:
    """Return the hash of what a record says, the order of its keys included."""
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()


def _step(fields: dict[str, Any]) -> BuiltStep:
    fields["outputs"] = {part: TableVersion(**v) for part, v in fields["outputs"].items()}
    fields["rejections"] = TableVersion(**fields["rejections"])
    if fields.get("generations"):
        fields["generations"] = TableVersion(**fields["generations"])
    fields["accounting"] = Accounting(**fields["accounting"])
    return BuiltStep(**fields)
