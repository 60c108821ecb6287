"""What a judge has executed: by what functions are known again, and that honest families share none."""

from __future__ import annotations

import ctypes
import importlib
import multiprocessing
import os
import signal
import socket
import types
from collections import defaultdict
from contextlib import suppress
from pathlib import Path

import pytest

from assets.promises.executed_code import LEAST_BYTES, long_functions, ran, unheard, watched
from pipelines.walk.own_process import in_own_process

ROOT = Path(__file__).resolve().parents[2]

SOLVER = ROOT / "assets" / "itinbench" / "solver.py"


def functions(text):
    return {code.co_code: code.co_name for code in long_functions(compile(text, "x", "exec"))}


def test_no_two_modules_of_ours_share_a_function_that_is_long_enough_to_be_known_again():
    """A family that does would be told of a solver which its checker has not run."""
    holders = defaultdict(set)
    for folder in (ROOT / "assets", ROOT / "docs" / "examples"):
        for path in folder.rglob("*.py"):
            for code in functions(path.read_text(encoding="utf-8")):
                holders[code].add(str(path.relative_to(ROOT)))
    assert len(holders) > 500
    assert [paths for paths in holders.values() if len(paths) > 1] == []


def test_a_function_is_known_again_whatever_its_variables_are_called():
    lines = "".join(f"    total += found[{n}] * {n} if found[{n}] > total else -total\n" for n in range(9))
    text = f"def seek(found):\n    total = 0\n{lines}    return total\n"
    renamed = text.replace("total", "best").replace("found", "plans").replace("seek", "judge")
    (code,) = functions(text)
    assert len(code) >= LEAST_BYTES
    assert functions(renamed) == {code: "judge"}
    assert code not in functions(text.replace(">", "<"))
    assert functions("def seek(found):\n    return found\n") == {}


def forks():
    if not (fork := os.fork()):
        os._exit(0)
    os.waitpid(fork, 0)


def forks_unseen():
    """Fork as none of ours: nobody has to wait for a child whose end is ignored, and nobody counts it."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    with suppress(ChildProcessError):
        forks()


def forks_outside_python():
    if not (fork := ctypes.PyDLL(None).fork()):  # which keeps the lock of the interpreter, or the child waits for it
        os._exit(0)
    os.waitpid(fork, 0)


def starts_afresh():
    vars(multiprocessing.current_process())["_config"]["daemon"] = False
    other = multiprocessing.get_context("spawn").Process(target=len, args=((),))
    other.start()
    other.join()


def starts_a_program():
    os.waitpid(os.posix_spawn("/bin/true", ["true"], {}), 0)


def interprets():
    importlib.import_module("_xxsubinterpreters").create()


def connects():
    with socket.socket() as asking, suppress(OSError):
        asking.connect(("127.0.0.1", 9))


def makes_a_function():
    """Make the solver's longest function of its code, and execute no module."""
    functions = long_functions(compile(SOLVER.read_text(encoding="utf-8"), "text", "exec"))
    types.FunctionType(max(functions, key=lambda code: len(code.co_code)), {}, closure=None)


def makes_a_function_around_it():
    """Make a short function of code, in which the solver's longest is."""
    functions = long_functions(compile(SOLVER.read_text(encoding="utf-8"), "text", "exec"))
    solving = max(functions, key=lambda code: len(code.co_code))
    around = (lambda: lambda: None).__code__
    held = tuple(solving if isinstance(one, types.CodeType) else one for one in around.co_consts)
    types.FunctionType(around.replace(co_consts=held), {})


def is_honest():
    with unheard():
        connects()
    with socket.socket() as probed:
        probed.bind(("127.0.0.1", 0))
    ours, theirs = multiprocessing.Pipe()
    ours.send(sum([1]))
    theirs.recv()


FORK = ["another process, or an interpreter in it"]

DEEDS = [
    (forks, FORK),
    (forks_unseen, FORK),
    (forks_outside_python, FORK),
    (starts_afresh, FORK),
    (starts_a_program, ["another program ('/bin/true')", *FORK]),
    (interprets, FORK),
    (connects, ["a connection (('127.0.0.1', 9))"]),
    (makes_a_function, ["assets.itinbench.solver._geodesic_lengths as a function of text"]),
    (makes_a_function_around_it, [f"assets.itinbench.solver._geodesic_lengths as a function of {__file__}"]),
    (is_honest, []),
]


def told_after(deed):
    """Return what is told of a process that does something and judges then."""
    deed()
    return ran(["assets.itinbench.solver"])


@pytest.mark.parametrize(("deed", "told"), DEEDS, ids=[deed.__name__ for deed, _ in DEEDS])
def test_a_judge_that_may_have_asked_somebody_else_is_told(deed, told):
    assert in_own_process(watched, told_after, deed) == told


def told_by_a_fork(first):
    """Return what is told of a judge that is a fork of the process which read the release."""
    watched(first)
    ours, theirs = multiprocessing.Pipe()
    if not os.fork():
        theirs.send(ran([]))
        os._exit(0)
    return ours.recv()


@pytest.mark.parametrize(("first", "told"), [(int, []), (forks, FORK), (starts_afresh, FORK)])
def test_a_judge_is_told_of_what_was_forked_before_it_and_not_of_its_own_fork(first, told):
    assert in_own_process(told_by_a_fork, first) == told
