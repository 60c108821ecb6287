"""A function called in a process of its own: its seconds, what it computed, and the memory it and its children held."""

from __future__ import annotations

import multiprocessing
import os
import threading
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

from perf.computed import computed_s

SAMPLE_S = 1.0
"""Between two looks at the memory, at the least."""

LOOKS = 0.05
"""Of the time, at most, that looks take: at several processes of gigabytes each takes a quarter of a second."""


def in_child(function: Any, *given: Path) -> dict[str, Any]:
    """Return the function's answer from a process of its own, with its seconds and peak memory.

    `peak_mb` is what it and its children held together at most, `largest_mb` what the largest of them did.
    """
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:  # its processes may have some
        pid = pool.submit(os.getpid).result()
        peak, done = [0, 0], threading.Event()
        sampler = threading.Thread(target=_sample, args=(pid, peak, done))
        sampler.start()
        started = time.perf_counter()
        try:
            answer = pool.submit(_run, function, *given).result()
            answer["seconds"] = time.perf_counter() - started
        finally:
            done.set()
            sampler.join()
    return answer | {"peak_mb": peak[0] / 1024, "largest_mb": peak[1] / 1024}


def _run(function: Any, *given: Path) -> dict[str, Any]:
    answer = function(*given)
    return answer | {"cpu_seconds": computed_s()}


def _sample(pid: int, peak: list[int], done: threading.Event) -> None:
    """Keep the most memory that a process and its children hold together, and the largest of them, in kB.

    Pages that they share are counted once.
    """
    pause = SAMPLE_S
    while not done.wait(pause):
        began = time.perf_counter()
        each = [_proportional_kb(one) for one in [pid, *_children(pid)]]
        peak[:] = max(peak[0], sum(each)), max(peak[1], *each)
        pause = max(SAMPLE_S, (time.perf_counter() - began) / LOOKS)


def _children(pid: int) -> list[int]:
    try:
        own = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return []
    return [child for text in own for child in (int(text), *_children(int(text)))]


def _proportional_kb(pid: int) -> int:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
