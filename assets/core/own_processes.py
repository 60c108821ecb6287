"""Functions called in processes of their own: forks of one that has read what they all need, and computed nothing."""

from __future__ import annotations

import contextlib
import gc
import os
import pickle
import signal
import sys
import threading
import traceback
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess
from queue import SimpleQueue
from types import TracebackType
from typing import Any, NoReturn, TypeVar

from assets.core.garbage import look_seldom
from assets.core.processes import end_with_parent, fresh_processes, take_over, watching_parent

Given = TypeVar("Given")

Answer = tuple[bool | None, Any]
"""Whether a call went well and what came of it; None and the exit code where its process died."""


class OwnProcesses:
    """Calls functions in so many processes at once; what still runs when it is left is ended.

    The first call starts a process that calls `first`, where that is given, and no other function: all calls are
    answered by forks of it, so what it has read is read once and held once. What it raises, every call raises.
    A fork answers calls until one of them kills it.
    """

    def __init__(self, most: int, first: Callable[..., Any] | None = None, *arguments: Any) -> None:
        self._most, self._first = most, (first, arguments)
        self._threads = ThreadPoolExecutor(most, thread_name_prefix="own process")
        self._free: SimpleQueue[Any] = SimpleQueue()
        self._root: ForkServerProcess | None = None
        self._running, self._alive = 0, most
        self._is_left = False
        self._lock = threading.Lock()

    def __enter__(self) -> OwnProcesses:
        """Return what takes calls."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """End the processes that still run, and wait until they have ended."""
        with self._lock:
            self._is_left = True
            if self._root is not None and self._running:
                with contextlib.suppress(ProcessLookupError):  # it has not got so far, and has no forks
                    os.killpg(self._root.pid or 0, signal.SIGKILL)
                self._root.kill()
        self._threads.shutdown(cancel_futures=True)
        while not self._free.empty():
            self._free.get().close()  # at which a fork ends
        if self._root is not None:
            self._root.join()

    def submit(
        self, function: Callable[..., Given], /, *arguments: Any, after: Future[Any] | None = None
    ) -> Future[Given]:
        """Return the future of what the function gives. It raises what that raises; ChildProcessError if it died.

        It is called once the call `after` has ended, if one is named, with that one's result as the last argument.
        """
        return self._threads.submit(self._call_in_fork, function, arguments, after)

    def _call_in_fork(
        self, function: Callable[..., Given], arguments: tuple[Any, ...], after: Future[Any] | None
    ) -> Given:
        arguments = (*arguments, after.result()) if after is not None else arguments
        with self._lock:
            if self._is_left:
                raise ChildProcessError(f"{name_of(function)} was not begun: its caller has ended")
            if self._root is None:
                self._root = self._start_root()
            self._running += 1
        pipe, is_alive = self._free.get(), True
        try:
            pipe.send_bytes(pickle.dumps((function, arguments)))
            answer: Answer = pipe.recv()
            is_alive = answer[0] is not None
        except (EOFError, OSError, pickle.UnpicklingError):  # the last, where it died in its answer
            is_alive = False
            raise death_error(function, None) from None
        finally:
            with self._lock:
                self._running -= 1
                self._alive -= not is_alive
                is_kept = is_alive or self._alive <= 0  # where all have died, later calls say so
            if is_kept:
                self._free.put(pipe)
            else:
                pipe.close()
        return what_came(function, answer)

    def _start_root(self) -> ForkServerProcess:
        processes = fresh_processes()
        pipes = [processes.Pipe() for _ in range(self._most)]
        child_ends = [child_end for _, child_end in pipes]
        root = processes.Process(target=_read_and_fork, args=(child_ends, dict(os.environ), *self._first))
        root.start()
        for parent_end, child_end in pipes:
            child_end.close()
            self._free.put(parent_end)
        return root


def answer_of(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Answer:
    """Return what comes of a call."""
    try:
        return True, function(*arguments)
    except Exception as error:  # the caller's, as if it had called the function itself; its frames stay here
        error.add_note(f"In a process of its own:\n{traceback.format_exc()}")
        return False, error


def what_came(function: Callable[..., Any], answer: Answer) -> Any:
    """Return what a call gave. Raises what it raised, and ChildProcessError where its process died."""
    is_whole, came = answer
    if is_whole is None:
        raise death_error(function, came)
    if not is_whole:
        raise came
    return came


def death_error(function: Callable[..., Any], exit_code: int | None) -> ChildProcessError:
    """Return the error of a process that died."""
    return ChildProcessError(f"the process that ran {name_of(function)} died (exit {exit_code})")


def name_of(function: Callable[..., Any]) -> str:
    """Return a function's name, with its module's."""
    return f"{function.__module__}.{function.__qualname__}"


def _read_and_fork(
    pipes: list[Connection], environment: dict[str, str], first: Callable[..., Any] | None, arguments: tuple[Any, ...]
) -> None:
    """Call `first`, then fork one process for each pipe, which answers the calls that come by it.

    No thread of ours is left then: a fork of a process with threads may wait for one that it does not have.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is left to the caller, with which all of these end
    os.setpgid(0, 0)
    take_over(environment)
    look_seldom()
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what a function prints is for people
    with watching_parent():
        went_well, came = answer_of(first, arguments) if first is not None else (True, None)
    gc.freeze()
    answering: dict[int, Connection] = {}
    for pipe in pipes:
        fork = os.fork()
        if not fork:
            for other in pipes:
                if other is not pipe:
                    other.close()
            _answer_calls(pipe, None if went_well else came)
        answering[fork] = pipe
    while answering:
        fork, status = os.wait()
        code, pipe = os.waitstatus_to_exitcode(status), answering.pop(fork)
        if code:
            with contextlib.suppress(OSError):  # the caller is gone
                pipe.send((None, code))
        pipe.close()


def _answer_calls(pipe: Connection, problem: Exception | None) -> NoReturn:
    """Answer calls until the caller is gone."""
    end_with_parent()
    try:
        while True:
            packed = pipe.recv_bytes()
            pipe.send_bytes(_packed_answer(packed) if problem is None else pickle.dumps((False, problem)))
            sys.stdout.flush()
    except (EOFError, OSError):
        os._exit(0)
    finally:
        os._exit(1)


def _packed_answer(packed: bytes) -> bytes:
    try:
        return pickle.dumps(answer_of(*pickle.loads(packed)))  # noqa: S301  (our caller's)
    except Exception as error:  # neither side can send it: that is told instead
        return pickle.dumps((False, TypeError(f"a call or what it gave cannot be sent: {error}")))
