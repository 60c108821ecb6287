"""The names of the flow's steps: short where that cannot be mistaken."""

from __future__ import annotations

import pytest

from assets.release.page.flow import _with_names


@pytest.mark.parametrize(
    ("family", "tables", "names"),
    [
        ("grouptravel", ["group_fare", "grouptravel_draft"], ["fare", "draft"]),
        ("tripcraft", ["event", "tripcraft_event", "tripcraft_stay"], ["event", "tripcraft_event", "stay"]),
        ("", ["group_fare", "place"], ["group_fare", "place"]),
    ],
)
def test_a_step_is_called_by_its_table_without_its_familys_name(family, tables, names):
    assert [step["name"] for step in _with_names([{"step": table} for table in tables], family)] == names
