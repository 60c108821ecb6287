"""What a walk made, as a release takes it: rows of several cities as one table, model calls, inputs, accounting."""

from __future__ import annotations

import json
import platform
import subprocess
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from assets.families import all_steps
from assets.family import Family
from assets.release.origins import Origins
from pipelines.walk.cell import DETAIL_CHARACTERS
from pipelines.walk.fingerprint import ROOT
from pipelines.walk.recipes import LoadedRecipe
from pipelines.walk.walk_report import raw_files
from schemas.errors import ExpectedError
from schemas.generation import Generation
from schemas.recipe import City, RecipeLock
from schemas.table import Table
from warehouse.build_records import BuiltStep
from warehouse.home import Home
from warehouse.tables import TableVersion

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

    from assets.step import Step


class ReleaseError(ExpectedError):
    """A release would be less than its recipe asks for, or break a promise; says what is missing and why."""


class TooFewTasksError(ReleaseError):
    """The cities carry fewer certified tasks than the recipe asks for."""


class NoTaskError(TooFewTasksError):
    """The cities carry not one certified task of those that the recipe asks for."""


class SeveralRefusedError(ReleaseError):
    """Several families of a recipe are not released; `errors` says each why not."""

    def __init__(self, errors: Sequence[ExpectedError]) -> None:
        super().__init__("\n".join(map(str, errors)))
        self.errors = errors


def advice(counts: dict[str, Any]) -> str:
    """Return what to do for more tasks; where a model gave no words, building again asks nothing: answers are kept."""
    if counts["unanswered"]:
        return (
            "`tripwright ledger --export FILE` shows what the model answered; build with another model, or make the "
            "ledger forget what could not be used (`tripwright ledger --prune-unusable`) to ask this one again."
        )
    return "Ask for fewer tasks, or for what the cities have, or bind more source files."


def whole_reasons(detail: str) -> str:
    """Return a rejection's reasons; where they were cut (`DETAIL_CHARACTERS`), those that are whole."""
    return detail if len(detail) < DETAIL_CHARACTERS else f"{detail.rpartition('; ')[0] or detail}; …"


def scopes(step: Step, cities: list[City]) -> list[str]:
    """Return the scopes that a step runs for: the recipe, or each city."""
    return [""] if step.per == "recipe" else [c.city_id for c in cities]


def rows_as_read(home: Home, family: Family, table: type[Table], version: TableVersion) -> pd.DataFrame | pa.Table:
    """Return a kept table as the family reads it."""
    if table in family.arrow:
        return home.tables.read(version, table.columns_without_sources(), table.repeated_texts())
    return table.frame(home.tables.read(version))


def generations(home: Home, loaded: LoadedRecipe, built_steps: list[BuiltStep]) -> TableVersion:
    """Return every model call that the steps' rows rest on. Raises ReleaseError if revisions of a model are mixed."""
    import pyarrow as pa

    parts = [home.tables.read(version) for version in dict.fromkeys(b.generations for b in built_steps) if version]
    rows = {row["generation_id"]: row for part in parts for row in part.to_pylist()}
    revisions = sorted({(row["model"], row["revision"]) for row in rows.values()})
    endpoint = loaded.recipe.engines.openai
    if len(revisions) > len({model for model, _ in revisions}) and not (endpoint and endpoint.allow_mixed_revisions):
        names = ", ".join(f"{revision} of {model}" for model, revision in revisions)
        raise ReleaseError(
            f"the answers come from several revisions of one model: {names}. Set allow_mixed_revisions = true, or "
            "`tripwright ledger --prune REVISION` and build again to have one revision answer everything."
        )
    return home.tables.write(Generation, pa.Table.from_pylist(list(rows.values()), schema=Generation.arrow_schema()))


def inputs_of(lock: RecipeLock, built_steps: list[BuiltStep]) -> list[Any]:
    """Return the snapshots that the steps read, in the lock's order."""
    role_hashes = {
        (name, sha256)
        for built in built_steps
        for name, value in built.inputs.items()
        if isinstance(value, list)
        for sha256 in value
    }
    return [s for s in lock.snapshots if (f"{s.source}.{s.role}", s.sha256) in role_hashes]


def origins_of(home: Home, lock: RecipeLock, family: Family, built_steps: list[BuiltStep]) -> Origins:
    """Return which raw files each step could have read, through the tables that it read, and what its calls are of."""
    calls: dict[str, set[str]] = {}
    for built in built_steps:
        if built.generations:
            for call in home.tables.read(built.generations)["generation_id"].to_pylist():
                calls.setdefault(call, set()).add(built.step)
    return Origins(inputs_of(lock, built_steps), raw_files(built_steps), calls, all_steps([family]))


def accounting(home: Home, steps: list[Step], built_steps: list[BuiltStep]) -> list[dict[str, Any]]:
    """Return what each step's runs say of their rows; those that came out are counted in the tables themselves."""
    entries = []
    for step in steps:
        runs = [b.accounting for b in built_steps if b.step == step.name]
        outputs = {version for b in built_steps if b.step == step.name for version in b.outputs.values()}
        rejected: dict[str, int] = {}
        for run in runs:
            for reason, count in run.rejected.items():
                rejected[reason] = rejected.get(reason, 0) + count
        counted = [run.rows_in for run in runs if run.rows_in is not None]
        entries.append(
            {
                "step": step.name,
                "rows_in": sum(counted) if counted else None,
                "rows_out": sum(home.tables.count(version) for version in outputs),
                "merged": sum(run.merged for run in runs),
                "rejected": dict(sorted(rejected.items())),
            }
        )
    return entries


def facts(built_steps: list[BuiltStep]) -> dict[str, Any]:
    """Return what steps found beside their rows, by step and scope."""
    facts: dict[str, Any] = {}
    for built in built_steps:
        facts.setdefault(built.step, {})[built.scope] = built.facts
    return facts


def code_of(built_steps: list[BuiltStep]) -> dict[str, str]:
    """Return the hash of each step's code."""
    return {built.step: built.code for built in sorted(built_steps, key=lambda b: b.step)}


def build_record(built_steps: list[BuiltStep]) -> bytes:
    """Return what is worth knowing of this very build: the code's revision, the machine, how long each step took."""
    git = subprocess.run(["git", "-C", str(ROOT), "rev-parse", "HEAD"], capture_output=True, text=True, check=False)  # noqa: S603, S607
    record = {
        "code_revision": git.stdout.strip() or None,
        "python": platform.python_version(),
        "system": platform.platform(),
        "code": code_of(built_steps),
        "seconds": {f"{b.step}/{b.scope or 'recipe'}": b.seconds for b in built_steps},
    }
    return (json.dumps(record, indent=1) + "\n").encode()
