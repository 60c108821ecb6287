"""A function called in a process of its own, which does not outlive its caller or an error.

`in_own_process` serves callers that may start no process by `multiprocessing`, as a Dask worker below its nanny: at its
other end is `python -m pipelines.walk.own_process`.
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
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar

from assets.core.garbage import look_seldom
from assets.core.processes import begin, fresh_processes

Given = TypeVar("Given")

ROOT = Path(__file__).resolve().parents[2]
WORDS = ("-m", "pipelines.walk.own_process")


def in_own_process(function: Callable[..., Given], *given: Any) -> Given:
    """Return what a function of a module gives in a process that has run nothing else, and that ends with this one.

    Raises what it raises, and ChildProcessError if the process died.
    """
    words = [sys.executable, *WORDS]
    with subprocess.Popen(words, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:  # noqa: S603  (ours)
        assert child.stdin is not None and child.stdout is not None  # leaving closes the first, at which the child ends
        try:
            child.stdin.write(pickle.dumps((function, given)))
            child.stdin.flush()
            answer = pickle.load(child.stdout)  # noqa: S301  (our child's)
        except (BrokenPipeError, EOFError, pickle.UnpicklingError):  # the last, where it died in its answer
            with contextlib.suppress(BrokenPipeError):
                child.stdin.close()
            raise _died(function, child.wait()) from None
    return _given(answer)


class OwnProcesses:
    """Calls functions, each in a fresh process, so many at once; what still runs when it is left is ended."""

    def __init__(self, most: int) -> None:
        self._threads = ThreadPoolExecutor(most, thread_name_prefix="own process")
        self._processes = fresh_processes()
        self._running: set[ForkServerProcess] = set()
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

    def submit(self, function: Callable[..., Given], *given: Any, after: Future[Any] | None = None) -> Future[Given]:
        """Return the future of what the function gives; it raises what `in_own_process` does.

        It is called once the call `after` has ended, if one is named, with that one's result as the last argument.
        """
        return self._threads.submit(self._called, function, given, after)

    def _called(self, function: Callable[..., Given], given: tuple[Any, ...], after: Future[Any] | None) -> Given:
        given = (*given, after.result()) if after is not None else given
        with self._lock:
            if self._is_left:
                raise ChildProcessError(f"{_name(function)} was not begun: its caller has ended")
            ours, theirs = self._processes.Pipe(duplex=False)
            child = self._processes.Process(target=_answered, args=(theirs, dict(os.environ), function, given))
            child.start()
            theirs.close()
            self._running.add(child)
        try:
            answer = ours.recv()
        except (EOFError, OSError, pickle.UnpicklingError):  # the last, where it died in its answer
            child.join()
            raise _died(function, child.exitcode) from None
        finally:
            with self._lock:
                self._running.discard(child)
            ours.close()
            child.join()
        return _given(answer)


def _given(answer: tuple[bool, Any]) -> Any:
    is_whole, came = answer
    if not is_whole:
        raise came
    return came


def _died(function: Callable[..., Any], exit_code: int | None) -> ChildProcessError:
    return ChildProcessError(f"the process that ran {_name(function)} died (exit {exit_code})")


def _name(function: Callable[..., Any]) -> str:
    return f"{function.__module__}.{function.__qualname__}"


def _answer_of(function: Callable[..., Any], given: tuple[Any, ...]) -> tuple[bool, Any]:
    try:
        return True, function(*given)
    except Exception as error:  # the caller's, as if it had called the function itself
        return False, error


def _answered(caller: Connection, environment: dict[str, str], function: Callable[..., Any], given: Any) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    begin(environment)
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what the function prints is for people
    caller.send(_answer_of(function, given))


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
    look_seldom()
    answers.write(pickle.dumps(_answer_of(function, given)))
    answers.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
