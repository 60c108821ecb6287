"""What planners may ask holds no witness: tools are made without tasks, certificates and lineage."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from assets.core.tools import Answer, Tool
from assets.families import families
from assets.release import sandbox
from assets.rows import ReleaseTables

HIDDEN = {"tasks", "certificates", "lineage", "nearest_query"}


def one_a_table(tables: ReleaseTables) -> list[Tool]:
    """Return a tool for each table that is given."""
    return [Tool(name, "", {"properties": {}}, lambda _: Answer("")) for name in tables.tables]


@pytest.mark.parametrize("name", families())
def test_tools_are_given_every_table_but_those_of_tasks(monkeypatch, name):
    family = replace(families()[name], tools=f"{__name__}:one_a_table")
    files = {family.file_of(table): None for table in family.released}
    monkeypatch.setattr(sandbox, "families", lambda: {name: family})
    monkeypatch.setattr(sandbox, "release_tables", lambda _: ReleaseTables(files))
    release: Any = SimpleNamespace(manifest=SimpleNamespace(family=name))
    given = sandbox.open_sandbox(release).tools
    assert set(given) == set(files) - HIDDEN
    assert {table.table_name() for table in family.world_tables} <= set(given)
