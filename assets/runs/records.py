"""A run on disk: JSON lines, a head that says what is run, then one line a task; kill -9 loses the last alone.

A line is written whole and flushed; one that was cut off is taken away when the run goes on.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from schemas.errors import ExpectedError

FORMAT = 1


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


def begin(path: Path, head: Head, begun: str = "") -> set[str]:
    """Return the tasks that a run has already, after its file was made ready to be added to.

    `begun` is when it began, and no part of what it is. Raises RunError if the file is of another run.
    """
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(_json({"run": asdict(head), "begun": begun}) + "\n", encoding="utf-8")
        return set()
    data = path.read_bytes()
    whole = data[: data.rfind(b"\n") + 1]
    if len(whole) < len(data):
        with path.open("r+b") as file:
            file.truncate(len(whole))
    if not whole:
        path.unlink()
        return begin(path, head, begun)
    found = read_run(path)
    if found.head != head:
        differ = [name for name, value in asdict(head).items() if getattr(found.head, name) != value]
        raise RunError(
            f"{path}: found another run (it differs in {', '.join(differ)}); name another file with --out, or remove it"
        )
    return set(found.lines)


def add(path: Path, line: Line) -> None:
    """Write one line, whole, to the end of a run."""
    with path.open("ab") as file:
        file.write((_json(asdict(line)) + "\n").encode("utf-8", "backslashreplace"))


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
            if number == 1:
                head, begun = Head(**value["run"]), str(value.get("begun", ""))
            else:
                line = Line(**value)
                lines.setdefault(line.task_id, line)
        except (TypeError, KeyError):
            problems.append(f"  - line {number}: {'no head of a run' if number == 1 else 'no line of a run'}")
    if head is None and not problems:
        problems.append("  - it is empty")
    if head is not None and head.format != FORMAT:
        problems.append(f"  - it is of format {head.format}; expected {FORMAT}")
    if problems or head is None:
        raise RunError(f"{path}: no run that can be read:\n" + "\n".join(problems[:20]))
    return Run(path, head, lines, begun)


def _values(path: Path, problems: list[str]) -> Iterator[tuple[int, Mapping[str, Any]]]:
    for number, text in enumerate(path.read_text(encoding="utf-8", errors="replace").split("\n"), 1):
        if not text:
            continue
        try:
            value = json.loads(text)
        except ValueError:
            value = None
        if isinstance(value, dict):
            yield number, value
        else:
            problems.append(f"  - line {number}: expected a JSON object")


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
