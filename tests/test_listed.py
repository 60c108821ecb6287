"""Everything that is listed somewhere is whole: tables, sources, reasons, families, commands."""

from __future__ import annotations

import json

import jsonschema
import pytest
from typer.testing import CliRunner

from assets.families import all_steps, all_tables, families
from assets.named import definition, load
from pipelines.cli import COMMANDS, app
from pipelines.walk.fingerprint import ROOT
from schemas.recipe import RecipeLock
from schemas.rejection import REASON_TEXT, Reason
from schemas.source import LICENCES
from sources.registry import SOURCES


@pytest.mark.parametrize("table", all_tables(), ids=lambda table: table.table_name())
def test_every_table_says_what_it_is_and_has_a_unique_key(table):
    assert (table.__doc__ or "").strip().endswith(".")
    assert table.key()
    page = table.dictionary_page()
    for column in table.columns():
        assert column.constraint.description.strip()
        assert f"| `{column.name}` |" in page


@pytest.mark.parametrize("source", SOURCES.values(), ids=lambda source: source.name)
def test_every_source_says_where_it_comes_from_and_on_which_terms(source):
    assert source.licence_id in LICENCES
    assert source.title
    assert source.attribution
    assert source.how_to_get
    assert source.files
    assert all(file.format for file in source.files)


@pytest.mark.parametrize("reason", Reason)
def test_every_reason_has_its_sentence(reason):
    assert REASON_TEXT[reason].endswith(".")


@pytest.mark.parametrize("step", all_steps(families().values()).values(), ids=lambda step: step.name)
def test_every_step_and_check_says_what_it_does(step):
    for function in (step.run, *step.checks):
        summary = (load(function).__doc__ or "").split("\n")[0]
        assert summary.endswith(".")
        assert definition(function).summary == summary


def test_no_step_of_a_city_reads_the_rows_of_all_cities():
    steps = all_steps(families().values())
    undivided = {step.output for step in steps.values() if step.per == "recipe" and step.output.key()[0] != "city_id"}
    of_all = {table for table in undivided if any(column.name.endswith("city_id") for column in table.columns())}
    assert of_all
    assert [step.name for step in steps.values() if step.per == "city" and of_all & set(step.tables)] == []


@pytest.mark.parametrize("words", [[], *([command] for command in COMMANDS)], ids=" ".join)
def test_every_command_explains_itself(words):
    shown = CliRunner().invoke(app, [*words, "--help"])
    assert shown.exit_code == 0
    assert len(shown.output.splitlines()) > 5
    assert "<bool>" not in shown.output
    assert " · " not in shown.output  # examples stand on a line each, to be copied


def test_the_readme_names_every_command_that_builds_or_reads():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    quiet = {"schema", "dictionary"}
    assert [command for command in COMMANDS if command not in quiet and f"tripwright {command}" not in readme] == []


def test_the_recipes_fit_the_printed_schema():
    import tomllib

    schema = json.loads(CliRunner().invoke(app, ["schema"]).stdout)
    for path in sorted((ROOT / "recipes").glob("*.toml")):
        recipe = json.loads(json.dumps(tomllib.loads(path.read_text(encoding="utf-8")), default=str))
        for bound in [recipe, *recipe["cities"]]:
            bound.pop("sources", None)  # a binding's roles are keys of their own, checked against the registry
        jsonschema.validate(recipe, schema)


def test_the_dictionary_prints_every_table():
    printed = CliRunner().invoke(app, ["dictionary"]).stdout
    assert all(f"## `{table.table_name()}`" in printed for table in all_tables())


@pytest.mark.parametrize("path", sorted((ROOT / "recipes").glob("*.lock.json")), ids=lambda path: path.name)
def test_every_lock_of_ours_fits_its_seal(path):
    lock = RecipeLock.model_validate_json(path.read_text(encoding="utf-8"))
    assert lock.sealed().seal == lock.seal
