"""Where values are said to come from, said again: a family tells it of a task, its witness and the world alone.

The gate judges each edge. Of what is chosen by a rule it knows no more than that such a rule is declared.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from assets.core.tracing import lineage
from assets.core.worlds import world_for, worlds_of
from assets.family import Family
from assets.named import load
from assets.release.audit_differences import OTHERWISE
from assets.release.reading import OpenedRelease
from assets.rows import ReleaseTables
from schemas.counts import counted

if TYPE_CHECKING:
    import pyarrow as pa

TASKS_AT_ONCE = 100
"""Tasks whose edges are held twice: a task of a group has thousands."""


def lineage_otherwise(release: OpenedRelease, family: Family, tables: ReleaseTables) -> Iterator[str]:
    """Yield the tasks whose lineage is another than their family tells of them."""
    import pyarrow as pa
    import pyarrow.compute as pc

    worlds, trace, table = worlds_of(family, tables), load(family.trace), family.tables.lineage
    stated = release.rows("lineage")
    for city_id, tasks in tables.tasks.groupby("city_id") if family.per == "city" else [("", tables.tasks)]:
        for first in range(0, len(tasks), TASKS_AT_ONCE):
            some = tasks.iloc[first : first + TASKS_AT_ONCE]
            ids = pa.array(some["task_id"].tolist(), pa.string())
            try:
                world = world_for(worlds, family, str(city_id))
                outcome = lineage(some, tables.certificates, uses={"trace": trace}, world=world)
            except Exception as error:  # the family's own function, of tasks and a world that may be edited
                yield f"lineage.parquet: cannot be told again: {type(error).__name__}: {error}: {OTHERWISE}"
                return
            own_edges = stated.filter(pc.call_function("is_in", [stated["task_id"]], pc.SetLookupOptions(ids)))
            yield from _differences(
                *(
                    table.arrow(rows).sort_by([(n, "ascending") for n in table.key()])
                    for rows in (own_edges, outcome.rows)
                )
            )


def _differences(stated: pa.Table, expected: pa.Table) -> Iterator[str]:
    """Yield how many values of each task two lineages tell otherwise, with the first of them."""
    if stated.equals(expected):
        return
    by_key: list[dict[tuple[str, str], Any]] = [
        {(row["task_id"], row["field"]): row for row in rows.to_pylist()} for rows in (stated, expected)
    ]
    wrong = sorted(key for key in {*by_key[0], *by_key[1]} if by_key[0].get(key) != by_key[1].get(key))
    first_fields = dict(reversed(wrong))
    for task_id, count in Counter(task_id for task_id, _ in wrong).items():
        yield (
            f"{task_id}: the lineage of {counted(count, 'value')} is not what is told of them, as of "
            f"{first_fields[task_id]}: {OTHERWISE}"
        )
