"""A run on disk: JSON lines, a head that says what is run, then one line a task; kill -9 loses the last alone.

A line is written whole and flushed; one that was cut off is taken away when the run goes on.
"""

from __future__ import annotations

import errno
import fcntl
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, cast, get_args, get_origin, get_type_hints

from assets.core.no_solution import LEVEL
from schemas.errors import ExpectedError
from schemas.json_lines import MAX_LINE_BYTES, json_lines, json_object, lines_told, unstorable
from schemas.stable import compact_json
from warehouse.disk import standard_stream, writing

FORMAT = 1
MOST_COST = 1e12
"""No run costs so much; infinity and what is no number are no cost either."""


class RunError(ExpectedError):
    """A file is no run, or another one; says what was found and what to do."""


@dataclass(frozen=True)
class Head:
    """What a run is of: equal heads are one run, which goes on where it stopped."""

    release: str
    family: str
    planner: str
    model: str = ""
    setting: str = ""
    variant: str = "ours"
    seed: int = 0
    users: str = ""
    unsolvable: int = 0
    format: int = FORMAT


@dataclass(frozen=True)
class Line:
    """What a planner did with one task. `plan` is null where its text could not be read, with the `problem`."""

    task_id: str
    level: str
    text: str
    plan: Any = None
    read_by: str = ""
    problem: str = ""
    trial: dict[str, Any] = field(default_factory=dict)
    log: list[dict[str, Any]] = field(default_factory=list)
    generation_ids: list[str] = field(default_factory=list)
    cost: float = 0.0


@dataclass(frozen=True)
class Run:
    """One run as read from its file."""

    path: Path
    head: Head
    lines: dict[str, Line]
    begun: str = ""

    @property
    def name(self) -> str:
        """Return the planner, with the model where one was asked, and the setting."""
        parts = [self.head.planner, self.head.model, self.head.setting]
        return " ".join(dict.fromkeys(part for part in parts if part))

    @property
    def release_tasks(self) -> frozenset[str]:
        """Return the tasks that are the release's own: those without a solution are in no figure but their own."""
        return frozenset(task_id for task_id, line in self.lines.items() if line.level != LEVEL)


_READ_ONLY = errno.EACCES, errno.EPERM, errno.EROFS


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """Hold a run's file inside the `with`, so that no task is played or judged, and paid, twice at once.

    The file is made if it is not there, and one in which nothing was written is removed. The system lets a file go when
    its holder ends, however it ends. One that may only be read is held with other readers: it has to be done already.
    Raises RunError where another process holds it, or put another file in its place while it was opened here, and for
    what is no file that can be read back, or the one that this process prints to.
    """
    if path.exists() and not path.is_file() and not path.is_dir():
        raise RunError(
            f"{path}: found a pipe or a device; expected a file, which a run that goes on is read from. Name one"
        )
    if standard_stream(path) is not None:
        raise RunError(
            f"{path}: found the file that this command's own output goes to, which would go over its first lines. "
            "Name another"
        )
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        stream, lock = path.open("ab"), fcntl.LOCK_EX
    except OSError as error:
        if error.errno not in _READ_ONLY or not path.is_file():
            raise
        stream, lock = path.open("rb"), fcntl.LOCK_SH
    with stream as file:
        try:
            fcntl.flock(file, lock | fcntl.LOCK_NB)
            is_ours = path.exists() and os.path.samestat(path.stat(), os.fstat(file.fileno()))
        except BlockingIOError:
            is_ours = False
        if not is_ours:
            raise RunError(
                f"{path}: found another process that plays or judges it now; wait until it has ended, or name another "
                "file for a run of its own (`tripwright run --out`)"
            )
        try:
            yield
        finally:
            if path.is_file() and not path.stat().st_size:
                path.unlink()


