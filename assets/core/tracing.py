"""Lineage: where each value of a task comes from, as its family tells it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate, chain
from typing import TYPE_CHECKING, Any

from assets.core.drafting import Uses
from assets.core.worlds import task_views
from assets.family import Origin
from assets.step import Outcome

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa


def lineage(task: pd.DataFrame, certificate: pd.DataFrame, *, uses: Uses, world: Any) -> Outcome:
    """Return one edge a value, or a value that holds others, of every certified task."""
    import pyarrow as pa

    origins, task_ids = list[Origin](), list[str]()
    for view in task_views(task, certificate):
        task_origins = list(uses["trace"](view, world))
        origins += task_origins
        task_ids += [view.task_id] * len(task_origins)
    rows = {
        "task_id": _texts(task_ids),
        "field": _texts(origin.field for origin in origins),
        "kind": _texts(origin.kind for origin in origins),
        "by": _texts(origin.by for origin in origins),
        "cells": _lists([origin.cells for origin in origins], _cells),
        "generation_ids": _lists([origin.generation_ids for origin in origins], _texts),
    }
    return Outcome(pa.table(rows), rows_in=None)


def _lists(listed: Sequence[Sequence[Any]], to_array: Callable[[Iterable[Any]], pa.Array]) -> pa.Array:
    """Return lists as Arrow keeps them, their items one after the other; made row by row they take twice as long."""
    import pyarrow as pa

    ends = list(accumulate(map(len, listed), initial=0))
    return pa.ListArray.from_arrays(pa.array(ends, pa.int32()), to_array(chain.from_iterable(listed)))


def _texts(texts: Iterable[str]) -> pa.Array:
    import pyarrow as pa

    return pa.array(list(texts), pa.string())


def _cells(cells: Iterable[tuple[str, str, str]]) -> pa.Array:
    import pyarrow as pa

    names = ["table", "row", "column"]
    parts = list(zip(*cells, strict=True)) or [() for _ in names]
    return pa.StructArray.from_arrays([_texts(part) for part in parts], names)
