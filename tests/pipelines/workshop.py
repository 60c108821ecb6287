"""A copy of the tree that holds a fourth family, for tests that build it and break it."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

from sources.invented.cities import world_cities
from tests.recipes import city_table

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("schemas", "sources", "warehouse", "assets", "pipelines")

FAMILY = ROOT / "docs" / "examples" / "fourth_family"
"""The family that the guide shows: a reader who follows it gets what is tested here."""

TASKS = 6

WORLD = """name = "small"
seed = 3

[invented]
providers = ["yelp", "travelplanner", "openflights"]
scale = 0.25
seed = 5
dates = ["2024-11-11", "2024-11-24"]
"""

COUNTED = """

from schemas.stable import content_hash

_solve = solve


def solve(task_id, record, *given):
    with open(__file__.partition("/tree/")[0] + "/calls", "a") as calls:
        calls.write(f"{task_id} {content_hash(record)}\\n")
    return _solve(task_id, record, *given)
"""
"""At the end of a solver's module: every call is written down, with its record."""


class Workshop(NamedTuple):
    """A copy of the tree that holds the fourth family, a recipe that asks for it, and a home."""

    folder: Path

    @property
    def family(self) -> Path:
        return self.folder / "tree" / "assets" / "roundtrips"

    def run(self, *words: object) -> tuple[int, dict[str, Any], str]:
        """Return a command's exit code, its answer, and all that it said."""
        done = subprocess.run(
            [sys.executable, "-m", "pipelines.cli", *map(str, words), "--home", str(self.folder / "home"), "--json"],
            cwd=self.folder / "tree",
            capture_output=True,
            text=True,
            check=False,
        )
        return done.returncode, json.loads(done.stdout), done.stdout + done.stderr

    def build(self) -> tuple[int, dict[str, Any], str]:
        return self.run("build", self.folder / "small.toml")

    def edit(self, module: str, *changes: tuple[str, str]) -> None:
        """Change a module of the family."""
        path = self.family / f"{module}.py"
        text = path.read_text()
        for before, after in changes:
            assert before in text
            text = text.replace(before, after)
        path.write_text(text)


def fourth_family_in(folder: Path) -> Workshop:
    """Return a workshop in an empty folder, in which nothing is built yet."""
    ignored = shutil.ignore_patterns("__pycache__")
    for room in ROOMS:
        shutil.copytree(ROOT / room, folder / "tree" / room, ignore=ignored)
    shutil.copytree(FAMILY, folder / "tree" / "assets" / "roundtrips", ignore=ignored)
    with (folder / "tree" / "assets" / "roundtrips" / "solver.py").open("a") as solver:
        solver.write(COUNTED)
    cities = "".join(city_table(city) for city in world_cities(2, 5))
    (folder / "small.toml").write_text(f"{WORLD}{cities}\n[families.roundtrips]\ntasks = {TASKS}\n")
    return Workshop(folder)
