"""`build --plan` says what would be built and touches nothing; `--estimate` builds what asks no model."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from pipelines.cli import app
from sources.invented import world_cities
from tests.pipelines.conftest import recipe_text
from tests.recipes import command


def files(folder: Path) -> dict[str, tuple[int, int]]:
    return {
        path.relative_to(folder).as_posix(): (path.stat().st_size, path.stat().st_mtime_ns)
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_a_plan_writes_nothing_and_lists_what_a_build_then_runs(tmp_path):
    recipe, home = tmp_path / "small.toml", tmp_path / "home"
    text = recipe_text(cities=1, tasks=1)
    recipe.write_text(text, encoding="utf-8")
    before = files(tmp_path)
    code, planned = command("build", recipe, "--plan", home=home)
    assert (code, files(tmp_path)) == (0, before)
    _, built = command("build", recipe, home=home)
    assert len(planned["stale"]) == built["steps_run"]
    before = files(tmp_path)
    assert command("build", recipe, "--plan", home=home)[1]["stale"] == []
    recipe.write_text(text.replace("tasks_per_city = 1", "tasks_per_city = 2"), encoding="utf-8")
    _, planned = command("build", recipe, "--plan", home=home)
    assert "itinbench_draft" in {entry["step"] for entry in planned["stale"]}
    assert "place" not in {entry["step"] for entry in planned["stale"]}
    recipe.write_text(text, encoding="utf-8")
    assert {**files(tmp_path), "small.toml": ()} == {**before, "small.toml": ()}


def test_a_plan_is_a_line_a_step_with_its_cities(tmp_path):
    recipe = tmp_path / "small.toml"
    recipe.write_text(recipe_text(cities=2, tasks=1), encoding="utf-8")
    shown = CliRunner().invoke(app, ["build", str(recipe), "--plan", "--home", str(tmp_path / "home")]).stdout
    (line,) = [line.split() for line in shown.splitlines() if line.split()[:1] == ["place"]]
    first, second = (city["city_id"] for city in world_cities(2, 5))
    assert line == ["place", f"{first},", second]


def test_an_estimate_builds_all_that_asks_no_model(tmp_path):
    recipe, home = tmp_path / "small.toml", tmp_path / "home"
    recipe.write_text(recipe_text(cities=1, tasks=1), encoding="utf-8")
    code, estimated = command("build", recipe, "--estimate", home=home)
    assert (code, estimated["calls"]["calls"]) == (0, 0)
    rows = estimated["feasible"]
    assert {row["what"] for row in rows} >= {"record", "orientation", "cuisine", "restaurant_preference"}
    assert all(0 <= row["satisfiable"] <= row["records"] for row in rows)
    assert len({(row["family"], row["city_id"]) for row in rows}) == 1
    assert rows[0]["satisfiable"] == sum(row["satisfiable"] for row in rows if row["what"] == "orientation") > 0
    _, built = command("build", recipe, home=home)
    assert (built["steps_run"], len(built["releases"])) == (0, 1)


@pytest.mark.parametrize("how", ["--plan", "--estimate"])
def test_only_what_is_asked_for_is_planned(tmp_path, how):
    recipe, home = tmp_path / "small.toml", tmp_path / "home"
    cities = [city["city_id"] for city in world_cities(2, 5)]
    recipe.write_text(recipe_text(cities=2, tasks=1) + "\n[families.tripcraft]\ntasks = { 3 = 1 }\n", encoding="utf-8")
    asked = ("--family", "itinbench", "--city", cities[0])
    _, planned = command("build", recipe, how, *asked, home=home)
    assert {entry["scope"] for entry in planned["stale"] if entry["step"] == "itinbench_draft"} == {cities[0]}
    assert not [entry for entry in planned["stale"] if entry["step"].startswith("tripcraft")]
    _, built = command("build", recipe, *asked, home=home)
    assert built["steps_run"] == (len(planned["stale"]) if how == "--plan" else 0)
    assert command("build", recipe, how, "--family", "grouptravel", home=home)[0] == 1
    assert command("build", recipe, how, "--city", "nowhere", home=home)[0] == 1
