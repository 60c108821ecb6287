"""What a process has executed: a judge of plans must have run no code that finds them, under whatever name.

A solver that is imported as itself stands in `sys.modules`. One whose file is executed under another name, or that was
copied into another file, does not; but Python tells of all code that it executes, of functions that it makes of code,
and of the processes, interpreters and sockets by which it may ask somebody else (PEP 578). Of processes that are
started without Python's knowledge the system tells.
"""

from __future__ import annotations

import os
import resource
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib.util import find_spec
from types import CodeType
from typing import Any, TypeVar

Given = TypeVar("Given")

LEAST_BYTES = 250
"""Bytecode of a function that is no other by chance, some ten lines: of ours two modules share none that is longer."""

STARTING = ("os.exec", "os.posix_spawn", "os.spawn", "os.system", "subprocess.Popen")
"""Events of starting another program (the audit events table of Python's documentation)."""

FORKING = ("cpython.PyInterpreterState_New", "os.fork", "os.forkpty")
"""Events of going on as another process or interpreter, of which nothing is heard."""

ASKING = ("socket.connect", "socket.sendmsg", "socket.sendto")
"""Events of speaking with another process. To bind a socket is none: libraries do to see what there is."""

_FILES: set[str] = set()
_FUNCTIONS: dict[bytes, str] = {}
"""Bytecode of functions, with the file of each; names of variables are no part of it."""

_FORK = "another process, or an interpreter in it"

_STARTED: list[str] = []
"""In words, with whom else the process, or the one that it is a fork of, may have spoken."""

_FORKED: list[int] = []
"""The processes that went on as others: a fork inherits what its parent has noted, and is none of its own."""


def watched(function: Callable[..., Given], *given: Any) -> Given:
    """Return what a function gives, in a process of which from now on is noted what it executes.

    The process may be forked afterwards; what the function itself forked or started is told of by all of these.
    """
    had_children = _has_had_children()
    _watch()
    try:
        return function(*given)
    finally:
        if os.getpid() in _FORKED or (_has_had_children() and not had_children):
            _STARTED.append(_FORK)


@contextmanager
def unheard() -> Iterator[None]:
    """Have what is started or asked within not be noted: the keeping of verdicts, which may be in a bucket."""
    before = len(_STARTED)
    yield
    del _STARTED[before:]


@cache
def _watch() -> None:
    """Have Python tell what is executed, and take what the families' modules have that were imported before."""
    for name, module in list(sys.modules.items()):
        if name.startswith("assets.") and (code := _code_of(name)) is not None:
            _take(code, module.__file__ or name)
    sys.addaudithook(_hear)


def is_watched() -> bool:
    """Return whether it is noted what this process executes: it judges, and does nothing else."""
    return bool(_watch.cache_info().currsize)


def ran(modules: Iterable[str]) -> list[str]:
    """Return, in words, what this process has executed of these modules as something else, and what it has started.

    Only of the time since it is watched.
    """
    is_forked = is_watched() and (os.getpid() in _FORKED or _has_had_children())
    findings = [*_STARTED, *([_FORK] if is_forked else [])]
    for name in sorted(set(modules).difference(sys.modules)):
        code = _code_of(name)
        if code is None:
            continue
        if code.co_filename in _FILES:
            findings.append(f"{name} under another name")
            continue
        files_of_functions = ((function.co_name, _FUNCTIONS.get(function.co_code)) for function in long_functions(code))
        findings += [
            f"{name}.{function} as a function of {path}" for function, path in files_of_functions if path is not None
        ]
    return findings


def _hear(event: str, arguments: tuple[Any, ...]) -> None:
    if event == "exec" and isinstance(arguments[0], CodeType):
        _take(arguments[0], arguments[0].co_filename)
    elif event == "function.__new__":
        _keep(arguments[0], arguments[0].co_filename)
        _take(arguments[0], arguments[0].co_filename)
    elif event in FORKING:
        _FORKED.append(os.getpid())
    elif event in STARTING:
        _STARTED.append(f"another program ({arguments[0]!r:.80})")
    elif event in ASKING:
        _STARTED.append(f"a connection ({arguments[-1]!r:.80})")


def _take(code: CodeType, where: str) -> None:
    _FILES.add(code.co_filename)
    for function in long_functions(code):
        _keep(function, where)


def _keep(function: CodeType, where: str) -> None:
    _FUNCTIONS.setdefault(function.co_code, where)


def _has_had_children() -> bool:
    """Return whether the process has, or has waited for, processes that it started."""
    if resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss:
        return True
    try:
        os.waitpid(-1, os.WNOHANG)
    except ChildProcessError:
        return False
    return True


def long_functions(code: CodeType) -> Iterator[CodeType]:
    """Yield the functions in code, at any depth, that are long enough to tell one from another."""
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            if len(inner.co_code) >= LEAST_BYTES:
                yield inner
            yield from long_functions(inner)


def _code_of(name: str) -> CodeType | None:
    """Return a module's code, without executing it; None for what is no file of Python."""
    spec = find_spec(name)
    get_code = getattr(spec.loader, "get_code", None) if spec is not None else None
    return get_code(name) if get_code is not None else None
