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

FAMILY = ROOT / "docs" / "examples" / "fourth_family"
"""The family that the guide shows: a reader who follows it gets what is tested here."""

MOST_LINES = 350

COUNTED = """

_solve = solve


def solve(task_id, *given):
    with open(__file__.partition("/tree/")[0] + "/calls", "a") as calls:
        calls.write(f"{task_id}\\n")
    return _solve(task_id, *given)
"""
"""At the end of a solver's module: every call is written down."""

CHECKER = '"""A checker that looks at nothing."""\n\n\ndef check(record, plan, world):\n    return []\n'


@pytest.fixture
def recipe(write_recipe):
    """Return a recipe of two cities that asks for the fourth family."""
    path = write_recipe(cities=2)
    section = "[families.strolls]\ntasks_per_city = 4"
    path.write_text(path.read_text().replace("[families.itinbench]\ntasks_per_city = 6", section))
    return path


@pytest.fixture
def run(tmp_path):
    """Return a function that runs a command in a copy of the tree that holds the fourth family."""
    tree = tmp_path / "tree"
    for room in ROOMS:
        shutil.copytree(ROOT / room, tree / room, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(FAMILY, tree / "assets" / "strolls", ignore=shutil.ignore_patterns("__pycache__"))

    def command(*words):
        done = subprocess.run(
            [sys.executable, "-m", "pipelines.cli", *words, "--home", str(tmp_path / "home"), "--json"],
            cwd=tree,
            capture_output=True,
            text=True,
            check=False,
        )
        return done.returncode, json.loads(done.stdout), done.stdout + done.stderr

    return command


def test_the_folder_is_short():
    assert sum(len(path.read_text().splitlines()) for path in FAMILY.glob("*.py")) <= MOST_LINES


def test_a_family_is_one_folder_and_touches_nothing_else(run, recipe):
    code, built, said = run("build", str(recipe))
    assert code == 0, said
    (release,) = built["releases"]
    assert (release["family"], release["tasks"], release["certified"]) == ("strolls", 8, 8)
    code, audited, said = run("audit", "--release", release["path"])
    assert (code, audited["problems"]) == (0, []), said
    code, scored, said = run("score", release["path"], "witness")
    assert (code, scored["aggregate"]) == (0, {"accepted": 1.0}), said


def test_a_family_whose_checker_accepts_everything_is_not_released(run, recipe, tmp_path):
    family = tmp_path / "tree" / "assets" / "strolls"
    (family / "careless.py").write_text(CHECKER)
    declared = (family / "family.py").read_text()
    (family / "family.py").write_text(declared.replace("assets.strolls.world:check", "assets.strolls.careless:check"))
    code, built, said = run("build", str(recipe))
    assert code == 1, said
    assert "assets.strolls.careless:check accepts" in built["error"]
    assert not (tmp_path / "home" / "releases" / "small" / "strolls").exists()


def test_editing_words_lineage_export_or_draws_runs_their_steps_and_seeks_no_plan_again(run, recipe, tmp_path):
    family = tmp_path / "tree" / "assets" / "strolls"
    with (family / "solver.py").open("a") as solver:
        solver.write(COUNTED)
    _, first, said = run("build", str(recipe))
    assert first["steps_skipped"] == 0, said
    solved = (tmp_path / "calls").read_text()
    assert len(solved.splitlines()) >= 8
    for module in ("words", "lineage", "release", "draft"):
        with (family / f"{module}.py").open("a") as edited:
            edited.write("\n# edited\n")
    _, built, said = run("build", str(recipe))
    steps, cities = ("draft", "task", "lineage"), 2
    again = len(steps) * cities
    assert (built["steps_run"], built["steps_skipped"]) == (again, first["steps_run"] - again), said
    assert (tmp_path / "calls").read_text() == solved
    assert built["releases"] == first["releases"]
