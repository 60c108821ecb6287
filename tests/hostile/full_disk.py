"""A home on a small disk that fills up while a build is at work, step after step; a real disk of 50 MB, in memory."""

from __future__ import annotations

import os
import random
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pipelines.commands.errors import machine_error
from pipelines.walk.build import BuildResult, build
from pipelines.walk.listener import Listener
from schemas.errors import ExpectedError
from tests.recipes import hashed_files
from warehouse.home import Home

DISK_MB = 50
BLOCK = 4096
LEFT_BLOCKS = (0, 1, 3, 4, 6, 9, 14, 30)
"""What a full disk may have left, in blocks: nothing, or enough for a lease and not for a table."""


class CannotMountError(Exception):
    """This machine lets nobody mount a disk."""


@contextmanager
def small_disk(place: Path, *, files: int = 0) -> Iterator[Path]:
    """Mount a disk of 50 MB (tmpfs) for so many files (0: any) inside the `with`.

    Raises CannotMountError where that is not allowed.
    """
    place.mkdir(parents=True)
    options = f"size={DISK_MB}m" + (f",nr_inodes={files}" if files else "")
    words = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(place)]
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


START, RELEASE = "the start", "the release"
"""Moments beside the beginnings of cells, which are named by step and scope."""


@dataclass
class FullDisks:
    """What came of it: the moment of each full disk, how often the size was told, what was wrong, the build that ended.

    No moment is there twice.
    """

    at: list[str] = field(default_factory=list)
    sized: int = 0
    wrong: list[str] = field(default_factory=list)
    built: BuildResult | None = None


def filled_at(
    disk: Path, recipe: Path, left: int, is_moment: Callable[[str], bool]
) -> tuple[str, BuildResult | None, list[str]]:
    """Build in a home on the disk, which fills up once: at the first moment that `is_moment`, named with all before it.

    Return the moment, what was built, and what was said to be wrong. Moments are the start, each cell that is begun,
    and each thing said while releases are made (`the release 2`).
    """
    filler, when, said_before = Filler(disk), "", 0

    def at(moment: str) -> None:
        nonlocal when
        if not when and is_moment(moment):
            when = moment
            filler.fill(left)

    def report(event: Any) -> None:
        if event.status == "running":
            at(f"{event.step} of {event.scope}")

    def say(_: str) -> None:
        nonlocal said_before
        said_before += 1
        at(f"{RELEASE} {said_before}")

    at(START)
    built, said = None, []
    try:
        built = build(Home(str(disk / "home")), recipe, listener=Listener(report=report, say=say), workers=1)
        said = [blocked.reason for blocked in built.blocked]
    except ExpectedError as error:
        said = [str(error)]
    except OSError as error:
        said = [machine_error(error)]
    finally:
        filler.empty()
    return when, built, said


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
) -> FullDisks:
    """Build again and again on a disk that fills up, each time at a moment at which it has not yet; the last lives.

    The last time is left for the releases, which come last.
    """
    draw, found, tried = random.Random(seed), FullDisks(), set[str]()

    def is_moment(moment: str) -> bool:
        is_in_turn = len(found.at) < times - 1 or moment.startswith(RELEASE)
        return len(found.at) < times and moment not in tried and is_in_turn

    while True:
        left = BLOCK * draw.choice(LEFT_BLOCKS)
        when, built, said = filled_at(disk, recipe, left, is_moment)
        tried.add(when)
        say(f"{when or 'never'}, {left} left: {said[:2]}")
        if said:
            found.at.append(when)
            found.sized += any("it needs" in text for text in said)
            found.wrong += untold(said, disk)
            found.wrong += (
                [f"released on a full disk: {built.releases}"] if built is not None and built.releases else []
            )
            found.wrong += [f"another fault: {said}"] if not when else []
        elif built is not None and built.releases:
            found.built = built
            return found


def released_on(disk: Path, trial: FullDisks) -> dict[str, bytes]:
    """Return the files of the first release that was made on the disk in the end."""
    assert trial.built is not None
    return hashed_files(disk / "home" / trial.built.releases[0].ref.key)
