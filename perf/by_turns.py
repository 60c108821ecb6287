"""One input by several functions in turn, each time in a fresh process; what each took, and how far apart they are."""

from __future__ import annotations

import hashlib
import multiprocessing
import resource
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

Function = Callable[[Path, Path], dict[str, Any]]
"""Of an input and a folder of its own: `seconds`, `cpu_seconds`, `rows`, and what else is to be shown."""

Runs = Mapping[str, Sequence[dict[str, Any]]]


def by_turns(functions: Mapping[str, Function], path: Path, folder: Path, times: int) -> Runs:
    """Return what each function gives for the input, so many times, with `peak_mb`, its process's peak memory."""
    runs: dict[str, list[dict[str, Any]]] = {name: [] for name in functions}
    for number in range(times):
        for name, function in functions.items():
            own = folder / f"{name}{number}"
            own.mkdir()
            with multiprocessing.get_context("spawn").Pool(1) as pool:
                runs[name].append(pool.apply(_measured, (function, path, own)))
    return runs


def show(runs: Runs, keys: Sequence[str], target: float) -> None:
    """Print the values of each function, then the ratios of the best of `ours` to the best of `bare`."""
    width, longest = max(map(len, runs)), max(map(len, keys))
    for name, results in runs.items():
        for key in keys:
            values = [result[key] for result in results if key in result]
            if values:
                print(f"{name:{width}} {key:{longest}} {'  '.join(f'{value:,.2f}' for value in values)}")
    for key in ("seconds", "cpu_seconds"):
        best = {name: min(result[key] for result in results) for name, results in runs.items()}
        print(f"ratio of the best {key}: {best['ours'] / best['bare']:.2f} (target {target})")


def hash_of(path: Path) -> str:
    """Return the sha256 of a file, read in pieces."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _measured(function: Function, path: Path, folder: Path) -> dict[str, Any]:
    result = function(path, folder)
    return result | {"peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}
