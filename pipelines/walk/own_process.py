"""A function called in a process of its own, where none may be started by `multiprocessing`: below a Dask nanny.

At the other end is `python -m pipelines.walk.own_process`, which does not outlive its caller or an error.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from assets.core.garbage import look_seldom
from assets.core.own_processes import answer_of, death_error, what_came

Given = TypeVar("Given")

ROOT = Path(__file__).resolve().parents[2]
WORDS = ("-m", "pipelines.walk.own_process")


def in_own_process(function: Callable[..., Given], *arguments: Any) -> Given:
    """Return what a function of a module gives in a process that has run nothing else, and that ends with this one.

    Raises what it raises, and ChildProcessError if the process died.
    """
    words = [sys.executable, *WORDS]
    with subprocess.Popen(words, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:  # noqa: S603  (ours)
        assert child.stdin is not None and child.stdout is not None  # leaving closes the first, at which the child ends
        try:
            child.stdin.write(pickle.dumps((function, arguments)))
            child.stdin.flush()
            answer = pickle.load(child.stdout)  # noqa: S301  (our child's)
        except (BrokenPipeError, EOFError, pickle.UnpicklingError):  # the last, where it died in its answer
            with contextlib.suppress(BrokenPipeError):
                child.stdin.close()
            raise death_error(function, child.wait()) from None
    return what_came(function, answer)


def _end_with(caller: Any) -> None:
    caller.read()
    os._exit(1)


def main() -> None:
    """Answer one call on the standard streams: what is called and given, whether it went well, what came.

    Ctrl-C is left to the caller, with which this process ends.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what the function prints is no answer
    function, arguments = pickle.load(sys.stdin.buffer)  # noqa: S301  (our parent's)
    threading.Thread(target=_end_with, args=(sys.stdin.buffer,), daemon=True).start()
    look_seldom()
    answers.write(pickle.dumps(answer_of(function, arguments)))
    answers.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
