"""What goes in comes out, is merged or rejected: every step says what it accounts for, and the gate counts it again."""

from __future__ import annotations

import pytest

from assets.accounts import Own, Rows
from assets.families import all_steps, families
from assets.promises.whole import whole
from assets.release.reading import open_release
from assets.step import Raw
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
            is_named = any(entry["step"] in problem for problem in problems)
            unnamed += [] if is_named or not is_counted(entry["step"], lie, release) else [(entry["step"], lie)]
    assert unnamed == []


def is_counted(step: str, lie: dict, release) -> bool:
    """Return whether anything in a release tells a lie about a step's rows.

    Rows of a table that is not released, and that no step accounts for row by row, are counted when the release is made
    (`test_homes_changed_by_hand.py`); a step whose rows are its own says nothing of rows in.
    """
    read = {table for other in STEPS.values() if isinstance(other.accounts, Rows) for table in other.accounts.tables}
    is_released = any(f.path == f"{step}.parquet" for f in release.manifest.files)
    if "rows_out" in lie:
        return is_released or STEPS[step].output in read or lie["merged"] < 0
    return (
        lie != {"rows_in": None}
        or isinstance(STEPS[step].accounts, Rows)
        or STEPS[step].accounts in ("records", "slots")
    )


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
        f"itinbench_place: {entry['rows_in'] - lost} rows in, but place and wikivoyage_listing have {entry['rows_in']} "
        "and 0 rows"
    ]


@pytest.mark.parametrize("table", ["lineage", "nearest_query"])
def test_a_task_that_a_table_of_the_release_leaves_out_is_named(small_world, tmp_path, table):
    first = open_release(small_world.releases["itinbench"]).rows(table)["task_id"][0].as_py()

    def without_one(rows):
        return [row for row in rows if row["task_id"] != first]

    release = open_release(edited(small_world.releases["itinbench"], tmp_path, {table: without_one}))
    problems = whole(release, families()["itinbench"])
    assert any(f"no row for task_id {first} (1 in all)" in problem for problem in problems), problems


def given(release, inputs):
    """Return the release with other inputs."""
    return type(release)(release.folder, release.manifest.model_copy(update={"inputs": inputs}), release.version)


@pytest.mark.parametrize("family", FAMILIES)
def test_whoever_strikes_all_inputs_of_a_step_that_reads_files_alone_is_named(small_world, family):
    release = open_release(small_world.releases[family])
    accounted = {entry["step"]: entry for entry in release.manifest.accounting}
    struck = 0
    for step in (STEPS[name] for name, entry in accounted.items() if entry["rows_in"]):
        roles = {(one.source, one.role) for one in step.inputs if isinstance(one, Raw)}
        left = [s for s in release.manifest.inputs if (s.source, s.role) not in roles]
        if roles and len(roles) == len(step.inputs) and len(left) < len(release.manifest.inputs):
            problems = whole(given(release, left), families()[family])
            assert any(p.startswith(f"{step.name}: ") and "no input that it reads" in p for p in problems), step.name
            struck += 1
    assert struck > 1


def test_an_input_that_no_step_reads_is_named(small_world):
    release = open_release(small_world.releases["itinbench"])
    strange = release.manifest.inputs[0].model_copy(update={"source": "osm_real"})
    problems = whole(given(release, [*release.manifest.inputs, strange]), families()["itinbench"])
    assert problems == [f"manifest.json: input osm_real.{strange.role} is read by no step of the release"]
