"""How a command ends where something is wrong: 1 for data, with what to do; 70 for a fault of ours, with its log."""

from __future__ import annotations

import errno
import functools
import os
import tempfile
import traceback
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path
from typing import Any, TypeVar

import typer
from typer.exceptions import TyperException

from assets.answers import family_failure
from pipelines import console
from pipelines.interrupts import interrupts_raised
from pipelines.streams import OutputError
from schemas.errors import ExpectedError
from schemas.shown import shown
from warehouse.bucket import WAITING
from warehouse.disk import DiskFullError, full, is_full
from warehouse.home import DEFAULT_HOME, HOME_VARIABLE

DATA, FAULT = 1, 70
"""Exit codes; 70 is EX_SOFTWARE of sysexits.h."""

REMEDIES = {
    errno.EACCES: "give yourself the right to it (chmod, chown), or name another place",
    errno.EPERM: "give yourself the right to it (chmod, chown), or name another place",
    errno.EROFS: "it is on a disk that can only be read: name another place, or with --home another home",
    errno.ENOENT: "expected it to be there: check the path",
    errno.EISDIR: "expected a file: name one in the folder",
    errno.ENOTDIR: "expected a folder: name another place",
    errno.EEXIST: "it is there already: name another, or move it away",
    errno.ENAMETOOLONG: "choose a shorter path",
    errno.EMFILE: "let the system open more files (ulimit -n 4096)",
}

_HOME: ContextVar[str | None] = ContextVar("home", default=None)
"""The home that the command was given, in which a fault's log is kept."""

Command = TypeVar("Command", bound=Callable[..., Any])


class Stop(typer.Exit):
    """Ends a command with an exit code: 1 for data, 2 for usage, 70 for a fault of ours."""


def tell_errors(command: Command) -> Command:
    """Return the command with all its errors told, those of opening its home too."""

    @functools.wraps(command)
    def run(*args: Any, **keywords: Any) -> Any:
        before, unheard = _HOME.set(keywords.get("home")), WAITING.set(say)
        try:
            with errors_told(bool(keywords.get("as_json"))):
                return command(*args, **keywords)
        finally:
            WAITING.reset(unheard)
            _HOME.reset(before)

    return run  # pyright: ignore[reportReturnType]


def say(text: str) -> None:
    """Tell people a line, beside what a command gives."""
    console.ERR.print(console.Text(text), soft_wrap=True)


@contextmanager
def errors_told(as_json: bool) -> Iterator[None]:
    """End the command with its exit code and the error's text, and under `--json` an object with it."""
    try:
        with interrupts_raised():
            yield
    except (typer.Exit, typer.Abort, TyperException):
        raise
    except BrokenPipeError:
        raise Stop(DATA) from None  # who read our output went away; there is nobody to tell
    except OutputError as error:
        _end(False, {"error": str(error)}, DATA)
    except ExpectedError as error:
        _end(as_json, {"error": str(error)}, DATA)
    except OSError as error:
        _end(as_json, {"error": machine_error(error)}, DATA)
    except Exception as error:
        log, fault = _logged(error), family_failure(error) or f"{type(error).__name__}: {error}"
        text = (
            f"a fault of tripwright, not of your data: {fault}. What led to it is in {log}; "
            "please report it with that file"
        )
        _end(as_json, {"error": text, "log": str(log)}, FAULT)


def _end(as_json: bool, fields: dict[str, str], code: int) -> None:
    if as_json:
        with suppress(OutputError, BrokenPipeError):  # the error stands on stderr too
            console.print_json({name: shown(text) for name, text in fields.items()})
    with suppress(BrokenPipeError):  # nobody reads stderr: the exit code is left
        console.ERR.print(console.Text(f"error: {shown(fields['error'])}", style="red"), soft_wrap=True)
    raise Stop(code) from None


def machine_error(error: OSError) -> str:
    """Return what the operating system refused, of what, and what to do; of a full disk, which and how much is left."""
    name = error.filename if isinstance(error.filename, str | os.PathLike) else None
    what = f"{os.fspath(name)}: " if name is not None else ""
    reason = error.strerror or str(error) or type(error).__name__
    if isinstance(error, DiskFullError):
        return str(error)
    if is_full(error):
        place = os.fspath(name) if name is not None else _home_folder()
        return f"{reason}: {full('this file' if name is not None else 'a file', place, None, error.errno)}"
    remedy = REMEDIES.get(error.errno or 0)
    return f"{what}{reason}" + (f"; {remedy}" if remedy else "")


def _home_folder() -> str:
    return _HOME.get() or os.environ.get(HOME_VARIABLE) or DEFAULT_HOME


def _logged(error: Exception) -> Path:
    """Return the file that the error's traceback was written to: in the home, or where temporary files go."""
    text = shown("".join(traceback.format_exception(error)))
    name = f"fault-{uuid.uuid4().hex[:8]}.log"
    place = _home_folder()
    for folder in ([] if "://" in place else [Path(place).absolute() / "logs"]) + [Path(tempfile.gettempdir())]:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text, encoding="utf-8", errors="backslashreplace")
        except OSError:
            continue
        return folder / name
    return Path("(nowhere: no folder could be written)")
