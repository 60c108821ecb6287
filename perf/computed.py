"""Processor time that this process and all it started have taken, their own processes too.

`RUSAGE_CHILDREN` counts only who was waited for: not a server that processes are forked from, which ends after the
command that started it, nor what that server's processes computed.
"""

from __future__ import annotations

import ctypes
import os
from collections import defaultdict
from pathlib import Path

PR_SET_CHILD_SUBREAPER = 36
"""Of prctl(2): processes whose parent ended become ours, and stay countable until we end."""

TIMES = slice(11, 15)
"""utime, stime, cutime and cstime in proc_pid_stat(5), counted from the field after the command's name."""


def adopt(yes: bool) -> None:
    """Have processes below this one whose parent ends become its children, or no longer."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, int(yes), 0, 0, 0)


def computed_s() -> float:
    """Return seconds of processor time, user's and system's, of this process and of its descendants.

    Those that end after the first call count too: from then on this process adopts them.
    """
    adopt(True)
    ticks: dict[int, int] = {}
    children: dict[int, list[int]] = defaultdict(list)
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue  # it ended meanwhile; its parent counts it
        ticks[int(folder.name)] = sum(map(int, fields[TIMES]))
        children[int(fields[1])].append(int(folder.name))
    ours, found = [os.getpid()], 0
    while ours:
        pid = ours.pop()
        found += ticks.get(pid, 0)
        ours += children[pid]
    return found / os.sysconf("SC_CLK_TCK")
