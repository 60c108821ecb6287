"""A published set rebuilt: solvable tasks keep record and query, the others are mended, and each change is said."""

from __future__ import annotations

import pytest

from assets.core.published_set import PublishedSet
from assets.itinbench.draft import WORDED_ANEW
from assets.itinbench.published.folder import open_folder
from assets.itinbench.repairs.satisfiable import feasibility
from assets.itinbench.repairs.space import cell_of
from assets.itinbench.rules import validate
from assets.itinbench.section import AskedTask, ItinbenchSection
from assets.itinbench.witness.selection import told_apart
from assets.itinbench.wording import read, word
from assets.itinbench.world import World
from tests.assets.itinbench.test_draft import drafts
from tests.assets.itinbench.town import RECORD, asks, town

QUERY = (
    "I want to plan a 2-day trip on a moderate budget. I'd like to see history-oriented attractions. Please recommend "
    "Thai restaurants with good flavor and good value. I'd like to stay in a hotel with good safety."
)


SET = PublishedSet(sha256="0" * 64, tasks=500)


@pytest.fixture(scope="module")
def held(published):
    return open_folder(published)


@pytest.fixture(scope="module")
def mended(held, philadelphia):
    """Return the published 500 as the section asks them, and their drafts."""
    asked = [
        AskedTask.model_validate(
            {**record, "query": held.queries[index], "is_kept": not validate(record, held.queries[index])}
        )
        for index, record in sorted(held.records.items(), key=lambda item: int(item[0]))
    ]
    return asked, drafts(philadelphia, 0, ItinbenchSection(tasks_per_city=len(asked), asked=asked, asked_of=SET)).rows


def test_what_can_be_solved_is_kept_and_the_rest_mended_by_the_fewest_edits(mended, philadelphia):
    asked, rows = mended
    satisfiable = feasibility(philadelphia.loc[told_apart(philadelphia)]).satisfiable
    first = {cell_of(task.record): number for number, task in reversed(list(enumerate(asked)))}
    assert len(rows) == len(asked) == 500
    kept = 0
    for number, (task, row) in enumerate(zip(asked, rows, strict=True)):
        cell = cell_of(task.record)
        may_be_kept = bool(satisfiable[cell]) and first[cell] == number
        assert (row["record"] == task.record) == may_be_kept, row
        assert row["drawn"]["nominal"] == task.record
        assert satisfiable[cell_of(row["record"])]
        changed = [edit["field"] for edit in row["repairs"] if edit["field"] != "query"]
        assert changed == [field for field in task.record if row["record"][field] != task.record[field]]
        kept += may_be_kept
    assert 0 < kept < 500
    assert len({cell_of(row["record"]) for row in rows}) == 500


def test_what_another_task_asks_is_no_repair_of_this_one(held, philadelphia):
    """The repair that a task would get, asked by a later task that may be kept, is left to that."""
    hopeless = {"days": 4, "price": "cheap", "orientation": "food", "cuisine": "Greek"}
    lone = AskedTask.model_validate({**hopeless, "restaurant": ["service"], "hotel": ["safety"], "query": "?"})

    def repaired(*asked: AskedTask):
        section = ItinbenchSection(tasks_per_city=len(asked), asked=list(asked), asked_of=SET)
        return [row["record"] for row in drafts(philadelphia, 0, section).rows]

    (first,) = repaired(lone)
    assert first != lone.record
    wanted = AskedTask.model_validate({**first, "query": "?"})
    other, kept = repaired(lone, wanted)
    assert kept == first
    assert other != first


def test_a_kept_task_keeps_its_query_and_another_says_that_it_is_worded_anew(mended, philadelphia):
    asked, rows = mended
    world = World(philadelphia, [task.model_dump(mode="json") for task in asked])
    kept = 0
    for task, row in zip(asked, rows, strict=True):
        query = word(row["task_id"], row["record"], world).query
        assert validate(row["record"], query) == []
        told = [edit for edit in row["repairs"] if edit["field"] == "query"]
        assert told == ([] if query == task.query else [{"field": "query", "before": task.query, "after": WORDED_ANEW}])
        kept += query == task.query
    assert kept > 0


def test_a_text_that_says_something_else_is_not_kept_and_is_refused_where_a_recipe_keeps_it():
    asked = [{**RECORD, "query": QUERY}]
    assert word("t", RECORD, World(town(), asked)).query == QUERY
    assert word("t", asks(RECORD, days=3), World(town(), asked)).query != QUERY
    other = {**RECORD, "query": QUERY.replace("moderate", "cheap")}
    assert word("t", RECORD, World(town(), [{**other, "is_kept": False}])).query not in {QUERY, other["query"]}
    assert read(word("t", RECORD, World(town(), [other])), RECORD) != []


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"cuisine": "Martian"}, "Martian"),
        ({"hotel": ["safety", "safety"]}, "one twice"),
        ({"restaurant": []}, "at least 1"),
        ({"days": 5}, "2, 3 or 4"),
    ],
)
def test_what_no_record_can_ask_is_refused(changed, message):
    with pytest.raises(ValueError, match=message):
        AskedTask.model_validate({**RECORD, "query": QUERY, **changed})
    task = AskedTask.model_validate({**RECORD, "query": QUERY})
    with pytest.raises(ValueError, match="set `tasks_per_city` to that"):
        ItinbenchSection(tasks_per_city=2, asked=[task], asked_of=SET)
