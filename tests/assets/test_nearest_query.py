"""Queries beside published ones and beside each other, against the obvious slow way; and the check that they differ."""

from __future__ import annotations

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz import fuzz

from assets.language.nearest_query import nearest_queries, nearest_texts, no_query_repeats_a_published_one, repetition
from schemas.source import SourceError

TEXTS = st.lists(st.text("abC ", max_size=6), max_size=6)
PUBLISHED = [
    {"index": 7, "query": "Two cheap days of art, please"},
    {"index": 8, "query": "FOUR DAYS OF FOOD"},
    {"index": 9},
]


def tasks(*queries):
    return pd.DataFrame([{"task_id": f"t{n}", "query": query} for n, query in enumerate(queries)])


@given(TEXTS, TEXTS)
def test_nearest_is_the_first_of_the_most_similar(texts, others):
    for found, text in zip(nearest_texts(texts, others), texts, strict=True):
        ratios = [fuzz.ratio(text.casefold(), other.casefold()) for other in others]
        assert found == ((ratios.index(max(ratios)), round(max(ratios), 2)) if others else None)


@given(TEXTS)
def test_no_text_is_its_own_nearest(texts):
    for n, (found, text) in enumerate(zip(nearest_texts(texts), texts, strict=True)):
        ratios = [-1 if m == n else fuzz.ratio(text.casefold(), other.casefold()) for m, other in enumerate(texts)]
        assert found == ((ratios.index(max(ratios)), round(max(ratios), 2)) if len(texts) > 1 else None)


def test_blocks_are_joined(monkeypatch):
    texts = [f"query number {n * n}" for n in range(7)]
    whole = nearest_texts(texts)
    monkeypatch.setattr("assets.language.nearest_query._BLOCK", 3)
    assert nearest_texts(texts) == whole


def test_each_task_has_its_nearest_published_query_and_its_nearest_other_task(raw_file):
    file = raw_file("published_queries", "queries", PUBLISHED)
    made = nearest_queries(tasks("Four days of food", "Four days of food!", "Sun"), [file])
    rows = made.rows.to_dict("records")
    assert [(row["other_task_id"], row["published_similarity"]) for row in rows[:2]] == [("t1", 100), ("t0", 97.14)]
    assert rows[0]["source_rows"] == [file.snapshot.pointer(2)]
    assert isinstance(made.rejections, list)
    assert [(r["row"], r["reason"]) for r in made.rejections] == [(file.snapshot.pointer(3), "bad_value")]
    verdict = no_query_repeats_a_published_one(made.rows)
    assert (verdict.holds, verdict.finding) == (
        False, "2 of 3 queries are 92 % or more like a published one, among them t0",
    )  # fmt: skip
    beside, own = repetition(made.rows)
    assert (beside["queries"], beside["most"], beside["share_from_90"]) == (3, 100, pytest.approx(2 / 3))
    assert (own["median"], own["queries"]) == (97.14, 3)


def test_without_published_queries_nothing_is_compared_and_nothing_repeats():
    made = nearest_queries(tasks("Four days of food"), [])
    (row,) = made.rows.to_dict("records")
    assert (row["published_similarity"], row["source_rows"], row["other_task_id"]) == (None, [], None)
    assert no_query_repeats_a_published_one(made.rows).holds
    assert {found["median"] for found in repetition(made.rows)} == {"not compared"}


def test_a_file_without_queries_is_refused(raw_file):
    with pytest.raises(SourceError, match="expected published queries"):
        nearest_queries(tasks("Four days"), [raw_file("published_queries", "queries", [{"text": "Four days"}])])
