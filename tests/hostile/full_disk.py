"""A home on a small disk that fills up while a build is at work, step after step; a real disk of 50 MB, in memory."""

from __future__ import annotations

import os
import random
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pipelines.commands.errors import machine_error
from pipelines.walk.build import Built, build
from schemas.errors import ExpectedError
from warehouse.home import Home

DISK_MB = 50
BLOCK = 4096
LEFT_BLOCKS = (0, 1, 3, 4, 6, 9, 14, 30)
"""What a full disk may have left, in blocks: nothing, or enough for a lease and not for a table."""


class CannotMountError(Exception):
    """This machine lets nobody mount a disk."""


@contextmanager
def small_disk(place: Path) -> Iterator[Path]:
    """Mount a disk of 50 MB (tmpfs) inside the `with`. Raises CannotMountError where that is not allowed."""
    place.mkdir(parents=True)
    words = ["mount", "-t", "tmpfs", "-o", f"size={DISK_MB}m", "tmpfs", str(place)]
    if shutil.which("mount") is None or subprocess.run(words, capture_output=True, check=False).returncode:
        raise CannotMountError("mount -t tmpfs is not allowed here")
    try:
        yield place
    finally:
        subprocess.run(["umount", "-l", str(place)], check=True)


class Filler:
    """A file that takes all that a disk has left, but for a few blocks."""

    def __init__(self, disk: Path) -> None:
        self._disk, self._path = disk, disk / "filler"

    def fill(self, left: int) -> None:
        """Leave so many bytes."""
        free = shutil.disk_usage(self._disk).free - left
        if free > 0:
            with self._path.open("wb") as file:
                os.posix_fallocate(file.fileno(), 0, free)

    def empty(self) -> None:
        """Give the room back."""
        self._path.unlink(missing_ok=True)


def filled_at(disk: Path, recipe: Path, moment: str, number: int, left: int) -> tuple[Built | None, list[str]]:
    """Build in a home on the disk, which fills up at a moment; return what was built and what was said to be wrong.

    A moment is the Nth cell that is begun (`cell`), a thing said while releases are made (`release`), or the start.
    """
    filler, seen = Filler(disk), {"cell": 0, "release": 0}

    def at(kind: str) -> None:
        seen[kind] += 1
        if kind == moment and seen[kind] == number:
            filler.fill(left)

    def report(event: Any) -> None:
        if event.status == "running":
            at("cell")

    filler.fill(left) if moment == "start" else None
    built, said = None, []
    try:
        built = build(Home(str(disk / "home")), recipe, report=report, say=lambda _: at("release"), workers=1)
        said = [blocked.reason for blocked in built.blocked]
    except ExpectedError as error:
        said = [str(error)]
    except OSError as error:
        said = [machine_error(error)]
    finally:
        filler.empty()
    return built, said


TOLD = re.compile(r"the disk mounted at (\S+) is full: ([\d,.]+) (?:MB|kB) are left, and (.+) was being written to ")
MISSING = re.compile(r"so ([\d,.]+) (?:MB|kB) are missing|at least ([\d,.]+) (?:MB|kB) are missing")


def untold(said: list[str], disk: Path) -> list[str]:
    """Return which errors do not say which disk, what was being written, how much is missing, and what to do."""
    wrong = []
    for text in said:
        told = TOLD.search(text)
        lacks = [
            *(["the disk"] if told is None or told[1] != str(disk) else []),
            *(["what was being written"] if told is None or not told[3].strip() else []),
            *([] if MISSING.search(text) else ["how much is missing"]),
            *([] if "tripwright gc --delete" in text and "--home" in text else ["what to do"]),
        ]
        wrong += [f"{', '.join(lacks)}: {text}"] if lacks else []
    return wrong


def through_full_disks(
    disk: Path, recipe: Path, times: int, seed: int, say: Callable[[str], None] = lambda _: None
) -> tuple[int, int, list[str], Built]:
    """Return how often the disk filled up, how often the size was told, what was wrong, and the build that ended it.

    Each build gets a few cells further than the one before; releases come last.
    """
    draw = random.Random(seed)
    filled, sized, wrong = 0, 0, []
    while True:
        left = BLOCK * draw.choice(LEFT_BLOCKS)
        moment = (
            ("start", 0) if filled == 0 else ("cell", draw.choice((1, 2, 2))) if filled < times - 4 else ("release", 1)
        )
        if filled >= times:
            moment = ("never", 0)
        built, said = filled_at(disk, recipe, *moment, left)
        say(f"{moment} {left} left: {said[:2]}")
        if not said:
            assert built is not None
            if built.releases or moment[0] == "never":
                return filled, sized, wrong, built
            continue
        filled += 1
        sized += any("it needs" in text for text in said)
        wrong += untold(said, disk)
        wrong += [f"released on a full disk: {built.releases}"] if built is not None and built.releases else []
