"""The command line: help without importing what commands need, and each command's own first line in it."""

from __future__ import annotations

import inspect
import subprocess
import sys
from importlib import import_module
from importlib.metadata import version
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pipelines.cli import COMMANDS, app
from tests.recipes import command


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_says_of_each_command_what_it_says_of_itself(name):
    target, told = COMMANDS[name]
    module, _, function = target.partition(":")
    said = inspect.getdoc(getattr(import_module(f"pipelines.commands.{module}"), function))
    assert said is not None
    assert told == " ".join(said.split("\n\n")[0].split())


def test_the_version_is_the_installed_one():
    answer = CliRunner().invoke(app, ["--version"])
    assert (answer.exit_code, answer.output) == (0, f"tripwright {version('tripwright')}\n")


def test_every_command_module_is_reached():
    from tests.test_listed import ROOT

    reached = {target.partition(":")[0] for target, _ in COMMANDS.values()}
    files = {path.stem for path in (ROOT / "pipelines" / "commands").glob("*.py")}
    assert files - reached == {"__init__", "completions", "errors", "shared"}


def test_help_and_a_wrong_name_import_no_command():
    code = (
        "import sys; from typer.testing import CliRunner; from pipelines.cli import app; r = CliRunner();"
        "assert r.invoke(app, ['--help']).exit_code == 0; assert r.invoke(app, ['no-such']).exit_code == 2;"
        "heavy = {'numpy', 'pandas', 'pyarrow', 'dagster', 'duckdb', 'pipelines.console'} & set(sys.modules);"
        "sys.exit(f'imported {heavy}' if heavy else 0)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr


def test_a_command_keeps_its_own_help_and_both_ways_to_ask():
    for flag in ("-h", "--help"):
        shown = CliRunner().invoke(app, ["audit", flag])
        assert shown.exit_code == 0
        assert "TASK_ID" in shown.output
    assert "demo" in CliRunner().invoke(app, ["-h"]).output


def test_where_a_recipe_was_not_built_the_list_of_its_tables_says_what_to_do(tmp_path):
    shown = CliRunner().invoke(app, ["tables", "recipes/monaco.toml", "--home", str(tmp_path / "home")])
    assert shown.exit_code == 0
    assert shown.output.strip().endswith(
        "holds no table of it yet; build it first: tripwright build recipes/monaco.toml"
    )


def test_the_one_example_of_a_command_can_be_copied_whole():
    lines = [line.strip() for line in CliRunner().invoke(app, ["diff", "--help"]).output.splitlines()]
    assert lines[lines.index("Example:") + 2] == "• tripwright diff 4c1f0a 9be2d1"
    lines = [line.strip() for line in CliRunner().invoke(app, ["open", "--help"]).output.splitlines()]
    assert lines[lines.index("Example:") + 2] == "• tripwright open itinbench ItinBench/Dataset"


def test_tables_that_are_copied_are_named_where_they_were_copied_to(small_world, tmp_path):
    words = ("tables", small_world.recipe, tmp_path / "copies")
    code, told = command(*words, home=small_world.home)
    assert code == 0
    assert sorted(Path(row["path"]) for row in told["tables"]) == sorted((tmp_path / "copies").rglob("*.parquet"))


def test_details_of_a_whole_release_are_wrong_usage():
    done = CliRunner().invoke(app, ["audit", "--release", "4c1f0a", "--details"])
    assert (done.exit_code, "belongs to the audit of a task" in done.output) == (2, True)


@pytest.mark.parametrize("option", [["--recipe", "a.toml"], ["--rebuild"]])
def test_what_is_asked_of_a_whole_release_is_not_passed_over_for_a_task(option):
    done = CliRunner().invoke(app, ["audit", "itinbench.us-pa-philadelphia.00003", *option])
    assert (done.exit_code, f"{option[0]} belongs to the audit of a whole" in done.output) == (2, True)
