"""A function called in a fresh process: `python -m pipelines.walk.own_process` is the other end.

For callers that may start no process by `multiprocessing`: a Dask worker below its nanny is one. And for callers whose
processes must not outlive an error: those of `OwnProcesses` end with it.
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
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar

Given = TypeVar("Given")

ROOT = Path(__file__).resolve().parents[2]
WORDS = ("-m", "pipelines.walk.own_process")


def in_own_process(function: Callable[..., Given], *given: Any) -> Given:
    """Return what a function of a module gives in a process that has run nothing else, and that ends with this one.

    Raises what it raises, and ChildProcessError if the process died.
    """
    # Leaving the `with` closes the child's input, at which it ends.
    with _begun() as child:
        return _answer(child, function, given)


class OwnProcesses:
    """Calls functions, each in a fresh process, so many at once; what still runs when it is left is ended."""

    def __init__(self, most: int) -> None:
        self._threads = ThreadPoolExecutor(most, thread_name_prefix="own process")
        self._running: set[subprocess.Popen[bytes]] = set()
        self._lock = threading.Lock()
        self._is_left = False

    def __enter__(self) -> OwnProcesses:
        """Return what takes calls."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """End the processes that still run, and wait until they have ended."""
        with self._lock:
            self._is_left = True
            for child in self._running:
                child.kill()
        self._threads.shutdown(cancel_futures=True)

    def submit(self, function: Callable[..., Given], *given: Any) -> Future[Given]:
        """Return the future of what the function gives; it raises what `in_own_process` does."""
        return self._threads.submit(self._called, function, *given)

    def _called(self, function: Callable[..., Given], *given: Any) -> Given:
        with self._lock:
            if self._is_left:
                raise ChildProcessError(f"{_name(function)} was not begun: its caller has ended")
            child = _begun()
            self._running.add(child)
        try:
            with child:
                return _answer(child, function, given)
        finally:
            with self._lock:
                self._running.discard(child)


def _begun() -> subprocess.Popen[bytes]:
    words = [sys.executable, *WORDS]
    return subprocess.Popen(words, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE)  # noqa: S603  (ours)


def _answer(child: subprocess.Popen[bytes], function: Callable[..., Given], given: tuple[Any, ...]) -> Given:
    assert child.stdin is not None and child.stdout is not None
    try:
        child.stdin.write(pickle.dumps((function, given)))
        child.stdin.flush()
        is_whole, came = pickle.load(child.stdout)  # noqa: S301  (our child's)
    except (BrokenPipeError, EOFError, pickle.UnpicklingError):  # the last, where it died in the middle of its answer
        with contextlib.suppress(BrokenPipeError):
            child.stdin.close()
        raise ChildProcessError(f"the process that ran {_name(function)} died (exit {child.wait()})") from None
    if not is_whole:
        raise came
    return came


def _name(function: Callable[..., Any]) -> str:
    return f"{function.__module__}.{function.__qualname__}"


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
