"""A fourth benchmark is one folder: put it into a copy of the tree, touch nothing else, and it builds."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("schemas", "sources", "warehouse", "assets", "pipelines")

PAGE = (ROOT / "docs" / "pages" / "add-a-family.md").read_text(encoding="utf-8")
FAMILY = PAGE.split('```python title="assets/toyplan/family.py"\n')[1].split("```")[0]
"""The family that the guide shows: a reader who follows it gets what is tested here."""


@pytest.fixture
def run(tmp_path):
    """Return a function that runs a command in a copy of the tree that holds the toy family."""
    tree = tmp_path / "tree"
    for room in ROOMS:
        shutil.copytree(ROOT / room, tree / room, ignore=shutil.ignore_patterns("__pycache__"))
    folder = tree / "assets" / "toyplan"
    folder.mkdir()
    (folder / "__init__.py").write_text('"""A toy family."""\n')
    (folder / "family.py").write_text(FAMILY)

    def command(*words):
        done = subprocess.run(
            [sys.executable, "-m", "pipelines.cli", *words, "--home", str(tmp_path / "home"), "--json"],
            cwd=tree,
            capture_output=True,
            text=True,
            check=False,
        )
        return done.returncode, json.loads(done.stdout), done.stderr

    return command


def test_a_family_is_one_folder_and_touches_nothing_else(run, write_recipe, tmp_path):
    recipe = write_recipe(cities=2)
    recipe.write_text(recipe.read_text().replace("[families.itinbench]\ntasks_per_city = 6", "[families.toyplan]"))
    code, built, said = run("build", str(recipe))
    assert code == 0, said
    (release,) = built["releases"]
    assert (release["family"], release["tasks"], release["certified"]) == ("toyplan", 2, 2)
    code, audited, said = run("audit", "--release", release["path"])
    assert (code, audited["problems"]) == (0, []), said


def test_editing_a_familys_code_rebuilds_its_steps_and_no_others(run, write_recipe, tmp_path):
    recipe = write_recipe(cities=2)
    recipe.write_text(recipe.read_text().replace("[families.itinbench]\ntasks_per_city = 6", "[families.toyplan]"))
    run("build", str(recipe))
    family = tmp_path / "tree" / "assets" / "toyplan" / "family.py"
    family.write_text(family.read_text() + "\n# edited\n")
    _, built, _ = run("build", str(recipe))
    assert (built["steps_run"], built["steps_skipped"]) == (6, 7)
