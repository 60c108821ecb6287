"""What planners are given is made without the witnesses, by the build and by an audit."""

from __future__ import annotations

import pytest

from assets.core import contexts as made
from assets.families import families
from assets.release.audit_said import said_otherwise
from assets.release.exporting import release_tables


@pytest.mark.parametrize("is_audit", [False, True])
def test_who_makes_what_planners_are_given_is_shown_no_witness(release, snapshots, monkeypatch, is_audit):
    """A family whose contexts would say its witnesses cannot: neither at the build nor when they are made again."""
    family, shown = families()["itinbench"], []
    table = family.context_table
    assert table is not None
    rows = table.frame(release.rows(family.file_of(table)))

    def contexts(tasks, tables):
        with pytest.raises(KeyError):
            tables.tables["certificates"]
        shown.extend(tasks)
        return rows[rows["city_id"].isin([task.city_id for task in tasks])]

    if is_audit:
        monkeypatch.setattr("assets.itinbench.contexts.contexts", contexts)
        assert [*said_otherwise(release, snapshots, release.manifest.promises["verified_tables"])] == []
    else:
        tables = release_tables(release)
        (step,) = (step for step in family.steps if step.output is table)
        world = [tables[given] for given in family.world_tables]
        made.contexts(
            tables.tasks, tables.certificates, *world, step=step, uses={"contexts": contexts}, section=tables.section
        )
    assert {task.task_id for task in shown} == {*release.rows("tasks")["task_id"].to_pylist()}
    assert [task.plan for task in shown if task.plan is not None] == []
