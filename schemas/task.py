"""Task, Draft, Certificate, LineageEdge and NearestQuery: what a release consists of, the same for every family.

A family's own tables extend these by its record, plan and proof (`assets.core.tables`).
"""

from __future__ import annotations

from typing import Annotated, TypedDict

from schemas.table import Field, Table


class Edit(TypedDict):
    """One change that made a drawn record satisfiable."""

    field: Annotated[str, Field("Field of the record.", holds="ours")]
    before: Annotated[str, Field("Its value as drawn, as text.", holds="ours")]
    after: Annotated[str, Field("Its value as asked for, as text.", holds="ours")]


class Message(TypedDict):
    """What one person of a conversation says before it begins."""

    role: Annotated[str, Field("Who says it.", holds="ours")]
    content: Annotated[str, Field("What is said.")]


class CheckVerdict(TypedDict):
    """What one check says of a plan."""

    check: Annotated[str, Field("The check's name.", holds="ours")]
    holds: Annotated[bool | None, Field("Whether it holds; null where the record asks nothing of it.", holds="ours")]


class Cell(TypedDict):
    """One cell of a released table."""

    table: Annotated[str, Field("The table; `task` where the cell is another value of the same task.", holds="ours")]
    row: Annotated[str, Field("The row's key, its parts joined by `/`; empty of `task`.")]
    column: Annotated[str, Field("The column; of `task` the value, named as in `field`.", holds="ours")]


class Draft(Table):
    """One slot's record before it is worded, with the plan that shows that it can be met."""

    task_id: str = Field("The task.", key=True)
    city_id: str = Field("The city, or the cities joined by `+`.")
    slot: int = Field("The task's number in its series; its random generator is seeded by its id.", ge=0, holds="ours")
    level: str = Field("Difficulty asked for; empty where the family has none.", holds="ours")
    attempt: int = Field("Draws of this slot that were dropped before.", ge=0, holds="ours")
    repairs: list[Edit] = Field("Changes that made the drawn record satisfiable.", holds="derived")
    generation_ids: list[str] = Field("The model calls behind the record; none where no model was asked.")
    depends_on: str = Field("Hash of everything the plan rests on; it is kept while this stays.", holds="ours")


class Task(Table):
    """One task: what is asked, in words and as a record."""

    task_id: str = Field("Family, city or region, and slot; kept while the slot lives.", key=True)
    city_id: str = Field("The city, or the cities joined by `+`, that the task is about.")
    slot: int = Field("The task's number in its series; its random generator is seeded by its id.", ge=0, holds="ours")
    level: str = Field("Difficulty asked for; empty where the family has none.", holds="ours")
    query: str = Field("The request in natural language.", pattern=r"(?s).*\S.*")
    messages: list[Message] = Field("What the members of a group say first; none for a single traveller.")
    repairs: list[Edit] = Field("Changes that made the drawn record satisfiable.", holds="derived")
    engine: str = Field("Who worded it: `rules` or the model's name.", holds="ours")
    generation_ids: list[str] = Field("The model calls behind the words; none where rules worded.")
    content_hash: str = Field("sha256 of words and record: equal content, equal hash.", pattern="[0-9a-f]{64}")


class Certificate(Table):
    """The proof that one task is solvable: a witness plan that an independent checker accepts."""

    task_id: str = Field("The task.", key=True)
    city_id: str = Field("The city, or the cities joined by `+`.")
    checks: list[CheckVerdict] = Field("Every check and what it says of the plan; none is broken.", holds="ours")
    depends_on: str = Field("Hash of everything the plan rests on; it is kept while this stays.", holds="ours")


LINEAGE_KINDS = ("cells", "choice", "words")
"""What a value is: computed from cells, somebody's choice, or words."""


class LineageEdge(Table):
    """Where one value of a task comes from. A value without an edge of its own has that of what holds it."""

    task_id: str = Field("The task.", key=True)
    field: str = Field(
        "The value: `query`, `messages`, `record`, `repairs`, `drawn`, `plan`, `proof` or `checks`, with a JSON "
        "pointer inside it.",
        key=True,
        holds="ours",
    )
    kind: str = Field("What the value is.", isin=LINEAGE_KINDS, holds="ours")
    by: str = Field(
        "The derivation that makes it of the cells, or the rule by which it was chosen or worded.", holds="ours"
    )
    cells: list[Cell] = Field("What it is computed from, in order; for a choice, what the choice rests on.")
    generation_ids: list[str] = Field("The model calls behind it.")


class NearestQuery(Table):
    """How alike one task's query is to published ones and to the others of its set; similarity in percent."""

    task_id: str = Field("The task.", key=True)
    published_similarity: float | None = Field(
        "Similarity to the most similar published query; null where none were given.", ge=0, le=100, holds="derived"
    )
    source_rows: list[str] = Field("Pointer to that published query; none where none were given.")
    other_task_id: str | None = Field("The task with the most similar query; null where there is no other.")
    other_similarity: float | None = Field("Similarity to that task's query.", ge=0, le=100, holds="derived")
