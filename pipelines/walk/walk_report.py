"""What a walk reports as it goes, and what it leaves."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from typing import Literal

from assets.step import Step
from schemas.recipe import RecipeLock
from warehouse.build_records import BuiltStep
from warehouse.tables import TableVersion


@dataclass(frozen=True)
class Event:
    """What happened to one step in one scope (a city, or "" for the recipe); `ahead` is what a walk will come to.

    `worker` is who ran it, empty for the driver itself; a `damaged` record is made again; a `reason` of what is built
    is to be heeded.
    """

    step: str
    scope: str
    status: Literal["ahead", "running", "built", "kept", "blocked", "damaged"]
    seconds: float = 0.0
    rows: int = 0
    rejected: int = 0
    reason: str = ""
    worker: str = ""


@dataclass(frozen=True)
class Blocked:
    """Why a city cannot go on: the step that failed for it, the reason, and whether it is the code's fault."""

    city_id: str
    step: str
    reason: str
    is_fault: bool = False


@dataclass
class WalkResult:
    """What a walk left: the record of each step and scope, and all that blocks a step for a city."""

    records: dict[tuple[str, str], BuiltStep] = field(default_factory=dict)
    blocked: dict[tuple[str, str], tuple[Blocked, ...]] = field(default_factory=dict)
    ran: list[BuiltStep] = field(default_factory=list)
    steps_kept: int = 0

    @property
    def steps_run(self) -> int:
        """Return how many steps ran, each scope counted."""
        return len(self.ran)

    def in_order(self, visits: Iterable[tuple[str, str]]) -> None:
        """Put what was made in the order of the visits: nothing written may depend on which cell ended first."""
        place = {key: number for number, key in enumerate(visits)}
        before = [key for key in self.records if key not in place]
        later = sorted((key for key in self.records if key in place), key=place.__getitem__)
        self.records = {key: self.records[key] for key in (*before, *later)}
        steps = {step: number for number, step in enumerate(dict.fromkeys(step for step, _ in place))}
        ordered = sorted(self.blocked, key=lambda key: (steps.get(key[0], -1), key))
        self.blocked = {key: self.blocked[key] for key in ordered}

    def version(self, step: Step, city_id: str) -> TableVersion:
        """Return the table version of a step that a city's steps read: the city's part, or the undivided whole."""
        built = self.records.get((step.name, city_id)) or self.records[step.name, ""]
        return built.outputs.get(city_id) or built.outputs[""]

    def licences(self, lock: RecipeLock) -> dict[str, list[str]]:
        """Return, by step, the licences of the raw files that it could have read, through the tables that it read."""
        return licences_of(self.records.values(), lock)

    def blocked_of(self, steps: Iterable[str]) -> set[str]:
        """Return the cities for which any of the steps is blocked, whichever city the cause lies in."""
        targets = set(steps)
        return {city_id for step, city_id in self.blocked if step in targets}

    def causes(self, steps: Iterable[str]) -> list[Blocked]:
        """Return the failures that block any of the steps, in order; of several steps for one reason, the first.

        A reason of several lines names a file in each: who tells fewer of them tells nothing else.
        """
        targets = set(steps)
        failures = {cause for key, causes in self.blocked.items() if key[0] in targets for cause in causes}
        first: dict[tuple[str, frozenset[str]], Blocked] = {}
        lines: dict[str, set[frozenset[str]]] = {}
        for failure in sorted(failures, key=lambda b: (b.city_id, b.step)):
            told_lines = frozenset(failure.reason.splitlines())
            first.setdefault((failure.city_id, told_lines), failure)
            lines.setdefault(failure.city_id, set()).add(told_lines)
        return [
            f for (city_id, told_lines), f in first.items() if not any(told_lines < more for more in lines[city_id])
        ]


def licences_of(built_steps: Iterable[BuiltStep], lock: RecipeLock) -> dict[str, list[str]]:
    """Return, by step, the licences of the raw files that records could have read, through the tables they read."""
    files = raw_files(built_steps)
    return {
        step: sorted({s.licence_id for s in lock.snapshots if s.sha256 in hashes}) for step, hashes in files.items()
    }


def raw_files(built_steps: Iterable[BuiltStep]) -> dict[str, set[str]]:
    """Return, by step, the sha256 of every raw file that it could have read, through the tables that it read."""
    raw: dict[str, set[str]] = {}
    tables: dict[str, set[str]] = {}
    for built in built_steps:
        raw.setdefault(built.step, set())
        for name, value in built.inputs.items():
            if isinstance(value, list):
                raw[built.step].update(value)
            else:
                tables.setdefault(built.step, set()).add(name)

    @cache
    def reach(step: str) -> set[str]:
        return raw.get(step, set()).union(*(reach(name) for name in tables.get(step, set())))

    return {step: reach(step) for step in raw}
