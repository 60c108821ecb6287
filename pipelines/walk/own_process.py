"""A function called in a fresh process: `python -m pipelines.walk.own_process` is the other end.

For callers that may start no process by `multiprocessing`: a Dask worker below its nanny is one.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

Given = TypeVar("Given")

ROOT = Path(__file__).resolve().parents[2]
WORDS = ("-m", "pipelines.walk.own_process")


def in_own_process(function: Callable[..., Given], *given: Any) -> Given:
    """Return what a function of a module gives in a process that has run nothing else, and that ends with this one.

    Raises what it raises, and ChildProcessError if the process died.
    """
    words = [sys.executable, *WORDS]
    # Leaving the `with` closes the child's input, at which it ends.
    with subprocess.Popen(words, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:  # noqa: S603  (ours)
        assert child.stdin is not None and child.stdout is not None
        try:
            child.stdin.write(pickle.dumps((function, given)))
            child.stdin.flush()
            is_whole, came = pickle.load(child.stdout)  # noqa: S301  (our child's)
        except (BrokenPipeError, EOFError):
            with contextlib.suppress(BrokenPipeError):
                child.stdin.close()
            name = f"{function.__module__}.{function.__qualname__}"
            raise ChildProcessError(f"the process that ran {name} died (exit {child.wait()})") from None
    if not is_whole:
        raise came
    return came


def _end_with(caller: Any) -> None:
    caller.read()
    os._exit(1)


def main() -> None:
    """Answer one call on the standard streams: what is called and given, whether it went well, what came."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what the function prints is no answer
    function, given = pickle.load(sys.stdin.buffer)  # noqa: S301  (our parent's)
    threading.Thread(target=_end_with, args=(sys.stdin.buffer,), daemon=True).start()
    try:
        told = True, function(*given)
    except Exception as error:  # the caller's, as if it had called the function itself
        told = False, error
    answers.write(pickle.dumps(told))
    answers.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
