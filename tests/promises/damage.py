"""Damage done to a release's files: 25 trials a family, six ways over every kind of file."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

WAYS = ("flip", "cut", "empty", "delete", "swap", "append")
TRIALS = 25


@dataclass(frozen=True)
class Trial:
    """What is done to a file; `other` is the file that it changes places with."""

    way: str
    name: str
    other: str = ""

    @property
    def damaged(self) -> tuple[str, ...]:
        """Return the files that are not what they were."""
        return (self.name, self.other) if self.other else (self.name,)

    def apply(self, folder: Path, draw: random.Random) -> None:
        """Do the damage."""
        path = folder / self.name
        data = path.read_bytes()
        if self.way == "flip":
            at = draw.randrange(len(data))
            path.write_bytes(data[:at] + bytes([data[at] ^ 1 << draw.randrange(8)]) + data[at + 1 :])
        elif self.way == "cut":
            path.write_bytes(data[: draw.randrange(1, len(data))])
        elif self.way == "empty":
            path.write_bytes(b"")
        elif self.way == "delete":
            path.unlink()
        elif self.way == "append":
            path.write_bytes(data + draw.randbytes(draw.randrange(1, 40)))
        else:
            path.write_bytes((folder / self.other).read_bytes())
            (folder / self.other).write_bytes(data)


def trials(folder: Path, draw: random.Random) -> list[Trial]:
    """Return the trials of a release: each way in turn, each file as often as the others, the manifest every time."""
    names = _hashed(folder)
    made = [Trial(way, "manifest.json", names[0] if way == "swap" else "") for way in WAYS]
    turn = _shuffled(names, draw)
    while len(made) < TRIALS:
        way = WAYS[len(made) % len(WAYS)]
        name = next(turn)
        made.append(Trial(way, name, next(n for n in turn if n != name) if way == "swap" else ""))
    return made


def _hashed(folder: Path) -> list[str]:
    """Return the files that a release's version stands for, but the manifest."""
    files = (path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    return sorted(name for name in files if name != "manifest.json" and not name.startswith("record/"))


def _shuffled(names: list[str], draw: random.Random) -> Iterator[str]:
    while True:
        yield from draw.sample(names, len(names))
