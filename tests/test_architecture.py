"""The house rules that a tool can check: layers, dagster in one room, names nobody else owns, no stray top level."""

from __future__ import annotations

import importlib.metadata
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
ROOMS = ("schemas", "sources", "warehouse", "assets", "pipelines")
TOP_LEVEL = {
    *ROOMS, "tests", "recipes", "docs", "perf", ".ci", ".git", ".gitignore", ".gitattributes",
    "dagster.yaml", "pyproject.toml", "uv.lock",
    "README.md", "LICENSE", "CHANGELOG.md", "CITATION.cff",
}  # fmt: skip


def test_imports_point_one_way_and_only_pipelines_imports_dagster():
    linted = subprocess.run(
        [Path(sys.executable).with_name("lint-imports")], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert linted.returncode == 0, linted.stdout


@pytest.mark.parametrize("room", [*ROOMS, "tests"])
def test_no_installed_distribution_owns_a_name_of_ours(room):
    owners = importlib.metadata.packages_distributions().get(room, [])
    assert not owners, f"`{room}` is owned by {owners}: imports of ours would find theirs"


def test_the_top_level_holds_nothing_else():
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert {line.split("/")[0] for line in listed.splitlines()} <= TOP_LEVEL


@pytest.mark.parametrize("words", [["--help"], ["build", "--help"], ["sources", "--json"]])
def test_light_commands_import_neither_dagster_nor_pandas(words):
    code = (
        "import sys; from pipelines.cli import app\n"
        f"try: app({words!r})\n"
        "except SystemExit: None\n"
        "heavy = {'dagster', 'pandas', 'sklearn', 'scipy', 'ortools', 'osmnx', 'pandera'} & set(sys.modules)\n"
        "sys.exit(f'imported {sorted(heavy)}' if heavy else 0)\n"
    )
    ran = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr[-500:]
