"""The house rules that a tool can check: layers, dagster in one room, names nobody else owns, no stray top level."""

from __future__ import annotations

import ast
import importlib.metadata
import re
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
        "heavy = {'dagster', 'pandas', 'sklearn', 'scipy', 'ortools', 'osmnx'} & set(sys.modules)\n"
        "sys.exit(f'imported {sorted(heavy)}' if heavy else 0)\n"
    )
    ran = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr[-500:]


def test_what_is_built_reads_no_clock_and_no_environment_and_draws_by_its_seed():
    code = "import datetime as dt\nimport os\nimport random\n\nA = dt.date.today(), os.environ, random.random()\n"
    ruff = [Path(sys.executable).with_name("ruff"), "check", "--select=TID251", "--output-format=concise"]
    for path, count in (("assets/museum_day/draft.py", 3), ("pipelines/walk/now.py", 0)):
        told = subprocess.run(
            [*ruff, f"--stdin-filename={path}", "-"], cwd=ROOT, input=code, capture_output=True, text=True, check=False
        )
        assert told.stdout.count("TID251") == count, told.stdout


def named_values(tree):
    """Yield the name of every variable and parameter that a module's functions bind, with its line."""
    for function in (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.Lambda)):
        for node in ast.walk(function):
            if isinstance(node, ast.arg):
                yield node.arg, node.lineno
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                yield node.id, node.lineno


def test_values_are_named_by_what_they_are_and_not_by_what_was_done_to_get_them():
    words = {"found", "wanted", "known", "told", "said", "asked", "held", "made", "mine", "taken", "seen", "shown"}
    files = [path for room in (*ROOMS, "docs/examples") for path in sorted((ROOT / room).rglob("*.py"))]
    modules = [(str(path.relative_to(ROOT)), path.read_text(encoding="utf-8")) for path in files]
    for page in sorted((ROOT / "docs" / "pages").glob("*.md")):  # a reader copies what a page shows
        modules += re.findall(r'^```python title="(\S+)"\n(.*?)^```', page.read_text(encoding="utf-8"), re.M | re.S)
    named = [(path, *value) for path, text in modules for value in named_values(ast.parse(text))]
    assert len(named) > 10_000
    assert [f"{path}:{line}: {name}" for path, name, line in named if name in words] == []


def named_definitions(tree):
    """Yield the name of every function, class and declared field of a module, with its line."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name, node.lineno
        for field in node.body if isinstance(node, ast.ClassDef) else ():
            if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
                yield field.target.id, field.lineno


def test_functions_classes_and_fields_are_named_by_what_they_give_or_do():
    words = {
        "asked", "built", "called", "changed", "chosen", "counted", "drawn", "found", "given", "gone", "held", "judged",
        "kept", "known", "left", "lost", "made", "missing", "moved", "named", "passed", "planned", "refused", "said",
        "scored", "seen", "shown", "solved", "taken", "told", "tried", "used", "wanted", "worded", "written",
    }  # fmt: skip
    rooms = ("assets/promises", "assets/release", "assets/core", "pipelines", "sources")
    paths = [path for room in rooms for path in sorted((ROOT / room).rglob("*.py"))]
    named = [(path, *one) for path in paths for one in named_definitions(ast.parse(path.read_text(encoding="utf-8")))]
    assert len(named) > 3_000
    assert [f"{path}:{line}: {name}" for path, name, line in named if name.strip("_").lower() in words] == []
