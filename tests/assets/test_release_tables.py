"""What families read of a release: tables by their type, some of the tasks, and what is made of tables once."""

from __future__ import annotations

import pandas as pd

from assets.grouptravel.tables import GroupCity, GroupFare
from assets.rows import ReleaseTables


def tables() -> ReleaseTables:
    ids = pd.DataFrame({"task_id": ["a", "b", "c"]})
    rows = {"tasks": ids, "certificates": ids, "group_city": pd.DataFrame(), "group_fare": pd.DataFrame()}
    return ReleaseTables(rows, {"language": "en"})


def test_some_tasks_come_with_their_certificates_and_all_else():
    whole = tables()
    some = whole.only(["c", "a", "x"])
    assert some.tasks["task_id"].tolist() == some.certificates["task_id"].tolist() == ["a", "c"]
    assert some[GroupCity] is whole[GroupCity]
    assert some.section == whole.section
    assert len(whole.tasks) == 3


def test_what_is_made_of_tables_is_made_once_for_the_same_rows():
    whole, made = tables(), []

    def make(given: ReleaseTables) -> int:
        made.append(given)
        return len(made)

    of = GroupCity, GroupFare
    assert [whole.once(make, *of), whole.once(make, *of), whole.only(["a"]).once(make, *of)] == [1, 1, 1]
    changed = ReleaseTables({**whole.tables, "group_fare": pd.DataFrame()}, product_by_maker=whole.product_by_maker)
    assert changed.once(make, *of) == 2
    assert changed.once(lambda _: "another", *of) == "another"
