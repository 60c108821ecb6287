"""A function named as text: its definition read without importing it says what its signature says."""

from __future__ import annotations

import inspect
import subprocess
import sys

import pytest

from assets.families import all_steps, families
from assets.named import definition, load, module_of
from pipelines.walk.fingerprint import ROOT

NAMES = sorted({name for step in all_steps(families().values()).values() for name in (step.run, *step.checks)})


@pytest.mark.parametrize("name", NAMES)
def test_a_definition_says_what_the_signature_says(name):
    parameters = inspect.signature(load(name)).parameters.values()
    read = definition(name)
    assert read.keywords == tuple(p.name for p in parameters if p.kind is p.KEYWORD_ONLY)
    given = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    assert [p for p, _ in read.positional] == [p.name for p in given]
    assert [read.reads_arrow(n) for n in range(len(given))] == ["pa.Table" in str(p.annotation) for p in given]
    assert not read.reads_arrow(len(given))


@pytest.mark.parametrize("text", ["no_colon", "a:b:c", "a:", ":b", "os.path:join()", "../x:y", "a b:c"])
def test_text_that_names_no_function_is_refused(text):
    with pytest.raises(ValueError, match=r"expected `package\.module:function`"):
        module_of(text)


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("assets.named:nothing", "defines no `nothing`"),
        ("assets.named:Path", "defines no `Path` at its top level"),
        ("assets.nowhere:f", "found no module `assets.nowhere`"),
        (f"{__name__}:open_ended", "takes **kwargs"),
    ],
)
def test_a_name_without_a_definition_is_refused(name, says):
    with pytest.raises(ValueError) as error:
        definition(name)
    assert says in str(error.value)


def open_ended(**tables):
    """Take anything."""


def test_reading_every_definition_imports_nothing_heavy():
    code = (
        "import sys; from assets.families import all_steps, families; from assets.named import definition\n"
        "for step in all_steps(families().values()).values(): [definition(n) for n in (step.run, *step.checks)]\n"
        "heavy = {'numpy', 'pandas', 'pyarrow', 'sklearn', 'scipy', 'ortools', 'osmnx', 'duckdb'} & set(sys.modules)\n"
        "sys.exit(f'imported {sorted(heavy)}' if heavy else 0)\n"
    )
    ran = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr[-500:]
