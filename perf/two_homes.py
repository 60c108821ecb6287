"""Recipes built in two new homes each, and every byte of what was released compared.

    python -m perf.two_homes RECIPE... [--note]      with --note the result goes into perf/README.md

A home's recipe and lock stand in a folder of their own with another name; the raw files are links at the same place
beside them. One home is built by one worker, the other by two, each by processes of its own. Exit 1 where a city is
blocked, nothing is released, or a byte of a release or the set of kept tables differs.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from perf.gate import computed
from perf.trials_noted import commit, ended

HOMES = (("here", 1), ("elsewhere/in another folder", 2))
"""The folders, and how many workers build in each."""


def files_of(recipe: Path) -> Iterator[str]:
    """Yield every relative path that a recipe names, of files that are there."""

    def strings(value: Any) -> Iterator[str]:
        if isinstance(value, str):
            yield value
        elif isinstance(value, dict | list):
            for inner in value.values() if isinstance(value, dict) else value:
                yield from strings(inner)

    for text in strings(tomllib.loads(recipe.read_text(encoding="utf-8"))):
        if not Path(text).is_absolute() and (recipe.parent / text).is_file():
            yield text


def laid_out(recipe: Path, folder: Path) -> Path:
    """Return a copy of a recipe with its lock, in a folder that holds links to the files that it names."""
    copy = folder / "project" / "recipes" / recipe.name
    copy.parent.mkdir(parents=True)
    for path in (recipe, recipe.with_suffix(".lock.json")):
        if path.exists():
            shutil.copy(path, copy.parent)
    for name in files_of(recipe):
        link = Path(os.path.normpath(copy.parent / name))
        if not link.is_relative_to(folder):
            raise SystemExit(f"{recipe}: {name} lies further up than two folders; expected at most ../../")
        link.parent.mkdir(parents=True, exist_ok=True)
        if not link.exists():
            link.symlink_to((recipe.parent / name).resolve())
    return copy


def kept(home: Path) -> dict[str, str]:
    """Return the hash of every file of a home's releases but their records, and the names of its tables."""
    found = {}
    for path in sorted(p for p in home.rglob("*") if p.is_file()):
        name = path.relative_to(home).as_posix()
        if name.startswith("releases/") and "/record/" not in name:
            found[name] = hashlib.sha256(path.read_bytes()).hexdigest()
        elif name.startswith("tables/"):
            found[name] = ""
    return found


def compared(recipe: Path) -> tuple[str, list[str]]:
    """Build a recipe in two homes; return a row of what they hold, and what differs."""
    made: list[tuple[dict[str, str], str]] = []
    clocks, seconds, wrong = [], [], []
    with tempfile.TemporaryDirectory() as scratch:
        for name, workers in HOMES:
            folder = Path(scratch) / name
            copy, home = laid_out(recipe, folder), folder / f"home of {workers}"
            words = ["build", str(copy), "--home", str(home), "--workers", str(workers), "--json"]
            clock, processors, answer = computed(["-m", "pipelines.cli", *words])
            built = json.loads(answer)
            told = ", ".join(f"{r['certified']} {r['family']}" for r in built["releases"])
            wrong += [f"{recipe.name}: {b['city_id']} {b['step']}: {b['reason']}" for b in built["blocked"]]
            made.append((kept(home), told))
            clocks.append(clock)
            seconds.append(processors)
    (first, certified), (second, _) = made
    released = [name for name in first if name.startswith("releases/") and not name.endswith("/latest")]
    wrong += [] if released else [f"{recipe.name}: nothing is released"]
    wrong += [
        f"{recipe.name}: {name} differs" for name in sorted({*first, *second}) if first.get(name) != second.get(name)
    ]
    row = (
        f"| `recipes/{recipe.name}` | {certified} | {len(released)} | {len(first) - len(released)} | {len(wrong)} | "
        f"{seconds[0]:.0f} s and {seconds[1]:.0f} s | {clocks[0]:.0f} s and {clocks[1]:.0f} s |"
    )
    return row, wrong


def main() -> int:
    """Build each recipe in two homes; return 1 where what they made differs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("recipes", type=Path, nargs="+")
    parser.add_argument("--note", action="store_true", help="Write the result into perf/README.md.")
    given = parser.parse_args()
    rows, wrong = [], []
    for recipe in given.recipes:
        row, differs = compared(recipe.resolve())
        rows.append(row)
        wrong += differs
        print("\n".join([row, *differs]), flush=True)
    lines = [
        "## Two homes",
        "",
        f"`python -m perf.two_homes {' '.join(map(str, given.recipes))}`, commit {commit()}, load average "
        f"{os.getloadavg()[2]:.0f}: each recipe built in two new homes, by one worker and by two, in folders of other "
        "names; the hashes of all files of all releases compared (records, which say when and how long, left out), and "
        "the names of all kept tables, which are their hashes.",
        "",
        "| recipe | certified | files released | other files and tables | differ | computed | clock |",
        "|---|---|---|---|---|---|---|",
        *rows,
    ]
    return ended("two homes", lines, wrong, note=given.note)


if __name__ == "__main__":
    sys.exit(main())
