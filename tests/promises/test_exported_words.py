"""What a planner is told stands in the exported files as it is: the query, and the messages."""

from __future__ import annotations

import json

import pandas as pd
import pytest

from assets.promises.faithful import not_exported
from assets.rows import ReleaseTables

QUERIES = ['We say "two days".', "Zwei Tage, ä", "Two\nlines"]
SAID = ["At most 30 USD.", "„Wurst“"]


def tables() -> ReleaseTables:
    messages = [[{"role": "user", "content": text} for text in SAID[:number]] for number in range(3)]
    return ReleaseTables({"tasks": pd.DataFrame({"task_id": ["a", "b", "c"], "query": QUERIES, "messages": messages})})


def exported(*texts: str, is_ascii: bool = False) -> dict[str, bytes]:
    return {"rows.jsonl": "\n".join(json.dumps(text, ensure_ascii=is_ascii) for text in texts).encode(), "n.csv": b"1"}


@pytest.mark.parametrize("is_ascii", [True, False])
@pytest.mark.parametrize("texts", [[*QUERIES, *SAID], [*SAID, *QUERIES[::-1]]])
def test_words_may_stand_in_any_order_and_be_written_either_way(texts, is_ascii):
    assert not_exported(tables(), exported(*texts, is_ascii=is_ascii)) == []


def test_words_may_stand_in_csv():
    csv = "\n".join('"{}"'.format(text.replace('"', '""')) for text in [*QUERIES, *SAID])
    assert not_exported(tables(), {"rows.csv": csv.encode()}) == []


def test_a_query_or_a_message_that_is_left_out_is_told_by_its_task():
    assert not_exported(tables(), exported(*QUERIES[1:], *SAID)) == [("a", "its query")]
    assert not_exported(tables(), exported(*QUERIES, SAID[0])) == [("c", "a message of it")]
    assert not_exported(tables(), exported(*QUERIES)) == [("b", "a message of it"), ("c", "a message of it")]
    assert not_exported(tables(), exported(*(f"{text}!" for text in QUERIES), *SAID))[0] == ("a", "its query")
