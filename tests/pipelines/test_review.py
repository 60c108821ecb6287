"""`tripwright review`: no sheet is written over, and what one says is corrected once, in the recipe that it is of."""

from __future__ import annotations

import csv
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from pipelines.cli import app
from tests.recipes import command

ANSWER = {"verdict": "withdraw", "why": "It was looked up."}


@pytest.fixture
def desk(small_world, tmp_path) -> tuple[Path, Path]:
    """Return a sheet of the release that nobody has filled, and a copy of its recipe."""
    recipe = Path(shutil.copy(small_world.recipe, tmp_path / "small.toml"))
    code, _ = command("review", small_world.releases["itinbench"], tmp_path / "sheet.csv", home=small_world.home)
    assert code == 0
    return tmp_path / "sheet.csv", recipe


@pytest.fixture
def read_back(small_world) -> Callable[..., tuple[int, Any]]:
    def read(sheet: Path, recipe: Path) -> tuple[int, Any]:
        words = ("--read", "--who", "A. Reader", "--recipe", recipe)
        return command("review", small_world.releases["itinbench"], sheet, *words, home=small_world.home)

    return read


def fill(sheet: Path, **answer: str) -> dict[str, str]:
    """Write an answer into the sheet's first task, and return its row."""
    with sheet.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    rows[0].update(answer)
    with sheet.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    return rows[0]


def test_a_sheet_that_is_there_is_not_written_over(desk, small_world):
    sheet, _ = desk
    fill(sheet, **ANSWER)
    filled = sheet.read_bytes()
    code, told = command("review", small_world.releases["itinbench"], sheet, home=small_world.home)
    assert (code, "it is there already" in told["error"]) == (1, True)
    assert sheet.read_bytes() == filled


def test_a_sheet_read_twice_makes_each_correction_once(desk, read_back):
    sheet, recipe = desk
    fill(sheet, **ANSWER)
    overrides = recipe.with_suffix(".overrides.toml")
    assert read_back(sheet, recipe) == (0, {"overrides": str(overrides), "corrections": 1, "already_there": 0})
    once = overrides.read_text()
    assert once.count("[[correction]]") == 1
    assert read_back(sheet, recipe) == (0, {"overrides": str(overrides), "corrections": 0, "already_there": 1})
    assert overrides.read_text() == once


def test_a_sheet_that_says_otherwise_than_what_is_corrected_is_refused_by_field(desk, read_back):
    sheet, recipe = desk
    ref = fill(sheet)["rows"].split("  ")[0]
    fill(sheet, verdict="correct", row=ref, field="name", value="First", why="The sign says so.")
    assert read_back(sheet, recipe)[0] == 0
    fill(sheet, verdict="correct", row=ref, field="name", value="Second", why="The sign says so.")
    code, told = read_back(sheet, recipe)
    assert code == 1
    assert f"{ref}: name is corrected to 'Second', and to 'First' by A. Reader on " in told["error"]


def test_corrections_are_of_the_release_s_own_recipe(desk, read_back):
    sheet, recipe = desk
    fill(sheet, **ANSWER)
    other = recipe.with_name("other.toml")
    other.write_text(recipe.read_text().replace('name = "', 'name = "other-', 1))
    code, told = read_back(sheet, other)
    assert (code, "the release's own" in told["error"]) == (1, True)
    assert not other.with_suffix(".overrides.toml").exists()


def test_each_row_that_cannot_be_used_is_a_line_of_its_own(desk, read_back):
    sheet, recipe = desk
    fill(sheet, task_id="nobody's", verdict="ok")
    code, told = read_back(sheet, recipe)
    assert (code, told["error"].splitlines()) == (
        1,
        ["1 row of the sheet cannot be used:", '  - row 2: the release has no task "nobody\'s"'],
    )


def test_a_sheet_without_answers_is_said_to_correct_nothing(desk, small_world):
    sheet, recipe = desk
    words = [
        "review",
        str(small_world.releases["itinbench"]),
        str(sheet),
        "--read",
        "--who",
        "A",
        "--recipe",
        str(recipe),
    ]
    done = CliRunner().invoke(app, [*words, "--home", str(small_world.home)])
    assert done.exit_code == 0
    assert "corrects nothing" in done.output


def test_overrides_that_a_build_would_not_read_are_not_written(desk, read_back, small_world):
    sheet, recipe = desk
    fill(sheet, **ANSWER)
    overrides = recipe.with_suffix(".overrides.toml")
    overrides.write_text("correction = []\n")  # TOML that no table can be appended to
    code, told = read_back(sheet, recipe)
    assert (code, "found no TOML" in told["error"], overrides.read_text()) == (1, True, "correction = []\n")
    overrides.unlink()
    recipe.write_text(recipe.read_text() + '\n[sources.corrections]\noverrides = "others.toml"\n')
    code, told = read_back(sheet, recipe)
    assert (code, "its builds would not read small.overrides.toml" in told["error"]) == (1, True), told
    assert not overrides.exists()


def test_who_and_recipe_without_read_are_a_fault_of_usage(desk, small_world):
    sheet, recipe = desk
    words = ("review", small_world.releases["itinbench"], sheet.with_name("new.csv"), "--recipe", recipe)
    assert command(*words, home=small_world.home)[0] == 2
    assert not sheet.with_name("new.csv").exists()
