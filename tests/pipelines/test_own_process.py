"""A function called in a fresh process: what it gives or raises comes back, and the process ends with its caller."""

from __future__ import annotations

import contextlib
import gc
import os
import signal
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
    assert min(frozen) > 20_000  # a bare interpreter has some 5,000


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


def test_what_a_process_has_read_is_there_for_all_calls_which_forks_of_it_answer():
    read = "import builtins, os; builtins.read = builtins.__dict__.get('read', []) + [os.getpid()]"
    with OwnProcesses(2, exec, read) as others:
        found = [others.submit(eval, "(read, __import__('time').sleep(0.5), __import__('os').getpid())") for _ in "12"]
        readers, _, callers = zip(*(one.result() for one in found), strict=True)
    assert len(readers[0]) == 1
    assert readers[0] == readers[1]
    assert len({*callers, os.getpid(), *readers[0]}) == 4


def test_what_cannot_be_read_is_said_by_every_call_and_what_cannot_be_sent_by_its_own():
    with OwnProcesses(1, int, "none") as others:
        for _ in range(2):
            with pytest.raises(ValueError, match="invalid literal"):
                others.submit(os.getpid).result()
    with OwnProcesses(1) as others:
        with pytest.raises(TypeError, match="cannot be sent"):
            others.submit(eval, "lambda: 1").result()
        assert others.submit(abs, -1).result() == 1


def test_calls_whose_process_is_killed_say_so_and_the_others_are_answered():
    with OwnProcesses(3) as others:
        with pytest.raises(ChildProcessError, match=r"ran posix\._exit died \(exit 3\)"):
            others.submit(os._exit, 3).result()
        with pytest.raises(ChildProcessError, match=r"ran builtins\.exec died \(exit -9\)"):
            others.submit(exec, "import os; os.kill(os.getpid(), 9)").result()
        assert [others.submit(abs, -1).result() for _ in range(4)] == [1, 1, 1, 1]
        for _ in range(4):  # also where none is left that could answer
            with pytest.raises(ChildProcessError, match=r"ran posix\._exit died"):
                others.submit(os._exit, 3).result()


READING = """
import sys
from assets.core.own_processes import OwnProcesses

if __name__ == "__main__":
    words = "import sys, time; print('begun', file=sys.stderr, flush=True); time.sleep(1e6)"
    first, called = ((exec, words), ("abs(1)",)) if sys.argv[1] == "reads" else ((), (words,))
    with OwnProcesses(2, *first) as others:
        running = others.submit(exec, *called)
        if sys.argv[2] == "leaves":
            sys.stdin.readline()
            raise KeyboardInterrupt
        running.result()
"""


@pytest.mark.parametrize("does", ["reads", "computes"])
@pytest.mark.parametrize("ends", ["is killed", "leaves"])
def test_all_end_with_their_caller(does, ends):
    words = [sys.executable, "-c", READING, does, ends]
    pipe = subprocess.PIPE
    with subprocess.Popen(words, cwd=ROOT, stdin=pipe, stderr=pipe, start_new_session=True) as running:
        assert running.stderr is not None and running.stdin is not None
        assert running.stderr.readline() == b"begun\n"
        begun = psutil.Process(running.pid).children(recursive=True)
        assert len(begun) >= 2
        if ends == "leaves":
            running.stdin.write(b"\n")
            running.stdin.flush()
            with contextlib.suppress(subprocess.TimeoutExpired):
                running.wait(30)
        has_left = running.poll()
        running.kill()
    assert has_left if ends == "leaves" else has_left is None
    assert all_ended(begun)


LOADING = """
import sys
from assets.core.processes import fresh_processes

if __name__ == "__main__":
    try:
        fresh_processes(["slowly_loaded"]).Process().start()
    except KeyboardInterrupt:
        sys.exit(130)
"""


def test_ctrl_c_is_the_caller_s_while_the_others_are_still_loaded(tmp_path):
    (tmp_path / "slowly_loaded.py").write_text(
        "import sys, time\nprint('begun', file=sys.stderr, flush=True)\ntime.sleep(3)\n"
    )
    environment = {**os.environ, "PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}"}
    words = [sys.executable, "-c", LOADING]
    with subprocess.Popen(
        words, cwd=ROOT, env=environment, stderr=subprocess.PIPE, start_new_session=True, text=True
    ) as running:
        assert running.stderr is not None
        assert running.stderr.readline() == "begun\n"
        os.killpg(running.pid, signal.SIGINT)
        assert (running.stderr.read(), running.wait()) == ("", 130)
