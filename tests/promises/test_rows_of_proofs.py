"""Rows that only what is said beside a plan names are taken away as well, whether or not a family judges it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from assets.families import families
from assets.promises import gate
from assets.promises.certified import Job

FAMILY = families()["itinbench"]
TABLE = FAMILY.world_tables[0].table_name()


@pytest.mark.parametrize("verify", [FAMILY.verify, None])
def test_a_row_that_a_proof_alone_names_is_taken_away(monkeypatch, verify):
    monkeypatch.setattr(gate, "families", lambda: {"itinbench": replace(FAMILY, verify=verify)})
    release: Any = SimpleNamespace(manifest=SimpleNamespace(family="itinbench", files=[]))
    rows = {(TABLE, "c/a"): ["t:proof/cost"], (TABLE, "c/b"): ["t:record/home"], ("rating", "c/a"): ["t:plan/days"]}
    pool: Any = SimpleNamespace(submit=lambda function, job, removed: removed)
    traced: Any = SimpleNamespace(rows=rows)
    assert gate._without_rows(release, traced, Job(Path(), (), frozenset({"t"})), pool) == [{"t": (TABLE, "c/a")}]
