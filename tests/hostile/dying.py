"""Runs a command in this process, which ends (kill -9) at its Nth moment: a use of a file below a folder.

    python -m tests.hostile.dying N FOLDER WORDS…      N! for Ctrl-C instead

A moment is no time: it is counted by Python's audit hooks (opened, made, renamed, linked, listed or removed), so that a
slow machine dies at the same place. A file that is begun at the moment of death is left half written. With N = 0 the
command lives, and the number of its moments is the last line on stderr. `died` does the same in a process that begins
with most modules imported: for commands of which many are killed.
"""

from __future__ import annotations

import atexit
import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from assets.core.processes import fresh_processes, take_over

WATCHED = {
    "open", "os.rename", "os.link", "os.remove", "os.mkdir", "os.rmdir", "os.scandir", "os.listdir", "os.truncate",
    "shutil.rmtree", "shutil.copyfile", "shutil.move",
}  # fmt: skip
HALF = b"PAR1 half"


def die_at(number: int, folder: str, by: signal.Signals = signal.SIGKILL) -> Callable[[], int]:
    """Have this process get a signal at its Nth moment below the folder; return how many moments there were so far."""
    count, owner = [0], os.getpid()

    def seen(event: str, given: tuple[Any, ...]) -> None:
        if event not in WATCHED or os.getpid() != owner:
            return
        if not any(isinstance(part, str) and part.startswith(folder) for part in map(_path, given)):
            return
        count[0] += 1
        if count[0] == number:
            if event == "open" and by == signal.SIGKILL:
                _begin(*given)
            os.kill(owner, by)

    sys.addaudithook(seen)
    return lambda: count[0]


def died(number: int, folder: Path, *words: object) -> tuple[int, int]:
    """Return the exit code of a command that dies at its Nth use of a folder, and how many uses there were if it lived.

    It runs in a process of its own, a fork of the server that judges are forked from.
    """
    processes = fresh_processes()
    ours, theirs = processes.Pipe(duplex=False)
    given = (number, str(folder), [str(word) for word in words], theirs, dict(os.environ))
    process = processes.Process(target=_run_and_die, args=given)
    process.start()
    theirs.close()
    process.join()
    with suppress(EOFError):
        return process.exitcode or 0, ours.recv()
    return process.exitcode or 0, 0


def _run_and_die(number: int, folder: str, words: list[str], told: Connection, environment: dict[str, str]) -> None:
    take_over(environment)
    from pipelines.cli import app

    moments = die_at(number, folder)
    try:
        app(words)
    finally:
        told.send(moments())


def _path(given: Any) -> Any:
    return os.fspath(given) if isinstance(given, os.PathLike) else given


def _begin(path: Any, mode: Any, flags: int) -> None:
    """Leave a file half written, where one is about to be written anew."""
    if flags & (os.O_TRUNC | os.O_EXCL) and flags & (os.O_WRONLY | os.O_RDWR):
        with suppress(OSError):
            file = os.open(path, flags, 0o644)
            os.write(file, HALF)


def main() -> None:
    """Run the command."""
    number, folder, *words = sys.argv[1:]
    from pipelines.cli import app

    by = signal.SIGINT if number.endswith("!") else signal.SIGKILL
    signal.signal(signal.SIGINT, signal.default_int_handler)  # tests begun in the background of a shell ignore it
    moments = die_at(int(number.rstrip("!")), folder, by)
    if number == "0":
        atexit.register(lambda: print(moments(), file=sys.stderr))  # noqa: T201
    app(words)


if __name__ == "__main__":
    main()