def begin(path: Path, head: Head, begun: str = "") -> set[str]:
    """Return the tasks that a run has already, after its file was made ready to be added to.

    `begun` is when it began, and no part of what it is. Raises RunError if the file is of another run, or the head
    holds what no table does.
    """
    if problem := unstorable(asdict(head)):
        raise RunError(f"{path}: no run begins with {problem}")
    if not path.exists() or not cut_to_whole_lines(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        with writing(f"the run {path.name}", path.parent), path.open("ab") as file:
            file.write((compact_json({"run": asdict(head), "begun": begun}) + "\n").encode())
        return set()
    run = read_run(path)
    if run.head != head:
        differ = [name for name, value in asdict(head).items() if getattr(run.head, name) != value]
        raise RunError(
            f"{path}: found another run (it differs in {', '.join(differ)}); name another file with --out, or remove it"
        )
    return set(run.lines)


def cut_to_whole_lines(path: Path) -> int:
    """Take a last line that was cut off away from a file, and return how many bytes it has."""
    data = path.read_bytes()
    whole_bytes = data.rfind(b"\n") + 1
    if whole_bytes < len(data):
        with path.open("r+b") as file:
            file.truncate(whole_bytes)
    return whole_bytes


def add(path: Path, line: Line) -> None:
    """Write one line, whole, to the end of a run."""
    with writing(f"the run {path.name}", path.parent), path.open("ab") as file:
        file.write(_bytes(line) + b"\n")


def readable(line: Line) -> Line:
    """Return the line, or where its words are such that no file of a run is read with them, why they are left out."""
    data = _bytes(line)
    problem = "longer than a line may be" if len(data) > MAX_LINE_BYTES else json_object(data)[1]
    if not problem:
        return line
    left_out = f"what was said is left out, for it could not be read again: {problem}"
    return Line(line.task_id, line.level, "", problem=left_out, generation_ids=line.generation_ids, cost=line.cost)


def forget_unplayed(path: Path) -> None:
    """Empty the file of a run in which no task was kept: it holds nothing but what was to be run."""
    with path.open("r+b") as file:
        if not file.readline() or not file.readline():
            file.truncate(0)


def read_run(path: Path) -> Run:
    """Return a run. Raises RunError naming every line that is none; the first of two lines of one task counts."""
    if not path.is_file():
        raise RunError(f"{path}: found no file; expected a run, as `tripwright run` writes it")
    problems: list[str] = []
    head: Head | None = None
    begun = ""
    lines: dict[str, Line] = {}
    for number, value in _values(path, problems):
        try:
            record = Head(**value["run"]) if number == 1 else Line(**value)
            problems += [f"line {number}: {misfit}" for misfit in _misfits(record)]
            if isinstance(record, Head):
                problems += [f"line {number}: {problem}" for problem in filter(None, [unstorable(value)])]
                head, begun = record, str(value.get("begun", ""))
            elif isinstance(record.task_id, str):
                lines.setdefault(record.task_id, record)
        except (TypeError, KeyError):
            problems.append(f"line {number}: {'no head of a run' if number == 1 else 'no line of a run'}")
    if head is None and not problems:
        problems.append("it is empty")
    if head is not None and head.format != FORMAT:
        problems.append(f"it is of format {head.format}; expected {FORMAT}")
    if problems or head is None:
        raise RunError(
            f"{path}: no run that can be read:\n{lines_told(problems)}\nExpected a file that `tripwright run` wrote; "
            "take such lines out, or run again with another --out"
        )
    return Run(path, head, lines, begun)


def _misfits(record: Head | Line) -> list[str]:
    """Return which fields are of other types than they are declared to be."""
    misfits = []
    for name, kind in get_type_hints(type(record)).items():
        value: Any = getattr(record, name)
        outer = get_origin(kind) or kind
        is_right: bool = outer is Any or isinstance(value, outer)
        if outer is float:
            is_right = isinstance(value, int | float) and 0 <= value < MOST_COST
        if outer in (int, float):
            is_right = is_right and not isinstance(value, bool)
        if outer is list and is_right:
            of = get_origin(get_args(kind)[0]) or get_args(kind)[0]
            is_right = all(isinstance(item, of) for item in cast(list[Any], value))
        misfits += [] if is_right else [f"{name} is {value!r:.60}; expected {_WORDS[outer]}"]
    return misfits


_WORDS = {
    str: "text",
    int: "a whole number",
    float: "a number from 0",
    dict: "an object",
    list: "a list as it was written",
}


def _values(path: Path, problems: list[str]) -> Iterator[tuple[int, Mapping[str, Any]]]:
    for line in json_lines(path):
        if line.problem:
            problems.append(f"line {line.number}: {line.problem}")
        else:
            yield line.number, line.value


def _bytes(line: Line) -> bytes:
    return compact_json(asdict(line)).encode("utf-8", "backslashreplace")
