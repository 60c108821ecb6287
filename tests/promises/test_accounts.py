"""What goes in comes out, is merged or rejected: every step says what it accounts for, and the gate counts it again."""

from __future__ import annotations

import pytest

from assets.accounts import Own, Rows
from assets.family import all_steps, families
from assets.promises.whole import whole
from assets.release.reading import open_release
from tests.promises.editing import edited

FAMILIES = ("itinbench", "tripcraft", "grouptravel")
STEPS = all_steps(families().values())


@pytest.mark.parametrize("name", list(STEPS))
def test_a_step_says_which_rows_or_keys_it_accounts_for(name):
    stated = STEPS[name].accounts
    assert stated != ""
    if isinstance(stated, Own):
        assert len(stated.made_of.split()) > 3, "in words"
    if isinstance(stated, Rows):
        assert set(stated.tables) <= set(STEPS[name].inputs)


@pytest.mark.parametrize("family", FAMILIES)
def test_whatever_is_changed_in_one_steps_accounting_is_named(small_world, family):
    release = open_release(small_world.releases[family])
    assert whole(release, families()[family]) == []
    unnamed = []
    for entry in release.manifest.accounting:
        lies = [{"rows_out": entry["rows_out"] + 1, "merged": entry["merged"] - 1}]
        if entry["rows_in"] is not None:
            lies += [{"rows_in": None}, {"rows_in": entry["rows_in"] + 1}, {"merged": entry["merged"] + 1}]
        if entry["rejected"]:
            lies += [{"rejected": {}}, {"rejected": {}, "merged": sum(entry["rejected"].values())}]
        for lie in lies:
            problems = whole(told(release, {**entry, **lie}), families()[family])
            unnamed += [] if any(p.startswith(f"{entry['step']}: ") for p in problems) else [(entry["step"], lie)]
    assert [lie for lie in unnamed if not is_of_unreleased_keys(release, *lie)] == []


def is_of_unreleased_keys(release, step: str, lie: dict) -> bool:
    """Return whether a lie is about rows that no other step counts and that the release does not hold."""
    is_counted = isinstance(STEPS[step].accounts, Rows) or STEPS[step].accounts in ("records", "slots")
    return not is_counted and ("rows_out" in lie or lie == {"rows_in": None})


def told(release, entry):
    """Return the release with one step's accounting as told."""
    others = [entry if other["step"] == entry["step"] else other for other in release.manifest.accounting]
    return type(release)(release.folder, release.manifest.model_copy(update={"accounting": others}), release.version)


def test_rows_that_were_lost_and_whose_rejection_was_taken_away_too_are_missed_by_who_made_them(small_world, tmp_path):
    whole_release = open_release(small_world.releases["itinbench"])
    entry = next(e for e in whole_release.manifest.accounting if e["step"] == "itinbench_place")
    lost = sum(entry["rejected"].values())
    assert lost > 10

    def not_rejected(rows):
        return [row for row in rows if row["step"] != "itinbench_place"]

    release = open_release(edited(whole_release.folder, tmp_path, {"rejections": not_rejected}))
    consistent = {**entry, "rejected": {}, "rows_in": entry["rows_in"] - lost}
    assert whole(told(release, consistent), families()["itinbench"]) == [
        f"itinbench_place: {entry['rows_in'] - lost} rows in, but place have {entry['rows_in']} rows"
    ]


@pytest.mark.parametrize("table", ["lineage", "nearest_query"])
def test_a_task_that_a_table_of_the_release_leaves_out_is_named(small_world, tmp_path, table):
    first = open_release(small_world.releases["itinbench"]).rows(table)["task_id"][0].as_py()

    def without_one(rows):
        return [row for row in rows if row["task_id"] != first]

    release = open_release(edited(small_world.releases["itinbench"], tmp_path, {table: without_one}))
    problems = whole(release, families()["itinbench"])
    assert any(f"no row for task_id {first} (1 in all)" in problem for problem in problems), problems
