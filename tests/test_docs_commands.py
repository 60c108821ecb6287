"""Every command that the documentation shows is run, page by page, on a small built world.

Words in capitals stand for what a reader has: VERSION for a release, TASK_ID for a task of it, OPENED for a published
folder that was opened. A block that cannot be run here says above itself why, and which test runs it instead.
"""

from __future__ import annotations

import json
import re
import shlex
import shutil
from pathlib import Path
from typing import NamedTuple

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from assets.release.reading import open_release
from pipelines.cli import app
from pipelines.walk.fingerprint import ROOT
from sources.invented import Box, CitySpec, generate
from tests import published_folders
from tests.recipes import command as tripwright
from tests.small_world import small_recipe

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs" / "pages").glob("*.md"))]
BLOCK = re.compile(
    r"(?:^[ ]*<!-- (?P<note>[^\n]*) -->\n)?^(?P<indent> *)```console\n(?P<body>.*?)^(?P=indent)```", re.M | re.S
)
RUNS = re.compile(r"(?:[A-Z_]+=\S+ )*uv run tripwright ")
MODEL = '\n[engines]\nreviews = "openai"\n\n[engines.openai]\nbase_url = "http://localhost:9/v1"\nmodel = "none"\n'
EXIT_CODES = {"doctor": {0, 1}}  # what a machine lacks is told, and is no fault of the page
COMMANDS = getattr(get_command(app), "commands")  # noqa: B009


class Block(NamedTuple):
    """A block of commands on a page, and what is said above it."""

    page: Path
    note: str
    commands: list[str]


def blocks_of(page: Path) -> list[Block]:
    found = BLOCK.finditer(page.read_text(encoding="utf-8"))
    lines = [(m["note"] or "", [line.strip() for line in m["body"].splitlines()]) for m in found]
    return [Block(page, note, [t.removeprefix("$ ") for t in body if t.startswith("$ ")]) for note, body in lines]


BLOCKS = [block for page in PAGES for block in blocks_of(page)]


@pytest.fixture(scope="module")
def home(small_world, tmp_path_factory):
    """Return a copy of the built home."""
    return shutil.copytree(small_world.home, tmp_path_factory.mktemp("reader") / "home")


@pytest.fixture(scope="module")
def extract(tmp_path_factory):
    """Return an OpenStreetMap extract of an invented city that lies where Monaco is."""
    box = Box(43.70, 7.35, 43.80, 7.49)
    monaco = CitySpec("Monaco", "MC", "MC", 43.75, 7.42, box, "Europe/Monaco", "EUR", ("fr",), given_id="mc-mc-monaco")
    files = generate(tmp_path_factory.mktemp("osm"), providers=["osm"], cities=[monaco], scale=0.4, seed=5, dirt=False)
    (path,) = files["osm"]["extract"]
    return path


