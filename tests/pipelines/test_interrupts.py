"""Ctrl-C: whatever is interrupted, the command ends by it; nothing is told as a fault of what ran."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from pipelines.commands.errors import errors_told
from pipelines.interrupts import interrupts_raised

ROOT = Path(__file__).resolve().parents[2]

LOADING = """
import sys
class Interrupts:
    def find_spec(self, name, path=None, target=None):
        if name == "typer.core":
            raise KeyboardInterrupt
sys.meta_path.insert(0, Interrupts())
from pipelines.cli import main
main()
"""


def test_while_the_command_line_is_loaded_it_ends_without_a_word():
    ran = subprocess.run([sys.executable, "-c", LOADING], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout, ran.stderr) == (130, "", "")


def interrupted_class():
    """Make a class whose making is interrupted: until Python 3.12 told as an error of the class."""

    class Interrupts:
        def __set_name__(self, owner, name):
            raise KeyboardInterrupt

    class Made:
        field = Interrupts()


def interrupted_import():
    """Tell an interrupt as the fault of a family, as reading one does."""
    try:
        interrupted_class()
    except Exception as error:
        raise ValueError("assets/toy/family.py cannot be read") from error


def interrupted_query():
    """Raise what DuckDB raises, now and then, where a query is interrupted; nothing else tells of it."""
    raise RuntimeError("Query interrupted")


@pytest.mark.parametrize("interrupted", [interrupted_class, interrupted_import, interrupted_query])
def test_what_is_raised_in_its_place_is_the_interrupt(interrupted):
    with pytest.raises(KeyboardInterrupt), errors_told(False):
        interrupted()


def test_an_error_that_came_of_none_stays_as_it_is():
    with pytest.raises(RuntimeError, match="out of range"), interrupts_raised():
        raise RuntimeError("out of range")
