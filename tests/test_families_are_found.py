"""Nothing but a family's own folder lists families: a fourth one is found without another file being touched."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from assets.families import families

ROOT = Path(__file__).parents[1]
FAMILIES = tuple(families())
SHARED = sorted(
    path
    for room in ("pipelines", "assets", "schemas", "warehouse")
    for path in (ROOT / room).rglob("*.py")
    if not any(f"assets/{family}/" in path.as_posix() for family in FAMILIES)
)


def families_named(code: str) -> list[str]:
    """Return what code outside of docstrings imports of a family, or names one by."""
    tree = ast.parse(code)
    prose = {
        id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    named = []
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            named += [node.module for family in FAMILIES if node.module.startswith(f"assets.{family}")]
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in prose:
            named += [node.value for family in FAMILIES if family in (node.value, node.value.partition(".")[0])]
    return named


@pytest.mark.parametrize(
    "code", ['WRITES = ("grouptravel",)', "from assets.tripcraft.tables import X", 'x = {"itinbench": 1}']
)
def test_a_list_of_families_is_seen(code):
    assert families_named(code)


def test_no_shared_file_lists_families():
    assert len(SHARED) > 100
    assert {str(p.relative_to(ROOT)): found for p in SHARED if (found := families_named(p.read_text()))} == {}
