"""A function called in a fresh process: what it gives or raises comes back, and the process ends with its caller."""

from __future__ import annotations

import gc
import os
import subprocess
import sys

import psutil
import pytest

from assets.core.garbage import OBJECTS
from assets.core.own_processes import OwnProcesses
from pipelines.walk.own_process import ROOT, in_own_process
from tests.killing import all_ended


def test_what_a_function_gives_or_raises_comes_back_and_what_it_prints_does_not():
    assert in_own_process(os.getpid) != os.getpid()
    assert in_own_process(print, "this is no answer") is None
    with pytest.raises(ValueError, match="invalid literal"):
        in_own_process(int, "none")


def test_nothing_that_the_caller_has_imported_is_there():
    assert "pytest" in sys.modules
    assert in_own_process(eval, "'pytest' in __import__('sys').modules") is False


def test_circles_of_objects_are_looked_for_seldom_in_every_process_and_not_among_what_it_has_imported():
    with OwnProcesses(1) as others:
        frozen = [others.submit(eval, "__import__('gc').get_freeze_count()").result()]
        seldom = [others.submit(gc.get_threshold).result()[0]]
    frozen.append(in_own_process(eval, "__import__('gc').get_freeze_count()"))
    seldom.append(in_own_process(gc.get_threshold)[0])
    assert seldom == [OBJECTS, OBJECTS]
    assert min(frozen) > OBJECTS


def test_a_process_that_dies_is_an_error_that_names_the_function():
    with pytest.raises(ChildProcessError, match=r"ran posix\._exit died \(exit 3\)"):
        in_own_process(os._exit, 3)


CALLER = """
from pipelines.walk.own_process import in_own_process
in_own_process(exec, "import time; print('begun', flush=True); time.sleep(1e6)")
"""


def test_it_ends_with_its_caller():
    with subprocess.Popen([sys.executable, "-c", CALLER], cwd=ROOT, stderr=subprocess.PIPE) as running:
        assert running.stderr is not None
        assert running.stderr.readline() == b"begun\n"
        begun = psutil.Process(running.pid).children(recursive=True)
        assert len(begun) == 1
        running.kill()
    assert all_ended(begun)