@pytest.fixture
def desk(home, extract, small_world, tmp_path, monkeypatch):
    """Put a reader at a folder with the files that pages name; return what stands for the words in capitals."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TRIPWRIGHT_HOME", str(home))
    monkeypatch.setattr("pipelines.commands.build.ROOT", tmp_path)
    shutil.copy(extract, tmp_path / "monaco.osm.pbf")
    recipes = tmp_path / "recipes"
    recipes.mkdir()
    (recipes / "demo.toml").write_text(small_recipe())
    (recipes / "mistyped.toml").write_text(small_recipe().replace("seed = 3", "sed = 3", 1))
    (recipes / "with-model.toml").write_text(small_recipe() + MODEL)
    release = open_release(small_world.releases["itinbench"])
    certificates = release.rows("certificates").to_pylist()
    plans = [{"task_id": row["task_id"], "plan": row["plan"]} for row in certificates]
    (tmp_path / "plans.jsonl").write_text("".join(json.dumps(plan) + "\n" for plan in plans))
    texts = [{"task_id": plan["task_id"], "text": "I would stay at home."} for plan in plans]
    (tmp_path / "texts.jsonl").write_text("".join(json.dumps(text) + "\n" for text in texts))
    folder, answers = published_folders.itinbench(tmp_path / "Dataset")
    output = tmp_path / "Output" / "gpt4o" / "plans" / "allDataRouteOP.jsonl"
    output.parent.mkdir(parents=True)
    lines = ({"index": answer["index"], "plan": json.dumps(answer["plan"])} for answer in answers)
    output.write_text("".join(json.dumps(line) + "\n" for line in lines))
    _, opened = tripwright("open", "itinbench", folder, home=home)
    return {"VERSION": release.version, "TASK_ID": plans[0]["task_id"], "OPENED": opened["version"]}


def run(command: str, stands_for: dict[str, str]):
    given, _, asked = command.partition("uv run tripwright ")
    words = [stands_for.get(word, word) for word in shlex.split(asked)]
    return words, CliRunner().invoke(app, words, env=dict(word.split("=", 1) for word in given.split()))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_commands_of_a_page_do_what_it_says(page, desk):
    for block in blocks_of(page):
        if block.note.startswith("not run: "):
            continue
        for command in block.commands:
            assert RUNS.match(command), f"{page.name}: {command}: nothing runs this; say why"
            words, done = run(command, desk)
            allowed = {1} if "mistyped" in command else EXIT_CODES.get(words[0], {0})
            assert done.exit_code in allowed, f"{page.name}: {command}: {done.output}{done.exception!r}"


def test_a_block_that_is_not_run_says_which_test_runs_it():
    unrun = [block for block in BLOCKS if block.note.startswith("not run: ")]
    for block in unrun:
        named = re.findall(r"(?:tests|\.ci)/[\w/.]*\w", block.note)
        assert named, f"{block.page.name}: {block.note}"
        assert all((ROOT / path).exists() for path in named), block.note
    assert len(unrun) < len(BLOCKS) / 3


def test_the_mistyped_key_is_told_as_the_page_prints_it(desk):
    page = (ROOT / "docs" / "pages" / "add-a-city.md").read_text(encoding="utf-8")
    printed = re.search(r"^error: recipes/mistyped.toml.*?(?=, …)", page, re.M | re.S)
    assert printed
    _, done = run("uv run tripwright build recipes/mistyped.toml", desk)
    assert printed[0] in done.output


def examples_of(name: str) -> list[str]:
    """Return the examples that a command's help lists, a line each, as a reader copies them."""
    shown = CliRunner().invoke(app, [name, "--help"], env={"COLUMNS": "250"}).output
    return [line.strip().removeprefix("• ") for line in shown.splitlines() if line.strip().startswith("• ")]


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_shows_an_example_that_it_understands(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    examples = examples_of(name)
    assert examples, "its --help has no example"
    for example in examples:
        assert example.startswith(f"tripwright {name}"), example
        words = shlex.split(example.split(">")[0])[2:]
        for word in words:
            if re.fullmatch(r"[\w/-]+\.\w+(\.\w+)?", word):
                Path(word).parent.mkdir(parents=True, exist_ok=True)
                Path(word).touch()
        COMMANDS[name].make_context(name, words).close()


@pytest.mark.parametrize(
    ("mistyped", "meant"), [("audti", "audit"), ("refesh", "refresh"), ("extract-plan", "extract-plans")]
)
def test_a_mistyped_command_is_answered_with_the_one_that_was_meant(mistyped, meant):
    done = CliRunner().invoke(app, [mistyped])
    assert done.exit_code == 2
    assert f"Did you mean '{meant}'" in " ".join(done.output.split())


def test_a_mistyped_option_is_answered_with_the_one_that_was_meant():
    done = CliRunner().invoke(app, ["build", "recipes/demo.toml", "--lokced"])
    assert (done.exit_code, "--locked" in done.output) == (2, True)
