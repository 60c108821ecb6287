"""Task, Certificate, LineageEdge and NearestQuery: what a release consists of, the same for every family."""

from __future__ import annotations

from schemas.table import Field, Table


class Task(Table):
    """One task: what is asked, in words and as a record. A family's own task table extends this one."""

    task_id: str = Field("Family, city or region, and slot; kept while the slot lives.", key=True)
    city_id: str = Field("The city, or the cities joined by `+`, that the task is about.")
    slot: int = Field("The task's place in its city's set; its random generator is seeded by it.", ge=0, holds="ours")
    query: str = Field("The request in natural language.", pattern=r"(?s).*\S.*")
    record_json: str = Field("What the request asks for, as the family's record.")
    repairs_json: str = Field("Changes that made the drawn record satisfiable: [{field, from, to}].")
    engine: str = Field("Who worded it: `rules` or the model's name.", holds="ours")
    generation_ids: list[str] = Field("The model calls behind the wording; none where rules worded.")
    content_hash: str = Field("sha256 of query and record: equal content, equal hash.", pattern="[0-9a-f]{64}")


class Certificate(Table):
    """The proof that one task is solvable: a witness plan that an independent checker accepted."""

    task_id: str = Field("The task.", key=True)
    city_id: str = Field("The city, or the cities joined by `+`.")
    witness_json: str = Field("A plan in the family's native format.")
    values_json: str = Field("What was proven or measured of the witness: optima, gaps, statements.")
    checks_json: str = Field("Every check and its verdict: [{check, holds}]; all hold.", holds="ours")
    depends_on: str = Field("Hash of everything the certificate rests on; it is kept while this stays.", holds="ours")


LINEAGE_KINDS = ("row", "rule", "generation", "recipe")


class LineageEdge(Table):
    """Where one value of a task or certificate comes from."""

    task_id: str = Field("The task.", key=True)
    field: str = Field(
        "The value: a column of the task or certificate, with a JSON pointer inside it.", key=True, holds="ours"
    )
    kind: str = Field("What it comes from.", key=True, isin=LINEAGE_KINDS, holds="ours")
    ref: str = Field("`table/key` for a row, the rule's or recipe key's name, or the generation's key.", key=True)


class NearestQuery(Table):
    """How alike one task's query is to published ones and to the others of its set; similarity in percent."""

    task_id: str = Field("The task.", key=True)
    published_similarity: float | None = Field(
        "Similarity to the most similar published query; null where none were given.", ge=0, le=100, holds="derived"
    )
    source_rows: list[str] = Field("Pointer to that published query; none where none were given.")
    other_task_id: str | None = Field("The task with the most similar query; null where there is no other.")
    other_similarity: float | None = Field("Similarity to that task's query.", ge=0, le=100, holds="derived")
