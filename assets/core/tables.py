"""The tables that the core makes for every family: drafts, tasks, certificates, lineage, nearest queries."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

from schemas.table import Field, Table
from schemas.task import Certificate, Draft, LineageEdge, NearestQuery, Task


@dataclass(frozen=True)
class FamilyTables:
    """One family's tables."""

    draft: type[Draft]
    task: type[Task]
    certificate: type[Certificate]
    lineage: type[LineageEdge]
    nearest: type[NearestQuery]


@cache
def family_tables(name: str, title: str, record: Any, drawn: Any, plan: Any, proof: Any) -> FamilyTables:
    """Return the tables of a family, named after it, with its record, its draw, its plan and its proof as columns."""
    asks = Field("What the request asks for.", holds="derived")
    how = Field("How the record was drawn.", holds="derived")
    witness = Field("A plan in the family's native form.")
    finding = Field("What was proven or measured of the plan.")

    def table(base: type[Table], suffix: str, doc: str, **columns: tuple[Any, Any]) -> Any:
        body = {column: constraint for column, (_, constraint) in columns.items()}
        hints = {column: hint for column, (hint, _) in columns.items()}
        kind = "".join(part.capitalize() for part in (*name.split("_"), *suffix.split("_")))
        return type(kind, (base,), {**body, "__annotations__": hints, "__module__": __name__, "__doc__": doc})

    return FamilyTables(
        draft=table(
            Draft, "draft", f"One slot's record of {title} with its plan, before it is put into words.",
            record=(record, asks), drawn=(drawn, how), plan=(plan, witness), proof=(proof, finding),
        ),
        task=table(Task, "task", f"One task of {title}: words and record.", record=(record, asks), drawn=(drawn, how)),
        certificate=table(
            Certificate, "certificate", f"The witness of one task of {title}, accepted by the checker.",
            plan=(plan, witness), proof=(proof, finding),
        ),
        lineage=table(LineageEdge, "lineage", f"Where each value of a task of {title} comes from."),
        nearest=table(
            NearestQuery, "nearest_query",
            f"How alike a query of {title} is to published ones and to the others of its set; in percent.",
        ),
    )  # fmt: skip
