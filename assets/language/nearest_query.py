"""Which queries repeat one another: each of a set beside the published ones, and beside the others of its own set.

Similarity is rapidfuzz's ratio of the casefolded texts (1 less the indel distance over both lengths), in percent.
"""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from assets.language.diversity import NEAR_DUPLICATE
from assets.step import Outcome, RawFile, Verdict
from schemas.counts import counted
from schemas.task import NearestQuery

if TYPE_CHECKING:
    import pandas as pd

ALIKE = 90.0
"""Similarity from which the shares that a release prints count a query."""

_BLOCK = 500
"""Queries compared at a time: the table of similarities of a block is held in memory."""

Nearest = tuple[int, float]
"""The position of the most similar text, the first of equals, and the similarity, 0 to 100."""


def nearest_texts(texts: Sequence[str], others: Sequence[str] | None = None) -> list[Nearest | None]:
    """Return, for each text, the most similar of the others, or of the texts but itself; None where there is none."""
    import numpy as np
    from rapidfuzz import fuzz, process

    folded_texts, folded_others = (
        [text.casefold() for text in some] for some in (texts, texts if others is None else others)
    )
    if len(folded_others) < (2 if others is None else 1):
        return [None] * len(folded_texts)
    neighbours: list[Nearest | None] = []
    for low in range(0, len(folded_texts), _BLOCK):
        block = process.cdist(folded_texts[low : low + _BLOCK], folded_others, scorer=fuzz.ratio, dtype=np.float64)
        if others is None:
            rows = np.arange(len(block))
            block[rows, low + rows] = -1
        best = block.argmax(axis=1)
        neighbours += [(int(at), round(float(row[at]), 2)) for at, row in zip(best, block, strict=True)]
    return neighbours


def nearest_queries(task: pd.DataFrame, *files: Sequence[RawFile]) -> Outcome:
    """Return each task's most similar published query, where files hold any, and most similar other task."""
    import pandas as pd

    from sources.published.queries import read_queries

    rejected: list[dict[str, str]] = []
    published = [query for bound in files for file in bound for query in read_queries(file, rejected)]
    task = task.sort_values("task_id")
    ids, texts = task["task_id"].tolist(), task["query"].tolist()
    rows = []
    pairs = zip(ids, nearest_texts(texts, [query.text for query in published]), nearest_texts(texts), strict=True)
    for task_id, nearest_published, nearest_other in pairs:
        rows.append(
            {
                "task_id": task_id,
                "published_similarity": nearest_published[1] if nearest_published else None,
                "source_rows": [published[nearest_published[0]].pointer] if nearest_published else [],
                "other_task_id": ids[nearest_other[0]] if nearest_other else None,
                "other_similarity": nearest_other[1] if nearest_other else None,
            }
        )
    frame = pd.DataFrame(rows, columns=[column.name for column in NearestQuery.columns()])
    return Outcome(frame, rejected, facts={"published_queries": len(published)})


def no_query_repeats_a_published_one(nearest: pd.DataFrame) -> Verdict:
    """A model may have read the published queries: one that repeats them nearly word for word tests its memory."""
    similarities = nearest["published_similarity"].dropna()
    repeating = nearest.loc[similarities.index[similarities >= NEAR_DUPLICATE], "task_id"].tolist()
    what = f", among them {repeating[0]}" if repeating else ""
    finding = (
        f"{len(repeating)} of {counted(len(similarities), 'query', 'queries')} are {NEAR_DUPLICATE:g} % or more like "
        f"a published one{what}"
    )
    return Verdict(not repeating, finding)


def repetition(nearest: pd.DataFrame) -> list[dict[str, Any]]:
    """Return how alike the queries are to published ones and to the set's others, in percent, and the share from 90."""
    rows = []
    for beside, column in (("a published query", "published_similarity"), ("another task", "other_similarity")):
        similarities = [float(value) for value in nearest[column].dropna()]
        rows.append(
            {
                "nearest": beside,
                "queries": len(similarities),
                "median": round(statistics.median(similarities), 2) if similarities else "not compared",
                "most": max(similarities) if similarities else "not compared",
                "share_from_90": sum(v >= ALIKE for v in similarities) / len(similarities)
                if similarities
                else "not compared",
            }
        )
    return rows


def repeating(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return, in words, how many of a release's queries repeat others, of what `repetition` measured; empty if none."""
    return [
        f"{round(row['share_from_90'] * row['queries'])} of {row['queries']} queries are {ALIKE:g} % or more like "
        f"{row['nearest']}"
        for row in rows
        if isinstance(row["share_from_90"], float) and row["share_from_90"] > 0
    ]
